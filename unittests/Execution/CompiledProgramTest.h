//===- CompiledProgramTest.h - Hand-written ticks, compiled -----*- C++ -*-===//
//
// A fixture that compiles functions of ticks given as text, and templates for such functions.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_EXECUTION_COMPILEDPROGRAMTEST_H
#define LCI_UNITTESTS_EXECUTION_COMPILEDPROGRAMTEST_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Execution/Compile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

namespace mlir::lci {

class CompiledProgramTest : public testing::Test {
protected:
  CompiledProgramTest() {
    context.loadDialect<LCIDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
  }

  /// Compiles a function of one value with the given body of its epoch loop.
  std::unique_ptr<CompiledProgram> compile(const std::string &text,
                                           const CpuOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return nullptr;
    auto program = compileForCpu(*module, options);
    return succeeded(program) ? std::move(*program) : nullptr;
  }

  ::lci::Array randomTokens(std::vector<int64_t> shape, int64_t vocabulary) {
    ::lci::Array array(::lci::DType::I8, std::move(shape));
    for (int64_t i = 0; i < array.size(); ++i)
      array.setInt(i, static_cast<int64_t>(random() % vocabulary));
    return array;
  }

  MLIRContext context;
  std::mt19937_64 random{11};
};

inline std::string replaceAll(std::string text, const std::string &what, const std::string &with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// `run` over epochs of one tick on @A, with this body and domain.
inline std::string oneValue(const std::string &type, const std::string &domain,
                            const std::string &body,
                            const std::string &vocabulary = ", lci.vocabulary = 2 : i64") {
  std::string text = R"(
#wrap = #lci.boundary<wrap>
#clamp = #lci.boundary<clamp>
func.func @run(%A: TYPE {lci.role = "state", lci.name = "A"VOCABULARY},
               %first: i64 {lci.role = "first"}, %last: i64 {lci.role = "last"},
               %seed: i64 {lci.role = "seed"}, %counts: tensor<1xi64> {lci.role = "counts"})
    -> (TYPE {lci.role = "state", lci.name = "A"VOCABULARY}, tensor<1xi64>) attributes {lci.counters = ["A.changed"]} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %e = %first to %last step %one iter_args(%s = %A, %k = %counts)
      -> (TYPE, tensor<1xi64>) : i64 {
    DOMAIN
  }
  return %r#0, %r#1 : TYPE, tensor<1xi64>
})";
  text = replaceAll(text, "DOMAIN", domain);
  text = replaceAll(text, "BODY", body);
  text = replaceAll(text, "VOCABULARY", vocabulary);
  return replaceAll(text, "TYPE", type);
}

inline const char *const kWholeTick = R"(
    %n:2 = lci.tick @A at %e, %zero, %seed inputs(%s : TYPE) target(%s : TYPE)
        counts(%k : tensor<1xi64>) class_stride 1 {
    BODY
    } -> TYPE, tensor<1xi64>
    scf.yield %n#0, %n#1 : TYPE, tensor<1xi64>)";

inline std::string window(const std::string &name, int dx, int dy, const std::string &border) {
  return replaceAll("%" + name + " = lci.load %in[affine_map<(x, y) -> (x + " + std::to_string(dx) +
                        ", y + " + std::to_string(dy) + ")>](%x, %y) [BB, BB] : TYPE -> ELEMENT\n",
                    "BB", "#lci.boundary<" + border + ">");
}

} // namespace mlir::lci

#endif // LCI_UNITTESTS_EXECUTION_COMPILEDPROGRAMTEST_H
