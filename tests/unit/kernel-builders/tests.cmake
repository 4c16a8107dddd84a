# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(kernel-builders-diagnostic ${CMAKE_CURRENT_LIST_DIR}/test_diagnostic.c USES firn-kernel-builders)
firn_unit(kernel-builders-rows ${CMAKE_CURRENT_LIST_DIR}/test_row_pick.c USES firn-kernel-builders)
firn_unit(kernel-builders-headers ${CMAKE_CURRENT_LIST_DIR}/test_headers.c USES firn-kernel-builders)
firn_unit(kernel-builders-module-sizes ${CMAKE_CURRENT_LIST_DIR}/test_module_sizes.c USES firn-kernel-builders)
firn_unit(kernel-builders-new-warnings ${CMAKE_CURRENT_LIST_DIR}/test_new_warnings.c USES firn-kernel-builders)
firn_unit(kernel-builders-worktree ${CMAKE_CURRENT_LIST_DIR}/test_worktree.c USES firn-kernel-builders)
firn_unit(kernel-builders-good ${CMAKE_CURRENT_LIST_DIR}/test_good.c USES firn-kernel-builders)

# Those that compile: "fake" and "stale" with the host's gcc, "real" Linux from FIRN_TEST_TREE in FIRN_TEST_CACHE.
foreach(which flow/fake flow/stale boot/real)
	cmake_path(GET which PARENT_PATH label)
	cmake_path(GET which FILENAME name)
	add_executable(test-kernel-builders-${name} ${CMAKE_CURRENT_LIST_DIR}/test_${name}_build.c)
	target_link_libraries(test-kernel-builders-${name} PRIVATE firn-kernel-builders firn-series PkgConfig::CMOCKA)
	target_compile_definitions(test-kernel-builders-${name} PRIVATE FIXTURES="${PROJECT_SOURCE_DIR}/tests/fixtures")
	add_test(NAME ${label}/kernel-builders-${name} COMMAND test-kernel-builders-${name})
	set_tests_properties(${label}/kernel-builders-${name} PROPERTIES LABELS ${label} TIMEOUT 3600 SKIP_RETURN_CODE 77)
endforeach()
