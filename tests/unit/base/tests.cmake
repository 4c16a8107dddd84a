# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(base ${CMAKE_CURRENT_LIST_DIR}/test_base.c USES firn-base)
firn_unit(conf ${CMAKE_CURRENT_LIST_DIR}/test_conf.c USES firn-base)
firn_unit(conf-section ${CMAKE_CURRENT_LIST_DIR}/test_conf_section.c USES firn-base)
firn_unit(log ${CMAKE_CURRENT_LIST_DIR}/test_log.c USES firn-base)
firn_unit(access ${CMAKE_CURRENT_LIST_DIR}/test_access.c USES firn-base)
firn_unit(hold ${CMAKE_CURRENT_LIST_DIR}/test_hold.c USES firn-base)
firn_unit(local-names ${CMAKE_CURRENT_LIST_DIR}/test_local_names.c USES firn-base)
