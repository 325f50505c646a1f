#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "runtime/value/helpers.h"
#include "runtime/value/value_testing.h"

namespace weir::value {
namespace {

using testing::Record;

struct Case {
  const char* text;
  std::uint32_t code;
  const char* detail = nullptr;
};

class JsonDecode : public ::testing::Test {
 protected:
  std::uint32_t decode(const Record& type, const std::string& text) {
    frame_.assign(type.type()->size, '\x55');
    detail_ = {};
    // Exactly as large as the text, so that a sanitizer sees a read beyond it.
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::copy(text.begin(), text.end(), exact.get());
    const std::uint32_t code =
        weir_decode_json(worker_.get(), type.type(), exact.get(), text.size(), frame_.data(), &detail_);
    // Back to text, while what the strings view is alive.
    json_.clear();
    if (code == 0) {
      std::string out(weir_json_bound(type.type(), frame_.data()), '\0');
      out.resize(
          static_cast<std::size_t>(weir_put_json(out.data(), type.type(), frame_.data()) - out.data()));
      json_ = out;
    }
    message_ = std::string(detail_.data == nullptr ? "" : detail_.data, detail_.size);
    worker_.reset();
    return code;
  }

  testing::Worker worker_;
  std::string frame_, json_, message_;
  weir_str detail_ = {};
};

TEST_F(JsonDecode, round_trip) {
  Record type;
  type.add("id", testing::string_type())
      .add("n", testing::int_type())
      .add("amount", testing::decimal_type(12, 2))
      .add("big", testing::decimal_type(38, 20))
      .add("ratio", testing::float_type())
      .add("ok", testing::bool_type())
      .add("placed", testing::timestamp_type())
      .add("took", testing::duration_type())
      .add("raw", testing::bytes_type())
      .add("note", testing::optional(testing::string_type()))
      .add("tags", testing::list(testing::string_type()))
      .add("counts", testing::map(testing::int_type()));
  const std::string text =
      R"({"id":"a","n":-7,"amount":12.50,"big":123456789012345678.00000000000000000001,"ratio":0.1,"ok":true,)"
      R"("placed":"2026-01-01T00:00:05.25Z","took":"PT90.5S","raw":"AAEC","note":null,"tags":["x","y"],)"
      R"("counts":{"a":1,"b":2}})";
  ASSERT_EQ(decode(type, text), 0u) << message_;
  EXPECT_EQ(json_, text);
  ASSERT_EQ(
      decode(type, R"( { "counts" : {"b":2,"a":1}, "tags": [ "x" , "y" ], "raw":"AAEC","took":"PT1M30.5S",
     "placed":"2026-01-01T01:00:05.250+01:00","ok":true,"ratio":1e-1,"big":"123456789012345678.00000000000000000001",
     "amount":"1.25e1","n":-7,"id":"\u0061","unknown":{"id":[1,2,{"id":null}]} } )"),
      0u)
      << message_;
  EXPECT_EQ(json_, text);
}

TEST_F(JsonDecode, says_what_is_wrong_with_the_text_and_where) {
  Record type;
  type.add("id", testing::int_type()).add("n", testing::int_type());
  const Case cases[] = {
      {R"({"id":27,"s":"trailing"} x)", 5001, "byte 26: text behind the end of the object"},
      {R"({"id":27,"n":1} x)", 5001, "byte 17: text behind the end of the object"},
      {R"({"id":27,"n":1}{"id":1})", 5001, "byte 16: text behind the end of the object"},
      {R"({"id":27}})", 5001, "byte 10: text behind the end of the object"},
      {R"({"id":27} {})", 5001, "byte 11: text behind the end of the object"},
      {R"({"id":"}\"}"} ,)", 5001, "byte 15: text behind the end of the object"},
      {R"({"id":27,"n":1},)", 5001, "byte 16: text behind the end of the object"},
      {R"({"id":27,"n":1)", 5001, "byte 15: the object is not closed"},
      {R"({"id":27,"n":[1,2)", 5001, "byte 18: the object is not closed"},
      {R"({"id":27,"n":1 )", 5001, "byte 16: the object is not closed"},
      {"{\"id\":27,\"s\":\"a\tb\"}", 5001, "byte 16: a control character in a string"},
      {R"({"id":27})", 5003, "field `n` is missing"},
  };
  for (const Case& wrong : cases) {
    EXPECT_EQ(decode(type, wrong.text), wrong.code) << wrong.text;
    EXPECT_EQ(message_, wrong.detail) << wrong.text;
  }
}

