# SPDX-License-Identifier: GPL-2.0-or-later
# apply-run is what the scripts drive: apply.sh here, apply_debian.sh and apply-parity.sh in tests/flow.
add_executable(apply-run ${CMAKE_CURRENT_LIST_DIR}/apply_run.c)
target_link_libraries(apply-run PRIVATE firn-series)
add_test(NAME bench/apply COMMAND ${CMAKE_CURRENT_LIST_DIR}/apply.sh)
set_tests_properties(bench/apply PROPERTIES LABELS bench TIMEOUT 1200 SKIP_RETURN_CODE 77
	ENVIRONMENT "APPLY_RUN=$<TARGET_FILE:apply-run>")

# Also takes a repository: bench-base REPOSITORY [BRANCH].
add_executable(bench-base ${CMAKE_CURRENT_LIST_DIR}/base.c)
target_link_libraries(bench-base PRIVATE firn-series)
add_test(NAME bench/base COMMAND bench-base)
set_tests_properties(bench/base PROPERTIES LABELS bench TIMEOUT 1800 SKIP_RETURN_CODE 77)

# The service: see the file. Numbers are in service/serve/SERVICE.md.
add_test(NAME bench/service COMMAND ${CMAKE_CURRENT_LIST_DIR}/service.sh)
set_tests_properties(bench/service PROPERTIES LABELS bench TIMEOUT 7200 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;PATCHWORK=$<TARGET_FILE:patchwork-stand-in>")

# Mails into postings: bench-intake [N...].
add_executable(bench-intake ${CMAKE_CURRENT_LIST_DIR}/intake.c)
target_link_libraries(bench-intake PRIVATE firn-serve)
add_test(NAME bench/intake COMMAND bench-intake)
set_tests_properties(bench/intake PROPERTIES LABELS bench TIMEOUT 600)

# The web against nginx: see the file. Numbers are in web/SPEED.md.
add_executable(web-fill ${CMAKE_CURRENT_LIST_DIR}/web_fill.c)
target_link_libraries(web-fill PRIVATE firn-store)
add_executable(web-streams ${CMAKE_CURRENT_LIST_DIR}/web_streams.c)
target_link_libraries(web-streams PRIVATE firn-base)
add_test(NAME bench/web COMMAND ${CMAKE_CURRENT_LIST_DIR}/web.sh)
set_tests_properties(bench/web PROPERTIES LABELS bench TIMEOUT 1800 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;WEB_FILL=$<TARGET_FILE:web-fill>;WEB_STREAMS=$<TARGET_FILE:web-streams>")

# The native rules beside checkpatch.pl. Numbers are in checkers/checkpatch/CHECKPATCH.md.
add_executable(bench-checkpatch ${CMAKE_CURRENT_LIST_DIR}/checkpatch_run.c)
target_link_libraries(bench-checkpatch PRIVATE firn-checkers)
add_test(NAME bench/checkpatch COMMAND ${CMAKE_CURRENT_LIST_DIR}/checkpatch.sh)
set_tests_properties(bench/checkpatch PROPERTIES LABELS bench TIMEOUT 3600 SKIP_RETURN_CODE 77
	ENVIRONMENT "CHECK=$<TARGET_FILE:firn-checkpatch>;RUN=$<TARGET_FILE:bench-checkpatch>")

# Builds beside plain make: see the file. Numbers are in kernel-builders/BUILDERS.md. build-run is what the scripts drive,
# also those in tests/boot.
add_executable(build-run ${CMAKE_CURRENT_LIST_DIR}/build_run.c)
target_link_libraries(build-run PRIVATE firn-kernel-builders firn-series)
add_test(NAME bench/build COMMAND ${CMAKE_CURRENT_LIST_DIR}/build.sh)
set_tests_properties(bench/build PROPERTIES LABELS bench TIMEOUT 7200 SKIP_RETURN_CODE 77
	ENVIRONMENT "BUILD_RUN=$<TARGET_FILE:build-run>")
