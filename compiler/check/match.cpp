// match: a subject that is evaluated once, arms as nested ifs.
#include <algorithm>
#include <set>

#include "compiler/check/elaborator.h"

namespace weir::check {
namespace {

// A literal's value as text, to see that an arm repeats another.
std::string key_of(const ExprRef& literal) {
  const auto& value = literal->literal.value;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* decimal = std::get_if<flow::Int128>(&value))
    return decimal_text(*decimal, literal->type->scale);
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text;
  return "null";
}

struct Coverage {
  bool all = false;
  bool null = false;
  std::set<std::string> values;
};

}  // namespace

constexpr std::size_t max_arms = 4000;

// The arms of one match. Patterns become conditions on a local; names become locals of their arm.
class Arms {
 public:
  Arms(Context& context, ExprRef subject) : context_(context), subject_(std::move(subject)) {}

  struct Test {
    std::vector<ExprRef> conditions;  // any of them; empty: always
    bool always = false;
    bool failed = false;
    const ast::Name* binding = nullptr;
    bool null = false;                // covers null
    std::vector<std::string> values;  // literals that it covers
  };

  Test test(const ast::Pattern& pattern, Elaborator& elaborator, const Coverage& covered) {
    Test result;
    switch (pattern.kind) {
      case ast::PatternKind::error:
        result.failed = true;
        break;
      case ast::PatternKind::wildcard:
        result.always = true;
        break;
      case ast::PatternKind::name:
        result.always = true;
        result.binding = &pattern.name;
        break;
      case ast::PatternKind::literal:
        literal(pattern, elaborator, covered, result);
        break;
      case ast::PatternKind::any_of:
        for (const ast::Pattern* alternative : pattern.alternatives) {
          Test part = test(*alternative, elaborator, covered);
          result.failed |= part.failed;
          result.always |= part.always;
          result.null |= part.null;
          if (part.binding != nullptr) {
            context_.out
                .report(Code::unknown_name, alternative->span,
                        "a name in `|` would be bound in one case only")
                .label("name the whole value in an arm of its own");
            result.failed = true;
          }
          result.conditions.insert(result.conditions.end(), part.conditions.begin(), part.conditions.end());
          result.values.insert(result.values.end(), part.values.begin(), part.values.end());
        }
        break;
    }
    if (result.always) result.conditions.clear();
    return result;
  }

 private:
  void literal(const ast::Pattern& pattern, Elaborator& elaborator, const Coverage& covered, Test& result) {
    const TypeRef inner = types::strip_optional(subject_->type);
    const ExprRef value = elaborator.check(*pattern.literal, inner);
    if (is_poison(value)) {
      result.failed = true;
      return;
    }
    if (value->type->kind == Kind::kNull) {
      if (!types::is_optional(subject_->type)) {
        context_.out.report(Code::unreachable_arm, pattern.span, "the value is never absent")
            .label("never reached");
        result.conditions.push_back(make_bool(false, pattern.span));
        return;
      }
      result.null = true;
      result.values.push_back("null");
      result.conditions.push_back(make_is_null(subject_, pattern.span));
      return;
    }
    if (!is_literal(value)) {
      context_.out.report(Code::constant_expected, pattern.span, "a pattern is a literal, a name or `_`")
          .label("not a constant");
      result.failed = true;
      return;
    }
    result.values.push_back(key_of(value));
    const bool present = types::is_optional(subject_->type) && covered.null;
    const ExprRef subject = present ? make_unwrap(subject_, subject_->span) : subject_;
    // Compared like `==`, so that numbers meet in the same way.
    const ExprRef condition = elaborator.compare(Op::kEqual, subject, value, *pattern.literal,
                                                 *pattern.literal, *pattern.literal, pattern.span);
    result.failed = is_poison(condition);
    result.conditions.push_back(condition);
  }

  Context& context_;
  ExprRef subject_;
};

