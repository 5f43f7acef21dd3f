//===- Memory.cpp - The memory of the machine -----------------------------===//

#include "Memory.h"
#include <cstdlib>
#include <cstring>

using namespace lci::ptx;

uint64_t Memory::allocate(uint64_t bytes) {
  void *made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!made)
    return 0;
  std::memset(made, 0xA5, bytes);
  add(reinterpret_cast<uint64_t>(made), bytes);
  return reinterpret_cast<uint64_t>(made);
}

bool Memory::release(uint64_t address) {
  if (arrays.count(address) == 0)
    return false;
  remove(address);
  std::free(reinterpret_cast<void *>(address));
  return true;
}

void Memory::add(uint64_t address, uint64_t bytes) { arrays[address] = bytes; }

void Memory::remove(uint64_t address) {
  arrays.erase(address);
  last = {0, 0};
}

bool Memory::covers(uint64_t address, uint64_t bytes) const {
  if (address - last.first + bytes <= last.second && address >= last.first)
    return true;
  auto next = arrays.upper_bound(address);
  if (next == arrays.begin())
    return false;
  last = *std::prev(next);
  return address - last.first + bytes <= last.second;
}

Uses::Byte &Uses::find(uint64_t place) {
  if (place / kPage != last) {
    last = place / kPage;
    lastPage = &pages[last];
    lastPage->resize(kPage);
  }
  Byte &byte = (*lastPage)[place % kPage];
  if (byte.meeting != meeting)
    byte = {meeting, {kNobody, 0}, {kNobody, 0}};
  return byte;
}

bool Uses::isRaceFree(const User &other, const User &user) {
  return other.thread == kNobody || other.thread == user.thread ||
         (other.thread != kSeveral && other.thread / kWarp == user.thread / kWarp &&
          other.time < user.time);
}

bool Uses::read(uint64_t place, uint64_t size, User user) {
  bool isFine = true;
  for (uint64_t number = place; number < place + size; ++number) {
    Byte &byte = find(number);
    isFine &= isRaceFree(byte.writer, user);
    byte.reader = isRaceFree(byte.reader, user) ? user : User{kSeveral, 0};
  }
  return isFine;
}

bool Uses::write(uint64_t place, uint64_t size, User user, const bool *changes) {
  bool isFine = true;
  for (uint64_t number = place; number < place + size; ++number) {
    Byte &byte = find(number);
    isFine &= isRaceFree(byte.reader, user) &&
              (!changes[number - place] || isRaceFree(byte.writer, user));
    byte.writer = user;
  }
  return isFine;
}
