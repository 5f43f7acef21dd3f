//===- Storage.cpp - Buffers of compiled code -----------------------------===//
//
// Slot buffers with their halos, which are made when they are first used, and conversion of cells
// between canonical arrays and the element kind, strides and halo of a slot. Rows are visited in
// order, so that copies of equal kinds are one memcpy for each row.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Storage.h"
#include "LCI/Runtime/Tokens.h"
#include <new>
#include <sys/mman.h>

using namespace lci;

int64_t lci::byteWidth(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
    return 1;
  case ElementKind::I16:
    return 2;
  case ElementKind::I32:
  case ElementKind::F32:
    return 4;
  case ElementKind::I64:
    return 8;
  }
  return 8;
}

std::optional<int64_t> SlotForm::bufferSize() const {
  std::vector<int64_t> stored = {getStride()};
  for (size_t axis = 0; axis < extents.size(); ++axis)
    stored.push_back(low[axis] + extents[axis] + high[axis]);
  return elementCount(stored);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static constexpr int64_t kLargePage = 1 << 21, kLargeBuffer = kLargePage / 2;

/// Maps zeros from a multiple of a large page on, and unmaps the rest; null where
/// there is no room. The system's allocator would keep some for later.
static void *mapLarge(size_t bytes) {
  size_t around = bytes + kLargePage;
  void *mapped = mmap(nullptr, around, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  auto *begin = static_cast<uint8_t *>(mapped);
  size_t before = -reinterpret_cast<uintptr_t>(begin) % kLargePage;
  if (before)
    munmap(begin, before);
  munmap(begin + before + bytes, around - before - bytes);
  return begin + before;
}

/// Says that there is no memory as `new` does, by its handler or by an exception.
static void failLikeNew() { ::operator delete(::operator new(PTRDIFF_MAX)); }

/// Large buffers use huge pages where the system has them: fewer TLB misses, and hardware prefetch
/// does not stop every 4,096 bytes.
BufferMemory::BufferMemory(int64_t alignment, int64_t bytes) {
  if (bytes < kLargeBuffer || alignment > kLargePage) {
    start.reset(std::aligned_alloc(alignment, bytes));
    if (!start)
      failLikeNew();
    std::memset(start.get(), 0, bytes);
    return;
  }
  constexpr int64_t kPage = 4096;
  auto mapped = static_cast<size_t>((bytes + kPage - 1) / kPage * kPage);
  start = {mapLarge(mapped), FreeBuffer{mapped}};
  if (!start)
    failLikeNew();
#ifdef MADV_HUGEPAGE
  madvise(start.get(), mapped, MADV_HUGEPAGE); // small pages, if it fails
#endif
}

void FreeBuffer::operator()(void *memory) const {
  if (mapped)
    munmap(memory, mapped);
  else
    std::free(memory);
}

void *Slot::data() const {
  if (pointer)
    return pointer;
  // Whole cache lines, and one more for a row's vector that starts before its end.
  int64_t line = std::max<int64_t>(64, components ? getStride() : 0);
  int64_t bytes = bufferSize().value_or(0);
  memory = BufferMemory(line, (bytes + 2 * line - 1) / line * line);
  return pointer = memory.get();
}

void Slot::release() {
  ++changes;
  pointer = nullptr;
  memory = BufferMemory();
}

void Slot::borrow(Slot &from) {
  assert(isStoredLike(from) && "expected the storage of one value");
  release();
  pointer = from.data();
}

void *Slot::argument() {
  if (!isArray)
    return &scalar;
  (void)data();
  return &pointer;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

bool SlotForm::isStoredLike(const SlotForm &other) const {
  return kind == other.kind && isArray == other.isArray && extents == other.extents &&
         low == other.low && high == other.high && components == other.components &&
         vocabulary == other.vocabulary;
}

int64_t SlotForm::getStride() const {
  int64_t bytes = byteWidth(kind) * std::max<int64_t>(components, 1), stride = 1;
  while (stride < bytes)
    stride *= 2;
  return stride;
}

std::vector<int64_t> SlotForm::shape() const {
  std::vector<int64_t> shape = extents;
  if (components)
    shape.push_back(components);
  return shape;
}

void *Slot::address(int64_t position) const {
  return static_cast<uint8_t *>(data()) + position * getStride();
}

/// Calls `visit` with the number of each row's first cell, its position in the storage, and the
/// number of contiguous cells from there.
template <typename Visitor>
void Slot::forEachRow(Visitor visit) const {
  size_t rank = extents.size();
  std::vector<int64_t> strides(rank), index(rank, 0);
  int64_t stride = 1, position = 0, cells = 1;
  for (size_t axis = rank; axis-- > 0;) {
    strides[axis] = stride;
    position += low[axis] * stride;
    stride *= low[axis] + extents[axis] + high[axis];
    cells *= extents[axis];
  }
  int64_t length = rank ? extents.back() : 1;
  for (int64_t cell = 0; cell < cells; cell += length) {
    visit(cell, position, length);
    for (size_t axis = rank; axis-- > 0;) {
      if (axis + 1 == rank)
        continue;
      position += strides[axis];
      if (++index[axis] < extents[axis])
        break;
      position -= extents[axis] * strides[axis];
      index[axis] = 0;
    }
  }
}

/// Calls `visit` with the position of each cell in the array and in the storage, row by row.
template <typename Visitor>
void Slot::forEachCell(Visitor visit) const {
  forEachRow([&](int64_t cell, int64_t position, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      visit(cell + i, position + i);
  });
}

Slot Slot::duplicate() const {
  Slot made{SlotForm(*this)};
  if (isArray)
    std::memcpy(made.data(), data(), size());
  return made;
}

void Slot::copyCells(const Slot &from) {
  assert(extents == from.extents && "expected the storage of one value");
  ++changes;
  if (kind != from.kind) {
    // Functions may store tokens in different kinds; each can hold all tokens of the program.
    (void)write(from.read());
    return;
  }
  if (low == from.low && high == from.high) {
    std::memcpy(data(), from.data(), size());
    return;
  }
  std::vector<int64_t> rows;
  from.forEachRow([&](int64_t, int64_t position, int64_t) { rows.push_back(position); });
  size_t row = 0;
  forEachRow([&](int64_t, int64_t position, int64_t length) {
    std::memcpy(address(position), from.address(rows[row++]), length * getStride());
  });
}

/// Tokens are not negative, so narrow ones use all their bits.
int64_t Slot::loadInt(int64_t position) const {
  const void *from = address(position);
  switch (kind) {
  case ElementKind::I1:
  case ElementKind::I8:
    return *static_cast<const uint8_t *>(from);
  case ElementKind::I16:
    return *static_cast<const uint16_t *>(from);
  case ElementKind::I32:
    return *static_cast<const uint32_t *>(from);
  default:
    return *static_cast<const int64_t *>(from);
  }
}

void Slot::storeInt(int64_t position, int64_t value) {
  std::memcpy(address(position), &value, byteWidth(kind)); // little-endian: the low bytes
}

/// Whether a bit pattern is left for a cell without token.
bool SlotForm::holdsAbsent() const {
  int64_t bits = kind == ElementKind::I1 ? 1 : 8 * byteWidth(kind);
  return bits == 64 || *vocabulary < (int64_t(1) << bits);
}

Status SlotForm::checkFits(const std::vector<int64_t> &given,
                           std::optional<int64_t> firstAbsent) const {
  if (given != shape())
    return Failure{ErrorId::WrongShape, "expected " + name + " of shape " + shapeText(shape()) +
                                            ", but got " + shapeText(given)};
  if (firstAbsent && !holdsAbsent())
    return Failure{ErrorId::MissingToken, "expected a token in every cell of " + name +
                                              ", but got none at (" +
                                              indexText(given, *firstAbsent) + ")"};
  return Done{};
}

Status Slot::write(const Array &array) {
  std::optional<int64_t> absent = vocabulary ? firstAbsent(array) : std::nullopt;
  if (Status fits = checkFits(array.shape(), absent); !fits)
    return fits;
  ++changes;
  forEachCell([&](int64_t cell, int64_t position) {
    int64_t count = std::max<int64_t>(components, 1);
    for (int64_t i = 0; kind == ElementKind::F32 && i < count; ++i) {
      float number = withOneNaN(static_cast<float>(array.doubleAt(cell * count + i)));
      std::memcpy(static_cast<float *>(address(position)) + i, &number, sizeof number);
    }
    if (kind == ElementKind::F32)
      return;
    int64_t value = array.intAt(cell);
    if (vocabulary && value == -1)
      value = *vocabulary;
    storeInt(position, kind == ElementKind::I1 ? value != 0 : value);
  });
  return Done{};
}

DType SlotForm::canonicalType() const {
  return vocabulary                 ? tokenType(*vocabulary)
         : kind == ElementKind::F32 ? DType::F32
         : kind == ElementKind::I1  ? DType::Bool
                                    : DType::I64;
}

Array Slot::read() const {
  if (kind == ElementKind::F32) {
    Array numbers(DType::F32, shape());
    int64_t count = std::max<int64_t>(components, 1);
    forEachCell([&](int64_t cell, int64_t position) {
      std::memcpy(numbers.data<float>() + cell * count, address(position), count * sizeof(float));
    });
    return numbers;
  }
  Array integers(canonicalType(), extents);
  forEachCell([&](int64_t cell, int64_t position) {
    int64_t value = loadInt(position);
    integers.setInt(cell, vocabulary && value == *vocabulary ? -1 : value);
  });
  return integers;
}

void Slot::setInt(int64_t value) { scalar = kind == ElementKind::I1 ? value != 0 : value; }

void Slot::setFloat(float value) {
  value = withOneNaN(value);
  std::memcpy(&scalar, &value, sizeof value);
}

void Slot::clear() {
  ++changes;
  if (size_t bytes = size())
    std::memset(data(), 0, bytes);
}
