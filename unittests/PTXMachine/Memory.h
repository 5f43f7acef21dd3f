//===- Memory.h - The memory of the machine ---------------------*- C++ -*-===//

#ifndef LCI_UNITTESTS_PTXMACHINE_MEMORY_H
#define LCI_UNITTESTS_PTXMACHINE_MEMORY_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace lci::ptx {

/// Arrays of the host, by their addresses. What is in them at first is no number that anybody would
/// expect.
class Memory {
public:
  /// Zero if there is not so much.
  uint64_t allocate(uint64_t bytes);
  /// False if there is no such array.
  bool release(uint64_t address);
  /// Makes memory of somebody else's known, which must stay there.
  void add(uint64_t address, uint64_t bytes);
  void remove(uint64_t address);
  /// Whether so many bytes are in one array.
  bool covers(uint64_t address, uint64_t bytes) const;

private:
  std::map<uint64_t, uint64_t> arrays;              ///< bytes by address
  mutable std::pair<uint64_t, uint64_t> last{0, 0}; ///< which one was looked at last
};

/// A thread, and how often its warp has done something together before.
struct User {
  unsigned thread, time;
};

/// Which threads have used bytes since all of them met last. Two of them may not have used one, if
/// one of both wrote it: unless they are of one warp, which has done something together since, or
/// wrote the same.
class Uses {
public:
  void meet() { ++meeting; }
  /// Takes down that somebody reads; false if another thread's use is not apart from it.
  bool read(uint64_t place, uint64_t size, User user);
  /// The same of a write, for each byte whether it changes what is there.
  bool write(uint64_t place, uint64_t size, User user, const bool *changes);

private:
  static constexpr unsigned kNobody = ~0U, kSeveral = ~1U, kWarp = 32;
  static constexpr uint64_t kPage = 4096;
  struct Byte {
    unsigned meeting = 0;
    User writer{kNobody, 0}, reader{kNobody, 0};
  };
  Byte &find(uint64_t place);
  static bool isApart(const User &other, const User &user);

  std::unordered_map<uint64_t, std::vector<Byte>> pages; ///< those that were used
  uint64_t last = ~uint64_t(0);                          ///< which one was looked at last
  std::vector<Byte> *lastPage = nullptr;
  unsigned meeting = 1;
};

} // namespace lci::ptx

#endif // LCI_UNITTESTS_PTXMACHINE_MEMORY_H
