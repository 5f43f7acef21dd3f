//===- Rle.cpp - Patterns of cellular automata ----------------------------===//
//
// Reads and writes RLE patterns. The reader accepts both notations of states, comments, a
// byte-order mark, and files of programs that omit the final `!`; an error names the line of the
// input.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Rle.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/Npy.h"
#include <cctype>

using namespace lci;

static constexpr int64_t kMaxStates = 256;
/// Letters of one alphabet of states; a letter from `p` before one says which alphabet it is.
static constexpr int64_t kLetters = 24;

namespace {
/// Reads runs into an array.
class RleReader {
public:
  RleReader(const std::string &text, Array cells, const std::string &name)
      : text(text), cells(std::move(cells)), name(name) {}

  Result<Array> read() {
    at = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;
    skipHead();
    if (isPlaintext())
      fail("expected runs of cells, but got a pattern in plaintext, of rows such as '.O.'; Golly "
           "saves it as RLE");
    while (!problem && !isDone)
      readRun();
    if (problem)
      return *problem;
    return std::move(cells);
  }

private:
  char peek() const { return at < text.size() ? text[at] : 0; }

  void fail(const std::string &what) {
    problem = Failure{ErrorId::MalformedFile,
                      "'" + name + "', line " + std::to_string(line) + ": " + what};
  }

  void skipLine() {
    while (peek() && peek() != '\n')
      ++at;
  }

  /// Skips comments, and once `x = 3, y = 3, rule = B3/S23`. A line of cells may begin with an x,
  /// too: in `xA`, which is a state, a letter follows.
  void skipHead() {
    for (bool isFirst = true;; ++at) {
      bool isHead = isFirst && peek() == 'x' && at + 1 < text.size() && text[at + 1] < 'A';
      if (isHead)
        readHeight(), isFirst = false, hasHead = true;
      if (peek() == '#' || isHead)
        skipLine();
      if (peek() == '\n')
        ++line;
      else if (peek() != ' ' && peek() != '\t' && peek() != '\r')
        return;
    }
  }

  /// Whether rows of cells follow a comment of the other format. Its `!` would end a pattern here.
  bool isPlaintext() const {
    auto hasRow = [&](const char *begin) { return text.find(begin, at) != std::string::npos; };
    return peek() == '!' && !hasHead && (hasRow("\n.") || hasRow("\nO") || hasRow("\n*"));
  }

  /// The number of rows in the head: the number behind the second `=`.
  void readHeight() {
    for (int i = 0; i < 2; ++i)
      at = std::min(text.find_first_of("=\n", at + i), text.size());
    if (peek() == '=')
      at = std::min(text.find_first_not_of(" \t", at + 1), text.size());
    if (peek() >= '0' && peek() <= '9')
      height = readCount();
  }

  /// Some programs write a `$` behind the last row, and no `!`. The head then shows that no row is
  /// missing.
  bool isWhole() const { return height > 0 && y >= height; }

  int64_t readCount() {
    if (peek() < '0' || peek() > '9')
      return 1;
    int64_t count = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at)
      if ((count = count * 10 + (peek() - '0')) > kLongestRun)
        count = kLongestRun;
    return count;
  }

  void readRun() {
    int64_t count = readCount();
    char tag = peek();
    if (count > 1 && std::isspace(static_cast<unsigned char>(tag)))
      return fail("expected what there is " + std::to_string(count) +
                  " times right behind the number, but got a blank");
    ++at;
    if (tag == '!')
      isDone = true;
    else if (tag == '$')
      y = std::min(y + count, kLongestRun), x = 0;
    else if (tag == '\n' && peek() == '#')
      ++line, skipLine();
    else if (tag == '\n')
      ++line;
    else if (tag == 0 && isWhole())
      isDone = true;
    else if (tag == 0)
      fail("expected '!' at the end of the pattern");
    else if (tag != ' ' && tag != '\t' && tag != '\r')
      put(count, readState(tag));
  }

  /// The state of one or two letters.
  int64_t readState(char tag) {
    if (tag == 'b' || tag == '.')
      return 0;
    if (tag == 'o')
      return 1;
    int64_t alphabet = 0;
    if (tag >= 'p' && tag <= 'y') {
      alphabet = tag - 'p' + 1;
      tag = peek();
      ++at;
    }
    int64_t state = kLetters * alphabet + (tag - 'A' + 1);
    if (tag >= 'A' && tag < 'A' + kLetters && state < kMaxStates)
      return state;
    fail("expected 'b', 'o', '.', 'A' to 'X', 'pA' to 'yO', '$' or '!', but got '" +
         std::string(1, tag ? tag : ' ') + "'");
    return 0;
  }

