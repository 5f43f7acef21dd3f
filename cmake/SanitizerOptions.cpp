//===- SanitizerOptions.cpp - What sanitized executables do not ask -------===//
//
// LLVM's and MLIR's libraries are not instrumented, but what their headers say is: the allocators
// of LLVM poison what they free where they are instrumented, and take it again without a word where
// they are not. What asks for more memory than there is gets none, as elsewhere, and says so.
// libFuzzer has the standard library stand in front of the sanitizers' own.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options(); // as the sanitizer's runtime calls it
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:allocator_may_return_null=1:verify_asan_link_order=0";
}
