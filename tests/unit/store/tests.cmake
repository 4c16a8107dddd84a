# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(store ${CMAKE_CURRENT_LIST_DIR}/test_store.c USES firn-store)
firn_unit(store-mails ${CMAKE_CURRENT_LIST_DIR}/test_mails.c USES firn-store)
firn_unit(store-queue ${CMAKE_CURRENT_LIST_DIR}/test_queue.c USES firn-store)
firn_unit(store-outbox ${CMAKE_CURRENT_LIST_DIR}/test_outbox.c USES firn-store)
firn_unit(store-migrate ${CMAKE_CURRENT_LIST_DIR}/test_migrate.c USES firn-store)
firn_unit(store-views ${CMAKE_CURRENT_LIST_DIR}/test_views.c USES firn-store)
firn_unit(store-view-plans ${CMAKE_CURRENT_LIST_DIR}/test_view_plans.c USES firn-store)
firn_unit(store-view-metric ${CMAKE_CURRENT_LIST_DIR}/test_view_metric.c USES firn-store)
