# Thin wrappers: one way to make a library, a tool and a unit test of this project.
include(GNUInstallDirs)

# One precompiled header with the headers nearly every file needs, MLIR's and the dialect's own: most
# of the time of a build goes into reading headers (7 s -> 1 s a file).
add_library(LCIPrecompiled OBJECT "${CMAKE_CURRENT_LIST_DIR}/Precompiled.cpp")
add_dependencies(LCIPrecompiled LCIIncGen)
target_compile_options(LCIPrecompiled PRIVATE ${LCI_WARNINGS})
target_precompile_headers(LCIPrecompiled PRIVATE "${CMAKE_CURRENT_LIST_DIR}/Precompiled.h")
if(LCI_BUILD_TESTS) # spares each unit test a second
  target_precompile_headers(LCIPrecompiled PRIVATE <gtest/gtest.h>)
endif()

# lci_library(NAME [PLAIN] SOURCES a.cpp … [LINK libs…] [DEPENDS targets…])
# PLAIN marks a library that includes no MLIR header.
function(lci_library NAME)
  cmake_parse_arguments(ARG "PLAIN" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_compile_options(${NAME} PRIVATE ${LCI_WARNINGS})
  target_link_libraries(${NAME} PUBLIC ${ARG_LINK})
  target_include_directories(${NAME} INTERFACE $<INSTALL_INTERFACE:include>)
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD "${LCI_UNITY}" UNITY_BUILD_BATCH_SIZE 16)
  if(NOT ARG_PLAIN)
    add_dependencies(${NAME} LCIIncGen)
    target_precompile_headers(${NAME} REUSE_FROM LCIPrecompiled)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${NAME} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY LCI_LIBRARIES ${NAME})
endfunction()

# lci_passes(NAME): the declarations of the passes of Passes.td here; NAME is that of the library which has them.
function(lci_passes NAME)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${NAME})
  add_public_tablegen_target(${NAME}PassIncGen)
  add_dependencies(LCIIncGen ${NAME}PassIncGen)
endfunction()

# What is linked as itself takes the same precompiled header; that serves only code which is compiled
# in the same way, as for a library.
function(lci_precompile NAME)
  target_compile_options(${NAME} PRIVATE -fPIC)
  target_precompile_headers(${NAME} REUSE_FROM LCIPrecompiled)
endfunction()

# What every executable of a sanitized build says to the sanitizers' runtime.
function(lci_sanitize NAME)
  if(LCI_SANITIZE)
    target_sources(${NAME} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp")
  endif()
endfunction()

# lci_tool(NAME [PLUGINS] SOURCES a.cpp … LINK libs…): tools hold no logic, only registration and a main.
# With PLUGINS it loads passes of others: its symbols are theirs, so that the process has every TypeID once,
# whatever a plugin was linked with.
function(lci_tool NAME)
  cmake_parse_arguments(ARG "PLUGINS" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  add_dependencies(${NAME} LCIIncGen)
  target_compile_options(${NAME} PRIVATE ${LCI_WARNINGS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LINK} MLIR LLVM)
  lci_precompile(${NAME})
  lci_sanitize(${NAME})
  set_target_properties(${NAME} PROPERTIES ENABLE_EXPORTS "${ARG_PLUGINS}")
  install(TARGETS ${NAME} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  set_property(GLOBAL APPEND PROPERTY LCI_TOOLS ${NAME})
endfunction()

# lci_plugin(NAME SOURCES a.cpp … LINK libs…): what the stock, unmodified mlir-opt loads. It takes
# MLIR from libMLIR.so, as mlir-opt does, so that the process holds every TypeID once.
function(lci_plugin NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${NAME} MODULE ${ARG_SOURCES})
  add_dependencies(${NAME} LCIIncGen)
  set_target_properties(${NAME} PROPERTIES PREFIX "")
  target_compile_options(${NAME} PRIVATE ${LCI_WARNINGS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LINK} MLIR LLVM)
  lci_precompile(${NAME})
  install(TARGETS ${NAME} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  set_property(GLOBAL APPEND PROPERTY LCI_PLUGINS ${NAME})
endfunction()

# lci_unittest(NAME [NO_TEST] SOURCES a.cpp … LINK libs…)
# With NO_TEST the caller says itself how ctest runs it.
function(lci_unittest NAME)
  cmake_parse_arguments(ARG "NO_TEST" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  add_dependencies(${NAME} LCIIncGen)
  target_compile_options(${NAME} PRIVATE ${LCI_WARNINGS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LINK} MLIR LLVM GTest::gtest GTest::gtest_main)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unittests"
                                           UNITY_BUILD "${LCI_UNITY}" UNITY_BUILD_BATCH_SIZE 16)
  lci_sanitize(${NAME})
  lci_precompile(${NAME})
  if(NOT ARG_NO_TEST)
    add_test(NAME ${NAME} COMMAND ${NAME})
  endif()
  set_property(GLOBAL APPEND PROPERTY LCI_UNITTESTS ${NAME})
endfunction()
