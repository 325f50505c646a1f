// `pipeline { … }` and `param`.
#include <algorithm>
#include <limits>

#include "compiler/build_flow/builder.h"

namespace weir::build_flow {
namespace {

std::string stem(const std::string& path) {
  if (path == "-" || path.empty()) return "stdin";
  const std::size_t slash = path.find_last_of('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

}  // namespace

std::optional<std::string> Builder::checked_word(const std::optional<ast::Name>& name,
                                                 const std::vector<std::string>& known,
                                                 const std::vector<std::string>& planned,
                                                 const std::string& what) {
  if (!name || name->text.empty()) return std::nullopt;
  if (std::find(known.begin(), known.end(), name->text) != known.end()) return name->text;
  if (std::find(planned.begin(), planned.end(), name->text) != planned.end()) {
    context_.unsupported(name->span, "`" + what + " " + name->text + "`",
                         "leave it out, which means `" + what + " " + known.front() + "`");
    return std::nullopt;
  }
  auto& finding =
      out_.report(Code::bad_setting, name->span, "`" + name->text + "` is not a value of `" + what + "`")
          .label("unknown");
  std::vector<std::string> all = known;
  all.insert(all.end(), planned.begin(), planned.end());
  resolve::did_you_mean(finding, name->span, name->text, all);
  return std::nullopt;
}

void Builder::settings() {
  flow::Settings& settings = program_.settings;
  settings.name = stem(input_.script);
  const ast::PipelineDecl* decl = symbols_.pipeline;
  if (decl != nullptr) {
    if (!decl->name.text.empty()) {
      settings.name = decl->name.text;
      check_file_name(decl->name, "pipeline", false);
    }
    settings.span = decl->span;
  }
  settings.checkpoint_dir = "state/" + settings.name;
  if (decl == nullptr) return;

  // A whole number of the script; the default where there is none.
  const auto number = [&](const ast::Expr* expr, const std::string& what, std::int64_t low, std::int64_t high,
                          std::int64_t otherwise) {
    if (expr == nullptr || expr->kind == ast::ExprKind::error) return otherwise;
    const auto* literal = ast::try_as<ast::IntLiteral>(expr);
    if (literal == nullptr || !literal->value ||
        *literal->value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
        static_cast<std::int64_t>(*literal->value) < low ||
        static_cast<std::int64_t>(*literal->value) > high) {
      out_.report(
              Code::bad_setting, expr->span,
              "`" + what + "` is a whole number from " + std::to_string(low) + " to " + std::to_string(high))
          .label("not that");
      return otherwise;
    }
    return static_cast<std::int64_t>(*literal->value);
  };

  if (decl->checkpoint) {
    const ast::CheckpointSetting& checkpoint = *decl->checkpoint;
    if (checkpoint.every != nullptr && checkpoint.every->kind != ast::ExprKind::error) {
      const auto every =
          check::constant_duration(context_, *checkpoint.every, "the time between checkpoints");
      if (every && *every < 1000) {
        out_.report(Code::bad_setting, checkpoint.every->span, "checkpoints are at least 1 ms apart")
            .label("too often");
      } else if (every) {
        settings.checkpoint_every = *every;
      }
    }
    if (checkpoint.uri) {
      const std::string& uri = checkpoint.uri->value;
      if (uri.empty() && decl->broken) {
        // reported
      } else if (uri.empty()) {
        out_.report(Code::bad_setting, checkpoint.uri->span, "checkpoints need a folder").label("empty");
      } else if (uri.find("://") != std::string::npos && !uri.starts_with("file://")) {
        context_.unsupported(checkpoint.uri->span, "a checkpoint outside the file system",
                             "name a folder; it may lie on a file system that is mounted from elsewhere");
      } else {
        settings.checkpoint_dir = uri.starts_with("file://") ? uri.substr(7) : uri;
      }
    }
    settings.keep = static_cast<int>(number(checkpoint.keep, "keep", 1, 1000, 3));
  }
  settings.protocol = checked_word(decl->protocol, {"barriers"}, {"transactions", "batches"}, "protocol")
                          .value_or("barriers");
  settings.determinism =
      checked_word(decl->determinism, {"strict", "sound", "audit"}, {}, "determinism").value_or("strict");
  settings.rollback =
      checked_word(decl->rollback, {"forbid"}, {"truncate", "dedup"}, "rollback").value_or("forbid");
  settings.parallelism = static_cast<int>(number(decl->parallelism, "parallelism", 1, 1024, 0));
  if (decl->alignment_timeout != nullptr)
    context_.unsupported(decl->alignment_timeout->span, "`alignment timeout`",
                         "leave it out: checkpoints are always aligned");
  if (decl->replay_horizon != nullptr)
    context_.unsupported(decl->replay_horizon->span, "`replay horizon`",
                         "leave it out: files are kept by who writes them");
  if (decl->memory != nullptr && decl->memory->kind != ast::ExprKind::error) {
    context_.unsupported(decl->memory->span, "`memory`",
                         "leave it out; smaller windows and fewer keys need less memory");
    if (const auto* size = ast::try_as<ast::SizeLiteral>(decl->memory)) {
      settings.memory = static_cast<std::int64_t>(size->bytes);
    } else {
      out_.report(Code::bad_setting, decl->memory->span, "`memory` is a size").label("for example 512MiB");
    }
  }
}

void Builder::params() {
  for (const ast::ParamDecl* decl : symbols_.param_order) {
    flow::Param param;
    param.name = decl->name.text;
    param.span = decl->span;
    param.type = decl->type == nullptr ? types::error() : context_.types.resolve(*decl->type);
    const Kind kind = param.type->kind;
    const bool simple = kind == Kind::kBool || kind == Kind::kInt || kind == Kind::kFloat ||
                        kind == Kind::kDecimal || kind == Kind::kString || kind == Kind::kTimestamp ||
                        kind == Kind::kDuration;
    if (!simple && kind != Kind::kError) {
      out_.report(Code::bad_type, decl->type->span, "a param is a single value")
          .label("this is " + types::to_string(param.type));
      param.type = types::error();
    }
    if (decl->value == nullptr) {
      if (!decl->broken) context_.unsupported(decl->span, "a param without a default", "give it a default");
      param.default_value = check::poison(decl->span);
    } else {
      const std::size_t reported = out_.size();
      check::Elaborator elaborator(context_, {});
      param.default_value =
          elaborator.check_as(*decl->value, param.type, "the default of `" + param.name + "`",
                              decl->type == nullptr ? Span{} : decl->type->span);
      // A param that is declared later, or this one, is passed over in silence there.
      const bool silent = check::is_poison(param.default_value) && !check::is_poison(param.type) &&
                          decl->value->kind != ast::ExprKind::error && out_.size() == reported;
      if (silent || (!check::is_poison(param.default_value) && !check::is_literal(param.default_value))) {
        out_.report(Code::constant_expected, decl->value->span, "the default of a param is a constant")
            .label("not a constant");
      }
    }
    context_.param_index.emplace(param.name, static_cast<int>(context_.params.size()));
    context_.params.push_back(std::move(param));
    context_.param_computed.push_back(false);
  }
}

}  // namespace weir::build_flow
