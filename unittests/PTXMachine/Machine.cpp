//===- Machine.cpp - Blocks and warps that run PTX ------------------------===//

#include "Machine.h"
#include <algorithm>

using namespace lci::ptx;

static std::string show(Sides place) {
  return "(" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + ", " +
         std::to_string(place[2]) + ")";
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

Warp::Warp(BlockState &block, unsigned first, unsigned count)
    : block(block), first(first), there(count == kLanes ? ~0U : (1U << count) - 1),
      groups{{0, there}}, registers(block.launch.kernel.numRegisters),
      local(kLanes, std::vector<unsigned char>(block.launch.kernel.localBytes, 0xA5)) {}

const uint64_t *Warp::lanesOf(const Operand &operand, Lanes &scratch) const {
  if (operand.form == Operand::Register)
    return registers[operand.index].data();
  for (unsigned lane = 0; lane < kLanes; ++lane)
    scratch[lane] = read(operand, lane);
  return scratch.data();
}

Sides Warp::threadOf(unsigned lane) const {
  const Sides &sides = block.launch.threads;
  unsigned number = first + lane;
  return {number % sides[0], number / sides[0] % sides[1], number / sides[0] / sides[1]};
}

uint64_t Warp::readSpecial(unsigned number, unsigned lane) const {
  unsigned axis = number % 3;
  switch (number - axis) {
  case ThreadIndex:
    return threadOf(lane)[axis];
  case BlockIndex:
    return block.block[axis];
  case BlockSize:
    return block.launch.threads[axis];
  default:
    return block.launch.blocks[axis];
  }
}

void Warp::fail(const Instruction &instruction, unsigned lane, const std::string &message) {
  if (block.error.empty())
    block.error = "kernel '" + block.launch.kernel.name + "', line " +
                  std::to_string(instruction.line) + ", '" + instruction.name + "', block " +
                  show(block.block) + ", thread " + show(threadOf(lane)) + ": " + message;
}

unsigned char *Warp::access(const Instruction &instruction, const Operand &address, unsigned lane,
                            uint64_t bytes, const unsigned char *written) {
  uint64_t place = read(address.parts[0], lane) + address.bits;
  Space space = instruction.space;
  if (space == Space::Generic)
    space = place & kLocalAddress ? Space::Local : Space::Global;
  if (space == Space::Local)
    place &= ~kLocalAddress;
  if (place % bytes != 0) {
    fail(instruction, lane, "the address is no multiple of " + std::to_string(bytes));
    return nullptr;
  }
  std::vector<unsigned char> &own = space == Space::Shared  ? block.shared
                                    : space == Space::Local ? local[lane]
                                                            : block.parameters;
  bool isGlobal = space == Space::Global;
  if (isGlobal ? !block.memory.covers(place, bytes) : place + bytes > own.size()) {
    fail(instruction, lane, "the address is in no array");
    return nullptr;
  }
  unsigned char *there = isGlobal ? reinterpret_cast<unsigned char *>(place) : own.data() + place;
  unsigned thread = first + lane;
  bool isRaceFree = true;
  if (space == Space::Shared)
    isRaceFree = note(block.uses, place, there, bytes, thread, written);
  else if (isGlobal && block.global && !instruction.isAtomic())
    isRaceFree = note(*block.global, place, there, bytes, block.firstThread + thread, written);
  if (isRaceFree)
    return there;
  fail(instruction, lane, "another thread uses the same bytes, and no barrier is between");
  return nullptr;
}

/// Records an access for race detection.
bool Warp::note(Uses &uses, uint64_t place, const unsigned char *there, uint64_t bytes,
                unsigned thread, const unsigned char *written) const {
  if (!written)
    return uses.read(place, bytes, {thread, time});
  bool changes[16];
  for (uint64_t i = 0; i < bytes; ++i)
    changes[i] = written[i] != there[i];
  return uses.write(place, bytes, {thread, time}, changes);
}

uint32_t Warp::guarded(const Instruction &instruction, uint32_t mask) const {
  if (instruction.guard < 0)
    return mask;
  uint32_t said = 0;
  forLanes(mask, [&](unsigned lane) {
    bool is = registers[static_cast<unsigned>(instruction.guard)][lane] & 1;
    said |= is != instruction.isNegated ? 1U << lane : 0;
  });
  return said;
}

void Warp::run() {
  while (block.error.empty()) {
    Group *next = nullptr;
    for (Group &group : groups)
      if (!group.isAtBarrier && !group.isWaiting && (!next || group.at < next->at))
        next = &group;
    if (!next)
      break;
    advance(*next);
    merge();
  }
  for (const Group &group : groups)
    if (group.isWaiting)
      fail(block.launch.kernel.instructions[group.at],
           static_cast<unsigned>(__builtin_ctz(group.mask)),
           "not all threads of the warp that this is for come here");
}

/// Runs a group, as long as its threads stay together and meet no others.
void Warp::advance(Group &group) {
  size_t limit = ~size_t(0); // where others are
  for (const Group &other : groups)
    if (&other != &group && other.at >= group.at)
      limit = std::min(limit, other.at);
  const std::vector<Instruction> &instructions = block.launch.kernel.instructions;
  do {
    if (group.at >= instructions.size()) {
      fail(instructions.back(), static_cast<unsigned>(__builtin_ctz(group.mask)),
           "the kernel goes on behind its end");
      return;
    }
    const Instruction &instruction = instructions[group.at];
    uint32_t mask = guarded(instruction, group.mask);
    switch (instruction.flow) {
    case Flow::Branch:
      return branch(group, instruction, mask);
    case Flow::End:
      there &= ~mask;
      group.mask &= ~mask;
      ++group.at;
      return;
    case Flow::Barrier:
      group.isAtBarrier = true;
      return;
    case Flow::Together:
      if (!areAllHere(instruction, group)) {
        group.isWaiting = true;
        return;
      }
      ++time;
      [[fallthrough]];
    case Flow::Next:
      if (mask)
        instruction.step(*this, instruction, mask);
      ++group.at;
    }
  } while (group.at < limit && block.error.empty());
}

void Warp::branch(Group &group, const Instruction &instruction, uint32_t taken) {
  const Operand &to = instruction.operands.back();
  std::map<size_t, uint32_t> targets; // with the threads that go there
  if (to.form != Operand::Vector && taken)
    targets[to.bits] = taken;
  else
    forLanes(taken, [&](unsigned lane) {
      uint64_t number = read(instruction.operands[0], lane);
      if (number >= to.parts.size())
        return fail(instruction, lane, "there is no such label in the list");
      targets[to.parts[number].bits] |= 1U << lane;
    });
  if (taken == group.mask && targets.size() == 1) {
    group.at = targets.begin()->first;
    return;
  }
  group.mask &= ~taken;
  ++group.at;
  for (auto [target, mask] : targets)
    groups.push_back({target, mask});
}

/// Whether all threads named by an instruction's last operand are in a group, except those that
/// have ended or never existed. A matrix product needs whole warps.
bool Warp::areAllHere(const Instruction &instruction, const Group &group) {
  bool isForAll = instruction.operands.back().form == Operand::Vector;
  auto lane = static_cast<unsigned>(__builtin_ctz(group.mask));
  if (isForAll && ~there)
    fail(instruction, lane, "threads of the warp have ended, or never were");
  auto named = isForAll ? ~0U : static_cast<uint32_t>(read(instruction.operands.back(), lane));
  return (named & there & ~group.mask) == 0;
}

/// Merges groups at the same instruction, and removes those without threads.
void Warp::merge() {
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t k = i + 1; k < groups.size(); ++k)
      if (groups[i].at == groups[k].at && groups[i].isAtBarrier == groups[k].isAtBarrier) {
        groups[i].mask |= groups[k].mask;
        groups[i].isWaiting = false;
        groups[k].mask = 0;
      }
  groups.erase(std::remove_if(groups.begin(), groups.end(),
                              [](const Group &group) { return group.mask == 0; }),
               groups.end());
}

