# What `cmake --install` puts where, and what `find_package(LCI)` gives in another project:
# every library as LCI::<name>; LCI::Compiler, which is the whole compiler with MLIR; LCI::LCI-C, the same for C.
include(CMakePackageConfigHelpers)

get_property(_libraries GLOBAL PROPERTY LCI_LIBRARIES)
get_property(_tools GLOBAL PROPERTY LCI_TOOLS)
get_property(_plugins GLOBAL PROPERTY LCI_PLUGINS)
get_property(_shared GLOBAL PROPERTY LCI_SHARED)

add_library(LCICompiler INTERFACE)
set_target_properties(LCICompiler PROPERTIES EXPORT_NAME Compiler)
target_link_libraries(LCICompiler INTERFACE ${_libraries} MLIR LLVM)

# `make build` makes just what a user runs; tests add to it.
add_custom_target(lci-build DEPENDS ${_tools} ${_plugins})
if(NOT SKBUILD) # a wheel is Python's
  add_dependencies(lci-build ${_shared})
endif()
add_custom_target(lci-libraries DEPENDS ${_libraries})

install(TARGETS ${_libraries} ${_shared} LCICompiler EXPORT LCITargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/LCI" "${PROJECT_BINARY_DIR}/include/LCI"
        "${PROJECT_SOURCE_DIR}/include/lci-c"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "*.def"
        PATTERN "CMakeFiles" EXCLUDE)

set(_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/LCI")
install(EXPORT LCITargets NAMESPACE LCI:: DESTINATION "${_package_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/LCIConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/LCIConfig.cmake" INSTALL_DESTINATION "${_package_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/LCIConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/LCIConfig.cmake"
        "${PROJECT_BINARY_DIR}/cmake/LCIConfigVersion.cmake"
        DESTINATION "${_package_dir}")
