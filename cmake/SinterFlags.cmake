# How the project's own code is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# libsinter and libsinter_compiler lie side by side, in the build tree as in an installation.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(SINTER_STATIC_LLVM)
  # The build folder may move to another machine: libraries are found from where the program lies, those that a library
  # needs in its turn too (which the newer kind of run path does not do).
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
  set(CMAKE_BUILD_RPATH $ORIGIN $ORIGIN/../lib)
  add_link_options(-Wl,--disable-new-dtags)
endif()
set(CMAKE_INSTALL_RPATH $ORIGIN)

# Linked by every target of ours; never exported to a consumer.
add_library(sinter_flags INTERFACE)
target_compile_options(sinter_flags INTERFACE -Wall -Wextra -ffp-contract=off -fno-semantic-interposition)
# An OpDef names only the fields that it has.
target_compile_options(sinter_flags INTERFACE -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of g++ 12 in std::string and std::optional (gcc bugs 105651 and 105562).
  target_compile_options(sinter_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(SINTER_WARNINGS_AS_ERRORS)
  target_compile_options(sinter_flags INTERFACE -Werror)
endif()
if(SINTER_SANITIZE)
  target_compile_options(sinter_flags INTERFACE -fsanitize=${SINTER_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(sinter_flags INTERFACE -fsanitize=${SINTER_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND SINTER_SANITIZE MATCHES "undefined")
    # It reads a signature in front of each function called by pointer; generated code may start at a page's border.
    target_compile_options(sinter_flags INTERFACE -fno-sanitize=function)
  endif()
endif()

# Files built once for each x86-64 instruction set; always optimised, since eager execution is made of them.
function(sinter_isa_flags out_removed)
  set(removed)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "_sse42\\.cpp$")
      set(flags -msse4.2)
    elseif(file MATCHES "_avx2\\.cpp$")
      set(flags -mavx2 -mfma -mf16c)
    elseif(file MATCHES "_avx512\\.cpp$")
      set(flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c)
    else()
      continue()
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "-O3;-Wno-psabi;${flags}")
    else()
      list(APPEND removed ${file})
    endif()
  endforeach()
  set(${out_removed} ${removed} PARENT_SCOPE)
endfunction()
