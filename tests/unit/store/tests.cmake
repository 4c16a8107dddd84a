# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(store ${CMAKE_CURRENT_LIST_DIR}/test_store.c USES firn-store)
