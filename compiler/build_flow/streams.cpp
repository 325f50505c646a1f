// Streams in any order: each is built when it is first asked for, after what it is made from.
#include <algorithm>

#include "compiler/build_flow/builder.h"

namespace weir::build_flow {

const Builder::Built& Builder::stream(const std::string& name, Span from) {
  if (const auto found = built_.find(name); found != built_.end()) return found->second;
  const bool inside =
      std::any_of(active_.begin(), active_.end(), [&](const auto& step) { return step.first == name; });
  if (inside) {
    report_cycle(name, from);
    return built_.emplace(name, Built{}).first->second;
  }
  const resolve::Stream& declared = symbols_.streams.find(name)->second;
  active_.emplace_back(name, from);
  Built built;
  switch (declared.kind) {
    case resolve::StreamKind::source:
      built = build_source(ast::as<ast::SourceDecl>(*declared.decl));
      break;
    case resolve::StreamKind::stream:
      built = build_query(name, ast::as<ast::StreamDecl>(*declared.decl));
      break;
    case resolve::StreamKind::table:
      context_.unsupported(
          declared.decl->keyword, "a `table`",
          "a `stream` with `aggregate … over tumbling(…)` keeps the latest state of each window");
      break;
    case resolve::StreamKind::rejected:
    case resolve::StreamKind::late:
      built = build_policy_stream(declared);
      break;
  }
  active_.pop_back();
  return built_.insert_or_assign(name, std::move(built)).first->second;
}

void Builder::report_cycle(const std::string& name, Span from) {
  const auto begin =
      std::find_if(active_.begin(), active_.end(), [&](const auto& step) { return step.first == name; });
  std::string cycle;
  for (auto step = begin; step != active_.end(); ++step) cycle += step->first + " -> ";
  auto& finding = out_.report(Code::stream_cycle, from, "the stream `" + name + "` is made from itself")
                      .label("the circle closes: " + cycle + name);
  for (auto step = begin + 1; step < active_.end(); ++step) {
    finding.also(step->second, "`" + (step - 1)->first + "` is made from `" + step->first + "`");
  }
  finding.note("a record that comes back to where it was has no first position to be replayed from");
}

Builder::Built Builder::build_query(const std::string& name, const ast::StreamDecl& decl) {
  const ast::Query& query = decl.query;
  if (query.input.text.empty()) return {};
  const auto found = symbols_.streams.find(query.input.text);
  if (found == symbols_.streams.end()) {
    auto& finding =
        out_.report(Code::unknown_stream, query.input.span, "no stream is called `" + query.input.text + "`")
            .label("not declared");
    std::vector<std::string> names;
    for (const auto& [other, stream] : symbols_.streams) {
      if (other != name) names.push_back(other);
    }
    resolve::did_you_mean(finding, query.input.span, query.input.text, names);
    // The steps can still be checked against an unknown row.
    Shape shape;
    shape.row = types::error();
    std::vector<flow::Node> nodes;
    check::Steps steps(context_, name);
    for (const ast::Operator* step : query.steps) steps.check(*step, shape, nodes);
    return {};
  }
  used_.insert(query.input.text);
  Built built = stream(query.input.text, query.input.span);
  if (query.alias)
    context_.unsupported(query.alias->span, "`as` after the stream of a pipeline",
                         "leave it out: the fields of the row are known by their names");
  if (!built.known) built.shape.row = types::error();

  check::Steps steps(context_, name);
  std::vector<flow::Node> nodes;
  for (const ast::Operator* step : query.steps) {
    // Behind a mistake of the text the row is not known.
    if (decl.broken && step->span.end() > decl.unread.offset) built.shape.row = types::error();
    steps.check(*step, built.shape, nodes);
  }
  if (decl.broken) {
    built.shape.row = types::error();
    built.known = false;
  }
  for (flow::Node& node : nodes) {
    if (built.last >= 0) node.inputs = {built.last};
    built.last = add(std::move(node), name);
  }
  return built;
}

Builder::Built Builder::build_policy_stream(const resolve::Stream& declared) {
  const bool late = declared.kind == resolve::StreamKind::late;
  Built result;
  std::vector<flow::NodeId> sources;
  TypeRef row;
  const ast::SourceDecl* first = nullptr;
  for (const ast::SourceDecl* source : declared.sources) {
    const Built& from = stream(source->name.text, source->name.span);
    if (!from.known) return {};
    sources.push_back(from.last);
    if (row == nullptr) {
      row = from.shape.row;
      first = source;
    } else if (late && !types::same(row, from.shape.row)) {
      out_.report(Code::late_types_differ, source->on_late->target.span,
                  "two sources of different types share `on late to " + declared.name + "`")
          .label("records of `" + source->name.text + "`")
          .also(first->on_late->target.span, "records of `" + first->name.text + "`")
          .note("a late record keeps its own type; one stream has one type")
          .help("give each source a stream of its own");
      return {};
    }
  }
  if (row == nullptr) return {};

  flow::Node node;
  node.span = declared.span;
  node.row = late ? types::late_record(row) : types::rejected_record();
  node.timed = false;
  result.shape.row = node.row;
  if (late) {
    node.stage = "on late";
    node.op = flow::Late{sources};
    result.shape.untimed_why = "late records are untimed";
    result.shape.no_meta_why = "the record's own is the field `meta`";
  } else {
    node.stage = "on error";
    node.op = flow::Rejected{sources};
    result.shape.untimed_why = "rejected records are untimed";
    result.shape.no_meta_why = "the record's own is the field `meta`";
  }
  result.last = add(std::move(node), declared.name);
  result.known = true;
  return result;
}

void Builder::report_unused() {
  const source::FileId script = input_.modules.empty() ? source::FileId{} : input_.modules[0]->file;
  // What could not be read may well have used it.
  for (const ast::Module* module : input_.modules) {
    if (std::any_of(module->decls.begin(), module->decls.end(),
                    [](const ast::Decl* decl) { return decl->broken; }))
      return;
  }
  for (const std::string& name : symbols_.stream_order) {
    const resolve::Stream& stream = symbols_.streams.find(name)->second;
    if (used_.count(name) != 0 || stream.span.file != script || stream.kind == resolve::StreamKind::table)
      continue;
    const char* what = stream.kind == resolve::StreamKind::source ? "source" : "stream";
    auto& finding = out_.report(Code::unused_stream, stream.span,
                                "the " + std::string(what) + " `" + name + "` goes nowhere")
                        .label("no sink and no stream takes it");
    if (stream.kind == resolve::StreamKind::rejected || stream.kind == resolve::StreamKind::late) {
      finding.note("its records are counted, but nobody sees them");
    }
  }
}

}  // namespace weir::build_flow
