# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(web ${CMAKE_CURRENT_LIST_DIR}/test_web.c ${CMAKE_CURRENT_LIST_DIR}/client.c USES firn-web)
firn_unit(web-rerun ${CMAKE_CURRENT_LIST_DIR}/test_rerun.c ${CMAKE_CURRENT_LIST_DIR}/client.c USES firn-web)
