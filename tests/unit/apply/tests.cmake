# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of apply are with the rest of service/series. These need git: see the files.
foreach(name apply_parity apply_random)
	string(REPLACE "_" "-" dashed ${name})
	add_executable(test-flow-${dashed} ${CMAKE_CURRENT_LIST_DIR}/../../flow/test_${name}.c)
	target_link_libraries(test-flow-${dashed} PRIVATE firn-series PkgConfig::CMOCKA)
	add_test(NAME flow/${dashed} COMMAND test-flow-${dashed})
	set_tests_properties(flow/${dashed} PROPERTIES LABELS flow TIMEOUT 900 SKIP_RETURN_CODE 77)
endforeach()

add_test(NAME flow/apply-debian COMMAND ${CMAKE_CURRENT_LIST_DIR}/../../flow/apply_debian.sh)
set_tests_properties(flow/apply-debian PROPERTIES LABELS flow TIMEOUT 1200 SKIP_RETURN_CODE 77
	ENVIRONMENT "APPLY_RUN=$<TARGET_FILE:apply-run>")
