/* The contract between generated code and the runtime, in plain C.
 *
 * The compiler emits one object file per program. It defines `weir_program` (below) and the functions
 * that it points to. The runtime owns main(). Both sides compile this header; the version is checked at
 * start. Everything a record touches is either generated code or a helper in bitcode (helpers.bc, inlined
 * at compile time); the other functions here are ordinary C calls for batches and cold paths.
 *
 * Conventions
 * - All functions are noexcept; nothing unwinds through generated code.
 * - A `weir_str` is a view. In a stage it points into the input batch, a constant or the worker's scratch
 *   arena, and is valid until the record is finished.
 * - Status codes are the numbers of Weir's diagnostics (5000s: record errors). 0 is success.
 * - One worker's context is used by one thread only.
 */
#ifndef WEIR_ABI_H
#define WEIR_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_ABI_VERSION 1u

/* ---- Values ---------------------------------------------------------------------------------------------
 * A value in memory (a "frame" slot) has one C layout per type, the natural one:
 *   bool              uint8_t (0 or 1)
 *   int               int64_t
 *   float             double
 *   decimal(p,s)      int64_t when p <= 18, else weir_i128 (16-byte aligned); the unscaled integer
 *   string, bytes     weir_str
 *   timestamp         int64_t, microseconds since 1970-01-01T00:00:00Z
 *   duration          int64_t, microseconds
 *   list<T>           weir_list of T slots, in order
 *   map<string, T>    weir_list of weir_map_entry-like {weir_str key; T value} slots, ascending key bytes,
 *                     keys distinct
 *   record            struct of its fields in order
 *   T?                struct { T value; uint8_t present; }; `value` is zero bytes when absent
 * Sizes and alignments are those of C on x86-64. The compiler's registers are LLVM values of the same shape.
 */
typedef __int128 weir_i128;

typedef struct {
  const char* data;
  uint64_t size;
} weir_str;

typedef struct {
  const void* data;
  uint64_t count;
} weir_list;

/* How a decoder or encoder reads and writes one type. Constant data in the generated object. */
typedef enum {
  WEIR_BOOL = 1,
  WEIR_INT = 2,
  WEIR_FLOAT = 3,
  WEIR_DECIMAL = 4,
  WEIR_STRING = 5,
  WEIR_BYTES = 6,
  WEIR_TIMESTAMP = 7,
  WEIR_DURATION = 8,
  WEIR_LIST = 9,
  WEIR_MAP = 10,
  WEIR_RECORD = 11,
  WEIR_OPTIONAL = 12
} weir_kind;

/* Wire form of a timestamp in text formats. WEIR_TIME_PATTERN uses the program's pattern `pattern_id`. */
typedef enum {
  WEIR_TIME_RFC3339 = 0,
  WEIR_TIME_UNIX_S = 1,
  WEIR_TIME_UNIX_MS = 2,
  WEIR_TIME_UNIX_US = 3,
  WEIR_TIME_UNIX_NS = 4,
  WEIR_TIME_PATTERN = 5
} weir_time_codec;

struct weir_type;

typedef struct {
  weir_str name;      /* the name in Weir */
  weir_str wire_name; /* the name in JSON and CSV */
  uint32_t offset;    /* of the slot in the record's frame */
  uint32_t reserved;
  const struct weir_type* type;
} weir_field;

typedef struct weir_type {
  uint8_t kind;       /* weir_kind */
  uint8_t precision;  /* decimal */
  uint8_t scale;      /* decimal */
  uint8_t time_codec; /* timestamp: weir_time_codec */
  uint8_t time_floor; /* timestamp from unix_ns: 1 = drop digits below a microsecond, 0 = they must be zero */
  uint8_t reserved[3];
  uint32_t pattern_id; /* timestamp with WEIR_TIME_PATTERN: index into the plan's "time_patterns" */
  uint32_t size;       /* bytes of a slot */
  uint32_t align;
  uint32_t field_count;            /* record */
  const struct weir_type* element; /* list: T; map: T; optional: T */
  uint32_t element_size;           /* list: size of a T slot; map: size of {weir_str key; T value} */
  uint32_t value_offset;           /* map: offset of the value in an entry */
  const weir_field* fields;        /* record, in declaration order */
} weir_type;

