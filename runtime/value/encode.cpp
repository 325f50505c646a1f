// Any value by its type descriptor: as JSON, as CSV fields, as canonical key bytes.
#include <cstring>

#include "runtime/value/helpers.h"

namespace {

template <typename T>
T load(const void* slot) {
  T value;
  std::memcpy(&value, slot, sizeof value);
  return value;
}

inline const char* at(const void* base, std::uint64_t offset) {
  return static_cast<const char*>(base) + offset;
}

inline bool present(const weir_type& type, const void* slot) {
  return *at(slot, type.element->size) != 0;
}

inline weir_i128 decimal(const weir_type& type, const void* slot) {
  return type.precision <= 18 ? load<std::int64_t>(slot) : load<weir_i128>(slot);
}

// A scalar that needs no quotes in either format; strings and bytes are the callers'.
char* put_plain(char* p, const weir_type& type, const void* slot) {
  switch (type.kind) {
    case WEIR_BOOL:
      return weir_put_bool(p, *at(slot, 0));
    case WEIR_INT:
      return weir_put_int(p, load<std::int64_t>(slot));
    case WEIR_FLOAT:
      return weir_put_float(p, load<double>(slot));
    case WEIR_DECIMAL:
      return type.precision <= 18 ? weir_put_decimal64(p, load<std::int64_t>(slot), type.scale)
                                  : weir_put_decimal128(p, load<weir_i128>(slot), type.scale);
    case WEIR_TIMESTAMP:
      return weir_put_timestamp(p, load<std::int64_t>(slot));
    default:
      return weir_put_duration(p, load<std::int64_t>(slot));
  }
}

constexpr std::uint64_t kScalarBound = 64;  // any scalar but strings and bytes, with quotes and a comma

}  // namespace

extern "C" {

uint64_t weir_json_bound(const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_STRING:
      return WEIR_MAX_JSON_STRING(load<weir_str>(slot).size);
    case WEIR_BYTES:
      return WEIR_MAX_BASE64(load<weir_str>(slot).size) + 4;
    case WEIR_OPTIONAL:
      return present(*type, slot) ? weir_json_bound(type->element, slot) : kScalarBound;
    case WEIR_LIST: {
      const auto list = load<weir_list>(slot);
      std::uint64_t bound = 4;
      for (std::uint64_t i = 0; i < list.count; ++i) {
        bound += 1 + weir_json_bound(type->element, at(list.data, i * type->element_size));
      }
      return bound;
    }
    case WEIR_MAP: {
      const auto list = load<weir_list>(slot);
      std::uint64_t bound = 4;
      for (std::uint64_t i = 0; i < list.count; ++i) {
        const char* entry = at(list.data, i * type->element_size);
        bound += 2 + WEIR_MAX_JSON_STRING(load<weir_str>(entry).size) +
                 weir_json_bound(type->element, entry + type->value_offset);
      }
      return bound;
    }
    case WEIR_RECORD: {
      std::uint64_t bound = 4;
      for (std::uint32_t i = 0; i < type->field_count; ++i) {
        const weir_field& field = type->fields[i];
        bound += 2 + WEIR_MAX_JSON_STRING(field.wire_name.size) +
                 weir_json_bound(field.type, at(slot, field.offset));
      }
      return bound;
    }
    default:
      return kScalarBound;
  }
}