unsigned Warp::countAtBarrier() {
  unsigned count = 0;
  for (const Group &group : groups) {
    const Instruction &instruction = block.launch.kernel.instructions[group.at];
    if (instruction.has("popc"))
      forLanes(group.mask,
               [&](unsigned lane) { count += read(instruction.operands[2], lane) & 1; });
  }
  return count;
}

void Warp::leaveBarrier(unsigned count) {
  for (Group &group : groups) {
    const Instruction &instruction = block.launch.kernel.instructions[group.at];
    if (instruction.has("popc"))
      forLanes(group.mask, [&](unsigned lane) { write(instruction.operands[0], lane, count); });
    group.isAtBarrier = false;
    ++group.at;
  }
  merge();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Runs the warps of a block from one barrier to the next, the last one first.
static void runBlock(BlockState &block) {
  const Sides &sides = block.launch.threads;
  unsigned threads = sides[0] * sides[1] * sides[2];
  std::vector<Warp> warps;
  for (unsigned first = 0; first < threads; first += kLanes)
    warps.emplace_back(block, first, std::min(kLanes, threads - first));
  while (block.error.empty()) {
    for (auto warp = warps.rbegin(); warp != warps.rend(); ++warp)
      warp->run();
    bool areDone = std::all_of(warps.begin(), warps.end(), [](Warp &w) { return w.isDone(); });
    if (areDone || !block.error.empty())
      return;
    unsigned count = 0;
    for (Warp &warp : warps)
      count += warp.countAtBarrier();
    for (Warp &warp : warps)
      warp.leaveBarrier(count);
    block.uses.meet();
  }
}

std::string lci::ptx::run(const Launch &launch, const Memory &memory, Uses *uses) {
  if (uses)
    uses->meet();
  for (unsigned z = launch.blocks[2]; z-- > 0;)
    for (unsigned y = launch.blocks[1]; y-- > 0;)
      for (unsigned x = launch.blocks[0]; x-- > 0;) {
        BlockState block(launch, memory, uses, {x, y, z});
        runBlock(block);
        if (!block.error.empty())
          return block.error;
      }
  return "";
}
