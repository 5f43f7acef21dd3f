//===- Bitslice.cpp - Rewrite arrays of small tokens as bit planes --------===//
//
// A dialect conversion: each buffer with a layout becomes several buffers of
// words (one-to-many), and ticks, refreshes of halos, copies and views on it
// are rewritten to operations on words. Bodies of ticks are analyzed before,
// because types change during conversion.
//
//===----------------------------------------------------------------------===//

#include "HaloSlicer.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Transforms/Layout/Passes.h"
#include "LCI/Transforms/Support/EagerBlocks.h"
#include "LCI/Transforms/Support/IntegerRanges.h"
#include "PlaneCopies.h"
#include "TickSlicer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BITSLICEPASS
#include "LCI/Transforms/Layout/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

using Analyses = llvm::DenseMap<Operation *, std::unique_ptr<BodyAnalysis>>;

namespace {

struct PlaneConverter : TypeConverter {
  PlaneConverter() {
    addConversion([](Type type) { return type; });
    addConversion(
        [](MemRefType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          LayoutAttr layout = layoutOf(type);
          if (!layout)
            return std::nullopt;
          llvm::append_range(types, planeTypes(layout));
          return success();
        });
    auto join = [](OpBuilder &builder, MemRefType type, ValueRange inputs, Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
    };
    addSourceMaterialization(join);
  }
};

/// Replaces arguments that are arrays by arguments that are their planes.
struct SliceFunction : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::FuncOp function, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(function.getNumArguments());
    SmallVector<Attribute> attributes;
    for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
      SmallVector<Type> types;
      if (failed(getTypeConverter()->convertType(type, types)))
        return failure();
      signature.addInputs(number, types);
      for (Type plane : types)
        attributes.push_back(layoutOf(type) ? describe(function, number, plane)
                                            : function.getArgAttrDict(number));
    }
    rewriter.applySignatureConversion(&function.getBody().front(), signature, getTypeConverter());
    rewriter.modifyOpInPlace(function, [&] {
      function.setFunctionType(
          rewriter.getFunctionType(signature.getConvertedTypes(), function.getResultTypes()));
      function.setAllArgAttrs(attributes);
    });
    return success();
  }

  /// To callers, planes have no halo and no vocabulary.
  static DictionaryAttr describe(func::FuncOp function, unsigned number, Type plane) {
    Builder builder(function.getContext());
    ArrayRef<int64_t> shape = cast<MemRefType>(plane).getShape();
    auto none = builder.getDenseI64ArrayAttr(SmallVector<int64_t>(shape.size(), 0));
    NamedAttrList attributes(function.getArgAttrDict(number));
    attributes.erase("lci.vocabulary");
    attributes.erase("lci.may_be_absent");
    attributes.set("lci.extents", builder.getDenseI64ArrayAttr(shape));
    attributes.set("lci.halo_low", none);
    attributes.set("lci.halo_high", none);
    return attributes.getDictionary(function.getContext());
  }
};

struct SliceTick : OpConversionPattern<TickOp> {
  SliceTick(const TypeConverter &converter, MLIRContext *context, const Analyses &analyses,
            SlicingOptions options)
      : OpConversionPattern(converter, context), analyses(analyses), options(options) {}

  LogicalResult matchAndRewrite(TickOp tick, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value counts = tick.getCounts() ? adaptor.getCounts().front() : Value();
    TickSlicer(rewriter, tick, *analyses.at(tick), adaptor.getInputs(),
               adaptor.getTargets().front(), counts, options)
        .slice();
    rewriter.eraseOp(tick);
    return success();
  }

  const Analyses &analyses;
  SlicingOptions options;
};

struct SliceHalo : OpConversionPattern<RefreshHaloOp> {
  SliceHalo(const TypeConverter &converter, MLIRContext *context, bool threads)
      : OpConversionPattern(converter, context), threads(threads) {}

  LogicalResult matchAndRewrite(RefreshHaloOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    refreshPlanes(rewriter, op, layoutOf(op.getStorage().getType()), adaptor.getStorage(), threads);
    rewriter.eraseOp(op);
    return success();
  }

  bool threads;
};

struct SliceCopy : OpConversionPattern<linalg::CopyOp> {
  SliceCopy(const TypeConverter &converter, MLIRContext *context, bool threads)
      : OpConversionPattern(converter, context), threads(threads) {}

  LogicalResult matchAndRewrite(linalg::CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange from = adaptor.getInputs().front(), to = adaptor.getOutputs().front();
    LayoutAttr source = layoutOf(op.getInputs().front().getType());
    LayoutAttr target = layoutOf(op.getOutputs().front().getType());
    if (source && target)
      for (auto [plane, copy] : llvm::zip_equal(from, to))
        linalg::CopyOp::create(rewriter, op.getLoc(), plane, copy);
    else if (target)
      packCells(rewriter, op.getLoc(), from.front(), target, to, threads);
    else
      unpackCells(rewriter, op.getLoc(), source, from, to.front(), threads);
    rewriter.eraseOp(op);
    return success();
  }

  bool threads;
};

/// A view of the cells without their halo uses the same planes.
struct SliceView : OpConversionPattern<memref::SubViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(memref::SubViewOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getSource()});
    return success();
  }
};

/// Two arrays are the same if their first planes are.
struct SlicePointer : OpConversionPattern<memref::ExtractAlignedPointerAsIndexOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(memref::ExtractAlignedPointerAsIndexOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<memref::ExtractAlignedPointerAsIndexOp>(
        op, adaptor.getSource().front());
    return success();
  }
};

struct Bitslice : mlir::lci::impl::BitslicePassBase<Bitslice> {
  using BitslicePassBase::BitslicePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, eagerBlocksOption(eagerBlocks));
  }

  LogicalResult analyzeTicks(Analyses &analyses) {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      if (llvm::any_of(tick->getOperandTypes(),
                       [](Type type) { return layoutOf(type) != nullptr; }))
        ticks.push_back(tick);
    });
    llvm::for_each(ticks, [](TickOp tick) { foldSettled(tick); });
    DataFlowSolver solver;
    if (failed(analyzeBodies(solver, getOperation())))
      return failure();
    for (TickOp tick : ticks) {
      if (auto obstacle = findObstacle(tick, solver))
        return tick.emitOpError("cannot be computed on planes because of ")
               << ErrorId::NotLowered << *obstacle;
      analyses[tick] = std::make_unique<BodyAnalysis>(tick, solver);
    }
    numTicks += ticks.size();
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto hasLayout = [](Type type) { return layoutOf(type) != nullptr; };
    if (function.isExternal())
      return;
    Analyses analyses;
    if (failed(analyzeTicks(analyses)))
      return signalPassFailure();
    PlaneConverter converter;
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        return llvm::none_of(function.getArgumentTypes(), hasLayout);
      return llvm::none_of(op->getOperandTypes(), hasLayout) &&
             llvm::none_of(op->getResultTypes(), hasLayout);
    });
    SlicingOptions options{isForGPU(function), getCPUTarget(function).vectorBits,
                           static_cast<unsigned>(eagerBlocks)};
    RewritePatternSet patterns(&getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    patterns.add<SliceFunction, SliceView, SlicePointer>(converter, &getContext());
    patterns.add<SliceHalo, SliceCopy>(converter, &getContext(), options.threads);
    patterns.add<SliceTick>(converter, &getContext(), analyses, options);
    if (failed(applyPartialConversion(function, target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
