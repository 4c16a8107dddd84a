# SPDX-License-Identifier: GPL-2.0-or-later
# Unit tests of apply are with the rest of service/series. This one needs git: see the file.
add_executable(test-flow-apply-parity ${CMAKE_CURRENT_LIST_DIR}/../../flow/test_apply_parity.c)
target_link_libraries(test-flow-apply-parity PRIVATE firn-series PkgConfig::CMOCKA)
add_test(NAME flow/apply-parity COMMAND test-flow-apply-parity)
set_tests_properties(flow/apply-parity PROPERTIES LABELS flow TIMEOUT 300 SKIP_RETURN_CODE 77)
