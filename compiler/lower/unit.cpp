#include "compiler/lower/unit.h"

#include <algorithm>
#include <filesystem>

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"
#include "runtime/abi/abi.h"

namespace weir::lower {

using types::Kind;
using types::Type;

Unit::Unit(const flow::Program& program, const source::Files* files, bool optimise)
    : program_(program),
      files_(files),
      context_(std::make_unique<llvm::LLVMContext>()),
      module_(std::make_unique<llvm::Module>(program.settings.name, *context_)),
      debug_(std::make_unique<llvm::DIBuilder>(*module_)) {
  llvm::LLVMContext& c = *context_;
  i1 = llvm::Type::getInt1Ty(c);
  i8 = llvm::Type::getInt8Ty(c);
  i32 = llvm::Type::getInt32Ty(c);
  i64 = llvm::Type::getInt64Ty(c);
  i128 = llvm::Type::getInt128Ty(c);
  f64 = llvm::Type::getDoubleTy(c);
  ptr = llvm::PointerType::getUnqual(c);
  void_type = llvm::Type::getVoidTy(c);
  str = llvm::StructType::create(c, {ptr, i64}, "weir_str");
  buffer = llvm::StructType::create(c, {ptr, ptr, ptr, i64}, "weir_buffer");
  counters = llvm::StructType::create(c, {i64, i64, i64, i64}, "weir_source_counters");
  worker = llvm::StructType::create(
      c, {i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr}, "weir_worker");
  input =
      llvm::StructType::create(c, {ptr, ptr, i64, i64, i32, i32, ptr, str, i64, ptr, ptr, i64}, "weir_input");
  field_struct_ = llvm::StructType::create(c, {str, str, i32, i32, ptr}, "weir_field");
  llvm::Type* three = llvm::ArrayType::get(i8, 3);
  type_struct_ = llvm::StructType::create(
      c, {i8, i8, i8, i8, i8, three, i32, i32, i32, i32, ptr, i32, i32, ptr}, "weir_type");

  module_->setSourceFileName(program.script);
  module_->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module_->addModuleFlag(llvm::Module::Warning, "Dwarf Version", 5);
  module_->setPICLevel(llvm::PICLevel::BigPIC);
  module_->setUwtable(llvm::UWTableKind::Async);
  module_->setFramePointer(llvm::FramePointerKind::All);
  const std::filesystem::path script = program.script.empty() ? "program.weir" : program.script;
  debug_file_ = debug_->createFile(script.filename().string(), script.parent_path().string());
  debug_->createCompileUnit(llvm::dwarf::DW_LANG_C, debug_file_, "weir", optimise, "", 0, "",
                            llvm::DICompileUnit::LineTablesOnly);
}

llvm::ConstantInt* Unit::constant(std::int64_t value) const {
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(*context_), static_cast<std::uint64_t>(value), true);
}

llvm::ConstantInt* Unit::constant32(std::uint32_t value) const {
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(*context_), value);
}

llvm::ConstantInt* Unit::constant128(flow::Int128 value) const {
  const auto bits = static_cast<unsigned __int128>(value);
  const std::uint64_t words[2] = {static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64)};
  return llvm::ConstantInt::get(*context_, llvm::APInt(128, words));
}

llvm::Constant* Unit::global(const char* name, llvm::Constant* value, std::uint64_t align) {
  auto* variable = new llvm::GlobalVariable(*module_, value->getType(), true,
                                            llvm::GlobalValue::PrivateLinkage, value, name);
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  variable->setAlignment(llvm::Align(align));
  return variable;
}

llvm::Constant* Unit::bytes(std::string_view text) {
  auto [entry, added] = texts_.try_emplace(std::string(text), nullptr);
  if (added) {
    llvm::Constant* value =
        llvm::ConstantDataArray::getString(*context_, llvm::StringRef(text.data(), text.size()), false);
    entry->second = global("text", value, 1);
  }
  return entry->second;
}

llvm::Constant* Unit::text(std::string_view text) {
  return llvm::ConstantStruct::get(str, {bytes(text), constant(static_cast<std::int64_t>(text.size()))});
}

