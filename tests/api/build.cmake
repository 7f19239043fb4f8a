# The program that tests of the cache on disk start as processes of their own.
add_executable(sinter_cache_probe ${CMAKE_CURRENT_SOURCE_DIR}/api/cache_probe.cpp)
target_link_libraries(sinter_cache_probe PRIVATE sinter::sinter sinter_flags)
add_dependencies(${program} sinter_cache_probe)
target_compile_definitions(${program} PRIVATE SINTER_CACHE_PROBE="$<TARGET_FILE:sinter_cache_probe>")
if(TARGET sinter_cli)
  add_dependencies(${program} sinter_cli)
  target_compile_definitions(${program} PRIVATE SINTER_CLI="$<TARGET_FILE:sinter_cli>")
endif()
# A program that goes on calling while it ends, and a library that is unloaded.
add_executable(sinter_ending_probe ${CMAKE_CURRENT_SOURCE_DIR}/api/ending_probe.cpp)
target_link_libraries(sinter_ending_probe PRIVATE sinter::sinter sinter_flags)
add_library(sinter_unloaded_functions MODULE ${CMAKE_CURRENT_SOURCE_DIR}/api/unloaded_functions.cpp)
target_link_libraries(sinter_unloaded_functions PRIVATE sinter::sinter sinter_flags)
add_dependencies(${program} sinter_ending_probe sinter_unloaded_functions)
target_compile_definitions(
  ${program} PRIVATE SINTER_ENDING_PROBE="$<TARGET_FILE:sinter_ending_probe>"
                     SINTER_UNLOADED_FUNCTIONS="$<TARGET_FILE:sinter_unloaded_functions>")
