//===- SharedObject.cpp - Machine code as files ---------------------------===//

#include "LCI/Codegen/SharedObject.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
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
