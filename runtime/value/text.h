/* C functions over Unicode, regexes, times and number texts that need a library or are too large to inline. Called by the
 * helpers, by generated code and by the functions of the standard library. noexcept, thread-safe; strings that they make
 * are in the worker's scratch arena. */
#ifndef WEIR_VALUE_TEXT_H
#define WEIR_VALUE_TEXT_H

#include "runtime/abi/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 when the bytes are well-formed UTF-8. */
int32_t weir_utf8_valid(const char* data, uint64_t size);
/* Offset of the first byte that is not part of a well-formed sequence; `size` when there is none. */
uint64_t weir_utf8_error(const char* data, uint64_t size);

/* A JSON number as the nearest double: 0; 5016 not a number; 5009 out of range. A nonzero number that is nearest to zero
 * is zero. */
int32_t weir_parse_float(const char* data, uint64_t size, double* result);

/* Standard alphabet, padded: 0, or 5016. */
int32_t weir_base64_decode(weir_worker* worker, const char* data, uint64_t size, weir_str* result);

/* Every character by its simple case mapping. */
void weir_case_map(weir_worker* worker, const char* data, uint64_t size, int32_t upper, weir_str* result);

/* Fills with bytes from the operating system's source of randomness. */
void weir_random(void* out, uint64_t size);

/* ---- Regexes of the plan, by index ---------------------------------------------------------------------- */
/* 1 when it matches somewhere in the text. */
int32_t weir_regex_matches(const struct weir_text_tables* texts, uint32_t regex, const char* data,
                           uint64_t size);
/* Group `group` (0: the whole match) of the first match: 1; 0 without a match or when the group took no part. */
int32_t weir_regex_extract(const struct weir_text_tables* texts, uint32_t regex, const char* data,
                           uint64_t size, uint32_t group, weir_str* result);
/* Every match by `to`, in which $0 to $9 are groups and $$ is a dollar sign. */
void weir_regex_replace(weir_worker* worker, uint32_t regex, const char* data, uint64_t size, const char* to,
                        uint64_t to_size, weir_str* result);

/* ---- Time patterns of the plan, by index ---------------------------------------------------------------- */
/* 0; 5016 no match; 5010 outside the years 1 to 9999, or finer than a microsecond. */
int32_t weir_time_parse(const struct weir_text_tables* texts, uint32_t pattern, const char* data,
                        uint64_t size, int64_t* result);
void weir_time_format(weir_worker* worker, uint32_t pattern, int64_t time, weir_str* result);
weir_str weir_time_pattern_text(const struct weir_text_tables* texts, uint32_t pattern);

/* ---- For the compiler ----------------------------------------------------------------------------------
 * What is wrong with a literal, in words: writes at most `capacity` bytes and returns how many; 0: nothing is wrong. The same
 * judgement is made when the program starts. Not for records: these allocate.
 */
uint64_t weir_regex_problem(const char* pattern, uint64_t size, char* text, uint64_t capacity);
/* `reading`: must be readable to an instant, else only writable. An empty zone is UTC. */
uint64_t weir_time_pattern_problem(const char* pattern, uint64_t size, const char* zone, uint64_t zone_size,
                                   int32_t reading, char* text, uint64_t capacity);

#ifdef __cplusplus
}
#endif
#endif
