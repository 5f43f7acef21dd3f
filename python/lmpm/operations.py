"""The operations of the dialect as classes, whose parts have names. Written by scripts/python_operations.py.

    >>> program = lmpm.ir.Module.parse("lci.program @p sizes [] = [] {}", "p.mlir").walk()[1]
    >>> print(type(program).__name__, program.sym_name.value)
    ProgramOp p
"""

from lmpm._views import (AttributePart, Operand, Operands, OptionalOperand, OptionalResult, RegionPart, Result, Results,
                         View)

__all__ = ["AgreeOp", "ApplyOp", "BernoulliOp", "CandidateOp", "ChangesOp", "CollectOp", "CommitOp", "ComponentOp",
           "ConcatOp", "ConstraintOp", "DeclareReadOp", "DefOp", "DotOp", "DrawBelowOp", "ElementaryBinaryOp",
           "ElementaryOp", "EmitOp", "EpochOp", "EvaluateOp", "FloorDivOp", "FloorModOp", "GatherOp", "InPaletteOp",
           "InstallOp", "KeepSurestOp", "LetOp", "LoadOp", "LookupOp", "MatVecOp", "ModelOp", "NormalOp", "ObserveOp",
           "PaletteOp", "ParamOp", "ParamValueOp", "PhiloxOp", "PowerOp", "ProgramOp", "RandIntOp", "ReadOp",
           "ReadsFutureOp", "ReduceOp", "RefreshHaloOp", "RegionOp", "RuleOp", "SampleTilesOp", "ScheduleOp", "SizeOp",
           "SoftmaxOp", "SpreadOp", "TableOp", "ThresholdOp", "TickOp", "UniformOp", "UnwrapOp", "ValueOp", "VaryingOp",
           "VisibleOp", "YieldOp"]


class AgreeOp(View, of="lci.agree"):
    """The best of many candidates, in a total order."""
    __slots__ = ()
    lower = Operand("the first candidate")
    upper = Operand("the end of the candidates, which is not one of them")
    winner = Result("the best admissible candidate, if there is one")
    found = Result("whether any candidate is admissible")
    score = OptionalResult("the winner's score, or 0 without one; absent where it is not asked for")
    body = RegionPart("the region 'body'")


class ApplyOp(View, of="lci.apply"):
    """A formula at some indices."""
    __slots__ = ()
    formula = AttributePart("the formula that is applied")
    indices = Operands("one for each index of the formula, in its order")
    result = Result("what the formula yields there")
    present = Result("whether the formula has a value there")


class BernoulliOp(View, of="lci.bernoulli"):
    """True with a probability, exact to 32 bits."""
    __slots__ = ()
    probability = Operand("the chance of true: never up to 0 and for NaN, always from 1 on")
    number = OptionalOperand("a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent")
    stream = AttributePart("the identity of the call that draws, fixed when the text is read")
    result = Result("whether the draw is below the threshold of this probability")


class CandidateOp(View, of="lci.candidate"):
    """The rank of a candidate."""
    __slots__ = ()
    admissible = Operand("whether it may win: it violates no hard constraint, and is proposed or kept")
    levels = Operands("compared first, larger wins: soft constraints by priority, then the policy's own")
    score = Operand("compared next, larger wins; a NaN is the worst")
    ties = Operands("compared between equal scores, larger wins: under accept, the precedence of rules")
    proposed = Operand("whether a rule proposes it; compared last, before its token")


class ChangesOp(View, of="lci.changes"):
    """Whether the candidate differs from the cell's contents."""
    __slots__ = ()
    candidate = Operand("the candidate that the enclosing constraint judges")
    result = Result("whether the cell holds something else; false if it holds nothing")


class CollectOp(View, of="lci.collect"):
    """The members of a family as a tensor."""
    __slots__ = ()
    where = AttributePart("the members, as a union of sets over the outer indices, then the free ones")
    outer = Operands("the first dimensions of the sets, usually the indices of the cell")
    limits = Operands("for each limited free index a first and a last value, both of them included")
    limited = AttributePart("the positions of free indices, from 0, that have limits; absent for none")
    members = Result("in row-major order, then padding; absent ones are the vocabulary's size or zero")
    present = Result("whether each member is there; false for padding")
    body = RegionPart("the region 'body'")