llvm::Constant* Unit::descriptor(const types::TypeRef& type) {
  for (const auto& [known, constant] : descriptors_) {
    if (known == type || types::identical(*known, *type)) return constant;
  }
  llvm::Constant* result = build_descriptor(*type);
  descriptors_.emplace_back(type, result);
  return result;
}

namespace {

std::uint8_t kind_number(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return WEIR_BOOL;
    case Kind::kInt:
      return WEIR_INT;
    case Kind::kFloat:
      return WEIR_FLOAT;
    case Kind::kDecimal:
      return WEIR_DECIMAL;
    case Kind::kString:
      return WEIR_STRING;
    case Kind::kBytes:
      return WEIR_BYTES;
    case Kind::kTimestamp:
      return WEIR_TIMESTAMP;
    case Kind::kDuration:
      return WEIR_DURATION;
    case Kind::kList:
      return WEIR_LIST;
    case Kind::kMap:
      return WEIR_MAP;
    case Kind::kRecord:
      return WEIR_RECORD;
    case Kind::kOptional:
      return WEIR_OPTIONAL;
    case Kind::kError:
    case Kind::kNull:
      break;
  }
  throw Unsupported("a value without a type");
}

std::uint8_t codec_number(types::TimeCodec::Form form) {
  switch (form) {
    case types::TimeCodec::Form::kRfc3339:
      return WEIR_TIME_RFC3339;
    case types::TimeCodec::Form::kUnixS:
      return WEIR_TIME_UNIX_S;
    case types::TimeCodec::Form::kUnixMs:
      return WEIR_TIME_UNIX_MS;
    case types::TimeCodec::Form::kUnixUs:
      return WEIR_TIME_UNIX_US;
    case types::TimeCodec::Form::kUnixNs:
      return WEIR_TIME_UNIX_NS;
    case types::TimeCodec::Form::kPattern:
      return WEIR_TIME_PATTERN;
  }
  return WEIR_TIME_RFC3339;
}

}  // namespace

llvm::Constant* Unit::build_descriptor(const Type& type) {
  llvm::Constant* null = llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(ptr));
  const auto small = [&](int value) { return llvm::ConstantInt::get(i8, static_cast<std::uint64_t>(value)); };
  const auto word = [&](std::uint64_t value) { return llvm::ConstantInt::get(i32, value); };

  llvm::Constant* element = null;
  llvm::Constant* fields = null;
  std::uint64_t element_size = 0;
  std::uint64_t value_offset = 0;
  std::uint32_t pattern = 0;
  std::uint64_t field_count = 0;
  switch (type.kind) {
    case Kind::kList:
      element = descriptor(type.element);
      element_size = layout_of(*type.element).size;
      break;
    case Kind::kMap:
      element = descriptor(type.element);
      element_size = map_entry_layout(type).size;
      value_offset = map_value_offset(type);
      break;
    case Kind::kOptional:
      element = descriptor(type.element);
      break;
    case Kind::kTimestamp:
      if (type.codec.form == types::TimeCodec::Form::kPattern) {
        pattern = time_pattern(type.codec.pattern, type.codec.zone);
      }
      break;
    case Kind::kRecord: {
      std::vector<llvm::Constant*> list;
      const std::vector<std::uint64_t> offsets = field_offsets(type);
      field_count = type.fields.size();
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        const types::Field& field = type.fields[i];
        list.push_back(llvm::ConstantStruct::get(
            field_struct_, {text(field.name), text(field.wire_name.empty() ? field.name : field.wire_name),
                            word(offsets[i]), word(0), descriptor(field.type)}));
      }
      if (!list.empty()) {
        fields = global("fields",
                        llvm::ConstantArray::get(llvm::ArrayType::get(field_struct_, list.size()), list), 8);
      }
      break;
    }
    default:
      break;
  }
  const Layout layout = layout_of(type);
  return global("type",
                llvm::ConstantStruct::get(
                    type_struct_, {small(kind_number(type.kind)), small(type.precision), small(type.scale),
                                   small(type.kind == Kind::kTimestamp ? codec_number(type.codec.form) : 0),
                                   small(type.kind == Kind::kTimestamp && type.codec.floor ? 1 : 0),
                                   llvm::ConstantAggregateZero::get(llvm::ArrayType::get(i8, 3)),
                                   word(pattern), word(layout.size), word(layout.align), word(field_count),
                                   element, word(element_size), word(value_offset), fields}),
                8);
}