  void put(int64_t count, int64_t state) {
    int64_t width = cells.shape()[0], height = cells.shape().size() > 1 ? cells.shape()[1] : 1;
    if (!problem && state != 0 && (y >= height || x + count > width))
      return fail("expected a pattern within " + std::to_string(width) + " x " +
                  std::to_string(height) + " cells, but got a cell in column " +
                  placeText(y >= height ? x : std::max(x, width)) + ", row " + placeText(y) +
                  ", both from 0");
    for (int64_t i = 0; state != 0 && i < count; ++i)
      cells.setInt((x + i) * height + y, state);
    x = std::min(x + count, kLongestRun);
  }

  /// Positions saturate at `kLongestRun`.
  static std::string placeText(int64_t place) {
    return std::to_string(place) + (place == kLongestRun ? " or later" : "");
  }

  static constexpr int64_t kLongestRun = int64_t(1) << 40;

  const std::string &text;
  Array cells;
  const std::string &name;
  size_t at = 0;
  int64_t line = 1, x = 0, y = 0;
  int64_t height = 0; ///< from the head, or 0
  bool hasHead = false, isDone = false;
  std::optional<Failure> problem;
};
} // namespace

bool lci::isRlePath(const std::string &path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".rle") == 0;
}

Status lci::checkRle(const std::string &path, const std::vector<int64_t> &shape,
                     int64_t numStates) {
  if ((shape.size() == 1 || shape.size() == 2) && numStates > 0 && numStates <= kMaxStates)
    return Done{};
  return Failure{ErrorId::WrongBinding,
                 "'" + path +
                     "': expected tokens of at most 256 kinds, on one or two "
                     "axes, as a pattern has them"};
}

Result<Array> lci::decodeRle(const std::string &text, const std::vector<int64_t> &shape,
                             const std::string &name) {
  return RleReader(text, Array(DType::I16, shape), name).read();
}

Result<Array> lci::readRle(const std::string &path, const std::vector<int64_t> &shape) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.failure();
  return decodeRle(std::string(bytes->begin(), bytes->end()), shape, path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string nameState(int64_t state, int64_t numStates) {
  if (numStates <= 2)
    return state ? "o" : "b";
  if (state == 0)
    return ".";
  int64_t alphabet = (state - 1) / kLetters, letter = (state - 1) % kLetters;
  std::string name(1, static_cast<char>('A' + letter));
  return alphabet ? static_cast<char>('p' + alphabet - 1) + name : name;
}

namespace {
/// Merges equal items, and breaks lines where the format wants it.
class RleWriter {
public:
  void add(int64_t count, const std::string &item) {
    std::string run = (count > 1 ? std::to_string(count) : "") + item;
    if (length + run.size() > kLineLength)
      text += "\n", length = 0;
    text += run;
    length += run.size();
  }
  std::string take() { return std::move(text); }

private:
  static constexpr size_t kLineLength = 70;
  std::string text;
  size_t length = 0;
};
} // namespace

Result<std::string> lci::encodeRle(const Array &cells, int64_t numStates) {
  int64_t width = cells.shape()[0], height = cells.shape().size() > 1 ? cells.shape()[1] : 1;
  RleWriter writer;
  int64_t emptyRows = 0;
  for (int64_t y = 0; y < height; ++y) {
    int64_t end = width; // dead cells at the end of a row are omitted
    while (end > 0 && cells.intAt((end - 1) * height + y) == 0)
      --end;
    if (end > 0 && emptyRows > 0)
      writer.add(emptyRows, "$"), emptyRows = 0;
    for (int64_t x = 0, next; x < end; x = next) {
      int64_t state = cells.intAt(x * height + y);
      if (state < 0 || state >= kMaxStates)
        return Failure{ErrorId::WrongBinding,
                       "expected a token in every cell of a pattern, but got " +
                           std::to_string(state) + " at [" + std::to_string(x) + ", " +
                           std::to_string(y) + "]"};
      for (next = x; next < end && cells.intAt(next * height + y) == state;)
        ++next;
      writer.add(next - x, nameState(state, numStates));
    }
    ++emptyRows;
  }
  writer.add(1, "!");
  return "x = " + std::to_string(width) + ", y = " + std::to_string(height) + "\n" + writer.take() +
         "\n";
}

Status lci::writeRle(const std::string &path, const Array &cells, int64_t numStates) {
  Result<std::string> text = encodeRle(cells, numStates);
  if (!text)
    return Failure{text.failure().id, "'" + path + "': " + text.error()};
  return writeFileAtomically(path, *text);
}

Status lci::writeArray(const std::string &path, const Array &cells, int64_t numStates) {
  return isRlePath(path) ? writeRle(path, cells, numStates) : writeNpy(path, cells);
}