/* ---- Worker context -------------------------------------------------------------------------------------
 * Owned by the runtime; generated code reads and advances the cursors.
 */

/* A bump allocator for one record's temporaries. Generated code resets `cur` to `begin` before each record. */
typedef struct {
  char* cur;
  char* end;
  char* begin;
} weir_arena;

/* Where one lane's serialised rows go. Generated code writes at `cur` after weir_sink_reserve, then advances
 * `cur` and counts the row. The runtime drains it between batches. */
typedef struct {
  char* cur;
  char* end;
  char* begin;
  uint64_t rows;
} weir_sink_buffer;

/* One exchange, one receiving worker: rows are appended, the runtime sends when full, at a watermark and at
 * a barrier. Row format: see weir_exchange_row. */
typedef struct {
  char* cur;
  char* end;
  char* begin;
  uint64_t rows;
} weir_exchange_buffer;

/* Counters of one source in one worker, all monotone in a run. */
typedef struct {
  uint64_t read;     /* records taken from the source, valid or not */
  uint64_t rejected; /* record errors that went to a stream (`on error to`) */
  uint64_t dropped;  /* record errors under `on error drop` */
  uint64_t late;     /* records that at least one operator diverted as late */
} weir_source_counters;

/* Event-time progress of one split. `max_time` is INT64_MIN until the first record with a time. carried
 * progress = max_time - lateness (saturating), INT64_MIN while max_time is. */
typedef struct {
  int64_t max_time;
} weir_split_progress;

struct weir_table;       /* keyed state of one aggregate in one worker; runtime/state/table.h */
struct weir_text_tables; /* the plan's compiled regexes and time patterns; runtime/value/text_tables.h */

typedef struct weir_worker {
  uint32_t index; /* 0-based */
  uint32_t count; /* number of workers */
  int32_t stop;   /* nonzero: a record error under `on error fail` or a run error; leave the stage */
  int32_t reserved;
  weir_arena scratch;
  weir_sink_buffer* sinks;         /* [sinks of the plan] */
  weir_exchange_buffer* exchanges; /* [operators of the plan * count], index operator * count + worker */
  struct weir_table** tables;      /* [operators of the plan] */
  weir_source_counters* counters;  /* [sources of the plan] */
  const void* const* params;       /* [params of the plan] pointers to slots */
  uint64_t* operator_rows;         /* [operators of the plan] rows applied to state by this worker */
  const struct weir_text_tables* texts;
  void* runtime; /* the runtime's own */
} weir_worker;

/* ---- Source stages --------------------------------------------------------------------------------------
 * Takes whole records from [data, end). Returns when fewer than a whole record is left, `max_records` records
 * were taken, or worker->stop is set. With `last` an unterminated final record counts as whole. The stage
 * frames (lines, CSV records), skips blank lines, decodes, computes event time, updates progress, runs all
 * operators up to sinks, exchanges and aggregates. 64 bytes after `end` are readable (their values do not matter).
 */
typedef struct {
  const char* data;
  const char* end;
  uint64_t base; /* position in the split (byte offset in the file) of `data` */
  uint64_t max_records;
  uint32_t last;   /* 1: `end` is the end of the input */
  uint32_t source; /* index in the plan */
  weir_split_progress* progress;
  weir_str path;       /* as at discovery */
  uint64_t split;      /* ordinal of the split */
  const void* decoder; /* a weir::value::Decoder (runtime/value/decoder.h), for this file; null for json */
  /* out */
  const char* next; /* first byte not consumed */
  uint64_t records; /* records taken, valid or not; blank lines do not count */
} weir_input;

typedef void (*weir_source_stage)(weir_worker* worker, weir_input* input);

/* ---- Keyed aggregates -----------------------------------------------------------------------------------
 * Exchange row (8-byte aligned, little endian): this header, then key bytes, then the argument slots at
 * `args_offset` as the generated code of the operator lays them out, then bytes of string arguments
 * (weir_str.data holds an offset from the row's begin while in the exchange).
 */
typedef struct {
  uint32_t size; /* whole row, multiple of 8 */
  uint32_t key_size;
  uint64_t hash;        /* xxh3-64 of the key bytes, seed WEIR_HASH_SEED */
  int64_t window_start; /* microseconds; 0 without a window */
  uint32_t args_offset;
  uint32_t reserved;
} weir_exchange_row;

