# SPDX-License-Identifier: GPL-2.0-or-later
# The pages in a real Chromium and in text browsers. Pictures of them are left in build/PRESET/tests/browser/shots.
foreach(name service runs)
	add_test(NAME browser/${name} COMMAND ${CMAKE_CURRENT_LIST_DIR}/${name}.sh)
	set_tests_properties(browser/${name} PROPERTIES LABELS browser TIMEOUT 900 SKIP_RETURN_CODE 77 RESOURCE_LOCK chromium ENVIRONMENT
		"FIRN=$<TARGET_FILE:firn>;PATCHWORK=$<TARGET_FILE:patchwork-stand-in>;SHOTS=${CMAKE_CURRENT_BINARY_DIR}/browser/shots")
endforeach()
