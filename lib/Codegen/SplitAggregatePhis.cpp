//===- SplitAggregatePhis.cpp - Split phis of aggregates into fields ------===//
//
// MLIR describes a buffer by five fields, of which code for buffers of static shapes uses only the
// pointer. LLVM splits aggregates in memory, and those that are built, but not those carried by a
// loop: every field of every ping-pong buffer there would occupy a register.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/Optimize.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

/// Makes a separate phi for each used field of an aggregate.
class FieldCarrier {
public:
  explicit FieldCarrier(Function &function) {
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        if (phi.getType()->isAggregateType())
          carriers.insert(&phi);
    while (carriers.remove_if([&](PHINode *phi) { return !isCarrier(phi); }))
      ;
  }

  unsigned run() {
    for (PHINode *carrier : carriers)
      for (User *user : make_early_inc_range(carrier->users()))
        if (auto *extract = dyn_cast<ExtractValueInst>(user)) {
          extract->replaceAllUsesWith(getField(carrier, extract->getIndices()));
          extract->eraseFromParent();
        }
    // Incoming fields may be fields of further carriers.
    while (!fields.empty())
      addIncoming(fields.pop_back_val());
    for (PHINode *carrier : carriers)
      carrier->replaceAllUsesWith(PoisonValue::get(carrier->getType()));
    for (PHINode *carrier : carriers)
      carrier->eraseFromParent();
    return carriers.size();
  }

private:
  using Field = std::pair<PHINode *, SmallVector<unsigned, 2>>;

  /// Whether only fields of it are used.
  bool isCarrier(PHINode *phi) const {
    return all_of(phi->users(), [&](User *user) {
      auto *other = dyn_cast<PHINode>(user);
      return isa<ExtractValueInst>(user) || (other && carriers.contains(other));
    });
  }

  PHINode *getField(PHINode *carrier, ArrayRef<unsigned> indices) {
    Field field(carrier, SmallVector<unsigned, 2>(indices));
    auto [known, isNew] = made.try_emplace(field, nullptr);
    if (!isNew)
      return known->second;
    Type *type = ExtractValueInst::getIndexedType(carrier->getType(), indices);
    known->second = PHINode::Create(type, carrier->getNumIncomingValues(), carrier->getName(),
                                    carrier->getIterator());
    fields.push_back(field);
    return known->second;
  }

  void addIncoming(const Field &named) {
    PHINode *field = made.at(named);
    const auto &[carrier, indices] = named;
    // A predecessor that is listed twice has the same value twice.
    DenseMap<BasicBlock *, Value *> brought;
    for (auto [block, whole] : zip_equal(carrier->blocks(), carrier->incoming_values())) {
      Value *&part = brought[block];
      if (!part)
        part = getPart(whole, indices, *block);
      field->addIncoming(part, block);
    }
  }

  Value *getPart(Value *whole, ArrayRef<unsigned> indices, BasicBlock &block) {
    if (auto *phi = dyn_cast<PHINode>(whole); phi && carriers.contains(phi))
      return getField(phi, indices);
    if (Value *inserted = FindInsertedValue(whole, indices))
      return inserted;
    return IRBuilder<>(block.getTerminator()).CreateExtractValue(whole, indices);
  }

  SetVector<PHINode *> carriers;
  std::map<Field, PHINode *> made;
  SmallVector<Field> fields; ///< without incoming values so far
};

} // namespace

unsigned lci::splitAggregatePhis(Function &function) { return FieldCarrier(function).run(); }
