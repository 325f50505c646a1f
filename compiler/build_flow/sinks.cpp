// `sink N to connector(…)`, and what every sink needs of its sources.
#include <algorithm>
#include <set>

#include "compiler/build_flow/builder.h"

namespace weir::build_flow {

void Builder::check_file_name(const ast::Name& name, const std::string& what, bool follows_stream) {
  constexpr std::size_t longest = 100;  // file systems allow 255, and generation, lane and counter follow
  const std::string& text = name.text;
  const auto cannot = [](unsigned char c) { return c == '/' || c < ' ' || c == 0x7f; };
  std::string label;
  if (text.size() > longest)
    label = "longer than " + std::to_string(longest) + " bytes";
  else if (std::any_of(text.begin(), text.end(), cannot))
    label = "`/` and control characters cannot be in it";
  else if (text.starts_with('.') || text.starts_with('_'))
    label = "readers of a folder pass over what begins with `.` or `_`";
  if (label.empty()) return;
  auto& finding = out_.report(Code::name_of_files, name.span,
                              "files cannot be named after the " + what + " `" + text + "`")
                      .label(label);
  std::string better;
  for (const char c : text.substr(0, longest))
    if (!better.empty() || (c != '.' && c != '_')) better += cannot(static_cast<unsigned char>(c)) ? '_' : c;
  while (better.starts_with('_')) better.erase(0, 1);
  const bool plain = std::all_of(better.begin(), better.end(), [](unsigned char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  if (better.empty() || !plain || (better[0] >= '0' && better[0] <= '9')) return;
  finding.suggest("give it another name", name.span,
                  follows_stream ? better + " from `" + text + "`" : better);
}

void Builder::build_sink(const ast::SinkDecl& decl) {
  if (decl.name.text.empty()) return;
  check_file_name(decl.name, "sink", !decl.from);
  if (const auto [place, added] = sink_names_.emplace(decl.name.text, decl.name.span); !added) {
    auto& finding =
        out_.report(Code::second_sink_name, decl.name.span, "two sinks are called `" + decl.name.text + "`")
            .label("again here")
            .also(place->second, "first here")
            .note("a sink's name is part of its files' names and of its state");
    if (!decl.from)
      finding.suggest("give this one a name of its own", decl.name.span,
                      decl.name.text + "_2 from " + decl.name.text);
  }
  if (decl.from) {
    if (const auto taken = symbols_.streams.find(decl.name.text); taken != symbols_.streams.end()) {
      out_.report(Code::duplicate_declaration, decl.name.span,
                  "`" + decl.name.text + "` is the name of a stream")
          .label("a sink with `from` needs a name of its own")
          .also(taken->second.span, "declared here");
    }
  }
  const ast::Name& from = decl.stream();
  const auto found = symbols_.streams.find(from.text);
  Built input;
  if (found == symbols_.streams.end()) {
    if (!from.text.empty()) {
      auto& finding = out_.report(Code::unknown_stream, from.span, "no stream is called `" + from.text + "`")
                          .label("not declared");
      std::vector<std::string> names;
      for (const auto& [name, stream] : symbols_.streams) names.push_back(name);
      if (!resolve::did_you_mean(finding, from.span, from.text, names) && !decl.from) {
        finding.help("a sink is named after its stream; with a name of its own: `sink " + from.text +
                     " from STREAM to …`");
      }
    }
  } else {
    used_.insert(from.text);
    input = stream(from.text, from.span);
  }

  const Options options = connector(decl.connector, false);
  if (options.ok && input.known && input.shape.row->kind == Kind::kRecord) {
    check_shape(options, *input.shape.row, decl.name, from.span, false);
  }
  const auto clause = [&](bool present, Span span, const std::string& what) {
    if (!present) return;
    context_.unsupported(span, "`" + what + "`",
                         "leave it out; what names a row, a folder or a time can be a column of the row");
  };
  clause(!decl.key.empty(), decl.key.empty() ? Span{} : decl.key[0]->span, "key");
  clause(!decl.headers.empty(), decl.headers.empty() ? Span{} : decl.headers[0].span, "headers");
  clause(decl.timestamp != nullptr, decl.timestamp == nullptr ? Span{} : decl.timestamp->span, "timestamp");
  clause(decl.topic != nullptr, decl.topic == nullptr ? Span{} : decl.topic->span, "topic");
  clause(!decl.partitions.empty(), decl.partitions.empty() ? Span{} : decl.partitions[0].span, "partition");
  clause(decl.path != nullptr, decl.path == nullptr ? Span{} : decl.path->span, "path");
  clause(decl.deliver_early.has_value(), decl.deliver_early.value_or(Span{}), "deliver early");

  flow::Sink sink;
  for (const ast::Accept& accept : decl.accepts) {
    static const std::vector<std::string> known = {"best_effort", "at_least_once", "effectively_once"};
    if (std::find(known.begin(), known.end(), accept.what.text) == known.end()) {
      auto& finding = out_.report(Code::bad_accept, accept.what.span, "a sink accepts a guarantee")
                          .label("not a guarantee");
      if (!resolve::did_you_mean(finding, accept.what.span, accept.what.text, known))
        finding.help("`best_effort`, `at_least_once` or `effectively_once`");
      continue;
    }
    if (!has_reason(accept, decl)) continue;
    sink.accepts.push_back({accept.what.text, accept.reason.value, accept.span});
  }
  if (options.connector != nullptr) sink.connector = options.connector->name;
  sink.arguments = options.arguments;
  sink.format = options.format.name;
  flow::Node node;
  node.stage = "sink";
  node.row = input.shape.row == nullptr ? types::error() : input.shape.row;
  node.timed = input.shape.timed;
  node.span = decl.span;
  if (input.last >= 0) node.inputs = {input.last};
  node.op = std::move(sink);
  add(std::move(node), decl.name.text);
}

}  // namespace weir::build_flow
