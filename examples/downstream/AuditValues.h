//===- AuditValues.h - Passes of another project on the lci dialect -------===//

#ifndef AUDITVALUES_H
#define AUDITVALUES_H

/// Makes `audit-values` and `drop-names` known.
void registerAuditPasses();

#endif // AUDITVALUES_H