#define WEIR_HASH_SEED 0x57656972ull
#define WEIR_KEY_GROUPS 1024u
#define WEIR_KEY_GROUP(hash) ((uint32_t)((hash) >> 54)) /* top 10 bits */
#define WEIR_OWNER(group, workers) ((uint32_t)(((uint64_t)(group) * (workers)) >> 10))

typedef void (*weir_batch_stage)(weir_worker* worker, const char* rows, uint64_t size, uint64_t count);

/* The accumulators of a key in a window, created as zero bytes if absent; 16-byte aligned, valid until the next
 * call for this table. Marks the row as changed in this epoch. A helper: inlined. */
void* weir_table_upsert(struct weir_table* table, int64_t window_start, uint64_t hash, const char* key,
                        uint64_t key_size);
/* Copies the bytes of a string accumulator into the state's own memory. */
weir_str weir_table_keep(struct weir_table* table, const char* data, uint64_t size);

/* State row as the close stage sees it. `accumulators` has the operator's state size and 16-byte alignment. */
typedef struct {
  const char* key;
  uint64_t key_size;
  const void* accumulators;
} weir_state_row;

/* Rows of one window, ascending key bytes. Emits downstream. */
typedef void (*weir_close_stage)(weir_worker* worker, int64_t window_start, const weir_state_row* rows,
                                 uint64_t count);

/* ---- Native functions of the library ----------------------------------------------------------------------
 * `weir_fn_NAME` (or `weir_fn_NAME__SUFFIX` for an overload), one calling convention:
 *   infallible:  void    weir_fn_x(weir_worker*, R* result, ARGS...)
 *   fallible:    int32_t weir_fn_x(weir_worker*, R* result, ARGS...)   0 or a 5000s code
 * An argument is passed as: bool int32_t (0/1); int, timestamp, duration int64_t; float double; decimal int64_t
 * (p <= 18) or weir_i128; string, bytes (const char*, uint64_t); list, map (const void*, uint64_t); T? and
 * records a pointer to the slot. `result` points to a slot of the result type. Strings made on the way come
 * from the worker's scratch arena (weir_scratch_grow).
 */

/* ---- Errors ---------------------------------------------------------------------------------------------
 * A record error: the generated code calls weir_reject with the site (index into the plan's "sites": code,
 * stage, message, source or the strictest policy of the sources that reach it) and the raw bytes (the record
 * as read; for a derived row its JSON). The runtime counts and applies the policy. It returns null when done
 * (dropped, or worker->stop set under `fail`); for `on error to N` it returns the row for N's consumers,
 * valid until the next call in this worker.
 */
typedef struct {
  weir_str source;
  weir_str stage;
  weir_str code; /* "E5004" */
  weir_str message;
  weir_str path;
  int64_t position; /* of the record in its split */
  weir_str raw;
} weir_rejected;

const weir_rejected* weir_reject(weir_worker* worker, const weir_input* input, uint32_t site, const char* raw,
                                 uint64_t raw_size, weir_str detail);

/* ---- Buffers --------------------------------------------------------------------------------------------
 * Make room for `size` bytes; the pointer is the buffer's new `cur`. Never fail: out of memory is a run error
 * that ends the process before they return.
 */
char* weir_sink_reserve(weir_worker* worker, uint32_t sink, uint64_t size);
char* weir_exchange_reserve(weir_worker* worker, uint32_t operator_index, uint32_t target, uint64_t size);
char* weir_scratch_grow(weir_worker* worker, uint64_t size); /* runtime/value/scratch.h */

/* ---- The program ----------------------------------------------------------------------------------------
 */
typedef struct {
  uint32_t abi_version;
  uint32_t source_count;
  uint32_t operator_count;
  uint32_t reserved;
  weir_str plan;                          /* JSON, see runtime/abi/plan.md */
  const weir_source_stage* source_stages; /* [source_count] */
  const weir_type* const* source_types;   /* [source_count] */
  const weir_batch_stage* batch_stages;   /* [operator_count] */
  const weir_close_stage* close_stages;   /* [operator_count] */
} weir_program_t;

extern const weir_program_t weir_program;

#ifdef __cplusplus
}
#endif
#endif
