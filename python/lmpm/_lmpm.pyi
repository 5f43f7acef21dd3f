"""
What the package lmpm takes from the compiler; use `import lmpm`.
"""
from __future__ import annotations
import collections.abc
import lmpm.operations
import numpy
import typing
import typing_extensions
__all__: list[str] = ['Attribute', 'Attributes', 'BACKENDS', 'BINARY', 'Block', 'COMPARE', 'COUNTERS', 'Clause', 'Compiled', 'Context', 'Diagnostic', 'FUNCTIONS', 'MAX_WRITTEN_OUT', 'Module', 'Operation', 'Region', 'Rewriter', 'Run', 'Stop', 'Tensor', 'Tree', 'Type', 'UNARY', 'VIEWS', 'Value', 'apply_patterns', 'bind', 'build_type', 'check_equivalent', 'compile', 'cpu', 'create', 'draw_array', 'draw_view', 'encode_png', 'has_assertions', 'is_name', 'llvm_version', 'lower', 'operation_classes', 'read_safetensors', 'run_passes', 'to_llvm_ir', 'to_ptx', 'tune', 'version']
class Diagnostic:
    """
    One message of the compiler: what is wrong, and where.
    """
    def __getstate__(self) -> tuple:
        ...
    def __init__(self, severity: str, message: str, id: str = '', file: str = '', line: typing.SupportsInt | typing.SupportsIndex = 0, column: typing.SupportsInt | typing.SupportsIndex = 0) -> None:
        ...
    def __repr__(self) -> str:
        ...
    def __setstate__(self, arg0: tuple) -> None:
        ...
    def __str__(self) -> str:
        ...
    @property
    def column(self) -> int:
        """
        The column, from 1; 0 without a place.
        """
    @property
    def file(self) -> str:
        """
        The file's name; empty without a place.
        """
    @property
    def id(self) -> str:
        """
        The kind of mistake, such as `not-visible`; empty where there is none.
        """
    @property
    def line(self) -> int:
        """
        The line, from 1; 0 without a place.
        """
    @property
    def message(self) -> str:
        """
        The sentence, without its place.
        """
    @property
    def notes(self) -> list[Diagnostic]:
        """
        What belongs to it.
        """
    @property
    def severity(self) -> str:
        """
        `error`, `warning`, `remark` or `note`.
        """
class Context:
    """
    Where operations, types and attributes live; has every dialect.
    """
    @staticmethod
    def _CAPICreate(capsule: typing.Any) -> typing.Any:
        """
        The context of a capsule; one of another package is owned from then on.
        """
    def __init__(self) -> None:
        ...
    def add_source(self, text: str, name: str) -> int:
        """
        Adds a text that messages point into under this name, such as a notebook's cell.
        """
    @property
    def _CAPIPtr(self) -> typing.Any:
        """
        A capsule of it for other packages over the same libMLIR.so.
        """
class Module:
    """
    A module of IR.
    """
    @staticmethod
    def _CAPICreate(capsule: typing.Any) -> typing.Any:
        """
        The module of a capsule; one of another package is owned from then on, but not its context.
        """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    @staticmethod
    def parse(text: str, name: str = '<text>.lmpm', context: Context = None) -> Module:
        """
        Reads a program's text (a name that ends in `.lmpm`), or IR as text or bytecode.
        """
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def _repr_html_(self):
        """
        A notebook shows IR with colours, and with regions that fold.
        """
    def clone(self) -> Module:
        """
        The same module in a context of its own.
        """
    def print(self, generic: bool = False, locations: bool = False) -> str:
        """
        Its text, which `Module.parse` reads.
        """
    def to_bytecode(self) -> bytes:
        """
        MLIR's bytecode, which `Module.parse` reads.
        """
    def to_lmpm(self) -> str:
        """
        The program as text of the language.
        """
    def verify(self) -> None:
        """
        Raises `lmpm.Error` if something is wrong.
        """
    def walk(self, order: str = 'pre') -> list[Operation]:
        """
        A list of all its operations, itself the first or the last.
        """
    @property
    def _CAPIPtr(self) -> typing.Any:
        """
        A capsule of it for other packages over the same libMLIR.so.
        """
    @property
    def context(self) -> Context:
        """
        The context it lives in.
        """
    @property
    def operation(self) -> Operation:
        """
        The `builtin.module` itself.
        """
