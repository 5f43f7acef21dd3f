//===- CInterface.cpp - Bundles from C ------------------------------------===//

#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/RunLoop.h"
#include "LCI/Runtime/Tokens.h"
#include "LCI/Runtime/lci.h"
#include "Worker.h"
#include <future>

using namespace lci;

//===----------------------------------------------------------------------===//
// What the handles are
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(readability-identifier-naming): as lci.h has them
struct lci_ticket {
  std::future<Result<int64_t>> changed;
};

struct lci_program {
  explicit lci_program(std::unique_ptr<BundleProgram> program)
      : program(std::move(program)), names(this->program->names()) {
    for (const SlotForm &form : this->program->values())
      shapes.push_back(form.shape());
  }

  std::unique_ptr<BundleProgram> program;
  std::vector<std::string> names;
  std::vector<std::vector<int64_t>> shapes;
  bool isStarted = false;
  int64_t epoch = 0;     ///< after all tickets
  Status state = Done{}; ///< why no epoch can run any more, if so; the worker's
  Worker worker;         ///< ends before the others
};
// NOLINTEND(readability-identifier-naming)

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static thread_local std::string lastError;

const char *lci_error(void) { return lastError.c_str(); }

/// Remembers why something failed, for lci_error.
static int report(const Status &status) {
  lastError = status ? "" : status.failure().text();
  return status ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Who calls from C may have put any number there.
static Result<DType> typeIn(const lci_array &array) {
  std::underlying_type_t<lci_type> type = 0;
  static_assert(sizeof type == sizeof array.type);
  std::memcpy(&type, &array.type, sizeof type);
  switch (type) {
  case LCI_BOOL:
    return DType::Bool;
  case LCI_I8:
    return DType::I8;
  case LCI_I16:
    return DType::I16;
  case LCI_I32:
    return DType::I32;
  case LCI_I64:
    return DType::I64;
  case LCI_F32:
    return DType::F32;
  }
  return Failure{ErrorId::WrongCall,
                 "expected one of the types of lci_type, but got " + std::to_string(type)};
}

static Result<Array> toArray(const lci_array *from) {
  Result<DType> dtype = typeIn(*from);
  if (!dtype)
    return dtype.failure();
  std::vector<int64_t> shape(from->shape, from->shape + std::max<int64_t>(from->rank, 0));
  if (!elementCount(shape))
    return Failure{ErrorId::NoMemory,
                   "expected a shape that fits into memory, but got " + shapeText(shape)};
  Array array(*dtype, std::move(shape));
  if (!array.bytes().empty())
    std::memcpy(array.bytes().data(), from->data, array.bytes().size());
  return array;
}

/// As BundleProgram::value gives it.
static lci_type typeOf(const SlotForm &form) {
  if (!form.vocabulary)
    return form.kind == ElementKind::F32 ? LCI_F32 : LCI_I32;
  switch (tokenType(*form.vocabulary)) {
  case DType::I8:
    return LCI_I8;
  case DType::I16:
    return LCI_I16;
  case DType::I32:
    return LCI_I32;
  default:
    return LCI_I64;
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

lci_program *lci_load(const char *bundle, const char *backend) {
  Result<Bundle> read = readBundle(bundle);
  if (!read) {
    report(read.failure());
    return nullptr;
  }
  BundleMachine machine;
  if (backend)
    machine.backend = backend;
  auto opened = BundleProgram::open(std::move(*read), machine);
  if (!opened) {
    report(opened.failure());
    return nullptr;
  }
  report(Done{});
  return new lci_program(std::move(*opened));
}

lci_program *lci_add_group(const lci_program *program) {
  auto added = program->program->another();
  if (!added) {
    report(added.failure());
    return nullptr;
  }
  report(Done{});
  return new lci_program(std::move(*added));
}

void lci_release(lci_program *program) { delete program; }

int lci_set_seed(lci_program *program, uint64_t seed) {
  program->program->setSeed(seed);
  return report(Done{});
}

int lci_set_parameter(lci_program *program, const char *name, const lci_array *numbers) {
  Result<Array> array = toArray(numbers);
  return report(array ? program->program->setParameter(name, *array) : array.failure());
}

int lci_set_enabled(lci_program *program, const char *name, int on) {
  return report(program->program->setEnabled(name, on != 0));
}

int lci_set_input(lci_program *program, const char *name, const lci_array *value) {
  Result<Array> array = toArray(value);
  return report(array ? program->program->setInput(name, *array) : array.failure());
}

int lci_start(lci_program *program) {
  program->worker.wait();
  Status started = program->program->start();
  program->state = Done{};
  program->isStarted = bool(started);
  program->epoch = 0;
  return report(started);
}

//===----------------------------------------------------------------------===//
// Epochs
//===----------------------------------------------------------------------===//

static Status checkStarted(const lci_program *program) {
  if (program->isStarted)
    return Done{};
  return Failure{ErrorId::WrongCall, "expected lci_start before epochs and values"};
}

/// Runs epochs; after a failure none do.
static Result<int64_t> runEpochs(lci_program *program, int64_t first, int64_t last) {
  if (!program->state)
    return program->state.failure();
  Result<Counters> counters = program->program->backend().runEpochs(first, last);
  if (counters)
    return changesIn(*counters);
  program->state = counters.failure();
  return counters.failure();
}

lci_ticket *lci_dispatch(lci_program *program, int64_t epochs) {
  Status ready = checkStarted(program);
  if (ready && epochs < 0)
    ready = Failure{ErrorId::WrongCall,
                    "expected a number of epochs, but got " + std::to_string(epochs)};
  if (report(ready))
    return nullptr;
  int64_t first = program->epoch, last = first + epochs;
  program->epoch = last;
  auto promise = std::make_shared<std::promise<Result<int64_t>>>();
  auto *ticket = new lci_ticket{promise->get_future()};
  program->worker.ask([=] { promise->set_value(runEpochs(program, first, last)); });
  return ticket;
}

int lci_collect(lci_ticket *ticket, int64_t *changed) {
  Result<int64_t> result = ticket->changed.get();
  delete ticket;
  if (result && changed)
    *changed = *result;
  return report(result ? Status(Done{}) : Status(result.failure()));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int64_t lci_value_count(const lci_program *program) {
  return static_cast<int64_t>(program->names.size());
}

const char *lci_value_name(const lci_program *program, int64_t number) {
  bool isThere = number >= 0 && number < lci_value_count(program);
  return isThere ? program->names[static_cast<size_t>(number)].c_str() : nullptr;
}

int lci_describe_value(lci_program *program, const char *name, lci_array *form) {
  Result<const SlotForm *> found = program->program->find(name);
  if (!found)
    return report(found.failure());
  const std::vector<SlotForm> &values = program->program->values();
  const std::vector<int64_t> &shape = program->shapes[static_cast<size_t>(*found - values.data())];
  *form = {typeOf(**found), static_cast<int64_t>(shape.size()), shape.data(), nullptr};
  return report(Done{});
}

int lci_get_value(lci_program *program, const char *name, void *to, size_t bytes) {
  program->worker.wait();
  if (Status started = checkStarted(program); !started)
    return report(started);
  Result<Array> value = program->program->value(name);
  if (!value)
    return report(value.failure());
  if (value->bytes().size() != bytes)
    return report(Failure{ErrorId::WrongCall, "expected " + std::to_string(value->bytes().size()) +
                                                  " bytes for '" + name + "', but got " +
                                                  std::to_string(bytes)});
  std::memcpy(to, value->bytes().data(), bytes);
  return report(Done{});
}
