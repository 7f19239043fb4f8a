# One object library a folder, with an include path that holds only itself and the folders below it.

# Makes layers/FOLDER/sinter/FOLDER a link to the folder, compiles its files, exports the view.
function(sinter_layer layer)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  set(view ${PROJECT_BINARY_DIR}/layers/${layer})
  file(MAKE_DIRECTORY ${view}/sinter)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${layer} ${view}/sinter/${layer} SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${layer}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/cli/[^/]*$")  # programs, not parts of the library
  sinter_isa_flags(removed ${sources})
  list(REMOVE_ITEM sources ${removed} ${SINTER_COMPILER_SOURCES})
  if(NOT sources)
    set(sources ${PROJECT_BINARY_DIR}/layers/${layer}_is_empty.cpp)
    file(WRITE ${sources} "")
  endif()
  add_library(sinter_${layer} OBJECT ${sources})
  target_include_directories(sinter_${layer} PUBLIC ${view})
  target_link_libraries(sinter_${layer} PUBLIC ${ARG_USES} ${SINTER_FMT} PRIVATE sinter_flags)
endfunction()

# <sinter/sinter.h> is seen through a fifth view.
function(sinter_umbrella)
  set(view ${PROJECT_BINARY_DIR}/layers/umbrella)
  file(MAKE_DIRECTORY ${view}/sinter)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/sinter.h ${view}/sinter/sinter.h SYMBOLIC)
endfunction()
