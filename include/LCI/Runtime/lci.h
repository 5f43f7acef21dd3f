/*===- lci.h - Bundles from C ----------------------------------------*- C -*-===*\
|*                                                                              *|
|* Loads what `lmpm-translate --lci-to-bundle` wrote and runs it: load, give    *|
|* what is to be another, start, dispatch epochs, collect their tickets, look   *|
|* at values. Link with liblmpm-runtime.so; no compiler is needed.              *|
|*                                                                              *|
|* Epochs that are dispatched run one ticket after the other, in a thread of    *|
|* the program's own; a call that looks at values waits for all of them. Calls  *|
|* of several threads on one program wait for each other.                       *|
|*                                                                              *|
|* A program is one state. Groups of the same code have states of their own,    *|
|* and what is dispatched to one waits for nothing that another one does: on a  *|
|* GPU each group has a stream.                                                 *|
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
/** Epochs that were asked for. */
typedef struct lci_ticket lci_ticket;

/** What an element of an array is; 1, 1, 2, 4, 8 and 4 bytes. */
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
/** Another group of a program: the same code, and a state of its own. It is given what `program`
 *  was given so far (seed, parameters, switches, inputs), and has yet to start. Either may be
 *  released first. Null on errors. */
lci_program *lci_add_group(const lci_program *program);
/** Waits for all tickets, and frees a program; null is no program. */
void lci_release(lci_program *program);

/* Before the start, and an error after it: what is to be another than the bundle says. Once a
 * program has started, a group of lci_add_group can be given what it has not. */
int lci_set_seed(lci_program *program, uint64_t seed);
int lci_set_parameter(lci_program *program, const char *name, const lci_array *numbers);
/** Switches a rule or constraint on (1) or off (0). */
int lci_set_enabled(lci_program *program, const char *name, int on);
/** What a value is at the start: integers for tokens (-1: none, where the program does not need
 *  one) and integers, or numbers. */
int lci_set_input(lci_program *program, const char *name, const lci_array *value);

/** Makes the first state: that of epoch 0. Once more: begins anew. */
int lci_start(lci_program *program);

/** Asks for `epochs` more epochs, and returns at once. Nothing ends them before their time; more
 *  than 2^62 in all are an error. Null on errors. */
lci_ticket *lci_dispatch(lci_program *program, int64_t epochs);
/** Waits until a ticket's epochs are done, and frees it. How many cells they changed goes to
 *  `changed`, if it is not null. */
int lci_collect(lci_ticket *ticket, int64_t *changed);

/** The number of the program's values; -1 on errors. */
int64_t lci_value_count(const lci_program *program);
/** The name of a value; null if there is none of that number. It lives as long as the program. */
const char *lci_value_name(const lci_program *program, int64_t number);
/** What lci_get_value will write: type and shape, which lives as long as the program; no data. */
int lci_describe_value(lci_program *program, const char *name, lci_array *form);
/** Waits for all tickets, and writes a value to `bytes` bytes at `to`. */
int lci_get_value(lci_program *program, const char *name, void *to, size_t bytes);

/** The number of hard constraints that commits can break; -1 on errors. */
int64_t lci_constraint_count(const lci_program *program);
/** The name of such a constraint; null if there is none of that number. It lives as long as the
 *  program. */
const char *lci_constraint_name(const lci_program *program, int64_t number);
/** Waits for all tickets, and writes to `cells` at how many cells such a constraint is broken now:
 *  they hold what it forbids. None where it is switched off. */
int lci_get_broken(lci_program *program, const char *name, int64_t *cells);

/** Waits for all tickets, and counts the warnings: what the compiler warned of when it made the
 *  bundle, then a sentence for each value some of whose proposals were rejected since the start.
 *  -1 on errors. */
int64_t lci_warning_count(lci_program *program);
/** A warning of those that were counted last; null if there is none of that number. It lives until
 *  they are counted again, or the program is released. */
const char *lci_warning(const lci_program *program, int64_t number);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming) */

#endif /* LCI_RUNTIME_LCI_H */
