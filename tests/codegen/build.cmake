# The prelude compiled for every instruction set, and by the other compiler too if it is there.

find_program(SINTER_GXX NAMES g++-12 g++)
find_program(SINTER_CLANGXX NAMES clang++-19 clang++)
set(other_compiler ${SINTER_GXX})

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(other_compiler ${SINTER_CLANGXX})
endif()

set(prelude_source ${CMAKE_CURRENT_LIST_DIR}/prelude_kernels.cpp)
set(prelude_include ${PROJECT_BINARY_DIR}/layers/codegen ${PROJECT_SOURCE_DIR}/tests)
set(isa_generic_flags)
set(isa_sse42_flags -msse4.2)
set(isa_avx2_flags -mavx2 -mfma -mf16c)
set(isa_avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c -mprefer-vector-width=512)

# Adds prelude_variant_NAME, built for ISA with LANES, to the objects and to the list of names.
function(sinter_prelude_variant isa lanes with_other)
  set(name ${isa}_${lanes})
  set(flags -std=c++20 -O2 -ffp-contract=off -fno-math-errno -fPIC -Wno-psabi ${isa_${isa}_flags} -DPRELUDE_LANES=${lanes}
            -DPRELUDE_ISA=${isa})
  set(objects)
  set(names VARIANT\(${name}\))
  add_library(prelude_${name} OBJECT ${prelude_source})
  target_include_directories(prelude_${name} PRIVATE ${prelude_include})
  target_compile_options(prelude_${name} PRIVATE ${flags} -DPRELUDE_NAME=${name} -Wall -Wextra)
  list(APPEND objects $<TARGET_OBJECTS:prelude_${name}>)
  if(with_other AND other_compiler)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/prelude_${name}_other.o)
    list(TRANSFORM prelude_include PREPEND -I OUTPUT_VARIABLE include_flags)
    file(GLOB prelude_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/codegen/prelude/*.h)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${other_compiler} ${flags} -DPRELUDE_NAME=${name}_other ${include_flags} -c
              ${prelude_source} -o ${object}
      DEPENDS ${prelude_source} ${PROJECT_SOURCE_DIR}/tests/codegen/prelude_kernels.h ${prelude_headers}
      COMMENT "Compiling prelude_${name} with the other compiler")
    list(APPEND objects ${object})
    string(APPEND names " VARIANT\(${name}_other\)")
  endif()
  set(prelude_objects ${prelude_objects} ${objects} PARENT_SCOPE)
  set(prelude_names "${prelude_names} ${names}" PARENT_SCOPE)
endfunction()

set(prelude_objects)
set(prelude_names)
sinter_prelude_variant(generic 4 FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  sinter_prelude_variant(sse42 4 TRUE)
  sinter_prelude_variant(avx2 8 TRUE)
  sinter_prelude_variant(avx512 16 TRUE)
  sinter_prelude_variant(avx512 32 FALSE)
endif()

add_library(sinter_prelude_variants STATIC ${CMAKE_CURRENT_LIST_DIR}/prelude_variants.cpp ${prelude_objects})
target_include_directories(sinter_prelude_variants PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(sinter_prelude_variants PUBLIC sinter::sinter PRIVATE sinter_flags)
target_compile_definitions(sinter_prelude_variants PRIVATE "PRELUDE_VARIANTS=${prelude_names}")
target_link_libraries(${program} PRIVATE sinter_prelude_variants)

add_executable(sinter_prelude_exhaustive EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/prelude_exhaustive.cpp)
target_link_libraries(sinter_prelude_exhaustive PRIVATE sinter_prelude_variants sinter_flags)
