# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(store ${CMAKE_CURRENT_LIST_DIR}/test_store.c USES firn-store)
firn_unit(store-mails ${CMAKE_CURRENT_LIST_DIR}/test_mails.c USES firn-store)
firn_unit(store-queue ${CMAKE_CURRENT_LIST_DIR}/test_queue.c USES firn-store)
firn_unit(store-outbox ${CMAKE_CURRENT_LIST_DIR}/test_outbox.c USES firn-store)
firn_unit(store-migrate ${CMAKE_CURRENT_LIST_DIR}/test_migrate.c USES firn-store)
