# SPDX-License-Identifier: GPL-2.0-or-later
# One program a file: test_apply.c is unit/series-apply.
file(GLOB series_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
foreach(source ${series_tests})
	get_filename_component(name ${source} NAME_WE)
	string(REPLACE "test_" "series-" name ${name})
	firn_unit(${name} ${source} USES firn-series)
endforeach()

# Against the real git. It takes mails as arguments, too: test-series-mailinfo FILE...
file(GLOB mailinfo CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/mailinfo*.c)
add_executable(test-series-mailinfo ${mailinfo})
target_link_libraries(test-series-mailinfo PRIVATE firn-series PkgConfig::CMOCKA PkgConfig::GMIME)
target_compile_definitions(test-series-mailinfo PRIVATE FIXTURES="${CMAKE_CURRENT_LIST_DIR}/../../fixtures")
add_test(NAME flow/mailinfo COMMAND test-series-mailinfo)
set_tests_properties(flow/mailinfo PROPERTIES LABELS flow TIMEOUT 600 SKIP_RETURN_CODE 77)
set_tests_properties(unit/series-rules PROPERTIES SKIP_RETURN_CODE 77)
