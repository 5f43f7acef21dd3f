//===- Machine.cpp - The machine that code is generated for ---------------===//

#include "LCI/Codegen/Machine.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

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

/// A hint at the known processor with the nearest name; names that only tune are valid too.
static std::string nearestProcessor(const MCSubtargetInfo &target, StringRef cpu) {
  StringRef nearest;
  unsigned least = std::max<unsigned>(3, cpu.size() / 3) + 1;
  for (const SubtargetSubTypeKV &processor : target.getAllProcessorDescriptions())
    if (unsigned distance = cpu.edit_distance(processor.Key); distance < least) {
      nearest = processor.Key;
      least = distance;
    }
  return nearest.empty() ? "" : (", did you mean '" + nearest + "'?").str();
}

Expected<std::unique_ptr<TargetMachine>> lci::makeMachine(const MachineName &name,
                                                          CodeGenOptLevel level) {
  if (name.triple.empty() && name.cpu.empty())
    return makeHostMachine(level);
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  Triple triple(name.triple.empty() ? sys::getProcessTriple() : Triple::normalize(name.triple));
  std::string reason;
  const Target *target = TargetRegistry::lookupTarget(triple, reason);
  if (!target || !target->hasMCAsmBackend())
    return createStringError("expected a system such as 'x86_64-linux-gnu' or "
                             "'aarch64-linux-gnu', but got '" +
                             name.triple + "'");
  std::unique_ptr<MCSubtargetInfo> processors(target->createMCSubtargetInfo(triple, "", ""));
  if (!name.cpu.empty() && !processors->isCPUStringValid(name.cpu))
    return createStringError("expected a processor of " + triple.getArchName() + ", but got '" +
                             name.cpu + "'" + nearestProcessor(*processors, name.cpu));
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, name.cpu, "", TargetOptions(), Reloc::PIC_, std::nullopt, level));
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
