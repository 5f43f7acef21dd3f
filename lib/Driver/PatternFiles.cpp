//===- PatternFiles.cpp - Read rewrite patterns from files ----------------===//
//
// PDLL goes through MLIR's program for it, whose library is not in libMLIR.so; IR of the pdl
// dialect is read as all IR. MLIR then compiles patterns to a bytecode that trusts them, so all of
// that is checked here first.
//
//===----------------------------------------------------------------------===//

#include "LCI/Codegen/ExternalTools.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Driver/Patterns.h"
#include "mlir/Conversion/PDLToPDLInterp/PDLToPDLInterp.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Where `#include "LCI/Dialect/LCIOps.td"` is found: beside an installed tool, else in the sources
/// of this build.
static std::vector<std::string> includesFor(StringRef path) {
  SmallString<128> installed(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(installed);
  llvm::sys::path::append(installed, "..", "include");
  SmallString<128> operations(installed);
  llvm::sys::path::append(operations, "LCI", "Dialect", "LCIOps.td");
  bool isInstalled = llvm::sys::fs::exists(operations);
  StringRef beside = llvm::sys::path::parent_path(path);
  return {beside.empty() ? "." : beside.str(),
          isInstalled ? installed.str().str() : LCI_INCLUDE_FOLDER, LCI_MLIR_INCLUDE_FOLDER};
}

/// Emits the first error of a compiler, at its place.
static void emitFirstError(StringRef messages, StringRef path, MLIRContext *context) {
  auto [place, rest] = messages.split(": error: ");
  auto [beforeColumn, columnText] = place.rsplit(':');
  auto [file, lineText] = beforeColumn.rsplit(':');
  unsigned line = 0, column = 0;
  if (rest.empty() || lineText.getAsInteger(10, line) || columnText.getAsInteger(10, column)) {
    InFlightDiagnostic error =
        emitError(UnknownLoc::get(context), "cannot compile the patterns of '")
        << ErrorId::Syntax << path << "': " << messages.split('\n').first;
    if (messages.contains("unregistered dialect"))
      error.attachNote()
          << "write patterns that name types or attributes of a dialect as IR of the "
             "pdl dialect, in a file whose name ends in .mlir";
    return;
  }
  file = file.substr(file.rfind('\n') + 1); // behind the files that include it
  emitError(FileLineColLoc::get(context, file, line, column))
      << ErrorId::Syntax << rest.split('\n').first;
}

static OwningOpRef<ModuleOp> readPDLL(const std::string &path, MLIRContext *context) {
  auto compiled = ::lci::compilePatterns(path, includesFor(path), LCI_LLVM_TOOLS_FOLDER);
  if (!compiled) {
    emitError(UnknownLoc::get(context), llvm::toString(compiled.takeError())) << ErrorId::NoTool;
    return nullptr;
  }
  // An attribute that it cannot read is an error, and any attribute in the pattern.
  if (compiled->ir.empty() || StringRef(compiled->messages).contains("error: ")) {
    emitFirstError(compiled->messages, path, context);
    return nullptr;
  }
  return parseSourceString<ModuleOp>(compiled->ir, context, path);
}

static OwningOpRef<ModuleOp> readIR(const std::string &path, MLIRContext *context) {
  static llvm::SourceMgr sources; // diagnostics of the file show it
  return loadModule(path, sources, context);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// How many operands operations of that name have, or results, where it is always as many.
static std::optional<size_t> numOperandsOf(OperationName name) {
  if (name.hasTrait<OpTrait::ZeroOperands>())
    return 0;
  if (name.hasTrait<OpTrait::OneOperand>())
    return 1;
  if (name.hasTrait<OpTrait::NOperands<2>::Impl>())
    return 2;
  if (name.hasTrait<OpTrait::NOperands<3>::Impl>())
    return 3;
  return std::nullopt;
}
static std::optional<size_t> numResultsOf(OperationName name) {
  if (name.hasTrait<OpTrait::ZeroResults>())
    return 0;
  if (name.hasTrait<OpTrait::OneResult>())
    return 1;
  return std::nullopt;
}

/// Values or types whose number is known, as there is no range among them.
static std::optional<size_t> countIfKnown(ValueRange of) {
  if (llvm::any_of(of, [](Value one) { return isa<pdl::RangeType>(one.getType()); }))
    return std::nullopt;
  return of.size();
}

/// The attributes that a pattern gives an operation: each is of a kind that such operations have.
/// One of another kind would be dropped without a word.
static LogicalResult checkAttributes(pdl::OperationOp op, OperationName name) {
  for (auto [key, given] : llvm::zip(op.getAttributeValueNames(), op.getAttributeValues())) {
    auto constant = given.getDefiningOp<pdl::AttributeOp>();
    if (!constant || !constant.getValue())
      continue; // one that was matched
    StringRef attribute = cast<StringAttr>(key).getValue();
    OperationState state(op.getLoc(), name);
    state.addAttribute(attribute, *constant.getValue());
    Operation *probe = Operation::create(state);
    std::optional<Attribute> kept = probe->getInherentAttr(attribute);
    probe->destroy();
    if (kept && *kept != *constant.getValue())
      return constant.emitError("expected an attribute of another kind as '")
             << ErrorId::InvalidAttribute << attribute << "' of '" << name << "', but got "
             << *constant.getValue();
  }
  return success();
}

/// An operation that a pattern makes: its name is known, and it has as many operands and results as
/// such operations have.
static LogicalResult checkMade(pdl::OperationOp op) {
  std::optional<StringRef> text = op.getOpName();
  if (!text)
    return success(); // the verifier's
  MLIRContext *context = op.getContext();
  context->getOrLoadDialect(text->split('.').first);
  OperationName name(*text, context);
  if (!name.isRegistered())
    return op.emitError("the pattern makes '")
           << ErrorId::NoSuchName << *text << "', an operation that nobody knows";
  auto check = [&](StringRef parts, std::optional<size_t> given, std::optional<size_t> wanted) {
    if (!given || !wanted || *given == *wanted)
      return success();
    return LogicalResult(op.emitError("expected ")
                         << ErrorId::InvalidTypes << *wanted << " " << parts << " of '" << *text
                         << "', but the pattern gives it " << *given);
  };
  if (failed(checkAttributes(op, name)) ||
      failed(check("operands", countIfKnown(op.getOperandValues()), numOperandsOf(name))))
    return failure();
  if (!op.getTypeValues().empty())
    return check("results", countIfKnown(op.getTypeValues()), numResultsOf(name));
  // Others have the types of the operation that they replace. Inference trusts its operands and
  // attributes, unless one result has the type of all operands.
  bool isSame = name.hasTrait<OpTrait::SameOperandsAndResultType>() && numResultsOf(name) == 1;
  if (!name.hasInterface<InferTypeOpInterface>() || (isSame && !op.getOperandValues().empty()))
    return success();
  return op.emitError("expected the types of the results of '")
         << ErrorId::InvalidTypes << *text
         << "' that the pattern makes, such as -> (type<\"i64\">)";
}

/// A result of an operation that a pattern makes: there is one of that number.
static LogicalResult checkResult(pdl::ResultOp result) {
  auto made = result.getParent().getDefiningOp<pdl::OperationOp>();
  if (!made || !made.getOpName() || !isa<pdl::RewriteOp>(made->getParentOp()))
    return success(); // a pattern that matches looks first
  std::optional<size_t> count = numResultsOf(OperationName(*made.getOpName(), made.getContext()));
  if (!made.getTypeValues().empty())
    count = countIfKnown(made.getTypeValues());
  if (!count || result.getIndex() < *count)
    return success();
  return result.emitError("expected a result of '")
         << ErrorId::InvalidReference << *made.getOpName() << "' below " << *count << ", but got "
         << result.getIndex();
}

/// One operation of a pattern.
static LogicalResult checkPart(Operation *part) {
  StringRef native = isa<pdl::ApplyNativeConstraintOp>(part) ? "constraint"
                     : isa<pdl::ApplyNativeRewriteOp>(part)  ? "rewrite"
                                                             : "";
  auto rewrite = dyn_cast<pdl::RewriteOp>(part);
  if (!native.empty() || (rewrite && rewrite.getName())) {
    auto name = part->getAttrOfType<StringAttr>("name");
    return part->emitError("expected patterns without functions of C++, but got the ")
           << ErrorId::NotSupported << (native.empty() ? "rewrite" : native) << " '"
           << (name ? name.getValue() : StringRef()) << "'";
  }
  if (auto made = dyn_cast<pdl::OperationOp>(part);
      made && isa<pdl::RewriteOp>(made->getParentOp()))
    return checkMade(made);
  if (auto result = dyn_cast<pdl::ResultOp>(part))
    return checkResult(result);
  return success();
}

static LogicalResult checkPatterns(ModuleOp module, StringRef path) {
  if (module.getOps<pdl::PatternOp>().empty())
    return emitError(module.getLoc(), "expected patterns in '")
           << ErrorId::MissingPart << path << "', but got none";
  for (Operation &top : *module.getBody())
    if (!isa<pdl::PatternOp>(top))
      return top.emitError("expected patterns alone in '")
             << ErrorId::ForeignOperation << path << "', but got '" << top.getName() << "'";
  WalkResult checked = module.walk([](Operation *part) { return WalkResult(checkPart(part)); });
  return failure(checked.wasInterrupted());
}

/// Whether MLIR can compile patterns to its bytecode: where it cannot when it has to, it ends the
/// process.
static LogicalResult checkCompiles(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createConvertPDLToPDLInterpPass());
  return manager.run(*copy);
}

OwningOpRef<ModuleOp> mlir::lci::readPatterns(const std::string &path, MLIRContext *context) {
  OwningOpRef<ModuleOp> module =
      StringRef(path).ends_with(".pdll") ? readPDLL(path, context) : readIR(path, context);
  if (!module || failed(checkPatterns(*module, path)) || failed(checkCompiles(*module)))
    return nullptr;
  return module;
}
