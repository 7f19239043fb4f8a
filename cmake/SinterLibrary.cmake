# Joins the layers into libsinter, beside it libsinter_compiler, which holds all that needs clang and LLVM.

target_link_libraries(sinter_graph PRIVATE nlohmann_json::nlohmann_json)
set_source_files_properties(${PROJECT_SOURCE_DIR}/graph/version.cpp PROPERTIES COMPILE_DEFINITIONS
                            SINTER_VERSION="${PROJECT_VERSION}")
target_include_directories(sinter_runtime SYSTEM PRIVATE ${SINTER_DNNL_INCLUDE} ${SINTER_OPENBLAS_INCLUDE})
target_compile_definitions(sinter_runtime PRIVATE $<$<BOOL:${SINTER_PARALLEL_POOL}>:SINTER_PARALLEL_POOL>)
# Part of what a cached object is valid for: builds that differ may generate code for different callers.
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/kernel_cache.cpp PROPERTIES COMPILE_DEFINITIONS
  "SINTER_BUILD=\"${CMAKE_BUILD_TYPE} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")

add_library(sinter SHARED $<TARGET_OBJECTS:sinter_graph> $<TARGET_OBJECTS:sinter_fusion>
                          $<TARGET_OBJECTS:sinter_codegen> $<TARGET_OBJECTS:sinter_runtime>)
# Its threads, and handlers of the process's exit, go on after a library that brought it is unloaded.
target_link_options(sinter PRIVATE -Wl,-z,nodelete)
add_library(sinter::sinter ALIAS sinter)
set_target_properties(sinter PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX)
target_compile_features(sinter PUBLIC cxx_std_20)
foreach(view graph fusion codegen runtime umbrella)
  target_include_directories(sinter PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/layers/${view}>)
endforeach()
target_include_directories(sinter PUBLIC $<INSTALL_INTERFACE:include>)
target_link_libraries(sinter PUBLIC ${SINTER_FMT}
                      PRIVATE sinter_flags Threads::Threads ${SINTER_DNNL} ${SINTER_OPENBLAS} ${CMAKE_DL_LIBS} ${SINTER_GOMP})
