# SPDX-License-Identifier: GPL-2.0-or-later
# checkpatch.pl and the native rules on the same patches: see agreement.pl. The whole takes half an hour when nothing of
# the script's output is kept, and a minute when it is.
add_executable(agreement-native ${CMAKE_CURRENT_LIST_DIR}/native.c)
target_link_libraries(agreement-native PRIVATE firn-checkers)
add_test(NAME flow/agreement COMMAND ${CMAKE_CURRENT_LIST_DIR}/agreement.sh sample)
add_test(NAME slow/agreement COMMAND ${CMAKE_CURRENT_LIST_DIR}/agreement.sh all)
set_tests_properties(flow/agreement PROPERTIES LABELS flow TIMEOUT 600 SKIP_RETURN_CODE 77)
set_tests_properties(slow/agreement PROPERTIES LABELS slow TIMEOUT 7200 SKIP_RETURN_CODE 77)
set_tests_properties(flow/agreement slow/agreement PROPERTIES ENVIRONMENT "NATIVE=$<TARGET_FILE:agreement-native>")
