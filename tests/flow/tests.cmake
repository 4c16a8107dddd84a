# SPDX-License-Identifier: GPL-2.0-or-later
foreach(name outcomes bad_input interrupt)
	add_test(NAME flow/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(flow/${name} PROPERTIES LABELS flow TIMEOUT 600 SKIP_RETURN_CODE 77
		ENVIRONMENT "FIRN=$<TARGET_FILE:firn>")
endforeach()
