# Copies the shared libraries that LIBRARY needs to the folder TO, but for the C library's own. Run by cmake -P.
# A copy from an earlier link may stand there already: it and the system's are found under one name, which is no fault.
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${LIBRARY} RESOLVED_DEPENDENCIES_VAR found
     CONFLICTING_DEPENDENCIES_PREFIX twice
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv)\\.so")
foreach(path IN LISTS found)
  if(NOT path MATCHES "^${TO}/")
    file(COPY ${path} DESTINATION ${TO} FOLLOW_SYMLINK_CHAIN)
  endif()
endforeach()
