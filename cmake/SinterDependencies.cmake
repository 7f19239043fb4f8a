# What the library needs from the system; each is a Debian package (script/setup lists them).

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
set(SINTER_FMT fmt::fmt)
if(SINTER_STATIC_LLVM)
  set(SINTER_FMT fmt::fmt-header-only)  # one library fewer to travel
endif()
find_package(nlohmann_json REQUIRED)

# Plain searches: the packages' own CMake files also demand OpenCL or tools that we do not use.
find_path(SINTER_DNNL_INCLUDE dnnl.hpp REQUIRED)
find_library(SINTER_DNNL dnnl REQUIRED)
find_path(SINTER_OPENBLAS_INCLUDE cblas.h REQUIRED)
find_library(SINTER_OPENBLAS openblas REQUIRED)

# By its file, with every compiler: it is the one that oneDNN brings, a process must hold one OpenMP runtime only, and LLVM
# has a libgomp.so that is its own runtime.
find_library(SINTER_GOMP NAMES libgomp.so.1 REQUIRED)

find_program(SINTER_LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
function(sinter_llvm_config out)
  execute_process(COMMAND ${SINTER_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${out} ${text} PARENT_SCOPE)
endfunction()
sinter_llvm_config(SINTER_LLVM_INCLUDE --includedir)
sinter_llvm_config(SINTER_LLVM_LIBDIR --libdir)

# The only files that include clang's and LLVM's headers.
set(SINTER_COMPILER_SOURCES ${PROJECT_SOURCE_DIR}/runtime/cpu/clang_compiler.cpp
                            ${PROJECT_SOURCE_DIR}/runtime/cpu/orc_loader.cpp
                            ${PROJECT_SOURCE_DIR}/runtime/cpu/compiler_entry.cpp)
