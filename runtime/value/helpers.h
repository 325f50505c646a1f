/* Helpers that generated code calls, in plain C. Everything in "bitcode" below is in helpers.bc and gets inlined;
 * the rest are ordinary functions of the runtime kit. All are noexcept and thread-safe: they touch their arguments,
 * the worker's scratch arena and nothing else.
 *
 * Conventions
 * - weir_put_X(p, value) writes at p and returns the end; the caller has reserved WEIR_MAX_X bytes.
 * - weir_read_X(p, end, out) reads the value that begins at p and returns the first byte after it, or null when the
 *   text is not of the plain form that it knows. Null never means "invalid": call the reference decoder then. May load
 *   (not use) up to 64 bytes at and after `end`: the owner of the buffer guarantees that they are readable.
 * - Functions that return int32_t or uint32_t as a status return 0 or a 5000s code.
 */
#ifndef WEIR_VALUE_HELPERS_H
#define WEIR_VALUE_HELPERS_H

#include "runtime/abi/abi.h"

#ifdef __cplusplus
#include <cstdint>

extern "C" {
#endif

/* Readable bytes after the end of every input buffer. Their values do not matter. */
#define WEIR_INPUT_PADDING 64u
/* Deepest nesting of a JSON text, and of a value that is written. */
#define WEIR_MAX_DEPTH 256u

/* ---- Framing (bitcode) ----------------------------------------------------------------------------------
 * Takes the next record from *cursor, skipping blank lines. Returns 1 and moves *cursor behind the record's end of
 * line; or 0 when no whole record is left: then *cursor stands before the unfinished one (behind blank lines). With
 * `last` the unterminated rest is a record. `record` excludes LF and one CR before it.
 */
/* Blank: nothing but spaces, tabs and CR. */
int32_t weir_frame_json(const char** cursor, const char* end, uint32_t last, weir_str* record);
/* Blank: empty. Formats text and regex. */
int32_t weir_frame_line(const char** cursor, const char* end, uint32_t last, weir_str* record);
/* Blank: empty. LF and CRLF inside quotes belong to the record. A quote that is still open at the end of the input is
 * part of the record and an error of the decoder. */
int32_t weir_frame_csv(const char** cursor, const char* end, uint32_t last, weir_str* record);
/* `data`, or behind a UTF-8 byte-order mark if the input begins with one (base 0: start of the file). Call it once at
 * the begin of a stage. */
const char* weir_skip_bom(const weir_input* input);
/* The first LF in [p, end), or null. */
const char* weir_find_newline(const char* p, const char* end);

/* ---- Reference decoders (kit) ---------------------------------------------------------------------------
 * They fill every field of the frame of record type `type` (absent optionals as zero bytes) and return 0, or a 5000s
 * code and in *detail what is wrong, with path and position. Strings view the input where they can, else the scratch
 * arena. The input needs no padding. `decoder` is weir_input.decoder.
 */
uint32_t weir_decode_json(weir_worker* worker, const weir_type* type, const char* data, uint64_t size,
                          void* frame, weir_str* detail);
uint32_t weir_decode_csv(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                         void* frame, weir_str* detail);
uint32_t weir_decode_text(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                          void* frame, weir_str* detail);
uint32_t weir_decode_regex(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                           void* frame, weir_str* detail);

/* ---- Pieces of a generated JSON parser (bitcode) --------------------------------------------------------
 * What they accept, the reference decoder accepts with the same value. None skips white space.
 */
/* p behind the opening quote; ends behind the closing one. Plain strings only: no escape. UTF-8 is checked. */
const char* weir_read_string(const char* p, const char* end, weir_str* out);
/* JSON integer of at most 18 digits. The caller checks that the next byte is not one of `.eE`. */
const char* weir_read_int(const char* p, const char* end, int64_t* out);
/* JSON number without exponent and without superfluous digits, at most 18 digits at `scale`, |value| < 10^precision.
 * The caller checks that the next byte is not one of `eE`. */
const char* weir_read_decimal(const char* p, const char* end, uint32_t scale, uint32_t precision,
                              int64_t* out);
/* Any finite JSON number. */
const char* weir_read_float(const char* p, const char* end, double* out);
/* true or false; the caller checks what follows. */
const char* weir_read_bool(const char* p, const char* end, uint8_t* out);
/* YYYY-MM-DDThh:mm:ss[.1 to 6 digits]Z, without quotes. */
const char* weir_read_timestamp(const char* p, const char* end, int64_t* out);
/* An integer of `unit_digits` digits below a second (0, 3, 6, 9): WEIR_TIME_UNIX_S .. NS. */
const char* weir_read_unix_time(const char* p, const char* end, uint32_t unit_digits, uint32_t floor,
                                int64_t* out);
/* Behind spaces, tabs, CR (not LF). */
const char* weir_skip_space(const char* p, const char* end);
/* Checks one whole JSON value (grammar, UTF-8, escapes, depth) and ends behind it. Numbers of any length. */
const char* weir_skip_value(const char* p, const char* end);

/* ---- Text out (bitcode unless noted) -------------------------------------------------------------------- */
#define WEIR_MAX_INT 24u
#define WEIR_MAX_DECIMAL 48u
#define WEIR_MAX_FLOAT 32u
#define WEIR_MAX_TIMESTAMP 32u
#define WEIR_MAX_DURATION 40u
#define WEIR_MAX_JSON_STRING(size) (6u * (size) + 32u)
#define WEIR_MAX_CSV_STRING(size) (2u * (size) + 32u)
#define WEIR_MAX_BASE64(size) (((size) + 2u) / 3u * 4u + 4u)

char* weir_put_bytes(char* p, const char* data, uint64_t size); /* copies; room for `size` */
char* weir_put_bool(char* p, int32_t value);                    /* true false */
char* weir_put_int(char* p, int64_t value);
char* weir_put_decimal64(char* p, int64_t unscaled,
                         uint32_t scale); /* all digits of the scale: -0.05, 12.00 */
char* weir_put_decimal128(char* p, weir_i128 unscaled, uint32_t scale);
char* weir_put_float(char* p,
                     double value); /* kit. Shortest, with `.` or `e`; null for NaN, infinity (E5014) */
char* weir_put_timestamp(char* p, int64_t value); /* 2026-01-01T00:00:00.5Z, without quotes */
char* weir_put_duration(char* p, int64_t value);  /* PT90.5S, -PT0.000001S, PT0S, without quotes */
char* weir_put_base64(char* p, const char* data, uint64_t size);      /* without quotes */
char* weir_put_json_string(char* p, const char* data, uint64_t size); /* with quotes */
/* Quoted where it must be; the empty string as "" so that it differs from absent. */
char* weir_put_csv_string(char* p, const char* data, uint64_t size);

/* Any value by its type (kit). `bound` is enough room for `put`; `put` returns null for NaN or infinity. */
uint64_t weir_json_bound(const weir_type* type, const void* slot);
char* weir_put_json(char* p, const weir_type* type, const void* slot);
/* A record as one CSV line without its end: nested records as further columns; lists and maps are not possible. */
uint64_t weir_csv_bound(const weir_type* type, const void* slot);
char* weir_put_csv(char* p, const weir_type* type, const void* slot);
/* How many columns a value of the type has. */
uint32_t weir_csv_columns(const weir_type* type);

/* ---- Canonical keys (bitcode unless noted) --------------------------------------------------------------
 * bool 1 byte; int, timestamp, duration, decimal with p <= 18: 8 bytes big endian, sign bit flipped; other decimals 16
 * bytes alike; string, bytes: u32 big endian length, bytes; T?: 0, or 1 and the value; record: its fields; list: u32
 * count, elements; map: u32 count, keys and values in order. A get returns the first byte behind the value; strings view
 * the key bytes.
 */
char* weir_key_put_bool(char* p, int32_t value);
char* weir_key_put_int(char* p, int64_t value);
char* weir_key_put_i128(char* p, weir_i128 value);
char* weir_key_put_string(char* p, const char* data, uint64_t size); /* size + 4 bytes */
const char* weir_key_get_bool(const char* p, uint8_t* out);
const char* weir_key_get_int(const char* p, int64_t* out);
const char* weir_key_get_i128(const char* p, weir_i128* out);
const char* weir_key_get_string(const char* p, weir_str* out);
/* Any type (kit). */
uint64_t weir_key_size(const weir_type* type, const void* slot);
char* weir_key_put(char* p, const weir_type* type, const void* slot);
const char* weir_key_get(weir_worker* worker, const char* p, const weir_type* type, void* slot);
/* xxh3-64 with WEIR_HASH_SEED. */
uint64_t weir_hash(const char* data, uint64_t size);
uint64_t weir_hash_seeded(const char* data, uint64_t size, uint64_t seed);

/* ---- Strings (bitcode) ---------------------------------------------------------------------------------- */
int32_t weir_string_equal(const char* a, uint64_t a_size, const char* b, uint64_t b_size); /* 0 or 1 */
int32_t weir_string_compare(const char* a, uint64_t a_size, const char* b,
                            uint64_t b_size); /* by bytes: < 0, 0, > 0 */
/* Room in the scratch arena, 16-byte aligned. */
void* weir_scratch_take(weir_worker* worker, uint64_t size);
/* Copies into the scratch arena, for interpolation: `parts` one after the other. */
void weir_string_concat(weir_worker* worker, weir_str* result, const weir_str* parts, uint64_t count);
/* The value of `key` in a map with entries of `entry_size` bytes, `value_offset` into the entry; or null. */
const void* weir_map_find(const void* entries, uint64_t count, uint32_t entry_size, uint32_t value_offset,
                          const char* key, uint64_t key_size);

/* ---- Decimals (bitcode unless noted) --------------------------------------------------------------------
 * Unscaled integers; those with p <= 18 are sign-extended to 128 bits by the caller and the result truncated. Adding,
 * subtracting, multiplying and rescaling upwards within 38 digits needs no helper.
 */
weir_i128 weir_power10(uint32_t exponent); /* 0..38 */
/* |value| < 10^precision: 0, else 5008. */
int32_t weir_decimal_check(weir_i128 value, uint32_t precision);
/* a / b at `scale` digits, half-even: 5007, 5008. (kit) */
int32_t weir_decimal_divide(weir_i128 a, uint32_t a_scale, weir_i128 b, uint32_t b_scale, uint32_t scale,
                            uint32_t precision, weir_i128* result);
/* a * b rescaled to `scale` <= a_scale + b_scale, half-even, through 256 bits: 5008. (kit) */
int32_t weir_decimal_multiply(weir_i128 a, weir_i128 b, uint32_t scale_of_product, uint32_t scale,
                              uint32_t precision, weir_i128* result);
typedef enum {
  WEIR_ROUND_HALF_EVEN = 0,
  WEIR_ROUND_DOWN = 1, /* toward zero */
  WEIR_ROUND_FLOOR = 2,
  WEIR_ROUND_CEILING = 3,
  WEIR_ROUND_HALF_UP = 4 /* half away from zero */
} weir_rounding;
/* The integer nearest to value / 10^digits (digits 0..38). */
weir_i128 weir_decimal_round(weir_i128 value, uint32_t digits, uint32_t rounding);
/* To another scale: upwards with a range check, downwards half-even: 5008. */
int32_t weir_decimal_rescale(weir_i128 value, uint32_t from, uint32_t to, uint32_t precision,
                             weir_i128* result);
int32_t weir_decimal_to_int(weir_i128 value, uint32_t scale,
                            int64_t* result);                  /* exact or toward zero: 5009 */
double weir_decimal_to_float(weir_i128 value, uint32_t scale); /* nearest. (kit) */
/* Half-even of the float's exact value: 5014, 5008. (kit) */
int32_t weir_float_to_decimal(double value, uint32_t scale, uint32_t precision, weir_i128* result);
int32_t weir_float_to_int(double value, int64_t* result); /* toward zero: 5014, 5009 */
/* Decimal text in any exact form ("-1.50", "1e2"): 5016 not a number, 5008 too large, 5009 more digits than `scale`. (kit) */
int32_t weir_parse_decimal(const char* data, uint64_t size, uint32_t scale, uint32_t precision,
                           weir_i128* result);

/* ---- Sums (bitcode) -------------------------------------------------------------------------------------
 * A 256-bit accumulator is 32 bytes, 16-byte aligned, zero bytes at first. Decimals with p <= 18 and ints may use a plain
 * weir_i128 instead: 2^63 rows cannot overflow it.
 */
typedef struct {
  uint64_t word[4]; /* least significant first, two's complement */
} weir_i256;
void weir_sum256_add(weir_i256* sum, weir_i128 value);
/* 0, or 5015 when the total has more than `precision` digits. */
int32_t weir_sum256_get(const weir_i256* sum, uint32_t precision, weir_i128* result);
int32_t weir_sum_to_int(weir_i128 sum, int64_t* result); /* 5015 */
/* decimal(38, 6) of ints, half-even; count > 0. */
int32_t weir_avg_int(weir_i128 sum, uint64_t count, weir_i128* result);
/* decimal(38, to) of decimals with scale `from` <= to, half-even; count > 0: 5015. */
int32_t weir_avg_i128(weir_i128 sum, uint64_t count, uint32_t from, uint32_t to, weir_i128* result);
int32_t weir_avg_i256(const weir_i256* sum, uint64_t count, uint32_t from, uint32_t to,
                      weir_i128* result); /* kit */

/* ---- Numbers and time (bitcode) ------------------------------------------------------------------------- */
#define WEIR_TIME_MIN (-62135596800000000ll) /* 0001-01-01T00:00:00Z */
#define WEIR_TIME_MAX 253402300799999999ll   /* 9999-12-31T23:59:59.999999Z */
/* In the years 1 to 9999: 0, else 5010. */
int32_t weir_time_check(int64_t value);
/* Begin of the window that holds `time`: floor, also before 1970. Saturates at INT64_MIN. */
int64_t weir_window_start(int64_t time, int64_t size, int64_t offset);
/* Days since 1970-01-01 of a proleptic Gregorian date, and back. */
int64_t weir_days_from_civil(int64_t year, uint32_t month, uint32_t day);
void weir_civil_from_days(int64_t days, int64_t* year, uint32_t* month, uint32_t* day);

#ifdef __cplusplus
}
#endif
#endif
