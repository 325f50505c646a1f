#include "compiler/catalog/functions.h"

#include <utility>

namespace weir::catalog {

const Functions& Functions::library() {
  static const Functions table(raw_functions());
  return table;
}

Functions::Functions(const std::vector<RawFunction>& table) {
  for (const RawFunction& raw : table) {
    for (const std::string& line : raw.signatures) {
      auto signature = parse_signature(line);
      if (!signature.has_value()) {
        problems_.push_back(raw.path + ": " + signature.error());
        continue;
      }
      Function& function = functions_[signature->name];
      if (function.name.empty()) {
        function.name = signature->name;
        function.group = raw.group;
        function.path = raw.path;
        function.doc = raw.doc;
        function.examples = raw.examples;
      }
      function.overloads.push_back(std::move(*signature));
    }
  }
}

const Function* Functions::find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

const Signature* Functions::overload(std::string_view name, const std::vector<TypeRef>& arguments) const {
  const Function* function = find(name);
  if (function == nullptr) return nullptr;
  for (const Signature& signature : function->overloads) {
    if (signature.parameters.size() != arguments.size()) continue;
    Bindings bindings;
    bool fits = true;
    for (std::size_t i = 0; i < arguments.size() && fits; ++i) {
      const TypePattern& pattern = signature.parameters[i].type;
      fits = pattern.kind == TypePattern::Kind::function || match(pattern, arguments[i], bindings);
    }
    if (fits) return &signature;
  }
  return nullptr;
}

}  // namespace weir::catalog
