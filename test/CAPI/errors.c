// RUN: %cc %s -o %t && %t 2>&1 | FileCheck %s
// UNSUPPORTED: sanitizer
// Whatever a function is given, it answers with an error: null, texts that are none, and what does not fit.

#include "lci-c/Dialect.h"
#include "lci-c/Module.h"
#include "lci-c/Program.h"
#include <stdio.h>
#include <string.h>

static const char good[] = "value Cell : Token[2] shape Seq(N)\n"
                           "param p : F32 = 0.5\n"
                           "visible Cell[i] <- Cell[i]\n"
                           "rule R: on Cell[i] emit proposal Cell[i] := if p > 0 then self else 0\n"
                           "commit Cell[*] using accept\n";
static const MlirModule noModule = {NULL};

static MlirStringRef text(const char *of) { return mlirStringRefCreate(of, of ? strlen(of) : 0); }

static void ignore(MlirStringRef part, void *to) { (void)part, (void)to; }

static void show(const LciDiagnostic *one, void *count) {
  static const char *names[] = {"error", "warning", "remark", "note"};
  ++*(int *)count;
  printf("told: %s|%s|%s|%s:%u:%u\n", names[one->severity], one->message, one->id, one->file,
         one->line, one->column);
}

static void expect(const char *what, bool fails) {
  printf("%s: %s%s\n", what, fails ? "" : "NOT A FAILURE ", lciGetError());
}

static bool fails(MlirLogicalResult done) { return mlirLogicalResultIsFailure(done); }

static void readTexts(MlirContext context) {
  const MlirContext none = {NULL};
  // CHECK: import null: error: expected a context, but got null [wrong-call]
  expect("import null", !lciModuleImport(none, text(good), "x.lmpm").ptr);
  // CHECK: null text: error: expected a text, but got null [wrong-call]
  expect("null text", !lciModuleImport(context, text(NULL), "x.lmpm").ptr);
  // CHECK: told: error|value 'Cell' has no shape|missing-part|bad.lmpm:1:7
  // CHECK: told: note|for example 'shape Grid2D(W, H)'; a single cell is 'shape Scalar'||bad.lmpm:1:7
  // CHECK: syntax: bad.lmpm:1:7: error: value 'Cell' has no shape [missing-part]
  // CHECK-NEXT: bad.lmpm:1:7: note: for example
  int count = 0;
  lciSetDiagnosticCallback(show, &count);
  expect("syntax",
         !lciModuleImport(context, text("value Cell : Token[2]"), "bad.lmpm").ptr && count == 2);
  lciSetDiagnosticCallback(NULL, NULL);
  // CHECK: follows: error: expected a module, but got null [wrong-call]
  // CHECK-NEXT: note: an earlier call failed: bad.lmpm:1:7: error: value 'Cell' has no shape [missing-part]
  expect("follows", fails(lciModuleVerify(noModule)));
  // CHECK: garbage: <text>:1:1: error: {{.*}} [unreadable-text]
  expect("garbage", !lciModuleImport(context, text("\xff\xfe\x01"), NULL).ptr);
  // CHECK: no IR: a.mlir:1:1: error: expected IR, but got text of the language [wrong-program]
  expect("no IR", !lciModuleParse(context, text(good), "a.mlir").ptr);
  // CHECK: open IR: b.mlir:1:{{[0-9]+}}: error:
  expect("open IR", !lciModuleParse(context, text("func.func @f() {"), "b.mlir").ptr);
  // CHECK: bytecode: c.mlirbc: error:
  expect("bytecode", !lciModuleParse(context, text("ML\xefR\x07\x01\x02"), "c.mlirbc").ptr);
}

static void compile(MlirModule module) {
  static const char bindings[] = "{\"sizes\": {\"N\": 4}}";
  // CHECK: no sizes: good.lmpm:1:{{[0-9]+}}: error: size 'N' is not bound
  expect("no sizes", !lciProgramCompile(module, NULL, "cpu", 1).ptr);
  // CHECK: back end: error: expected cpu, interp, kernels or cuda for a back end, but got 'gpu' [wrong-call]
  expect("back end", !lciProgramCompile(module, bindings, "gpu", 1).ptr);
  // CHECK: threads: error: expected at least one thread, and one alone on other back ends than cpu, but got 2 [wrong-call]
  expect("threads", !lciProgramCompile(module, bindings, "interp", 2).ptr);
  // CHECK: nothing: error: expected a module, but got null [wrong-call]
  expect("nothing", !lciProgramCompile(noModule, bindings, NULL, 1).ptr);
}

