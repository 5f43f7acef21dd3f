//===- BindingsTest.cpp - The bindings file and its errors ----------------===//
#include "LCI/Bindings/Bindings.h"
#include "LCI/Bindings/JsonIndex.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace lci;

namespace {
/// The errors of a text, one string each.
std::vector<std::string> errorsOf(const std::string &text) {
  std::vector<BindingError> errors;
  Bindings::parse(text, "b.json", errors);
  std::vector<std::string> texts;
  for (const BindingError &error : errors)
    texts.push_back(error.str());
  return texts;
}

/// The one error of a text.
std::string errorOf(const std::string &text) {
  std::vector<std::string> errors = errorsOf(text);
  EXPECT_EQ(errors.size(), 1u);
  return errors.empty() ? "no error" : errors.front();
}

TEST(BindingsTest, ReadsEverySection) {
  std::vector<BindingError> errors;
  Bindings b = Bindings::parse(R"({
    "sizes": {"W": 512, "VQ": 256},
    "params": {"beta": 0.44, "level": [0, 0.5, 1], "W1": "w.safetensors#W1", "m": [[1, 2], [3, 4]]},
    "inputs": {"Vid": "frames.npy"},
    "palettes": {"blue-ish": [7, [1, 2], 3, [2, 4]]},
    "regions": {"sky": {"rect": [[0, 31], [0, 3]]}, "given": {"mask": "g.npy"}},
    "models": {"Model": {"file": "m.mlir", "function": "LocalGen", "weights": "w.safetensors"}},
    "hard_priority": 500, "legalize": "recolor", "epochs": 20, "seed": 18446744073709551615
  })",
                               "dir/b.json", errors);
  ASSERT_TRUE(errors.empty()) << errors.front().str();
  ASSERT_TRUE(b.size("W"));
  EXPECT_EQ(b.size("W")->value, 512);
  EXPECT_EQ(b.size("W")->location.str(), "dir/b.json:2:15");
  EXPECT_FALSE(b.size("H"));
  EXPECT_EQ(b.param("beta")->numbers->dtype(), DType::F64);
  EXPECT_EQ(b.param("beta")->numbers->rank(), 0);
  EXPECT_EQ(b.param("level")->numbers->shape(), (std::vector<int64_t>{3}));
  EXPECT_EQ(b.param("level")->numbers->doubleAt(1), 0.5);
  EXPECT_EQ(b.param("W1")->path, "dir/w.safetensors#W1");
  EXPECT_EQ(b.param("m")->numbers->dtype(), DType::I64);
  EXPECT_EQ(b.param("m")->numbers->intAt(2), 3);
  EXPECT_EQ(b.input("Vid")->path, "dir/frames.npy");
  EXPECT_EQ(b.palette("blue-ish")->ranges,
            (std::vector<std::pair<int64_t, int64_t>>{{1, 4}, {7, 7}}));
  EXPECT_TRUE(b.palette("blue-ish")->contains(7));
  EXPECT_FALSE(b.palette("blue-ish")->contains(5));
  EXPECT_EQ(b.region("sky")->rect, (std::vector<std::pair<int64_t, int64_t>>{{0, 31}, {0, 3}}));
  EXPECT_EQ(b.region("given")->mask->path, "dir/g.npy");
  EXPECT_EQ(b.model("Model")->file, "dir/m.mlir");
  EXPECT_EQ(b.model("Model")->function, "LocalGen");
  EXPECT_EQ(b.model("Model")->weights, "dir/w.safetensors");
  EXPECT_EQ(b.hardPriority, 500);
  EXPECT_EQ(b.legalize, Legalize::Recolor);
  EXPECT_EQ(b.epochs, 20);
  EXPECT_EQ(b.seed, UINT64_MAX);
}