TEST_F(JsonDecode, malformed_texts_also_in_undeclared_fields) {
  Record type;
  type.add("a", testing::optional(testing::int_type()));
  const char* values[] = {"tru",
                          "truex",
                          "nul",
                          "nulll",
                          "01",
                          "-",
                          "1.",
                          ".5",
                          "1e",
                          "1e+",
                          "+1",
                          "0x10",
                          "1_000",
                          "NaN",
                          "Infinity",
                          "-Infinity",
                          "'x'",
                          "\"\\q\"",
                          "\"\\u12\"",
                          "\"\\ud800\"",
                          "\"\\udc00\"",
                          "\"\\ud800\\u0041\"",
                          "\"x",
                          "[1,,2]",
                          "[1,]",
                          "[,1]",
                          "[1 2]",
                          "[1",
                          "{\"x\":1,}",
                          "{\"x\"}",
                          "{\"x\":}",
                          "{x:1}",
                          "{\"x\" 1}",
                          "{,}",
                          "{1:2}",
                          "",
                          "1 2",
                          "\"a\"\"b\"",
                          "\"a\"x",
                          "[1}",
                          "{\"x\":[1}]",
                          "12ab",
                          "007",
                          "\"\x01\"",
                          "\"\t\"",
                          "1]",
                          "1}",
                          "// c\n1",
                          "\"a\":1",
                          "tr\\u0075e",
                          "- 1",
                          "1 .5",
                          "\x0c"
                          "1",
                          "\xc2\xa0"
                          "1"};
  for (const char* value : values) {
    const std::string text = std::string("{\"u\":") + value + "}";
    EXPECT_FALSE(nlohmann::json::accept(text)) << text;
    EXPECT_EQ(decode(type, text), 5001u) << text << " " << message_;
    const std::string nested = std::string("{\"u\":{\"v\":[0,") + value + "]}}";
    EXPECT_EQ(decode(type, nested), 5001u) << nested << " " << message_;
  }
  for (const char* text : {"{}x",
                           "{} {}",
                           "{\"a\":1} 1",
                           "{\"a\":1}}",
                           "{\"a\":1",
                           "{",
                           "}",
                           "",
                           " ",
                           "[",
                           "[1",
                           "tru",
                           "\"",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1,",
                           "x{\"a\":1}",
                           "{\"a\":1]",
                           ",",
                           ":",
                           "{}]",
                           "{},",
                           "\xef\xbb\xbf{}"}) {
    EXPECT_EQ(decode(type, text), 5001u) << text << " " << message_;
  }
  for (const char* text :
       {"{}", " {}\t\r\n", "{\"u\":[]}", "{\"u\":1e400}", "{\"u\":123456789012345678901234567890}",
        "{\"u\":\"\\ud83d\\ude00\"}", "{\"u\":[[],{},\"\",null,true,false,-0,0.0E-5]}", "{\"u\":1,\"u\":2}",
        "{\"\":1}", "{\"u\":\"\\u0000\"}", "{\"u\":\"\xEF\xBB\xBF\"}"}) {
    EXPECT_EQ(decode(type, text), 0u) << text << " " << message_;
  }
  EXPECT_EQ(decode(type, "[1]"), 5004u);
  EXPECT_EQ(decode(type, "17"), 5004u);
  EXPECT_EQ(decode(type, "null"), 5004u);
}

