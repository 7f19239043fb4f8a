# The recorded cases, unpacked into the build tree, and the runs over them.
set(cases ${CMAKE_CURRENT_SOURCE_DIR}/conformance/cases.tar.xz)
set(unpacked ${PROJECT_BINARY_DIR}/conformance)
add_custom_command(OUTPUT ${unpacked}/unpacked
                   COMMAND ${CMAKE_COMMAND} -E rm -rf ${unpacked}
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${unpacked}
                   COMMAND ${CMAKE_COMMAND} -E chdir ${unpacked} ${CMAKE_COMMAND} -E tar xf ${cases}
                   COMMAND ${CMAKE_COMMAND} -E touch ${unpacked}/unpacked
                   DEPENDS ${cases}
                   COMMENT "Unpacking the recorded cases"
                   VERBATIM)
add_custom_target(sinter_conformance_cases ALL DEPENDS ${unpacked}/unpacked)
add_dependencies(sinter_conformance sinter_conformance_cases)

set(exceptions ${CMAKE_CURRENT_SOURCE_DIR}/conformance_exceptions.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${exceptions})
file(READ ${exceptions} SINTER_CONFORMANCE_EXCEPTIONS)
set(exceptions_text ${CMAKE_CURRENT_BINARY_DIR}/conformance_exceptions.cpp)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/conformance/exceptions_text.cpp.in ${exceptions_text} @ONLY)
target_sources(sinter_conformance PRIVATE ${exceptions_text} ${CMAKE_CURRENT_SOURCE_DIR}/support/call_sequence.cpp)

function(sinter_add_conformance name label)
  add_test(NAME conformance.${name} COMMAND sinter_conformance ${unpacked} --verbose ${ARGN})
  set_tests_properties(conformance.${name} PROPERTIES LABELS ${label} TIMEOUT 1800 PROCESSORS 2)
endfunction()
set(foundation ${CMAKE_CURRENT_SOURCE_DIR}/conformance/foundation.txt)
sinter_add_conformance(foundation_eager conformance --mode=eager --only=${foundation} --require-all)
sinter_add_conformance(foundation conformance --only=${foundation} --require-all)
sinter_add_conformance(others conformance --except=${foundation})
# Sizes and numbers as symbols: right, and nothing becomes a number but what the list says. Its cases all run.
sinter_add_conformance(symbolic conformance --mode=symbolic --sample=12
                       --fixed=${CMAKE_CURRENT_SOURCE_DIR}/conformance/fixed_sizes.txt)

# Records that are wrong on purpose (four are right): the runner must see each.
add_test(NAME conformance.doctored COMMAND sinter_conformance ${CMAKE_CURRENT_SOURCE_DIR}/conformance/doctored)
set_tests_properties(conformance.doctored PROPERTIES LABELS conformance TIMEOUT 300
                     PASS_REGULAR_EXPRESSION "4 passed, 7 failed, 1 unsupported")
