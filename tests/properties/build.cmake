# The random programs and their checks, and runs under other instruction sets than the machine's best (eager included).
file(GLOB_RECURSE properties_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/properties/*.cpp)
list(FILTER properties_sources EXCLUDE REGEX "_test\\.cpp$")
target_sources(${program} PRIVATE ${properties_sources})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  foreach(isa sse42 avx2)
    add_test(NAME properties.under_${isa} COMMAND ${program} --gtest_brief=1 --gtest_filter=RandomPrograms.*)
    set_tests_properties(properties.under_${isa} PROPERTIES LABELS properties TIMEOUT 900
                         ENVIRONMENT "SINTER_ISA=${isa};SINTER_PROPERTY_COUNT=120")
  endforeach()
endif()
