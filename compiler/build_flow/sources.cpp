// `source N: T from connector(…)` and its clauses.
#include "compiler/build_flow/builder.h"

namespace weir::build_flow {

Builder::Built Builder::build_source(const ast::SourceDecl& decl) {
  flow::Source source;
  Built built;
  if (decl.connectors.empty()) return built;
  if (decl.connectors.size() > 1) {
    context_.unsupported(decl.connectors[1].span, "`then` another connector",
                         "a `file` that is followed reads what is there and then what comes: `follow: true`");
  }
  const Options options = connector(decl.connectors[0], true);
  if (options.connector != nullptr && options.connector->name == "stdin") {
    if (stdin_reader_.is_known()) {
      out_.report(Code::second_stdin, decl.connectors[0].name.span, "two sources cannot read one `stdin`")
          .label("nothing would be left for this one, or for the other")
          .also(stdin_reader_, "read here already")
          .help("derive both streams from one source, or read a `file`");
    } else {
      stdin_reader_ = decl.connectors[0].name.span;
    }
  }
  source.declared = decl.type == nullptr ? types::error() : context_.types.resolve(*decl.type);
  if (source.declared->kind != Kind::kRecord && source.declared->kind != Kind::kError) {
    out_.report(Code::wrong_type, decl.type->span, "the rows of a source are records")
        .label("this is " + types::to_string(source.declared))
        .help("declare `type T = { … }`");
    source.declared = types::error();
  }
  if (options.connector != nullptr) {
    source.connector = options.connector->name;
    source.replayable = options.connector->replayable;
  }
  source.arguments = options.arguments;
  source.format = options.format;
  if (options.ok && source.declared->kind == Kind::kRecord) {
    check_shape(options, *source.declared, decl.name, decl.type->span, true);
  }

  Shape& shape = built.shape;
  shape.row = source.declared;
  shape.meta = true;
  shape.origin = &decl;
  source_time(decl, shape, source);
  source_identity(decl, shape, source);
  source_policies(decl, source);
  source_accepts(decl, source);
  if (decl.partitioned_by != nullptr) {
    context_.unsupported(decl.partitioned_by->span, "`partitioned by`",
                         "leave it out: rows are grouped by key wherever they come from");
  }
  if (decl.decode != nullptr) {
    context_.unsupported(decl.decode->span, "`decode`",
                         "use `format: text` or `format: regex(…)` and take the record apart in `extend`");
  }

  shape.timed = decl.time.has_value() || decl.broken;
  shape.untimed_why = "`" + decl.name.text + "` has no `time`";
  flow::Node node;
  node.stage = "decode";
  node.row = shape.row;
  node.timed = shape.timed;
  node.span = decl.span;
  node.op = std::move(source);
  built.last = add(std::move(node), decl.name.text);
  built.known = true;
  return built;
}

void Builder::report_integer_time(const ast::SourceDecl& decl, const ast::Expr& at, const TypeRef& type) {
  const bool whole = type->kind == Kind::kInt;
  auto& finding = out_.report(whole ? Code::integer_time : Code::wrong_type, at.span,
                              whole ? "an integer is no time before its unit is declared"
                                    : "the event time must be a timestamp")
                      .label("this is " + types::to_string(type));
  if (whole)
    finding.note(
        "1577836800000 is the year 2020 in milliseconds and 51,969 in seconds: a unit that is guessed from "
        "the size is wrong for some");
  const auto* name = ast::try_as<ast::NameExpr>(&at);
  if (name == nullptr) return;
  const auto found = symbols_.types.find(types::to_string(context_.types.resolve(*decl.type)));
  if (found == symbols_.types.end()) return;
  const auto* record = ast::try_as<ast::RecordTypeDecl>(found->second);
  if (record == nullptr) return;
  for (const ast::FieldDecl& field : record->fields) {
    if (field.name.text != name->name || field.type == nullptr) continue;
    finding.also(field.type->span, "declared here");
    if (whole) {
      finding.suggest("it counts seconds", field.type->span, "timestamp(\"unix_s\")")
          .suggest("it counts milliseconds", field.type->span, "timestamp(\"unix_ms\")");
    } else if (type->kind == Kind::kString) {
      finding.suggest("read it as RFC 3339", field.type->span, "timestamp");
    }
  }
}

void Builder::source_time(const ast::SourceDecl& decl, const Shape& shape, flow::Source& source) {
  if (!decl.time) {
    if (decl.on_late && decl.on_late->kind == ast::PolicyKind::to) {
      out_.report(Code::window_without_time, decl.on_late->span,
                  "nothing of a source without `time` is ever late")
          .label("has no effect")
          .help("add `time FIELD` to the source");
    }
    return;
  }
  const ast::TimeClause& time = *decl.time;
  check::Scope scope;
  scope.row = shape.row;
  scope.meta = true;
  check::Elaborator elaborator(context_, std::move(scope));
  if (time.value != nullptr) {
    const ExprRef value = elaborator.check(*time.value);
    source.time = value;
    if (!check::is_poison(value) && value->type->kind != Kind::kTimestamp) {
      if (types::is_optional(value->type) && value->type->element->kind == Kind::kTimestamp) {
        out_.report(Code::may_be_absent, time.value->span, "the event time of a record is never absent")
            .label("this is " + types::to_string(value->type))
            .note(
                "a record without a time belongs to no window; declared as `timestamp`, a record that lacks "
                "it goes to `on error`");
      } else {
        report_integer_time(decl, *time.value, types::strip_optional(value->type));
      }
    }
  }
  if (time.lateness != nullptr) {
    const auto lateness = check::constant_duration(context_, *time.lateness, "`lateness`");
    if (lateness && *lateness < 0) {
      out_.report(Code::bad_setting, time.lateness->span, "`lateness` is not negative").label("below zero");
    } else if (lateness) {
      source.lateness = *lateness;
    }
  }
  if (time.idle_after != nullptr) {
    source.idle_after = check::constant_duration(context_, *time.idle_after, "`idle after`");
    context_.unsupported(time.idle_after->span, "`idle after`",
                         "leave it out: a split that is silent holds back time until it ends");
    const bool accepted = std::any_of(decl.accepts.begin(), decl.accepts.end(),
                                      [](const ast::Accept& accept) { return accept.what.text == "timing"; });
    if (!accepted) {
      out_.report(Code::depends_on_timing, time.idle_after->span,
                  "`idle after` lets the clock decide which records of `" + decl.name.text + "` are late")
          .label("a split that is silent for so long no longer holds back time")
          .note("a pause of the program, or a slow disk, is enough: on replay another record may be late")
          .help("leave `idle after` out, or accept it: `accept timing \"reason\"`");
    }
  }
}

void Builder::source_identity(const ast::SourceDecl& decl, const Shape& shape, flow::Source& source) {
  for (const ast::Expr* expr : decl.identity) {
    check::Scope scope;
    scope.row = shape.row;
    scope.meta = true;
    check::Elaborator elaborator(context_, std::move(scope));
    const ExprRef value = elaborator.check(*expr);
    if (check::is_poison(value)) continue;
    if (const auto reason = check::not_a_key(*value->type)) {
      out_.report(Code::key_without_form, expr->span,
                  "an identity of type " + types::to_string(value->type) + " has no one form")
          .label("two readings of one record could differ")
          .note(*reason);
      continue;
    }
    source.identity.push_back(value);
  }
}

void Builder::source_policies(const ast::SourceDecl& decl, flow::Source& source) {
  const auto policy = [](ast::PolicyKind kind) {
    switch (kind) {
      case ast::PolicyKind::fail:
        return flow::Policy::kFail;
      case ast::PolicyKind::drop:
        return flow::Policy::kDrop;
      case ast::PolicyKind::to:
        return flow::Policy::kTo;
    }
    return flow::Policy::kFail;
  };
  if (decl.on_error) {
    source.on_error = policy(decl.on_error->kind);
    source.on_error_to = decl.on_error->target.text;
  }
  if (decl.on_late) {
    source.on_late_written = true;
    if (decl.on_late->kind == ast::PolicyKind::fail) {
      out_.report(Code::bad_setting, decl.on_late->span, "a late record is dropped or goes to a stream")
          .label("`drop` or `to N`");
    } else {
      source.on_late = policy(decl.on_late->kind);
      source.on_late_to = decl.on_late->target.text;
    }
  }
}

bool Builder::has_reason(const ast::Accept& accept, const ast::Decl& decl) {
  const bool blank = accept.reason.value.find_first_not_of(" \t") == std::string::npos;
  if (blank && !decl.broken) {
    out_.report(Code::bad_accept, accept.reason.span, "`accept` has a reason")
        .label("says nothing")
        .note("the report keeps it, for those who wonder later why less was good enough");
  }
  return !blank;
}

void Builder::source_accepts(const ast::SourceDecl& decl, flow::Source& source) {
  for (const ast::Accept& accept : decl.accepts) {
    if (accept.what.text != "timing") {
      auto& finding = out_.report(Code::bad_accept, accept.what.span, "a source accepts `timing`")
                          .label("not for a source");
      if (accept.what.text == "best_effort" || accept.what.text == "at_least_once")
        finding.help("a sink accepts a weaker guarantee: write it there");
      continue;
    }
    if (!has_reason(accept, decl)) continue;
    source.accepts.push_back({accept.what.text, accept.reason.value, accept.span});
  }
}

}  // namespace weir::build_flow
