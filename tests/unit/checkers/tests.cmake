# SPDX-License-Identifier: GPL-2.0-or-later
foreach(part signoff needs_stable checkpatch checkpatch_code checkpatch_rules checkpatch_view checkpatch_pl check_run)
	string(REPLACE "_" "-" name ${part})
	firn_unit(${name} ${CMAKE_CURRENT_LIST_DIR}/test_${part}.c USES firn-checkers)
endforeach()

# Needs Linux: see the file.
add_executable(test-flow-checkpatch-pl ${CMAKE_CURRENT_LIST_DIR}/../../flow/test_checkpatch_pl.c)
target_link_libraries(test-flow-checkpatch-pl PRIVATE firn-checkers PkgConfig::CMOCKA)
target_compile_definitions(test-flow-checkpatch-pl PRIVATE FIXTURES="${CMAKE_CURRENT_LIST_DIR}/../../fixtures")
add_test(NAME flow/checkpatch-pl COMMAND test-flow-checkpatch-pl)
set_tests_properties(flow/checkpatch-pl PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77)
