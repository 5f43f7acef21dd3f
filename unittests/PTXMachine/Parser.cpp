//===- Parser.cpp - Parser of PTX -----------------------------------------===//
//
// The subset of the language that LLVM emits for our kernels: entries with parameters, registers,
// arrays in shared, local and global memory, labels, guarded instructions. Everything else is an
// error.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>

using namespace lci::ptx;

bool Instruction::has(const std::string &word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

std::vector<std::string> split(const std::string &text, char by) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == by)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string strip(const std::string &text) {
  size_t begin = text.find_first_not_of(" \t\n"), end = text.find_last_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// The words of a text between blanks.
std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  for (const std::string &line : split(text, '\n'))
    for (const std::string &part : split(line, ' '))
      for (const std::string &word : split(part, '\t'))
        if (!word.empty())
          words.push_back(word);
  return words;
}

/// Splits at commas outside of braces and brackets.
std::vector<std::string> splitOperands(const std::string &text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (char c : text) {
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (c == ',' && depth == 0) {
      parts.push_back(strip(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!strip(part).empty())
    parts.push_back(strip(part));
  return parts;
}

/// A type's word: a letter and a number of bits, `pred`, `tf32`, or two of a type: `f32x2`.
bool parseType(const std::string &word, Type &type) {
  if (word == "pred") {
    type = {Kind::Bits, 1};
    return true;
  }
  if (word.size() == 5 && word.compare(3, 2, "x2") == 0) {
    bool isKnown = parseType(word.substr(0, 3), type);
    type.lanes = 2;
    return isKnown;
  }
  if (word == "tf32") {
    type = {Kind::Float, 32};
    return true;
  }
  constexpr std::pair<char, Kind> kinds[] = {
      {'b', Kind::Bits}, {'u', Kind::Unsigned}, {'s', Kind::Signed}, {'f', Kind::Float}};
  for (auto [letter, kind] : kinds)
    for (unsigned bits : {8U, 16U, 32U, 64U})
      if (word == letter + std::to_string(bits)) {
        type = {kind, bits};
        return true;
      }
  return false;
}

class Parser {
public:
  Parser(const std::string &text, Module &module, std::string &error)
      : text(text), module(module), error(error) {}

  bool run() {
    while (skipBlanks()) {
      if (peek(".version") || peek(".target") || peek(".address_size"))
        take('\n');
      else if (peek(".visible") || peek(".entry") ? !parseEntry() : !parseGlobal())
        return false;
    }
    return error.empty();
  }

private:
  bool fail(const std::string &message) {
    if (error.empty())
      error = "line " + std::to_string(line) + ": " + message;
    return false;
  }

  bool peek(const char *word) const {
    return text.compare(at, std::string(word).size(), word) == 0;
  }

  void advance() {
    line += text[at] == '\n';
    ++at;
  }

  /// Skips blanks and comments; false at the end.
  bool skipBlanks() {
    while (at < text.size()) {
      if (peek("//"))
        while (at < text.size() && text[at] != '\n')
          advance();
      else if (std::isspace(static_cast<unsigned char>(text[at])))
        advance();
      else
        return true;
    }
    return false;
  }

  /// The text up to a character, which is consumed.
  std::string take(char end) {
    std::string taken;
    while (at < text.size() && text[at] != end) {
      if (peek("//")) {
        while (at < text.size() && text[at] != '\n')
          advance();
        continue;
      }
      taken += text[at];
      advance();
    }
    if (at < text.size())
      advance();
    return taken;
  }

  /// `.global .align 64 .b8 name[264] = {0, 1, …};`
  bool parseGlobal() {
    std::string all = take(';');
    size_t equals = all.find('=');
    std::string name;
    uint64_t bytes = 0;
    Type type;
    if (all.compare(0, 7, ".global") != 0 || !parseArray(all.substr(0, equals), name, bytes, type))
      return fail("'" + strip(all.substr(0, 40)) + "' is not known here");
    std::vector<unsigned char> &data = module.globals[name];
    if (equals != std::string::npos) {
      std::string list = strip(all.substr(equals + 1));
      if (list.front() == '{')
        list = list.substr(1, list.size() - 2);
      for (const std::string &number : split(list, ','))
        append(data, strip(number), type.bytes());
    }
    if (data.size() > bytes)
      return fail("'" + name + "' has more elements than fit into it");
    data.resize(bytes);
    return true;
  }

  /// An element of an initializer: an integer, or the bits of a float (`0f3F800000`).
  static void append(std::vector<unsigned char> &data, const std::string &number, uint64_t bytes) {
    bool isFloat = number.size() > 2 && (number[1] == 'f' || number[1] == 'd');
    uint64_t bits = isFloat                 ? std::stoull(number.substr(2), nullptr, 16)
                    : number.front() == '-' ? static_cast<uint64_t>(std::stoll(number))
                                            : std::stoull(number, nullptr, 0);
    for (uint64_t i = 0; i < bytes; ++i)
      data.push_back(static_cast<unsigned char>(bits >> 8 * i));
  }

  /// `.shared .align 8 .b8 name[64]`, or a single number.
  static bool parseArray(const std::string &text, std::string &name, uint64_t &bytes, Type &type) {
    std::vector<std::string> words = wordsOf(text);
    size_t element = 0;
    while (element < words.size() && !parseType(words[element].substr(1), type))
      ++element;
    if (element + 1 >= words.size())
      return false;
    name = words[element + 1];
    size_t bracket = name.find('[');
    uint64_t many = bracket == std::string::npos ? 1 : std::stoull(name.substr(bracket + 1));
    name = name.substr(0, bracket);
    bytes = many * type.bytes();
    return true;
  }

  /// Allocates an array in memory of counted size.
  static uint64_t makeRoom(uint64_t &used, uint64_t bytes) {
    uint64_t place = (used + 127) / 128 * 128;
    used = place + bytes;
    return place;
  }

  bool parseEntry() {
    std::vector<std::string> head = wordsOf(take('('));
    kernel = Kernel();
    kernel.name = head.back();
    registers.clear();
    symbols.clear();
    labels.clear();
    lists.clear();
    for (auto &[name, data] : module.globals)
      symbols[name] = reinterpret_cast<uint64_t>(data.data());
    for (const std::string &parameter : splitOperands(take(')')))
      if (!parseParameter(parameter))
        return false;
    take('{'); // how many threads there may be is the launch's
    if (!parseBody())
      return false;
    for (Instruction &instruction : kernel.instructions)
      if (!resolve(instruction))
        return false;
    module.kernels[kernel.name] = kernel;
    return true;
  }

  /// `.param .u64 .ptr .align 16 name`
  bool parseParameter(const std::string &text) {
    std::vector<std::string> words = wordsOf(text);
    Type type;
    if (words.size() < 3 || !parseType(words[1].substr(1), type))
      return fail("expected a parameter with its type, but got '" + strip(text) + "'");
    uint64_t bytes = type.bytes(), place = (kernel.parameterBytes + bytes - 1) / bytes * bytes;
    kernel.parameters.push_back({place, bytes});
    kernel.parameterBytes = place + bytes;
    symbols[words.back()] = place;
    return true;
  }

  bool parseBody() {
    while (skipBlanks()) {
      if (peek("}")) {
        advance();
        return true;
      }
      size_t colon = at;
      while (colon < text.size() && (std::isalnum(static_cast<unsigned char>(text[colon])) ||
                                     text[colon] == '_' || text[colon] == '$'))
        ++colon;
      if (colon > at && text[colon] == ':') {
        label = text.substr(at, colon - at);
        labels[label] = kernel.instructions.size();
        take(':');
      } else if (peek(".") ? !parseDirective() : !parseInstruction()) {
        return false;
      }
    }
    return fail("the body of '" + kernel.name + "' does not end");
  }

  bool parseDirective() {
    std::string all = take(';'), name;
    uint64_t bytes = 0;
    if (all.compare(0, 4, ".reg") == 0)
      return parseRegisters(wordsOf(all));
    if (all.compare(0, 7, ".pragma") == 0)
      return true;
    if (all.compare(0, 14, ".branchtargets") == 0) {
      lists[label] = splitOperands(all.substr(14));
      return true;
    }
    bool isShared = all.compare(0, 7, ".shared") == 0;
    Type type;
    if ((!isShared && all.compare(0, 6, ".local") != 0) || !parseArray(all, name, bytes, type))
      return fail("'" + strip(all) + "' is not known here");
    symbols[name] = makeRoom(isShared ? kernel.sharedBytes : kernel.localBytes, bytes);
    return true;
  }

  /// `.reg .b32 %r<100>`, or one by its name.
  bool parseRegisters(const std::vector<std::string> &words) {
    const std::string &name = words.back();
    size_t bracket = name.find('<');
    unsigned many = bracket == std::string::npos
                        ? 1
                        : static_cast<unsigned>(std::stoul(name.substr(bracket + 1)));
    registers[name.substr(0, bracket)] = {kernel.numRegisters, many};
    kernel.numRegisters += many;
    return true;
  }

  bool parseInstruction() {
    Instruction made;
    made.line = line;
    std::string all = strip(take(';'));
    if (all[0] == '@') {
      made.isNegated = all[1] == '!';
      size_t blank = all.find_first_of(" \t");
      Operand guard;
      if (!parseOperand(all.substr(made.isNegated ? 2 : 1, blank - (made.isNegated ? 2 : 1)),
                        guard))
        return false;
      made.guard = static_cast<int>(guard.index);
      all = strip(all.substr(blank));
    }
    made.name = all.substr(0, all.find_first_of(" \t\n"));
    made.words = split(made.name, '.');
    Type type;
    for (const std::string &word : made.words)
      if (parseType(word, type))
        made.types.push_back(type);
    for (const std::string &operand : splitOperands(all.substr(made.name.size()))) {
      made.operands.emplace_back();
      if (!parseOperand(operand, made.operands.back()))
        return false;
    }
    if (!decode(made))
      return fail("this machine does not know '" + made.name + "'");
    kernel.instructions.push_back(made);
    return true;
  }

  bool parseOperand(const std::string &text, Operand &operand) {
    if (text == "_")
      return true;
    if (text[0] == '{')
      return parseParts(splitOperands(text.substr(1, text.size() - 2)), operand);
    if (text[0] == '[')
      return parseAddress(text.substr(1, text.size() - 2), operand);
    if (text.find('|') != std::string::npos)
      return parseParts(split(text, '|'), operand);
    if (text[0] == '%')
      return parseRegister(text, operand);
    if (text[0] == '-' || std::isdigit(static_cast<unsigned char>(text[0])))
      return parseNumber(text, operand);
    if (auto symbol = symbols.find(text); symbol != symbols.end()) {
      operand.form = Operand::Immediate;
      operand.bits = symbol->second;
      return true;
    }
    operand.form = Operand::Label;
    pending.push_back(text);
    operand.bits = pending.size() - 1;
    return true;
  }

  bool parseParts(const std::vector<std::string> &texts, Operand &operand) {
    operand.form = Operand::Vector;
    for (const std::string &text : texts) {
      operand.parts.emplace_back();
      if (!parseOperand(text, operand.parts.back()))
        return false;
    }
    return true;
  }

  /// `base`, `base+4`, `base+-4`.
  bool parseAddress(const std::string &text, Operand &operand) {
    operand.form = Operand::Address;
    size_t plus = text.find('+');
    if (plus != std::string::npos)
      operand.bits = static_cast<uint64_t>(std::stoll(text.substr(plus + 1)));
    operand.parts.emplace_back();
    return parseOperand(strip(text.substr(0, plus)), operand.parts.back()) &&
           (operand.parts.back().form != Operand::Label || fail("'" + text + "' is no address"));
  }

  bool parseRegister(const std::string &text, Operand &operand) {
    static const std::map<std::string, unsigned> special{
        {"%tid", ThreadIndex}, {"%ctaid", BlockIndex}, {"%ntid", BlockSize}, {"%nctaid", GridSize}};
    size_t dot = text.find('.');
    if (auto found = special.find(text.substr(0, dot)); found != special.end()) {
      operand.form = Operand::Special;
      operand.index = found->second + static_cast<unsigned>(text.back() - 'x');
      return true;
    }
    size_t digits = text.find_last_not_of("0123456789") + 1;
    auto found = registers.find(text);
    unsigned number = 0;
    if (found == registers.end() && digits < text.size()) {
      found = registers.find(text.substr(0, digits));
      number = static_cast<unsigned>(std::stoul(text.substr(digits)));
    }
    if (found == registers.end() || number >= found->second.second)
      return fail("there is no register '" + text + "'");
    operand.form = Operand::Register;
    operand.index = found->second.first + number;
    return true;
  }

  /// `12`, `-3`, `0x5410U`, and floating-point numbers by their bits: `0f3F800000`, `0d…`.
  static bool parseNumber(const std::string &text, Operand &operand) {
    operand.form = Operand::Immediate;
    bool isFloat = text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'd');
    operand.bits = isFloat          ? std::stoull(text.substr(2), nullptr, 16)
                   : text[0] == '-' ? static_cast<uint64_t>(std::stoll(text, nullptr, 0))
                                    : std::stoull(text, nullptr, 0);
    return true;
  }

  /// Labels become numbers of instructions, lists of labels several.
  bool resolve(Instruction &instruction) {
    line = instruction.line;
    for (Operand &operand : instruction.operands) {
      if (operand.form != Operand::Label)
        continue;
      const std::string &name = pending[operand.bits];
      auto list = lists.find(name);
      if (list == lists.end()) {
        if (!resolve(name, operand))
          return false;
        continue;
      }
      operand.form = Operand::Vector;
      operand.parts.resize(list->second.size());
      for (size_t i = 0; i < operand.parts.size(); ++i)
        if (!resolve(list->second[i], operand.parts[i]))
          return false;
    }
    return true;
  }

  bool resolve(const std::string &name, Operand &operand) {
    auto found = labels.find(name);
    if (found == labels.end())
      return fail("there is no label or symbol '" + name + "'");
    operand.form = Operand::Label;
    operand.bits = found->second;
    return true;
  }

  const std::string &text;
  Module &module;
  std::string &error;
  size_t at = 0;
  unsigned line = 1;
  Kernel kernel;
  std::map<std::string, std::pair<unsigned, unsigned>>
      registers; ///< the first one, and the number of them
  std::map<std::string, uint64_t> symbols, labels;
  std::map<std::string, std::vector<std::string>> lists; ///< of labels, by the label of the list
  std::string label;                                     ///< the last one
  std::vector<std::string> pending;                      ///< names of labels
};

} // namespace

bool lci::ptx::parse(const std::string &text, Module &module, std::string &error) {
  return Parser(text, module, error).run();
}
