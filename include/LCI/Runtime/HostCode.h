//===- HostCode.h - Machine code in this process ----------------*- C++ -*-===//
//
// Code of the CPU: a function pointer into JIT-compiled code or into a shared object that is loaded
// from memory.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_RUNTIME_HOSTCODE_H
#define LCI_RUNTIME_HOSTCODE_H

#include "LCI/Runtime/CompiledProgram.h"

namespace lci {

/// A function of this process, which takes the addresses of its arguments.
class HostCode final : public Code {
public:
  using Entry = void (*)(void **);
  explicit HostCode(Entry entry) : entry(entry) {}

  Status run(std::vector<Slot> &slots) override;
  Result<std::unique_ptr<Code>> another(Device *) const override {
    return std::unique_ptr<Code>(new HostCode(entry));
  }

private:
  Entry entry;
  std::vector<void *> arguments; ///< kept, so that a call allocates no memory
};

/// A shared object loaded from memory, while this lives.
class SharedObject {
public:
  static Result<std::shared_ptr<SharedObject>> load(const std::string &bytes);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  Result<HostCode::Entry> find(const std::string &symbol) const;

private:
  explicit SharedObject(void *handle) : handle(handle) {}
  void *handle;
};

} // namespace lci

#endif // LCI_RUNTIME_HOSTCODE_H
