#include "compiler/driver/front.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "compiler/catalog/library.h"
#include "compiler/driver/test/values.h"
#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"
#include "compiler/interp/constants.h"
#include "compiler/interp/natives.h"
#include "compiler/parse/big_stack.h"
#include "compiler/parse/parse.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;
using diagnostics::Code;

std::string canonical_name(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(path, error);
  return error ? path.string() : result.string();
}

// Reads what `use` names, each file once, however it is reached.
class Loader {
 public:
  Loader(Front& front, const Overlay& overlay) : front_(front), overlay_(overlay) {}

  void load(const std::string& path, std::string text) {
    loaded_.insert(canonical_name(path));
    parse(path, std::move(text));
    for (std::size_t i = 0; i < front_.modules.size(); ++i) follow(i);
  }

 private:
  void parse(const std::string& path, std::string text) {
    const source::FileId file = front_.files.add(path, std::move(text));
    front_.modules.push_back(parse::parse_file(file, front_.files, front_.tree, front_.findings));
  }

  void follow(std::size_t index) {
    const fs::path folder = fs::path(front_.files.file(front_.modules[index].file).path()).parent_path();
    const std::vector<ast::Decl*> decls = front_.modules[index].decls;
    for (const ast::Decl* decl : decls) {
      const auto* use = ast::try_as<ast::UseDecl>(decl);
      if (use == nullptr || (use->broken && use->path.value.empty())) continue;
      const fs::path target =
          fs::path(use->path.value).is_absolute() ? fs::path(use->path.value) : folder / use->path.value;
      if (!loaded_.insert(canonical_name(target)).second) continue;
      const auto instead = overlay_.find(canonical_name(target));
      auto text = instead == overlay_.end() ? read_file(target) : std::optional(instead->second);
      if (!text) {
        front_.findings
            .report(Code::bad_file, use->path.span, "the file `" + use->path.value + "` cannot be read")
            .label("looked for as " + target.lexically_normal().string());
        continue;
      }
      parse(target.lexically_normal().string(), std::move(*text));
    }
  }

  Front& front_;
  const Overlay& overlay_;
  std::set<std::string> loaded_;
};

// Constants that fail in functions of the library or behind bindings; the checker finds the plain ones.
void report_constants(Front& front) {
  if (!front.program) return;
  for (const interp::ConstantFailure& failure :
       interp::constant_failures(*front.program, interp::library_natives())) {
    if (failure.at == nullptr || !failure.at->span.is_known()) continue;
    const std::string why(interp::title_of(failure.code));
    front.findings.report(Code::constant_fails, failure.at->span, "this always fails: " + why)
        .label("known before any record is read");
  }
  if (front.findings.has_errors()) front.program.reset();
}

// Values of tests are compared with what the program writes, so they are known before it runs.
void report_test_values(Front& front) {
  if (!front.program) return;
  const auto check = [&](test::TestValues& values, const flow::Expr& expr) {
    const interp::Evaluated value = values.of(expr);
    if (value || !expr.span.is_known()) return;
    const interp::Failure& failure = value.error();
    if (failure.is_record_error()) {
      const std::string why(interp::title_of(failure.code));
      front.findings.report(Code::constant_fails, expr.span, "this always fails: " + why)
          .label("known before any record is read");
      return;
    }
    auto& finding =
        front.findings.report(Code::bad_test, expr.span, "a value in a test is known before the test runs")
            .label("this is computed while running")
            .help("write the value itself");
    if (failure.at != nullptr && failure.at->span != expr.span)
      finding.also(failure.at->span, failure.reason);
  };
  for (const build_flow::Test& test : front.tests) {
    test::TestValues values(*front.program, test);
    for (const build_flow::TestStep& step : test.steps) {
      if (step.kind == build_flow::TestStep::Kind::with_param) check(values, *step.value);
      for (const build_flow::TestRow& row : step.rows) {
        for (const build_flow::TestRow::Field& field : row.fields) check(values, *field.value);
      }
    }
  }
  if (front.findings.has_errors()) front.program.reset();
}

bool has_word(std::string_view text, std::string_view word) {
  const auto of_word = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : ' ';
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos && !word.empty();
       at = text.find(word, at + 1)) {
    if ((at == 0 || !of_word(at - 1)) && !of_word(at + word.size())) return true;
  }
  return false;
}

