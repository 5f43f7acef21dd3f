//===- Program.h - Parsed PTX -----------------------------------*- C++ -*-===//
//
// Types, operands, instructions and kernels of a parsed module, and the entry points of the parser
// and the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_PTXMACHINE_PROGRAM_H
#define LCI_UNITTESTS_PTXMACHINE_PROGRAM_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lci::ptx {

/// The interpretation of a type's bits. A predicate is one bit.
enum class Kind { Bits, Unsigned, Signed, Float };

/// `.u32`, `.f64`, `.pred`; `.f32x2` and `.s16x2` are two numbers.
struct Type {
  Kind kind = Kind::Bits;
  unsigned bits = 0, lanes = 1;

  unsigned bytes() const { return (bits * lanes + 7) / 8; }
};

/// An operand of an instruction.
struct Operand {
  enum Form {
    Register,  ///< `index`
    Immediate, ///< `bits`: a number, or a symbol's address
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
/// Executes an instruction for the threads of a warp whose bits are set.
using Step = void (*)(Warp &, const Instruction &, uint32_t mask);

/// The control flow after an instruction.
enum class Flow {
  Next,     ///< to the next one
  Branch,   ///< some threads to another one
  End,      ///< to none
  Barrier,  ///< to the next one, when all threads of the block are there
  Together, ///< to the next one, when all its threads of the warp are there
};

/// The state space of an access; a generic address contains it.
enum class Space { Generic, Global, Shared, Local, Parameters };
/// Set in generic addresses of a thread's local memory; others are global.
inline constexpr uint64_t kLocalAddress = uint64_t(1) << 62;

struct Instruction {
  std::string name;               ///< all of it: `add.rn.f32`
  std::vector<std::string> words; ///< the parts between its dots
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
  /// The types of the result and of the source operands.
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
  std::map<std::string, std::vector<unsigned char>> globals; ///< arrays, and their contents
};

/// Reads the text of a module. On failure the message begins with the line.
bool parse(const std::string &text, Module &module, std::string &error);

/// Determines the control flow and the function of an instruction; false if this machine does not
/// support it.
bool decode(Instruction &instruction);

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_PROGRAM_H
