//===- BundleTest.cpp - Bundles: write, read, reject, load ----------------===//

#include "LCI/Runtime/Bundle.h"
#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/BundleRun.h"
#include "LCI/Runtime/Codec.h"
#include "LCI/Runtime/File.h"
#include "Refusal.h"
#include "TempFolder.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <sys/resource.h>

using namespace lci;

namespace {
using BundleTest = FolderTest;
/// A change of a bundle and of the function that runs it, and the resulting error.
using Contradictions =
    std::vector<std::pair<std::function<void(Bundle &, FunctionForm &)>, const char *>>;

/// A value of six tokens, `A`, and a parameter, `p`.
FunctionForm makeForm(const std::string &symbol) {
  FunctionForm form{symbol, {}, {"A.changed"}};
  SlotForm value;
  value.role = Role::State;
  value.name = "A";
  value.kind = ElementKind::I8;
  value.isArray = true;
  value.extents = {2, 3};
  value.low = {1, 0};
  value.high = {0, 2};
  value.vocabulary = 4;
  form.slots.push_back(value);
  SlotForm parameter;
  parameter.role = Role::Param;
  parameter.name = "p";
  parameter.elements = {{7}};
  form.slots.push_back(parameter);
  SlotForm first;
  first.role = Role::First;
  form.slots.push_back(first);
  return form;
}

Bundle makeBundle(const std::string &backend = "cpu", const std::string &target = "x86-64",
                  const std::string &code = "nothing") {
  Bundle bundle;
  bundle.name = "p";
  bundle.compiler = "0.1";
  bundle.program = digestOf("p", 1);
  bundle.described["the size 'W'"] = "3";
  bundle.defaults["parameter 'p'"] = "7";
  bundle.epochs = 12;
  bundle.arguments.params["p"] = Array::scalar(int64_t(7));
  bundle.arguments.enables["Lock"] = false;
  bundle.arguments.seed = 42;
  bundle.inputs["A"] = Array(DType::I8, {2, 3});
  bundle.stopsAtFixpoint = true;
  bundle.schedules["Log"] = {"Schedule", "red_black", 0};
  bundle.switches = {"Lock", "Rule"};
  bundle.codes.push_back(
      {backend, target, code, "binary", {{makeForm("p"), "plan p registers 3\nwrites\nend\n"}}});
  return bundle;
}

std::string errorOfLoading(const Bundle &bundle, const BundleMachine &machine = {}) {
  auto loaded = loadBundle(bundle, machine);
  return loaded ? "" : loaded.error();
}

void addSlot(FunctionForm &form, Role role, const std::string &name) {
  form.slots.push_back(form.slots.front());
  form.slots.back().role = role;
  form.slots.back().name = name;
}

FunctionForm &addFunction(Bundle &bundle, const std::string &symbol) {
  BundledCode &code = bundle.codes.front();
  code.functions.push_back(code.functions.front());
  code.functions.back().form.symbol = symbol;
  return code.functions.back().form;
}

/// The error of reading a bundle that is sealed with these contents.
std::string errorOfReading(const Bundle &bundle) {
  auto read = decodeBundle(encodeBundle(bundle), "b");
  return read ? "" : read.error();
}

void expectContradictions(const Contradictions &cases) {
  for (const auto &[change, message] : cases) {
    Bundle bundle = makeBundle();
    change(bundle, bundle.codes.front().functions.front().form);
    EXPECT_EQ(errorOfReading(bundle),
              std::string("'b': the bundle's parts contradict one another: ") + message);
  }
}
} // namespace

TEST_F(BundleTest, EverythingComesBack) {
  Bundle bundle = makeBundle();
  bundle.zeros = {"Image"};
  auto read = decodeBundle(encodeBundle(bundle), "b");
  ASSERT_TRUE(read);
  EXPECT_EQ(encodeBundle(*read), encodeBundle(bundle));
  EXPECT_EQ(read->name, "p");
  EXPECT_EQ(read->described.at("the size 'W'"), "3");
  EXPECT_EQ(read->defaults.at("parameter 'p'"), "7");
  EXPECT_EQ(read->epochs, 12);
  EXPECT_EQ(read->arguments.seed, 42u);
  EXPECT_FALSE(read->arguments.enables.at("Lock"));
  EXPECT_EQ(read->switches, bundle.switches);
  EXPECT_EQ(read->zeros, bundle.zeros);
  EXPECT_TRUE(read->stopsAtFixpoint);
  EXPECT_TRUE(read->schedules == bundle.schedules);
  const SlotForm &slot = read->codes.front().functions.front().form.slots.front();
  EXPECT_EQ(slot.low, (std::vector<int64_t>{1, 0}));
  EXPECT_EQ(slot.vocabulary, 4);
  EXPECT_EQ(read->values().size(), 1u);
}

