# SPDX-License-Identifier: GPL-2.0-or-later
# test-boot needs a ppc64le kernel (FIRN_TEST_KERNEL) and the pause module built for it (FIRN_TEST_PAUSE_KO); qemu.sh has firn
# make them.
add_executable(test-boot ${CMAKE_CURRENT_LIST_DIR}/test_boot.c)
target_link_libraries(test-boot PRIVATE firn-testbeds PkgConfig::CMOCKA)
add_test(NAME boot/qemu-pseries COMMAND ${CMAKE_CURRENT_LIST_DIR}/qemu.sh $<TARGET_FILE:test-boot>)
set_tests_properties(boot/qemu-pseries PROPERTIES LABELS boot SKIP_RETURN_CODE 77 TIMEOUT 3000
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")

add_executable(test-profile-boot ${CMAKE_CURRENT_LIST_DIR}/test_profile.c)
target_link_libraries(test-profile-boot PRIVATE firn-testbeds PkgConfig::CMOCKA)
add_test(NAME boot/profile COMMAND ${CMAKE_CURRENT_LIST_DIR}/profile.sh $<TARGET_FILE:test-profile-boot>)
set_tests_properties(boot/profile PROPERTIES LABELS boot SKIP_RETURN_CODE 77 TIMEOUT 3000
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")

# FIRN_TEST_BASE and FIRN_TEST_PATCHED are folders with a kernel and its modules; node_offline.sh has firn make them.
add_executable(test-nodes-boot ${CMAKE_CURRENT_LIST_DIR}/test_nodes.c)
target_link_libraries(test-nodes-boot PRIVATE firn-testbeds PkgConfig::CMOCKA)
add_test(NAME boot/node-offline COMMAND ${CMAKE_CURRENT_LIST_DIR}/node_offline.sh $<TARGET_FILE:test-nodes-boot>)
set_tests_properties(boot/node-offline PROPERTIES LABELS boot SKIP_RETURN_CODE 77 TIMEOUT 3000
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")

# Whole runs on real kernels from FIRN_TEST_TREE, kept in FIRN_TEST_CACHE.
foreach(name verdicts hot_add ipi unchanged calibrate)
	add_test(NAME boot/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(boot/${name} PROPERTIES LABELS boot SKIP_RETURN_CODE 77 TIMEOUT 3000
		ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
endforeach()

add_test(NAME boot/http COMMAND ${CMAKE_CURRENT_LIST_DIR}/http.sh)
set_tests_properties(boot/http PROPERTIES LABELS "boot;slow" SKIP_RETURN_CODE 77 TIMEOUT 6000
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")

# Builds alone: the same input gives the same image, and every row that firn comes with.
foreach(name reproducible rows)
	add_test(NAME boot/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(boot/${name} PROPERTIES LABELS slow SKIP_RETURN_CODE 77 TIMEOUT 14400
		ENVIRONMENT "BUILD_RUN=$<TARGET_FILE:build-run>")
endforeach()

# Control groups of version 2 and the packaged unit, in a machine of their own: Debian's kernel for amd64, and its systemd.
add_executable(test-cgroup2 ${CMAKE_CURRENT_LIST_DIR}/cgroup2/test_cgroup2.c)
target_link_libraries(test-cgroup2 PRIVATE firn-sandbox PkgConfig::CMOCKA)
foreach(stage plain bombs unit)
	add_test(NAME boot/cgroup2-${stage} COMMAND ${CMAKE_CURRENT_LIST_DIR}/cgroup2.sh ${stage})
	set_tests_properties(boot/cgroup2-${stage} PROPERTIES LABELS slow SKIP_RETURN_CODE 77 TIMEOUT 1800
		ENVIRONMENT "FIRN_TEST_ARTIFACTS=${CMAKE_CURRENT_BINARY_DIR}/consoles;FIRN=$<TARGET_FILE:firn>;ENGINE_FEED=$<TARGET_FILE:engine-feed>;TEST_CGROUP2=$<TARGET_FILE:test-cgroup2>;TEST_GUARD=$<TARGET_FILE:test-sandbox-guard>")
endforeach()
set_tests_properties(boot/cgroup2-plain boot/cgroup2-unit PROPERTIES LABELS boot)
