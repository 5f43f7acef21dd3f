//===- Testing.h - Programs for tests of the interpreter --------*- C++ -*-===//
//
// A fixture that interprets programs given as text of the language or as IR.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_INTERPRETER_TESTING_H
#define LCI_UNITTESTS_INTERPRETER_TESTING_H

#include "LCI/Interpreter/Interpreter.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "LCI/Transforms/Program/Bind.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::lci {

/// A bound program and its interpreter, from text of the language or from IR.
class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() {
    context.loadDialect<LCIDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  /// Imports a program of the language and binds its sizes.
  void readText(const std::string &text, std::map<std::string, int64_t> sizes = {}) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "test.lmpm"),
                               llvm::SMLoc());
    module = importLMPM(sources, &context);
    ASSERT_TRUE(module) << text;
    BindOptions options;
    for (const auto &[name, size] : sizes)
      options.sizes[name] = size;
    ASSERT_TRUE(succeeded(bindProgram(getProgram(), options))) << text;
    start();
  }

  /// Parses a bound program as IR.
  void readIR(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    start();
  }

  void start() {
    auto made = Interpreter::create(getProgram());
    ASSERT_TRUE(succeeded(made));
    interpreter = std::move(*made);
    restart();
  }

  /// Restarts with the current environment.
  void restart() {
    ASSERT_TRUE(succeeded(interpreter->setEnvironment(environment)));
    ASSERT_TRUE(succeeded(interpreter->initialise()));
  }

  ProgramOp getProgram() { return *module->getOps<ProgramOp>().begin(); }

  void set(const std::string &name, std::vector<int64_t> shape, std::vector<int64_t> elements) {
    ASSERT_TRUE(succeeded(interpreter->setValue(name, integers(shape, elements))));
  }

  void run(int64_t first, int64_t last) {
    for (int64_t epoch = first; epoch < last; ++epoch)
      ASSERT_TRUE(succeeded(interpreter->runEpoch(epoch)));
  }

  std::vector<int64_t> get(const std::string &name) {
    return toVector(interpreter->getValue(name));
  }
  std::vector<int64_t> stamps(const std::string &name) {
    return toVector(interpreter->getRecords(name).stamps);
  }
  float number(const std::string &name, int64_t cell = 0) {
    return static_cast<float>(interpreter->getValue(name).doubleAt(cell));
  }

  static std::vector<int64_t> toVector(const ::lci::Array &array) {
    std::vector<int64_t> elements;
    for (int64_t i = 0; i < array.size(); ++i)
      elements.push_back(array.intAt(i));
    return elements;
  }
  static ::lci::Array integers(std::vector<int64_t> shape, std::vector<int64_t> elements) {
    ::lci::Array array(::lci::DType::I64, std::move(shape));
    std::copy(elements.begin(), elements.end(), array.data<int64_t>());
    return array;
  }
  static ::lci::Array numbers(std::vector<int64_t> shape, std::vector<float> elements) {
    ::lci::Array array(::lci::DType::F32, std::move(shape));
    std::copy(elements.begin(), elements.end(), array.data<float>());
    return array;
  }
  static ::lci::Array mask(std::vector<int64_t> shape, std::vector<int64_t> members) {
    ::lci::Array array(::lci::DType::Bool, std::move(shape));
    for (int64_t member : members)
      array.setInt(member, 1);
    return array;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Environment environment;
  std::unique_ptr<Interpreter> interpreter;
};

} // namespace mlir::lci

#endif // LCI_UNITTESTS_INTERPRETER_TESTING_H