TEST_F(BundleTest, WhatIsDamagedOrForeignIsRefused) {
  std::vector<uint8_t> good = encodeBundle(makeBundle());
  for (size_t at = 0; at < good.size(); at += 7) {
    std::vector<uint8_t> bad = good;
    bad[at] ^= 1;
    EXPECT_FALSE(decodeBundle(bad, "b")) << at;
  }
  for (size_t size = 0; size < good.size(); size += 13)
    EXPECT_FALSE(decodeBundle({good.begin(), good.begin() + static_cast<long>(size)}, "b"));
  std::vector<uint8_t> later = good;
  later[8] = kBundle.version + 1;
  EXPECT_EQ(decodeBundle(later, "b").error(), "'b': expected bundle version " +
                                                  std::to_string(kBundle.version) + ", but got " +
                                                  std::to_string(kBundle.version + 1));
  EXPECT_EQ(decodeBundle({'P', 'K'}, "b").error(), "'b': not a bundle");
  good.back() ^= 1;
  EXPECT_EQ(decodeBundle(good, "b").error(),
            "'b': the bundle is damaged (its digest does not match its contents)");
}

TEST_F(BundleTest, WhatCannotBeIsMalformed) {
  const std::string malformed = "'b': the bundle's contents are malformed";
  auto change = [&](auto change) {
    Bundle bundle = makeBundle();
    change(bundle.codes.front().functions.front().form.slots.front());
    return errorOfReading(bundle);
  };
  EXPECT_EQ(change([](SlotForm &) {}), "");
  EXPECT_EQ(change([](SlotForm &slot) { slot.extents[0] = -1; }), malformed);
  EXPECT_EQ(change([](SlotForm &slot) { slot.high.clear(); }), malformed);
  EXPECT_EQ(change([](SlotForm &slot) { slot.components = -2; }), malformed);
  EXPECT_EQ(change([](SlotForm &slot) { slot.isArray = false; }), malformed);
  EXPECT_EQ(change([](SlotForm &slot) { slot.extents = {1 << 30, 1 << 30}; }), malformed);
  EXPECT_EQ(change([](SlotForm &slot) { slot.kind = static_cast<ElementKind>(9); }), malformed);
  std::vector<uint8_t> unknown = encodeBundle(makeBundle());
  const std::string known = "state", word = "sttae";
  auto role = std::search(unknown.begin(), unknown.end(), known.begin(), known.end());
  ASSERT_NE(role, unknown.end());
  std::copy(word.begin(), word.end(), role);
  EXPECT_EQ(decodeBundle(seal(kBundle, {unknown.begin() + 48, unknown.end()}), "b").error(),
            malformed);
  Bundle empty = makeBundle();
  empty.codes.clear();
  EXPECT_EQ(errorOfReading(empty), malformed);
}

TEST_F(BundleTest, ArgumentsThatContradictOneAnotherAreRefused) {
  expectContradictions({{[](Bundle &, FunctionForm &run) { run.slots[1].role = Role::State; },
                         "expected the state 'p' of 'p' to be an array"},
                        {[](Bundle &, FunctionForm &run) { run.slots[0].role = Role::Seed; },
                         "expected the seed 'A' of 'p' to be a number"},
                        {[](Bundle &, FunctionForm &run) { run.slots[0].vocabulary = 257; },
                         "the state 'A' of 'p' cannot have such elements"},
                        {[](Bundle &, FunctionForm &run) { run.slots[0].components = 3; },
                         "the state 'A' of 'p' cannot have such elements"},
                        {[](Bundle &, FunctionForm &run) { addSlot(run, Role::Observation, "o"); },
                         "the observation 'o' of 'p' cannot have such elements"},
                        {[](Bundle &, FunctionForm &run) { run.slots[2].role = Role::Last; },
                         "'p' has no argument of the role 'first'"},
                        {[](Bundle &, FunctionForm &run) {
                           addSlot(run, Role::Counts, "");
                           run.counters.resize(7);
                         },
                         "'p' has 7 counters, but no array of integers for all of them"},
                        {[](Bundle &, FunctionForm &run) { addSlot(run, Role::Persistent, "B"); },
                         "expected the storage 'B' of 'p' to be one of 'p'"}});
}

