// Declarations as Weir text.
#include <fmt/core.h>

#include "compiler/ast/print.h"
#include "compiler/ast/print_parts.h"

namespace weir::ast {

namespace {

std::string print_doc(const std::string& doc, const char* indent) {
  std::string out;
  if (doc.empty()) return out;
  for (std::size_t at = 0; at <= doc.size();) {
    const std::size_t end = std::min(doc.find('\n', at), doc.size());
    const std::string line = doc.substr(at, end - at);
    out += indent + std::string(line.empty() ? "///" : "/// ") + line + "\n";
    at = end + 1;
  }
  return out;
}

std::string print_text(const Text& text) {
  return print_string(text.value);
}

std::string print_pipeline(const PipelineDecl& decl) {
  std::string out = "pipeline " + print_name(decl.name.text) + " {\n";
  if (decl.checkpoint) {
    out += "  checkpoint";
    if (decl.checkpoint->every != nullptr) out += " every " + print(*decl.checkpoint->every);
    if (decl.checkpoint->uri) out += " to " + print_text(*decl.checkpoint->uri);
    if (decl.checkpoint->keep != nullptr) out += " keep " + print(*decl.checkpoint->keep);
    out += "\n";
  }
  const auto line = [&](const char* words, const std::string& value) {
    out += fmt::format("  {} {}\n", words, value);
  };
  if (decl.protocol) line("protocol", print_name(decl.protocol->text));
  if (decl.alignment_timeout != nullptr) line("alignment timeout", print(*decl.alignment_timeout));
  if (decl.parallelism != nullptr) line("parallelism", print(*decl.parallelism));
  if (decl.replay_horizon != nullptr) line("replay horizon", print(*decl.replay_horizon));
  if (decl.determinism) line("determinism", print_name(decl.determinism->text));
  if (decl.rollback) line("rollback", print_name(decl.rollback->text));
  if (decl.memory != nullptr) line("memory", print(*decl.memory));
  return out + "}";
}

std::string print_field(const FieldDecl& field, bool rest) {
  std::string out = print_doc(field.doc, "  ") + "  " + (rest ? ".." : "") + print_name(field.name.text) +
                    ": " + print(*field.type);
  if (field.wire) out += " as " + print_text(*field.wire);
  return out + ",\n";
}

std::string print_record_type(const RecordTypeDecl& decl) {
  std::string out = "type " + print_name(decl.name.text) + " = {\n";
  for (const FieldDecl& field : decl.fields) out += print_field(field, false);
  if (decl.rest) out += print_field(*decl.rest, true);
  return out + "}";
}

std::string print_enum_type(const EnumTypeDecl& decl) {
  std::string out = "type " + print_name(decl.name.text) + " =";
  for (const Name& value : decl.values)
    out += (&value == &decl.values.front() ? " " : " | ") + print_name(value.text);
  return out;
}

std::string print_params(const std::vector<FnParam>& params) {
  std::string out;
  for (const FnParam& param : params)
    out += (out.empty() ? "" : ", ") + print_name(param.name.text) + ": " + print(*param.type);
  return "(" + out + ")";
}

std::string print_policy(const Policy& policy) {
  switch (policy.kind) {
    case PolicyKind::fail:
      return "fail";
    case PolicyKind::drop:
      return "drop";
    case PolicyKind::to:
      return "to " + print_name(policy.target.text);
  }
  return "";
}

std::string print_time(const TimeClause& time) {
  std::string out = "\n  time " + print(*time.value);
  if (time.lateness != nullptr) out += " lateness " + print(*time.lateness);
  if (time.idle_after != nullptr) out += " idle after " + print(*time.idle_after);
  return out;
}

std::string print_accepts(const std::vector<Accept>& accepts) {
  std::string out;
  for (const Accept& accept : accepts)
    out += "\n  accept " + print_name(accept.what.text) + " " + print_text(accept.reason);
  return out;
}

std::string print_origin(const TypeExpr& type, const std::vector<ConnectorCall>& connectors) {
  std::string out = ": " + print(type);
  for (const ConnectorCall& connector : connectors) {
    out += (&connector == &connectors.front() ? " from " : " then ") + print_connector(connector);
  }
  return out;
}

std::string print_source(const SourceDecl& decl) {
  std::string out = "source " + print_name(decl.name.text) + print_origin(*decl.type, decl.connectors);
  if (!decl.identity.empty()) out += "\n  identity " + print_list(decl.identity);
  if (decl.time) out += print_time(*decl.time);
  if (decl.on_error) out += "\n  on error " + print_policy(*decl.on_error);
  if (decl.on_late) out += "\n  on late " + print_policy(*decl.on_late);
  if (decl.partitioned_by != nullptr) out += "\n  partitioned by " + print(*decl.partitioned_by);
  if (decl.decode != nullptr) out += "\n  decode " + print(*decl.decode);
  return out + print_accepts(decl.accepts);
}

std::string print_source_table(const SourceTableDecl& decl) {
  std::string out = "table " + print_name(decl.name.text) + print_origin(*decl.type, decl.connectors);
  if (!decl.key.empty()) out += "\n  key " + print_list(decl.key);
  if (decl.time) out += print_time(*decl.time);
  if (decl.on_error) out += "\n  on error " + print_policy(*decl.on_error);
  if (decl.decode != nullptr) out += "\n  decode " + print(*decl.decode);
  return out + print_accepts(decl.accepts);
}

std::string print_sink(const SinkDecl& decl) {
  std::string out = "sink " + print_name(decl.name.text);
  if (decl.from) out += " from " + print_name(decl.from->text);
  out += " to " + print_connector(decl.connector);
  if (!decl.key.empty()) out += "\n  key " + print_list(decl.key);
  if (!decl.headers.empty()) {
    out += "\n  headers {";
    for (const Assignment& header : decl.headers) {
      out += (&header == &decl.headers.front() ? " " : ", ") + print_name(header.name.text) + ": " +
             print(*header.value);
    }
    out += " }";
  }
  if (decl.timestamp != nullptr) out += "\n  timestamp " + print(*decl.timestamp);
  if (decl.topic != nullptr) out += "\n  topic " + print(*decl.topic);
  if (!decl.partitions.empty()) {
    out += "\n  partition ";
    for (const Assignment& partition : decl.partitions) {
      out += (&partition == &decl.partitions.front() ? "" : ", ") + print_name(partition.name.text) + " = " +
             print(*partition.value);
    }
  }
  if (decl.path != nullptr) out += "\n  path " + print(*decl.path);
  if (decl.deliver_early) out += "\n  deliver early";
  return out + print_accepts(decl.accepts);
}

std::string print_rows(const std::vector<Expr*>& rows) {
  if (rows.empty()) return "[]";
  std::string out = "[\n";
  for (const Expr* row : rows) out += "    " + print(*row) + ",\n";
  return out + "  ]";
}

std::string print_test(const TestDecl& decl) {
  std::string out = "test " + print_text(decl.title) + " {\n";
  for (const TestStep& step : decl.steps) {
    const std::string name = print_name(step.name.text);
    const std::string split = step.split ? " split " + print_text(*step.split) : "";
    switch (step.kind) {
      case TestStepKind::given_rows:
        out += "  given " + name + split + " " + print_rows(step.rows);
        break;
      case TestStepKind::given_raw:
        out += "  given " + name + split + " raw " + print_rows(step.rows);
        break;
      case TestStepKind::given_capture:
        out += "  given capture " + name + (step.column ? "." + print_name(step.column->text) : "") + " " +
               print_rows(step.rows);
        break;
      case TestStepKind::with_param:
        out += "  with " + name + " = " + print(*step.value);
        break;
      case TestStepKind::expect:
        out += "  expect " + name + " " + print_rows(step.rows);
        break;
    }
    out += "\n";
  }
  return out + "}";
}

std::string print_fn(const FnDecl& decl) {
  std::string out = "fn " + print_name(decl.name.text);
  if (!decl.type_params.empty()) out += "<" + print_names(decl.type_params) + ">";
  return out + print_params(decl.params) + " -> " + print(*decl.result) + " =\n  " + print(*decl.body);
}

std::string print_body(const Decl& decl) {
  switch (decl.kind) {
    case DeclKind::pipeline:
      return print_pipeline(as<PipelineDecl>(decl));
    case DeclKind::use:
      return "use " + print_text(as<UseDecl>(decl).path);
    case DeclKind::record_type:
      return print_record_type(as<RecordTypeDecl>(decl));
    case DeclKind::enum_type:
      return print_enum_type(as<EnumTypeDecl>(decl));
    case DeclKind::fn:
      return print_fn(as<FnDecl>(decl));
    case DeclKind::extern_fn: {
      const auto& fn = as<ExternFnDecl>(decl);
      return "extern fn " + print_name(fn.name.text) + print_params(fn.params) + " -> " + print(*fn.result) +
             " " + print_name(fn.effect.text) + " from " + print_text(fn.library);
    }
    case DeclKind::param: {
      const auto& param = as<ParamDecl>(decl);
      return "param " + print_name(param.name.text) + ": " + print(*param.type) + " = " + print(*param.value);
    }
    case DeclKind::source:
      return print_source(as<SourceDecl>(decl));
    case DeclKind::source_table:
      return print_source_table(as<SourceTableDecl>(decl));
    case DeclKind::stream:
      return "stream " + print_name(as<StreamDecl>(decl).name.text) + " =\n  " +
             print(as<StreamDecl>(decl).query);
    case DeclKind::table:
      return "table " + print_name(as<TableDecl>(decl).name.text) + " =\n  " +
             print(as<TableDecl>(decl).query);
    case DeclKind::sink:
      return print_sink(as<SinkDecl>(decl));
    case DeclKind::test:
      return print_test(as<TestDecl>(decl));
  }
  return "";
}

}  // namespace

std::string print(const Decl& decl) {
  return print_doc(decl.doc, "") + print_body(decl) + "\n";
}

std::string print(const Module& module) {
  std::string out = print_doc(module.doc, "");
  for (const Decl* decl : module.decls) {
    if (!out.empty()) out += "\n";
    out += print(*decl);
  }
  return out;
}

}  // namespace weir::ast
