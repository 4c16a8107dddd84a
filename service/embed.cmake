# SPDX-License-Identifier: GPL-2.0-or-later
# firn_embed(RET FILE SYMBOL): makes a C file with the bytes of FILE as `const char SYMBOL[]`, NUL-terminated, and
# `const unsigned long SYMBOL_len` without the NUL, at build time. RET gets its path, for the list of sources.
#
# Run as a script (cmake -DIN= -DOUT= -DSYMBOL= -P) it does the work.
if(CMAKE_SCRIPT_MODE_FILE)
	file(READ "${IN}" hex HEX)
	string(LENGTH "${hex}" digits)
	math(EXPR length "${digits} / 2")
	string(REGEX REPLACE "(................................)" "\\1\n\t" hex "${hex}")
	string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " hex "${hex}")
	get_filename_component(name "${IN}" NAME)
	file(WRITE "${OUT}" "/* Made from ${name}. */\nextern const char ${SYMBOL}[];\nextern const unsigned long ${SYMBOL}_len;\n"
		"const char ${SYMBOL}[] = {\n\t${hex}0x00};\nconst unsigned long ${SYMBOL}_len = ${length};\n")
	return()
endif()

set(FIRN_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(firn_embed ret file symbol)
	get_filename_component(in ${file} ABSOLUTE)
	set(out ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
	add_custom_command(OUTPUT ${out} DEPENDS ${in} ${FIRN_EMBED_SCRIPT} VERBATIM
		COMMAND ${CMAKE_COMMAND} -DIN=${in} -DOUT=${out} -DSYMBOL=${symbol} -P ${FIRN_EMBED_SCRIPT})
	set(${ret} ${out} PARENT_SCOPE)
endfunction()