TEST_F(BundleTest, FunctionsThatContradictOneAnotherAreRefused) {
  expectContradictions(
      {{[](Bundle &bundle, FunctionForm &) { addFunction(bundle, "p.observe"); },
        "'p.observe' has no argument of the role 'epoch'"},
       {[](Bundle &bundle, FunctionForm &) {
          addFunction(bundle, "p.rejections").slots[2].role = Role::Epoch;
        },
        "'p.rejections' has no argument of the role 'before'"},
       {[](Bundle &bundle, FunctionForm &) {
          addFunction(bundle, "p.init").slots[0].extents = {2, 4};
        },
        "expected the state 'A' of 'p.init' to be one of 'p'"},
       {[](Bundle &bundle, FunctionForm &) { addFunction(bundle, "q"); },
        "'q' is no function of 'p', or is there twice"},
       {[](Bundle &bundle, FunctionForm &) { addFunction(bundle, "p"); },
        "'p' is no function of 'p', or is there twice"},
       {[](Bundle &bundle, FunctionForm &) {
          bundle.codes.push_back(bundle.codes.front());
          bundle.codes.back().backend = "cuda";
          bundle.codes.back().functions.front().form.slots[0].name = "B";
        },
        "the code for 'cuda' is of other values"},
       {[](Bundle &bundle, FunctionForm &) { bundle.arguments.params["p"] = Array::scalar(0.5); },
        "the parameter 'p' is of the type float64"},
       {[](Bundle &bundle, FunctionForm &) {
          bundle.arguments.regions["r"] = Array(DType::I8, {4});
        },
        "'r' is no mask, but of the type int8"}});
}

// The code of one bundle is not run with the description of another one, even in a sealed file.
TEST_F(BundleTest, CodeSaysWhatItWasMadeFor) {
  Bundle other = makeBundle();
  other.codes.front().functions.front().form.slots[0].extents = {2, 4};
  std::vector<uint8_t> mixed = encodeBundle(makeBundle()), file = encodeBundle(other);
  auto lineIn = [](std::vector<uint8_t> &bytes) {
    const std::string begin = "\n// made for ";
    return std::search(bytes.begin(), bytes.end(), begin.begin(), begin.end());
  };
  std::copy_n(lineIn(file), 78, lineIn(mixed));
  std::vector<uint8_t> sealed = seal(kBundle, {mixed.begin() + 48, mixed.end()});
  EXPECT_EQ(decodeBundle(sealed, "b").error(),
            "'b': expected code that was made for what the bundle says of it, but got code of "
            "another bundle");
  EXPECT_TRUE(decodeParts(sealed, "b"));
}

// Flips every bit outside of the code, in a file that is sealed again.
TEST_F(BundleTest, WhatIsChangedAndSealedAgainIsRefused) {
  std::vector<uint8_t> good = encodeBundle(makeBundle());
  std::vector<uint8_t> payload(good.begin() + 48, good.end());
  auto isCode = [&](size_t at) { // `nothing`, `binary` and their beginnings
    std::string text(payload.begin(), payload.end());
    size_t code = text.find("nothing"), binary = text.find("binary");
    return (at >= code && at < code + 7) || (at >= binary && at < binary + 6);
  };
  for (size_t bit = 0; bit < 8 * payload.size(); ++bit) {
    std::vector<uint8_t> bad = payload;
    bad[bit / 8] ^= uint8_t(1) << bit % 8;
    Result<Bundle> read = decodeBundle(seal(kBundle, bad), "b");
    EXPECT_EQ(bool(read), isCode(bit / 8)) << bit;
  }
}

