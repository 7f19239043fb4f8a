# The installed package as another project sees it.
if(EXISTS ${PROJECT_SOURCE_DIR}/sinter.h)
  set(consumer_flags)
  if(SINTER_SANITIZE)
    set(consumer_flags -fsanitize=${SINTER_SANITIZE})
  endif()
  add_test(NAME install.consumer
           COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/install
                   -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/install/consumer -DGENERATOR=${CMAKE_GENERATOR}
                   -DCOMPILER=${CMAKE_CXX_COMPILER} -DFLAGS=${consumer_flags}
                   -P ${CMAKE_CURRENT_SOURCE_DIR}/install/run.cmake)
  set_tests_properties(install.consumer PROPERTIES LABELS install TIMEOUT ${SINTER_TEST_TIMEOUT})
endif()
