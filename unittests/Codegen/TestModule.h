//===- TestModule.h - Modules compiled for a machine ------------*- C++ -*-===//
//
// A fixture that parses LLVM IR and runs a rewrite of code generation for a machine.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_CODEGEN_TESTMODULE_H
#define LCI_UNITTESTS_CODEGEN_TESTMODULE_H

#include "TestMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

/// Functions that code generation rewrites for a machine.
class ModuleTest : public testing::Test {
protected:
  /// The number of them that were rewritten for a machine of that name.
  unsigned rewriteFor(llvm::StringRef cpu, llvm::StringRef text,
                      unsigned (*rewrite)(llvm::Module &, const llvm::TargetMachine &)) {
    std::unique_ptr<llvm::TargetMachine> machine = makeMachine(cpu);
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(text, error, context);
    EXPECT_TRUE(machine && module);
    unsigned count = machine && module ? rewrite(*module, *machine) : 0;
    EXPECT_FALSE(!module || llvm::verifyModule(*module, &llvm::errs()));
    return count;
  }

  /// The number of calls of an intrinsic in a function.
  unsigned countCalls(llvm::StringRef name, llvm::Intrinsic::ID intrinsic) {
    return llvm::count_if(module->getFunction(name)->getEntryBlock(), [&](llvm::Instruction &op) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&op);
      return call && call->getIntrinsicID() == intrinsic;
    });
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

#endif // LCI_UNITTESTS_CODEGEN_TESTMODULE_H
