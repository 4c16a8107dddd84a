# SPDX-License-Identifier: GPL-2.0-or-later
# firn_fuzz(NAME USES LIB...): fuzz_NAME.c defines LLVMFuzzerTestOneInput(). It becomes a test under the label "unit",
# which runs each file of corpus/NAME once, and with clang and -DFIRN_FUZZ=ON a libFuzzer program too:
#	cmake --preset clang -B build/fuzz -DFIRN_FUZZ=ON && cmake --build build/fuzz --target fuzz-diff
#	build/fuzz/tests/fuzz-diff -max_total_time=60 NEW-FOLDER tests/fuzz/corpus/diff
# An input that found a bug is kept in corpus/NAME.
option(FIRN_FUZZ "Build the libFuzzer programs (clang)" OFF)
set(FIRN_FUZZ_DIR ${CMAKE_CURRENT_LIST_DIR})

if(FIRN_FUZZ)
	# Coverage of the libraries is what guides the fuzzer.
	target_compile_options(firn-flags INTERFACE -fsanitize=fuzzer-no-link)
	target_link_options(firn-flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(firn_fuzz name)
	cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
	add_executable(test-fuzz-${name} ${FIRN_FUZZ_DIR}/fuzz_${name}.c ${FIRN_FUZZ_DIR}/corpus_run.c)
	target_link_libraries(test-fuzz-${name} PRIVATE ${ARG_USES})
	add_test(NAME unit/fuzz-${name} COMMAND test-fuzz-${name} ${FIRN_FUZZ_DIR}/corpus/${name})
	set_tests_properties(unit/fuzz-${name} PROPERTIES LABELS unit TIMEOUT 20)
	if(FIRN_FUZZ)
		add_executable(fuzz-${name} ${FIRN_FUZZ_DIR}/fuzz_${name}.c)
		target_link_libraries(fuzz-${name} PRIVATE ${ARG_USES})
		target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
	endif()
endfunction()

firn_fuzz(diff USES firn-series)
firn_fuzz(mail USES firn-series)
firn_fuzz(place USES firn-series)
firn_fuzz(subject USES firn-series)
firn_fuzz(checkpatch USES firn-checkers)
firn_fuzz(web USES firn-web)
