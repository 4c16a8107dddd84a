# SPDX-License-Identifier: GPL-2.0-or-later
# One program a file: test_apply.c is unit/series-apply.
file(GLOB series_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
foreach(source ${series_tests})
	get_filename_component(name ${source} NAME_WE)
	string(REPLACE "test_" "series-" name ${name})
	firn_unit(${name} ${source} USES firn-series)
endforeach()

# Against the real git. It takes mails as arguments, too: test-series-mailinfo FILE...
firn_unit(series-mailinfo ${CMAKE_CURRENT_LIST_DIR}/mailinfo.c USES firn-series)
set_tests_properties(unit/series-mailinfo PROPERTIES LABELS flow SKIP_RETURN_CODE 77)
