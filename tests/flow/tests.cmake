# SPDX-License-Identifier: GPL-2.0-or-later
foreach(name outcomes bad_input interrupt postings)
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
