//===- Memory.cpp - The available memory ----------------------------------===//
#include "LCI/Runtime/Memory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

using namespace lci;

/// The first number of the first line that starts with `key`, or nothing.
static std::optional<uint64_t> numberIn(const char *path, const char *key) {
  std::FILE *file = std::fopen(path, "re");
  if (!file)
    return std::nullopt;
  std::optional<uint64_t> number;
  char line[256];
  while (!number && std::fgets(line, sizeof(line), file)) {
    if (std::strncmp(line, key, std::strlen(key)) != 0)
      continue;
    char *end = nullptr, *begin = line + std::strlen(key);
    unsigned long long value = std::strtoull(begin, &end, 10);
    if (end != begin)
      number = value;
    else
      break; // a limit of "max" is none
  }
  std::fclose(file);
  return number;
}

/// Bytes left in a control group, of either version.
static std::optional<uint64_t> groupLeaves(const char *limitFile, const char *usedFile) {
  std::optional<uint64_t> limit = numberIn(limitFile, ""), used = numberIn(usedFile, "");
  if (!limit || !used)
    return std::nullopt;
  return *limit > *used ? *limit - *used : 0;
}

/// Bytes left below a limit of the process; `used` is what /proc calls what it has taken of it.
static std::optional<uint64_t> limitLeaves(int resource, const char *used) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  uint64_t taken = numberIn("/proc/self/status", used).value_or(0) * 1024;
  return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

uint64_t lci::availableMemory() {
  uint64_t available = UINT64_MAX;
  if (std::optional<uint64_t> kilobytes = numberIn("/proc/meminfo", "MemAvailable:"))
    available = *kilobytes * 1024;
  else if (long pages = ::sysconf(_SC_PHYS_PAGES); pages > 0)
    available = static_cast<uint64_t>(pages) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  for (auto leaves : {groupLeaves("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
                      groupLeaves("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                  "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
                      limitLeaves(RLIMIT_AS, "VmSize:"), limitLeaves(RLIMIT_DATA, "VmData:")})
    available = std::min(available, leaves.value_or(UINT64_MAX));
  return available;
}

std::string lci::bytesText(uint64_t bytes) {
  static const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bytes);
  int unit = 0;
  for (; size >= 1024 && unit < 6; ++unit)
    size /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
  return text;
}

uint64_t lci::saturatingMultiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t lci::saturatingAdd(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

Status lci::checkFits(uint64_t needed, const std::string &what, std::optional<uint64_t> available) {
  uint64_t room = available ? *available : availableMemory();
  if (needed <= room)
    return Done();
  return Failure{ErrorId::NoMemory, what + " is too large for memory: it needs " +
                                        bytesText(needed) + ", but " + bytesText(room) +
                                        " are available"};
}
