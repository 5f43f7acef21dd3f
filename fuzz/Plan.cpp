//===- Plan.cpp - Launch plans that nobody wrote --------------------------===//
#include "LCI/Runtime/Plan.h"
#include "Readers.h"

using namespace lci;

void fuzz::runPlan(llvm::StringRef input) {
  Result<Plan> plan = parsePlan(input.str());
  if (!wasRead(plan))
    return;
  std::string printed = printPlan(*plan);
  Result<Plan> again = parsePlan(printed);
  check(static_cast<bool>(again), "a plan that was printed is not read");
  check(printPlan(*again) == printed, "a plan that was printed is read as another one");
}
