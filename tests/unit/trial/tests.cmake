# SPDX-License-Identifier: GPL-2.0-or-later
firn_unit(trial-row-touched ${CMAKE_CURRENT_LIST_DIR}/test_row_touched.c USES firn-trial)
firn_unit(job ${CMAKE_CURRENT_LIST_DIR}/test_job.c USES firn-trial)
firn_unit(attribute ${CMAKE_CURRENT_LIST_DIR}/test_attribute.c USES firn-trial)
firn_unit(judge ${CMAKE_CURRENT_LIST_DIR}/test_judge.c USES firn-trial)
firn_unit(bench-json ${CMAKE_CURRENT_LIST_DIR}/test_bench_json.c USES firn-trial)
firn_unit(boot-judge ${CMAKE_CURRENT_LIST_DIR}/test_boot_judge.c USES firn-trial)
firn_unit(by-hand ${CMAKE_CURRENT_LIST_DIR}/test_by_hand.c USES firn-trial)