static void runPasses(MlirContext context, MlirModule module) {
  // CHECK: null module: error: expected a module, but got null [wrong-call]
  expect("null module", fails(lciModuleRunPasses(noModule, "cse")));
  // CHECK: null pipeline: error: expected a pipeline, but got null [wrong-call]
  expect("null pipeline", fails(lciModuleRunPasses(module, NULL)));
  // CHECK: unknown pass: error: cannot read the pipeline 'lci-bnd': 'lci-bnd' does not refer to a registered pass or pass pipeline; did you mean 'lci-bind'? [pass-option]
  expect("unknown pass", fails(lciModuleRunPasses(module, "lci-bnd")));
  // CHECK: unknown option: error: cannot read the pipeline 'lci-bind{size=3}': {{.*}} [pass-option]
  expect("unknown option", fails(lciModuleRunPasses(module, "lci-bind{size=3}")));
  // CHECK: level: good.lmpm:{{.*}} error: {{.*}}lci-split-domain{{.*}} [pass-order]
  expect("level", fails(lciModuleRunPasses(module, "func.func(lci-split-domain)")));
  // CHECK: silent: error: it failed, and nothing said why [cannot-compile]
  static const char sums[] = "func.func @f(%a: i32) -> i32 { %z = arith.constant 0 : i32 \n"
                             "%1 = arith.addi %a, %z : i32 \n"
                             "return %1 : i32 }";
  MlirModule other = lciModuleParse(context, text(sums), "sums.mlir");
  expect("silent",
         fails(lciModuleRunPasses(other, "canonicalize{max-iterations=1 test-convergence=true}")));
  lciModuleDestroy(other);
  // CHECK: print nowhere: error: expected a callback, but got null [wrong-call]
  expect("print nowhere", fails(lciModulePrint(module, NULL, NULL)));
  // CHECK: no handles: 1 1 1
  printf("no handles: %d %d %d\n", !lciModuleClone(noModule).ptr, fails(lciModuleVerify(noModule)),
         fails(lciModuleExport(noModule, ignore, NULL)));
}

static void translate(MlirModule module) {
  // CHECK: unbound: good.lmpm:1:{{[0-9]+}}: error: size 'N' is not bound
  expect("unbound", fails(lciModuleToPTX(module, NULL, "sm_90", ignore, NULL)));
  // CHECK: JSON: <bindings>:1:{{[0-9]+}}: error: {{.*}} [malformed-json]
  expect("JSON", fails(lciModuleToPTX(module, "{\"sizes\": ", "sm_90", ignore, NULL)));
  // CHECK: chip: error: expected a chip that the compiler knows
  expect("chip", fails(lciModuleToPTX(module, "{\"sizes\": {\"N\": 8}}", "sm_11", ignore, NULL)));
  // CHECK: nothing to bind: {{.*}}error: expected a program to bind, but got IR below programs [wrong-program]
  if (fails(lciModuleRunPasses(module, "lci-bind{sizes=N=8},lci-lower-rules")))
    expect("lowering", false);
  expect("nothing to bind", fails(lciModuleToLLVMIR(module, "{}", ignore, NULL)));
  // CHECK: no text: error: 'module' has no lci.program to run [wrong-program]
  expect("no text", fails(lciModuleExport(module, ignore, NULL)));
}

static void giveRuns(LciProgram program, LciRun run) {
  static const int64_t four[] = {4}, cells[] = {0, 1, 2, 0}, three[] = {3},
                       huge[] = {1LL << 40, 1LL << 40};
  lci_array tooMany = {LCI_I64, 1, four, cells}, few = {LCI_I64, 1, three, cells},
            large = {LCI_I64, 2, huge, cells}, bare = {LCI_I64, 1, four, NULL},
            deep = {LCI_I64, 65, four, cells}, shapeless = {LCI_I64, 1, NULL, cells},
            odd = {(lci_type)77, 1, four, cells};
  // CHECK: shape: error: expected shape (4,) for 'Cell', but got (3,) [wrong-shape]
  expect("shape", fails(lciRunSetInput(run, "Cell", &few)));
  // CHECK: token: error: {{.*}}2{{.*}} [outside-vocabulary]
  expect("token", fails(lciRunSetInput(run, "Cell", &tooMany)));
  // CHECK: large: error: expected a shape of fewer than 2^31 elements for the parameter 'p', but got (1099511627776, 1099511627776) [wrong-call]
  expect("large", fails(lciRunSetParameter(run, "p", &large)));
  // CHECK: bare: error: expected data for 'Cell', but got null [wrong-call]
  expect("bare", fails(lciRunSetInput(run, "Cell", &bare)));
  // CHECK: deep: error: expected a rank of 0 to 64 for 'Cell', but got 65 [wrong-call]
  expect("deep", fails(lciRunSetInput(run, "Cell", &deep)));
  // CHECK: shapeless: error: expected a shape for 'Cell', but got null [wrong-call]
  expect("shapeless", fails(lciRunSetInput(run, "Cell", &shapeless)));
  // CHECK: odd: error: expected one of the types of lci_type, but got 77 [wrong-call]
  expect("odd", fails(lciRunSetInput(run, "Cell", &odd)));
  // CHECK: array: error: expected an array for 'Cell', but got null [wrong-call]
  expect("array", fails(lciRunSetInput(run, "Cell", NULL)));
  // CHECK: name: error: expected a name, but got null [wrong-call]
  expect("name", fails(lciRunSetInput(run, NULL, &few)));
  // CHECK: no value: error: the program has no value 'Cel'; it has: Cell [no-such-name]
  expect("no value", fails(lciProgramDescribeValue(program, "Cel", &few)));
  // CHECK: no place: error: expected a place for a description, but got null [wrong-call]
  expect("no place", fails(lciProgramDescribeValue(program, "Cell", NULL)));
  // CHECK: number: error: expected the number of a value, below 1, but got 1 [wrong-call]
  expect("number", !lciProgramGetValueName(program, 1));
}

