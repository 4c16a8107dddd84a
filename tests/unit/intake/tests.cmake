# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(intake-mail ${CMAKE_CURRENT_LIST_DIR}/test_mail.c USES firn-intake)
firn_unit(intake-mbox ${CMAKE_CURRENT_LIST_DIR}/test_mbox.c USES firn-intake)
firn_unit(intake-patchwork ${CMAKE_CURRENT_LIST_DIR}/test_patchwork.c USES firn-intake)
firn_unit(intake-lore-link ${CMAKE_CURRENT_LIST_DIR}/test_lore_link.c USES firn-intake)
firn_unit(intake-http ${CMAKE_CURRENT_LIST_DIR}/test_http.c USES firn-intake)
