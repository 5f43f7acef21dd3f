//===- HostCode.cpp - Machine code in this process ------------------------===//

#include "LCI/Runtime/HostCode.h"
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace lci;

Status HostCode::run(std::vector<Slot> &slots) {
  arguments.clear();
  for (Slot &slot : slots)
    arguments.push_back(slot.argument());
  entry(arguments.data());
  return Done{};
}

/// A file in memory only; negative if there can be none.
static int makeFile(const std::string &bytes) {
  int file = memfd_create("lci", MFD_CLOEXEC);
  for (size_t at = 0; file >= 0 && at < bytes.size();) {
    ssize_t written = write(file, bytes.data() + at, bytes.size() - at);
    if (written < 0) {
      close(file);
      return -1;
    }
    at += static_cast<size_t>(written);
  }
  return file;
}

Result<std::shared_ptr<SharedObject>> SharedObject::load(const std::string &bytes) {
  int file = makeFile(bytes);
  if (file < 0)
    return Failure{ErrorId::WrongMachine,
                   std::string("cannot keep compiled code in memory: ") + std::strerror(errno)};
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (!handle)
    return Failure{ErrorId::WrongMachine, std::string("cannot load compiled code: ") + dlerror()};
  return std::shared_ptr<SharedObject>(new SharedObject(handle));
}

SharedObject::~SharedObject() { dlclose(handle); }

Result<HostCode::Entry> SharedObject::find(const std::string &symbol) const {
  if (void *found = dlsym(handle, symbol.c_str()))
    return reinterpret_cast<HostCode::Entry>(found);
  return Failure{ErrorId::WrongMachine,
                 "expected compiled code with the function '" + symbol + "'"};
}
