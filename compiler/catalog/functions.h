// The functions of the standard library by name. Immutable once made; cheap to share by reference.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/catalog/library.h"
#include "compiler/catalog/signature.h"

namespace weir::catalog {

// All overloads of one name.
struct Function {
  std::string name;
  std::string group;
  std::string path;  // of its declaration
  std::string doc;
  std::vector<std::string> examples;
  std::vector<Signature> overloads;

  bool special() const {
    return !overloads.empty() && overloads[0].implementation == Implementation::special;
  }
};

class Functions {
 public:
  // The library that this compiler was built with.
  static const Functions& library();
  // From given declarations. A line that cannot be read is left out and named in `problems`.
  explicit Functions(const std::vector<RawFunction>& table);

  // nullptr if there is none.
  const Function* find(std::string_view name) const;
  // The overload that `arguments` fit without conversion, nullptr if none does. Lambdas are not compared.
  const Signature* overload(std::string_view name, const std::vector<TypeRef>& arguments) const;
  const std::map<std::string, Function, std::less<>>& all() const { return functions_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::map<std::string, Function, std::less<>> functions_;
  std::vector<std::string> problems_;
};

}  // namespace weir::catalog