class CommitOp(View, of="lci.commit"):
    """The agreement on candidates for a value's cells."""
    __slots__ = ()
    value = AttributePart("the value whose cells are agreed on")
    policy = AttributePart("how candidates are ranked, and how the winner is chosen among the equals")
    quorum = AttributePart("how many rules have to propose the winner, at least 1; given with that policy only")
    weighted = AttributePart("whether soft constraints add their priorities to the score, and rank nothing")
    temperature = RegionPart("the region 'temperature'")


class ComponentOp(View, of="lci.component"):
    """One component of a vector."""
    __slots__ = ()
    vector = Operand("the components to choose from")
    index = Operand("the position of the component, from 0; outside, the nearest one is meant")
    result = Result("the component at this position")


class ConcatOp(View, of="lci.concat"):
    """Concatenation of numbers and vectors."""
    __slots__ = ()
    parts_ = Operands("the numbers and vectors in order; a number is one component")
    result = Result("the components of all parts")


class ConstraintOp(View, of="lci.constraint"):
    """A condition on the candidate of a cell."""
    __slots__ = ()
    sym_name = AttributePart("the name of the constraint, by which runs switch and count it")
    mood = AttributePart("whether the body must be true of a candidate, or must be false")
    value = AttributePart("the value whose candidates are judged")
    where = AttributePart("the cells that it speaks of, as a union of sets; absent for all of them")
    region = AttributePart("the name of the region that it is limited to; absent for none")
    axis = AttributePart("the first axis of the value that the region covers; given with a region")
    priority = AttributePart("its level among soft constraints, and its weight; hard from hard_priority on")
    hard = AttributePart("whether it is hard at any priority")
    body = RegionPart("the region 'body'")


class DeclareReadOp(View, of="lci.declare_read"):
    """A read that a rule declares."""
    __slots__ = ()
    name_ = AttributePart("the name of the item in the rule's list of reads", "name")
    where = AttributePart("the members, as a union of sets over the outer indices, then the free ones")
    outer = Operands("the first dimensions of the sets, usually the indices of the cell")
    limits = Operands("for each limited free index a first and a last value, both of them included")
    limited = AttributePart("the positions of free indices, from 0, that have limits; absent for none")
    body = RegionPart("the region 'body'")


class DefOp(View, of="lci.def"):
    """A formula with a name."""
    __slots__ = ()
    sym_name = AttributePart("the name of the formula, by which it is applied")
    body = RegionPart("the region 'body'")


class DotOp(View, of="lci.dot"):
    """The scalar product of two vectors."""
    __slots__ = ()
    lhs = Operand("the left factors")
    rhs = Operand("the right factors, as many of them")
    result = Result("the sum of products, by fused multiply-adds in the order of the index")


class DrawBelowOp(View, of="lci.draw_below"):
    """True where a draw is below a threshold."""
    __slots__ = ()
    threshold = Operand("how many of the 2^32 draws are below it, from 0 to 2^32")
    number = OptionalOperand("a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent")
    stream = AttributePart("the identity of the call that draws, fixed when the text is read")
    result = Result("whether the draw is below the threshold")


class ElementaryBinaryOp(View, of="lci.elementary_binary"):
    """A function of two numbers, defined by its sequence of operations."""
    __slots__ = ()
    function = AttributePart("the function that is evaluated")
    lhs = Operand("the base of a power; the ordinate y of atan2(y, x)")
    rhs = Operand("the exponent of a power; the abscissa x of atan2(y, x)")
    result = Result("what the fixed sequence of f64 operations gives, rounded to f32")


class ElementaryOp(View, of="lci.elementary"):
    """A correctly rounded function of a number."""
    __slots__ = ()
    function = AttributePart("the function that is evaluated")
    operand = Operand("the point at which it is evaluated")
    result = Result("the f32 nearest to the exact value; every NaN is the canonical one")


class EmitOp(View, of="lci.emit"):
    """A rule's proposal, its condition and its score."""
    __slots__ = ()
    any = AttributePart("whether every token of the vocabulary, or of the range, is proposed")
    range = AttributePart("the first and the last token proposed, over the sizes; absent for all tokens")
    proposal = OptionalOperand("the content that is proposed for the cell; absent if any token is")
    condition = OptionalOperand("whether the rule applies to the cell; always if absent")
    sureness = OptionalOperand("the score of the proposal alone, keep having minus infinity; absent otherwise")
    score = RegionPart("the region 'score'")


