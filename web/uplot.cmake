# SPDX-License-Identifier: GPL-2.0-or-later
# uPlot, which draws plots in browsers: from FIRN_UPLOT, else from web/node_modules, else fetched with npm into the build
# folder (package-lock.json names its content, not where it comes from). Without it pages show the tables and the
# figures that the server draws.
#
# Sets `uplot_sources`: nothing, or what to compile in.
set(FIRN_UPLOT "" CACHE PATH "Folder of the npm package uplot; empty: looked for, else fetched with npm")
option(FIRN_NPM "Fetch uPlot with npm when it is not there" ON)

# Sets `dir`, and leaves it empty when that does not work.
function(firn_uplot_fetch dir)
	set(into ${CMAKE_CURRENT_BINARY_DIR}/npm)
	set(${dir} "" PARENT_SCOPE)
	find_program(NPM npm)
	if(NOT FIRN_NPM OR NOT NPM)
		return()
	endif()
	file(SHA256 ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json wanted)
	set(have "")
	if(EXISTS ${into}/fetched)
		file(READ ${into}/fetched have)
	endif()
	if(NOT have STREQUAL wanted)
		file(COPY ${CMAKE_CURRENT_SOURCE_DIR}/package.json ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json DESTINATION ${into})
		execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=0 --fetch-timeout=20000
			WORKING_DIRECTORY ${into} TIMEOUT 90 RESULT_VARIABLE rc OUTPUT_QUIET ERROR_QUIET)
		if(NOT rc EQUAL 0)
			return()
		endif()
		file(WRITE ${into}/fetched ${wanted})
	endif()
	set(${dir} ${into}/node_modules/uplot PARENT_SCOPE)
endfunction()

# Its license asks to go along with each copy.
function(firn_uplot_copy from to)
	file(READ ${uplot}/LICENSE license)
	file(READ ${uplot}/dist/${from} text)
	file(CONFIGURE OUTPUT ${to} CONTENT "/*! uPlot\n@license@\n*/\n@text@" @ONLY)
endfunction()

set(uplot "${FIRN_UPLOT}")
if(NOT uplot AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/node_modules/uplot/dist)
	set(uplot ${CMAKE_CURRENT_SOURCE_DIR}/node_modules/uplot)
elseif(NOT uplot)
	firn_uplot_fetch(uplot)
endif()

set(uplot_sources "")
if(uplot AND EXISTS ${uplot}/dist/uPlot.iife.min.js)
	firn_uplot_copy(uPlot.iife.min.js ${CMAKE_CURRENT_BINARY_DIR}/uPlot.js)
	firn_uplot_copy(uPlot.min.css ${CMAKE_CURRENT_BINARY_DIR}/uPlot.css)
	firn_embed(uplot_js ${CMAKE_CURRENT_BINARY_DIR}/uPlot.js web_uplot)
	firn_embed(uplot_css ${CMAKE_CURRENT_BINARY_DIR}/uPlot.css web_uplot_css)
	set(uplot_sources ${uplot_js} ${uplot_css})
	set_property(SOURCE asset.c APPEND PROPERTY COMPILE_DEFINITIONS FIRN_WEB_PLOTS)
	message(STATUS "uPlot: ${uplot}")
else()
	message(STATUS "uPlot: not there (npm, or -DFIRN_UPLOT=DIR): benchmarks are shown without interactive plots")
endif()
