# What the cases share.
target_sources(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cases/known_answers.cpp)