class Type:
    """
    A type of values, such as `tensor<4xf32>`.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    @staticmethod
    def parse(text: str, context: Context) -> Type:
        """
        Reads its text, such as `tensor<4xf32>`.
        """
    def __eq__(self, arg0: Type) -> bool:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
class Attribute:
    """
    An attribute, such as `3 : i32`.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    @staticmethod
    def parse(text: str, context: Context) -> Attribute:
        """
        Reads its text, such as `3 : i32`.
        """
    def __eq__(self, arg0: Attribute) -> bool:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    @property
    def value(self) -> typing.Any:
        """
        Its value, where Python has such: a bool, int, float, str or list; None otherwise.
        """
class Attributes:
    """
    The attributes of an operation, by name.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def __contains__(self, arg0: str) -> bool:
        ...
    def __delitem__(self, arg0: str) -> None:
        ...
    def __getitem__(self, arg0: str) -> Attribute:
        ...
    def __iter__(self) -> collections.abc.Iterator:
        ...
    def __len__(self) -> int:
        ...
    def __setitem__(self, arg0: str, arg1: typing.Any) -> None:
        ...
    def keys(self) -> list[str]:
        """
        Their names.
        """
class Operation:
    """
    An operation of a module.
    """
    @staticmethod
    def _CAPICreate(capsule: typing.Any) -> typing.Any:
        """
        The operation of a capsule: a module, or one in a module that is known here.
        """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def __eq__(self, arg0: Operation) -> bool:
        ...
    def __hash__(self) -> int:
        ...
    def __repr__(self) -> str:
        ...
    def __str__(self) -> str:
        ...
    def _repr_html_(self):
        """
        A notebook shows IR with colours, and with regions that fold.
        """
    def erase(self) -> None:
        """
        Removes it, which nobody may use.
        """
    def find(self, symbol: str) -> typing.Any:
        """
        The operation of a symbol in it, or None.
        """
    def move_before(self, other: Operation) -> None:
        """
        Moves it before another operation of its module.
        """
    def print(self, generic: bool = False, locations: bool = False) -> str:
        """
        Its text; `generic` as MLIR prints what it does not know, with `locations` or without.
        """
    def replace_uses(self, values: collections.abc.Sequence[Value]) -> None:
        """
        Has everyone who takes its results take these values.
        """
    def set_operand(self, index: typing.SupportsInt | typing.SupportsIndex, value: Value) -> None:
        """
        Has it take another value.
        """
    def verify(self) -> None:
        """
        Raises `lmpm.Error` if it or something within is wrong.
        """
    def walk(self, order: str = 'pre') -> list[Operation]:
        """
        A list of it and all operations within it; `pre` has an operation before what is in it, `post` behind.
        """
    @property
    def _CAPIPtr(self) -> typing.Any:
        """
        A capsule of it for other packages over the same libMLIR.so.
        """
    @property
    def alive(self) -> bool:
        """
        Whether it is still there; nothing else may be asked if not.
        """
    @property
    def attributes(self) -> Attributes:
        """
        Its attributes, to be read and set like a dictionary.
        """
    @property
    def location(self) -> str:
        """
        Where it comes from, as MLIR writes it.
        """
    @property
    def name(self) -> str:
        """
        Its name with its dialect's, such as `lci.rule`.
        """
    @property
    def operands(self) -> list[Value]:
        """
        The values it takes.
        """
    @property
    def parent(self) -> Operation | None:
        """
        The operation around it; None for a module.
        """
    @property
    def regions(self) -> list[Region]:
        """
        Its regions.
        """
    @property
    def results(self) -> list[Value]:
        """
        The values it gives.
        """
class Region:
    """
    A region of an operation.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    @property
    def blocks(self) -> list[Block]:
        """
        Its blocks.
        """
