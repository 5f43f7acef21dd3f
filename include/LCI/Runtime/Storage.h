//===- Storage.h - Buffers of compiled code ---------------------*- C++ -*-===//
//
// One argument of a compiled function: a scalar, or a buffer whose cells lie between halos and may
// be narrower than in canonical form. Arrays of the runtime are written and read in canonical form.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_RUNTIME_STORAGE_H
#define LCI_RUNTIME_STORAGE_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/Role.h"
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lci {

/// How compiled code stores an element.
enum class ElementKind { I1, I8, I16, I32, I64, F32 };

/// The bytes of one element; a boolean takes one.
int64_t byteWidth(ElementKind kind);

/// The description of one argument.
struct SlotForm {
  Role role = Role::None;
  std::string name;
  ElementKind kind = ElementKind::I64;
  /// A scalar has no extents and no buffer.
  bool isArray = false;
  std::vector<int64_t> extents, low, high;
  /// The number of components of a cell that holds a vector: the last axis of the array.
  int64_t components = 0;
  /// The number of tokens, if the elements are tokens; one more marks an empty cell.
  std::optional<int64_t> vocabulary;
  /// The required elements of a parameter that was bound at compile time.
  std::optional<std::vector<int64_t>> elements;

  bool isValue() const { return isValueRole(role); }
  /// The shape of the canonical array: for vectors with the components as last axis.
  std::vector<int64_t> shape() const;
  /// Of the array's elements (see Slot::read).
  DType canonicalType() const;
  /// Checks that an array of that shape, whose first cell without token is known, can be written to
  /// it.
  Status checkFits(const std::vector<int64_t> &shape, std::optional<int64_t> firstAbsent) const;
  /// The bytes of its buffer, or nothing on overflow.
  std::optional<int64_t> bufferSize() const;

  /// The bytes from one element to the next: vectors begin at powers of two.
  int64_t getStride() const;

private:
  bool holdsAbsent() const;
};

/// One argument with its contents.
class Slot : public SlotForm {
public:
  Slot() = default;
  /// With a buffer, if it is an array.
  explicit Slot(SlotForm form);

  /// A slot of the same role and shape, with a separate buffer that holds the same cells.
  Slot duplicate() const;
  /// Makes the buffer, all zeros.
  void allocate();
  /// The argument of compiled code: the address of the scalar, or of the buffer's address.
  void *argument() { return isArray ? static_cast<void *>(&pointer) : &scalar; }

  /// Copies an array of the same shape to the cells; the code fills the halo.
  Status write(const Array &array);
  /// The cells in canonical form: tokens in the smallest signed type with -1 for none, other
  /// integers as I64, booleans as Bool, numbers as F32.
  Array read() const;
  /// Copies the cells of another slot of the same shape, and the halo if both have the same one.
  void copyCells(const Slot &from);
  void setInt(int64_t value);
  void setFloat(float value);
  void clear();

  /// The buffer, with its halos.
  void *data() { return pointer; }
  const void *data() const { return pointer; }
  size_t size() const { return static_cast<size_t>(bytes); }
  /// The scalar's bits.
  uint64_t bits() const { return static_cast<uint64_t>(scalar); }
  /// Changes whenever the functions above change the buffer.
  uint64_t version() const { return changes; }

private:
  /// Allocates the buffer; returns the number of bytes, with the padding behind its end.
  int64_t reserve();
  template <typename Visitor>
  void forEachRow(Visitor visit) const;
  template <typename Visitor>
  void forEachCell(Visitor visit) const;
  int64_t loadInt(int64_t position) const;
  void storeInt(int64_t position, int64_t value);
  void *address(int64_t position) const;

  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory;
  void *pointer = nullptr;
  int64_t scalar = 0;
  int64_t bytes = 0;
  uint64_t changes = 0;
};

} // namespace lci

#endif // LCI_RUNTIME_STORAGE_H
