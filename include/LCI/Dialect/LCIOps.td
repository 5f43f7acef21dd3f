//===- LCIOps.td - Umbrella over the groups of operations --*- tablegen -*-===//

#ifndef LCI_DIALECT_LCIOPS_TD
#define LCI_DIALECT_LCIOPS_TD

include "LCI/Dialect/ProgramOps.td"
include "LCI/Dialect/RuleOps.td"
include "LCI/Dialect/ExpressionOps.td"
include "LCI/Dialect/FamilyOps.td"
include "LCI/Dialect/FunctionOps.td"
include "LCI/Dialect/TickOps.td"
include "LCI/Dialect/CandidateOps.td"
include "LCI/Dialect/VectorOps.td"

#endif // LCI_DIALECT_LCIOPS_TD
