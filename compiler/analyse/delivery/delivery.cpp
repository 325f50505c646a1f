#include "compiler/analyse/delivery/delivery.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/flow/text.h"

namespace weir::analyse {
namespace {

constexpr std::array<std::pair<Guarantee, std::string_view>, 5> kNames = {{
    {Guarantee::none, "none"},
    {Guarantee::best_effort, "best effort"},
    {Guarantee::at_least_once, "at least once"},
    {Guarantee::effectively_once, "effectively once"},
    {Guarantee::exactly_once, "exactly once"},
}};

const flow::Node& node_of(const flow::Program& program, flow::NodeId id) {
  return program.nodes[static_cast<std::size_t>(id)];
}

void add_links(Delivery& delivery, const flow::Program& program, const Graph& graph) {
  for (flow::NodeId id : graph.sources(delivery.sink)) {
    const flow::Node& node = node_of(program, id);
    const auto& source = std::get<flow::Source>(node.op);
    if (source.replayable) continue;
    delivery.links.push_back(
        {id, Guarantee::best_effort,
         "`" + source.connector + "` cannot be read again: what was in flight at a crash is lost"});
  }
  for (const WeakLink& link : delivery.links)
    delivery.guarantee = std::min(delivery.guarantee, link.guarantee);
}

void add_acceptance(Delivery& delivery, const flow::Sink& sink) {
  for (const flow::Accept& accept : sink.accepts) {
    const auto guarantee = parse_guarantee(accept.guarantee);
    if (!guarantee.has_value()) continue;
    delivery.accepts = true;
    delivery.required = *guarantee;
    delivery.accepted_reason = accept.reason;
    delivery.accepted_span = accept.span;
  }
}

constexpr std::int64_t kRollSize = 134'217'728;  // bytes, where the script says nothing
constexpr std::int64_t kRollEvery = 60'000'000;  // microseconds

std::int64_t number_of(const std::vector<flow::Argument>& arguments, const std::string& name,
                       std::int64_t otherwise) {
  for (const flow::Argument& argument : arguments) {
    if (argument.name != name || argument.value == nullptr) continue;
    if (const auto* number = std::get_if<std::int64_t>(&argument.value->literal.value)) return *number;
  }
  return otherwise;
}

std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kMiB = 1 << 20;
  return bytes % kMiB == 0 ? std::to_string(bytes / kMiB) + " MiB" : std::to_string(bytes) + " bytes";
}

void describe_file(Delivery& delivery, const flow::Sink& sink, const flow::Program& program) {
  const std::string folder = argument_text(sink.arguments, "path", program);
  delivery.condition = "exactly once per file; an epoch's files appear one by one";
  delivery.visible_after =
      "the checkpoint that decides the rows (every " + duration_text(program.settings.checkpoint_every) +
      "), and the end of their file: at " + size_text(number_of(sink.arguments, "roll_size", kRollSize)) +
      ", after " + duration_text(number_of(sink.arguments, "roll_every", kRollEvery)) +
      ", at a stop, at the end of the input or at a restart";
  delivery.boundary = "the files in " + (folder.empty() ? "the folder" : folder);
  delivery.because = "what readers do with them is not seen";
}

void describe_view(Delivery& delivery) {
  delivery.view = true;
  delivery.guarantee = Guarantee::none;
  delivery.condition = "a view of the results, not a delivery; rows may appear again after a restart";
  delivery.visible_after = "no promise";
  delivery.boundary = "the program";
  delivery.because = "what was printed cannot be taken back or asked for";
}

// What a script must say to accept what the sink can promise.
void suggest_acceptance(diagnostics::Diagnostic& d, const Delivery& delivery, const flow::Node& node) {
  std::string word(to_string(delivery.guarantee));
  std::replace(word.begin(), word.end(), ' ', '_');
  if (!delivery.accepts) {
    d.suggest("or accept less, with a reason that the report keeps", source::after(node.span),
              "\n  accept " + word + " \"the input cannot be read again\"");
  } else if (delivery.accepted_span.is_known() &&
             delivery.accepted_reason.find_first_of("\"\\$\n") == std::string::npos) {
    d.suggest("or accept what it can promise", delivery.accepted_span,
              "accept " + word + " \"" + delivery.accepted_reason + "\"");
  }
}

}  // namespace

std::string_view to_string(Guarantee guarantee) {
  for (const auto& [key, name] : kNames) {
    if (key == guarantee) return name;
  }
  return "";
}

std::optional<Guarantee> parse_guarantee(std::string_view text) {
  std::string words(text);
  std::replace(words.begin(), words.end(), '_', ' ');
  for (const auto& [key, name] : kNames) {
    if (key != Guarantee::none && name == words) return key;
  }
  return std::nullopt;
}

std::string argument_text(const std::vector<flow::Argument>& arguments, const std::string& name,
                          const flow::Program& program) {
  for (const flow::Argument& argument : arguments) {
    if (argument.name != name || argument.value == nullptr) continue;
    const flow::Expr& value = *argument.value;
    if (value.op == flow::Op::kLiteral) {
      if (const auto* text = std::get_if<std::string>(&value.literal.value)) return *text;
    }
    if (value.op == flow::Op::kParam && static_cast<std::size_t>(value.index) < program.params.size()) {
      return "parameter " + program.params[static_cast<std::size_t>(value.index)].name;
    }
    return flow::print(value, program, nullptr, {.spans = false, .texts = false});
  }
  return "";
}

std::vector<Delivery> find_deliveries(const flow::Program& program, const Graph& graph) {
  std::vector<Delivery> out;
  for (const flow::Node& node : program.nodes) {
    const auto* sink = std::get_if<flow::Sink>(&node.op);
    if (sink == nullptr) continue;
    Delivery delivery;
    delivery.sink = node.id;
    add_links(delivery, program, graph);
    add_acceptance(delivery, *sink);
    if (sink->connector == "stdout") {
      describe_view(delivery);
    } else {
      describe_file(delivery, *sink, program);
    }
    if (!delivery.view && delivery.guarantee < Guarantee::exactly_once) {
      delivery.condition = "while the program runs undisturbed; a record in flight at a crash is lost";
    }
    out.push_back(std::move(delivery));
  }
  return out;
}

void report_deliveries(const flow::Program& program, const Graph& graph,
                       const std::vector<Delivery>& deliveries, diagnostics::Diagnostics& out) {
  static_cast<void>(graph);
  for (const Delivery& delivery : deliveries) {
    if (delivery.view || delivery.guarantee >= delivery.required) continue;
    const flow::Node& node = node_of(program, delivery.sink);
    auto& d = out.report(diagnostics::Code::not_replayable, node.span,
                         "sink `" + node.stream + "` is " + std::string(to_string(delivery.guarantee)) +
                             ", but " + std::string(to_string(delivery.required)) + " is required");
    d.label("required: " + std::string(to_string(delivery.required)));
    int step = 0;
    for (const WeakLink& link : delivery.links) {
      if (link.guarantee >= delivery.required) continue;
      d.also(node_of(program, link.node).span,
             std::to_string(++step) + ". " + std::string(to_string(link.guarantee)) + ": " + link.reason);
    }
    if (delivery.accepted_span.is_known()) {
      d.also(delivery.accepted_span,
             "this accepts " + std::string(to_string(delivery.required)) + ", not less");
    }
    d.note("a sink promises no more than the weakest part on the way to it");
    d.help("read from files, which can be read again from any position");
    suggest_acceptance(d, delivery, node);
  }
}

}  // namespace weir::analyse
