// Expressions: the syntax tree in, typed flow expressions out. One object per root expression; what an expression can see
// is its scope. A mistake is reported once and becomes a poisoned expression, which fits everywhere.
// Each kind of expression has its file: literals.cpp, names.cpp, arithmetic.cpp, …
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/expr.h"
#include "compiler/check/context.h"
#include "compiler/check/make.h"

namespace weir::check {

struct Local {
  std::string name;
  int id = 0;
  TypeRef type;
};

struct Scope {
  TypeRef row;              // the current row; nullptr: none. An error: fields are unknown, say nothing
  bool meta = false;        // `meta` may be read
  std::string no_meta_why;  // why not
  std::vector<Local> locals;
  std::vector<std::string> present;  // paths (see path_of) that are known not to be absent
  bool params_computed = true;       // a param that is read here reaches more than addresses
  bool maps = false;                 // a record literal may be a map (rows of tests)
  bool tried = false;  // inside `try`: an operation that always fails is what the script asks for
};

// What holds when a condition is true, and when it is false.
struct Facts {
  std::vector<std::string> when_true;
  std::vector<std::string> when_false;
};

class Elaborator {
 public:
  Elaborator(Context& context, Scope scope);

  // Types of a generic function's variables.
  void use_types(const TypeBindings& variables) { variables_ = variables; }

  // `hint` is the type that is wanted, if one is; the result may have another.
  ExprRef check(const ast::Expr& expr, const TypeRef& hint = nullptr);
  // The result has the type `target` (or is poison). `what` is the subject of the message: "the condition of `where`";
  // `declared` is where the target type comes from, if it is in the text.
  ExprRef check_as(const ast::Expr& expr, const TypeRef& target, const std::string& what, Span declared = {});
  ExprRef condition(const ast::Expr& expr, const std::string& what);

  static Facts facts(const ExprRef& condition);
  // "row.a.b", "local3.c"; empty if the expression is not a path.
  static std::string path_of(const ExprRef& expr);

  Scope& scope() { return scope_; }
  Context& context() { return context_; }
  int new_local() { return next_local_++; }

  // ---- conversions (coerce.cpp)
  // Without a message; nullptr if there is no conversion.
  ExprRef convert(const ExprRef& value, const TypeRef& target);
  ExprRef coerce(const ExprRef& value, const TypeRef& target, const ast::Expr& at, const std::string& what,
                 Span declared = {});
  // Gives all values one type; false if there is none (nothing reported).
  bool unify(std::vector<ExprRef>& values);
  // Reports that a value may be absent where it must not be.
  ExprRef report_absent(const ExprRef& value, const ast::Expr& at, const std::string& what);

  // ---- pieces that library functions with rules of their own need (special.cpp)
  ExprRef divide_integers(const ExprRef& left, const ExprRef& right, const ast::Expr& at);
  ExprRef divide(const ExprRef& left, const ExprRef& right, const ast::Expr& at, int scale);
  ExprRef to_text(const ExprRef& value, const ast::Expr& at);
  ExprRef compare(Op op, ExprRef left, ExprRef right, const ast::Expr& at, const ast::Expr& left_at,
                  const ast::Expr& right_at, Span op_span);