class EpochOp(View, of="lci.epoch"):
    """The current epoch, from 0."""
    __slots__ = ()
    result = Result("how many epochs precede this one")


class EvaluateOp(View, of="lci.evaluate"):
    """Call a model."""
    __slots__ = ()
    model = AttributePart("the name of the model, as it is declared")
    arguments = Operands("for each family the members and their presence, as they are collected")
    answers = Results("an opaque answer; once the model is bound, the results of its function")


class FloorDivOp(View, of="lci.floordiv"):
    """The quotient rounded towards negative infinity."""
    __slots__ = ()
    lhs = Operand("the dividend")
    rhs = Operand("the divisor; by zero the quotient is zero and the remainder the dividend")
    result = Result("the quotient rounded towards negative infinity")


class FloorModOp(View, of="lci.floormod"):
    """The remainder with the divisor's sign."""
    __slots__ = ()
    lhs = Operand("the dividend")
    rhs = Operand("the divisor; by zero the quotient is zero and the remainder the dividend")
    result = Result("the remainder with the divisor's sign")


class GatherOp(View, of="lci.gather"):
    """The indices of a capability that are computed from parameters."""
    __slots__ = ()
    indices = Operands("the last dimensions of the enclosing map, computed from indices and parameters")
    limits = Operands("for each limited free index a first and a last value, both of them included")
    limited = AttributePart("the positions of limited free indices, from 0 after the cell's; absent for none")


class InPaletteOp(View, of="lci.in_palette"):
    """Whether a token belongs to a palette."""
    __slots__ = ()
    token = Operand("the token looked up; beyond the largest vocabulary it counts as the last one")
    palette = AttributePart("the name of the palette, as it is declared")
    result = Result("whether the token is in the set that the bindings give")


class InstallOp(View, of="lci.install"):
    """The new contents of the cell, if it changes."""
    __slots__ = ()
    tokens = Operands("what the cell holds after the tick in each target, if it is written")
    boxed = Operands("what is stored in each boxed array")
    condition = Operand("whether the token is written to the cell, if it is not settled")
    settled = OptionalOperand("whether the cell is unchanged and nothing is counted; never if absent")
    score = OptionalOperand("the score of the change, written with the token; given if the tick has scores")
    tallies = Operands("each adds one to its counter if it is true, or itself")
    slots = AttributePart("the position of each tally's counter in the tick's counts")


class KeepSurestOp(View, of="lci.keep_surest"):
    """Undo the changes of all but the surest cells."""
    __slots__ = ()
    fraction = AttributePart("the part of the changes that is kept, from 0 to 1, rounded up to whole cells")
    before = Operand("the cells as they were before the tick")
    after = Operand("the cells with all changes; a memref is written in place")
    scores = Operand("how sure each change is; those of unchanged cells mean nothing")
    counts = OptionalOperand("the counters of the run; absent where nothing is counted")
    slot = AttributePart("the position in the counts of the counter of changes; given with counts")
    results_ = Results("on tensors the cells and the counts afterwards, else none")


class LetOp(View, of="lci.let"):
    """A name that the program gives to a value."""
    __slots__ = ()
    name_ = AttributePart("the name in the text, kept for export and explanations", "name")
    value = Operand("what the name stands for")
    result = Result("the value as it is")


class LoadOp(View, of="lci.load"):
    """The contents of a cell at an affine index."""
    __slots__ = ()
    source = Operand("the array that is read: cells, or the storage of a window with its halo")
    map = AttributePart("the index on each axis of the source, before its boundary wraps or clamps it")
    indices = Operands("one for each dimension of the map, usually the cell's")
    boundary = AttributePart("for each axis of the source, what an index beyond its ends means")
    result = Result("the element; beyond an open border it is unspecified")


