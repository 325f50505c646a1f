#include "compiler/lower/json_parser.h"

#include <llvm/IR/Constants.h>
#include <nlohmann/json.hpp>

#include "compiler/lower/emitter.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using types::Kind;
using types::Type;
using types::TypeRef;

namespace {

constexpr std::size_t most_fields = 64;  // one bit each
constexpr std::size_t inlined_fields =
    16;                           // readers of larger records are calls, for the sake of compile time
constexpr int plain_digits = 18;  // that the number readers know

const std::string& wire_name(const types::Field& field) {
  return field.wire_name.empty() ? field.name : field.wire_name;
}

// A key that JSON writes in one way only.
bool plain_name(const std::string& name) {
  return nlohmann::json(name).dump() == "\"" + name + "\"";
}

class RecordParser {
 public:
  RecordParser(JsonParsers& parsers, Unit& unit, const TypeRef& type, llvm::Function* function,
               source::Span span)
      : parsers_(parsers), unit_(unit), type_(type), span_(span), e_(unit, function, span) {
    e_.worker = function->getArg(0);
    end_ = function->getArg(2);
    slot_ = function->getArg(3);
  }

  void run() {
    const std::size_t count = type_->fields.size();
    cursor_ = e_.frame(unit_.ptr, "cursor");
    seen_ = e_.frame(unit_.i64, "seen");
    expected_ = e_.frame(unit_.i32, "expected");
    fail_ = e_.block("fail");
    finish_ = e_.block("finish");
    any_key_ = e_.block("any_key");
    for (std::size_t i = 0; i < count; ++i) {
      keys_.push_back(e_.block("key"));
      values_.push_back(e_.block("value"));
    }

    e_.save(e_.function->getArg(1), cursor_);
    e_.save(unit_.constant(0), seen_);
    const std::vector<std::uint64_t> offsets = field_offsets(*type_);
    for (std::size_t i = 0; i < count; ++i) {
      const Type& field = *type_->fields[i].type;
      if (field.kind == Kind::kOptional) clear(e_.offset(slot_, offsets[i]), field);
    }
    expect('{');
    space();
    llvm::BasicBlock* empty = e_.block("empty");
    llvm::BasicBlock* first = e_.block("first");
    e_.branch_unlikely(is('}'), empty, first);
    e_.at(empty);
    advance(1);
    e_.ir.CreateBr(finish_);
    e_.at(first);
    to_key(0);

    for (std::size_t i = 0; i < count; ++i) {
      predicted_key(i);
      field_value(i, offsets[i]);
    }
    other_key();
    end_of_record();
    e_.at(fail_);
    e_.ir.CreateRet(llvm::Constant::getNullValue(unit_.ptr));
  }

 private:
  // ---- The cursor
  llvm::Value* at() { return e_.load(unit_.ptr, cursor_, "p"); }
  void move(llvm::Value* p) { e_.save(p, cursor_); }
  void advance(std::uint64_t bytes) { move(e_.offset(at(), bytes)); }
  llvm::Value* byte() { return e_.load(unit_.i8, at(), "byte"); }

  // The byte here is c, and belongs to the text.
  llvm::Value* is(char c) {
    llvm::Value* same = e_.ir.CreateICmpEQ(byte(), e_.ir.getInt8(static_cast<std::uint8_t>(c)));
    return e_.ir.CreateAnd(same, e_.ir.CreateICmpULT(at(), end_));
  }

  void fail_unless(llvm::Value* condition) {
    llvm::BasicBlock* good = e_.block("good");
    e_.branch_unlikely(e_.ir.CreateNot(condition), fail_, good);
    e_.at(good);
  }

  void expect(char c) {
    fail_unless(is(c));
    advance(1);
  }

  void space() {
    llvm::BasicBlock* skip = e_.block("space");
    llvm::BasicBlock* after = e_.block("after_space");
    e_.ir.CreateCondBr(e_.ir.CreateICmpULE(byte(), e_.ir.getInt8(' ')), skip, after);
    e_.at(skip);
    move(e_.call("weir_skip_space", unit_.ptr, {at(), end_}));
    e_.ir.CreateBr(after);
    e_.at(after);
  }

  // Moves to what a reader returned; null gives up.
  void accept(llvm::Value* next) {
    if (type_->fields.size() > inlined_fields)
      llvm::cast<llvm::CallInst>(next)->addFnAttr(llvm::Attribute::NoInline);
    fail_unless(e_.ir.CreateIsNotNull(next));
    move(next);
  }

