//===- Space.cpp - The candidates of a schedule ---------------------------===//
//
// A small space is gone through in a shuffled order; of a large one candidates are drawn. The
// default and its neighbours always come first.
//
//===----------------------------------------------------------------------===//

#include "LCI/Pipelines/Search/Space.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::lci;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

/// An attribute without its type.
static std::string textOfAttribute(Attribute attribute) {
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os, /*elideType=*/true);
  return text;
}

std::string Choice::textOf(unsigned option) const { return textOfAttribute(options[option]); }

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

static FailureOr<Choice> choiceOf(KnobOp knob) {
  auto options = dyn_cast<ArrayAttr>(knob.getOptions());
  if (!options || options.empty())
    return knob.emitOpError("expected a list of options to choose from, but got ")
           << ErrorId::InvalidSchedule << knob.getOptions();
  Choice choice{knob.getName().str(), llvm::to_vector(options)};
  if (Attribute selected = knob.getSelectedAttr())
    choice.byDefault = llvm::find(choice.options, selected) - choice.options.begin();
  return choice;
}

static FailureOr<Choice> choiceOf(AlternativesOp alternatives) {
  if (alternatives.getSelectedRegionParam())
    return alternatives.emitOpError("expected a number as the selected region, which a search "
                                    "changes, but got a parameter")
           << ErrorId::InvalidSchedule;
  Choice choice{alternatives.getName().str(), {}};
  Builder builder(alternatives.getContext());
  for (unsigned i = 0; i < alternatives.getAlternatives().size(); ++i)
    choice.options.push_back(builder.getIndexAttr(i));
  if (std::optional<APInt> selected = alternatives.getSelectedRegionAttr())
    choice.byDefault = selected->getZExtValue();
  return choice;
}

FailureOr<Space> Space::create(ModuleOp schedule) {
  Space space(schedule);
  WalkResult walked = schedule.walk([&](Operation *op) {
    if (!isa<KnobOp, AlternativesOp>(op))
      return WalkResult::advance();
    FailureOr<Choice> choice =
        isa<KnobOp>(op) ? choiceOf(cast<KnobOp>(op)) : choiceOf(cast<AlternativesOp>(op));
    if (failed(choice))
      return WalkResult::interrupt();
    auto *known = llvm::find_if(space.choices,
                                [&](const Choice &other) { return other.name == choice->name; });
    if (known == space.choices.end()) {
      space.choices.push_back(std::move(*choice));
    } else if (known->options != choice->options || known->byDefault != choice->byDefault) {
      op->emitOpError("expected the options of the other choice named '")
          << ErrorId::InvalidSchedule << choice->name << "', which it is one with";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  return space;
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

Candidate Space::getDefault() const {
  return llvm::map_to_vector(choices, [](const Choice &choice) { return choice.byDefault; });
}

OwningOpRef<ModuleOp> Space::select(const Candidate &candidate) const {
  OwningOpRef<ModuleOp> selected = ModuleOp(schedule).clone();
  auto find = [&](StringRef name) -> Attribute {
    for (auto [choice, option] : llvm::zip_equal(choices, candidate))
      if (choice.name == name)
        return choice.options[option];
    llvm_unreachable("every choice was collected");
  };
  selected->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](KnobOp knob) { knob.setSelectedAttr(find(knob.getName())); })
        .Case([&](AlternativesOp alternatives) {
          alternatives.setSelectedRegionAttrAttr(cast<IntegerAttr>(find(alternatives.getName())));
        });
  });
  return selected;
}

FailureOr<bool> Space::admits(const Candidate &candidate) const {
  return admitsSelection(*select(candidate));
}

std::string Space::textOf(const Candidate &candidate) const {
  std::string text;
  for (auto [choice, option] : llvm::zip_equal(choices, candidate))
    if (option != choice.byDefault)
      text += (text.empty() ? "" : " ") + choice.name + "=" + choice.textOf(option);
  return text.empty() ? "default" : text;
}

std::string Space::fullTextOf(const Candidate &candidate) const {
  SmallVector<std::string> words;
  for (auto [choice, option] : llvm::zip_equal(choices, candidate))
    words.push_back(choice.name + "=" + choice.textOf(option));
  return llvm::join(words, " ");
}

//===----------------------------------------------------------------------===//
// All candidates
//===----------------------------------------------------------------------===//

uint64_t Space::size() const {
  uint64_t product = 1;
  for (const Choice &choice : choices)
    if (__builtin_mul_overflow(product, choice.options.size(), &product))
      return std::numeric_limits<uint64_t>::max();
  return product;
}

void Space::restrict(llvm::function_ref<bool(unsigned, unsigned)> isLive) {
  for (auto [number, choice] : llvm::enumerate(choices)) {
    Choice kept{choice.name, {}};
    for (unsigned option = 0; option < choice.options.size(); ++option) {
      if (option == choice.byDefault)
        kept.byDefault = kept.options.size();
      if (option == choice.byDefault || isLive(number, option))
        kept.options.push_back(choice.options[option]);
    }
    choice = std::move(kept);
  }
}

/// The candidate of a number, the first choice being the most significant digit.
static Candidate candidateOf(ArrayRef<Choice> choices, uint64_t number) {
  Candidate candidate(choices.size());
  for (size_t i = choices.size(); i-- > 0; number /= choices[i].options.size())
    candidate[i] = number % choices[i].options.size();
  return candidate;
}

/// Any candidate.
static Candidate draw(ArrayRef<Choice> choices, std::mt19937_64 &random) {
  return llvm::map_to_vector(
      choices, [&](const Choice &choice) { return unsigned(random() % choice.options.size()); });
}

/// The default, and candidates that differ from it in one choice.
static std::vector<Candidate> neighbours(const Space &space) {
  std::vector<Candidate> near{space.getDefault()};
  for (auto [number, choice] : llvm::enumerate(space.getChoices()))
    for (unsigned option = 0; option < choice.options.size(); ++option)
      if (option != choice.byDefault) {
        near.push_back(near.front());
        near.back()[number] = option;
      }
  return near;
}

FailureOr<std::vector<Candidate>> Space::enumerate(uint64_t seed, size_t limit) const {
  std::vector<Candidate> found;
  std::set<std::vector<unsigned>> seen;
  // Whether there is room for more; an error ends the search.
  auto add = [&](const Candidate &candidate) -> FailureOr<bool> {
    if (!seen.emplace(candidate.begin(), candidate.end()).second)
      return true;
    FailureOr<bool> isAdmitted = admits(candidate);
    if (failed(isAdmitted))
      return failure();
    if (*isAdmitted)
      found.push_back(candidate);
    return found.size() < limit;
  };
  std::mt19937_64 random(seed);
  std::vector<Candidate> order = neighbours(*this);
  // A space that can be counted is gone through; of a larger one a part is drawn, at most so often.
  constexpr uint64_t kCounted = 1 << 16;
  if (size() <= kCounted) {
    std::vector<Candidate> all;
    for (uint64_t number = 0; number < size(); ++number)
      all.push_back(candidateOf(choices, number));
    for (size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random() % i]);
    order.insert(order.end(), all.begin(), all.end());
  } else {
    for (size_t i = 0; i < 16 * limit; ++i)
      order.push_back(draw(choices, random));
  }
  for (const Candidate &candidate : order) {
    FailureOr<bool> hasRoom = add(candidate);
    if (failed(hasRoom))
      return failure();
    if (!*hasRoom)
      break;
  }
  return found;
}
