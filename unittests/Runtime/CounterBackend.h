//===- CounterBackend.h - A back end that only counts -----------*- C++ -*-===//
//
// One value `A` of four cells; each epoch adds its number to the next cell, until `quietFrom`, in
// the first of its two phases. Its observer adds the cells up. Enough of a program to test its
// drivers.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_RUNTIME_COUNTERBACKEND_H
#define LCI_UNITTESTS_RUNTIME_COUNTERBACKEND_H

#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/StopFlag.h"

namespace lci {

class CounterBackend : public Backend {
public:
  explicit CounterBackend(const char *label = "counter") : label(label) {}

  const char *name() const override { return label; }
  Status setArguments(const RunArguments &) override { return Done(); }
  Status initialise() override {
    state = Array(DType::I64, {2, 2});
    return Done();
  }
  Status setValue(const std::string &, const Array &value) override {
    state = value;
    return Done();
  }
  Result<Array> value(const std::string &name) override {
    if (name != "A")
      return Failure{ErrorId::NoSuchName, "no value '" + name + "'"};
    return state;
  }
  Result<Counters> runEpochs(int64_t first, int64_t last) override {
    stretches.emplace_back(first, last);
    Counters counters{{"A.changed", 0}};
    for (int64_t epoch = first; epoch < last; ++epoch) {
      for (const auto &[name, from] : rejectsFrom)
        counters[name] += epoch >= from;
      if (epoch == stopAt)
        flag.raise();
      if (flag.isRaised()) { // the state is invalid
        stopAt = -1;
        state.setInt(0, -99);
        return Counters{{"A.changed", 12345}};
      }
      if (epoch == failAt)
        return Failure{ErrorId::WrongCall, "out of order"};
      if (epoch >= quietFrom)
        continue;
      int64_t cell = epoch % 4;
      state.setInt(cell, state.intAt(cell) + epoch + (epoch == wrongAt));
      ++counters["A.changed"];
    }
    return counters;
  }

  Result<Counters> runTick(int64_t epoch, int64_t phase) override {
    ticks.emplace_back(epoch, phase);
    if (phase == 0)
      return runEpochs(epoch, epoch + 1);
    // The second phase has nothing to do, and may do that wrong.
    if (epoch == wrongLaterAt)
      state.setInt(3, -7);
    return Counters{{"A.changed", 0}};
  }
  bool remember() override {
    remembered = state;
    return canGoBack;
  }
  void recall() override { state = remembered; }
  size_t stateSize() const override { return size; }
  StopFlag *stopFlag() override { return &flag; }
  bool mayReject() const override { return !rejectsFrom.empty(); }
  Result<Observations> observe(int64_t) override {
    int64_t sum = overseen;
    for (int64_t i = 0; i < state.size(); ++i)
      sum += state.intAt(i);
    return Observations{{"sum", Array::scalar(sum)}, {"none", std::nullopt}};
  }

  Array state{DType::I64, {2, 2}};
  int64_t quietFrom = INT64_MAX, wrongAt = -1, wrongLaterAt = -1, failAt = -1, overseen = 0;
  std::vector<std::pair<int64_t, int64_t>> stretches, ticks;
  std::map<std::string, int64_t> rejectsFrom; ///< by counter
  int64_t stopAt = -1;
  size_t size = 32;
  bool canGoBack = false;

private:
  StopFlag flag;
  Array remembered{DType::I64, {2, 2}};
  const char *label;
};

} // namespace lci

#endif // LCI_UNITTESTS_RUNTIME_COUNTERBACKEND_H
