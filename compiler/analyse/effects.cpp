#include "compiler/analyse/effects.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compiler/catalog/functions.h"

namespace weir::analyse {
namespace {

constexpr std::array<std::string_view, 4> kReadsHost = {"env", "hostname", "parallelism", "locale"};

// A function that carries `host` and is not in the list above gives the same everywhere on one kind of machine.
Effects effects_of_words(const std::string& name, const std::vector<std::string>& words) {
  Effects out = 0;
  for (const std::string& effect : words) {
    if (effect == "pure") continue;
    if (effect == "clock") {
      out |= set_of(Effect::clock);
    } else if (effect == "random") {
      out |= set_of(Effect::random);
    } else if (effect == "external") {
      out |= set_of(Effect::external);
    } else if (effect == "order") {
      out |= set_of(Effect::order);
    } else if (effect == "host") {
      const bool reads = std::find(kReadsHost.begin(), kReadsHost.end(), name) != kReadsHost.end();
      out |= set_of(reads ? Effect::host : Effect::pinned);
    } else {
      out |= set_of(Effect::opaque);
    }
  }
  return out;
}

Effects library_effect(const flow::Expr& call) {
  const catalog::Functions& library = catalog::Functions::library();
  std::vector<types::TypeRef> arguments;
  for (const flow::ExprRef& arg : call.args) arguments.push_back(arg->type);
  if (const catalog::Signature* overload = library.overload(call.name, arguments)) {
    return effects_of_words(call.name, overload->effects);
  }
  // Lambdas and functions with rules of their own match no signature: all overloads together.
  const catalog::Function* function = library.find(call.name);
  if (function == nullptr) return set_of(Effect::opaque);
  Effects out = 0;
  for (const catalog::Signature& overload : function->overloads) {
    out |= effects_of_words(call.name, overload.effects);
  }
  return out;
}

}  // namespace

EffectsOf library_effects() {
  return library_effect;
}

Effects own_effects(const flow::Expr& expr, const EffectsOf& effects_of) {
  if (expr.op == flow::Op::kCall) return effects_of(expr);
  if (expr.op == flow::Op::kField && expr.args[0]->op == flow::Op::kMeta) {
    const auto& fields = expr.args[0]->type->fields;
    const auto index = static_cast<std::size_t>(expr.index);
    return index < fields.size() && fields[index].name == "received" ? set_of(Effect::clock) : Effects(0);
  }
  return expr.op == flow::Op::kMeta ? set_of(Effect::clock) : Effects(0);
}

std::string_view describe(Effect effect) {
  switch (effect) {
    case Effect::clock:
      return "the clock";
    case Effect::random:
      return "chance";
    case Effect::external:
      return "something outside";
    case Effect::order:
      return "the order in which records arrive";
    case Effect::host:
      return "where the program runs";
    case Effect::pinned:
      return "the kind of machine";
    case Effect::opaque:
      return "what is not known";
  }
  return "";
}

std::string_view word(Effect effect) {
  switch (effect) {
    case Effect::clock:
      return "clock";
    case Effect::random:
      return "random";
    case Effect::external:
      return "external";
    case Effect::order:
      return "order";
    case Effect::host:
      return "host";
    case Effect::pinned:
      return "pinned";
    case Effect::opaque:
      return "opaque";
  }
  return "";
}

}  // namespace weir::analyse
