//===- Plan.cpp - Fuzz target: launch plans -------------------------------===//
#include "LCI/Runtime/Plan.h"
#include "LCI/Runtime/LoadedPlan.h"
#include "Readers.h"
#include <algorithm>

using namespace lci;

namespace {
/// Accepts every kernel and some memory, and fails once it has launched too often.
class PatientDevice final : public Device {
public:
  std::string name() const override { return "a patient device"; }
  Result<std::unique_ptr<Device>> another() const override {
    return std::unique_ptr<Device>(std::make_unique<PatientDevice>());
  }
  Result<Kernel> find(const std::string &) override { return Kernel{0}; }
  void release(Address) override {}
  Status wait() override { return Done{}; }

protected:
  Result<Address> makeMemory(size_t bytes) override {
    if (bytes > 1'000'000)
      return Failure{ErrorId::NoMemory, "expected fewer bytes"};
    return Address{1};
  }
  Status copyTo(Address, const void *, size_t) override { return Done{}; }
  Status copyFrom(void *, Address, size_t) override { return Done{}; }
  Status start(Kernel, const Sides &, const Sides &, std::vector<void *> &operands) override {
    for (void *operand : operands)
      sum += *static_cast<const volatile uint32_t *>(operand);
    if (--patience > 0)
      return Done{};
    return Failure{ErrorId::CannotCompile, "the plan launches too much"};
  }

private:
  int patience = 1000;
  uint64_t sum = 0;
};
} // namespace

/// Makes every loop launch something, so that the device's limit bounds its trip count.
static void launchInLoops(std::vector<PlanStep> &steps, uint32_t kernel) {
  for (PlanStep &step : steps) {
    launchInLoops(step.body, kernel);
    launchInLoops(step.otherwise, kernel);
    if (step.kind != PlanStep::Kind::Loop)
      continue;
    PlanStep launch;
    launch.kind = PlanStep::Kind::Launch;
    launch.kernel = kernel;
    std::fill(launch.blocks.begin(), launch.blocks.end(), PlanOperand::literal(1));
    step.body.push_back(launch);
  }
}

static void carryOut(Plan plan) {
  launchInLoops(plan.steps, plan.numberOf("turn"));
  PatientDevice device;
  auto loaded = LoadedPlan::load(std::move(plan), device);
  if (!fuzz::wasRead(loaded))
    return;
  const uint8_t bytes[] = {3, 1, 4, 1, 5, 9, 2, 6};
  const LoadedPlan::HostArray array = {bytes, sizeof bytes};
  Status done = (*loaded)->dispatch({1, 2, 3}, {array, {}, array});
  fuzz::check(done || !done.error().empty(), "stopped without a message");
}

void fuzz::runPlan(llvm::StringRef input) {
  Result<Plan> plan = parsePlan(input.str());
  if (!wasRead(plan))
    return;
  std::string printed = printPlan(*plan);
  Result<Plan> again = parsePlan(printed);
  check(static_cast<bool>(again), "a plan that was printed is not read");
  check(printPlan(*again) == printed, "a plan that was printed is read as another one");
  carryOut(std::move(*plan));
}