  // Whether the text here begins with these bytes.
  llvm::Value* begins_with(const std::string& text) {
    llvm::Value* size = unit_.constant(static_cast<std::int64_t>(text.size()));
    llvm::Value* left =
        e_.ir.CreateSub(e_.ir.CreatePtrToInt(end_, unit_.i64), e_.ir.CreatePtrToInt(at(), unit_.i64));
    llvm::Value* enough = e_.ir.CreateICmpSGE(left, size);
    // Short texts may be compared before it is known that they are there: the input is padded.
    if (text.size() > 48) fail_unless(enough);
    llvm::Value* different = e_.call("memcmp", unit_.i32, {at(), unit_.bytes(text), size});
    return e_.ir.CreateAnd(enough, e_.ir.CreateICmpEQ(different, unit_.constant32(0)));
  }

  void clear(llvm::Value* address, const Type& type) {
    e_.ir.CreateMemSet(address, e_.ir.getInt8(0), layout_of(type).size, llvm::Align(1));
  }

  // ---- Keys
  void to_key(std::size_t index) {
    if (index < keys_.size()) {
      e_.ir.CreateBr(keys_[index]);
      return;
    }
    e_.save(unit_.constant32(static_cast<std::uint32_t>(index)), expected_);
    e_.ir.CreateBr(any_key_);
  }

  void predicted_key(std::size_t index) {
    e_.at(keys_[index]);
    const std::string text = "\"" + wire_name(type_->fields[index]) + "\":";
    llvm::BasicBlock* hit = e_.block("hit");
    llvm::BasicBlock* miss = e_.block("miss");
    e_.ir.CreateCondBr(begins_with(text), hit, miss);
    e_.at(hit);
    advance(text.size());
    e_.ir.CreateBr(values_[index]);
    e_.at(miss);
    e_.save(unit_.constant32(static_cast<std::uint32_t>(index)), expected_);
    e_.ir.CreateBr(any_key_);
  }

  // A key that is not the predicted one: another declared field, or one to skip.
  void other_key() {
    e_.at(any_key_);
    expect('"');
    llvm::Value* key = e_.frame(unit_.str, "key");
    accept(e_.call("weir_read_string", unit_.ptr, {at(), end_, key}));
    space();
    expect(':');
    llvm::Value* data = e_.load(unit_.ptr, key);
    llvm::Value* size = e_.load(unit_.i64, e_.offset(key, 8));
    for (std::size_t i = 0; i < type_->fields.size(); ++i) {
      const std::string& name = wire_name(type_->fields[i]);
      llvm::BasicBlock* compare = e_.block("compare");
      llvm::BasicBlock* other = e_.block("other");
      llvm::Value* length = unit_.constant(static_cast<std::int64_t>(name.size()));
      e_.ir.CreateCondBr(e_.ir.CreateICmpEQ(size, length), compare, other);
      e_.at(compare);
      llvm::Value* different = e_.call("memcmp", unit_.i32, {data, unit_.bytes(name), length});
      e_.ir.CreateCondBr(e_.ir.CreateICmpEQ(different, unit_.constant32(0)), values_[i], other);
      e_.at(other);
    }
    accept(e_.call("weir_skip_value", unit_.ptr, {at(), end_}));
    llvm::BasicBlock* next = after_value();
    e_.at(next);
    llvm::SwitchInst* resume =
        e_.ir.CreateSwitch(e_.load(unit_.i32, expected_), any_key_, static_cast<unsigned>(keys_.size()));
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      resume->addCase(llvm::cast<llvm::ConstantInt>(unit_.constant32(static_cast<std::uint32_t>(i))),
                      keys_[i]);
    }
  }

  // `,` leads to the returned block, `}` to the end; the cursor stands behind either.
  llvm::BasicBlock* after_value() {
    space();
    llvm::BasicBlock* next = e_.block("comma");
    llvm::BasicBlock* close = e_.block("close");
    e_.ir.CreateCondBr(is(','), next, close);
    e_.at(close);
    expect('}');
    e_.ir.CreateBr(finish_);
    e_.at(next);
    advance(1);
    space();
    llvm::BasicBlock* follow = e_.block("follow");
    e_.ir.CreateBr(follow);
    return follow;
  }

  void field_value(std::size_t index, std::uint64_t offset) {
    e_.at(values_[index]);
    llvm::Value* bit = unit_.constant(static_cast<std::int64_t>(std::uint64_t{1} << index));
    llvm::Value* seen = e_.load(unit_.i64, seen_);
    fail_unless(e_.ir.CreateICmpEQ(e_.ir.CreateAnd(seen, bit), unit_.constant(0)));
    e_.save(e_.ir.CreateOr(seen, bit), seen_);
    space();
    value(type_->fields[index].type, e_.offset(slot_, offset));
    e_.at(after_value());
    to_key(index + 1);
  }