TEST(BindingsTest, MisspeltKeysAreErrorsWithAHint) {
  EXPECT_EQ(errorOf("{\n  \"size\": {}}"), "b.json:2:3: error: unknown key 'size'\n"
                                           "b.json:2:3: note: did you mean 'sizes'?");
  EXPECT_EQ(errorOf("{\"colour\": 1}"),
            "b.json:1:2: error: unknown key 'colour'\n"
            "b.json:1:2: note: expected one of: sizes, params, inputs, palettes, regions, models, "
            "hard_priority, legalize, epochs, seed");
  EXPECT_EQ(errorOf("{\"regions\": {\"sky\": {\"rekt\": [[0, 1]]}}}"),
            "b.json:1:22: error: unknown key 'rekt'\nb.json:1:22: note: did you mean 'rect'?");
  EXPECT_EQ(
      errorOf("{\"models\": {\"M\": {\"file\": \"m\", \"function\": \"f\", \"weight\": \"w\"}}}"),
      "b.json:1:49: error: unknown key 'weight'\nb.json:1:49: note: did you mean 'weights'?");
}

TEST(BindingsTest, SeveralErrorsInOneRunInTheOrderOfTheFile) {
  std::vector<std::string> errors =
      errorsOf("{\"seed\": -1,\n \"sizes\": {\"W\": -1,\n  \"H\": 2.5}}");
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0], "b.json:1:2: error: expected a natural number below 2^64 for 'seed', but "
                       "got -1");
  EXPECT_EQ(errors[1],
            "b.json:2:12: error: expected a natural number for the size 'W', but got -1");
  EXPECT_EQ(errors[2],
            "b.json:3:3: error: expected a natural number for the size 'H', but got 2.5");
}

TEST(BindingsTest, WrongKindsAreNamed) {
  EXPECT_EQ(errorOf("[1]"),
            "b.json:1:1: error: expected a JSON object at the top, but got an array");
  EXPECT_EQ(errorOf("{\"sizes\": [1]}"),
            "b.json:1:2: error: expected an object for 'sizes', but got an array");
  EXPECT_EQ(errorOf("{\"inputs\": {\"A\": 3}}"),
            "b.json:1:13: error: expected a path for the input 'A', but got 3");
  EXPECT_EQ(errorOf("{\"legalize\": \"snap\"}"), "b.json:1:2: error: expected \"snapshot\", "
                                                 "\"recolor\" or \"strict\" for 'legalize', but "
                                                 "got \"snap\"");
  EXPECT_EQ(errorOf("{\"epochs\": null}"),
            "b.json:1:2: error: expected a natural number for 'epochs', but got null");
  EXPECT_EQ(errorOf("{\"palettes\": {\"p\": [1, [5, 2]]}}"),
            "b.json:1:24: error: expected a token or a range [low, high] in the palette 'p', but "
            "got [5,2]");
  EXPECT_EQ(errorOf("{\"palettes\": {\"p\": 1}}"),
            "b.json:1:15: error: expected a list of tokens or [low, high] ranges for the palette "
            "'p', but got 1");
  EXPECT_EQ(errorOf("{\"regions\": {\"r\": {\"rect\": [[0, 1], [3]]}}}"),
            "b.json:1:37: error: expected a range [low, high] in the region 'r', but got [3]");
  EXPECT_EQ(errorOf("{\"regions\": {\"r\": {\"rect\": []}}}"),
            "b.json:1:20: error: expected a list of [low, high] ranges, one for each axis, for the "
            "region 'r', but got an array");
  EXPECT_EQ(errorOf("{\"regions\": {\"r\": {\"mask\": 1}}}"),
            "b.json:1:20: error: expected a path for the mask of the region 'r', but got 1");
  EXPECT_EQ(errorOf("{\"regions\": {\"r\": {}}}"),
            "b.json:1:14: error: expected {\"rect\": [[low, high], …]} or {\"mask\": \"file\"} for "
            "the region 'r', but got an object");
  EXPECT_EQ(errorOf("{\"models\": {\"M\": {\"file\": \"m.mlir\"}}}"),
            "b.json:1:13: error: the model 'M' needs \"file\" and \"function\"");
  EXPECT_EQ(errorOf("{\"models\": {\"M\": {\"file\": 1, \"function\": \"f\"}}}"),
            "b.json:1:19: error: expected a string for 'file', but got 1");
  EXPECT_EQ(errorOf("{\"models\": {\"M\": 1}}"),
            "b.json:1:13: error: expected {\"file\": …, \"function\": …, \"weights\": …} for the "
            "model 'M', but got 1");
}

