//===- Core.h - Contexts, modules and errors of the package -----*- C++ -*-===//
//
// What all rooms of the extension module share: who owns a context and a
// module, and how what MLIR says becomes an exception of Python.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_CORE_H
#define LMPM_PYTHON_CORE_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Runtime/Result.h"
#include "Process.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>

namespace lmpm::python {

/// A context with every dialect of the ladder, and the texts that were read in it, which messages
/// show. Everything that is made in it keeps it alive.
class Context {
public:
  static std::shared_ptr<Context> create();
  /// The same over a context that another library of this process made; `owns` if it goes with
  /// this.
  static std::shared_ptr<Context> adopt(mlir::MLIRContext &foreign, bool owns);
  /// Has the context of another library go with this from now on.
  void own() { owned.reset(&mlir); }
  bool isOwned() const { return owned != nullptr; }

  /// Adds a text that messages may point into, such as a notebook's cell.
  unsigned addSource(llvm::StringRef text, llvm::StringRef name);

private:
  explicit Context(mlir::MLIRContext &context);

  /// Null where somebody else owns it. Declared first: it goes last.
  std::unique_ptr<mlir::MLIRContext> owned;

public:
  mlir::MLIRContext &mlir;
  llvm::SourceMgr sources;

private:
  /// Not those of a context that somebody else owns.
  std::optional<SharedThreads> threads;
};

class Handles;

/// Who is at work on a module; what others may do follows from it.
enum class Work { None, Passes, Patterns };

/// A module, and the context that it lives in.
struct Module {
  Module(std::shared_ptr<Context> context, mlir::OwningOpRef<mlir::ModuleOp> op);
  ~Module();

  /// Reads text of the language (a name that ends in `.lmpm`), or IR as text or bytecode.
  static std::shared_ptr<Module> parse(std::shared_ptr<Context> context, llvm::StringRef text,
                                       llvm::StringRef name);
  /// Writes what verifies: upstream's writer trusts that every operation has what it needs.
  llvm::LogicalResult writeBytecode(llvm::raw_ostream &os) const;
  /// The same module in a context of its own, with the texts that messages show.
  std::shared_ptr<Module> isolate() const;
  /// The one program in it.
  mlir::lci::ProgramOp findProgram();

  std::shared_ptr<Context> context; // declared first: it goes last
  mlir::OwningOpRef<mlir::ModuleOp> op;
  /// What Python holds of it.
  std::unique_ptr<Handles> handles;
  Work work = Work::None;
};

/// One message, as `lmpm.Diagnostic` has it.
struct DiagnosticRecord {
  std::string severity, message, id, file;
  unsigned line = 0, column = 0;
  /// As a tool prints it: the place, the message, the line and a caret.
  std::string picture;
  std::vector<DiagnosticRecord> notes;
};

/// Becomes `lmpm.Error`; the first error among the messages is what it says.
class DiagnosticError : public std::exception {
public:
  explicit DiagnosticError(std::vector<DiagnosticRecord> diagnostics)
      : diagnostics(std::move(diagnostics)) {}
  const char *what() const noexcept override { return "an error with diagnostics"; }

  std::vector<DiagnosticRecord> diagnostics;
};

/// What a message says where it names flags of the tools: the arguments that Python has for them.
std::string inPython(llvm::StringRef message);

/// Throws an error that has no place.
[[noreturn]] void raise(ErrorId id, std::string message);
[[noreturn]] void raise(const ::lci::Failure &failure);
/// Throws an error at a place of a file: what traces Python says it at its line. `context` knows
/// the text, if it was added.
[[noreturn]] void raiseAt(Context &context, ErrorId id, const std::string &message,
                          llvm::StringRef file, unsigned line, unsigned column,
                          const std::string &hint = "");

/// The value of a result, or its failure as an exception.
template <typename T>
T valueOrRaise(::lci::Result<T> result) {
  if (!result)
    raise(result.failure());
  return std::move(*result);
}

/// Where a collector has its pictures drawn.
struct PictureStream {
  std::string text;
  llvm::raw_string_ostream stream{text};
};

/// Collects what a context says while it lives.
class Collector : PictureStream, mlir::SourceMgrDiagnosticHandler {
public:
  explicit Collector(Context &context);
  ~Collector();

  /// The kind of mistake where MLIR's own messages have none; by default it follows from their
  /// words.
  std::optional<ErrorId> unnamed;

  /// Throws what was said, if something failed.
  void check(llvm::LogicalResult result);
  [[noreturn]] void raise();
  /// What was said so far.
  const std::vector<DiagnosticRecord> &diagnostics() const { return records; }

private:
  DiagnosticRecord recordOf(mlir::Diagnostic &diagnostic);

  std::vector<DiagnosticRecord> records;
  /// Who drew the context's pictures before.
  llvm::SourceMgr::DiagHandlerTy outer;
  void *outerStream;
};

} // namespace lmpm::python

#endif // LMPM_PYTHON_CORE_H
