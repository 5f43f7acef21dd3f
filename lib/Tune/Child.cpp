//===- Child.cpp - The process that runs candidates -----------------------===//
//
// Each candidate is compiled when it is run first, in a context of its own. A run begins with the
// initial state, so that all candidates do the same work.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "LCI/Execution/Compile.h"
#include "LCI/InitAllDialects.h"
#include "LCI/Runtime/Digest.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include <chrono>
#include <csignal>
#include <map>
#include <poll.h>
#include <unistd.h>

using namespace lci;
using mlir::lci::BackendKind;
using mlir::lci::Compilation;
using mlir::lci::LiveRun;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether there is something to read, within so many seconds.
static bool waitFor(int file, double seconds) {
  pollfd waiting{file, POLLIN, 0};
  Clock::time_point start = Clock::now();
  for (double left = seconds; left > 0; left = seconds - secondsSince(start)) {
    int ready = poll(&waiting, 1, static_cast<int>(left * 1000) + 1);
    if (ready != -1 || errno != EINTR)
      return ready > 0;
  }
  return false;
}

bool lci::readAll(int file, void *bytes, size_t size, double seconds) {
  for (auto *next = static_cast<char *>(bytes); size > 0;) {
    if (seconds > 0 && !waitFor(file, seconds))
      return false;
    ssize_t got = read(file, next, size);
    if (got <= 0 && errno != EINTR)
      return false;
    if (got > 0) {
      next += got;
      size -= got;
    }
  }
  return true;
}

bool lci::writeAll(int file, const void *bytes, size_t size) {
  for (const auto *next = static_cast<const char *>(bytes); size > 0;) {
    ssize_t put = write(file, next, size);
    if (put <= 0 && errno != EINTR)
      return false;
    if (put > 0) {
      next += put;
      size -= put;
    }
  }
  return true;
}

namespace {
/// A compiled candidate with its module.
struct Compiled {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<Compilation> compilation;
};

class Server {
public:
  Server(const Subject &subject, const std::vector<std::string> &schedules)
      : subject(subject), schedules(schedules) {}

  Result<Sample> run(const Request &request);

private:
  Result<Compiled *> compile(uint64_t candidate);

  const Subject &subject;
  const std::vector<std::string> &schedules;
  std::map<uint64_t, Compiled> compiled;
};
} // namespace

/// The first error of a context.
static mlir::ScopedDiagnosticHandler keepErrors(mlir::MLIRContext *context, std::string &reason) {
  return {context, [&](mlir::Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && reason.empty())
              reason = diagnostic.str();
          }};
}

Result<Compiled *> Server::compile(uint64_t candidate) {
  if (auto found = compiled.find(candidate); found != compiled.end())
    return &found->second;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  Compiled made;
  made.context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::lci::prepareContext(*made.context);
  std::string reason;
  auto keep = keepErrors(made.context.get(), reason);
  made.module = mlir::parseSourceString<mlir::ModuleOp>(
      subject.module, mlir::ParserConfig(made.context.get(), /*verifyAfterParse=*/false));
  mlir::lci::RunOptions options = subject.options;
  if (candidate == kInterpreter)
    options.backend = BackendKind::Interpreter;
  else
    options.scheduleText = schedules[candidate];
  mlir::FailureOr<std::shared_ptr<Compilation>> compilation;
  if (made.module)
    compilation = Compilation::create(*made.module, subject.bindings, options);
  if (failed(compilation))
    return Failure{ErrorId::CannotCompile, reason};
  made.compilation = std::move(*compilation);
  return &(compiled[candidate] = std::move(made));
}

/// Of all values.
static Result<std::string> digestOfValues(LiveRun &run, const Compilation &compilation) {
  Hasher hasher;
  for (const mlir::lci::ValueInfo &value : compilation.getValues()) {
    mlir::FailureOr<Array> cells = run.value(value.name);
    if (failed(cells))
      return Failure{ErrorId::CannotCompile, value.name};
    hasher.add(value.name).add(cells->bytes().data(), cells->bytes().size());
  }
  return hexText(hasher.finish());
}

Result<Sample> Server::run(const Request &request) {
  Result<Compiled *> made = compile(request.candidate);
  if (!made)
    return made.failure();
  std::string reason;
  auto keep = keepErrors((*made)->context.get(), reason);
  auto fail = [&] { return Failure{ErrorId::CannotCompile, reason}; };
  mlir::FailureOr<std::shared_ptr<LiveRun>> run =
      LiveRun::start((*made)->compilation, subject.inputs);
  if (failed(run))
    return fail();
  LoopOptions loop;
  loop.epochs = request.epochs;
  Clock::time_point start = Clock::now();
  if (failed((*run)->advance(loop)))
    return fail();
  Sample sample{secondsSince(start), ""};
  if (request.wantsDigest) {
    Result<std::string> digest = digestOfValues(**run, *(*made)->compilation);
    if (!digest)
      return digest.failure();
    sample.digest = *digest;
  }
  return sample;
}

void lci::serve(const Subject &subject, const std::vector<std::string> &schedules, int requests,
                int replies) {
  std::signal(SIGINT, SIG_IGN); // the search decides when it ends
  Server server(subject, schedules);
  for (Request request; readAll(requests, &request, sizeof request);) {
    Result<Sample> sample = server.run(request);
    const std::string &text = sample ? sample->digest : sample.error();
    Reply reply{sample ? 1U : 0U, sample ? sample->seconds : 0, text.size()};
    if (!writeAll(replies, &reply, sizeof reply) || !writeAll(replies, text.data(), text.size()))
      break;
  }
  _exit(0);
}
