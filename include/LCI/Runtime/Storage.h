//===- Storage.h - Buffers of compiled code ---------------------*- C++ -*-===//
//
// One argument of a compiled function: a scalar, or a buffer whose cells lie between halos and may
// be narrower than in canonical form. Arrays of the runtime are written and read in canonical form.
// Buffers are made when they are first used, can be lent to slots that store cells alike, and can
// be dropped.
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
  /// Whether a buffer of one is also a buffer of the other, halos included.
  bool isStoredLike(const SlotForm &other) const;

private:
  bool holdsAbsent() const;
};

/// Gives the memory of a buffer back.
struct FreeBuffer {
  size_t mapped = 0; ///< the bytes of a large one
  void operator()(void *memory) const;
};

/// Memory of a buffer, all zeros at first. That of a large one takes no room before it is written,
/// and is the system's again as soon as it is dropped.
class BufferMemory {
public:
  BufferMemory() = default;
  /// Of so many bytes, from a multiple of `alignment` on.
  BufferMemory(int64_t alignment, int64_t bytes);

  void *get() const { return start.get(); }

private:
  std::unique_ptr<void, FreeBuffer> start;
};

/// One argument with its contents.
class Slot : public SlotForm {
public:
  Slot() = default;
  explicit Slot(SlotForm form) : SlotForm(std::move(form)) {}

  /// A slot of the same role and shape, with a separate buffer that holds the same cells.
  Slot duplicate() const;
  /// Drops the buffer, or gives a borrowed one back; the next use makes one, all zeros.
  void release();
  /// Uses the buffer of a slot that stores cells alike, until `release`; that one outlives it.
  void borrow(Slot &from);
  /// The argument of compiled code: the address of the scalar, or of the buffer's address.
  void *argument();

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
  void *data() const;
  size_t size() const { return isArray ? static_cast<size_t>(bufferSize().value_or(0)) : 0; }
  /// The scalar's bits.
  uint64_t bits() const { return static_cast<uint64_t>(scalar); }
  /// Changes whenever the functions above change the buffer.
  uint64_t version() const { return changes; }

private:
  template <typename Visitor>
  void forEachRow(Visitor visit) const;
  template <typename Visitor>
  void forEachCell(Visitor visit) const;
  int64_t loadInt(int64_t position) const;
  void storeInt(int64_t position, int64_t value);
  void *address(int64_t position) const;

  // Also a slot that is only read has a buffer from then on.
  mutable BufferMemory memory;
  mutable void *pointer = nullptr; ///< also into memory of another slot
  int64_t scalar = 0;
  uint64_t changes = 0;
};

} // namespace lci

#endif // LCI_RUNTIME_STORAGE_H
