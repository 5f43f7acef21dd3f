//===- Program.h - PTX as this machine runs it ------------------*- C++ -*-===//

#ifndef LCI_UNITTESTS_PTXMACHINE_PROGRAM_H
#define LCI_UNITTESTS_PTXMACHINE_PROGRAM_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lci::ptx {

/// What a type says of its bits. A predicate is bits, one of them.
enum class Kind { Bits, Unsigned, Signed, Float };

/// `.u32`, `.f64`, `.pred`; `.f32x2` and `.s16x2` are two numbers.
struct Type {
  Kind kind = Kind::Bits;
  unsigned bits = 0, lanes = 1;

  unsigned bytes() const { return (bits * lanes + 7) / 8; }
};

/// What an instruction works on.
struct Operand {
  enum Form {
    Register,  ///< `index`
    Immediate, ///< `bits`: a number, or a symbol's place
    Special,   ///< `%tid.x` and its like: `index`
    Vector,    ///< `{a, b}` and `a|b`: `parts`
    Address,   ///< `[base+offset]`: `parts` have the base, `bits` the offset
    Label,     ///< the number of an instruction, in `bits`
    Sink,      ///< `_`
  };
  Form form = Sink;
  unsigned index = 0;
  uint64_t bits = 0;
  std::vector<Operand> parts;
};

/// Special registers of three axes, by the number of the first one.
enum SpecialRegister : unsigned { ThreadIndex = 0, BlockIndex = 3, BlockSize = 6, GridSize = 9 };

class Warp;
struct Instruction;
/// Carries out an instruction for those threads of a warp whose bits are set.
using Step = void (*)(Warp &, const Instruction &, uint32_t mask);

/// How an instruction goes on.
enum class Flow {
  Next,     ///< with the next one
  Branch,   ///< some threads with another one
  End,      ///< not at all
  Barrier,  ///< when all threads of the block are there
  Together, ///< when all threads of the warp that it is for are there
};

/// Where an access goes; a generic address says so itself.
enum class Space { Generic, Global, Shared, Local, Parameters };
/// In generic addresses of a thread's own memory; others are global.
inline constexpr uint64_t kLocalAddress = uint64_t(1) << 62;

struct Instruction {
  std::string name;               ///< all of it: `add.rn.f32`
  std::vector<std::string> words; ///< what stands between its dots
  std::vector<Type> types;        ///< the types among these
  std::vector<Operand> operands;
  int guard = -1; ///< the predicate's register
  bool isNegated = false;
  unsigned line = 0;
  Flow flow = Flow::Next;
  Space space = Space::Generic;
  Step step = nullptr; ///< null for branches, ends and barriers

  bool has(const std::string &word) const;
  bool isAtomic() const { return words[0] == "atom" || words[0] == "red"; }
  /// The type of what it computes, and of what it computes that from.
  Type type() const { return types.empty() ? Type() : types.front(); }
  Type source() const { return types.empty() ? Type() : types.back(); }
};

struct Parameter {
  uint64_t offset = 0, bytes = 0;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Instruction> instructions;
  unsigned numRegisters = 0;
  uint64_t parameterBytes = 0, sharedBytes = 0, localBytes = 0;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::map<std::string, std::vector<unsigned char>> globals; ///< arrays, and what is in them
};

/// Reads the text of a module. On failure the message begins with the line.
bool parse(const std::string &text, Module &module, std::string &error);

/// Finds how an instruction goes on, and what carries it out; false if this machine does not know
/// it.
bool decode(Instruction &instruction);

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_PROGRAM_H
