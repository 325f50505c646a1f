// Types in the text form. Declared records are written by name, their fields once at the top of the text.
#pragma once

#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::flow::text {

class TypePrinter {
 public:
  // Notes the declared records in `type`, inner ones first. Two that share a name and differ get a number.
  void declare(const TypeRef& type);

  // Complete: codecs, wire names, names of records.
  std::string print(const TypeRef& type) const;

  // "type Order = { … }" lines, in order of first use.
  std::string declarations() const;

 private:
  struct Declared {
    TypeRef type;
    std::string label;
  };

  const Declared* find(const types::Type& type) const;
  std::string fields(const types::Type& type) const;

  std::vector<Declared> declared_;
};

}  // namespace weir::flow::text
