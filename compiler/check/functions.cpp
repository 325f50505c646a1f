#include "compiler/check/functions.h"

#include <algorithm>

#include "compiler/check/context.h"
#include "compiler/check/elaborator.h"

namespace weir::check {

const FunctionTable::Head& FunctionTable::head(const ast::FnDecl& decl) {
  if (const auto found = heads_.find(&decl); found != heads_.end()) return found->second;
  Head head;
  std::map<std::string, Span> names;
  for (const ast::FnParam& param : decl.params) {
    head.parameters.push_back(param.type == nullptr ? types::error() : context_.types.resolve(*param.type));
    const auto [place, added] = names.emplace(param.name.text, param.name.span);
    if (!added) {
      context_.out
          .report(Code::duplicate_field, param.name.span,
                  "two parameters are called `" + param.name.text + "`")
          .label("again here")
          .also(place->second, "first here");
    }
  }
  head.result = decl.result == nullptr ? types::error() : context_.types.resolve(*decl.result);
  return heads_.emplace(&decl, std::move(head)).first->second;
}

int FunctionTable::request(const ast::FnDecl& decl, const TypeBindings& variables, source::Span call) {
  std::string instance;
  for (const auto& [name, type] : variables) instance += name + "=" + types::to_string(type) + ";";
  const auto key = std::make_pair(&decl, instance);
  if (const auto found = done_.find(key); found != done_.end()) return found->second;
  const bool inside =
      std::any_of(active_.begin(), active_.end(), [&](const Active& step) { return step.decl == &decl; });
  if (inside) {
    report_cycle(decl, call);
    return -1;
  }

  flow::Function function;
  function.name = decl.name.text;
  function.span = decl.span;
  if (variables.empty()) {
    const Head& known = head(decl);
    function.parameter_types = known.parameters;
    function.result = known.result;
  } else {
    for (const ast::FnParam& param : decl.params) {
      function.parameter_types.push_back(context_.types.resolve(*param.type, variables));
    }
    function.result = context_.types.resolve(*decl.result, variables);
  }

  Scope scope;
  for (std::size_t i = 0; i < decl.params.size(); ++i) {
    function.parameter_names.push_back(decl.params[i].name.text);
    scope.locals.push_back({decl.params[i].name.text, static_cast<int>(i), function.parameter_types[i]});
  }
  active_.push_back({&decl, call});
  Elaborator elaborator(context_, std::move(scope));
  elaborator.use_types(variables);
  function.body =
      decl.body == nullptr
          ? poison(decl.span)
          : elaborator.check_as(*decl.body, function.result, "the result of `" + decl.name.text + "`",
                                decl.result == nullptr ? Span{} : decl.result->span);
  active_.pop_back();

  int index = -1;
  if (!is_poison(function.body) && !is_poison(function.result)) {
    index = static_cast<int>(functions_.size());
    functions_.push_back(std::move(function));
  }
  done_[key] = index;
  return index;
}

void FunctionTable::report_cycle(const ast::FnDecl& decl, source::Span call) {
  const auto from =
      std::find_if(active_.begin(), active_.end(), [&](const Active& step) { return step.decl == &decl; });
  std::string cycle;
  for (auto step = from; step != active_.end(); ++step) cycle += step->decl->name.text + " -> ";
  cycle += decl.name.text;
  auto& finding =
      context_.out
          .report(Code::recursive_function, call, "the function `" + decl.name.text + "` calls itself")
          .label(from + 1 == active_.end() ? "here it calls itself" : "here the circle closes: " + cycle);
  for (auto step = from + 1; step < active_.end(); ++step) {
    finding.also(step->call, "`" + (step - 1)->decl->name.text + "` calls `" + step->decl->name.text + "`");
  }
  finding.also(decl.name.span, "`" + decl.name.text + "` is declared here")
      .note("functions are unfolded where they are called, so that every record takes a bounded time");
}

void FunctionTable::check_all() {
  for (const ast::FnDecl* decl : context_.symbols.function_order) {
    if (!decl->type_params.empty()) {
      context_.unsupported(decl->type_params[0].span, "a type parameter outside the standard library",
                           "write a function for each type that it is called with");
      continue;
    }
    if (!decl->broken) request(*decl, {}, decl->name.span);
  }
  for (const auto& [name, decl] : context_.symbols.functions) {
    if (decl->kind == ast::DeclKind::extern_fn) {
      context_.unsupported(decl->keyword, "`extern fn`",
                           "write it as a `fn`, or do it before or after the program");
    }
  }
}

}  // namespace weir::check
