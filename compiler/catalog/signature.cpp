#include "compiler/catalog/signature.h"

#include <cctype>
#include <cstdlib>
#include <optional>

namespace weir::catalog {
namespace {

// A reader over one line. Errors are kept in `error_`; after the first nothing more is read.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::expected<Signature, std::string> read() {
    Signature result;
    expect_word("fn");
    result.name = word();
    result.symbol = "weir_fn_" + result.name;
    expect("(");
    if (!accept(")")) {
      do {
        if (peek(")")) break;
        result.parameters.push_back(parameter());
      } while (ok() && accept(","));
      expect(")");
    }
    expect("->");
    result.result = pattern();
    bool effect_seen = false;
    while (ok() && !at_end()) {
      const std::string name = word();
      if (name == "pure") {
        effect_seen = true;
      } else if (name == "clock" || name == "random" || name == "external" || name == "order" ||
                 name == "host") {
        effect_seen = true;
        result.effects.push_back(name);
      } else if (name == "fails") {
        while (ok() && std::isdigit(static_cast<unsigned char>(current())) != 0) {
          result.fails.push_back(number());
          accept(",");
        }
        if (result.fails.empty()) fail("`fails` needs the numbers of its record errors");
      } else if (name == "intrinsic") {
        result.implementation = Implementation::intrinsic;
      } else if (name == "special") {
        result.implementation = Implementation::special;
      } else if (name == "as") {
        result.symbol = word();
      } else {
        fail("`" + name + "` is not a word of a signature");
      }
    }
    if (ok() && !effect_seen) fail("the effect is missing");
    if (!ok()) return std::unexpected(*error_ + " in `" + std::string(text_) + "`");
    return result;
  }

