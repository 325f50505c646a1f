#include "compiler/driver/test/json.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "compiler/check/make.h"

namespace weir::driver::test {
namespace {

using types::Kind;

// Builds the tree from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json root;

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({Json::Kind::boolean, value ? "true" : "false", {}, {}}); }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& value) override { return add({Json::Kind::string, value, {}, {}}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::Kind::object); }
  bool key(string_t& value) override {
    keys_.back() = value;
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::Kind::array); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool number(std::string text) { return add({Json::Kind::number, std::move(text), {}, {}}); }
  bool open(Json::Kind kind) {
    open_.push_back({kind, {}, {}, {}});
    keys_.emplace_back();
    return true;
  }
  bool close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(done));
  }
  bool add(Json value) {
    if (open_.empty()) {
      root = std::move(value);
    } else {
      if (open_.back().kind == Json::Kind::object) open_.back().names.push_back(keys_.back());
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }

  std::vector<Json> open_;
  std::vector<std::string> keys_;
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string fraction(std::int64_t micros) {
  if (micros == 0) return "";
  std::string digits = fmt::format(".{:06}", micros);
  while (digits.back() == '0') digits.pop_back();
  return digits;
}

std::string timestamp_text(std::int64_t micros) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::microseconds> time{chrono::microseconds{micros}};
  const chrono::sys_days day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date{day};
  const std::int64_t rest = (time - day).count();
  const std::int64_t second = rest / 1'000'000;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), second / 3600,
                     second / 60 % 60, second % 60, fraction(rest % 1'000'000));
}

std::string duration_text(std::int64_t micros) {
  const bool negative = micros < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(micros) : static_cast<std::uint64_t>(micros);
  return fmt::format("{}PT{}{}S", negative ? "-" : "", size / 1'000'000,
                     fraction(static_cast<std::int64_t>(size % 1'000'000)));
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])) : 0u;
    };
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text.push_back(letters[group >> 18]);
    text.push_back(letters[group >> 12 & 63]);
    text.push_back(i + 1 < bytes.size() ? letters[group >> 6 & 63] : '=');
    text.push_back(i + 2 < bytes.size() ? letters[group & 63] : '=');
  }
  return text;
}

std::string float_text(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

}  // namespace

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

std::optional<Json> parse_json(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return std::move(builder.root);
}

std::string to_json(const interp::Value& value, const types::Type& type) {
  if (value.absent()) return "null";
  switch (type.kind) {
    case Kind::kBool:
      return value.truth() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.integer());
    case Kind::kFloat:
      return float_text(value.floating());
    case Kind::kDecimal:
      return check::decimal_text(value.decimal(), type.scale);
    case Kind::kString:
      return quoted(value.text());
    case Kind::kBytes:
      return quoted(base64(value.text()));
    case Kind::kTimestamp:
      return quoted(timestamp_text(value.integer()));
    case Kind::kDuration:
      return quoted(duration_text(value.integer()));
    case Kind::kOptional:
      return to_json(value, *type.element);
    case Kind::kList: {
      std::string text = "[";
      for (const interp::Value& item : value.values())
        text += (text.size() > 1 ? "," : "") + to_json(item, *type.element);
      return text + "]";
    }
    case Kind::kMap: {
      std::string text = "{";
      for (const auto& [key, item] : value.entries()) {
        text += (text.size() > 1 ? "," : "") + quoted(key) + ":" + to_json(item, *type.element);
      }
      return text + "}";
    }
    case Kind::kRecord: {
      std::string text = "{";
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        text += (i > 0 ? "," : "") + quoted(type.fields[i].name) + ":" +
                to_json(value.values()[i], *type.fields[i].type);
      }
      return text + "}";
    }
    case Kind::kError:
    case Kind::kNull:
      return "null";
  }
  return "null";
}

bool equal(const Json& written, const interp::Value& value, const types::Type& type) {
  if (value.absent()) return written.kind == Json::Kind::null;
  switch (type.kind) {
    case Kind::kOptional:
      return equal(written, value, *type.element);
    case Kind::kFloat:
      return written.kind == Json::Kind::number &&
             std::strtod(written.text.c_str(), nullptr) == value.floating();
    case Kind::kBool:
      return written.kind == Json::Kind::boolean && written.text == to_json(value, type);
    case Kind::kInt:
    case Kind::kDecimal:
      return written.kind == Json::Kind::number && written.text == to_json(value, type);
    case Kind::kString:
      return written.kind == Json::Kind::string && written.text == value.text();
    case Kind::kBytes:
      return written.kind == Json::Kind::string && written.text == base64(value.text());
    case Kind::kTimestamp:
      return written.kind == Json::Kind::string && written.text == timestamp_text(value.integer());
    case Kind::kDuration:
      return written.kind == Json::Kind::string && written.text == duration_text(value.integer());
    case Kind::kList: {
      const interp::Values& items = value.values();
      if (written.kind != Json::Kind::array || written.items.size() != items.size()) return false;
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (!equal(written.items[i], items[i], *type.element)) return false;
      }
      return true;
    }
    case Kind::kMap: {
      const interp::Entries& entries = value.entries();
      if (written.kind != Json::Kind::object || written.items.size() != entries.size()) return false;
      for (const auto& [key, item] : entries) {
        const Json* field = written.find(key);
        if (field == nullptr || !equal(*field, item, *type.element)) return false;
      }
      return true;
    }
    case Kind::kRecord: {
      if (written.kind != Json::Kind::object) return false;
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        const Json* field =
            written.find(type.fields[i].wire_name.empty() ? type.fields[i].name : type.fields[i].wire_name);
        if (field == nullptr || !equal(*field, value.values()[i], *type.fields[i].type)) return false;
      }
      return true;
    }
    case Kind::kError:
    case Kind::kNull:
      return written.kind == Json::Kind::null;
  }
  return false;
}

}  // namespace weir::driver::test