class LookupOp(View, of="lci.lookup"):
    """Any function of three bits, for all bits of words."""
    __slots__ = ()
    a = Operand("the bits of weight 4 in positions in the table")
    b = Operand("the bits of weight 2")
    c = Operand("the bits of weight 1")
    table = AttributePart("the function: what it gives for each three bits, from 000 in the lowest bit on")
    result = Result("the function of the three bits at each position of the words")


class MatVecOp(View, of="lci.matvec"):
    """A matrix times a vector."""
    __slots__ = ()
    matrix = Operand("one row for each component of the result")
    vector = Operand("one component for each column of the matrix")
    result = Result("the scalar product of each row with the vector")


class ModelOp(View, of="lci.model"):
    """A named function of reads that proposes."""
    __slots__ = ()
    name_ = AttributePart("the name in the text, by which bodies call the model", "name")
    function = AttributePart("the function that implements it; absent until bound, or if it means logits")


class NormalOp(View, of="lci.normal"):
    """A number from the standard normal distribution."""
    __slots__ = ()
    number = OptionalOperand("a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent")
    stream = AttributePart("the identity of the call that draws, fixed when the text is read")
    result = Result("a number of mean 0 and variance 1")


class ObserveOp(View, of="lci.observe"):
    """A number that is observed and changes nothing."""
    __slots__ = ()
    sym_name = AttributePart("the name of the observation, under which a run reports it")
    body = RegionPart("the region 'body'")


class PaletteOp(View, of="lci.palette"):
    """A named set of tokens."""
    __slots__ = ()
    name_ = AttributePart("the name in the text, by which bindings give the members", "name")


class ParamOp(View, of="lci.param"):
    """A number, or an array of numbers, set at run time."""
    __slots__ = ()
    sym_name = AttributePart("the name of the parameter, by which bindings and the command line set it")
    kind = AttributePart("which numbers it holds, i32 or f32")
    shape = AttributePart("the extent of each axis of an array, over the sizes; absent for a scalar")
    elements = AttributePart("the integers that it was bound with, in row-major order; absent if runs choose")
    init = RegionPart("the region 'init'")


class ParamValueOp(View, of="lci.param_value"):
    """A parameter, or an element of one."""
    __slots__ = ()
    param = AttributePart("the parameter that is read")
    indices = Operands("one for each axis; outside, the nearest element is meant; none for the whole")
    result = Result("the element, the scalar or the whole array, as it is in this epoch")


class PhiloxOp(View, of="lci.philox"):
    """Blocks of random words, each from a counter."""
    __slots__ = ()
    counters = Operands("four words for each block, each the low half of its integer, below 2^32")
    low = Operand("the first word of the key, below 2^32")
    high = Operand("the second word of the key, below 2^32")
    words = Results("four random words below 2^32 for each block, in the order of the counters")


class PowerOp(View, of="lci.power"):
    """A constant natural power by repeated multiplication."""
    __slots__ = ()
    base = Operand("the factor")
    exponent = AttributePart("how many factors there are")
    result = Result("the product, from the left; one without a factor")


class ProgramOp(View, of="lci.program"):
    """A program: declarations in the order of their text."""
    __slots__ = ()
    sym_name = AttributePart("the name of the program, and later of the function that runs its epochs")
    sizes = AttributePart("the names of the sizes, in the order of the symbols of maps and sets")
    extents = AttributePart("the number for each size, from 0; absent until the program is bound")
    hard_priority = AttributePart("the least priority that makes a constraint hard")
    body = RegionPart("the region 'body'")


class RandIntOp(View, of="lci.randint"):
    """An integer from 0 up to a bound, without it."""
    __slots__ = ()
    bound = Operand("how many integers to draw from; outside, 0 or 2^32 is meant")
    number = OptionalOperand("a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent")
    stream = AttributePart("the identity of the call that draws, fixed when the text is read")
    result = Result("from 0 to less than the bound; 0 if there is none")


class ReadOp(View, of="lci.read"):
    """The contents of a cell of the snapshot, and whether there are any."""
    __slots__ = ()
    value = AttributePart("the value that is read")
    map = AttributePart("the index on each axis of the value, before its boundary wraps or clamps it")
    indices = Operands("one for each dimension of the map")
    result = Result("what the cell held before the tick; where absent, the vocabulary's size or zero")
    present = Result("false beyond an open border and for a token not yet committed")


