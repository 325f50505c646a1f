#include "compiler/lower/machine.h"

#include <set>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CBindingWrapping.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace weir::lower {

namespace {

constexpr const char* triple = "x86_64-pc-linux-gnu";

// Generated code is straight lines and branches that are known to be rare; the helpers come optimised. One round of
// each pass that pays takes a third of the time of the standard pipeline and gives code of the same speed and size.
constexpr const char* passes =
    "cgscc(inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>)),globaldce,"
    "function(sroa,early-cse<memssa>,simplifycfg,gvn,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm<allowspeculation>,loop-rotate),dse,"
    "simplifycfg<hoist-common-insts;sink-common-insts>,adce)";

// Owns what the C interface hands out.
struct Machine {
  LLVMTargetMachineRef machine = nullptr;
  ~Machine() {
    if (machine != nullptr) LLVMDisposeTargetMachine(machine);
  }
};

std::string take(char* message) {
  std::string text = message == nullptr ? "" : message;
  LLVMDisposeMessage(message);
  return text;
}

std::expected<void, std::string> make_machine(Machine& out, const Request& request) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(triple, &target, &message) != 0) return std::unexpected(take(message));
  out.machine = LLVMCreateTargetMachine(target, triple, request.cpu.c_str(), "",
                                        request.optimise ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone,
                                        LLVMRelocPIC, LLVMCodeModelSmall);
  if (out.machine == nullptr) return std::unexpected("no code generator for " + request.cpu);
  return {};
}

// The most instructions that copies of one helper may add to a program. A helper that is called more often stays a
// call: wide rows and many sinks would otherwise make functions that take many seconds to optimise.
constexpr std::size_t most_copied = 4000;

void bound_copies(llvm::Function& helper) {
  std::size_t calls = 0;
  for (const llvm::User* user : helper.users()) calls += llvm::isa<llvm::CallInst>(user) ? 1 : 0;
  if (calls > 1 && calls * helper.getInstructionCount() > most_copied) {
    helper.removeFnAttr(llvm::Attribute::AlwaysInline);
    helper.addFnAttr(llvm::Attribute::NoInline);
  }
}

// Adds the definitions of helpers that the module calls, private to it.
std::expected<void, std::string> link_helpers(Unit& unit, const Request& request) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> helpers =
      llvm::getLazyIRFileModule(request.helpers.string(), error, unit.context());
  if (!helpers)
    return std::unexpected("cannot read " + request.helpers.string() + ": " + error.getMessage().str());
  helpers->setTargetTriple(unit.module().getTargetTriple());
  helpers->setDataLayout(unit.module().getDataLayout());

  std::set<std::string> own;
  for (const llvm::Function& function : unit.module()) {
    if (!function.isDeclaration()) own.insert(function.getName().str());
  }
  for (const llvm::GlobalVariable& variable : unit.module().globals()) {
    if (!variable.isDeclaration()) own.insert(variable.getName().str());
  }
  if (llvm::Linker::linkModules(unit.module(), std::move(helpers), llvm::Linker::LinkOnlyNeeded)) {
    return std::unexpected("the helpers do not fit the program");
  }
  for (llvm::Function& function : unit.module()) {
    if (function.isDeclaration() || own.count(function.getName().str()) > 0) continue;
    // The program's processor decides, not the one that the helpers were compiled for.
    for (const char* name : {"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size"}) {
      function.removeFnAttr(name);
    }
    function.addFnAttr("frame-pointer", "all");
    function.setUWTableKind(llvm::UWTableKind::Default);
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    bound_copies(function);
  }
  for (llvm::GlobalVariable& variable : unit.module().globals()) {
    if (variable.isDeclaration() || own.count(variable.getName().str()) > 0) continue;
    if (variable.getName().starts_with("llvm.")) continue;
    variable.setComdat(nullptr);
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return {};
}

}  // namespace

std::expected<std::string, std::string> emit_machine_code(Unit& unit, const Request& request) {
  Machine machine;
  if (auto made = make_machine(machine, request); !made) return std::unexpected(made.error());
  LLVMModuleRef module = llvm::wrap(&unit.module());
  LLVMSetTarget(module, triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine.machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);

  if (!request.helpers.empty() && request.optimise) {
    if (auto linked = link_helpers(unit, request); !linked) return std::unexpected(linked.error());
  }
  for (llvm::Function& function : unit.module()) {
    if (!function.isDeclaration()) function.addFnAttr("target-cpu", request.cpu);
  }

  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed =
      LLVMRunPasses(module, request.optimise ? passes : "default<O0>", machine.machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (failed != nullptr) {
    char* message = LLVMGetErrorMessage(failed);
    std::string text = message;
    LLVMDisposeErrorMessage(message);
    return std::unexpected(text);
  }

  if (request.emit == Emit::llvm) {
    std::string text;
    llvm::raw_string_ostream out(text);
    unit.module().print(out, nullptr);
    return text;
  }
  char* message = nullptr;
  LLVMMemoryBufferRef buffer = nullptr;
  const LLVMCodeGenFileType type = request.emit == Emit::assembly ? LLVMAssemblyFile : LLVMObjectFile;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine.machine, module, type, &message, &buffer) != 0) {
    return std::unexpected(take(message));
  }
  std::string bytes(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return bytes;
}

}  // namespace weir::lower
