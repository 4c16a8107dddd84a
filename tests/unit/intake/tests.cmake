# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(intake-mail ${CMAKE_CURRENT_LIST_DIR}/test_mail.c USES firn-intake)
firn_unit(intake-mbox ${CMAKE_CURRENT_LIST_DIR}/test_mbox.c USES firn-intake)
