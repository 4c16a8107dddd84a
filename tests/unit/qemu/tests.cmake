# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(qmp ${CMAKE_CURRENT_LIST_DIR}/test_qmp.c USES firn-testbeds)
firn_unit(emulator ${CMAKE_CURRENT_LIST_DIR}/test_emulator.c USES firn-testbeds)
firn_unit(hot-add ${CMAKE_CURRENT_LIST_DIR}/test_hot_add.c USES firn-testbeds)
firn_unit(hot-add-log ${CMAKE_CURRENT_LIST_DIR}/test_hot_add_log.c USES firn-testbeds)
firn_unit(initramfs ${CMAKE_CURRENT_LIST_DIR}/test_initramfs.c USES firn-testbeds)