class ReadsFutureOp(View, of="lci.reads_future"):
    """Whether a path of visibility leads from a cell to a later one."""
    __slots__ = ()
    result = Result("whether any cell of the constraint's value sees a later one, directly or not")


class ReduceOp(View, of="lci.reduce"):
    """One value from the members of a family."""
    __slots__ = ()
    kind = AttributePart("how members are combined, and what the result is without any")
    where = AttributePart("the members, as a union of sets over the outer indices, then the free ones")
    outer = Operands("the first dimensions of the sets, usually the indices of the cell")
    limits = Operands("for each limited free index a first and a last value, both of them included")
    limited = AttributePart("the positions of free indices, from 0, that have limits; absent for none")
    result = Result("the combination of the members that are present")
    present = Result("false if no member is present and the combination has no value for none")
    body = RegionPart("the region 'body'")


class RefreshHaloOp(View, of="lci.refresh_halo"):
    """Copies a value's edges into the halo around it."""
    __slots__ = ()
    storage = Operand("the cells and their halo, which is written")
    low = AttributePart("how many elements of halo precede the cells on each axis")
    high = AttributePart("how many elements of halo follow the cells on each axis")
    spare = AttributePart("how many elements of padding end each row, after its halo")
    boundary = AttributePart("for each axis, which cells its halo repeats; none if open")
    fill = OptionalOperand("what elements beyond an open border become; unchanged if absent")
    begin = OptionalOperand("the first row of cells that has changed, from 0; absent if all may have")
    count = OptionalOperand("how many rows have changed; given with the first one")


class RegionOp(View, of="lci.region"):
    """A named set of cells of the trailing axes."""
    __slots__ = ()
    name_ = AttributePart("the name in the text, by which bindings give the cells", "name")
    rectangle = AttributePart("whether bindings give the first and last index on each axis, and not a mask")


class RuleOp(View, of="lci.rule"):
    """Proposes a token for a cell from what the cell may read."""
    __slots__ = ()
    sym_name = AttributePart("the name of the rule, by which a run switches it")
    value = AttributePart("the value that the rule makes proposals for")
    where = AttributePart("the cells where the rule may apply, as a union of sets; absent for all of them")
    body = RegionPart("the region 'body'")


class SampleTilesOp(View, of="lci.sample_tiles"):
    """The event that schedules every ruled value for an epoch."""
    __slots__ = ()
    strategy = AttributePart("the strategy for ruled values without a schedule")
    epoch = Operand("the epoch that it holds for, usually the current one")
    event = Result("what a rule proposes to a set of events")


class ScheduleOp(View, of="lci.schedule"):
    """The cells of a value that are scheduled in each phase of an epoch."""
    __slots__ = ()
    value = AttributePart("the value whose cells are assigned to phases")
    strategy = AttributePart("how cells are assigned to phases")
    axes = AttributePart("the axes that tell phases apart, in order, -1 - axis if reversed; all if absent")
    tile = AttributePart("the extents of tiles of one colour, one for each axis; absent for single cells")
    fraction = AttributePart("the part of the cells (random) or changes (confidence) selected, from 0 to 1")
    phase = AttributePart("the phase of the epoch in which its first one is, from 0 to 65535; 0 if absent")
    legalize = AttributePart("what dependent cells of a phase cause: snapshot (if absent), recolor or strict")


class SizeOp(View, of="lci.size"):
    """A size of the program as an integer."""
    __slots__ = ()
    name_ = AttributePart("the name of the size, one of the program's", "name")
    result = Result("the number of the size, which binding makes a constant")


class SoftmaxOp(View, of="lci.softmax"):
    """Numbers from zero to one, of sum one, by the exponentials of a vector."""
    __slots__ = ()
    vector = Operand("the exponents, of which the largest is subtracted first")
    result = Result("the exponential of each component divided by the sum of all")


class SpreadOp(View, of="lci.spread"):
    """A number or boolean as every component of a vector."""
    __slots__ = ()
    number = Operand("what every component is")
    length = AttributePart("the number of components, over the sizes")
    result = Result("as many equal components as the length says")


class TableOp(View, of="lci.table"):
    """An entry of a table at integers of few values."""
    __slots__ = ()
    table = Operand("what an expression gives for each combination of its integers")
    indices = Operands("the position on each axis of the table, unsigned, within it")
    result = Result("the entry at these positions")


