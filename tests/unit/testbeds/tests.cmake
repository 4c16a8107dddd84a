# SPDX-License-Identifier: GPL-2.0-or-later
foreach(part calibrate calibrate_bound console complaint emulator_watch fit http ipi ktap profile replay sampler sampler_checks sampler_profile stats stats_rates stats_rules hotplug node_offline)
	firn_unit(${part} ${CMAKE_CURRENT_LIST_DIR}/test_${part}.c USES firn-testbeds)
endforeach()