static void runThem(LciProgram program, LciRun run) {
  int8_t cells[4];
  double number;
  lci_array start = {LCI_I8, 1, (const int64_t[]){4}, "\0\1\0\1"};
  // CHECK: early: error: expected lciRunAdvance before a look at the state [wrong-call]
  expect("early", fails(lciRunGetValue(run, "Cell", cells, 4)));
  // CHECK: no start: {{.*}}error: {{.*}}Cell
  expect("no start", fails(lciRunAdvance(run, 1)));
  // CHECK: epochs: error: expected from 0 to 4294967296 more epochs, but got -1 [wrong-call]
  expect("epochs", fails(lciRunAdvance(run, -1)));
  // CHECK: it runs: 0
  printf("it runs: %d\n",
         fails(lciRunSetInput(run, "Cell", &start)) || fails(lciRunAdvance(run, 1)));
  // CHECK: late: error: expected inputs of a run before its first epochs, but got some after them [wrong-call]
  expect("late", fails(lciRunSetSeed(run, 3)));
  // CHECK: bytes: error: expected 4 bytes for 'Cell', but got 5 [wrong-call]
  expect("bytes", fails(lciRunGetValue(run, "Cell", cells, 5)));
  // CHECK: nowhere: error: expected a place for 'Cell', but got null [wrong-call]
  expect("nowhere", fails(lciRunGetValue(run, "Cell", NULL, 4)));
  // CHECK: observer: error: the program has no observer 'sum' [no-such-name]
  expect("observer", fails(lciRunObserve(run, "sum", &number)));
  // CHECK: no number: error: expected a place for a number, but got null [wrong-call]
  expect("no number", fails(lciRunObserve(run, "sum", NULL)));
  lciRunDestroy(run);
  lciRunDestroy(run);
  // CHECK: gone: error: expected a run that is not destroyed, but got another pointer, or one of the past [wrong-call]
  expect("gone", fails(lciRunAdvance(run, 1)));
  // CHECK: other switch: error: {{.*}}Rule
  LciRun other = lciRunCreate(program);
  expect("other switch", fails(lciRunSetInput(other, "Cell", &start)) ||
                             fails(lciRunSetEnabled(other, "Rule", true)) ||
                             fails(lciRunAdvance(other, 0)));
  lciRunDestroy(other);
}

int main(void) {
  MlirContext context = lciContextCreate();
  readTexts(context);
  MlirModule module = lciModuleImport(context, text(good), "good.lmpm");
  compile(module);
  LciProgram program = lciProgramCompile(module, "{\"sizes\": {\"N\": 4}}", "cpu", 1);
  LciRun run = lciRunCreate(program);
  runPasses(context, module);
  translate(module);
  lciModuleDestroy(module);
  lciModuleDestroy(noModule);
  lciContextDestroy(context);
  lciContextDestroy((MlirContext){NULL});
  giveRuns(program, run);
  runThem(program, run);
  lciProgramDestroy(program);
  // CHECK: past: error: expected a program that is not destroyed, but got another pointer, or one of the past [wrong-call]
  expect("past", !lciRunCreate(program).ptr);
  // CHECK: a count: -1 error: expected a program, but got null [wrong-call]
  printf("a count: %d %s\n", (int)lciProgramGetNumValues((LciProgram){NULL}), lciGetError());
  // CHECK: registry: error: expected a registry, but got null [wrong-call]
  expect("registry", fails(lciRegisterAllDialects((MlirDialectRegistry){NULL})));
  // CHECK: context: error: expected a context, but got null [wrong-call]
  expect("context", fails(lciContextPrepare((MlirContext){NULL})));
  return 0;
}
