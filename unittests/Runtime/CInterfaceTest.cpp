//===- CInterfaceTest.cpp - Wrong calls of every function of lci.h --------===//

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/lci.h"
#include "TempFolder.h"
#include "gtest/gtest.h"
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

using namespace lci;

namespace {
SlotForm scalarOf(Role role, const std::string &name = "") {
  SlotForm slot;
  slot.role = role;
  slot.name = name;
  return slot;
}

SlotForm arrayOf(Role role, const std::string &name, ElementKind kind,
                 std::vector<int64_t> extents) {
  SlotForm slot = scalarOf(role, name);
  slot.kind = kind;
  slot.isArray = true;
  slot.low = slot.high = std::vector<int64_t>(extents.size(), 0);
  slot.extents = std::move(extents);
  return slot;
}

/// The bundle of BundledTick.cpp.
Bundle makeBundle() {
  SlotForm cells = arrayOf(Role::State, "A", ElementKind::I8, {2, 3});
  cells.vocabulary = 4;
  FunctionForm form{"p", {cells}, {"A.changed", "A.invalid"}};
  form.slots.push_back(scalarOf(Role::Param, "p"));
  form.slots.push_back(scalarOf(Role::First));
  form.slots.push_back(scalarOf(Role::Last));
  form.slots.push_back(arrayOf(Role::Counts, "", ElementKind::I64, {2}));
  FunctionForm violations{"p.breaches", {cells, scalarOf(Role::Epoch)}, {"Low.broken"}};
  violations.slots.push_back(arrayOf(Role::Counts, "", ElementKind::I64, {1}));
  Bundle bundle;
  bundle.name = "p";
  bundle.arguments.params["p"] = Array::scalar(int64_t(1));
  bundle.full["A"] = "rule 'R' reads A[x,y]";
  bundle.warnings = {"p.lmpm:3:1: 'Low' can break [not-independent]"};
  bundle.switches = {"R"};
  std::vector<uint8_t> code = *readFile(LCI_BUNDLED_TICK);
  bundle.codes.push_back(
      {"cpu", "x86-64", {code.begin(), code.end()}, "", {{form, ""}, {violations, ""}}});
  return bundle;
}

class CInterfaceTest : public FolderTest {
protected:
  void SetUp() override {
    FolderTest::SetUp();
    file = path("p.bundle");
    ASSERT_TRUE(writeFileAtomically(file, encodeBundle(makeBundle())));
    fresh = lci_load(file.c_str(), nullptr);
    ASSERT_TRUE(fresh) << lci_error();
    started = lci_add_group(fresh);
    ASSERT_EQ(lci_start(started), 0) << lci_error();
    released = lci_add_group(fresh);
    lci_release(released);
  }
  void TearDown() override {
    lci_release(fresh);
    lci_release(started);
    FolderTest::TearDown();
  }
  std::vector<int> tokens(lci_program *program) {
    int8_t cells[6] = {};
    EXPECT_EQ(lci_get_value(program, "A", cells, sizeof cells), 0) << lci_error();
    return {cells, cells + 6};
  }

  std::string file;
  lci_program *fresh = nullptr, *started = nullptr, *released = nullptr;
};

const std::string kNoProgram = "expected a program that is not released, but got ";
const std::string kPast = "another pointer, or one of the past [wrong-call]";
const std::string kNull = "null [wrong-call]";
const std::string kNoSuchValue =
    "expected one of the program's values ('A'), but got 'B' [no-such-name]";
const int64_t kShape[] = {2, 3}, kOther[] = {3, 2}, kHuge[] = {INT64_MAX, INT64_MAX};
const int8_t kTokens[] = {0, 1, 2, 3, 0, 1}, kAbsent[] = {0, 1, -1, 3, 0, 1},
             kWild[] = {0, 1, 2, 4, 0, 1};
const int64_t kThree[] = {3}, kWide[] = {int64_t(1) << 40};
const lci_array kGood = {LCI_I8, 2, kShape, kTokens};
const lci_array kNumber = {LCI_I64, 0, nullptr, kThree};

/// Calls that fail, and the message of each.
using Failures = std::vector<std::pair<std::function<bool()>, const char *>>;

void expectErrors(const Failures &failures) {
  for (const auto &[fails, message] : failures) {
    EXPECT_TRUE(fails()) << message;
    EXPECT_STREQ(lci_error(), message);
  }
}
} // namespace

