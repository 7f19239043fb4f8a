# All of tests/bench as one Google Benchmark program.
file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/bench/*.cpp)
if(bench_sources)
  find_package(benchmark REQUIRED)
  add_executable(sinter_bench ${bench_sources})
  set_target_properties(sinter_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(sinter_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(sinter_bench PRIVATE sinter::sinter sinter_flags benchmark::benchmark)
endif()