class Block:
    """
    A block: a list of operations, and arguments.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def add_argument(self, type: Type) -> Value:
        """
        Appends an argument.
        """
    @property
    def arguments(self) -> list[Value]:
        """
        The values it gives.
        """
    @property
    def operations(self) -> list[Operation]:
        """
        Its operations.
        """
class Value:
    """
    A value: a result of an operation or an argument of a block.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def __eq__(self, arg0: Value) -> bool:
        ...
    def __hash__(self) -> int:
        ...
    def __str__(self) -> str:
        ...
    @property
    def owner(self) -> Operation | None:
        """
        The operation whose result it is; None for an argument.
        """
    @property
    def type(self) -> Type:
        """
        Its type.
        """
    @property
    def users(self) -> list[Operation]:
        """
        The operations that take it.
        """
class Rewriter:
    """
    How a pattern changes IR; it may be used until the pattern returns.
    """
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def create(self, name: str, operands: collections.abc.Sequence[Value] = [], results: collections.abc.Sequence[Type] = [], attributes: dict = {}) -> Operation:
        """
        Makes an operation before the one that the pattern is asked about.
        """
    def erase(self, operation: Operation) -> None:
        """
        Erases an operation, which nobody may use.
        """
    def replace(self, operation: Operation, values: collections.abc.Sequence[Value]) -> None:
        """
        Replaces an operation's results and erases it.
        """
    def set_attribute(self, operation: Operation, name: str, value: typing.Any) -> None:
        """
        Sets an attribute of an operation.
        """
class Clause:
    def __init__(self, place: typing.SupportsInt | typing.SupportsIndex, word: str, name: str = '', target: typing.SupportsInt | typing.SupportsIndex | None = None, value: typing.SupportsInt | typing.SupportsIndex | None = None, reads: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex] = []) -> None:
        ...
