//===- Plan.cpp - Launch plans as text ------------------------------------===//
//
// Printer and parser of launch plans: one step in a line, regions closed by `end`, then the
// accesses of each kernel. The parser checks registers, arities and nesting, because the text may
// come from a bundle.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/Plan.h"
#include <charconv>
#include <sstream>

using namespace lci;
using Kind = PlanStep::Kind;

/// In the order of PlanOperation.
static constexpr const char *kOperations[] = {"move",
                                              "add",
                                              "subtract",
                                              "multiply",
                                              "divide",
                                              "remainder",
                                              "divide_signed",
                                              "remainder_signed",
                                              "and",
                                              "or",
                                              "xor",
                                              "shift_left",
                                              "shift_right",
                                              "shift_right_signed",
                                              "equal",
                                              "not_equal",
                                              "less",
                                              "less_equal",
                                              "less_signed",
                                              "less_equal_signed",
                                              "minimum",
                                              "maximum",
                                              "minimum_signed",
                                              "maximum_signed",
                                              "select",
                                              "sign_extend"};

/// In the order of KernelAccess.
static constexpr const char *kAccesses[] = {"none", "read", "add", "write"};

/// More than any plan has: a larger number is of a damaged file.
static constexpr uint32_t kMaxRegisters = 1 << 20;
static constexpr int kMaxRegions = 200;

/// The number of operands of an operation.
static size_t arityOf(PlanOperation operation) {
  switch (operation) {
  case PlanOperation::Move:
  case PlanOperation::SignExtend:
    return 1;
  case PlanOperation::Select:
    return 3;
  default:
    return 2;
  }
}

uint32_t Plan::numberOf(const std::string &kernel) {
  uint32_t number = 0;
  while (number < kernels.size() && kernels[number] != kernel)
    ++number;
  if (number == kernels.size())
    kernels.push_back(kernel);
  accesses.resize(kernels.size());
  return number;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
class Printer {
public:
  explicit Printer(const Plan &plan) : plan(plan) {}

  std::string print() {
    out << "plan " << plan.symbol << " registers " << plan.registers << "\nwrites";
    for (uint32_t argument : plan.written)
      out << " %" << argument;
    out << "\n";
    printSteps(plan.steps, 0);
    out << "end\n";
    for (size_t kernel = 0; kernel < plan.kernels.size(); ++kernel)
      printAccesses(kernel);
    return out.str();
  }

private:
  void printAccesses(size_t kernel) {
    if (plan.accesses[kernel].empty())
      return;
    out << "kernel " << plan.kernels[kernel];
    for (KernelAccess access : plan.accesses[kernel])
      out << " " << kAccesses[static_cast<size_t>(access)];
    out << "\n";
  }

  void printSteps(const std::vector<PlanStep> &steps, int depth) {
    for (const PlanStep &step : steps)
      printStep(step, depth + 1);
  }

  void printStep(const PlanStep &step, int depth) {
    indent(depth);
    switch (step.kind) {
    case Kind::Compute:
      out << "%" << step.result << " = " << kOperations[static_cast<size_t>(step.operation)] << "."
          << step.width;
      return printOperands(step);
    case Kind::Read:
      out << "%" << step.result << " = read." << step.width;
      return printOperands(step);
    case Kind::Allocate:
      out << "%" << step.result << " = allocate";
      return printOperands(step);
    case Kind::View:
      out << "%" << step.result << " = view";
      return printOperands(step);
    case Kind::Launch:
      out << "launch " << plan.kernels[step.kernel] << " blocks";
      for (const PlanOperand &side : step.blocks)
        printOperand(side);
      out << " threads";
      for (uint32_t side : step.threads)
        out << " " << side;
      return printOperands(step);
    case Kind::Loop:
      out << "loop %" << step.result;
      printOperands(step);
      printSteps(step.body, depth);
      indent(depth);
      out << "end\n";
      return;
    case Kind::If:
      out << "if";
      printOperands(step);
      printSteps(step.body, depth);
      if (!step.otherwise.empty()) {
        indent(depth);
        out << "else\n";
        printSteps(step.otherwise, depth);
      }
      indent(depth);
      out << "end\n";
      return;
    }
  }

  void printOperands(const PlanStep &step) {
    for (const PlanOperand &operand : step.operands)
      printOperand(operand);
    out << "\n";
  }

  void printOperand(const PlanOperand &operand) {
    out << " " << (operand.isRegister ? "%" : "") << operand.value;
  }

  void indent(int depth) { out << std::string(2 * static_cast<size_t>(depth), ' '); }

  const Plan &plan;
  std::ostringstream out;
};
} // namespace