TEST(BindingsTest, RaggedArraysAreErrors) {
  EXPECT_EQ(errorOf("{\"params\": {\"a\": [[1, 2], [3]]}}"),
            "b.json:1:13: error: parameter 'a': expected nested arrays of one shape, but got "
            "lengths 2 and 1");
  EXPECT_EQ(errorOf("{\"params\": {\"a\": [1, [2]]}}"),
            "b.json:1:13: error: parameter 'a': expected nested arrays of one shape, but their "
            "depths differ");
  EXPECT_EQ(errorOf("{\"params\": {\"a\": [[2], 1]}}"),
            "b.json:1:13: error: parameter 'a': expected nested arrays of one shape, but their "
            "depths differ");
  EXPECT_EQ(errorOf("{\"params\": {\"a\": [1, null]}}"),
            "b.json:1:13: error: parameter 'a': expected numbers, but got null");
}

TEST(BindingsTest, BrokenJsonHasAPlace) {
  EXPECT_EQ(errorOf("{\n \"sizes\": {,}}").substr(0, 40),
            "b.json:2:12: error: not valid JSON: Expe");
  for (const char *text : {"", "{", "{\"sizes\"", "\xff\xfe", "{\"a\": \"\\u12\"}", "nul"})
    EXPECT_EQ(errorsOf(text).size(), 1u) << text;
}

TEST(BindingsTest, RepeatedKeysAreErrors) {
  EXPECT_EQ(errorOf("{\"sizes\": {\"W\": 1, \"W\": 2}}"), "b.json:1:20: error: 'W' appears twice");
  EXPECT_EQ(errorOf("{\"params\": {\"w\": [1, 2], \"w\": [3, 4]}}"),
            "b.json:1:26: error: 'w' appears twice"); // and nothing of its elements
}

TEST(BindingsTest, NegativeZeroStaysANumber) {
  std::vector<BindingError> errors;
  Bindings b = Bindings::parse("{\"params\": {\"z\": -0.0}}", "b.json", errors);
  EXPECT_EQ(b.param("z")->numbers->dtype(), DType::F64);
  EXPECT_TRUE(std::signbit(b.param("z")->numbers->doubleAt(0)));
}

TEST(BindingsTest, MissingFilesAreNamed) {
  std::vector<BindingError> errors;
  Bindings::read("no/such/b.json", errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].str(), "no/such/b.json: error: cannot open 'no/such/b.json': No such file or "
                             "directory");
}

TEST(BindingsTest, HintsFindSlipsOnly) {
  std::vector<std::string> names = {"VQ", "BPE", "blue-ish", "Model"};
  EXPECT_EQ(nearestName("vq", names), "VQ");
  EXPECT_EQ(nearestName("BPX", names), "BPE");
  EXPECT_EQ(nearestName("blueish", names), "blue-ish");
  EXPECT_EQ(nearestName("W", names), std::nullopt);
  EXPECT_EQ(nearestName("red", names), std::nullopt);
  std::vector<BindingError> errors;
  Bindings b = Bindings::parse("{\"palettes\": {\"blue-ish\": [1]}}", "b.json", errors);
  EXPECT_EQ(b.hintFor("palettes", "blueish"),
            "the bindings have 'blue-ish' in 'palettes'; did you mean that?");
  EXPECT_EQ(b.hintFor("palettes", "green"), "");
}

TEST(JsonIndexTest, FindsKeysElementsAndEnclosingPlaces) {
  JsonIndex index("{\n  \"ä\": {\"b\": [1, {\"c\": \"x\\\"}\"}]},\n\t\"d\": -1.5e3 }");
  auto at = [&](llvm::StringRef path) {
    TextPosition position = index.find(path);
    return std::to_string(position.line) + ":" + std::to_string(position.column);
  };
  EXPECT_EQ(at("/ä"), "2:3");
  EXPECT_EQ(at("/ä/b"), "2:10");
  EXPECT_EQ(at("/ä/b/1"), "2:19");
  EXPECT_EQ(at("/ä/b/1/c"), "2:20");
  EXPECT_EQ(at("/ä/b/1/c/none"), "2:20");
  EXPECT_EQ(at("/d"), "3:2");
  EXPECT_EQ(at("/none"), "1:1");
}
} // namespace
