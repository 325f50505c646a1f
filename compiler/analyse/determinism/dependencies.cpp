#include "compiler/analyse/determinism/dependencies.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::analyse {

using flow::Expr;
using flow::Op;

namespace {

// A function has at most this many origins in its summary: more would not make a better message.
constexpr std::size_t kMaxOrigins = 64;

constexpr std::array<Effect, 7> kEffects = {Effect::clock, Effect::random, Effect::external, Effect::order,
                                            Effect::host,  Effect::pinned, Effect::opaque};

bool same_place(const Origin& a, const Origin& b) {
  return a.call == b.call && a.effect == b.effect;
}

void add(std::vector<Origin>& list, Origin origin) {
  if (list.size() >= kMaxOrigins) return;
  if (std::any_of(list.begin(), list.end(), [&](const Origin& o) { return same_place(o, origin); })) return;
  list.push_back(std::move(origin));
}

}  // namespace

DependencyFinder::DependencyFinder(const flow::Program& program, EffectsOf effects_of)
    : effects_of_(std::move(effects_of)) {
  for (const flow::Function& function : program.functions) {
    functions_.push_back(find(*function.body).origins);
  }
}

Dependencies DependencyFinder::find(const Expr& expr) const {
  Dependencies out;
  visit(expr, true, out);
  return out;
}

void DependencyFinder::add_call(const Expr& call, bool in_scope, Dependencies& out) const {
  const auto index = static_cast<std::size_t>(call.index);
  if (index >= functions_.size()) return;
  for (Origin origin : functions_[index]) {
    origin.through.push_back(&call);
    origin.in_scope = in_scope;
    add(out.origins, std::move(origin));
  }
}

void DependencyFinder::visit(const Expr& expr, bool in_scope, Dependencies& out) const {
  if (expr.op == Op::kCapture) {
    captured_.push_back(expr.name);
    return;
  }
  const Effects effects = own_effects(expr, effects_of_);
  for (Effect effect : kEffects) {
    if (has(effects, effect)) add(out.origins, {&expr, effect, {}, in_scope});
  }
  if (expr.op == Op::kField && expr.args[0]->op == Op::kMeta) return;
  if (expr.op == Op::kField && expr.args[0]->op == Op::kRow) {
    out.columns.insert(expr.index);
    return;
  }
  if (expr.op == Op::kRow) out.whole_row = true;
  if (expr.op == Op::kLet) {
    visit(*expr.args[0], in_scope, out);
    return visit(*expr.args[1], false, out);
  }
  if (expr.op == Op::kLambda) in_scope = false;
  for (const flow::ExprRef& arg : expr.args) visit(*arg, in_scope, out);
  if (expr.op == Op::kCallFunction) add_call(expr, in_scope, out);
}

std::string name_of(const Origin& origin) {
  const Expr& call = *origin.call;
  if (call.op == Op::kCall) return call.name + (call.args.empty() ? "()" : "(…)");
  return call.op == Op::kField ? "meta.received" : "meta";
}

}  // namespace weir::analyse