 private:
  ExprRef check_inner(const ast::Expr& expr, const TypeRef& hint);
  ExprRef literal(const ast::Expr& expr, const TypeRef& hint);
  ExprRef interpolation(const ast::InterpolationExpr& expr);
  ExprRef list(const ast::ListExpr& expr, const TypeRef& hint);
  ExprRef record(const ast::RecordExpr& expr, const TypeRef& hint);
  ExprRef map(const ast::RecordExpr& expr, const TypeRef& type);
  ExprRef name(const ast::NameExpr& expr);
  ExprRef unknown_name(const ast::NameExpr& expr);
  ExprRef field(const ast::FieldExpr& expr);
  ExprRef field_of(const ExprRef& object, const ast::FieldExpr& expr);
  ExprRef index(const ast::IndexExpr& expr);
  ExprRef call(const ast::CallExpr& expr);
  ExprRef optional_call(const ast::CallExpr& expr);
  ExprRef unary(const ast::UnaryExpr& expr, const TypeRef& hint);
  ExprRef negate(const ast::UnaryExpr& expr, const TypeRef& hint);
  ExprRef binary(const ast::BinaryExpr& expr, const TypeRef& hint);
  ExprRef logic(const ast::BinaryExpr& expr);
  ExprRef comparison(const ast::BinaryExpr& expr);
  ExprRef null_comparison(const ast::BinaryExpr& expr, const ast::Expr& value_at);
  ExprRef membership(const ast::BinaryExpr& expr);
  ExprRef coalesce(const ast::BinaryExpr& expr, const TypeRef& hint);
  ExprRef arithmetic(const ast::BinaryExpr& expr, const TypeRef& hint);
  ExprRef numbers(Op op, ExprRef left, ExprRef right, const ast::BinaryExpr& expr);
  ExprRef decimals(Op op, const ExprRef& left, const ExprRef& right, const ast::Expr& at, int scale);
  ExprRef times(Op op, const ExprRef& left, const ExprRef& right, const ast::BinaryExpr& expr, bool& matched);
  ExprRef is_null(const ast::IsNullExpr& expr);
  ExprRef try_value(const ast::TryExpr& expr, const TypeRef& hint);
  ExprRef if_value(const ast::IfExpr& expr, const TypeRef& hint);
  ExprRef let(const ast::LetExpr& expr, const TypeRef& hint);
  ExprRef match(const ast::MatchExpr& expr, const TypeRef& hint);

  // Calls, by where the function comes from.
  ExprRef call_declared(const ast::FnDecl& decl, const ast::CallExpr& expr);
  ExprRef call_library(const catalog::Function& function, const ast::CallExpr& expr);
  ExprRef call_special(const ast::CallExpr& expr);
  ExprRef call_compiled(const catalog::Function& function, const ast::CallExpr& expr);
  ExprRef unknown_function(const ast::CallExpr& expr);
  // Reads what a generic function's type parameters stand for off an argument.
  void bind_type_params(const ast::FnDecl& decl, const ast::TypeExpr& type, const TypeRef& actual,
                        TypeBindings& variables);
  // Arguments in the order of `names`; nullptr for one that is not given. nullopt if they do not fit (reported).
  std::optional<std::vector<const ast::Expr*>> arrange(const ast::CallExpr& expr,
                                                       const std::vector<std::string>& names,
                                                       std::size_t required, const std::string& signature);
  ExprRef lambda(const ast::LambdaExpr& expr, const std::vector<TypeRef>& parameters, const TypeRef& result,
                 const std::string& what);
  ExprRef native(const catalog::Signature& signature, std::vector<ExprRef> args, TypeRef result,
                 const ast::Expr& at);

  // With the facts in force, for the lifetime of the object.
  class Assume {
   public:
    Assume(Elaborator& elaborator, const std::vector<std::string>& facts)
        : present_(elaborator.scope_.present), size_(present_.size()) {
      present_.insert(present_.end(), facts.begin(), facts.end());
    }
    ~Assume() { present_.resize(size_); }
    Assume(const Assume&) = delete;
    Assume& operator=(const Assume&) = delete;

   private:
    std::vector<std::string>& present_;
    std::size_t size_;
  };

  // Folds constants. Reports an operation that always fails; poison then. nullptr: not constant.
  ExprRef folded(Op op, const TypeRef& type, const ExprRef& left, const ExprRef& right, Span span);
  // The value with its absence taken away where that is known.
  ExprRef narrowed(const ExprRef& value);
  NewExpr node(Op op, TypeRef type, const ast::Expr& at, std::vector<ExprRef> args = {});
  Diagnostic& report(Code code, Span span, std::string message) {
    return context_.out.report(code, span, std::move(message));
  }
  // The text of the expression for use inside an edit, in parentheses where it needs them.
  std::string operand_text(const ast::Expr& expr) const;

  Context& context_;
  Scope scope_;
  TypeBindings variables_;
  int next_local_ = 0;
};

// Common type of two, nullptr if there is none: decimals meet in the wider one, T and null in T?.
TypeRef common_type(const TypeRef& a, const TypeRef& b);
// Whether values of the type have one form as a key; else the reason.
std::optional<std::string> not_a_key(const types::Type& type);

}  // namespace weir::check