// Every function that takes a program is called with null, with a released one and with a ticket.
TEST_F(CInterfaceTest, WhatIsNoProgramIsAnError) {
  lci_ticket *ticket = lci_dispatch(started, 0);
  auto *wrongKind = reinterpret_cast<lci_program *>(ticket);
  lci_array form;
  int64_t broken = 0;
  int8_t cells[6];
  const std::function<bool(lci_program *)> calls[] = {
      [](lci_program *of) { return lci_add_group(of) == nullptr; },
      [](lci_program *of) { return lci_set_seed(of, 1) != 0; },
      [](lci_program *of) { return lci_set_parameter(of, "p", &kNumber) != 0; },
      [](lci_program *of) { return lci_set_enabled(of, "R", 0) != 0; },
      [](lci_program *of) { return lci_set_input(of, "A", &kGood) != 0; },
      [](lci_program *of) { return lci_start(of) != 0; },
      [](lci_program *of) { return lci_dispatch(of, 1) == nullptr; },
      [](lci_program *of) { return lci_value_count(of) == -1; },
      [](lci_program *of) { return lci_value_name(of, 0) == nullptr; },
      [&](lci_program *of) { return lci_describe_value(of, "A", &form) != 0; },
      [&](lci_program *of) { return lci_get_value(of, "A", cells, sizeof cells) != 0; },
      [](lci_program *of) { return lci_constraint_count(of) == -1; },
      [](lci_program *of) { return lci_constraint_name(of, 0) == nullptr; },
      [&](lci_program *of) { return lci_get_broken(of, "Low", &broken) != 0; },
      [](lci_program *of) { return lci_warning_count(of) == -1; },
      [](lci_program *of) { return lci_warning(of, 0) == nullptr; },
      [](lci_program *of) { return lci_release(of), of != nullptr; }};
  for (size_t i = 0; i < std::size(calls); ++i)
    for (lci_program *wrong :
         {released, wrongKind, reinterpret_cast<lci_program *>(uintptr_t(-1))}) {
      EXPECT_TRUE(calls[i](wrong)) << i;
      EXPECT_EQ(lci_error(), kNoProgram + kPast) << i;
    }
  for (size_t i = 0; i + 1 < std::size(calls); ++i) {
    EXPECT_TRUE(calls[i](nullptr)) << i;
    EXPECT_EQ(lci_error(), kNoProgram + kNull) << i;
  }
  lci_release(nullptr);
  EXPECT_STREQ(lci_error(), "");
  EXPECT_EQ(lci_collect(ticket, nullptr), 0) << lci_error();
}

// Calls whose handles are valid and whose other arguments are not.
TEST_F(CInterfaceTest, WrongNamesAndParametersAreErrors) {
  auto parameter = [&](lci_type type, int64_t rank, const int64_t *shape, const void *data) {
    lci_array array = {type, rank, shape, data};
    return lci_set_parameter(fresh, "p", &array);
  };
  std::string gpu = "'" + file +
                    "': the bundle has no code for the back end 'gpu', but for 'cpu' "
                    "[wrong-machine]";
  expectErrors(
      {{[&] { return !lci_load(nullptr, "cpu"); },
        "expected the name of a bundle, but got null [wrong-call]"},
       {[&] { return !lci_load(file.c_str(), "gpu"); }, gpu.c_str()},
       {[&] { return lci_set_parameter(fresh, nullptr, &kNumber); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_set_parameter(fresh, "q", &kNumber); },
        "expected one of the bundle's parameters ('p'), but got 'q'; sizes, and what the program "
        "computes, were bound when it was made [no-such-name]"},
       {[&] { return lci_set_parameter(fresh, "p", nullptr); },
        "expected an array for the parameter 'p', but got null [wrong-call]"},
       {[&] { return parameter(LCI_I64, 2, kShape, kThree); },
        "expected shape () for the parameter 'p', but got (2, 3) [wrong-shape]"},
       {[&] { return parameter(LCI_I64, 0, nullptr, nullptr); },
        "expected data for the parameter 'p', but got null [wrong-call]"},
       {[&] { return parameter(LCI_I64, 0, nullptr, kWide); },
        "expected 32-bit integers for the parameter 'p', but got 1099511627776 [wrong-elements]"},
       {[&] { return lci_set_enabled(fresh, nullptr, 1); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_set_enabled(fresh, "R", 2); },
        "expected 1 (on) or 0 (off) for 'R', but got 2 [wrong-call]"},
       {[&] { return lci_set_enabled(fresh, "R", -1); },
        "expected 1 (on) or 0 (off) for 'R', but got -1 [wrong-call]"},
       {[&] { return lci_set_enabled(fresh, "S", 1); },
        "expected one of the program's rules and constraints ('R'), but got 'S' [no-such-name]"}});
}

