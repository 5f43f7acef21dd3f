//===- IntegerCases.cpp - Integer operations with edge-case operands ------===//

#include "IntegerCases.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::test;

/// `lci.floordiv %a, %b : T` of 64 bits becomes a function of its operands.
static std::string makeText(const std::string &text, unsigned width) {
  std::string type = "i" + std::to_string(width), body = text;
  for (size_t at = body.find('T'); at != std::string::npos; at = body.find('T'))
    body.replace(at, 1, type);
  std::string arguments;
  for (std::string name : {"%a", "%b", "%t"})
    if (text.find(name) != std::string::npos)
      arguments += (arguments.empty() ? "" : ", ") + name + ": " + (name == "%t" ? "i1" : type);
  return "func.func @f(" + arguments + ") {\n  " + body + "\n  return\n}\n";
}

IntegerCase::IntegerCase(MLIRContext &context, const std::string &text, unsigned width)
    : module(parseSourceString<ModuleOp>(makeText(text, width), &context)) {
  if (module)
    operation = &(*module->getOps<func::FuncOp>().begin()).getBody().front().front();
}

OwningOpRef<ModuleOp> IntegerCase::cloneWithResults() const {
  OwningOpRef<ModuleOp> copy(function()->getParentOfType<ModuleOp>().clone());
  func::FuncOp made = *copy->getOps<func::FuncOp>().begin();
  Block &block = made.getBody().front();
  block.getTerminator()->setOperands(block.front().getResults());
  made.setType(FunctionType::get(copy->getContext(), made.getArgumentTypes(),
                                 block.getTerminator()->getOperandTypes()));
  return copy;
}

SmallVector<unsigned> IntegerCase::widths() const {
  return llvm::map_to_vector(function().getArgumentTypes(), getWidth);
}

SmallVector<unsigned> IntegerCase::places() const {
  return llvm::map_to_vector(operation->getOperands(), [](Value operand) {
    return cast<BlockArgument>(operand).getArgNumber();
  });
}

SmallVector<uint64_t> IntegerCase::evaluate(ArrayRef<uint64_t> arguments) {
  for (auto [value, bits] : llvm::zip_equal(function().getArguments(), arguments))
    evaluator.set(value, Datum{bits, nullptr});
  evaluator.evaluate(*operation);
  return llvm::map_to_vector(operation->getResults(),
                             [&](Value result) { return evaluator.get(result).bits; });
}

bool IntegerCase::isDefined(ArrayRef<uint64_t> arguments) const {
  if (arguments.empty())
    return true;
  unsigned width = widths().back();
  auto x = llvm::map_to_vector(places(), [&](unsigned place) { return arguments[place]; });
  uint64_t all = llvm::maxUIntN(width), least = uint64_t(1) << (width - 1);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(operation))
    return x[1] < width;
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(operation))
    return x[1] != 0 && !(x[0] == least && x[1] == all);
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(operation))
    return x[1] != 0;
  if (isa<PhiloxOp>(operation)) // words
    return llvm::all_of(x, [](uint64_t word) { return word >> 32 == 0; });
  return true;
}

const std::map<std::string, std::vector<std::string>> &mlir::lci::test::integerOperations() {
  static std::map<std::string, std::vector<std::string>> known;
  if (!known.empty())
    return known;
  for (std::string name :
       {"addi",      "subi",  "muli",  "divsi", "divui", "floordivsi", "ceildivsi",
        "ceildivui", "remsi", "remui", "andi",  "ori",   "xori",       "shli",
        "shrsi",     "shrui", "minsi", "maxsi", "minui", "maxui"})
    known["arith." + name] = {"%r = arith." + name + " %a, %b : T",
                              "%r = arith." + name + " %a, %a : T"};
  for (std::string predicate :
       {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}) {
    known["arith.cmpi"].push_back("%r = arith.cmpi " + predicate + ", %a, %b : T");
    known["arith.cmpi"].push_back("%r = arith.cmpi " + predicate + ", %a, %a : T");
  }
  known["arith.select"] = {"%r = arith.select %t, %a, %b : T", "%r = arith.select %t, %a, %a : T"};
  known["arith.constant"] = {"%r = arith.constant -1 : T", "%r = arith.constant 0 : T"};
  for (std::string name : {"extsi", "extui"})
    known["arith." + name] = {"%r = arith." + name + " %a : T to i64"};
  known["arith.trunci"] = {"%r = arith.trunci %a : T to i1", "%r = arith.trunci %a : T to i5"};
  for (std::string name : {"index_cast", "index_castui"})
    known["arith." + name] = {"%r = arith." + name + " %a : T to index"};
  for (std::string name : {"floordiv", "floormod"})
    known["lci." + name] = {"%r = lci." + name + " %a, %b : T", "%r = lci." + name + " %a, %a : T"};
  known["lci.threshold"] = {}; // of a number: its range is fixed
  known["lci.philox"] = {"%r:4 = lci.philox %a, %b, %a, %b key %b, %a : T"};
  return known;
}

void mlir::lci::test::forEachCase(MLIRContext &context,
                                  llvm::function_ref<void(IntegerCase &)> visit) {
  // Most operations lack some widths.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  for (const auto &[name, texts] : integerOperations())
    for (const std::string &text : texts) {
      bool isFound = false;
      for (unsigned width : {1, 8, 32, 64}) {
        IntegerCase each(context, text, width);
        isFound |= each.op() != nullptr;
        if (each.op())
          visit(each);
      }
      EXPECT_TRUE(isFound) << text;
    }
}

std::vector<uint64_t> mlir::lci::test::edgesOf(unsigned width) {
  uint64_t all = llvm::maxUIntN(width), least = uint64_t(1) << (width - 1);
  std::set<uint64_t> edges;
  for (uint64_t edge : {least, least + 1, -uint64_t(3), -uint64_t(1), uint64_t(0), uint64_t(1),
                        uint64_t(2), uint64_t(5), uint64_t(width - 1), least - 2, least - 1})
    edges.insert(edge & all);
  return {edges.begin(), edges.end()};
}
