# What `cmake --install` copies, and the package that find_package(sinter) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS sinter EXPORT sinter_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(NOT SINTER_STATIC_LLVM)
  install(TARGETS sinter_compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
else()
  install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/ DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILES_MATCHING PATTERN "lib*.so*" PATTERN "libsinter*" EXCLUDE)
endif()
install(DIRECTORY graph fusion codegen runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinter
        FILES_MATCHING PATTERN "*.h" PATTERN "prelude" EXCLUDE)
install(FILES sinter.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinter)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinter)
install(EXPORT sinter_targets NAMESPACE sinter:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sinter-config.cmake.in ${PROJECT_BINARY_DIR}/sinter-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinter-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinter-config.cmake ${PROJECT_BINARY_DIR}/sinter-config-version.cmake
        DESTINATION ${package_dir})
