# The command-line program `sinter`.
add_executable(sinter_cli ${PROJECT_SOURCE_DIR}/runtime/cli/main.cpp)
set_target_properties(sinter_cli PROPERTIES OUTPUT_NAME sinter RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
                      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
target_link_libraries(sinter_cli PRIVATE sinter::sinter sinter_flags)
install(TARGETS sinter_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
