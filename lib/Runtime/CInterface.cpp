//===- CInterface.cpp - The C interface of bundles ------------------------===//
//
// The functions of lci.h. C callers may pass anything: each function validates all of its arguments
// before it uses any of them, and no exception leaves it. Epochs run in a worker thread for each
// program, whose results tickets collect.
//
//===----------------------------------------------------------------------===//

#include "CPrograms.h"
#include "LCI/Runtime/Checkpoint.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/Tokens.h"
#include <future>

using namespace lci;

namespace {
struct Ticket : OfProcess {
  std::future<Result<int64_t>> changed;
};
} // namespace

static Handles<Ticket> &tickets() {
  static auto *all = new Handles<Ticket>(); // never destroyed, as programs
  return *all;
}

const char *lci_error(void) { return lastError.c_str(); }

/// The type in which BundleProgram::value returns it.
static lci_type typeOf(const SlotForm &form) {
  bool isNumber = form.kind == ElementKind::F32;
  return form.vocabulary ? toCType(tokenType(*form.vocabulary)) : isNumber ? LCI_F32 : LCI_I32;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static Result<lci_program *> handOut(Result<std::unique_ptr<BundleProgram>> program) {
  if (!program)
    return program.failure();
  return reinterpret_cast<lci_program *>(
      programs().add(std::make_shared<Program>(std::move(*program))));
}

lci_program *lci_load(const char *bundle, const char *backend) {
  auto loaded = call([&]() -> Result<lci_program *> {
    if (!bundle)
      return missing("the name of a bundle");
    Result<Bundle> read = readBundle(bundle);
    if (!read)
      return read.failure();
    BundleMachine machine;
    if (backend)
      machine.backend = backend;
    auto opened = BundleProgram::open(std::move(*read), machine);
    if (!opened)
      return Failure{opened.failure().id, "'" + std::string(bundle) + "': " + opened.error()};
    return handOut(std::move(opened));
  });
  return loaded ? *loaded : nullptr;
}

lci_program *lci_add_group(const lci_program *program) {
  auto added = call([&] {
    return withProgram(program, [](Program &of) { return handOut(of.program->another()); });
  });
  return added ? *added : nullptr;
}

void lci_release(lci_program *program) {
  callForStatus([&]() -> Status {
    if (!program)
      return Done{};
    Result<std::shared_ptr<Program>> found = findProgram(program);
    if (!found)
      return found.failure();
    programs().take(reinterpret_cast<uintptr_t>(program));
    (*found)->worker.wait();
    return Done{};
  });
}

/// Calls `work` on a program that has not started and has that name.
template <typename Work>
static int give(lci_program *program, const char *function, const char *name, Work work) {
  return callForStatus([&] {
    return withProgram(program, [&](Program &to) -> Status {
      if (!name)
        return missing("a name");
      if (to.isStarted)
        return wrongCall(std::string("expected ") + function +
                         " before lci_start, since a run under way takes nothing new; a group of "
                         "lci_add_group begins with what it is given");
      return work(*to.program);
    });
  });
}

int lci_set_seed(lci_program *program, uint64_t seed) {
  return give(program, "lci_set_seed", "", [&](BundleProgram &to) -> Status {
    to.setSeed(seed);
    return Done{};
  });
}

int lci_set_parameter(lci_program *program, const char *name, const lci_array *numbers) {
  return give(program, "lci_set_parameter", name, [&](BundleProgram &to) -> Status {
    auto known = to.arguments().params.find(name);
    if (known == to.arguments().params.end())
      return to.setParameter(name, Array()); // which gives the error
    Result<Array> array =
        toArray(numbers, known->second.shape(), std::string("the parameter '") + name + "'");
    return array ? to.setParameter(name, *array) : array.failure();
  });
}

int lci_set_enabled(lci_program *program, const char *name, int on) {
  return give(program, "lci_set_enabled", name, [&](BundleProgram &to) -> Status {
    if (on != 0 && on != 1)
      return wrongCall("expected 1 (on) or 0 (off) for '" + std::string(name) + "', but got " +
                       std::to_string(on));
    return to.setEnabled(name, on != 0);
  });
}

int lci_set_input(lci_program *program, const char *name, const lci_array *value) {
  return give(program, "lci_set_input", name, [&](BundleProgram &to) -> Status {
    Result<const SlotForm *> known = to.find(name);
    if (!known)
      return known.failure();
    Result<Array> array = toArray(value, (*known)->shape(), std::string("'") + name + "'");
    return array ? to.setInput(name, *array) : array.failure();
  });
}

int lci_start(lci_program *program) {
  return callForStatus([&] {
    return withProgram(program, [](Program &of) -> Status {
      of.worker.wait();
      of.isStarted = false; // nor is it after an exception
      Status started = of.program->start();
      of.state = Done{};
      of.counters.clear();
      of.rejected = {};
      of.isStarted = bool(started);
      of.epoch = 0;
      return started;
    });
  });
}

//===----------------------------------------------------------------------===//
// Epochs
//===----------------------------------------------------------------------===//

static Status checkEpochs(const Program &program, int64_t epochs) {
  if (epochs >= 0 && epochs <= kMaxEpochs - program.epoch)
    return Done{};
  std::string most = epochs < 0 ? ""
                                : " of at most " + std::to_string(kMaxEpochs - program.epoch) +
                                      " after " + std::to_string(program.epoch);
  return wrongCall("expected a number of epochs" + most + ", but got " + std::to_string(epochs));
}

/// Runs epochs, and finds the first proposals that are rejected.
static Result<Counters> countEpochs(Program &program, int64_t first, int64_t last) {
  Backend &backend = program.program->backend();
  if (!backend.mayReject())
    return backend.runEpochs(first, last);
  LoopOptions how;
  how.firstEpoch = first;
  how.epochs = last;
  LoopHooks hooks;
  hooks.rejected = [&](int64_t epoch) {
    return program.program->findRejected(epoch, program.rejected);
  };
  Result<LoopOutcome> ran = runLoop(backend, how, hooks);
  if (!ran)
    return ran.failure();
  program.rejected.epochs.insert(ran->rejectedIn.begin(), ran->rejectedIn.end());
  return std::move(ran->counters);
}

/// Runs epochs; after a failure none.
static Result<int64_t> runEpochs(Program &program, int64_t first, int64_t last) {
  if (!program.state)
    return program.state.failure();
  Result<Counters> counters = attempt([&] { return countEpochs(program, first, last); });
  if (!counters) {
    program.state = counters.failure();
    return counters.failure();
  }
  for (const auto &[name, count] : *counters)
    program.counters[name] += count;
  return changesIn(*counters);
}

static Result<lci_ticket *> dispatch(Program &program, int64_t epochs) {
  Status ready = checkStarted(program);
  if (ready)
    ready = checkEpochs(program, epochs);
  if (!ready)
    return ready.failure();
  int64_t first = program.epoch, last = first + epochs;
  auto promise = std::make_shared<std::promise<Result<int64_t>>>();
  auto ticket = std::make_shared<Ticket>();
  ticket->changed = promise->get_future();
  uintptr_t handle = tickets().add(std::move(ticket));
  // The worker is destroyed before the program, and must not keep it alive.
  program.worker.enqueue([=, &program] { promise->set_value(runEpochs(program, first, last)); });
  program.epoch = last;
  return reinterpret_cast<lci_ticket *>(handle);
}

lci_ticket *lci_dispatch(lci_program *program, int64_t epochs) {
  auto ticket =
      call([&] { return withProgram(program, [&](Program &of) { return dispatch(of, epochs); }); });
  return ticket ? *ticket : nullptr;
}

int lci_collect(lci_ticket *ticket, int64_t *changed) {
  return callForStatus([&]() -> Status {
    auto taken = checkHandle(tickets().take(reinterpret_cast<uintptr_t>(ticket)), ticket,
                             "a ticket that is not collected");
    if (!taken)
      return taken.failure();
    Result<int64_t> result = (*taken)->changed.get();
    if (!result)
      return result.failure();
    if (changed)
      *changed = *result;
    return Done{};
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int64_t lci_value_count(const lci_program *program) {
  auto count = call([&] {
    return withProgram(program, [](Program &of) {
      return Result<int64_t>(static_cast<int64_t>(of.names.size()));
    });
  });
  return count ? *count : -1;
}

const char *lci_value_name(const lci_program *program, int64_t number) {
  return findText(program, number, "value", [](Program &of) -> auto & { return of.names; });
}

int lci_describe_value(lci_program *program, const char *name, lci_array *form) {
  return callForStatus([&] {
    return withProgram(program, [&](Program &of) -> Status {
      if (!name || !form)
        return missing(name ? "a place for a description" : "a name");
      Result<const SlotForm *> found = of.program->find(name);
      if (!found)
        return found.failure();
      const std::vector<SlotForm> &values = of.program->values();
      const std::vector<int64_t> &shape = of.shapes[static_cast<size_t>(*found - values.data())];
      *form = {typeOf(**found), static_cast<int64_t>(shape.size()), shape.data(), nullptr};
      return Done{};
    });
  });
}

/// Copies the bytes of a value to a buffer of exactly that size.
static Status copyValue(Program &program, const char *name, void *to, size_t bytes) {
  if (!name)
    return missing("a name");
  if (Status started = checkStarted(program); !started)
    return started;
  program.worker.wait();
  if (!program.state)
    return program.state.failure();
  Result<Array> value = program.program->value(name);
  if (!value)
    return value.failure();
  if (value->bytes().size() != bytes)
    return wrongCall("expected " + std::to_string(value->bytes().size()) + " bytes for '" + name +
                     "', but got " + std::to_string(bytes));
  if (bytes > 0 && !to)
    return missing(std::string("a place for '") + name + "'");
  if (bytes > 0)
    std::memcpy(to, value->bytes().data(), bytes);
  return Done{};
}

int lci_get_value(lci_program *program, const char *name, void *to, size_t bytes) {
  return callForStatus([&] {
    return withProgram(program, [&](Program &of) { return copyValue(of, name, to, bytes); });
  });
}
