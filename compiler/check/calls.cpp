// Calls: of the program's functions, of the library's, of functions with rules of their own.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "compiler/check/elaborator.h"
#include "compiler/check/special.h"

namespace weir::check {
namespace {

bool is_aggregate(const std::string& name) {
  static const std::vector<std::string> names = {
      "count",   "sum",     "avg",     "count_distinct", "approx_distinct", "first",   "last",
      "arg_min", "arg_max", "collect", "string_agg",     "variance",        "quantile"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A default as it stands in a signature.
ExprRef default_value(const std::string& text, Span span) {
  if (text == "true" || text == "false") return make_bool(text == "true", span);
  if (text.size() >= 2 && text.front() == '"') return make_string(text.substr(1, text.size() - 2), span);
  return make_int(std::strtoll(text.c_str(), nullptr, 10), span);
}

// The type of a lambda's result or parameters may hold variables that are bound by then.
TypeRef bound(const catalog::TypePattern& pattern, const catalog::Bindings& bindings) {
  if (pattern.kind == catalog::TypePattern::Kind::any_decimal) {
    const auto found = bindings.find("decimal");
    return found == bindings.end() ? nullptr : found->second;
  }
  return catalog::substitute(pattern, bindings);
}

bool is_function(const catalog::Parameter& parameter) {
  return parameter.type.kind == catalog::TypePattern::Kind::function;
}

}  // namespace

ExprRef Elaborator::call(const ast::CallExpr& expr) {
  if (expr.optional) return optional_call(expr);
  const std::string& name = expr.function.text;
  if (const auto found = context_.symbols.functions.find(name); found != context_.symbols.functions.end()) {
    if (const auto* decl = ast::try_as<ast::FnDecl>(found->second)) return call_declared(*decl, expr);
    for (const ast::Arg& arg : expr.args) {
      if (arg.value != nullptr && arg.value->kind != ast::ExprKind::lambda) check(*arg.value);
    }
    return poison(expr.span);  // `extern fn` has been reported
  }
  const catalog::Function* function = context_.library.find(name);
  const bool minimum = (name == "min" || name == "max") && expr.args.size() == 1;
  if (is_aggregate(name) && function == nullptr ? true : minimum) {
    report(Code::misplaced_aggregate, expr.span, "`" + name + "` takes many rows, an expression sees one")
        .label("an aggregate")
        .help("aggregates stand in `|> aggregate x = " + name + "(…) by k over tumbling(1m)`");
    return poison(expr.span);
  }
  if (is_special(name)) return call_special(expr);
  if (function != nullptr) {
    if (function->special() && takes_literals(name)) return call_compiled(*function, expr);
    if (function->special()) {
      context_.unsupported(expr.function.span, "the function `" + name + "`", "leave it out");
      return poison(expr.span);
    }
    return call_library(*function, expr);
  }
  if (name == "secret") {
    context_.unsupported(expr.function.span, "`secret`",
                         "the connectors of this version need no credentials");
    return poison(expr.span);
  }
  if (const auto found = context_.symbols.prelude.find(name); found != context_.symbols.prelude.end()) {
    return call_declared(*found->second, expr);
  }
  return unknown_function(expr);
}

ExprRef Elaborator::optional_call(const ast::CallExpr& expr) {
  // x?.f(y): a local takes the receiver's place.
  const ast::Expr& receiver = *expr.args[0].value;
  const ExprRef object = check(receiver);
  if (is_poison(object) || object->type->kind == Kind::kNull) return object;
  const int id = new_local();
  const ExprRef outer = make_local(id, object->type, receiver.span);
  const int inner_id = new_local();
  const std::string name = "receiver of `?.`";  // no name in a script has spaces without backticks
  scope_.locals.push_back({name, inner_id, types::strip_optional(object->type)});
  ast::NameExpr stand_in;
  stand_in.span = receiver.span;
  stand_in.name = name;
  ast::CallExpr inner = expr;
  inner.optional = false;
  inner.args[0].value = &stand_in;
  const ExprRef value = check(inner);
  scope_.locals.pop_back();
  if (is_poison(value)) return value;
  if (!types::is_optional(object->type)) {
    report(Code::never_absent, receiver.span, "`?.` after a value that is never absent")
        .label("this is " + types::to_string(object->type));
    return make_let(inner_id, object, value);
  }
  const TypeRef type = types::optional(value->type);
  const ExprRef present = make_convert(make_let(inner_id, make_unwrap(outer, receiver.span), value), type);
  return make_let(id, object,
                  make_if(make_is_null(outer, expr.span), make_null(type, expr.span), present, expr.span));
}

ExprRef Elaborator::unknown_function(const ast::CallExpr& expr) {
  for (const ast::Arg& arg : expr.args) {
    if (arg.value != nullptr && arg.value->kind != ast::ExprKind::lambda) check(*arg.value);
  }
  const std::string& name = expr.function.text;
  auto& finding = report(Code::unknown_function, expr.function.span, "no function is called `" + name + "`")
                      .label("not declared");
  static const std::map<std::string, std::string> foreign = {
      {"coalesce", "??"},          {"ifnull", "??"},       {"nvl", "??"},
      {"uppercase", "upper"},      {"lowercase", "lower"}, {"to_string", "to_text"},
      {"str", "to_text"},          {"string", "to_text"},  {"int", "to_int"},
      {"float", "to_float"},       {"len", "length"},      {"size", "length"},
      {"substr", "substring"},     {"strip", "trim"},      {"decimal", "to_decimal"},
      {"current_timestamp", "now"}};
  if (const auto found = foreign.find(name); found != foreign.end()) {
    if (found->second == "??" && expr.args.size() == 2) {
      finding.suggest("Weir has an operator for it", expr.span,
                      operand_text(*expr.args[0].value) + " ?? " + operand_text(*expr.args[1].value));
      return poison(expr.span);
    }
    if (context_.library.find(found->second) != nullptr || is_special(found->second)) {
      finding.suggest("Weir calls it `" + found->second + "`", expr.function.span, found->second);
      return poison(expr.span);
    }
  }
  std::vector<std::string> candidates;
  for (const auto& [known, decl] : context_.symbols.functions) candidates.push_back(known);
  for (const auto& [known, decl] : context_.symbols.prelude) candidates.push_back(known);
  for (const auto& [known, function] : context_.library.all()) candidates.push_back(known);
  for (const std::string& known : special_names()) candidates.push_back(known);
  resolve::did_you_mean(finding, expr.function.span, name, candidates);
  return poison(expr.span);
}

std::optional<std::vector<const ast::Expr*>> Elaborator::arrange(const ast::CallExpr& expr,
                                                                 const std::vector<std::string>& names,
                                                                 std::size_t required,
                                                                 const std::string& signature) {
  std::vector<const ast::Expr*> result(names.size(), nullptr);
  std::size_t next = 0;
  for (const ast::Arg& arg : expr.args) {
    std::size_t place = next;
    if (arg.name) {
      const auto found = std::find(names.begin(), names.end(), arg.name->text);
      if (found == names.end()) {
        auto& finding = report(Code::wrong_arguments, arg.name->span,
                               "`" + expr.function.text + "` has no parameter `" + arg.name->text + "`")
                            .label("unknown")
                            .help("it is " + signature);
        resolve::did_you_mean(finding, arg.name->span, arg.name->text, names);
        return std::nullopt;
      }
      place = static_cast<std::size_t>(found - names.begin());
    } else {
      ++next;
    }
    if (place >= names.size()) {
      report(Code::wrong_arguments, arg.span,
             "`" + expr.function.text + "` takes " + std::to_string(names.size()) +
                 (names.size() == 1 ? " argument" : " arguments"))
          .label("one too many")
          .help("it is " + signature);
      return std::nullopt;
    }
    if (result[place] != nullptr) {
      report(Code::wrong_arguments, arg.span, "the argument `" + names[place] + "` is given twice")
          .label("again here")
          .also(result[place]->span, "first here");
      return std::nullopt;
    }
    result[place] = arg.value;
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (result[i] != nullptr) continue;
    report(Code::wrong_arguments, expr.span,
           "`" + expr.function.text + "` needs its argument `" + names[i] + "`")
        .label("missing here")
        .help("it is " + signature);
    return std::nullopt;
  }
  return result;
}

ExprRef Elaborator::call_declared(const ast::FnDecl& decl, const ast::CallExpr& expr) {
  std::vector<std::string> names;
  std::string signature = "`" + decl.name.text + "(";
  for (const ast::FnParam& param : decl.params) {
    if (!names.empty()) signature += ", ";
    names.push_back(param.name.text);
    signature += param.name.text + ": " + (param.type == nullptr ? "?" : context_.raw(param.type->span));
  }
  signature += ")`";
  const auto arranged = arrange(expr, names, names.size(), signature);
  if (!arranged) {
    for (const ast::Arg& arg : expr.args) {
      if (arg.value != nullptr && arg.value->kind != ast::ExprKind::lambda) check(*arg.value);
    }
    return poison(expr.span);
  }
  const bool generic = !decl.type_params.empty();
  TypeBindings variables;
  std::vector<ExprRef> args(names.size());
  bool failed = false;
  if (generic) {
    // The variables are what the arguments say, in order of the parameters.
    for (std::size_t i = 0; i < names.size(); ++i) {
      args[i] = check(*(*arranged)[i]);
      failed |= is_poison(args[i]);
    }
    if (failed) return poison(expr.span);
    for (std::size_t i = 0; i < names.size(); ++i)
      bind_type_params(decl, *decl.params[i].type, args[i]->type, variables);
    for (const ast::Name& variable : decl.type_params) {
      if (variables.count(variable.text) == 0) {
        report(Code::wrong_arguments, expr.span, "the arguments do not say what `" + variable.text + "` is")
            .label("it is " + signature);
        return poison(expr.span);
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      args[i] = coerce(args[i], context_.types.resolve(*decl.params[i].type, variables), *(*arranged)[i],
                       "the argument `" + names[i] + "` of `" + decl.name.text + "`");
      failed |= is_poison(args[i]);
    }
  } else {
    // By value: the table may grow while arguments are checked.
    const std::vector<TypeRef> parameters = context_.functions.head(decl).parameters;
    for (std::size_t i = 0; i < names.size(); ++i) {
      args[i] = check_as(*(*arranged)[i], parameters[i],
                         "the argument `" + names[i] + "` of `" + decl.name.text + "`",
                         decl.params[i].type == nullptr ? Span{} : decl.params[i].type->span);
      failed |= is_poison(args[i]);
    }
  }
  const int index = context_.functions.request(decl, variables, expr.span);
  if (failed || index < 0) return poison(expr.span);
  // Arguments are evaluated in the written order, which named ones may change.
  std::vector<std::pair<int, ExprRef>> lets;
  const ast::Expr* before = nullptr;
  bool in_order = true;
  for (const ast::Expr* argument : *arranged) {
    if (before != nullptr && argument->span.offset < before->span.offset) in_order = false;
    before = argument;
  }
  if (!in_order) {
    for (const ast::Arg& arg : expr.args) {
      const auto place = static_cast<std::size_t>(std::find(arranged->begin(), arranged->end(), arg.value) -
                                                  arranged->begin());
      if (place >= args.size() || !flow::fallible(*args[place])) continue;
      const int id = new_local();
      const TypeRef type = args[place]->type;
      lets.emplace_back(id, args[place]);
      args[place] = make_local(id, type, arg.span);
    }
  }
  auto result = node(Op::kCallFunction, context_.functions.at(index).result, expr, std::move(args));
  result->index = index;
  ExprRef value = result;
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) value = make_let(let->first, let->second, value);
  return value;
}

void Elaborator::bind_type_params(const ast::FnDecl& decl, const ast::TypeExpr& type, const TypeRef& actual,
                                  TypeBindings& variables) {
  if (const auto* optional = ast::try_as<ast::OptionalType>(&type)) {
    bind_type_params(decl, *optional->inner, types::strip_optional(actual), variables);
    return;
  }
  const auto* named = ast::try_as<ast::NamedType>(&type);
  if (named == nullptr) return;
  const bool variable = std::any_of(decl.type_params.begin(), decl.type_params.end(),
                                    [&](const ast::Name& n) { return n.text == named->name.text; });
  if (variable) {
    const auto [place, added] = variables.emplace(named->name.text, actual);
    if (!added) {
      if (const TypeRef common = common_type(place->second, actual)) place->second = common;
    }
    return;
  }
  if (named->name.text == "list" && named->type_args.size() == 1 && actual->kind == Kind::kList) {
    bind_type_params(decl, *named->type_args[0], actual->element, variables);
  }
  if (named->name.text == "map" && named->type_args.size() == 2 && actual->kind == Kind::kMap) {
    bind_type_params(decl, *named->type_args[1], actual->element, variables);
  }
}

ExprRef Elaborator::lambda(const ast::LambdaExpr& expr, const std::vector<TypeRef>& parameters,
                           const TypeRef& result, const std::string& what) {
  if (expr.params.size() != parameters.size()) {
    report(Code::wrong_arguments, expr.span,
           what + " takes " + std::to_string(parameters.size()) +
               (parameters.size() == 1 ? " parameter" : " parameters"))
        .label("this has " + std::to_string(expr.params.size()));
    return poison(expr.span);
  }
  std::vector<int> ids;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ids.push_back(new_local());
    scope_.locals.push_back({expr.params[i].text, ids.back(), parameters[i]});
  }
  const ExprRef body =
      result == nullptr ? check(*expr.body) : check_as(*expr.body, result, "the result of " + what);
  scope_.locals.resize(scope_.locals.size() - parameters.size());
  if (is_poison(body)) return body;
  auto made = node(Op::kLambda, body->type, expr, {body});
  made->locals = ids;
  made->local_types = parameters;
  return made;
}

ExprRef Elaborator::native(const catalog::Signature& signature, std::vector<ExprRef> args, TypeRef result,
                           const ast::Expr& at) {
  auto made = node(Op::kCall, std::move(result), at, std::move(args));
  made->name = signature.name;
  made->can_fail = !signature.fails.empty();
  return made;
}

ExprRef Elaborator::call_library(const catalog::Function& function, const ast::CallExpr& expr) {
  // Overloads that take this number of arguments, by these names.
  struct Candidate {
    const catalog::Signature* signature;
    std::vector<const ast::Expr*> args;
  };
  std::vector<Candidate> candidates;
  for (const catalog::Signature& signature : function.overloads) {
    std::vector<const ast::Expr*> args(signature.parameters.size(), nullptr);
    std::size_t next = 0;
    bool fits = true;
    for (const ast::Arg& arg : expr.args) {
      std::size_t place = next;
      if (arg.name) {
        place = 0;
        while (place < args.size() && signature.parameters[place].name != arg.name->text) ++place;
      } else {
        ++next;
      }
      fits = fits && place < args.size() && args[place] == nullptr;
      if (fits) args[place] = arg.value;
    }
    for (std::size_t i = 0; i < args.size() && fits; ++i) {
      fits = args[i] != nullptr
                 ? (args[i]->kind == ast::ExprKind::lambda) == is_function(signature.parameters[i])
                 : !signature.parameters[i].default_text.empty();
    }
    if (fits) candidates.push_back({&signature, std::move(args)});
  }
  const auto signatures = [&] {
    std::string text;
    for (const catalog::Signature& signature : function.overloads)
      text += (text.empty() ? "`" : ", `") + catalog::to_string(signature) + "`";
    return text;
  };
  if (candidates.empty()) {
    if (function.overloads.size() == 1) {
      std::vector<std::string> names;
      std::size_t required = 0;
      for (const catalog::Parameter& parameter : function.overloads[0].parameters) {
        names.push_back(parameter.name);
        if (parameter.default_text.empty()) required = names.size();
      }
      const std::size_t reported = context_.out.size();
      const auto arranged = arrange(expr, names, required, signatures());
      if (arranged && context_.out.size() == reported) {
        // A lambda where a value is needed, or the other way round.
        for (std::size_t i = 0; i < names.size(); ++i) {
          const ast::Expr* arg = (*arranged)[i];
          if (arg == nullptr ||
              (arg->kind == ast::ExprKind::lambda) == is_function(function.overloads[0].parameters[i]))
            continue;
          const bool lambda_given = arg->kind == ast::ExprKind::lambda;
          report(Code::wrong_arguments, arg->span,
                 "the argument `" + names[i] + "` of `" + function.name + "` is " +
                     (lambda_given ? "a value" : "a function"))
              .label(lambda_given ? "a lambda stands here" : "write a lambda: `x => …`")
              .help("it is " + signatures());
        }
      }
    } else {
      report(Code::wrong_arguments, expr.span, "these arguments fit no form of `" + function.name + "`")
          .label("see its forms below")
          .help("there are " + signatures());
    }
    return poison(expr.span);
  }

  // Values first, once; lambdas when the types of their parameters are known.
  std::map<const ast::Expr*, ExprRef> values;
  bool failed = false;
  for (const ast::Arg& arg : expr.args) {
    if (arg.value == nullptr || arg.value->kind == ast::ExprKind::lambda) continue;
    TypeRef hint;
    if (candidates.size() == 1) {
      const auto& args = candidates[0].args;
      const auto place =
          static_cast<std::size_t>(std::find(args.begin(), args.end(), arg.value) - args.begin());
      const catalog::TypePattern& pattern = candidates[0].signature->parameters[place].type;
      if (pattern.kind == catalog::TypePattern::Kind::concrete) hint = pattern.type;
    }
    const ExprRef value = check(*arg.value, hint);
    failed |= is_poison(value);
    values[arg.value] = value;
  }
  if (failed) return poison(expr.span);

  struct Fit {
    const Candidate* candidate = nullptr;
    std::vector<ExprRef> args;
    catalog::Bindings bindings;
    std::size_t conversions = 0;
    std::size_t wrong = 0;  // the argument that does not fit
    bool ok = false;
  };
  const auto try_fit = [&](const Candidate& candidate) {
    Fit fit;
    fit.candidate = &candidate;
    fit.args.resize(candidate.args.size());
    for (std::size_t i = 0; i < candidate.args.size(); ++i) {
      const catalog::Parameter& parameter = candidate.signature->parameters[i];
      fit.wrong = i;
      if (is_function(parameter)) continue;
      ExprRef value = candidate.args[i] == nullptr ? default_value(parameter.default_text, expr.span)
                                                   : values[candidate.args[i]];
      if (parameter.type.kind == catalog::TypePattern::Kind::any_decimal) {
        if (value->type->kind == Kind::kInt && is_literal(value)) {
          const std::int64_t number = std::get<std::int64_t>(value->literal.value);
          value = make_decimal(number, types::decimal(digit_count(number), 0), value->span);
          ++fit.conversions;
        }
        if (value->type->kind != Kind::kDecimal) return fit;
        const auto [place, added] = fit.bindings.emplace("decimal", value->type);
        if (!added && !types::same(place->second, value->type)) {
          value = convert(value, place->second);
          if (value == nullptr) return fit;
          ++fit.conversions;
        }
        fit.args[i] = value;
        continue;
      }
      catalog::Bindings attempt = fit.bindings;
      const bool empty_list = value->type->kind == Kind::kList && value->type->element->kind == Kind::kNull;
      if (value->type->kind != Kind::kNull && !empty_list &&
          catalog::match(parameter.type, value->type, attempt)) {
        fit.bindings = attempt;
      } else {
        // T? takes T; literals adapt.
        if (parameter.type.kind == catalog::TypePattern::Kind::optional && value->type->kind != Kind::kNull) {
          attempt = fit.bindings;
          if (catalog::match(parameter.type.args[0], types::strip_optional(value->type), attempt))
            fit.bindings = attempt;
        }
        const TypeRef target = bound(parameter.type, fit.bindings);
        value = target == nullptr ? nullptr : convert(value, target);
        if (value == nullptr) return fit;
        ++fit.conversions;
      }
      fit.args[i] = value;
    }
    fit.ok = true;
    return fit;
  };
  Fit best;
  for (const Candidate& candidate : candidates) {
    Fit fit = try_fit(candidate);
    if (fit.ok && (!best.ok || fit.conversions < best.conversions)) best = std::move(fit);
  }
  if (!best.ok) {
    // An argument that may be absent, with a form that takes it when present: that is the mistake.
    for (const Candidate& candidate : candidates) {
      for (std::size_t i = 0; i < candidate.args.size(); ++i) {
        const ast::Expr* arg = candidate.args[i];
        if (arg == nullptr || values.count(arg) == 0 || !types::is_optional(values[arg]->type)) continue;
        const ExprRef kept = values[arg];
        values[arg] = make_unwrap(kept, kept->span);
        const bool would_fit = try_fit(candidate).ok;
        values[arg] = kept;
        if (would_fit)
          return report_absent(
              kept, *arg,
              "the argument `" + candidate.signature->parameters[i].name + "` of `" + function.name + "`");
      }
    }
    if (candidates.size() == 1) {
      const Fit fit = try_fit(candidates[0]);
      const catalog::Parameter& parameter = candidates[0].signature->parameters[fit.wrong];
      const ast::Expr* arg = candidates[0].args[fit.wrong];
      const TypeRef target = bound(parameter.type, fit.bindings);
      const std::string what = "the argument `" + parameter.name + "` of `" + function.name + "`";
      if (arg != nullptr && target != nullptr) return coerce(values[arg], target, *arg, what);
      report(Code::wrong_type, arg == nullptr ? expr.span : arg->span,
             what + " must be " + catalog::to_string(parameter.type))
          .label("this is " + types::to_string(arg == nullptr ? types::error() : values[arg]->type))
          .help("it is " + signatures());
      return poison(expr.span);
    }
    auto& finding = report(Code::wrong_arguments, expr.function.span,
                           "these arguments fit no form of `" + function.name + "`")
                        .label("no form takes these types");
    for (const ast::Arg& arg : expr.args) {
      if (values.count(arg.value) != 0)
        finding.also(arg.span, "this is " + types::to_string(values[arg.value]->type));
    }
    finding.help("there are " + signatures());
    return poison(expr.span);
  }

  const catalog::Signature& signature = *best.candidate->signature;
  for (std::size_t i = 0; i < best.args.size(); ++i) {
    const catalog::Parameter& parameter = signature.parameters[i];
    if (!is_function(parameter)) continue;
    std::vector<TypeRef> parameters;
    for (std::size_t p = 0; p + 1 < parameter.type.args.size(); ++p) {
      const TypeRef type = bound(parameter.type.args[p], best.bindings);
      parameters.push_back(type == nullptr ? types::error() : type);
    }
    const TypeRef wanted = bound(parameter.type.args.back(), best.bindings);
    const ExprRef made = lambda(ast::as<ast::LambdaExpr>(*best.candidate->args[i]), parameters, wanted,
                                "the argument `" + parameter.name + "` of `" + function.name + "`");
    if (is_poison(made)) return poison(expr.span);
    catalog::match(parameter.type.args.back(), made->type, best.bindings);
    best.args[i] = made;
  }
  TypeRef result = bound(signature.result, best.bindings);
  if ((function.name == "ceil" || function.name == "floor") && result != nullptr &&
      result->kind == Kind::kDecimal && result->scale > 0) {
    result = types::decimal(result->precision - result->scale + 1, 0);  // room for the carry
  }
  if (result == nullptr) {
    report(Code::unknown_type_of_literal, expr.span, "the arguments do not say what the result is")
        .label("its type is not known")
        .help("it is `" + catalog::to_string(signature) + "`");
    return poison(expr.span);
  }
  return native(signature, std::move(best.args), result, expr);
}

}  // namespace weir::check