llvm::Type* Unit::register_type(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
    case Kind::kOptional:
      return i1;
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return i64;
    case Kind::kFloat:
      return f64;
    case Kind::kDecimal:
      return is_wide(type) ? i128 : i64;
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return ptr;
    case Kind::kRecord:
    case Kind::kError:
    case Kind::kNull:
      break;
  }
  throw Unsupported("no register holds " + types::to_string(type));
}

namespace {

bool has_second(Kind kind) {
  return kind == Kind::kString || kind == Kind::kBytes || kind == Kind::kList || kind == Kind::kMap;
}

}  // namespace

std::vector<llvm::Type*> Unit::leaf_types(const Type& type) {
  std::vector<llvm::Type*> result;
  switch (type.kind) {
    case Kind::kRecord:
      for (const types::Field& part : type.fields) {
        for (llvm::Type* leaf : leaf_types(*part.type)) result.push_back(leaf);
      }
      break;
    case Kind::kOptional:
      result = leaf_types(*type.element);
      result.push_back(i1);
      break;
    default:
      result.push_back(register_type(type));
      if (has_second(type.kind)) result.push_back(i64);
  }
  return result;
}

llvm::Function* Unit::function(const std::string& name, llvm::FunctionType* type) {
  llvm::Function* result = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, *module_);
  result->addFnAttr(llvm::Attribute::NoUnwind);
  result->addFnAttr("frame-pointer", "all");
  result->setUWTableKind(llvm::UWTableKind::Default);
  return result;
}

llvm::FunctionCallee Unit::external(const char* name, llvm::FunctionType* type) {
  llvm::FunctionCallee callee = module_->getOrInsertFunction(name, type);
  if (auto* declared = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    declared->addFnAttr(llvm::Attribute::NoUnwind);
  }
  return callee;
}

std::uint32_t Unit::site(const Site& site) {
  const auto key = std::make_tuple(site.code, site.stage, site.message, site.source, site.fatal);
  auto [entry, added] = site_index_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (added) sites_.push_back(site);
  return entry->second;
}

std::uint32_t Unit::point(int code, const std::string& message) {
  points_.push_back({code, message});
  return static_cast<std::uint32_t>(points_.size() - 1);
}

std::uint32_t Unit::regex(const std::string& pattern) {
  const auto found = std::find(regexes_.begin(), regexes_.end(), pattern);
  if (found == regexes_.end()) {
    regexes_.push_back(pattern);
    return static_cast<std::uint32_t>(regexes_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - regexes_.begin());
}

std::uint32_t Unit::time_pattern(const std::string& pattern, const std::string& zone) {
  const auto wanted = std::make_pair(pattern, zone);
  const auto found = std::find(time_patterns_.begin(), time_patterns_.end(), wanted);
  if (found == time_patterns_.end()) {
    time_patterns_.push_back(wanted);
    return static_cast<std::uint32_t>(time_patterns_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - time_patterns_.begin());
}

std::uint32_t Unit::line(source::Span span) const {
  if (files_ == nullptr || !span.is_known()) return 0;
  return files_->position(span).line;
}

void Unit::attach_scope(llvm::Function* function, source::Span span) {
  const std::uint32_t at = line(span);
  llvm::DISubroutineType* type = debug_->createSubroutineType(debug_->getOrCreateTypeArray({}));
  function->setSubprogram(debug_->createFunction(debug_file_, function->getName(), function->getName(),
                                                 debug_file_, at, type, at, llvm::DINode::FlagZero,
                                                 llvm::DISubprogram::SPFlagDefinition));
}

llvm::DebugLoc Unit::location(llvm::Function* function, source::Span span) {
  llvm::DISubprogram* scope = function->getSubprogram();
  std::uint32_t at = scope->getLine();
  std::uint32_t column = 0;
  if (files_ != nullptr && span.is_known()) {
    const source::Position position = files_->position(span);
    at = position.line;
    column = position.column;
  }
  return llvm::DILocation::get(*context_, at, column, scope);
}

void Unit::finish() {
  debug_->finalize();
}

}  // namespace weir::lower
