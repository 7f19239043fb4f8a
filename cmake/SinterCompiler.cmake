# libsinter_compiler: all that needs clang and LLVM, opened by libsinter at the first compile. Or, for machines without
# LLVM, the same files and LLVM's static libraries inside libsinter.

add_library(sinter_compiler_objects OBJECT ${SINTER_COMPILER_SOURCES})
target_include_directories(sinter_compiler_objects PRIVATE $<TARGET_PROPERTY:sinter_runtime,INTERFACE_INCLUDE_DIRECTORIES>)
target_include_directories(sinter_compiler_objects SYSTEM PRIVATE ${SINTER_LLVM_INCLUDE})
target_link_libraries(sinter_compiler_objects PRIVATE sinter_flags)

# The sanitizers that generated code gets are those of the library.
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/cpu/compiler_library.cpp PROPERTIES COMPILE_DEFINITIONS
                            "SINTER_SANITIZE=\"${SINTER_SANITIZE}\";$<$<BOOL:${SINTER_STATIC_LLVM}>:SINTER_STATIC_LLVM>")

if(SINTER_STATIC_LLVM)
  # Debian builds LLVM with Polly, which its static libraries then want; nobody asks for that plugin here.
  set(polly ${PROJECT_BINARY_DIR}/no_polly.cpp)
  file(WRITE ${polly} "extern \"C\" void getPollyPluginInfo() {}\n")
  target_sources(sinter_compiler_objects PRIVATE ${polly})
  sinter_llvm_config(llvm_libraries --link-static --libs x86 passes orcjit jitlink frontendopenmp frontendhlsl windowsdriver option coverage lto)
  sinter_llvm_config(llvm_system --link-static --system-libs)
  separate_arguments(llvm_libraries)
  separate_arguments(llvm_system)
  list(REMOVE_ITEM llvm_system -lpthread -ldl -lm -lrt -ledit)
  file(GLOB clang_libraries ${SINTER_LLVM_LIBDIR}/libclang[A-Z]*.a)
  target_sources(sinter PRIVATE $<TARGET_OBJECTS:sinter_compiler_objects>)
  target_link_directories(sinter PRIVATE ${SINTER_LLVM_LIBDIR})
  target_link_libraries(sinter PRIVATE -Wl,--start-group ${clang_libraries} -Wl,--end-group ${llvm_libraries} ${llvm_system})
  # LLVM's symbols are not the process's: another LLVM may be in it.
  target_link_options(sinter PRIVATE -Wl,--exclude-libs,ALL -Wl,--gc-sections)
else()
  add_library(sinter_compiler SHARED $<TARGET_OBJECTS:sinter_compiler_objects>)
  find_library(SINTER_CLANG_CPP clang-cpp HINTS ${SINTER_LLVM_LIBDIR} NO_DEFAULT_PATH REQUIRED)
  find_library(SINTER_LLVM LLVM-19 HINTS ${SINTER_LLVM_LIBDIR} NO_DEFAULT_PATH REQUIRED)
  target_link_libraries(sinter_compiler PRIVATE sinter_flags ${SINTER_CLANG_CPP} ${SINTER_LLVM} ${CMAKE_DL_LIBS})
  set_target_properties(sinter_compiler PROPERTIES LINKER_LANGUAGE CXX)
  add_dependencies(sinter sinter_compiler)
endif()