char* weir_put_json(char* p, const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_STRING: {
      const auto text = load<weir_str>(slot);
      return weir_put_json_string(p, text.data, text.size);
    }
    case WEIR_BYTES: {
      const auto bytes = load<weir_str>(slot);
      *p = '"';
      p = weir_put_base64(p + 1, bytes.data, bytes.size);
      *p = '"';
      return p + 1;
    }
    case WEIR_TIMESTAMP:
    case WEIR_DURATION:
      *p = '"';
      p = put_plain(p + 1, *type, slot);
      *p = '"';
      return p + 1;
    case WEIR_OPTIONAL:
      return present(*type, slot) ? weir_put_json(p, type->element, slot) : weir_put_bytes(p, "null", 4);
    case WEIR_LIST: {
      const auto list = load<weir_list>(slot);
      *p++ = '[';
      for (std::uint64_t i = 0; i < list.count && p != nullptr; ++i) {
        if (i != 0) {
          *p++ = ',';
        }
        p = weir_put_json(p, type->element, at(list.data, i * type->element_size));
      }
      return p == nullptr ? nullptr : weir_put_bytes(p, "]", 1);
    }
    case WEIR_MAP: {
      const auto list = load<weir_list>(slot);
      *p++ = '{';
      for (std::uint64_t i = 0; i < list.count && p != nullptr; ++i) {
        if (i != 0) {
          *p++ = ',';
        }
        const char* entry = at(list.data, i * type->element_size);
        const auto key = load<weir_str>(entry);
        p = weir_put_json_string(p, key.data, key.size);
        *p++ = ':';
        p = weir_put_json(p, type->element, entry + type->value_offset);
      }
      return p == nullptr ? nullptr : weir_put_bytes(p, "}", 1);
    }
    case WEIR_RECORD: {
      *p++ = '{';
      for (std::uint32_t i = 0; i < type->field_count && p != nullptr; ++i) {
        const weir_field& field = type->fields[i];
        if (i != 0) {
          *p++ = ',';
        }
        p = weir_put_json_string(p, field.wire_name.data, field.wire_name.size);
        *p++ = ':';
        p = weir_put_json(p, field.type, at(slot, field.offset));
      }
      return p == nullptr ? nullptr : weir_put_bytes(p, "}", 1);
    }
    default:
      return put_plain(p, *type, slot);
  }
}

uint64_t weir_csv_bound(const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_STRING:
      return WEIR_MAX_CSV_STRING(load<weir_str>(slot).size);
    case WEIR_BYTES:
      return WEIR_MAX_BASE64(load<weir_str>(slot).size) + 4;
    case WEIR_OPTIONAL:
      return weir_csv_bound(type->element, slot);  // absent: a zero value, with the columns of a record
    case WEIR_RECORD: {
      std::uint64_t bound = 1;
      for (std::uint32_t i = 0; i < type->field_count; ++i) {
        bound += 1 + weir_csv_bound(type->fields[i].type, at(slot, type->fields[i].offset));
      }
      return bound;
    }
    default:
      return kScalarBound;
  }
}

char* weir_put_csv(char* p, const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_STRING: {
      const auto text = load<weir_str>(slot);
      return weir_put_csv_string(p, text.data, text.size);
    }
    case WEIR_BYTES: {
      const auto bytes = load<weir_str>(slot);
      return bytes.size == 0 ? weir_put_bytes(p, "\"\"", 2) : weir_put_base64(p, bytes.data, bytes.size);
    }
    case WEIR_OPTIONAL:
      if (present(*type, slot)) {
        return weir_put_csv(p, type->element, slot);
      }
      if (type->element->kind == WEIR_RECORD) {
        // As many empty columns.
        for (std::uint32_t i = 1; i < weir_csv_columns(type->element); ++i) {
          *p++ = ',';
        }
      }
      return p;
    case WEIR_RECORD:
      for (std::uint32_t i = 0; i < type->field_count && p != nullptr; ++i) {
        if (i != 0) {
          *p++ = ',';
        }
        p = weir_put_csv(p, type->fields[i].type, at(slot, type->fields[i].offset));
      }
      return p;
    case WEIR_LIST:
    case WEIR_MAP:
      return p;  // refused by the compiler
    default:
      return put_plain(p, *type, slot);
  }
}

uint32_t weir_csv_columns(const weir_type* type) {
  if (type->kind == WEIR_OPTIONAL) {
    return weir_csv_columns(type->element);
  }
  if (type->kind != WEIR_RECORD) {
    return 1;
  }
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < type->field_count; ++i) {
    count += weir_csv_columns(type->fields[i].type);
  }
  return count;
}

uint64_t weir_key_size(const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_BOOL:
      return 1;
    case WEIR_STRING:
    case WEIR_BYTES:
      return 4 + load<weir_str>(slot).size;
    case WEIR_DECIMAL:
      return type->precision <= 18 ? 8 : 16;
    case WEIR_OPTIONAL:
      return present(*type, slot) ? 1 + weir_key_size(type->element, slot) : 1;
    case WEIR_LIST:
    case WEIR_MAP: {
      const auto list = load<weir_list>(slot);
      std::uint64_t size = 4;
      for (std::uint64_t i = 0; i < list.count; ++i) {
        const char* entry = at(list.data, i * type->element_size);
        size += type->kind == WEIR_MAP ? 4 + load<weir_str>(entry).size +
                                             weir_key_size(type->element, entry + type->value_offset)
                                       : weir_key_size(type->element, entry);
      }
      return size;
    }
    case WEIR_RECORD: {
      std::uint64_t size = 0;
      for (std::uint32_t i = 0; i < type->field_count; ++i) {
        size += weir_key_size(type->fields[i].type, at(slot, type->fields[i].offset));
      }
      return size;
    }
    default:
      return 8;
  }
}

