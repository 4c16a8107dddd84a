# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(sandbox ${CMAKE_CURRENT_LIST_DIR}/test_sandbox.c USES firn-sandbox)
firn_unit(sandbox-cgroup ${CMAKE_CURRENT_LIST_DIR}/test_cgroup.c USES firn-sandbox)
firn_unit(sandbox-guard ${CMAKE_CURRENT_LIST_DIR}/test_guard.c USES firn-sandbox)
