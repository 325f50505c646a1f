// `test "…" { given … expect … }`: rows are typed by their streams.
#include <algorithm>

#include "compiler/ast/print.h"
#include "compiler/build_flow/builder.h"

namespace weir::build_flow {

std::optional<TestRow> Builder::test_row(const ast::Expr& row, const TypeRef& type, bool expected) {
  const auto* record = ast::try_as<ast::RecordExpr>(&row);
  if (record == nullptr) {
    if (row.kind != ast::ExprKind::error)
      out_.report(Code::bad_test, row.span, "a row of a test is a record").label("write { field: value }");
    return std::nullopt;
  }
  if (type->kind != Kind::kRecord) return std::nullopt;
  if (record->open && !expected) {
    out_.report(Code::bad_test, row.span, "`..` stands only in expected rows")
        .label("a given row has all its fields");
    return std::nullopt;
  }
  TestRow result;
  result.span = row.span;
  bool ok = true;
  std::map<std::string, Span> seen;
  for (const ast::RecordEntry& entry : record->entries) {
    if (entry.value == nullptr) continue;
    if (entry.spread) {
      out_.report(Code::bad_test, entry.span, "a row of a test is written out").label("no `..value` here");
      ok = false;
      continue;
    }
    const int index = check::field_index(*type, entry.name.text);
    if (index < 0) {
      auto& finding =
          out_.report(Code::unknown_field, entry.name.span, "the row has no field `" + entry.name.text + "`")
              .label("not a field");
      std::vector<std::string> names;
      for (const types::Field& field : type->fields) names.push_back(field.name);
      resolve::did_you_mean(finding, entry.name.span, entry.name.text, names);
      ok = false;
      continue;
    }
    if (const auto [place, added] = seen.emplace(entry.name.text, entry.name.span); !added) {
      out_.report(Code::duplicate_field, entry.name.span, "the field `" + entry.name.text + "` stands twice")
          .label("again here")
          .also(place->second, "first here");
      ok = false;
      continue;
    }
    if (entry.quoted) {
      out_.report(Code::unexpected_token, entry.name.span, "the name of a field stands without quotes")
          .label("only the key of a map stands in quotes")
          .suggest("write it as a name", entry.name.span, ast::print_name(entry.name.text));
      ok = false;
    }
    check::Scope scope;
    scope.maps = true;
    check::Elaborator elaborator(context_, std::move(scope));
    const TypeRef& wanted = type->fields[static_cast<std::size_t>(index)].type;
    const ExprRef value = elaborator.check_as(*entry.value, wanted, "the field `" + entry.name.text + "`");
    ok &= !check::is_poison(value);
    result.fields.push_back({index, value});
  }
  if (!record->open) {
    for (std::size_t i = 0; i < type->fields.size(); ++i) {
      const types::Field& field = type->fields[i];
      if (seen.count(field.name) != 0) continue;
      if (types::is_optional(field.type)) {
        result.fields.push_back({static_cast<int>(i), check::make_null(field.type, row.span)});
        continue;
      }
      auto& finding = out_.report(Code::bad_test, row.span, "this row lacks the field `" + field.name + "`")
                          .label("of type " + types::to_string(field.type));
      if (expected && !record->entries.empty())
        finding.suggest("leave the rest uncompared", source::after(record->entries.back().span), ", ..");
      ok = false;
      break;
    }
  }
  std::sort(result.fields.begin(), result.fields.end(),
            [](const TestRow::Field& a, const TestRow::Field& b) { return a.index < b.index; });
  return ok ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<TestStep> Builder::test_step(const ast::TestStep& step) {
  TestStep result;
  result.name = step.name.text;
  result.span = step.span;
  if (step.split) result.split = step.split->value;
  const auto unknown = [&](const std::string& what, const std::vector<std::string>& names) {
    auto& finding = out_.report(Code::unknown_stream, step.name.span,
                                "no " + what + " is called `" + step.name.text + "`")
                        .label("not declared");
    resolve::did_you_mean(finding, step.name.span, step.name.text, names);
  };
  if (step.kind == ast::TestStepKind::given_capture) {
    context_.unsupported(step.span, "`given capture`", "leave it out: nothing can be captured yet");
    return std::nullopt;
  }
  if (step.kind == ast::TestStepKind::with_param) {
    const auto found = context_.param_index.find(step.name.text);
    if (found == context_.param_index.end()) {
      std::vector<std::string> names;
      for (const auto& [name, index] : context_.param_index) names.push_back(name);
      unknown("param", names);
      return std::nullopt;
    }
    if (step.value == nullptr) return std::nullopt;
    result.kind = TestStep::Kind::with_param;
    check::Elaborator elaborator(context_, {});
    result.value =
        elaborator.check_as(*step.value, context_.params[static_cast<std::size_t>(found->second)].type,
                            "the param `" + step.name.text + "`");
    return check::is_poison(result.value) ? std::nullopt : std::optional(std::move(result));
  }

  const bool expected = step.kind == ast::TestStepKind::expect;
  std::string stream_name = step.name.text;
  if (expected) {
    for (const ast::SinkDecl* sink : symbols_.sinks) {
      if (sink->name.text == step.name.text) stream_name = sink->stream().text;
    }
  }
  const auto found = symbols_.streams.find(stream_name);
  if (found == symbols_.streams.end() || (!expected && found->second.kind != resolve::StreamKind::source)) {
    std::vector<std::string> names;
    for (const auto& [name, stream] : symbols_.streams) {
      if (expected || stream.kind == resolve::StreamKind::source) names.push_back(name);
    }
    if (found != symbols_.streams.end()) {
      out_.report(Code::bad_test, step.name.span, "`given` is for sources")
          .label("`" + step.name.text + "` is not one")
          .also(found->second.span, "declared here");
    } else {
      unknown(expected ? "stream or sink" : "source", names);
    }
    return std::nullopt;
  }
  const Built& built = stream(stream_name, step.name.span);
  result.row = built.shape.row;
  if (step.kind == ast::TestStepKind::given_raw) {
    result.kind = TestStep::Kind::given_raw;
    for (const ast::Expr* row : step.rows) {
      const auto* text = ast::try_as<ast::StringLiteral>(row);
      if (text == nullptr) {
        if (row->kind != ast::ExprKind::error)
          out_.report(Code::bad_test, row->span, "a raw record is a string").label("without interpolation");
        return std::nullopt;
      }
      result.raw.push_back(text->value);
    }
    return result;
  }
  result.kind = expected ? TestStep::Kind::expect : TestStep::Kind::given_rows;
  if (!built.known || check::is_poison(built.shape.row)) return std::nullopt;
  const TypeRef row_type = built.shape.row;
  bool ok = true;
  for (const ast::Expr* row : step.rows) {
    auto typed = test_row(*row, row_type, expected);
    ok &= typed.has_value();
    if (typed) result.rows.push_back(std::move(*typed));
  }
  return ok ? std::optional(std::move(result)) : std::nullopt;
}

void Builder::tests() {
  std::map<std::string, Span> titles;
  for (const ast::TestDecl* decl : symbols_.tests) {
    if (const auto [place, added] = titles.emplace(decl->title.value, decl->title.span); !added) {
      out_.report(Code::duplicate_declaration, decl->title.span, "two tests have one title")
          .label("again here")
          .also(place->second, "first here");
    }
    Test test;
    test.title = decl->title.value;
    test.span = decl->span;
    bool ok = !decl->broken;
    std::map<std::string, const ast::TestStep*> given;  // the first of each source
    for (const ast::TestStep& step : decl->steps) {
      if (decl->broken) break;  // where one row ends and the next begins is a guess
      const bool rows = step.kind == ast::TestStepKind::given_rows;
      if (rows || step.kind == ast::TestStepKind::given_raw) {
        const ast::TestStep* first = given.emplace(step.name.text, &step).first->second;
        if (first->kind != step.kind) {
          out_.report(Code::bad_test, step.name.span,
                      "`" + step.name.text + "` is given both rows and raw records")
              .label(rows ? "rows" : "raw records")
              .also(first->name.span, rows ? "raw records" : "rows")
              .help("write all of them as `raw` records, or make two tests");
          ok = false;
        }
      }
      auto checked = test_step(step);
      ok &= checked.has_value();
      if (checked) test.steps.push_back(std::move(*checked));
    }
    const bool expects = std::any_of(decl->steps.begin(), decl->steps.end(), [](const ast::TestStep& step) {
      return step.kind == ast::TestStepKind::expect;
    });
    if (!expects && !decl->broken) {
      out_.report(Code::bad_test, decl->title.span, "this test expects nothing")
          .label("passes whatever the program writes")
          .help("`expect STREAM [ … ]` says which rows come out; `[]`: none");
      ok = false;
    }
    if (ok) tests_.push_back(std::move(test));
  }
}

}  // namespace weir::build_flow