// What later stages find on the line of text that could not be read is mostly a consequence of that.
void drop_consequences(Front& front) {
  const auto line = [&](const diagnostics::Diagnostic& d) {
    const source::Span at = d.primary.span;
    return std::pair(at.file, front.files.file(at.file).position(at.offset).line);
  };
  std::vector<source::Span> unread_text;
  for (const ast::Module& module : front.modules) {
    for (const ast::Decl* decl : module.decls) {
      if (decl->broken && decl->unread.is_known()) unread_text.push_back(decl->unread);
    }
  }
  // In text that could not be read, or a name that stands there and is most likely declared there.
  const auto about_unread = [&](const diagnostics::Diagnostic& d) {
    const source::Span at = d.primary.span;
    const bool of_name = d.code == Code::unknown_stream || d.code == Code::unknown_type ||
                         d.code == Code::unknown_function || d.code == Code::unknown_name;
    return std::any_of(unread_text.begin(), unread_text.end(), [&](const source::Span& text) {
      const bool inside = at.file == text.file && at.offset >= text.offset && at.end() <= text.end();
      return inside || (of_name && has_word(front.files.text(text), front.files.text(at)));
    });
  };
  std::set<std::pair<source::FileId, std::uint32_t>> unread;
  for (const source::Span& text : unread_text)
    unread.emplace(text.file, front.files.file(text.file).position(text.offset).line);
  for (const diagnostics::Diagnostic& d : front.findings.all()) {
    const bool of_text = d.code == Code::unexpected_token || d.code == Code::unterminated_string ||
                         d.code == Code::unclosed_bracket;
    if (of_text && d.primary.span.is_known()) unread.insert(line(d));
  }
  for (diagnostics::Diagnostic& d : front.findings.take()) {
    const bool of_parsing = static_cast<int>(d.code) / 1000 == 1;
    if (!of_parsing && d.primary.span.is_known() && about_unread(d)) continue;
    if (of_parsing || !d.primary.span.is_known() || unread.count(line(d)) == 0)
      front.findings.add(std::move(d));
  }
}

// What the program guarantees, and what it may not do. A flow that does not hold is a mistake of the compiler.
void analyse_program(Front& front) {
  if (!front.program) return;
  if (const std::vector<flow::Fault> faults = flow::verify(*front.program); !faults.empty()) {
    front.mistake = flow::to_string(faults);
    front.program.reset();
    return;
  }
  front.analysis = analyse::analyse(*front.program, front.findings);
  if (front.findings.has_errors()) front.program.reset();
}

}  // namespace

std::string overlay_name(const std::string& path) {
  return canonical_name(path);
}

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::unique_ptr<Front> check_text(const std::string& path, std::string text, const Overlay& overlay) {
  auto front = std::make_unique<Front>();
  parse::run_on_big_stack([&] {
    Loader(*front, overlay).load(path, std::move(text));
    for (const catalog::RawPrelude& raw : catalog::raw_prelude()) {
      const source::FileId file = front->files.add(raw.path, raw.text);
      front->prelude.push_back(parse::parse_file(file, front->files, front->tree, front->findings));
    }
    build_flow::Input input;
    input.script = path;
    for (const ast::Module& module : front->modules) input.modules.push_back(&module);
    for (const ast::Module& module : front->prelude) input.prelude.push_back(&module);
    build_flow::Result result = build_flow::build(input, front->files, front->findings);
    front->program = std::move(result.program);
    front->tests = std::move(result.tests);
    report_constants(*front);
    report_test_values(*front);
    analyse_program(*front);
    drop_consequences(*front);
    front->findings.sort();
  });
  return front;
}

std::unique_ptr<Front> read_flow(const std::string& path, const std::string& text, std::string& error) {
  auto front = std::make_unique<Front>();
  front->files.add(path, text);
  parse::run_on_big_stack([&] {
    auto program = flow::read(text, flow::max_verified_depth);
    if (!program) {
      error = path + ":" + flow::to_string(program.error());
      return;
    }
    front->program = std::move(*program);
    analyse_program(*front);
    front->findings.sort();
    error = front->mistake;
  });
  return error.empty() ? std::move(front) : nullptr;
}

}  // namespace weir::driver
