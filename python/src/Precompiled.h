// What every file of the extension module includes; see AddLCI.cmake.
#include "../../cmake/Precompiled.h"
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
