/* C functions over Unicode, regexes and number texts that need a library or are too large to inline. Called by the
 * helpers and by the functions of the standard library. noexcept, thread-safe. */
#ifndef WEIR_VALUE_TEXT_H
#define WEIR_VALUE_TEXT_H

#include "runtime/abi/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 when the bytes are well-formed UTF-8. */
int32_t weir_utf8_valid(const char* data, uint64_t size);

/* A JSON number as the nearest double: 0; 5016 not a number; 5009 out of range. A nonzero number that is nearest to zero is
 * zero. */
int32_t weir_parse_float(const char* data, uint64_t size, double* result);

#ifdef __cplusplus
}
#endif
#endif
