/*===- lci.h - Bundles from C ----------------------------------------*- C -*-===*\
|*                                                                              *|
|* Loads a bundle of `lmpm-translate --lci-to-bundle` and runs it: load, change *|
|* arguments and inputs, start, dispatch epochs, collect their tickets, read    *|
|* values. Link with liblmpm-runtime.so; no compiler is needed.                 *|
|*                                                                              *|
|* Dispatched epochs run in the order of their tickets, in one worker thread    *|
|* for each program; a call that reads values waits for all of them. Calls of   *|
|* several threads on one program wait for each other.                          *|
|*                                                                              *|
|* A program has one state. Groups of the same code have separate states, and   *|
|* their epochs do not wait for each other: on a GPU each group has a stream.   *|
|*                                                                              *|
|* Functions that can fail return null or a number other than zero; lci_error() *|
|* says why, as one sentence. A pointer that is null, was released or collected *|
|* before, or is of another process is an error like others.                    *|
|*                                                                              *|
\*===------------------------------------------------------------------------===*/
#ifndef LCI_RUNTIME_LCI_H
#define LCI_RUNTIME_LCI_H

#include <stddef.h>
#include <stdint.h>

/* C has no namespaces. NOLINTBEGIN(readability-identifier-naming) */
#ifdef __cplusplus
extern "C" {
#endif

/** A loaded bundle and its state. */
typedef struct lci_program lci_program;
/** Dispatched epochs. */
typedef struct lci_ticket lci_ticket;

/** The element type of an array; 1, 1, 2, 4, 8 and 4 bytes. */
typedef enum { LCI_BOOL, LCI_I8, LCI_I16, LCI_I32, LCI_I64, LCI_F32 } lci_type;

/** An array in row-major order; a single number has rank 0. */
typedef struct {
  lci_type type;
  int64_t rank;
  const int64_t *shape;
  const void *data;
} lci_array;

/** Why the last call of this thread failed; empty if it did not. */
const char *lci_error(void);

/** Loads a bundle for a back end, `cpu` (also if null) or `cuda`. Null on errors. */
lci_program *lci_load(const char *bundle, const char *backend);
/** Another group of a program: the same code, and a separate state. It has the seed, parameters,
 *  switches and inputs that `program` was given so far, and has yet to start. Either may be
 *  released first. Null on errors. */
lci_program *lci_add_group(const lci_program *program);
/** Waits for all tickets, and frees a program; null is no program. */
void lci_release(lci_program *program);

/* Before the start, and an error after it: overrides of the bundle's settings. Once a program has
 * started, a group of lci_add_group can still be given others. */
int lci_set_seed(lci_program *program, uint64_t seed);
int lci_set_parameter(lci_program *program, const char *name, const lci_array *numbers);
/** Switches a rule or constraint on (1) or off (0). */
int lci_set_enabled(lci_program *program, const char *name, int on);
/** Sets a value at the start: integers for tokens (-1: none, where the program does not need
 *  one) and integers, or numbers. */
int lci_set_input(lci_program *program, const char *name, const lci_array *value);

/** Computes the state of epoch 0. A second call begins anew. */
int lci_start(lci_program *program);

/** Dispatches `epochs` more epochs, and returns at once. They cannot be cancelled; more than 2^62
 *  in all are an error. Null on errors. */
lci_ticket *lci_dispatch(lci_program *program, int64_t epochs);
/** Waits until a ticket's epochs are done, and frees it. How many cells they changed goes to
 *  `changed`, if it is not null. */
int lci_collect(lci_ticket *ticket, int64_t *changed);

/** The number of the program's values; -1 on errors. */
int64_t lci_value_count(const lci_program *program);
/** The name of a value; null if there is none of that number. It lives as long as the program. */
const char *lci_value_name(const lci_program *program, int64_t number);
/** The form in which lci_get_value writes a value: type and shape, which lives as long as the
 *  program; no data. */
int lci_describe_value(lci_program *program, const char *name, lci_array *form);
/** Waits for all tickets, and writes a value to `bytes` bytes at `to`. */
int lci_get_value(lci_program *program, const char *name, void *to, size_t bytes);

/** The number of hard constraints that commits can break; -1 on errors. */
int64_t lci_constraint_count(const lci_program *program);
/** The name of such a constraint; null if there is none of that number. It lives as long as the
 *  program. */
const char *lci_constraint_name(const lci_program *program, int64_t number);
/** Waits for all tickets, and writes to `cells` the number of cells that break such a constraint
 *  now. None where it is switched off. */
int lci_get_broken(lci_program *program, const char *name, int64_t *cells);

/** Waits for all tickets, and counts the warnings: those of the compiler when it made the bundle,
 *  then a sentence for each value that had proposals rejected since the start, with the first of
 *  them. -1 on errors. */
int64_t lci_warning_count(lci_program *program);
/** A warning of the last count; null if there is none of that number. It lives until
 *  they are counted again, or the program is released. */
const char *lci_warning(const lci_program *program, int64_t number);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif /* LCI_RUNTIME_LCI_H */
