//===- BundledTick.cpp - Hand-written code for a bundle -------------------===//
//
// The compiled form of `A[i] := (A[i] + p) % 4`, for six tokens, and of a hard constraint that
// forbids a 3: called with the addresses of arguments, as LCI/Codegen/SharedObject.h defines. A
// step of more than 3 is rejected.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

static constexpr int kCells = 6;

/// Arguments: the cells, the parameter, the first epoch, the one after the last, the counts.
extern "C" void runTick(void **arguments) __asm__("lci.entry.p");

void runTick(void **arguments) {
  auto *cells = *static_cast<uint8_t **>(arguments[0]);
  int64_t parameter = *static_cast<int64_t *>(arguments[1]);
  int64_t first = *static_cast<int64_t *>(arguments[2]),
          last = *static_cast<int64_t *>(arguments[3]);
  auto *changed = *static_cast<int64_t **>(arguments[4]);
  for (int64_t epoch = first; epoch < last; ++epoch)
    for (int cell = 0; cell < kCells; ++cell) {
      if (parameter > 3) {
        ++changed[1];
        continue;
      }
      auto next = static_cast<uint8_t>((cells[cell] + parameter) % 4);
      *changed += next != cells[cell];
      cells[cell] = next;
    }
}

/// Arguments: the cells, the epoch, the counts.
extern "C" void countThrees(void **arguments) __asm__("lci.entry.p.breaches");

void countThrees(void **arguments) {
  auto *cells = *static_cast<uint8_t **>(arguments[0]);
  auto *broken = *static_cast<int64_t **>(arguments[2]);
  for (int cell = 0; cell < kCells; ++cell)
    *broken += cells[cell] == 3;
}