 private:
  bool ok() const { return !error_.has_value(); }
  void fail(std::string message) {
    if (ok()) error_ = std::move(message);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool at_end() {
    skip();
    return at_ >= text_.size();
  }
  char current() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool peek(std::string_view token) {
    skip();
    return text_.substr(at_).starts_with(token);
  }
  bool accept(std::string_view token) {
    if (!peek(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (ok() && !accept(token)) fail("`" + std::string(token) + "` is missing at " + std::to_string(at_));
  }
  void expect_word(std::string_view name) {
    if (word() != name) fail("`" + std::string(name) + "` is missing");
  }
  std::string word() {
    skip();
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    if (from == at_) fail("a name is missing at " + std::to_string(at_));
    return std::string(text_.substr(from, at_ - from));
  }
  int number() {
    const std::string digits = word();
    return std::atoi(digits.c_str());
  }

  Parameter parameter() {
    Parameter result;
    result.name = word();
    expect(":");
    result.type = pattern();
    if (accept("=")) {
      skip();
      const std::size_t from = at_;
      bool in_string = false;
      while (at_ < text_.size() && (in_string || (text_[at_] != ',' && text_[at_] != ')'))) {
        if (text_[at_] == '"') in_string = !in_string;
        ++at_;
      }
      result.default_text = std::string(text_.substr(from, at_ - from));
      while (!result.default_text.empty() && result.default_text.back() == ' ')
        result.default_text.pop_back();
    }
    return result;
  }

  TypePattern pattern() {
    if (!ok()) return {};
    TypePattern result;
    if (accept("(")) {
      result.kind = TypePattern::Kind::function;
      if (!accept(")")) {
        do {
          result.args.push_back(pattern());
        } while (ok() && accept(","));
        expect(")");
      }
      expect("->");
      result.args.push_back(pattern());
      return result;
    }
    result = named();
    while (ok() && accept("?")) {
      TypePattern outer;
      outer.kind = TypePattern::Kind::optional;
      outer.args.push_back(std::move(result));
      result = std::move(outer);
    }
    return result;
  }

  TypePattern named() {
    TypePattern result;
    const std::string name = word();
    if (name == "list" || name == "map") {
      result.kind = name == "list" ? TypePattern::Kind::list : TypePattern::Kind::map;
      expect("<");
      if (name == "map") {
        expect_word("string");
        expect(",");
      }
      result.args.push_back(pattern());
      expect(">");
      return result;
    }
    if (name == "decimal") {
      expect("(");
      if (std::isdigit(static_cast<unsigned char>(current())) != 0) {
        const int precision = number();
        expect(",");
        result.type = types::decimal(precision, number());
      } else {
        result.kind = TypePattern::Kind::any_decimal;
        word();
        expect(",");
        word();
      }
      expect(")");
      return result;
    }
    result.type = simple(name);
    if (result.type == nullptr) {
      const bool capital = !name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0;
      if (!capital) fail("`" + name + "` is not a type");
      result.kind = TypePattern::Kind::variable;
      result.name = name;
    }
    return result;
  }

  static TypeRef simple(std::string_view name) {
    if (name == "bool") return types::boolean();
    if (name == "int") return types::integer();
    if (name == "float") return types::floating();
    if (name == "string") return types::string();
    if (name == "bytes") return types::bytes();
    if (name == "timestamp") return types::timestamp();
    if (name == "duration") return types::duration();
    return nullptr;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> error_;
};

}  // namespace

std::expected<Signature, std::string> parse_signature(std::string_view line) {
  return Reader(line).read();
}

std::string to_string(const TypePattern& pattern) {
  switch (pattern.kind) {
    case TypePattern::Kind::concrete:
      return types::to_string(pattern.type);
    case TypePattern::Kind::any_decimal:
      return "decimal";
    case TypePattern::Kind::variable:
      return pattern.name;
    case TypePattern::Kind::list:
      return "list<" + to_string(pattern.args[0]) + ">";
    case TypePattern::Kind::map:
      return "map<string, " + to_string(pattern.args[0]) + ">";
    case TypePattern::Kind::optional:
      return to_string(pattern.args[0]) + "?";
    case TypePattern::Kind::function: {
      std::string text = "(";
      for (std::size_t i = 0; i + 1 < pattern.args.size(); ++i) {
        if (i > 0) text += ", ";
        text += to_string(pattern.args[i]);
      }
      return text + ") -> " + to_string(pattern.args.back());
    }
  }
  return "?";
}

std::string to_string(const Signature& signature) {
  std::string text = signature.name + "(";
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    if (i > 0) text += ", ";
    const Parameter& parameter = signature.parameters[i];
    text += parameter.name + ": " + to_string(parameter.type);
    if (!parameter.default_text.empty()) text += " = " + parameter.default_text;
  }
  return text + ") -> " + to_string(signature.result);
}

bool match(const TypePattern& pattern, const TypeRef& type, Bindings& bindings) {
  if (type->kind == types::Kind::kError) return true;
  switch (pattern.kind) {
    case TypePattern::Kind::concrete:
      return types::same(pattern.type, type);
    case TypePattern::Kind::any_decimal:
      return type->kind == types::Kind::kDecimal;
    case TypePattern::Kind::variable: {
      const auto [place, added] = bindings.emplace(pattern.name, type);
      return added || types::same(place->second, type);
    }
    case TypePattern::Kind::list:
      return type->kind == types::Kind::kList && match(pattern.args[0], type->element, bindings);
    case TypePattern::Kind::map:
      return type->kind == types::Kind::kMap && match(pattern.args[0], type->element, bindings);
    case TypePattern::Kind::optional:
      return type->kind == types::Kind::kOptional && match(pattern.args[0], type->element, bindings);
    case TypePattern::Kind::function:
      return false;
  }
  return false;
}

TypeRef substitute(const TypePattern& pattern, const Bindings& bindings) {
  switch (pattern.kind) {
    case TypePattern::Kind::concrete:
      return pattern.type;
    case TypePattern::Kind::variable: {
      const auto found = bindings.find(pattern.name);
      return found == bindings.end() ? nullptr : found->second;
    }
    case TypePattern::Kind::list:
    case TypePattern::Kind::map:
    case TypePattern::Kind::optional: {
      const TypeRef inner = substitute(pattern.args[0], bindings);
      if (inner == nullptr) return nullptr;
      if (pattern.kind == TypePattern::Kind::list) return types::list(inner);
      if (pattern.kind == TypePattern::Kind::map) return types::map(inner);
      return types::optional(inner);
    }
    case TypePattern::Kind::any_decimal:
    case TypePattern::Kind::function:
      return nullptr;
  }
  return nullptr;
}

}  // namespace weir::catalog
