# SPDX-License-Identifier: GPL-2.0-or-later
foreach(name outcomes bad_input bench builds blame interrupt killed postings repeat)
	add_test(NAME flow/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(flow/${name} PROPERTIES LABELS flow TIMEOUT 600 SKIP_RETURN_CODE 77
		ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
endforeach()

# Against the real git: see the file.
add_executable(test-flow-base-guess ${CMAKE_CURRENT_LIST_DIR}/base_guess.c)
target_link_libraries(test-flow-base-guess PRIVATE firn-series PkgConfig::CMOCKA)
add_test(NAME flow/base-guess COMMAND test-flow-base-guess)
set_tests_properties(flow/base-guess PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77)

# Against the real git, too. It takes patches as arguments.
add_executable(test-flow-patch-id ${CMAKE_CURRENT_LIST_DIR}/test_patch_id.c)
target_link_libraries(test-flow-patch-id PRIVATE firn-series PkgConfig::CMOCKA)
add_test(NAME flow/patch-id COMMAND test-flow-patch-id)
set_tests_properties(flow/patch-id PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77)

# Against the real git, too.
add_executable(test-flow-range-diff ${CMAKE_CURRENT_LIST_DIR}/test_range_diff.c)
target_link_libraries(test-flow-range-diff PRIVATE firn-series PkgConfig::CMOCKA)
add_test(NAME flow/range-diff COMMAND test-flow-range-diff)
set_tests_properties(flow/range-diff PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77)

# Against the real public-inbox.
add_executable(test-flow-lore-client ${CMAKE_CURRENT_LIST_DIR}/lore_client.c)
target_link_libraries(test-flow-lore-client PRIVATE firn-intake)
add_test(NAME flow/lore COMMAND ${CMAKE_CURRENT_LIST_DIR}/lore.sh)
set_tests_properties(flow/lore PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;LORE_CLIENT=$<TARGET_FILE:test-flow-lore-client>")

# A stand-in for Patchwork, and tests that talk to it.
file(GLOB stand_in CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/patchwork/*.c)
add_executable(patchwork-stand-in ${stand_in})
target_link_libraries(patchwork-stand-in PRIVATE firn-intake PkgConfig::MICROHTTPD)
foreach(name patchwork patchwork_checks patchwork_recordings)
	string(REPLACE _ - dashed ${name})
	add_executable(test-flow-${dashed} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.c)
	target_link_libraries(test-flow-${dashed} PRIVATE firn-intake PkgConfig::CMOCKA)
	target_compile_definitions(test-flow-${dashed} PRIVATE STAND_IN="$<TARGET_FILE:patchwork-stand-in>"
		MAILS="${CMAKE_CURRENT_LIST_DIR}/patchwork/mails.mbox" RECORDINGS="${CMAKE_SOURCE_DIR}/../shared/lab/recordings")
	add_dependencies(test-flow-${dashed} patchwork-stand-in)
	add_test(NAME flow/${dashed} COMMAND test-flow-${dashed})
	set_tests_properties(flow/${dashed} PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
add_executable(test-flow-patchwork-real ${CMAKE_CURRENT_LIST_DIR}/test_patchwork_real.c)
target_link_libraries(test-flow-patchwork-real PRIVATE firn-intake PkgConfig::CMOCKA)
target_compile_definitions(test-flow-patchwork-real PRIVATE STAND_IN="" MAILS="")
add_test(NAME flow/patchwork-real COMMAND ${CMAKE_CURRENT_LIST_DIR}/patchwork_real.sh)
set_tests_properties(flow/patchwork-real PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77
	ENVIRONMENT "PATCHWORK_REAL=$<TARGET_FILE:test-flow-patchwork-real>")

# The engine role alone; links has the intake role, too.
add_executable(engine-feed ${CMAKE_CURRENT_LIST_DIR}/engine_feed.c)
target_link_libraries(engine-feed PRIVATE firn-store firn-series firn-intake)
foreach(name engine engine_cancel links waivers)
	add_test(NAME flow/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(flow/${name} PROPERTIES LABELS flow TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT
		"FIRN=$<TARGET_FILE:firn>;ENGINE_FEED=$<TARGET_FILE:engine-feed>;PATCHWORK=$<TARGET_FILE:patchwork-stand-in>")
endforeach()

# The service as a whole: see service/lib.sh. Each fault is a test.
set(service_environment "FIRN=$<TARGET_FILE:firn>;PATCHWORK=$<TARGET_FILE:patchwork-stand-in>")
foreach(fault disk-full read-only busy clock smtp-later smtp-cut smtp-cut-before patchwork-500 dns tls many)
	add_test(NAME flow/service-${fault} COMMAND ${CMAKE_CURRENT_LIST_DIR}/service/faults.sh ${fault})
	set_tests_properties(flow/service-${fault} PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "${service_environment}")
endforeach()
foreach(name crash upgrade)
	add_test(NAME flow/service-${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/service/${name}.sh)
	set_tests_properties(flow/service-${name} PROPERTIES LABELS flow TIMEOUT 600 SKIP_RETURN_CODE 77 ENVIRONMENT "${service_environment}")
endforeach()
add_test(NAME slow/service-crash COMMAND ${CMAKE_CURRENT_LIST_DIR}/service/crash.sh all)
add_test(NAME slow/service-soak COMMAND ${CMAKE_CURRENT_LIST_DIR}/service/soak.sh)
add_test(NAME slow/service-many COMMAND ${CMAKE_CURRENT_LIST_DIR}/service/faults.sh many)
set_tests_properties(slow/service-crash slow/service-soak slow/service-many PROPERTIES LABELS slow TIMEOUT 7200 SKIP_RETURN_CODE 77
	ENVIRONMENT "${service_environment};FAULT_MANY=10000")

# The post role alone.
add_executable(post-feed ${CMAKE_CURRENT_LIST_DIR}/post_feed.c ${CMAKE_SOURCE_DIR}/tests/unit/serve/smtp_stand_in.c)
target_link_libraries(post-feed PRIVATE firn-store)
foreach(name post post_tls)
	add_test(NAME flow/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(flow/${name} PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT
		"FIRN=$<TARGET_FILE:firn>;POST_FEED=$<TARGET_FILE:post-feed>;PATCHWORK=$<TARGET_FILE:patchwork-stand-in>")
endforeach()

add_test(NAME flow/intake COMMAND ${CMAKE_CURRENT_LIST_DIR}/intake.sh)
set_tests_properties(flow/intake PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "${service_environment}")

# The supervisor and the commands of the service.
foreach(name serve commands)
	add_test(NAME flow/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(flow/${name} PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77 ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
endforeach()
add_test(NAME flow/web COMMAND ${CMAKE_CURRENT_LIST_DIR}/web.sh)
add_test(NAME flow/names COMMAND ${CMAKE_CURRENT_LIST_DIR}/names.sh)
set_tests_properties(flow/web flow/names PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;ENGINE_FEED=$<TARGET_FILE:engine-feed>")
add_test(NAME slow/debian COMMAND ${CMAKE_CURRENT_LIST_DIR}/debian.sh)
set_tests_properties(slow/debian PROPERTIES LABELS slow TIMEOUT 1800 SKIP_RETURN_CODE 77)

# firn check, and the program that is it alone.
add_test(NAME flow/check COMMAND ${CMAKE_CURRENT_LIST_DIR}/check.sh)
set_tests_properties(flow/check PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;CHECK=$<TARGET_FILE:firn-checkpatch>")
