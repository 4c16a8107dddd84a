# SPDX-License-Identifier: GPL-2.0-or-later
add_executable(api-fill ${CMAKE_CURRENT_LIST_DIR}/api_fill_main.c ${CMAKE_CURRENT_LIST_DIR}/../unit/web/api_fill.c)
target_link_libraries(api-fill PRIVATE firn-store)
target_compile_definitions(api-fill PRIVATE FIXTURES="${CMAKE_CURRENT_LIST_DIR}/../fixtures")
add_test(NAME flow/openapi COMMAND ${CMAKE_CURRENT_LIST_DIR}/openapi.sh)
set_tests_properties(flow/openapi PROPERTIES LABELS flow TIMEOUT 120 SKIP_RETURN_CODE 77
	ENVIRONMENT "FIRN=$<TARGET_FILE:firn>;API_FILL=$<TARGET_FILE:api-fill>")
