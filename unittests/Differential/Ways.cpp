//===- Ways.cpp - Combinations of lowering options ------------------------===//

#include "Ways.h"

using namespace mlir;
using namespace mlir::lci;

/// Makes rare cases common, and those of large arrays possible: draws are undecided after four bits
/// or none rather than eight, their lists are of one row, windows of epochs move by one, tables pay
/// from nothing on or have two entries, and few rows are enough to be computed together.
static void makeCommon(unsigned number, CpuOptions &options) {
  const char *const eager[] = {" eager-blocks=0", " eager-blocks=1", ""};
  options.lowering += eager[number / 4 % 3];
  options.lowering += number % 3 == 0 ? "" : " strip-words=1";
  options.lowering += number % 8 < 4 ? " tile-rows=1" : " tile-rows=3";
  bool hasPlanes = !(number >> 1 & 1); // planes allow no tables except those of draws
  options.lowering += hasPlanes         ? " table-look-ups=0"
                      : number % 8 == 6 ? " table-entries=2"
                                        : " table-saved=-100 table-look-ups=0 table-entries=64";
  options.lowering += number % 5 == 0 ? "" : " jam-groups=1";
}

CpuOptions mlir::lci::combine(unsigned number, std::string &name) {
  CpuOptions options;
  options.verify = number % 5 == 1; // which takes a third more time
  // LLVM's optimisations take a third of the time; they run where everything is switched on.
  options.optLevel = number < 2 ? options.optLevel : 0;
  // The vectors, arrays and rows of random programs are small, and their runs short.
  options.lowering = "min-network=1 min-fused=0 min-joined=0 alias-bytes=16";
  auto choose = [&](unsigned bit, const char *on, const char *off, const char *how) {
    bool isOn = !(number >> bit & 1);
    name += std::string(", ") + (isOn ? on : off);
    if (!isOn)
      options.lowering += how;
    return isOn;
  };
  bool isAlone = choose(0, "one thread", "three threads", "");
  choose(1, "planes", "no planes", " bitslice=false");
  choose(2, "colours apart", "whole rows", " split-colours=false");
  bool fuses = choose(3, "epochs together", "epochs apart", " fused-epochs=1");
  bool narrows = choose(4, "bytes", "words", " narrow=false");
  options.lowering += !fuses                            ? ""
                      : llvm::popcount(number) % 2 == 0 ? " fused-epochs=2"
                                                        : " fused-epochs=4";
  options.lowering += number % 5 == 2 ? " fuse-ticks=false" : "";
  options.lowering += narrows ? " grain=0" : " grain=2000"; // all there is to share, or some
  options.threads = isAlone ? 1 : 3;
  // "": the machine's. Wider vectors than the machine's run here, too, split into parts.
  const char *const widths[] = {"", " vector-bits=256", " vector-bits=128", " vector-bits=512"};
  options.lowering += widths[number % 7 % 4];
  if (number >= 2)
    makeCommon(number, options);
  return options;
}