std::string lci::printPlan(const Plan &plan) { return Printer(plan).print(); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// The words of one line.
using Words = std::vector<std::string>;

class Parser {
public:
  explicit Parser(const std::string &text) : in(text) {}

  Result<Plan> parse() {
    if (!next() || words.size() != 4 || words[0] != "plan" || words[2] != "registers" ||
        !readNumber(words[3], plan.registers))
      return wrong("plan NAME registers N");
    if (plan.registers > kMaxRegisters)
      return wrong("at most " + std::to_string(kMaxRegisters) + " registers");
    plan.symbol = words[1];
    if (!next() || words[0] != "writes")
      return wrong("writes ARGUMENTS");
    for (size_t i = 1; i < words.size(); ++i)
      if (!readRegister(words[i], plan.written.emplace_back()))
        return wrong("writes ARGUMENTS");
    Status done = parseSteps(plan.steps, nullptr);
    if (!done)
      return done.failure();
    while (next())
      if (Status read = parseAccesses(); !read)
        return read.failure();
    return plan;
  }

private:
  /// Reads the next line that is not empty.
  bool next() {
    std::string line;
    words.clear();
    while (words.empty() && std::getline(in, line)) {
      ++number;
      std::istringstream parts(line);
      for (std::string word; parts >> word;)
        words.push_back(word);
    }
    return !words.empty();
  }

  Failure wrong(const std::string &expected) const {
    std::string found;
    for (const std::string &word : words)
      found += (found.empty() ? "" : " ") + word;
    return Failure{ErrorId::MalformedFile, "expected " + expected + " in line " +
                                               std::to_string(number) +
                                               " of a launch plan, but got '" + found + "'"};
  }

  template <typename Integer>
  static bool readNumber(const std::string &word, Integer &number) {
    const char *end = word.data() + word.size();
    auto [rest, error] = std::from_chars(word.data(), end, number);
    return error == std::errc() && rest == end;
  }

  bool readRegister(const std::string &word, uint32_t &number) const {
    return word.size() > 1 && word[0] == '%' && readNumber(word.substr(1), number) &&
           number < plan.registers;
  }

  bool readOperand(const std::string &word, PlanOperand &operand) const {
    uint32_t number = 0;
    if (readRegister(word, number)) {
      operand = PlanOperand::reg(number);
      return true;
    }
    operand.isRegister = false;
    return readNumber(word, operand.value);
  }

  bool readOperands(size_t from, PlanStep &step) const {
    for (size_t i = from; i < words.size(); ++i)
      if (!readOperand(words[i], step.operands.emplace_back()))
        return false;
    return true;
  }

  /// The accesses of a kernel to its operands.
  Status parseAccesses() {
    size_t kernel = 0;
    while (kernel < plan.kernels.size() && (words.size() < 2 || plan.kernels[kernel] != words[1]))
      ++kernel;
    if (words[0] != "kernel" || kernel == plan.kernels.size() || !plan.accesses[kernel].empty())
      return wrong("nothing after the plan but what its kernels do");
    for (size_t i = 2; i < words.size(); ++i) {
      size_t which = 0;
      while (which < std::size(kAccesses) && words[i] != kAccesses[which])
        ++which;
      if (which == std::size(kAccesses))
        return wrong("none, read, add or write");
      plan.accesses[kernel].push_back(static_cast<KernelAccess>(which));
    }
    return Done{};
  }

  /// Parses steps up to `end`, or up to `else` where it is allowed, after which `otherwise`
  /// follows.
  Status parseSteps(std::vector<PlanStep> &steps, std::vector<PlanStep> *otherwise) {
    while (next()) {
      if (words == Words{"end"})
        return Done{};
      if (otherwise && words == Words{"else"})
        return parseSteps(*otherwise, nullptr);
      PlanStep step;
      Status parsed = parseStep(step);
      if (!parsed)
        return parsed;
      steps.push_back(std::move(step));
    }
    return wrong("end");
  }

  Status parseStep(PlanStep &step) {
    if (words[0] == "launch")
      return parseLaunch(step);
    if (words[0] == "loop" || words[0] == "if")
      return parseRegion(step);
    if (words.size() < 3 || words[1] != "=" || !readRegister(words[0], step.result))
      return wrong("a step");
    if (words[2] == "allocate") {
      step.kind = Kind::Allocate;
      if (!readOperands(3, step) || step.operands.size() != 1 || step.operands[0].isRegister ||
          step.operands[0].value < 0)
        return wrong("a number of bytes");
      return Done{};
    }
    if (words[2] == "view")
      return parseView(step);
    return words[2].rfind("read.", 0) == 0 ? parseRead(step) : parseComputation(step);
  }

  Status parseView(PlanStep &step) {
    step.kind = Kind::View;
    auto isCount = [](const PlanOperand &operand) {
      return !operand.isRegister && operand.value >= 0;
    };
    if (!readOperands(3, step) || step.operands.size() != 3 || !step.operands[0].isRegister ||
        !isCount(step.operands[1]) || !isCount(step.operands[2]))
      return wrong("view %MEMORY FROM BYTES");
    return Done{};
  }

  Status parseRead(PlanStep &step) {
    step.kind = Kind::Read;
    bool isByte = readNumber(words[2].substr(5), step.width) &&
                  (step.width == 8 || step.width == 16 || step.width == 32 || step.width == 64);
    if (!isByte || !readOperands(3, step) || step.operands.size() != 2 ||
        !step.operands[0].isRegister || step.operands[1].isRegister || step.operands[1].value < 0)
      return wrong("read.BITS %ARGUMENT BYTES");
    return Done{};
  }

  Status parseComputation(PlanStep &step) {
    size_t dot = words[2].find('.');
    std::string name = words[2].substr(0, dot);
    size_t which = 0;
    while (which < std::size(kOperations) && name != kOperations[which])
      ++which;
    if (which == std::size(kOperations) || dot == std::string::npos ||
        !readNumber(words[2].substr(dot + 1), step.width) || step.width < 1 || step.width > 64)
      return wrong("an operation and a width");
    step.operation = static_cast<PlanOperation>(which);
    if (!readOperands(3, step) || step.operands.size() != arityOf(step.operation))
      return wrong(std::to_string(arityOf(step.operation)) + " operands");
    return Done{};
  }

  Status parseLaunch(PlanStep &step) {
    step.kind = Kind::Launch;
    constexpr size_t kFixed = 10;
    bool isWellFormed = words.size() >= kFixed && words[2] == "blocks" && words[6] == "threads";
    for (size_t axis = 0; axis < 3 && isWellFormed; ++axis)
      isWellFormed = readOperand(words[3 + axis], step.blocks[axis]) &&
                     readNumber(words[7 + axis], step.threads[axis]) && step.threads[axis] > 0;
    if (!isWellFormed || !readOperands(kFixed, step))
      return wrong("launch KERNEL blocks X Y Z threads X Y Z OPERANDS");
    step.kernel = plan.numberOf(words[1]);
    return Done{};
  }

  Status parseRegion(PlanStep &step) {
    bool isLoop = words[0] == "loop";
    step.kind = isLoop ? Kind::Loop : Kind::If;
    if (isLoop && (words.size() != 5 || !readRegister(words[1], step.result)))
      return wrong("loop %N FROM TO STEP");
    if (!readOperands(isLoop ? 2 : 1, step) || step.operands.size() != (isLoop ? 3 : 1))
      return wrong(isLoop ? "loop %N FROM TO STEP" : "if OPERAND");
    if (++depth > kMaxRegions)
      return wrong("at most " + std::to_string(kMaxRegions) +
                   " loops and conditions in each other");
    Status parsed = parseSteps(step.body, isLoop ? nullptr : &step.otherwise);
    --depth;
    return parsed;
  }

  std::istringstream in;
  Plan plan;
  Words words;
  size_t number = 0; ///< of the line
  int depth = 0;     ///< of nested loops and conditions
};
} // namespace

Result<Plan> lci::parsePlan(const std::string &text) { return Parser(text).parse(); }