TEST_F(CInterfaceTest, WrongInputsAreErrors) {
  auto input = [&](int type, int64_t rank, const int64_t *shape, const void *data) {
    lci_array array = {LCI_I8, rank, shape, data};
    std::memcpy(&array.type, &type, sizeof type); // C has any number there
    return lci_set_input(fresh, "A", &array);
  };
  expectErrors(
      {{[&] { return lci_set_input(fresh, nullptr, &kGood); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_set_input(fresh, "B", &kGood); }, kNoSuchValue.c_str()},
       {[&] { return lci_set_input(fresh, "A", nullptr); },
        "expected an array for 'A', but got null [wrong-call]"},
       {[&] { return input(9, 2, kShape, kTokens); },
        "expected one of the types of lci_type, but got 9 [wrong-call]"},
       {[&] { return input(LCI_I8, -1, kShape, kTokens); },
        "expected a rank of 0 to 64 for 'A', but got -1 [wrong-call]"},
       {[&] { return input(LCI_I8, INT64_MAX, kShape, kTokens); },
        "expected a rank of 0 to 64 for 'A', but got 9223372036854775807 [wrong-call]"},
       {[&] { return input(LCI_I8, 2, nullptr, kTokens); },
        "expected a shape for 'A', but got null [wrong-call]"},
       {[&] { return input(LCI_I8, 2, kOther, kTokens); },
        "expected shape (2, 3) for 'A', but got (3, 2) [wrong-shape]"},
       {[&] { return input(LCI_I8, 2, kHuge, kTokens); },
        "expected shape (2, 3) for 'A', but got (9223372036854775807, 9223372036854775807) "
        "[wrong-shape]"},
       {[&] { return input(LCI_I8, 2, kShape, nullptr); },
        "expected data for 'A', but got null [wrong-call]"},
       {[&] { return input(LCI_F32, 2, kShape, std::vector<float>(6, 0.5f).data()); },
        "expected tokens of 'A' in -1 .. 3, but got 0.5 at [0, 0] [outside-vocabulary]"},
       {[&] { return input(LCI_BOOL, 2, kShape, kWild); },
        "expected 0 or 1 in each byte of LCI_BOOL for 'A', but got 2 at [0, 2] [wrong-call]"},
       {[&] { return input(LCI_I8, 2, kShape, kWild); },
        "expected tokens of 'A' in -1 .. 3, but got 4 at [1, 0] [outside-vocabulary]"},
       {[&] { return input(LCI_I8, 2, kShape, kAbsent); },
        "expected a token in every cell of 'A', because rule 'R' reads A[x,y], but got -1 at [0, "
        "2] "
        "[missing-token]"}});
}

