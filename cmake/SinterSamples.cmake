# One program for each file of samples/.
file(GLOB samples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/*.cpp)
foreach(source IN LISTS samples)
  cmake_path(GET source STEM name)
  add_executable(sample_${name} ${source})
  set_target_properties(sample_${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/samples)
  target_link_libraries(sample_${name} PRIVATE sinter::sinter sinter_flags)
endforeach()
# The demo's loops by hand are to be as good as the compiler makes a plain loop: without this, g++ keeps comparisons of
# floats as branches, and such a loop is ten times slower than what it is compared with deserves.
set_source_files_properties(${PROJECT_SOURCE_DIR}/samples/demo.cpp PROPERTIES COMPILE_OPTIONS "-O3;-fno-trapping-math")
