#include "compiler/resolve/symbols.h"

#include "compiler/ast/print.h"
#include "compiler/base/text.h"

namespace weir::resolve {

using diagnostics::Code;

namespace {

class Collector {
 public:
  explicit Collector(diagnostics::Diagnostics& out) : out_(out) {}

  void add(const ast::Decl& decl) {
    switch (decl.kind) {
      case ast::DeclKind::pipeline:
        pipeline(ast::as<ast::PipelineDecl>(decl));
        break;
      case ast::DeclKind::record_type:
        if (unique(symbols_.types, decl)) symbols_.type_order.push_back(&ast::as<ast::RecordTypeDecl>(decl));
        break;
      case ast::DeclKind::enum_type:
        unique(symbols_.types, decl);
        break;
      case ast::DeclKind::fn:
        if (unique(symbols_.functions, decl)) symbols_.function_order.push_back(&ast::as<ast::FnDecl>(decl));
        break;
      case ast::DeclKind::extern_fn:
        unique(symbols_.functions, decl);
        break;
      case ast::DeclKind::param:
        param(ast::as<ast::ParamDecl>(decl));
        break;
      case ast::DeclKind::source:
        stream(StreamKind::source, decl);
        break;
      case ast::DeclKind::stream:
        stream(StreamKind::stream, decl);
        break;
      case ast::DeclKind::source_table:
      case ast::DeclKind::table:
        stream(StreamKind::table, decl);
        break;
      case ast::DeclKind::sink:
        symbols_.sinks.push_back(&ast::as<ast::SinkDecl>(decl));
        break;
      case ast::DeclKind::test:
        symbols_.tests.push_back(&ast::as<ast::TestDecl>(decl));
        break;
      case ast::DeclKind::use:
        break;
    }
  }

  // Streams that clauses of sources declare; after everything else, so that a declared stream is found.
  void add_policies(const ast::SourceDecl& source) {
    if (source.on_error && source.on_error->kind == ast::PolicyKind::to) {
      policy(source, *source.on_error, StreamKind::rejected, "on error");
    }
    if (source.on_late && source.on_late->kind == ast::PolicyKind::to) {
      policy(source, *source.on_late, StreamKind::late, "on late");
    }
  }

  Symbols take() { return std::move(symbols_); }

 private:
  void duplicate(const ast::Name& name, Span first) {
    out_.report(Code::duplicate_declaration, name.span, "`" + name.text + "` is declared twice")
        .label("declared again")
        .also(first, "first declared here");
  }

  template <typename Map>
  bool unique(Map& map, const ast::Decl& decl) {
    const ast::Name& name = *name_of(decl);
    if (name.text.empty()) return false;
    const auto [place, added] = map.emplace(name.text, &decl);
    if (!added) duplicate(name, name_of(*place->second)->span);
    return added;
  }

  void pipeline(const ast::PipelineDecl& decl) {
    if (symbols_.pipeline != nullptr) {
      out_.report(Code::duplicate_declaration, decl.name.span, "a program has one `pipeline` block")
          .label("a second one")
          .also(symbols_.pipeline->name.span, "the first one");
      return;
    }
    symbols_.pipeline = &decl;
  }

  void param(const ast::ParamDecl& decl) {
    if (decl.name.text.empty()) return;
    const auto [place, added] = symbols_.params.emplace(decl.name.text, &decl);
    if (added) {
      symbols_.param_order.push_back(&decl);
    } else {
      duplicate(decl.name, place->second->name.span);
    }
  }

  void stream(StreamKind kind, const ast::Decl& decl) {
    const ast::Name& name = *name_of(decl);
    if (name.text.empty()) return;
    const auto [place, added] =
        symbols_.streams.emplace(name.text, Stream{kind, name.text, &decl, {}, name.span});
    if (added) {
      symbols_.stream_order.push_back(name.text);
    } else {
      duplicate(name, place->second.span);
    }
  }

  void policy(const ast::SourceDecl& source, const ast::Policy& policy, StreamKind kind,
              const std::string& clause) {
    const ast::Name& target = policy.target;
    if (target.text.empty()) return;
    const auto [place, added] =
        symbols_.streams.emplace(target.text, Stream{kind, target.text, nullptr, {}, target.span});
    Stream& stream = place->second;
    if (added) symbols_.stream_order.push_back(target.text);
    if (stream.kind == kind) {
      stream.sources.push_back(&source);
      return;
    }
    const bool declared = stream.decl != nullptr;
    out_.report(Code::policy_target, target.span,
                "`" + clause + " to " + target.text + "` needs a name of its own")
        .label(declared ? "this is a declared stream" : "this name is taken")
        .also(stream.span, "`" + target.text + "` is declared here")
        .note("`" + clause + " to N` declares the stream N, which carries " +
              (kind == StreamKind::rejected ? "records that failed" : "records that came too late") +
              "; rows of two kinds do not mix");
  }

  Symbols symbols_;
  diagnostics::Diagnostics& out_;
};

}  // namespace

const ast::Name* name_of(const ast::Decl& decl) {
  switch (decl.kind) {
    case ast::DeclKind::pipeline:
      return &ast::as<ast::PipelineDecl>(decl).name;
    case ast::DeclKind::record_type:
      return &ast::as<ast::RecordTypeDecl>(decl).name;
    case ast::DeclKind::enum_type:
      return &ast::as<ast::EnumTypeDecl>(decl).name;
    case ast::DeclKind::fn:
      return &ast::as<ast::FnDecl>(decl).name;
    case ast::DeclKind::extern_fn:
      return &ast::as<ast::ExternFnDecl>(decl).name;
    case ast::DeclKind::param:
      return &ast::as<ast::ParamDecl>(decl).name;
    case ast::DeclKind::source:
      return &ast::as<ast::SourceDecl>(decl).name;
    case ast::DeclKind::source_table:
      return &ast::as<ast::SourceTableDecl>(decl).name;
    case ast::DeclKind::stream:
      return &ast::as<ast::StreamDecl>(decl).name;
    case ast::DeclKind::table:
      return &ast::as<ast::TableDecl>(decl).name;
    case ast::DeclKind::sink:
      return &ast::as<ast::SinkDecl>(decl).name;
    case ast::DeclKind::use:
    case ast::DeclKind::test:
      return nullptr;
  }
  return nullptr;
}

Symbols collect(const std::vector<const ast::Module*>& modules,
                const std::vector<const ast::Module*>& prelude, diagnostics::Diagnostics& out) {
  Collector collector(out);
  for (const ast::Module* module : modules) {
    for (const ast::Decl* decl : module->decls) collector.add(*decl);
  }
  for (const ast::Module* module : modules) {
    for (const ast::Decl* decl : module->decls) {
      if (const auto* source = ast::try_as<ast::SourceDecl>(decl)) collector.add_policies(*source);
    }
  }
  Symbols symbols = collector.take();
  for (const ast::Module* module : prelude) {
    for (const ast::Decl* decl : module->decls) {
      if (const auto* fn = ast::try_as<ast::FnDecl>(decl)) symbols.prelude.emplace(fn->name.text, fn);
    }
  }
  return symbols;
}

bool did_you_mean(diagnostics::Diagnostic& finding, Span span, std::string_view word,
                  const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string nearest(base::nearest(word, views));
  if (nearest.empty() || nearest == word) return false;
  finding.suggest("did you mean `" + nearest + "`?", span, ast::print_name(nearest));
  return true;
}

}  // namespace weir::resolve
