//===- Calls.cpp - Calls from C: messages and failures --------------------===//
//
// A callback belongs to a thread, not to a context: a program has a context of its own, which
// callers never see, and threads of a pass manager report to the thread that called it.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Version.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <new>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::capi;

namespace {
/// The callback of a thread, and its last error.
struct Caller {
  LciDiagnosticCallback callback = nullptr;
  void *userData = nullptr;
  std::string error;
  std::string cause; ///< the last failure since a success that is not about a null
};
} // namespace

static thread_local Caller caller;

void lciSetDiagnosticCallback(LciDiagnosticCallback callback, void *userData) {
  caller.callback = callback;
  caller.userData = userData;
}

const char *lciGetError(void) { return caller.error.c_str(); }

const char *lciGetVersion(void) { return LCI_VERSION_STRING; }

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static LciSeverity toC(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return LciError;
  case DiagnosticSeverity::Warning:
    return LciWarning;
  case DiagnosticSeverity::Remark:
    return LciRemark;
  case DiagnosticSeverity::Note:
    return LciNote;
  }
  llvm_unreachable("a severity without a name");
}

Messages::Messages(MLIRContext *context) : callback(caller.callback), userData(caller.userData) {
  if (context)
    handler.emplace(context, [this](Diagnostic &diagnostic) { tell(diagnostic); });
}

/// A message as tools print it: its place, if it has one, the sentence and its kind.
static std::string lineOf(const LciDiagnostic &message) {
  static constexpr const char *names[] = {"error", "warning", "remark", "note"};
  std::string line = message.file;
  if (message.line)
    line += ":" + std::to_string(message.line) + ":" + std::to_string(message.column);
  if (!line.empty())
    line += ": ";
  line += names[message.severity] + (": " + std::string(message.message));
  return *message.id ? line + " [" + message.id + "]" : line;
}

void Messages::tell(const LciDiagnostic &message) {
  if (message.severity != LciRemark) // proofs are no reason of a failure
    text += (text.empty() ? "" : "\n") + lineOf(message);
  if (callback)
    callback(&message, userData);
}

void Messages::tell(Diagnostic &diagnostic) {
  std::string sentence = diagnostic.str(), id, file;
  if (std::optional<ErrorId> kind = getErrorId(diagnostic))
    id = lmpm::textOf(*kind);
  unsigned line = 0, column = 0;
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    file = place.getFilename().str();
    line = place.getLine();
    column = place.getColumn();
  }
  tell({toC(diagnostic.getSeverity()), sentence.c_str(), id.c_str(), file.c_str(), line, column});
  for (Diagnostic &note : diagnostic.getNotes())
    tell(note);
}

LogicalResult Messages::fail(const ::lci::Failure &failure) {
  std::string id(lmpm::textOf(failure.id));
  tell({LciError, failure.message.c_str(), id.c_str(), "", 0, 0});
  return mlir::failure();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Exceptions of the standard library, for want of memory or threads, end here.
static LogicalResult attempt(Messages &messages, Work work) {
  try {
    return work(messages);
  } catch (const std::bad_alloc &) {
    return messages.fail({ErrorId::NoMemory, "there is no memory left for what was asked"});
  } catch (const std::exception &error) {
    return messages.fail(
        {ErrorId::WrongMachine, std::string("cannot do what was asked: ") + error.what()});
  }
}

/// Keeps why a call failed; empty if it did not. A null is often the result of a call that failed.
static void keep(const std::string &error) {
  caller.error = error;
  if (!StringRef(error).contains(", but got null"))
    caller.cause = error;
  else if (!caller.cause.empty())
    caller.error += "\nnote: an earlier call failed: " + caller.cause;
}

LogicalResult mlir::lci::capi::call(MLIRContext *context, Work work) {
  Messages messages(context);
  LogicalResult done = attempt(messages, work);
  if (failed(done) && messages.getText().empty())
    (void)messages.fail({ErrorId::CannotCompile, "it failed, and nothing said why"});
  keep(failed(done) ? messages.getText() : "");
  return done;
}
