// What all functions of one program share while they are emitted: the LLVM module, constants, type descriptors,
// the tables of record errors, debug information. One thread; lives as long as the emission.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "compiler/flow/flow.h"
#include "compiler/source/files.h"

namespace weir::lower {

// A record error that an operator's code can raise: an entry of the plan's "sites".
struct Site {
  int code = 0;
  std::string stage;
  std::string message;  // empty: the decoder says it
  int source = 0;       // whose policy applies, index in the plan
  bool fatal = false;   // ends the run whatever the policy: an error while a rejected record is worked on
};

// A record error inside a function of the program; its stage is known at the call only.
struct Point {
  int code = 0;
  std::string message;
};

struct FunctionInfo {
  llvm::Function* function = nullptr;
  std::vector<std::uint32_t> points;  // that it or what it calls can raise
};

class Unit {
 public:
  Unit(const flow::Program& program, const source::Files* files, bool optimise);

  const flow::Program& program() const { return program_; }
  llvm::Module& module() { return *module_; }
  llvm::LLVMContext& context() { return *context_; }

  // Types by the names of abi.h.
  llvm::Type* i1;
  llvm::Type* i8;
  llvm::Type* i32;
  llvm::Type* i64;
  llvm::Type* i128;
  llvm::Type* f64;
  llvm::Type* ptr;
  llvm::Type* void_type;
  llvm::StructType* str;     // weir_str
  llvm::StructType* worker;  // weir_worker
  llvm::StructType* buffer;  // weir_sink_buffer and weir_exchange_buffer
  llvm::StructType* input;   // weir_input
  llvm::StructType* counters;

  llvm::ConstantInt* constant(std::int64_t value) const;     // i64
  llvm::ConstantInt* constant32(std::uint32_t value) const;  // i32
  llvm::ConstantInt* constant128(flow::Int128 value) const;
  llvm::Constant* bytes(std::string_view text);  // pointer to constant bytes; no terminator
  llvm::Constant* text(std::string_view text);   // weir_str
  // The weir_type of a type, with the codecs and wire names that it has.
  llvm::Constant* descriptor(const types::TypeRef& type);

  // The registers of a value: the type of its `first`, and all in order of its parts.
  llvm::Type* register_type(const types::Type& type);
  std::vector<llvm::Type*> leaf_types(const types::Type& type);

  // A function that nothing outside the module sees, with the attributes that every emitted function has.
  llvm::Function* function(const std::string& name, llvm::FunctionType* type);
  // Declares a function of the helpers or of the runtime.
  llvm::FunctionCallee external(const char* name, llvm::FunctionType* type);

  // Record errors.
  std::uint32_t site(const Site& site);
  std::uint32_t point(int code, const std::string& message);
  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<Point>& points() const { return points_; }
  std::vector<FunctionInfo>& functions() { return functions_; }

  // Patterns that the plan carries; the index in its list.
  std::uint32_t regex(const std::string& pattern);
  std::uint32_t time_pattern(const std::string& pattern, const std::string& zone);
  const std::vector<std::string>& regexes() const { return regexes_; }
  const std::vector<std::pair<std::string, std::string>>& time_patterns() const { return time_patterns_; }

  // Debug information: every function has a scope, every instruction a line.
  void attach_scope(llvm::Function* function, source::Span span);
  llvm::DebugLoc location(llvm::Function* function, source::Span span);
  void finish();

 private:
  llvm::Constant* global(const char* name, llvm::Constant* value, std::uint64_t align);
  llvm::Constant* build_descriptor(const types::Type& type);
  std::uint32_t line(source::Span span) const;

  const flow::Program& program_;
  const source::Files* files_;
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::DIBuilder> debug_;
  llvm::DIFile* debug_file_ = nullptr;
  llvm::StructType* type_struct_ = nullptr;
  llvm::StructType* field_struct_ = nullptr;
  std::unordered_map<std::string, llvm::Constant*> texts_;
  std::vector<std::pair<types::TypeRef, llvm::Constant*>> descriptors_;
  std::vector<Site> sites_;
  std::map<std::tuple<int, std::string, std::string, int, bool>, std::uint32_t> site_index_;
  std::vector<Point> points_;
  std::vector<FunctionInfo> functions_;
  std::vector<std::string> regexes_;
  std::vector<std::pair<std::string, std::string>> time_patterns_;
};

}  // namespace weir::lower
