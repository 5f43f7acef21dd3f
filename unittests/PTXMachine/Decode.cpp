//===- Decode.cpp - Decoding of instructions ------------------------------===//

#include "Operations.h"

using namespace lci::ptx;

/// The state space of an instruction.
static Space findSpace(const Instruction &i) {
  return i.has("global")   ? Space::Global
         : i.has("shared") ? Space::Shared
         : i.has("local")  ? Space::Local
         : i.has("param")  ? Space::Parameters
                           : Space::Generic;
}

bool lci::ptx::decode(Instruction &i) {
  const std::string &name = i.words[0];
  i.space = findSpace(i);
  i.flow = name == "bra" || i.name == "brx.idx" ? Flow::Branch
           : name == "ret" || name == "exit"    ? Flow::End
                                                : Flow::Next;
  if (i.name == "bar.sync" || i.name == "bar.red.popc.u32")
    i.flow = Flow::Barrier;
  if (i.flow != Flow::Next)
    return true;
  if ((i.step = findTogether(i))) {
    i.flow = Flow::Together;
    return true;
  }
  // Instructions computed thread by thread write one register.
  bool isOne = !i.operands.empty() && i.operands[0].form == Operand::Register;
  bool isMove = name == "mov" && !i.operands.empty() && i.operands[0].form == Operand::Vector;
  if (isOne || isMove)
    for (auto find : {findArithmetic, findBits, findConversion})
      if ((i.step = find(i)))
        return true;
  return (i.step = findAccess(i)) != nullptr;
}