class Tree:
    """
    The declarations of a program that Python makes.
    """
    def __init__(self, context: Context) -> None:
        ...
    def add_commit(self, policy: tuple[str, typing.SupportsInt | typing.SupportsIndex], target: typing.SupportsInt | typing.SupportsIndex, names: collections.abc.Sequence[str], options: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> None:
        ...
    def add_constraint(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], clauses: collections.abc.Sequence[Clause], priority: typing.SupportsInt | typing.SupportsIndex | None, comments: collections.abc.Sequence[str]) -> None:
        ...
    def add_def(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], indices: collections.abc.Sequence[str], value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    def add_observe(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], value: typing.SupportsInt | typing.SupportsIndex) -> None:
        ...
    def add_param(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], type: str, type_arguments: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], value: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    def add_rule(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], clauses: collections.abc.Sequence[Clause], comments: collections.abc.Sequence[str]) -> None:
        ...
    def add_schedule(self, strategy: tuple[str, typing.SupportsInt | typing.SupportsIndex], target: typing.SupportsInt | typing.SupportsIndex, names: collections.abc.Sequence[str], options: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> None:
        ...
    def add_value(self, name: tuple[str, typing.SupportsInt | typing.SupportsIndex], type: str, type_arguments: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], shape: str, sizes: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], clock: str, boundary: collections.abc.Sequence[str], boundary_per_axis: bool, init_indices: collections.abc.Sequence[str], init: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    def add_visible(self, label: tuple[str, typing.SupportsInt | typing.SupportsIndex], target: typing.SupportsInt | typing.SupportsIndex, source: typing.SupportsInt | typing.SupportsIndex, when: typing.SupportsInt | typing.SupportsIndex | None) -> None:
        ...
    def any_marker(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def binary(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.SupportsInt | typing.SupportsIndex, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def build(self) -> Module:
        """
        The IR of the declarations so far: a `Module`.
        """
    def call(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: tuple[str, collections.abc.Sequence[str]], arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def compare(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.SupportsInt | typing.SupportsIndex, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def conditional(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def ellipsis(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def fail(self, place: typing.SupportsInt | typing.SupportsIndex, id: str, message: str, hint: str = '') -> None:
        ...
    def index(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def integer(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.SupportsInt | typing.SupportsIndex, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def maybe(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def name(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: str, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def place(self, source: typing.SupportsInt | typing.SupportsIndex, line: typing.SupportsInt | typing.SupportsIndex, byte: typing.SupportsInt | typing.SupportsIndex) -> int:
        ...
    def real(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: str, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def set(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def star(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def string(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: str, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def tuple(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def unary(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.SupportsInt | typing.SupportsIndex, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    def where(self, arg0: typing.SupportsInt | typing.SupportsIndex, arg1: typing.Any, arg2: collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]) -> int:
        ...
    @property
    def replaces(self) -> bool:
        """
        Whether the next declaration takes the place of the one of its name.
        """
    @replaces.setter
    def replaces(self, arg0: bool) -> None:
        ...
class Tensor:
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def capsule(self, versioned: bool) -> typing_extensions.CapsuleType:
        ...
    @property
    def device(self) -> tuple[int, int]:
        ...
    @property
    def dtype(self) -> str:
        ...
    @property
    def shape(self) -> tuple:
        ...
class Compiled:
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def resume(self, path: str, values: dict, device_values: dict, seed: typing.SupportsInt | typing.SupportsIndex | None, params: dict, weights: dict, enable: collections.abc.Sequence[str], disable: collections.abc.Sequence[str]) -> Run:
        ...
    def start(self, values: dict, device_values: dict, seed: typing.SupportsInt | typing.SupportsIndex | None, params: dict, weights: dict, enable: collections.abc.Sequence[str], disable: collections.abc.Sequence[str]) -> Run:
        ...
    @property
    def backend(self) -> str:
        ...
    @property
    def device(self) -> tuple[int, int] | None:
        ...
    @property
    def epochs(self) -> int:
        ...
    @property
    def observers(self) -> list[str]:
        ...
    @property
    def stream(self) -> int:
        ...
    @property
    def values(self) -> list:
        ...
class Run:
    @staticmethod
    def __new__(*args, **kwargs):
        """
        (arg0: object, *args, **kwargs) -> None
        """
    def advance(self, epochs: typing.SupportsInt | typing.SupportsIndex, observe_every: typing.SupportsInt | typing.SupportsIndex, shows_bar: bool, progress: typing.Any, stop: Stop) -> None:
        ...
    def cancel(self, stop: Stop) -> None:
        ...
    def explain(self, cell: str) -> str:
        ...
    def report(self) -> tuple:
        ...
    def save(self, path: str) -> None:
        ...
    def tensor(self, name: str) -> Tensor:
        ...
    def value(self, name: str) -> numpy.ndarray:
        ...
    @property
    def counters(self) -> dict:
        ...
    @property
    def epoch(self) -> int:
        ...
    @property
    def fixpoint(self) -> bool:
        ...
    @property
    def observations(self) -> tuple:
        ...
    @property
    def seed(self) -> int:
        ...
class Stop:
    """
    How a run is ended from another thread.
    """
    def __init__(self) -> None:
        ...
def apply_patterns(module: Module, patterns: list) -> bool:
    """
    What `rewrite` calls.
    """
def bind(module: Module, bindings: str, bindings_name: str, sets: collections.abc.Sequence[str]) -> Module:
    """
    The bound form of a program, which is proved, as another module.
    """
def check_equivalent(left: Module, right: Module, trials: typing.SupportsInt | typing.SupportsIndex, epochs: typing.SupportsInt | typing.SupportsIndex, seed: typing.SupportsInt | typing.SupportsIndex) -> None:
    """
    What `lmpm.ir.check_equivalent` calls.
    """
def compile(module: Module, name: str, bindings: str, bindings_name: str, sets: collections.abc.Sequence[str], backend: typing.SupportsInt | typing.SupportsIndex, threads: typing.SupportsInt | typing.SupportsIndex, counting: typing.SupportsInt | typing.SupportsIndex, fixed: bool, lowering: str, schedule: str, schedule_text: str, tf32: bool) -> Compiled:
    """
    What `Program.compile` calls.
    """
def create(name: str, operands: collections.abc.Sequence[Value] = [], results: collections.abc.Sequence[Type] = [], attributes: dict = {}, regions: typing.SupportsInt | typing.SupportsIndex = 0, *, before: Operation | None = None, at_end: Block | None = None) -> Operation:
    """
    Makes an operation `before` another one or `at_end` of a block; each of its regions has one empty block.
    """
def draw_array(array: numpy.ndarray, vocabulary: typing.SupportsInt | typing.SupportsIndex = 0, codebook: numpy.ndarray | None = None, range: tuple[typing.SupportsFloat | typing.SupportsIndex, typing.SupportsFloat | typing.SupportsIndex] | None = None) -> numpy.ndarray:
    """
    The pixels of an array's picture: grey of numbers, RGB of tokens.
    """
def draw_view(module: Module, kind: typing.SupportsInt | typing.SupportsIndex, title: str, window: typing.SupportsInt | typing.SupportsIndex, bindings: str, bindings_name: str, sets: collections.abc.Sequence[str]) -> str:
    """
    What a program says, as SVG; what `Program.view` calls.
    """
def encode_png(pixels: numpy.ndarray) -> bytes:
    """
    The bytes of a PNG file.
    """
def is_name(text: str) -> bool:
    """
    Whether it can be a name in a program.
    """
def lower(module: Module, bindings: str, bindings_name: str, sets: collections.abc.Sequence[str]) -> Module:
    """
    Functions of ticks on tensors, as another module.
    """
def read_safetensors(path: str) -> dict:
    """
    All arrays of a file, by name.
    """
def run_passes(module: Module, passes: list, verify: bool, traces: bool) -> list[tuple[str, float, str]]:
    """
    What `PassPipeline` calls.
    """
def to_llvm_ir(ticks: Module, threads: typing.SupportsInt | typing.SupportsIndex) -> str:
    """
    LLVM IR for this machine.
    """
def to_ptx(ticks: Module, chip: str) -> str:
    """
    PTX for an NVIDIA GPU.
    """
def tune(module: Module, name: str, bindings: str, bindings_name: str, sets: collections.abc.Sequence[str], values: dict, backend: typing.SupportsInt | typing.SupportsIndex, threads: typing.SupportsInt | typing.SupportsIndex, epochs: typing.SupportsInt | typing.SupportsIndex | None, schedule: str, candidates: typing.SupportsInt | typing.SupportsIndex, measured: typing.SupportsInt | typing.SupportsIndex, seconds: typing.SupportsFloat | typing.SupportsIndex, seed: typing.SupportsInt | typing.SupportsIndex, progress: typing.Any) -> tuple:
    """
    What `Program.tune` calls.
    """
BACKENDS: dict = {'cpu': 1, 'kernels': 2, 'interp': 0, 'cuda': 3}
BINARY: dict = {'??': 0, '^': 1, '*': 2, '/': 3, '%': 4, '@': 5, '+': 6, '-': 7, '<<': 8, '>>': 9, '&': 10, '|': 11, 'xor': 12, '..': 13, 'and': 14, 'or': 15, '//': 16}
COMPARE: dict = {'<': 0, '<=': 1, '>': 2, '>=': 3, '==': 4, '!=': 5, 'in': 6}
COUNTERS: dict = {'none': 0, 'changed': 1, 'full': 2}
FUNCTIONS: tuple = ('abs', 'clamp', 'floor', 'ceil', 'round', 'sqrt', 'rsqrt', 'exp', 'exp2', 'log', 'log2', 'sin', 'cos', 'tan', 'atan', 'atan2', 'tanh', 'sigmoid', 'erf', 'relu', 'pow', 'popcount', 'min', 'max', 'sum', 'product', 'mean', 'count', 'any', 'all', 'argmin', 'argmax', 'uniform', 'bernoulli', 'randint', 'normal', 'change', 'read_future', 'Palette', 'region', 'Model', 'ModelScore', 'SampleTiles', 'dot', 'norm', 'concat', 'softmax')
MAX_WRITTEN_OUT: int = 100000
UNARY: dict = {'-': 0, '~': 1, 'not': 2}
VIEWS: dict = {'visibility': 0, 'schedule': 1, 'constraints': 2}
build_type: str
cpu: str
has_assertions: bool
llvm_version: str
operation_classes: dict = {'lci.agree': lmpm.operations.AgreeOp, 'lci.apply': lmpm.operations.ApplyOp, 'lci.bernoulli': lmpm.operations.BernoulliOp, 'lci.candidate': lmpm.operations.CandidateOp, 'lci.changes': lmpm.operations.ChangesOp, 'lci.collect': lmpm.operations.CollectOp, 'lci.commit': lmpm.operations.CommitOp, 'lci.component': lmpm.operations.ComponentOp, 'lci.concat': lmpm.operations.ConcatOp, 'lci.constraint': lmpm.operations.ConstraintOp, 'lci.declare_read': lmpm.operations.DeclareReadOp, 'lci.def': lmpm.operations.DefOp, 'lci.dot': lmpm.operations.DotOp, 'lci.draw_below': lmpm.operations.DrawBelowOp, 'lci.elementary_binary': lmpm.operations.ElementaryBinaryOp, 'lci.elementary': lmpm.operations.ElementaryOp, 'lci.emit': lmpm.operations.EmitOp, 'lci.epoch': lmpm.operations.EpochOp, 'lci.evaluate': lmpm.operations.EvaluateOp, 'lci.floordiv': lmpm.operations.FloorDivOp, 'lci.floormod': lmpm.operations.FloorModOp, 'lci.gather': lmpm.operations.GatherOp, 'lci.in_palette': lmpm.operations.InPaletteOp, 'lci.install': lmpm.operations.InstallOp, 'lci.keep_surest': lmpm.operations.KeepSurestOp, 'lci.let': lmpm.operations.LetOp, 'lci.load': lmpm.operations.LoadOp, 'lci.lookup': lmpm.operations.LookupOp, 'lci.matvec': lmpm.operations.MatVecOp, 'lci.model': lmpm.operations.ModelOp, 'lci.normal': lmpm.operations.NormalOp, 'lci.observe': lmpm.operations.ObserveOp, 'lci.palette': lmpm.operations.PaletteOp, 'lci.param': lmpm.operations.ParamOp, 'lci.param_value': lmpm.operations.ParamValueOp, 'lci.philox': lmpm.operations.PhiloxOp, 'lci.power': lmpm.operations.PowerOp, 'lci.program': lmpm.operations.ProgramOp, 'lci.randint': lmpm.operations.RandIntOp, 'lci.read': lmpm.operations.ReadOp, 'lci.reads_future': lmpm.operations.ReadsFutureOp, 'lci.reduce': lmpm.operations.ReduceOp, 'lci.refresh_halo': lmpm.operations.RefreshHaloOp, 'lci.region': lmpm.operations.RegionOp, 'lci.rule': lmpm.operations.RuleOp, 'lci.sample_tiles': lmpm.operations.SampleTilesOp, 'lci.schedule': lmpm.operations.ScheduleOp, 'lci.size': lmpm.operations.SizeOp, 'lci.softmax': lmpm.operations.SoftmaxOp, 'lci.spread': lmpm.operations.SpreadOp, 'lci.table': lmpm.operations.TableOp, 'lci.threshold': lmpm.operations.ThresholdOp, 'lci.tick': lmpm.operations.TickOp, 'lci.uniform': lmpm.operations.UniformOp, 'lci.unwrap': lmpm.operations.UnwrapOp, 'lci.value': lmpm.operations.ValueOp, 'lci.varying': lmpm.operations.VaryingOp, 'lci.visible': lmpm.operations.VisibleOp, 'lci.yield': lmpm.operations.YieldOp}
version: str
