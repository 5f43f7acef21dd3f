//===- Memory.h - The memory of the machine ---------------------*- C++ -*-===//
//
// Allocations with bounds, and the recorded accesses by which races are found.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_UNITTESTS_PTXMACHINE_MEMORY_H
#define LCI_UNITTESTS_PTXMACHINE_MEMORY_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace lci::ptx {

/// Arrays of the host, by their addresses. Fresh memory is filled with an unlikely number.
class Memory {
public:
  /// Zero if there is not enough memory.
  uint64_t allocate(uint64_t bytes);
  /// False if there is no such array.
  bool release(uint64_t address);
  /// Registers memory of another owner, which must outlive its use.
  void add(uint64_t address, uint64_t bytes);
  void remove(uint64_t address);
  /// Whether these bytes lie in one array.
  bool covers(uint64_t address, uint64_t bytes) const;

private:
  std::map<uint64_t, uint64_t> arrays;              ///< bytes by address
  mutable std::pair<uint64_t, uint64_t> last{0, 0}; ///< cache of the last lookup
};

/// A thread, and its warp's count of synchronising instructions.
struct User {
  unsigned thread, time;
};

/// The threads that have accessed bytes since the last barrier of all threads. Two threads may not
/// access one byte, if one of them writes it: unless they are of one warp, which has synchronised
/// in between, or write the same value.
class Uses {
public:
  void meet() { ++meeting; }
  /// Records a read; returns false if it races with another thread's access.
  bool read(uint64_t place, uint64_t size, User user);
  /// The same for a write; `changes` tells for each byte whether its value changes.
  bool write(uint64_t place, uint64_t size, User user, const bool *changes);

private:
  static constexpr unsigned kNobody = ~0U, kSeveral = ~1U, kWarp = 32;
  static constexpr uint64_t kPage = 4096;
  struct Byte {
    unsigned meeting = 0;
    User writer{kNobody, 0}, reader{kNobody, 0};
  };
  Byte &find(uint64_t place);
  static bool isRaceFree(const User &other, const User &user);

  std::unordered_map<uint64_t, std::vector<Byte>> pages; ///< those that were used
  uint64_t last = ~uint64_t(0);                          ///< cache of the last lookup
  std::vector<Byte> *lastPage = nullptr;
  unsigned meeting = 1;
};

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_MEMORY_H