char* weir_key_put(char* p, const weir_type* type, const void* slot) {
  switch (type->kind) {
    case WEIR_BOOL:
      return weir_key_put_bool(p, *at(slot, 0));
    case WEIR_STRING:
    case WEIR_BYTES: {
      const auto text = load<weir_str>(slot);
      return weir_key_put_string(p, text.data, text.size);
    }
    case WEIR_DECIMAL:
      return type->precision <= 18 ? weir_key_put_int(p, load<std::int64_t>(slot))
                                   : weir_key_put_i128(p, decimal(*type, slot));
    case WEIR_OPTIONAL:
      *p = present(*type, slot) ? 1 : 0;
      return *p != 0 ? weir_key_put(p + 1, type->element, slot) : p + 1;
    case WEIR_LIST:
    case WEIR_MAP: {
      const auto list = load<weir_list>(slot);
      const std::uint32_t count = __builtin_bswap32(static_cast<std::uint32_t>(list.count));
      std::memcpy(p, &count, 4);
      p += 4;
      for (std::uint64_t i = 0; i < list.count; ++i) {
        const char* entry = at(list.data, i * type->element_size);
        if (type->kind == WEIR_MAP) {
          const auto key = load<weir_str>(entry);
          p = weir_key_put_string(p, key.data, key.size);
          entry += type->value_offset;
        }
        p = weir_key_put(p, type->element, entry);
      }
      return p;
    }
    case WEIR_RECORD:
      for (std::uint32_t i = 0; i < type->field_count; ++i) {
        p = weir_key_put(p, type->fields[i].type, at(slot, type->fields[i].offset));
      }
      return p;
    default:
      return weir_key_put_int(p, load<std::int64_t>(slot));
  }
}

const char* weir_key_get(weir_worker* worker, const char* p, const weir_type* type, void* slot) {
  auto* out = static_cast<char*>(slot);
  switch (type->kind) {
    case WEIR_BOOL:
      return weir_key_get_bool(p, static_cast<std::uint8_t*>(slot));
    case WEIR_STRING:
    case WEIR_BYTES: {
      weir_str text;
      p = weir_key_get_string(p, &text);
      std::memcpy(slot, &text, sizeof text);
      return p;
    }
    case WEIR_DECIMAL:
      if (type->precision > 18) {
        weir_i128 value;
        p = weir_key_get_i128(p, &value);
        std::memcpy(slot, &value, sizeof value);
        return p;
      }
      break;
    case WEIR_OPTIONAL:
      std::memset(slot, 0, type->size);
      if (*p == 0) {
        return p + 1;
      }
      out[type->element->size] = 1;
      return weir_key_get(worker, p + 1, type->element, slot);
    case WEIR_LIST:
    case WEIR_MAP: {
      std::uint32_t count;
      std::memcpy(&count, p, 4);
      p += 4;
      count = __builtin_bswap32(count);
      auto* data = static_cast<char*>(
          weir_scratch_take(worker, static_cast<std::uint64_t>(count) * type->element_size));
      const weir_list list{data, count};
      std::memcpy(slot, &list, sizeof list);
      for (std::uint32_t i = 0; i < count; ++i) {
        char* entry = data + static_cast<std::uint64_t>(i) * type->element_size;
        std::memset(entry, 0, type->element_size);
        if (type->kind == WEIR_MAP) {
          weir_str key;
          p = weir_key_get_string(p, &key);
          std::memcpy(entry, &key, sizeof key);
          entry += type->value_offset;
        }
        p = weir_key_get(worker, p, type->element, entry);
      }
      return p;
    }
    case WEIR_RECORD:
      for (std::uint32_t i = 0; i < type->field_count; ++i) {
        p = weir_key_get(worker, p, type->fields[i].type, out + type->fields[i].offset);
      }
      return p;
    default:
      break;
  }
  std::int64_t value;
  p = weir_key_get_int(p, &value);
  std::memcpy(slot, &value, sizeof value);
  return p;
}

}  // extern "C"
