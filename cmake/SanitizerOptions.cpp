//===- SanitizerOptions.cpp - What sanitized executables do not ask -------===//
//
// LLVM's and MLIR's libraries are not instrumented, but what their headers say is, which makes two
// kinds of false alarm. The allocators of LLVM poison what they free where they are instrumented,
// and take it again without a word where they are not. And a pass's statistics have a flag where
// assertions are on, as here, that the constructor in libMLIR.so does not know and leaves as it
// was: memory of zeros makes it a valid one.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options(); // as the sanitizer's runtime calls it
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:malloc_fill_byte=0";
}
