//===- TestMachine.h - Machines to compile for ------------------*- C++ -*-===//

#ifndef LCI_UNITTESTS_CODEGEN_TESTMACHINE_H
#define LCI_UNITTESTS_CODEGEN_TESTMACHINE_H

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

/// A machine of that name; null if LLVM was built without its target.
inline std::unique_ptr<llvm::TargetMachine>
makeMachine(llvm::StringRef cpu, llvm::StringRef platform = "x86_64-unknown-linux-gnu") {
  using namespace llvm;
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  Triple triple(platform);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<TargetMachine>(
      target ? target->createTargetMachine(triple, cpu, "", TargetOptions(), Reloc::PIC_)
             : nullptr);
}

#endif // LCI_UNITTESTS_CODEGEN_TESTMACHINE_H