ExprRef Elaborator::match(const ast::MatchExpr& expr, const TypeRef& hint) {
  const ExprRef value = check(*expr.subject);
  if (is_poison(value) || value->type->kind == Kind::kNull) {
    if (!is_poison(value)) {
      report(Code::unknown_type_of_literal, expr.subject->span, "the type of this `null` is not known")
          .label("absent what?");
    }
    for (const ast::MatchArm& arm : expr.arms) {
      if (arm.pattern != nullptr && arm.pattern->kind != ast::PatternKind::name && arm.value != nullptr)
        check(*arm.value, hint);
    }
    return poison(expr.span);
  }
  // Each arm is one level of the flow.
  if (expr.arms.size() > max_arms) {
    report(Code::too_deep, expr.keyword, "this `match` has more than " + std::to_string(max_arms) + " arms");
    return poison(expr.span);
  }
  const int id = new_local();
  const ExprRef subject = make_local(id, value->type, expr.subject->span);
  const std::string path = path_of(value);

  struct Branch {
    ExprRef condition;  // null: always
    ExprRef value;
    const ast::MatchArm* arm;
  };
  std::vector<Branch> branches;
  Coverage covered;
  bool failed = false;
  Arms arms(context_, subject);
  for (const ast::MatchArm& arm : expr.arms) {
    const Arms::Test test = arms.test(*arm.pattern, *this, covered);
    failed |= test.failed;
    const bool repeated = !test.values.empty() &&
                          std::all_of(test.values.begin(), test.values.end(),
                                      [&](const std::string& v) { return covered.values.count(v) != 0; });
    if (covered.all || (repeated && !test.always)) {
      report(Code::unreachable_arm, arm.pattern->span, "this arm is never reached")
          .label("an arm above takes all its values");
    }
    ExprRef condition_value;
    if (!test.always && !test.conditions.empty())
      condition_value = make_chain(Op::kOr, test.conditions, arm.pattern->span);

    // What is known in this arm: not null if an arm above took null, or if the pattern is a value.
    std::vector<std::string> known;
    const bool present = types::is_optional(value->type) &&
                         (covered.null || (!test.always && !test.null && !test.values.empty()));
    if (present) {
      known.push_back(path_of(subject));
      if (!path.empty()) known.push_back(path);
    }
    const Assume assume(*this, known);
    const std::size_t locals = scope_.locals.size();
    int bound = -1;
    if (test.binding != nullptr) {
      bound = new_local();
      scope_.locals.push_back(
          {test.binding->text, bound, present ? types::strip_optional(value->type) : value->type});
    }
    const ExprRef bound_value = present ? make_unwrap(subject, subject->span) : subject;
    const auto with_binding = [&](ExprRef inner) {
      return bound < 0 ? inner : make_let(bound, bound_value, std::move(inner));
    };
    Facts guard_facts;
    if (arm.guard != nullptr) {
      const ExprRef guard = condition(*arm.guard, "a guard");
      failed |= is_poison(guard);
      guard_facts = facts(guard);
      const ExprRef bound_guard = is_poison(guard) ? guard : with_binding(guard);
      condition_value = condition_value == nullptr
                            ? bound_guard
                            : make(Op::kAnd, types::boolean(), arm.span, {condition_value, bound_guard});
      if (bound >= 0) {
        // The name is bound once for the guard and once for the value.
        const std::string before = "local" + std::to_string(bound);
        bound = new_local();
        scope_.locals.back().id = bound;
        for (std::string& fact : guard_facts.when_true) {
          if (fact == before || fact.starts_with(before + ".")) {
            fact = "local" + std::to_string(bound) + fact.substr(before.size());
          }
        }
      }
    }
    ExprRef result;
    {
      const Assume guarded(*this, guard_facts.when_true);
      result = check(*arm.value, hint);
    }
    scope_.locals.resize(locals);
    failed |= is_poison(result);
    if (!is_poison(result)) result = with_binding(result);
    branches.push_back({condition_value, result, &arm});

    if (arm.guard == nullptr) {
      covered.all |= test.always;
      covered.null |= test.null;
      covered.values.insert(test.values.begin(), test.values.end());
    }
    if (value->type->kind == Kind::kBool ||
        (types::is_optional(value->type) && value->type->element->kind == Kind::kBool && covered.null)) {
      covered.all |= covered.values.count("true") != 0 && covered.values.count("false") != 0;
    }
  }
  if (failed) return poison(expr.span);
  if (!covered.all) {
    std::string missing = "`_`";
    if (types::is_optional(value->type) && !covered.null) missing = "`null` and other values";
    if (types::strip_optional(value->type)->kind == Kind::kBool) {
      missing.clear();
      if (types::is_optional(value->type) && !covered.null) missing = "`null`";
      for (const char* side : {"true", "false"}) {
        if (covered.values.count(side) == 0)
          missing += (missing.empty() ? "`" : ", `") + std::string(side) + "`";
      }
    }
    report(Code::not_exhaustive, expr.keyword,
           "this `match` does not cover every value of " + types::to_string(value->type))
        .label("not covered: " + missing)
        .also(expr.subject->span, "this is " + types::to_string(value->type))
        .help("a last arm `_ => …` covers the rest");
    return poison(expr.span);
  }

  std::vector<ExprRef> values;
  for (const Branch& branch : branches) values.push_back(branch.value);
  if (hint != nullptr) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = coerce(values[i], hint, *branches[i].arm->value, "this arm");
      failed |= is_poison(values[i]);
    }
    if (failed) return poison(expr.span);
  } else if (!unify(values)) {
    auto& finding =
        report(Code::no_common_type, expr.keyword, "the arms of this `match` have different types")
            .label("one of them is the result");
    for (const Branch& branch : branches)
      finding.also(branch.arm->value->span, "this is " + types::to_string(branch.value->type));
    return poison(expr.span);
  }

  // The last arm that matters has no condition left: everything before it has failed.
  std::size_t last = branches.size();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].condition == nullptr) {
      last = i;
      break;
    }
  }
  if (last == branches.size()) last = branches.size() - 1;  // the literals cover all values
  ExprRef result = values[last];
  for (std::size_t i = last; i-- > 0;) result = make_if(branches[i].condition, values[i], result, expr.span);
  return make_let(id, value, result);
}

}  // namespace weir::check