TEST_F(JsonDecode, utf8) {
  Record type;
  type.add("a", testing::optional(testing::string_type()));
  for (const char* bytes :
       {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(decode(type, std::string("{\"a\":\"") + bytes + "\"}"), 5002u);
    EXPECT_EQ(message_, "byte 7: not valid UTF-8");
    EXPECT_EQ(decode(type, std::string("{\"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\":\"") + bytes + "\"}"), 5002u);
  }
  EXPECT_EQ(decode(type, "{\"a\":\"\xf0\x9f\x98\x80 e\xcc\x81\"}"), 0u);
  EXPECT_EQ(json_, "{\"a\":\"\xf0\x9f\x98\x80 e\xcc\x81\"}");
}

TEST_F(JsonDecode, codes_and_messages) {
  Record inner;
  inner.add("x", testing::int_type());
  Record type;
  type.add("id", testing::int_type())
      .add("amount", testing::optional(testing::decimal_type(10, 2)))
      .add("inner", testing::optional(inner.type()))
      .add("list", testing::optional(testing::list(inner.type())))
      .add("map", testing::optional(testing::map(inner.type())));
  const Case cases[] = {
      {R"({"amount":1})", 5003, "field `id` is missing"},
      {R"({"id":null})", 5003, "field `id` at byte 7: null, but the type int is not optional"},
      {R"({"id":1,"id":1})", 5005, "field `id` at byte 9: appears a second time"},
      {R"({"id":1,"\u0069d":1})", 5005, nullptr},
      {R"({"id":"1"})", 5004, "field `id` at byte 7: expected int, found a string"},
      {R"({"id":1.0})", 5004, "field `id` at byte 7: 1.0 is not an int, which is digits only"},
      {R"({"id":1e3})", 5004, nullptr},
      {R"({"id":9223372036854775807})", 0},
      {R"({"id":-9223372036854775808})", 0},
      {R"({"id":9223372036854775808})", 5004,
       "field `id` at byte 7: 9223372036854775808 does not fit int (64 bits)"},
      {R"({"id":true})", 5004, "field `id` at byte 7: expected int, found true"},
      {R"({"id":[1]})", 5004, "field `id` at byte 7: expected int, found an array"},
      {R"({"id":1,"amount":12.345})", 5004, "field `amount` at byte 18: 12.345 has more than 2 decimals"},
      {R"({"id":1,"amount":12.3400})", 0},
      {R"({"id":1,"amount":1e2})", 0},
      {R"({"id":1,"amount":123456789.00})", 5004,
       "field `amount` at byte 18: 123456789.00 does not fit decimal(10, 2)"},
      {R"({"id":1,"inner":{}})", 5003, "field `inner.x` is missing"},
      {R"({"id":1,"inner":{"x":1,"x":2}})", 5005, nullptr},
      {R"({"id":1,"list":[{"x":1},{"x":"a"}]})", 5004,
       "field `list[1].x` at byte 30: expected int, found a string"},
      {R"({"id":1,"map":{"k":{"x":null}}})", 5003,
       "field `map[\"k\"].x` at byte 25: null, but the type int is not optional"},
      {R"({"id":1,"map":{"k":{"x":1},"b":{"x":1},"k":{"x":1}}})", 5005,
       "field `map`: the key \"k\" appears twice"},
      {R"({"id":1,"map":[]})", 5004, "field `map` at byte 15: expected map, found an array"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(decode(type, c.text), c.code) << c.text << " " << message_;
    if (c.detail != nullptr) {
      EXPECT_EQ(message_, c.detail);
    }
  }
}

TEST_F(JsonDecode, depth_is_limited) {
  Record type;
  type.add("a", testing::optional(testing::int_type()));
  const auto nested = [](int depth) {
    return "{\"u\":" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_EQ(decode(type, nested(255)), 0u) << message_;
  EXPECT_EQ(decode(type, nested(256)), 5017u);
  EXPECT_EQ(decode(type, nested(100000)), 5017u);
}

TEST_F(JsonDecode, C036_declared_units_agree) {
  for (const auto& [codec, zeros] : {std::pair{WEIR_TIME_UNIX_S, 0}, std::pair{WEIR_TIME_UNIX_MS, 3},
                                     std::pair{WEIR_TIME_UNIX_US, 6}, std::pair{WEIR_TIME_UNIX_NS, 9}}) {
    Record type;
    type.add("t", testing::timestamp_type(codec));
    const std::string tail(static_cast<std::size_t>(zeros), '0');
    ASSERT_EQ(decode(type, "{\"t\":1577836800" + tail + "}"), 0u);
    EXPECT_EQ(json_, R"({"t":"2020-01-01T00:00:00Z"})");
    ASSERT_EQ(decode(type, "{\"t\":44582400" + tail + "}"), 0u);
    EXPECT_EQ(json_, R"({"t":"1971-06-01T00:00:00Z"})");
    ASSERT_EQ(decode(type, "{\"t\":0}"), 0u);
    EXPECT_EQ(json_, R"({"t":"1970-01-01T00:00:00Z"})");
    ASSERT_EQ(decode(type, "{\"t\":-62135596800" + tail + "}"), 0u);
    EXPECT_EQ(json_, R"({"t":"0001-01-01T00:00:00Z"})");
    EXPECT_EQ(decode(type, "{\"t\":253402300800" + tail + "}"), 5010u);
    EXPECT_EQ(decode(type, "{\"t\":1577836800000000000000000000000000000}"), 5010u);
    EXPECT_EQ(decode(type, "{\"t\":99999999999999999999999999999999999999999999999999}"), 5010u);
    EXPECT_EQ(decode(type, "{\"t\":\"1577836800\"}"), 5004u);
  }
  Record exact, floored;
  exact.add("t", testing::timestamp_type(WEIR_TIME_UNIX_NS));
  floored.add("t", testing::timestamp_type(WEIR_TIME_UNIX_NS, true));
  EXPECT_EQ(decode(exact, R"({"t":1500})"), 5010u);
  ASSERT_EQ(decode(floored, R"({"t":-1})"), 0u);
  EXPECT_EQ(json_, R"({"t":"1969-12-31T23:59:59.999999Z"})");
}

TEST_F(JsonDecode, C039_large_integers_keep_their_digits) {
  Record type;
  type.add("id", testing::int_type());
  for (const char* text :
       {R"({"id":9007199254740993})", R"({"id":9223372036854775807})", R"({"id":-9223372036854775808})"}) {
    ASSERT_EQ(decode(type, text), 0u);
    EXPECT_EQ(json_, text);
  }
}

TEST_F(JsonDecode, C040_decimals_are_exact) {
  Record type;
  type.add("d", testing::decimal_type(10, 2));
  const std::pair<const char*, const char*> good[] = {{"12", "12.00"},
                                                      {"12.1", "12.10"},
                                                      {"\"12.10\"", "12.10"},
                                                      {"-0.05", "-0.05"},
                                                      {"0", "0.00"},
                                                      {"-0", "0.00"},
                                                      {"0.0000", "0.00"},
                                                      {"99999999.99", "99999999.99"},
                                                      {"9999999999e-2", "99999999.99"}};
  for (const auto& [in, out] : good) {
    ASSERT_EQ(decode(type, std::string("{\"d\":") + in + "}"), 0u) << in << message_;
    EXPECT_EQ(json_, std::string("{\"d\":") + out + "}");
  }
  EXPECT_EQ(decode(type, R"({"d":12.345})"), 5004u);
  EXPECT_EQ(decode(type, R"({"d":100000000})"), 5004u);
  EXPECT_EQ(decode(type, R"({"d":"abc"})"), 5004u);
  EXPECT_EQ(decode(type, R"({"d":""})"), 5004u);
  Record wide;
  wide.add("d", testing::decimal_type(19, 17));
  ASSERT_EQ(decode(wide, R"({"d":0.99999999999999999})"), 0u);
  EXPECT_EQ(json_, R"({"d":0.99999999999999999})");
}

TEST_F(JsonDecode, C041_a_good_record_never_depends_on_its_neighbour) {
  Record type;
  type.add("n", testing::int_type());
  const std::string good = R"({"n":1})";
  for (const std::string& bad : {std::string("{\"n\": 12ab}"), std::string("{\"n\": 007}"),
                                 std::string("{\"s\": \"\xff\"}"), std::string("{\"n\": 1")}) {
    EXPECT_EQ(decode(type, good), 0u);
    EXPECT_NE(decode(type, bad), 0u);
    EXPECT_EQ(decode(type, good), 0u);
  }
}

TEST_F(JsonDecode, C061_strings_survive) {
  Record type;
  type.add("s", testing::string_type());
  const std::string nasty =
      "' \" \\ \n \t \r C:\\temp\\new \\d+\\b \xf0\x9f\x98\x80 e\xcc\x81 '); drop table t; -- \x01\x1f\x7f/";
  const std::string text = nlohmann::json{{"s", nasty}}.dump();
  ASSERT_EQ(decode(type, text), 0u) << message_;
  EXPECT_EQ(nlohmann::json::parse(json_)["s"], nasty);
  EXPECT_EQ(json_, text);
}

// Mutations of a good text: the same verdict as a second parser, apart from what it does not check.
TEST_F(JsonDecode, agrees_with_a_second_parser) {
  Record type;
  type.add("a", testing::optional(testing::int_type()))
      .add("m", testing::optional(testing::map(testing::float_type())));
  const std::string seeds[] = {
      R"({"u":[1,2.5e-3,"x\n\u00e9",{"k":null,"l":[true,false]}],"v":"text \"quoted\" \\ ","w":{"x":{}}})",
      R"({"b":-0.0,"c":[[[]]],"d":"\ud83d\ude00","e":"é","f":""})"};
  std::mt19937 random(7);
  const std::string alphabet = "{}[]\",:\\u0123456789eE+-.tfn alrsu/\x01\xc3\xa9";
  for (int round = 0; round < 40000; ++round) {
    std::string text = seeds[random() % 2];
    for (unsigned i = 0, n = 1 + random() % 3; i < n; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 2);
          break;
        default:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
      if (text.empty()) {
        text = "{";
      }
    }
    const std::uint32_t code = decode(type, text);
    const bool valid = nlohmann::json::accept(text);
    const std::string padded = text + std::string(WEIR_INPUT_PADDING, '\0');
    const char* end = padded.data() + text.size();
    const char* skipped = weir_skip_value(padded.data(), end);
    while (skipped != nullptr && skipped < end && *skipped == ' ') {
      ++skipped;
    }
    const bool whole = skipped == end;
    // A type error before the first error of grammar is the record's error.
    ASSERT_TRUE(valid ? code != 5001 && code != 5002 : code != 0) << text << " " << message_;
    ASSERT_EQ(valid, whole) << text;
  }
}

}  // namespace
}  // namespace weir::value
