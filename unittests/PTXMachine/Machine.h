//===- Machine.h - Blocks and warps that run PTX ----------------*- C++ -*-===//
//
// A SIMT interpreter: warps of 32 threads with divergence and reconvergence, blocks with barriers
// and shared memory, and checks of accesses and races.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_PTXMACHINE_MACHINE_H
#define LCI_UNITTESTS_PTXMACHINE_MACHINE_H

#include "Memory.h"
#include "Program.h"
#include <array>
#include <cstring>

namespace lci::ptx {

inline constexpr unsigned kLanes = 32;

using Sides = std::array<unsigned, 3>;
/// A register of each thread of a warp.
using Lanes = std::array<uint64_t, kLanes>;

/// A kernel on a grid, with the bytes of its parameters.
struct Launch {
  const Kernel &kernel;
  Sides blocks, threads;
  std::vector<unsigned char> parameters;
};

/// Runs all blocks of a launch, the last one first: neither in the order of a compiler's loop nor
/// as they are numbered. Returns the error and its location; nothing if all is well. With `uses`,
/// races in global memory are errors too, except between atomic operations.
std::string run(const Launch &launch, const Memory &memory, Uses *uses = nullptr);

/// The shared state of a block's threads.
struct BlockState {
  const Launch &launch;
  const Memory &memory;
  Uses *global; ///< of all blocks, if races are checked
  Sides block;
  unsigned firstThread; ///< its number among those of all blocks
  std::vector<unsigned char> shared, parameters;
  Uses uses;
  std::string error;

  BlockState(const Launch &launch, const Memory &memory, Uses *global, Sides block)
      : launch(launch), memory(memory), global(global), block(block),
        firstThread(((block[2] * launch.blocks[1] + block[1]) * launch.blocks[0] + block[0]) *
                    1024),
        shared(launch.kernel.sharedBytes, 0xA5), parameters(launch.parameters) {}
};

/// Some threads of a warp that are at the same instruction.
struct Group {
  size_t at;
  uint32_t mask;
  bool isAtBarrier = false;
  bool isWaiting = false; ///< for others of the warp
};

/// Up to 32 threads with consecutive numbers. The group furthest behind runs first, so that threads
/// reconverge where their paths meet.
class Warp {
public:
  Warp(BlockState &block, unsigned first, unsigned count);

  /// Runs all threads until they end or reach a barrier.
  void run();
  bool isDone() const { return groups.empty(); }
  /// The number of threads at a barrier whose predicate is true.
  unsigned countAtBarrier();
  /// Continues behind a barrier, with the count of true predicates.
  void leaveBarrier(unsigned count);

  // For instructions.
  uint64_t read(const Operand &operand, unsigned lane) const {
    if (operand.form == Operand::Register)
      return registers[operand.index][lane];
    return operand.form == Operand::Special ? readSpecial(operand.index, lane) : operand.bits;
  }
  void write(const Operand &operand, unsigned lane, uint64_t bits) {
    if (operand.form == Operand::Register)
      registers[operand.index][lane] = bits;
  }
  /// The values of an operand for all threads; those not in registers are collected in `scratch`.
  const uint64_t *lanesOf(const Operand &operand, Lanes &scratch) const;
  /// A register of all threads, as a destination.
  uint64_t *registerOf(const Operand &operand) { return registers[operand.index].data(); }
  /// The memory that an access addresses, as bytes of the host; null and an error if that is not
  /// allowed. A write passes the bytes written.
  unsigned char *access(const Instruction &instruction, const Operand &address, unsigned lane,
                        uint64_t bytes, const unsigned char *written);
  void fail(const Instruction &instruction, unsigned lane, const std::string &message);

private:
  void advance(Group &group);
  bool note(Uses &uses, uint64_t place, const unsigned char *there, uint64_t bytes, unsigned thread,
            const unsigned char *written) const;
  bool areAllHere(const Instruction &instruction, const Group &group);
  void branch(Group &group, const Instruction &instruction, uint32_t taken);
  void merge();
  uint32_t guarded(const Instruction &instruction, uint32_t mask) const;
  uint64_t readSpecial(unsigned number, unsigned lane) const;
  Sides threadOf(unsigned lane) const;

  BlockState &block;
  unsigned first;
  unsigned time = 1; ///< the number of synchronising instructions of the warp so far
  uint32_t there;    ///< the threads that have not ended
  std::vector<Group> groups;
  std::vector<Lanes> registers;
  std::vector<std::vector<unsigned char>> local; ///< of each thread
};

/// The bits of a register as a number.
template <typename T>
T as(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// A number as the bits of a register.
template <typename T>
uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Calls a function for each thread whose bit is set.
template <typename Function>
void forLanes(uint32_t mask, Function function) {
  for (; mask; mask &= mask - 1)
    function(static_cast<unsigned>(__builtin_ctz(mask)));
}

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_MACHINE_H