TEST_F(CInterfaceTest, WrongTicketsAndPlacesAreErrors) {
  int8_t cells[6];
  lci_array form;
  expectErrors(
      {{[&] { return !lci_dispatch(started, -1); },
        "expected a number of epochs, but got -1 [wrong-call]"},
       {[&] { return lci_collect(nullptr, nullptr); },
        "expected a ticket that is not collected, but got null [wrong-call]"},
       {[&] { return lci_collect(reinterpret_cast<lci_ticket *>(started), nullptr); },
        "expected a ticket that is not collected, but got another pointer, or one of the past "
        "[wrong-call]"},
       {[&] { return !lci_value_name(fresh, 1); },
        "expected the number of a value, below 1, but got 1 [wrong-call]"},
       {[&] { return !lci_value_name(fresh, INT64_MIN); },
        "expected the number of a value, below 1, but got -9223372036854775808 [wrong-call]"},
       {[&] { return lci_describe_value(fresh, "A", nullptr); },
        "expected a place for a description, but got null [wrong-call]"},
       {[&] { return lci_describe_value(fresh, nullptr, &form); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_describe_value(fresh, "B", &form); }, kNoSuchValue.c_str()},
       {[&] { return lci_get_value(started, nullptr, cells, sizeof cells); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_get_value(started, "B", cells, sizeof cells); }, kNoSuchValue.c_str()},
       {[&] { return lci_get_value(started, "A", cells, 5); },
        "expected 6 bytes for 'A', but got 5 [wrong-call]"},
       {[&] { return lci_get_value(started, "A", nullptr, sizeof cells); },
        "expected a place for 'A', but got null [wrong-call]"}});
  EXPECT_EQ(lci_value_count(fresh), 1);
  EXPECT_STREQ(lci_error(), "");
}

TEST_F(CInterfaceTest, CallsOutOfOrderAreErrors) {
  int8_t cells[6];
  const std::string early = "expected lci_start before epochs and values [wrong-call]";
  EXPECT_FALSE(lci_dispatch(fresh, 1));
  EXPECT_EQ(lci_error(), early);
  EXPECT_NE(lci_get_value(fresh, "A", cells, sizeof cells), 0);
  EXPECT_EQ(lci_error(), early);
  auto isLate = [](const std::string &function) {
    return lci_error() == "expected " + function +
                              " before lci_start, since a run under way takes nothing new; a group "
                              "of lci_add_group begins with what it is given [wrong-call]";
  };
  EXPECT_TRUE(lci_set_seed(started, 1) && isLate("lci_set_seed"));
  EXPECT_TRUE(lci_set_parameter(started, "p", &kNumber) && isLate("lci_set_parameter"));
  EXPECT_TRUE(lci_set_enabled(started, "R", 0) && isLate("lci_set_enabled"));
  EXPECT_TRUE(lci_set_input(started, "A", &kGood) && isLate("lci_set_input"));
  // A run with other inputs needs a new group.
  lci_program *group = lci_add_group(started);
  ASSERT_EQ(lci_set_parameter(group, "p", &kNumber), 0) << lci_error();
  ASSERT_EQ(lci_set_input(group, "A", &kGood), 0) << lci_error();
  ASSERT_EQ(lci_start(group), 0) << lci_error();
  EXPECT_EQ(tokens(group), (std::vector<int>{0, 1, 2, 3, 0, 1}));
  int64_t changed = 0;
  EXPECT_EQ(lci_collect(lci_dispatch(group, 1), &changed), 0) << lci_error();
  EXPECT_EQ(changed, 6);
  EXPECT_EQ(tokens(group), (std::vector<int>{3, 0, 1, 2, 3, 0}));
  lci_release(group);
}

// S-BROKEN, S-INVALID: warnings of a run are also reported through C.
TEST_F(CInterfaceTest, BrokenConstraintsAndWarningsAreTold) {
  ASSERT_EQ(lci_constraint_count(started), 1) << lci_error();
  EXPECT_STREQ(lci_constraint_name(started, 0), "Low");
  lci_program *group = lci_add_group(fresh);
  ASSERT_EQ(lci_set_input(group, "A", &kGood), 0) << lci_error();
  ASSERT_EQ(lci_start(group), 0) << lci_error();
  int64_t broken = -1;
  EXPECT_EQ(lci_get_broken(group, "Low", &broken), 0) << lci_error();
  EXPECT_EQ(broken, 1);
  lci_ticket *ticket = lci_dispatch(group, 2); // 2 3 0 1 2 3, once both are done
  EXPECT_EQ(lci_get_broken(group, "Low", &broken), 0) << lci_error();
  EXPECT_EQ(broken, 2);
  EXPECT_EQ(lci_collect(ticket, nullptr), 0) << lci_error();
  EXPECT_EQ(lci_warning_count(group), 1);
  EXPECT_STREQ(lci_warning(group, 0), "p.lmpm:3:1: 'Low' can break [not-independent]");
  lci_release(group);
}