  void end_of_record() {
    e_.at(finish_);
    std::uint64_t required = 0;
    for (std::size_t i = 0; i < type_->fields.size(); ++i) {
      if (type_->fields[i].type->kind != Kind::kOptional) required |= std::uint64_t{1} << i;
    }
    llvm::Value* mask = unit_.constant(static_cast<std::int64_t>(required));
    fail_unless(e_.ir.CreateICmpEQ(e_.ir.CreateAnd(e_.load(unit_.i64, seen_), mask), mask));
    e_.ir.CreateRet(at());
  }

  // ---- Values. The cursor stands at the first byte.
  void value(const TypeRef& type, llvm::Value* slot) {
    switch (type->kind) {
      case Kind::kBool:
        return accept(e_.call("weir_read_bool", unit_.ptr, {at(), end_, slot}));
      case Kind::kInt:
        return accept(e_.call("weir_read_int", unit_.ptr, {at(), end_, slot}));
      case Kind::kFloat:
        return accept(e_.call("weir_read_float", unit_.ptr, {at(), end_, slot}));
      case Kind::kDecimal:
        return decimal(*type, slot);
      case Kind::kString:
        expect('"');
        return accept(e_.call("weir_read_string", unit_.ptr, {at(), end_, slot}));
      case Kind::kTimestamp:
        return timestamp(*type, slot);
      case Kind::kRecord:
        return accept(e_.ir.CreateCall(parsers_.parser(type, span_), {e_.worker, at(), end_, slot}));
      case Kind::kOptional:
        return optional(*type, slot);
      case Kind::kList:
        return list(*type, slot);
      default:
        throw Unsupported("a generated parser of " + types::to_string(type));
    }
  }

  void decimal(const Type& type, llvm::Value* slot) {
    const int precision = is_wide(type) ? plain_digits : type.precision;
    llvm::Value* target = is_wide(type) ? static_cast<llvm::Value*>(e_.frame(unit_.i64, "unscaled")) : slot;
    accept(e_.call("weir_read_decimal", unit_.ptr,
                   {at(), end_, unit_.constant32(static_cast<std::uint32_t>(type.scale)),
                    unit_.constant32(static_cast<std::uint32_t>(precision)), target}));
    if (is_wide(type)) e_.save(e_.ir.CreateSExt(e_.load(unit_.i64, target), unit_.i128), slot);
  }

  void timestamp(const Type& type, llvm::Value* slot) {
    using Form = types::TimeCodec::Form;
    const auto unix_time = [&](std::uint32_t digits) {
      accept(
          e_.call("weir_read_unix_time", unit_.ptr,
                  {at(), end_, unit_.constant32(digits), unit_.constant32(type.codec.floor ? 1 : 0), slot}));
    };
    switch (type.codec.form) {
      case Form::kRfc3339:
        expect('"');
        accept(e_.call("weir_read_timestamp", unit_.ptr, {at(), end_, slot}));
        return expect('"');
      case Form::kUnixS:
        return unix_time(0);
      case Form::kUnixMs:
        return unix_time(3);
      case Form::kUnixUs:
        return unix_time(6);
      case Form::kUnixNs:
        return unix_time(9);
      case Form::kPattern: {
        expect('"');
        llvm::Value* text = e_.frame(unit_.str, "time");
        accept(e_.call("weir_read_string", unit_.ptr, {at(), end_, text}));
        llvm::Value* texts = e_.load(unit_.ptr, e_.member(unit_.worker, e_.worker, 13), "texts");
        llvm::Value* status =
            e_.call("weir_time_parse", unit_.i32,
                    {texts, unit_.constant32(unit_.time_pattern(type.codec.pattern, type.codec.zone)),
                     e_.load(unit_.ptr, text), e_.load(unit_.i64, e_.offset(text, 8)), slot});
        return fail_unless(e_.ir.CreateICmpEQ(status, unit_.constant32(0)));
      }
    }
  }

  // The slot is zero bytes before.
  void optional(const Type& type, llvm::Value* slot) {
    llvm::BasicBlock* null = e_.block("null");
    llvm::BasicBlock* given = e_.block("given");
    llvm::BasicBlock* after = e_.block("optional");
    e_.ir.CreateCondBr(is('n'), null, given);
    e_.at(null);
    fail_unless(begins_with("null"));
    advance(4);
    e_.ir.CreateBr(after);
    e_.at(given);
    value(type.element, slot);
    e_.save(e_.ir.getInt8(1), e_.offset(slot, presence_offset(type)));
    e_.ir.CreateBr(after);
    e_.at(after);
  }

