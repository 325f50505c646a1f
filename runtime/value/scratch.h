/* The scratch arena of a worker. weir_scratch_grow (abi.h) is defined in scratch.cpp: it moves to a larger block and keeps
 * the older ones, whose strings stay valid; together they are no larger than the newest. */
#ifndef WEIR_VALUE_SCRATCH_H
#define WEIR_VALUE_SCRATCH_H

#include "runtime/abi/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frees every block. The arena must be all null or have grown by weir_scratch_grow only. */
void weir_scratch_free(weir_worker* worker);

#ifdef __cplusplus
}
#endif
#endif
