# SPDX-License-Identifier: GPL-2.0-or-later
# Series that mean harm, on the tiny tree of the flow tests: kernel-builders/HOSTILE.md has them one by one. "rlimits" is a
# machine without control groups; kernel.sh is Linux itself, from FIRN_TEST_TREE in FIRN_TEST_CACHE.
foreach(name escape bombs survive words)
	add_test(NAME hostile/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(hostile/${name} PROPERTIES LABELS flow TIMEOUT 900 SKIP_RETURN_CODE 77
		ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
endforeach()
add_test(NAME hostile/bombs-rlimits COMMAND ${CMAKE_CURRENT_LIST_DIR}/bombs.sh)
set_tests_properties(hostile/bombs-rlimits PROPERTIES LABELS flow TIMEOUT 900 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;FIRN_LIMITS=rlimits")
add_test(NAME hostile/kernel COMMAND ${CMAKE_CURRENT_LIST_DIR}/kernel.sh)
set_tests_properties(hostile/kernel PROPERTIES LABELS slow TIMEOUT 7200 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