  void list(const Type& type, llvm::Value* slot) {
    constexpr std::uint64_t initial = 8;
    const std::uint64_t size = layout_of(*type.element).size;
    const auto bytes = [&](llvm::Value* elements) {
      return e_.ir.CreateMul(elements, unit_.constant(static_cast<std::int64_t>(size)));
    };
    llvm::Value* data = e_.frame(unit_.ptr, "data");
    llvm::Value* count = e_.frame(unit_.i64, "count");
    llvm::Value* capacity = e_.frame(unit_.i64, "capacity");
    llvm::BasicBlock* element = e_.block("element");
    llvm::BasicBlock* done = e_.block("list");
    e_.save(llvm::Constant::getNullValue(unit_.ptr), data);
    e_.save(unit_.constant(0), count);
    e_.save(unit_.constant(0), capacity);
    expect('[');
    space();
    e_.ir.CreateCondBr(is(']'), done, element);

    e_.at(element);
    llvm::BasicBlock* grow = e_.block("grow");
    llvm::BasicBlock* read = e_.block("read");
    e_.ir.CreateCondBr(e_.ir.CreateICmpEQ(e_.load(unit_.i64, count), e_.load(unit_.i64, capacity)), grow,
                       read);
    e_.at(grow);
    llvm::Value* doubled = e_.ir.CreateShl(e_.load(unit_.i64, capacity), 1);
    llvm::Value* room = e_.ir.CreateSelect(e_.ir.CreateICmpEQ(doubled, unit_.constant(0)),
                                           unit_.constant(static_cast<std::int64_t>(initial)), doubled);
    llvm::Value* fresh = e_.scratch(bytes(room));
    e_.ir.CreateMemCpy(fresh, llvm::Align(1), e_.load(unit_.ptr, data), llvm::Align(1),
                       bytes(e_.load(unit_.i64, count)));
    e_.save(fresh, data);
    e_.save(room, capacity);
    e_.ir.CreateBr(read);
    e_.at(read);
    llvm::Value* place =
        e_.ir.CreateInBoundsGEP(unit_.i8, e_.load(unit_.ptr, data), bytes(e_.load(unit_.i64, count)));
    if (type.element->kind == Kind::kOptional) clear(place, *type.element);
    value(type.element, place);
    e_.save(e_.ir.CreateAdd(e_.load(unit_.i64, count), unit_.constant(1)), count);
    space();
    llvm::BasicBlock* more = e_.block("more");
    e_.ir.CreateCondBr(is(','), more, done);
    e_.at(more);
    advance(1);
    space();
    e_.ir.CreateBr(element);

    e_.at(done);
    expect(']');
    e_.save(e_.load(unit_.ptr, data), slot);
    e_.save(e_.load(unit_.i64, count), e_.offset(slot, 8));
  }

  JsonParsers& parsers_;
  Unit& unit_;
  TypeRef type_;
  source::Span span_;
  Emitter e_;
  llvm::Value* end_ = nullptr;
  llvm::Value* slot_ = nullptr;
  llvm::Value* cursor_ = nullptr;
  llvm::Value* seen_ = nullptr;
  llvm::Value* expected_ = nullptr;
  llvm::BasicBlock* fail_ = nullptr;
  llvm::BasicBlock* finish_ = nullptr;
  llvm::BasicBlock* any_key_ = nullptr;
  std::vector<llvm::BasicBlock*> keys_;
  std::vector<llvm::BasicBlock*> values_;
};

}  // namespace

bool JsonParsers::predictable(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kString:
    case Kind::kTimestamp:
      return true;
    case Kind::kDecimal:
      return !is_wide(type) || type.scale <= plain_digits;
    case Kind::kOptional:
    case Kind::kList:
      return predictable(*type.element);
    case Kind::kRecord:
      if (type.fields.size() > most_fields) return false;
      for (const types::Field& field : type.fields) {
        if (!plain_name(wire_name(field)) || !predictable(*field.type)) return false;
      }
      return true;
    default:
      return false;
  }
}

llvm::Function* JsonParsers::parser(const TypeRef& record, source::Span span) {
  for (const auto& [type, function] : made_) {
    if (type == record || types::identical(*type, *record)) return function;
  }
  llvm::Function* function =
      unit_.function("parse." + record->name,
                     llvm::FunctionType::get(unit_.ptr, {unit_.ptr, unit_.ptr, unit_.ptr, unit_.ptr}, false));
  made_.emplace_back(record, function);
  RecordParser(*this, unit_, record, function, span).run();
  return function;
}

}  // namespace weir::lower
