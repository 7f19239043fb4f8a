# Builds every program that stands in README.md (a ```cpp block with a main) and the samples; the tests run them.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
file(READ ${PROJECT_SOURCE_DIR}/README.md rest)
set(readme_programs 0)
while(TRUE)
  string(FIND "${rest}" "```cpp\n" start)
  if(start EQUAL -1)
    break()
  endif()
  math(EXPR start "${start} + 7")
  string(SUBSTRING "${rest}" ${start} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  string(SUBSTRING "${rest}" ${end} -1 rest)
  string(FIND "${block}" "int main" main)
  if(NOT main EQUAL -1)
    set(source ${PROJECT_BINARY_DIR}/docs/source_${readme_programs}/f.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${block}" @ONLY)
    add_executable(docs_readme_${readme_programs} ${source})
    set_target_properties(docs_readme_${readme_programs} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs
                          OUTPUT_NAME readme_${readme_programs})
    target_link_libraries(docs_readme_${readme_programs} PRIVATE sinter::sinter sinter_flags)
    add_dependencies(${program} docs_readme_${readme_programs})
    math(EXPR readme_programs "${readme_programs} + 1")
  endif()
endwhile()

if(SINTER_BUILD_SAMPLES)
  foreach(sample 01_fuse_three_ops 02_softmax 03_mlp_block 05_custom_op 06_cuda explain demo)
    add_dependencies(${program} sample_${sample})
  endforeach()
endif()
target_compile_definitions(${program} PRIVATE SINTER_BINARY_DIR="${PROJECT_BINARY_DIR}"
                           SINTER_README_PROGRAMS=${readme_programs}
                           SINTER_HAS_SAMPLES=$<BOOL:${SINTER_BUILD_SAMPLES}>)
