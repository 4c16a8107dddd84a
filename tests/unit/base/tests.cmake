firn_unit(base ${CMAKE_CURRENT_LIST_DIR}/test_base.c USES firn-base)
