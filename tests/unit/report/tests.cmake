# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(report ${CMAKE_CURRENT_LIST_DIR}/test_report.c ${CMAKE_CURRENT_LIST_DIR}/markup.c
	${CMAKE_CURRENT_LIST_DIR}/views.c USES firn-report)
firn_unit(report-bench ${CMAKE_CURRENT_LIST_DIR}/test_bench_views.c ${CMAKE_CURRENT_LIST_DIR}/markup.c
	${CMAKE_CURRENT_LIST_DIR}/views.c USES firn-report)
firn_unit(report-builds ${CMAKE_CURRENT_LIST_DIR}/test_builds_view.c ${CMAKE_CURRENT_LIST_DIR}/views.c USES firn-report)
firn_unit(report-escape ${CMAKE_CURRENT_LIST_DIR}/test_escape.c USES firn-report)
firn_unit(report-mail-body ${CMAKE_CURRENT_LIST_DIR}/test_mail_body.c ${CMAKE_CURRENT_LIST_DIR}/views.c USES firn-report)
firn_unit(report-mail-message ${CMAKE_CURRENT_LIST_DIR}/test_mail_message.c USES firn-report firn-intake)
firn_unit(report-change-points ${CMAKE_CURRENT_LIST_DIR}/test_change_points.c USES firn-report)
firn_unit(report-plots ${CMAKE_CURRENT_LIST_DIR}/test_plots.c ${CMAKE_CURRENT_LIST_DIR}/markup.c
	${CMAKE_CURRENT_LIST_DIR}/views.c USES firn-report)
firn_unit(report-since ${CMAKE_CURRENT_LIST_DIR}/test_since.c ${CMAKE_CURRENT_LIST_DIR}/markup.c USES firn-report)
firn_unit(report-kcidb ${CMAKE_CURRENT_LIST_DIR}/test_kcidb.c USES firn-report)
