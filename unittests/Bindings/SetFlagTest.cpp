//===- SetFlagTest.cpp - Flags that override the bindings -----------------===//
#include "LCI/Bindings/Bindings.h"
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Npy.h"
#include "TempFolder.h"

using namespace lci;

namespace {
class SetFlagTest : public FolderTest {
protected:
  Bindings parse(const std::string &text) {
    std::vector<BindingError> errors;
    Bindings bindings = Bindings::parse(text, path("b.json"), errors);
    EXPECT_TRUE(errors.empty());
    return bindings;
  }
};

TEST_F(SetFlagTest, FlagsWin) {
  Bindings b = parse(R"({"sizes": {"W": 4}, "params": {"beta": 1, "gamma": 2}})");
  ASSERT_TRUE(b.set("W=512"));
  ASSERT_TRUE(b.set("beta=0.44"));
  ASSERT_TRUE(b.set("level=[0, 0.5]"));
  ASSERT_TRUE(b.set("W1=dir/w.safetensors#W1"));
  EXPECT_EQ(b.size("W")->value, 512);
  EXPECT_EQ(b.size("W")->location.str(), "--set W=512");
  EXPECT_EQ(b.param("beta")->numbers->doubleAt(0), 0.44);
  EXPECT_EQ(b.param("gamma")->numbers->intAt(0), 2);
  EXPECT_EQ(b.param("level")->numbers->size(), 2);
  EXPECT_EQ(b.param("W1")->path, "dir/w.safetensors#W1");
}

TEST_F(SetFlagTest, InputFlagsGiveValuesAndParameters) {
  Bindings b = parse(R"({"inputs": {"A": "a.npy"}, "params": {"P": 1}})");
  ASSERT_TRUE(b.setInput("A=x/other.npy"));
  ASSERT_TRUE(b.setInput("P=p.npy"));
  EXPECT_EQ(b.input("A")->path, "x/other.npy");
  EXPECT_EQ(b.param("P")->path, "p.npy");
}

TEST_F(SetFlagTest, MalformedFlagsAreErrors) {
  Bindings b;
  EXPECT_EQ(b.set("W").error(), "expected --set NAME=VALUE, but got 'W'");
  EXPECT_EQ(b.set("=1").error(), "expected --set NAME=VALUE, but got '=1'");
  EXPECT_EQ(b.set("W=").error(), "expected --set NAME=VALUE, but got 'W='");
  EXPECT_EQ(b.set("W=many").error(),
            "expected a number, an array of numbers or a file in --set W=many, but got 'many'");
  EXPECT_EQ(b.set("W=[[1],[2,3]]").error(), "--set W=[[1],[2,3]]: expected nested arrays of one "
                                            "shape, but got lengths 1 and 2");
  EXPECT_EQ(b.set("W=null").error(), "--set W=null: expected numbers, but got null");
  EXPECT_EQ(b.setInput("A").error(), "expected --input NAME=FILE, but got 'A'");
}

TEST_F(SetFlagTest, FlagsSayWhatTheyGive) {
  Bindings b;
  ASSERT_TRUE(b.set("beta=0.5"));
  ASSERT_TRUE(b.set("W=1"));
  ASSERT_TRUE(b.setInput("A=a.npy"));
  EXPECT_EQ(b.setNames(), (std::vector<std::string>{"W", "beta"}));
  EXPECT_EQ(b.inputNames(), (std::vector<std::string>{"A"}));
}

TEST_F(SetFlagTest, ASizeIsNotLeftToTheFileIfTheFlagIsNone) {
  for (const char *flag : {"W=-1", "W=2.5", "W=99999999999999999999", "W=[1]", "W=w.npy"}) {
    Bindings b = parse(R"({"sizes": {"W": 4}})");
    ASSERT_TRUE(b.set(flag));
    EXPECT_EQ(b.size("W"), nullptr) << flag;
  }
}

TEST_F(SetFlagTest, OfTwoFlagsForOneNameNoneIsDropped) {
  Bindings b = parse("{}");
  ASSERT_TRUE(b.set("W=8") && b.set("beta=0.5") && b.setInput("A=a.npy"));
  EXPECT_EQ(b.set("W=8").error(), "--set gives 'W' twice");
  EXPECT_EQ(b.set("beta=0.5").error(), "--set gives 'beta' twice");
  EXPECT_EQ(b.setInput("A=b.npy").error(), "--input gives 'A' twice");
}

TEST_F(SetFlagTest, FilesAreThoseThatAreRead) {
  Bindings b = parse(R"({"params": {"p": "p.npy", "n": 1}, "inputs": {"A": "w.npz#a"},
                         "regions": {"R": {"mask": "m.npy"}},
                         "models": {"M": {"file": "m.mlir", "function": "F"}}})");
  ASSERT_TRUE(b.setInput("B=b.npy"));
  std::map<std::string, std::string> files;
  for (const FileUse &file : b.files())
    files[file.what] = std::filesystem::path(file.path).filename().string();
  EXPECT_EQ(files, (std::map<std::string, std::string>{{"the bindings", "b.json"},
                                                       {"the file of parameter 'p'", "p.npy"},
                                                       {"the file of parameter 'n'", ""},
                                                       {"the file of input 'A'", "w.npz"},
                                                       {"the file of input 'B'", "b.npy"},
                                                       {"the mask of region 'R'", "m.npy"},
                                                       {"the file of model 'M'", "m.mlir"},
                                                       {"the weights of model 'M'", ""}}));
}

TEST_F(SetFlagTest, ArraysAreLoadedByTheNameOfTheirFile) {
  Array array(DType::F32, {2});
  array.setDouble(1, 0.25);
  ASSERT_TRUE(writeNpy(path("a.npy"), array));
  ASSERT_TRUE(writeFileAtomically(path("w.safetensors"), encodeSafeTensors({{"W1", array}})));
  Bindings b = parse(R"({"params": {"a": "a.npy", "w": "w.safetensors#W1", "n": [1, 2]}})");
  for (const char *name : {"a", "w"}) {
    Result<Array> loaded = loadArray(*b.param(name));
    ASSERT_TRUE(loaded) << loaded.error();
    EXPECT_EQ(*loaded, array);
  }
  EXPECT_EQ(loadArray(*b.param("n"))->size(), 2);
  EXPECT_EQ(loadArray("w.safetensors").error(),
            "expected 'w.safetensors#NAME' with the name of an array in the file");
  EXPECT_EQ(loadArray("w.txt").error(),
            "expected a .npy, .npz#NAME or .safetensors#NAME file, but got 'w.txt'");
}
} // namespace