TEST_F(CInterfaceTest, RejectionsSinceTheStartAreWarnedOf) {
  const int64_t seven = 7;
  const lci_array step = {LCI_I64, 0, nullptr, &seven};
  ASSERT_EQ(lci_set_parameter(fresh, "p", &step), 0) << lci_error();
  ASSERT_EQ(lci_start(fresh), 0) << lci_error();
  EXPECT_EQ(lci_warning_count(fresh), 1);
  ASSERT_EQ(lci_collect(lci_dispatch(fresh, 2), nullptr), 0) << lci_error();
  EXPECT_EQ(lci_warning_count(fresh), 2);
  EXPECT_STREQ(
      lci_warning(fresh, 1),
      "12 proposals of what 'A' cannot hold were rejected, first in epoch 0; the bundle has "
      "no code that finds the cell, so lmpm-run on the program names it "
      "[outside-vocabulary]");
  ASSERT_EQ(lci_start(fresh), 0) << lci_error();
  EXPECT_EQ(lci_warning_count(fresh), 1);
}

TEST_F(CInterfaceTest, NumbersThatNobodyGivesAreWarnedOf) {
  Bundle bundle = makeBundle();
  bundle.full.clear();
  bundle.zeros = {"A"};
  ASSERT_TRUE(writeFileAtomically(file, encodeBundle(bundle)));
  lci_program *zeros = lci_load(file.c_str(), nullptr);
  ASSERT_TRUE(zeros) << lci_error();
  EXPECT_EQ(lci_warning_count(zeros), 2);
  EXPECT_STREQ(lci_warning(zeros, 1),
               "'A' has no input and no 'init': all its numbers are 0; give it one with --input "
               "A=F.npy [unbound-name]");
  lci_release(zeros);
}

TEST_F(CInterfaceTest, WrongConstraintsAndWarningsAreErrors) {
  int64_t broken = 0;
  expectErrors(
      {{[&] { return !lci_constraint_name(fresh, 1); },
        "expected the number of a constraint that commits can break, below 1, but got 1 "
        "[wrong-call]"},
       {[&] { return lci_get_broken(started, nullptr, &broken); },
        "expected a name, but got null [wrong-call]"},
       {[&] { return lci_get_broken(started, "Low", nullptr); },
        "expected a place for a number, but got null [wrong-call]"},
       {[&] { return lci_get_broken(started, "R", &broken); },
        "expected one of the bundle's hard constraints that commits can break ('Low'), but got "
        "'R' [no-such-name]"},
       {[&] { return lci_get_broken(fresh, "Low", &broken); },
        "expected lci_start before epochs and values [wrong-call]"},
       {[&] { return !lci_warning(fresh, 0); },
        "expected the number of a warning that was counted, below 0, but got 0 [wrong-call]"}});
}

TEST_F(CInterfaceTest, EpochsDoNotOverflow) {
  EXPECT_FALSE(lci_dispatch(started, INT64_MAX));
  ASSERT_EQ(lci_collect(lci_dispatch(started, 3), nullptr), 0) << lci_error();
  EXPECT_FALSE(lci_dispatch(started, INT64_MAX));
  EXPECT_STREQ(lci_error(), "expected a number of epochs of at most 4294967293 after 3, "
                            "but got 9223372036854775807 [wrong-call]");
  ASSERT_EQ(lci_collect(lci_dispatch(started, 1), nullptr), 0) << lci_error();
  EXPECT_EQ(tokens(started), std::vector<int>(6, 0));
}

TEST_F(CInterfaceTest, TicketsOutliveTheirPrograms) {
  lci_ticket *ticket = lci_dispatch(started, 5);
  lci_release(started);
  lci_release(started);
  EXPECT_EQ(lci_error(), kNoProgram + kPast);
  int64_t changed = 0;
  EXPECT_EQ(lci_collect(ticket, &changed), 0) << lci_error();
  EXPECT_EQ(changed, 30);
  EXPECT_NE(lci_collect(ticket, &changed), 0);
  EXPECT_STREQ(lci_error(), "expected a ticket that is not collected, but got another pointer, or "
                            "one of the past [wrong-call]");
}

