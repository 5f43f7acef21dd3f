//===- SharedObject.cpp - Machine code as files ---------------------------===//

#include "LCI/Codegen/SharedObject.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

void lci::addEntry(Function &function, StringRef name) {
  LLVMContext &context = function.getContext();
  auto *pointer = PointerType::getUnqual(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer}, /*isVarArg=*/false);
  Function *entry =
      Function::Create(type, GlobalValue::ExternalLinkage, name, *function.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args()) {
    Value *place = builder.CreateConstGEP1_64(pointer, entry->getArg(0), argument.getArgNo());
    Value *address = builder.CreateLoad(pointer, place);
    arguments.push_back(builder.CreateLoad(argument.getType(), address));
  }
  builder.CreateCall(&function, arguments);
  builder.CreateRetVoid();
}

std::string lci::objectOf(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager manager;
  if (machine.addPassesToEmitFile(manager, stream, nullptr, CodeGenFileType::ObjectFile))
    report_fatal_error("machines that can be named have object files");
  manager.run(module);
  return std::string(bytes.begin(), bytes.end());
}

/// The linker that this project is built with, or another one.
static ErrorOr<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld"})
    if (ErrorOr<std::string> found = sys::findProgramByName(name))
      return found;
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

static Error linkFiles(StringRef linker, StringRef from, StringRef to) {
  StringRef arguments[] = {linker, "-shared", "--strip-all", "-o", to, from};
  if (sys::ExecuteAndWait(linker, arguments) == 0)
    return Error::success();
  return createStringError("the linker '" + linker + "' failed");
}

static std::error_code writeTo(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream file(path, error);
  file << bytes;
  file.close();
  if (file.has_error())
    error = file.error();
  file.clear_error();
  return error;
}

Expected<std::string> lci::linkShared(StringRef object) {
  ErrorOr<std::string> linker = findLinker();
  if (!linker)
    return createStringError("expected a linker (ld.lld or ld) on PATH to make a shared object");
  SmallString<64> from, to;
  std::error_code error = sys::fs::createTemporaryFile("lci", "o", from);
  scope_exit removeFrom([&] { sys::fs::remove(from); });
  if (!error)
    error = sys::fs::createTemporaryFile("lci", "so", to);
  scope_exit removeTo([&] { sys::fs::remove(to); });
  if (!error)
    error = writeTo(from, object);
  if (error)
    return createStringError("cannot write files for the linker: " + error.message());
  if (Error failed = linkFiles(*linker, from, to))
    return std::move(failed);
  auto linked = MemoryBuffer::getFile(to, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return linked ? Expected<std::string>((*linked)->getBuffer().str())
                : Expected<std::string>(errorCodeToError(linked.getError()));
}