TEST_F(BundleTest, AStateThatDoesNotFitIsRefused) {
  Bundle large = makeBundle("cuda", "sm_80", ".version 7.0\n");
  large.codes.front().functions.front().form.slots[0].extents = {1 << 18, 1 << 18};
  EXPECT_EQ(errorOfLoading(large, {"cuda", 0, LCI_FAKE_CUDA})
                .rfind("the state of the program is too large for memory: it needs 64.0 GiB", 0),
            0u);
}

TEST_F(BundleTest, AMachineThatCannotRunItSaysWhy) {
  EXPECT_EQ(errorOfLoading(makeBundle("cuda", "sm_80", ".version 7.0\n"), {"cpu"}),
            "the bundle has no code for the back end 'cpu', but for 'cuda'");
  EXPECT_EQ(errorOfLoading(makeBundle("cpu", "x86-64-v9")),
            "the bundle's code is for processors of the level 'x86-64-v9', which this one has not");
  EXPECT_EQ(errorOfLoading(makeBundle()).rfind("cannot load compiled code: ", 0), 0u);
  std::vector<uint8_t> other = *readFile(LCI_FAKE_CUDA);
  EXPECT_EQ(errorOfLoading(makeBundle("cpu", "x86-64", {other.begin(), other.end()})),
            "expected compiled code with the function 'lci.entry.p'");
  EXPECT_EQ(
      errorOfLoading(makeBundle("cuda", "sm_80", ".version 7.0\n"), {"cuda", 0, "libnone.so"}),
      "no GPU can be used: NVIDIA's driver library 'libnone.so' is not on this machine; "
      "--backend=cpu needs none");
  EXPECT_EQ(
      errorOfLoading(makeBundle("cuda", "sm_80", ".version 7.0\n"), {"cuda", 0, LCI_FAKE_CUDA}),
      "");
}

TEST_F(BundleTest, MachineCodeIsForItsChipAlone) {
  BundleMachine fake{"cuda", 0, LCI_FAKE_CUDA}; // an sm_90
  EXPECT_EQ(errorOfLoading(makeBundle("cuda", "sm_80", ".version 7.0\n"), fake), "");
  EXPECT_EQ(errorOfLoading(makeBundle("cuda", "sm_90", ".version 7.0\n"), fake),
            "the CUDA driver could not load the kernels for Fake GPU: "
            "CUDA_ERROR_NO_BINARY_FOR_GPU; it says: line 1: this is no PTX");
  Bundle withoutBinary = makeBundle("cuda", "sm_90", ".version 7.0\n");
  withoutBinary.codes.front().binary.clear();
  EXPECT_EQ(errorOfLoading(withoutBinary, fake), "");
}

TEST_F(BundleTest, WithoutFilesThereIsNoCode) {
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  std::string error = errorOfLoading(makeBundle());
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(error, "cannot keep compiled code in memory: Too many open files");
}

TEST_F(BundleTest, OnlyWhatMayBeChangedIs) {
  auto opened = BundleProgram::open(makeBundle("cuda", "sm_80", ".version 7.0\n"),
                                    {"cuda", 0, LCI_FAKE_CUDA});
  ASSERT_TRUE(opened);
  BundleProgram &program = **opened;
  EXPECT_TRUE(program.setParameter("p", Array::scalar(int64_t(9))));
  EXPECT_EQ(program.setParameter("q", Array()).error(),
            "expected one of the bundle's parameters ('p'), but got 'q'; sizes, and what the "
            "program computes, were bound when it was made");
  EXPECT_EQ(program.setParameter("p", Array(DType::I64, {2})).error(),
            "expected shape () for the parameter 'p', but got (2,)");
  EXPECT_EQ(program.setParameter("p", Array::scalar(1.5)).error(),
            "expected 32-bit integers for the parameter 'p', but got 1.5");
  EXPECT_TRUE(program.setEnabled("Rule", false));
  EXPECT_EQ(program.setEnabled("Fule", false).error(),
            "expected one of the program's rules and constraints ('Lock', 'Rule'), but got 'Fule'");
  EXPECT_EQ(program.setInput("B", Array()).error(),
            "expected one of the program's values ('A'), but got 'B'");
  EXPECT_EQ(program.setInput("A", Array(DType::I8, {3, 2})).error(),
            "expected shape (2, 3) for 'A', but got (3, 2)");
  Array wild(DType::I32, {2, 3});
  wild.setInt(4, 4);
  EXPECT_EQ(program.setInput("A", wild).error(),
            "expected tokens of 'A' in -1 .. 3, but got 4 at [1, 1]");
  Bundle needing = makeBundle("cuda", "sm_80", ".version 7.0\n");
  needing.full["A"] = "rule 'R' reads A[x]";
  needing.inputs["A"].setInt(4, -1);
  EXPECT_EQ(
      BundleProgram::open(needing, {"cuda", 0, LCI_FAKE_CUDA}).error(),
      "expected a token in every cell of 'A', because rule 'R' reads A[x], but got -1 at [1, 1]");
  Bundle gathering = makeBundle("cuda", "sm_80", ".version 7.0\n");
  gathering.fixedParameters = true;
  auto fixed = BundleProgram::open(gathering, {"cuda", 0, LCI_FAKE_CUDA});
  ASSERT_TRUE(fixed);
  EXPECT_EQ(
      (*fixed)->setParameter("p", Array::scalar(int64_t(9))).error(),
      "expected the parameters that the bundle was made with, which are compiled in or by which "
      "cells are looked up, but got another 'p'");
  // The same number is no other one, whatever its type.
  Array same(DType::I8, {});
  same.setInt(0, (*fixed)->arguments().params.at("p").intAt(0));
  EXPECT_TRUE((*fixed)->setParameter("p", same));
}