class ThresholdOp(View, of="lci.threshold"):
    """The exclusive bound of draws that are true with a probability."""
    __slots__ = ()
    probability = Operand("the chance of a draw below the threshold; a NaN means 0")
    result = Result("how many of the 2^32 draws are below it, from none to all")


class TickOp(View, of="lci.tick"):
    """One phase of one value: the new contents of each of its cells."""
    __slots__ = ()
    name_ = AttributePart("the state that the tick computes, or the observation", "name")
    epoch = Operand("the epoch that the tick computes, from 0")
    phase = Operand("the phase of the epoch that the tick computes, from 0")
    seed = Operand("the seed of the run, the root of all draws")
    inputs = Operands("the arrays and scalars that the body reads, as they were before the tick")
    targets = Operands("the arrays whose cells are replaced, memrefs in place, a tensor in a copy")
    boxed = Operands("arrays with an element for each cell of the box, which is always stored")
    counts = OptionalOperand("the counters that the body's tallies add to; absent where nothing is counted")
    scores = OptionalOperand("where the score of each change is stored; absent if none is asked for")
    offsets = Operands("the dynamic first indices of the box, in the order of the axes")
    extents = Operands("the dynamic numbers of cells of the box, in the order of the axes")
    static_offsets = AttributePart("the first index of the box on each axis, dynamic if an operand gives it")
    static_extents = AttributePart("the box's number of cells on each axis, dynamic if an operand gives it")
    strides = AttributePart("the distance between cells of the box on each axis, from 1; absent without a box")
    cells = AttributePart("the cells of the box that take part, by indices and phase; absent for all")
    class_stride = AttributePart("the distance along the last axis of neighbours in the phase's class, from 1")
    packed = AttributePart("how many cells of the value an element holds, as bits of a word, from 1")
    results_ = Results("on tensors the target, the counts and the scores after the tick, else none")
    body = RegionPart("the region 'body'")


class UniformOp(View, of="lci.uniform"):
    """A number in [0, 1), a multiple of 2^-24."""
    __slots__ = ()
    number = OptionalOperand("a rank or candidate, modulo 2^32, that tells a cell's draws apart; 0 if absent")
    stream = AttributePart("the identity of the call that draws, fixed when the text is read")
    result = Result("from 0 to less than 1, a multiple of 2^-24")


class UnwrapOp(View, of="lci.unwrap"):
    """A value that must be there."""
    __slots__ = ()
    value = Operand("what is claimed to be there")
    present = Operand("whether it is there: always, or the program is rejected")
    result = Result("the value as it is")


class ValueOp(View, of="lci.value"):
    """A named array of cells, or a set."""
    __slots__ = ()
    sym_name = AttributePart("the name of the value, in bindings and results too")
    kind = AttributePart("what a cell holds; events and rules make the value a set")
    vocabulary = AttributePart("how many tokens there are, or components of a vector; absent for other kinds")
    shape = AttributePart("the extent of each axis, over the sizes; absent for a set")
    boundary = AttributePart("for each axis, what a read beyond its ends finds; absent for a set")
    init = RegionPart("the region 'init'")


class VaryingOp(View, of="lci.varying"):
    """A constant that becomes an argument of outlined functions."""
    __slots__ = ()
    value = AttributePart("the constant, which folds do not see")
    result = Result("the constant, or the argument that it becomes")


class VisibleOp(View, of="lci.visible"):
    """A capability: which cells a cell may read."""
    __slots__ = ()
    value = AttributePart("the value whose cells may read")
    source = AttributePart("the value whose cells may be read")
    map = AttributePart("the cell that may be read, over the reader's indices, free ones and gathered ones")
    where = AttributePart("which cells may read at which free indices, as a union of sets over both")
    label = AttributePart("the name of the family in the text, by which rules read it; absent for none")
    body = RegionPart("the region 'body'")


class YieldOp(View, of="lci.yield"):
    """The value of a body, and whether there is one."""
    __slots__ = ()
    value = Operand("what the body computes, of the type that the enclosing operation asks for")
    present = OptionalOperand("whether the value is there; always if absent")
