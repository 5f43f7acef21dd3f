//===- Machine.cpp - The machine that code is made for --------------------===//

#include "LCI/Codegen/Machine.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

Expected<std::unique_ptr<TargetMachine>> lci::makeHostMachine(CodeGenOptLevel level) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setRelocationModel(Reloc::PIC_);
  builder->setCodeGenOptLevel(level);
  return builder->createTargetMachine();
}

lci::VectorUnit lci::vectorUnitOf(const TargetMachine &machine) {
  const MCSubtargetInfo &features = *machine.getMCSubtargetInfo();
  const Triple &triple = machine.getTargetTriple();
  if (triple.isAArch64())
    return {128, 32};
  if (triple.isX86() && features.checkFeatures("+avx512f,+avx512bw,+avx512dq,+avx512vl"))
    return {512, 32};
  if (triple.isX86() && features.checkFeatures("+avx2"))
    return {256, 16};
  return {128, 16};
}