// Arguments given before a group is added hold for both, later ones for one.
TEST_F(BundleTest, GroupsAreGivenWhatTheirProgramWas) {
  Array tokens(DType::I8, {2, 3});
  for (int i = 0; i < 6; ++i)
    tokens.setInt(i, i % 4);
  auto first = BundleProgram::open(makeBundle("cuda", "sm_80", ".version 7.0\n"),
                                   {"cuda", 0, LCI_FAKE_CUDA});
  ASSERT_TRUE(first && (*first)->setParameter("p", Array::scalar(int64_t(7))) &&
              (*first)->setInput("A", tokens));
  (*first)->setSeed(3);
  ASSERT_TRUE((*first)->start());
  auto second = (*first)->another();
  ASSERT_TRUE(second) << second.error();
  EXPECT_EQ((*second)->arguments().seed, 3u);
  EXPECT_EQ((*second)->value("A")->intAt(3), 0); // it has not started
  ASSERT_TRUE((*second)->start());
  EXPECT_TRUE(*(*second)->value("A") == *(*first)->value("A"));
  (*second)->setSeed(4);
  ASSERT_TRUE((*second)->setInput("A", Array(DType::I8, {2, 3})) && (*second)->start());
  EXPECT_EQ((*first)->arguments().seed, 3u);
  EXPECT_EQ((*first)->value("A")->intAt(3), 3);
  EXPECT_EQ((*second)->value("A")->intAt(3), 0);
  EXPECT_EQ(&(*first)->bundle(), &(*second)->bundle());
}

TEST_F(BundleTest, GroupsThatTheDriverRefusesAreErrors) {
  auto first = BundleProgram::open(makeBundle("cuda", "sm_80", ".version 7.0\n"),
                                   {"cuda", 0, LCI_FAKE_CUDA});
  ASSERT_TRUE(first);
  EXPECT_EQ(refusalOfAnother(**first),
            "'p': the CUDA driver could not make a stream: CUDA_ERROR_OUT_OF_MEMORY (out of "
            "memory)");
}

TEST_F(BundleTest, ABundleIsToldByItsNameAndItsBytes) {
  EXPECT_TRUE(isBundleName("a/b.bundle"));
  EXPECT_FALSE(isBundleName("b.lmpm") || isBundleName("bundle") || isBundleName("b.bundle.lmpm"));
  std::vector<uint8_t> bytes = encodeBundle(makeBundle());
  EXPECT_TRUE(isBundle(bytes.data(), bytes.size()));
  EXPECT_FALSE(isBundle(bytes.data(), 7) || isBundle("value A : Token[2]", 18));
}

TEST_F(BundleTest, NamesAreSplitFromWhatTheyGet) {
  EXPECT_EQ(splitName("p=a=b", "--set")->text, "a=b");
  for (const char *wrong : {"p", "=1", "p="})
    EXPECT_EQ(splitName(wrong, "--set").error(),
              "expected --set NAME=VALUE, but got '" + std::string(wrong) + "'");
}
