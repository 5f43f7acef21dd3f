//===- Storage.h - Buffers of compiled code ---------------------*- C++ -*-===//
//
// One argument of a compiled function: a scalar, or a buffer whose cells lie between halos and may
// be narrower than outside. Arrays of the runtime go in and out in canonical form.
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

/// The bytes of one element; a truth value takes one.
int64_t byteWidth(ElementKind kind);

/// What one argument is.
struct SlotForm {
  Role role = Role::None;
  std::string name;
  ElementKind kind = ElementKind::I64;
  /// A scalar has no extents and no buffer.
  bool isArray = false;
  std::vector<int64_t> extents, low, high;
  /// How many numbers a cell holds, where it holds a vector: the last axis of the array.
  int64_t components = 0;
  /// How many tokens there are, where the elements are tokens; one more says that a cell is empty.
  std::optional<int64_t> vocabulary;
  /// What a parameter must be, where the program was bound with its elements.
  std::optional<std::vector<int64_t>> elements;

  bool isValue() const { return role == Role::State || role == Role::Input; }
  /// Of the array, as it is outside: for vectors with the components as last axis.
  std::vector<int64_t> shape() const;
  /// Of the array's elements (see Slot::read).
  DType canonicalType() const;
  /// Whether an array of that shape, whose first cell without token is known, can be written to it.
  Status checkFits(const std::vector<int64_t> &shape, std::optional<int64_t> firstAbsent) const;
  /// The bytes of its buffer, or none if there cannot be so many.
  std::optional<int64_t> bufferSize() const;

  /// The bytes from one element to the next: vectors begin at powers of two.
  int64_t getStride() const;

private:
  bool holdsAbsent() const;
};

/// The place of one argument.
class Slot : public SlotForm {
public:
  Slot() = default;
  /// With a buffer, if it is an array.
  explicit Slot(SlotForm form);

  /// A slot of the same role and shape, with a buffer of its own that holds the same cells.
  Slot duplicate() const;
  /// Makes the buffer, all zeros.
  void allocate();
  /// What compiled code is handed: the address of the scalar, or of the buffer's address.
  void *argument() { return isArray ? static_cast<void *>(&pointer) : &scalar; }

  /// Copies an array of the same shape to the cells; the halo is the code's business.
  Status write(const Array &array);
  /// The cells in canonical form: tokens in the smallest signed type with -1 for none, other
  /// integers as I64, truth values as Bool, numbers as F32.
  Array read() const;
  /// Takes over the cells of another slot of the same shape, and its halo if it has the same one.
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
  /// Another one whenever the functions above changed the buffer.
  uint64_t version() const { return changes; }

private:
  /// Makes the buffer; says how many bytes there are, with what is behind its end.
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
