# SPDX-License-Identifier: GPL-2.0-or-later
foreach(part console complaint ktap replay stats)
	firn_unit(${part} ${CMAKE_CURRENT_LIST_DIR}/test_${part}.c USES firn-testbeds)
endforeach()
