//===- InterpretedCode.cpp - Ticks on tensors as code ---------------------===//
//
// Moves the contents of slots to the interpreter's tensors and back, bit by bit: a slot of a tensor
// has no halo, and its elements lie one behind the other. Cells that are vectors lie at powers of
// two, so they go through arrays.
//
//===----------------------------------------------------------------------===//

#include "InterpretedCode.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Interpreter/TickForm.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;

static Tensor toTensor(const Slot &slot) {
  Tensor tensor(slot.shape());
  auto width = static_cast<size_t>(::lci::byteWidth(slot.kind));
  const char *from = static_cast<const char *>(slot.data());
  Array vectors = slot.components ? slot.read() : Array();
  if (slot.components)
    from = reinterpret_cast<const char *>(vectors.bytes().data());
  for (auto [number, element] : llvm::enumerate(tensor.elements))
    std::memcpy(&element, from + number * width, width);
  return tensor;
}

static Datum toDatum(const Slot &slot, Type type) {
  return slot.isArray ? Datum::array(toTensor(slot))
                      : Datum{truncate(slot.bits(), getWidth(type)), nullptr};
}

static ::lci::Status store(const Tensor &tensor, Slot &slot) {
  auto width = static_cast<size_t>(::lci::byteWidth(slot.kind));
  if (slot.components) {
    Array vectors(::lci::DType::F32, slot.shape());
    for (auto [number, element] : llvm::enumerate(tensor.elements))
      std::memcpy(vectors.bytes().data() + number * width, &element, width);
    return slot.write(vectors);
  }
  for (auto [number, element] : llvm::enumerate(tensor.elements))
    std::memcpy(static_cast<char *>(slot.data()) + number * width, &element, width);
  return ::lci::Done();
}

/// The slot of each result: those with a role are behind the arguments; of the others the last one
/// replaces the counters, if the function counts, and those before it the states in order.
static std::vector<Slot *> slotsOfResults(func::FuncOp function, std::vector<Slot> &slots) {
  auto ofRole = [&](Role role) {
    std::vector<Slot *> found;
    for (unsigned number = 0; number < function.getNumArguments(); ++number)
      if (slots[number].role == role)
        found.push_back(&slots[number]);
    return found;
  };
  std::vector<Slot *> states = ofRole(Role::State), counts = ofRole(Role::Counts), found;
  size_t nextState = 0, nextNew = function.getNumArguments();
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    if (roleIn(function.getResultAttrDict(number)) != Role::None)
      found.push_back(&slots[nextNew++]);
    else if (number + 1 == function.getNumResults() && !counts.empty())
      found.push_back(counts.front());
    else
      found.push_back(nextState < states.size() ? states[nextState++] : nullptr);
  return found;
}

/// Interprets; the first error is the reason of a failure.
static ::lci::Result<SmallVector<Datum>> interpret(func::FuncOp function,
                                                   ArrayRef<Datum> arguments) {
  std::string reason;
  ScopedDiagnosticHandler listen(function.getContext(), [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
  });
  FailureOr<SmallVector<Datum>> results = interpretTickForm(function, arguments);
  if (failed(results))
    return ::lci::Failure{ErrorId::CannotInterpret, reason};
  return std::move(*results);
}

::lci::Status InterpretedCode::run(std::vector<Slot> &slots) {
  SmallVector<Datum> arguments;
  for (auto [slot, type] : llvm::zip(slots, function.getArgumentTypes()))
    arguments.push_back(toDatum(slot, type));
  ::lci::Result<SmallVector<Datum>> results = interpret(function, arguments);
  if (!results)
    return results.failure();
  for (auto [result, slot] : llvm::zip_equal(*results, slotsOfResults(function, slots)))
    if (slot && result.tensor)
      if (::lci::Status stored = store(*result.tensor, *slot); !stored)
        return stored;
  return ::lci::Done();
}
