# Finds the packaged MLIR/LLVM this project is written against, and nothing else.
set(LCI_LLVM_VERSION 22.1)
set(_LCI_INSTALL_HINT
    "  Debian: apt-get install libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools\n"
    "  or run `make setup`, which does it for you.")

find_package(MLIR CONFIG QUIET HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "MLIR ${LCI_LLVM_VERSION} was not found.\n" ${_LCI_INSTALL_HINT})
endif()
if(NOT LLVM_PACKAGE_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR
    "This project is written against MLIR ${LCI_LLVM_VERSION}, but ${MLIR_DIR} is "
    "${LLVM_PACKAGE_VERSION}.\n" ${_LCI_INSTALL_HINT})
endif()
if(NOT TARGET MLIR)
  message(FATAL_ERROR
    "MLIR at ${MLIR_DIR} has no libMLIR.so; the static archives are not supported, because "
    "tools and plugins would then hold two copies of MLIR.\n" ${_LCI_INSTALL_HINT})
endif()

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories("${CMAKE_CURRENT_SOURCE_DIR}/include" "${CMAKE_CURRENT_BINARY_DIR}/include")
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${LLVM_DEFINITIONS_LIST})

# libMLIR.so is built with RTTI and without exceptions; so are we. Floating-point contraction is
# never implicit: the interpreter's arithmetic is the language's definition.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> -ffp-contract=off)
set(LCI_WARNINGS -Wall -Wextra -Wno-unused-parameter)
if(LCI_WERROR)
  list(APPEND LCI_WARNINGS -Werror)
endif()

if(LCI_ASSERTIONS)
  add_compile_options(-UNDEBUG)
endif()
if(LCI_SANITIZE)
  # The vptr check needs type information of every base, and libMLIR.so exports not all of it; the
  # function check reads the type in front of a function, where code compiled in memory has none.
  add_compile_options(-fsanitize=${LCI_SANITIZE} -fno-sanitize=vptr,function -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  # The run-time library is a shared one, since Python, which loads the package, has to have it too.
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-x86_64.so
                  OUTPUT_VARIABLE _runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT EXISTS "${_runtime}") # the compiler returns the bare name of what it does not find
    message(FATAL_ERROR "expected the compiler's ${_runtime}, but there is none: "
                        "scripts/setup.sh --sanitizers installs it")
  endif()
  set(LCI_SANITIZER_RUNTIME "${_runtime}" CACHE INTERNAL "What Python preloads")
  get_filename_component(_folder "${_runtime}" DIRECTORY)
  add_link_options(-fsanitize=${LCI_SANITIZE} -fno-sanitize=vptr,function -shared-libasan
                   "LINKER:-rpath,${_folder}")
endif()

# Tests and generators run under the project's own Python environment when there is one.
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python3")
  set(LCI_PYTHON "${CMAKE_CURRENT_SOURCE_DIR}/.venv/bin/python3")
else()
  set(LCI_PYTHON /usr/bin/python3)
endif()

message(STATUS "LCI: MLIR ${LLVM_PACKAGE_VERSION} at ${MLIR_DIR}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}")
