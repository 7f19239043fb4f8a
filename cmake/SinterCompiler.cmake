# libsinter_compiler: all that needs clang and LLVM, opened by libsinter at the first compile. Or, for machines without
# LLVM, the same files and LLVM's static libraries inside libsinter.

add_library(sinter_compiler_objects OBJECT ${SINTER_COMPILER_SOURCES})
target_include_directories(sinter_compiler_objects PRIVATE $<TARGET_PROPERTY:sinter_runtime,INTERFACE_INCLUDE_DIRECTORIES>)
target_include_directories(sinter_compiler_objects SYSTEM PRIVATE ${SINTER_LLVM_INCLUDE})
target_link_libraries(sinter_compiler_objects PRIVATE sinter_flags)

# The sanitizers that generated code gets are those of the library. The version is that of the headers which
# libsinter_compiler is built with: part of what a cached object is valid for.
sinter_llvm_config(SINTER_LLVM_VERSION --version)
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/cpu/compiler_library.cpp PROPERTIES COMPILE_DEFINITIONS
                            "SINTER_LLVM_VERSION=\"${SINTER_LLVM_VERSION}\";SINTER_SANITIZE=\"${SINTER_SANITIZE}\";$<$<BOOL:${SINTER_STATIC_LLVM}>:SINTER_STATIC_LLVM>")

if(SINTER_STATIC_LLVM)
  target_sources(sinter_compiler_objects PRIVATE ${PROJECT_SOURCE_DIR}/cmake/no_polly.cpp)
  sinter_llvm_config(llvm_libraries --link-static --libs)
  separate_arguments(llvm_libraries)
  list(FILTER llvm_libraries EXCLUDE REGEX "Polly|WindowsManifest")
  # What LLVM uses of the system, from static libraries too.
  find_library(SINTER_ZLIB libz.a REQUIRED)
  find_library(SINTER_ZSTD libzstd.a REQUIRED)
  file(GLOB clang_libraries ${SINTER_LLVM_LIBDIR}/libclang[A-Z]*.a)
  target_sources(sinter PRIVATE $<TARGET_OBJECTS:sinter_compiler_objects>)
  target_link_directories(sinter PRIVATE ${SINTER_LLVM_LIBDIR})
  target_link_libraries(sinter PRIVATE -Wl,--start-group ${clang_libraries} -Wl,--end-group
                        ${llvm_libraries} ${SINTER_ZLIB} ${SINTER_ZSTD})
  # What has no static library travels beside libsinter.
  add_custom_command(TARGET sinter POST_BUILD VERBATIM
                     COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:sinter> -DTO=$<TARGET_FILE_DIR:sinter>
                             -P ${PROJECT_SOURCE_DIR}/cmake/copy_libraries.cmake)
  # LLVM's symbols are not the process's: another LLVM may be in it.
  target_link_options(sinter PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections)
  # A sanitizer's own functions come with the program.
  if(NOT SINTER_SANITIZE)
    target_link_options(sinter PRIVATE -Wl,-z,defs)
  endif()
else()
  add_library(sinter_compiler SHARED $<TARGET_OBJECTS:sinter_compiler_objects>)
  find_library(SINTER_CLANG_CPP clang-cpp HINTS ${SINTER_LLVM_LIBDIR} NO_DEFAULT_PATH REQUIRED)
  find_library(SINTER_LLVM LLVM-19 HINTS ${SINTER_LLVM_LIBDIR} NO_DEFAULT_PATH REQUIRED)
  target_link_libraries(sinter_compiler PRIVATE sinter_flags ${SINTER_CLANG_CPP} ${SINTER_LLVM} ${CMAKE_DL_LIBS})
  set_target_properties(sinter_compiler PROPERTIES LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN;${SINTER_LLVM_LIBDIR}")
  add_dependencies(sinter sinter_compiler)
endif()