// Eight threads use one program in every way, and release it concurrently.
TEST_F(CInterfaceTest, ThreadsTakeTurns) {
  lci_program *shared = lci_add_group(fresh);
  ASSERT_EQ(lci_start(shared), 0);
  std::atomic<int64_t> changes = 0, epochs = 0;
  auto work = [&] {
    int8_t cells[6];
    for (int i = 0; i < 50; ++i) {
      int64_t changed = 0;
      if (lci_collect(lci_dispatch(shared, 2), &changed) == 0)
        epochs += 2, changes += changed;
      (void)lci_get_value(shared, "A", cells, sizeof cells);
      lci_release(lci_add_group(shared));
      EXPECT_EQ(lci_value_count(shared), 1);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(epochs, 800);
  EXPECT_EQ(changes, 4800);
  threads.clear();
  std::atomic<int> released = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      (void)lci_dispatch(shared, 1000);
      lci_release(shared);
      released += *lci_error() == '\0';
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_GE(released, 1);
  EXPECT_EQ(lci_value_count(shared), -1);
}

// The thread of a program does not exist after a fork: the child gets an error, and can load a
// program itself.
TEST_F(CInterfaceTest, AForkHasNoneOfThePrograms) {
  pid_t child = fork();
  if (child == 0) {
    bool isTold =
        !lci_dispatch(started, 1) &&
        lci_error() == std::string("expected a program that is not released of this "
                                   "process, but got one from before a fork [wrong-call]");
    lci_release(started);
    lci_program *own = lci_load(file.c_str(), nullptr);
    bool runs = own && lci_start(own) == 0 && lci_collect(lci_dispatch(own, 4), nullptr) == 0;
    _exit(isTold && runs ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A state larger than any machine's memory, and a name longer than allowed.
TEST_F(CInterfaceTest, WhatIsTooLargeIsAnError) {
  Bundle bundle = makeBundle();
  bundle.codes.front().functions.front().form.slots[4].extents = {int64_t(1) << 36};
  ASSERT_TRUE(writeFileAtomically(path("large.bundle"), encodeBundle(bundle)));
  EXPECT_FALSE(lci_load(path("large.bundle").c_str(), nullptr));
  EXPECT_NE(std::string(lci_error())
                .find("large.bundle': the state of the program is too large for memory"),
            std::string::npos)
      << lci_error();
  EXPECT_FALSE(lci_load(std::string(size_t(1) << 20, 'x').c_str(), nullptr));
  EXPECT_NE(std::string(lci_error()).find("[file-access]"), std::string::npos);
}

/// Runs something in a child with so little memory left; whether it reports the error.
static bool isSaidWithin(rlim_t memory, const std::function<bool()> &fails, const char *message) {
  pid_t child = fork();
  if (child == 0) {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlim_t limit = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + memory;
    rlimit limits{limit, limit};
    setrlimit(RLIMIT_AS, &limits);
    _exit(fails() && std::string(lci_error()).find(message) == 0 ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

// There is no room for the file, or for the stack of a thread, which is an exception of the
// standard library.
TEST_F(CInterfaceTest, NothingIsThrown) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  Bundle bundle = makeBundle();
  bundle.arguments.weights["w"] = Array(DType::I8, {16 << 20});
  ASSERT_TRUE(writeFileAtomically(path("heavy.bundle"), encodeBundle(bundle)));
  auto load = [](const std::string &of) { return lci_load(of.c_str(), nullptr) == nullptr; };
  auto loadHeavy = [&] { return load(path("heavy.bundle")); };
  EXPECT_TRUE(isSaidWithin(16 << 20, loadHeavy,
                           ("'" + path("heavy.bundle") + "' is too large for memory").c_str()));
  std::string longName(size_t(64) << 20, 'x');
  EXPECT_TRUE(isSaidWithin(
      16 << 20, [&] { return load(longName); }, "there is no memory left for what was asked"));
  auto loadMany = [&] { // until no stack of a thread before is left
    int number = 0;
    while (number < 64 && !load(file))
      ++number;
    return number < 64;
  };
  EXPECT_TRUE(isSaidWithin(4 << 20, loadMany, "cannot do what was asked: "));
}
