#include <gtest/gtest.h>

#include <string>

#include "runtime/value/decoder.h"
#include "runtime/value/helpers.h"
#include "runtime/value/regex.h"
#include "runtime/value/text.h"
#include "runtime/value/text_tables.h"
#include "runtime/value/value_testing.h"

namespace weir::value {
namespace {

using testing::Record;

class TextFormats : public ::testing::Test {
 protected:
  void open(const std::string& format, const Record& type, const std::string& header = "",
            const std::vector<std::string>& nulls = {}, const std::vector<std::string>& regexes = {},
            const std::vector<TimePatternText>& patterns = {}) {
    type_ = type.type();
    auto tables = make_text_tables(regexes, patterns);
    ASSERT_TRUE(tables.has_value()) << tables.error();
    tables_ = *tables;
    worker_.get()->texts = tables_.get();
    DecoderOptions options;
    options.format = format;
    options.type = type_;
    options.null_texts = nulls;
    options.texts = tables_.get();
    options.header = header;
    auto opened = open_decoder(options);
    error_ = opened ? "" : opened.error();
    decoder_ = opened ? std::move(*opened) : nullptr;
  }

  // The record as JSON, or its code and message.
  std::string decode(const std::string& record) {
    std::string frame(type_->size, '\x55');
    weir_str detail = {};
    const std::uint32_t code =
        weir_decode_csv(worker_.get(), decoder_.get(), record.data(), record.size(), frame.data(), &detail);
    std::string out;
    if (code == 0) {
      out.resize(weir_json_bound(type_, frame.data()));
      out.resize(static_cast<std::size_t>(weir_put_json(out.data(), type_, frame.data()) - out.data()));
    } else {
      out = std::to_string(code) + ": " + std::string(detail.data, detail.size);
    }
    worker_.reset();
    return out;
  }

  testing::Worker worker_;
  const weir_type* type_ = nullptr;
  std::shared_ptr<const weir_text_tables> tables_;
  std::unique_ptr<const Decoder> decoder_;
  std::string error_;
};

TEST_F(TextFormats, csv_by_header) {
  Record type;
  type.add("id", testing::string_type())
      .add("n", testing::optional(testing::int_type()))
      .add("price", "unit price $", testing::decimal_type(8, 2));
  open("csv", type, "\xEF\xBB\xBFunit price $,ignored,\"id\",n\r\n");
  ASSERT_EQ(error_, "");
  EXPECT_EQ(decode("1.5,x,a,7"), R"({"id":"a","n":7,"unit price $":1.50})");
  EXPECT_EQ(decode("1.5,,,"), R"({"id":"","n":null,"unit price $":1.50})");
  EXPECT_EQ(decode("\"2\",\"a,b\",\"say \"\"hi\"\"\",\"7\""),
            R"({"id":"say \"hi\"","n":7,"unit price $":2.00})");
  EXPECT_EQ(decode("1,x,\"a\r\nb\",1"), R"({"id":"a\r\nb","n":1,"unit price $":1.00})");
  EXPECT_EQ(decode("1,x,a"), "5011: 3 fields, but the header has 4");
  EXPECT_EQ(decode("1,x,a,1,"), "5011: 5 fields, but the header has 4");
  EXPECT_EQ(decode(",x,a,1"),
            "5003: field `unit price $` at byte 1: absent, but the type decimal(8, 2) is not optional");
  EXPECT_EQ(decode("1,x,a,1.0"), "5004: field `n` at byte 7: 1.0 is not an int, which is digits only");
  EXPECT_EQ(decode("1,x,a,\"\""), "5004: field `n` at byte 7: \"\" is not an int");
  EXPECT_EQ(decode("1,x,a\"b,1"), "5001: byte 6: a quote inside a field that does not begin with one");
  EXPECT_EQ(decode("1,x,\"a\"b,1"), "5001: byte 8: text behind a closing quote");
  EXPECT_EQ(decode("1,x,\"a,1"), "5001: byte 5: a quote is not closed");
  EXPECT_EQ(decode("1,x,a\xff,1"), "5002: byte 6: not valid UTF-8");
  EXPECT_EQ(decode("1,x,\xEF\xBB\xBF,1"), "{\"id\":\"\xEF\xBB\xBF\",\"n\":1,\"unit price $\":1.00}");
}

TEST_F(TextFormats, csv_absent_and_empty) {
  Record type;
  type.add("s", testing::string_type()).add("o", testing::optional(testing::string_type()));
  open("csv", type, "s,o", {"-", "NULL", ""});
  EXPECT_EQ(decode(","), R"({"s":"","o":null})");
  EXPECT_EQ(decode("\"\",\"\""), R"({"s":"","o":""})");
  EXPECT_EQ(decode("a,NULL"), R"({"s":"a","o":null})");
  EXPECT_EQ(decode("a,\"NULL\""), R"({"s":"a","o":"NULL"})");
  EXPECT_EQ(decode("-,a"), "5003: field `s` at byte 1: absent, but the type string is not optional");
}

TEST_F(TextFormats, csv_open_errors) {
  Record type;
  type.add("id", testing::string_type()).add("n", testing::optional(testing::int_type()));
  open("csv", type, "n,name");
  EXPECT_EQ(error_, "the header has no column `id`, which is required");
  open("csv", type, "id");
  EXPECT_EQ(error_, "");
  EXPECT_EQ(decode("a"), R"({"id":"a","n":null})");
  open("csv", type, "id,n,id");
  EXPECT_EQ(error_, "the header has the column `id` twice");
  open("csv", type, "id,x,x");
  EXPECT_EQ(error_, "");
  open("csv", type, "\"id");
  EXPECT_EQ(error_, "the header is malformed: a quote is not closed");
  Record lists;
  lists.add("l", testing::list(testing::int_type()));
  open("csv", lists, "l");
  EXPECT_EQ(error_, "the field `l` is of type list, which a text format cannot hold");
}

TEST_F(TextFormats, csv_nested_records_are_dotted) {
  Record inner;
  inner.add("start", testing::timestamp_type()).add("end", testing::timestamp_type());
  Record type;
  type.add("window", inner.type()).add("ok", testing::bool_type());
  open("csv", type, "ok,window.end,window.start");
  EXPECT_EQ(decode("true,2026-01-01T00:01:00Z,2026-01-01T00:00:00Z"),
            R"({"window":{"start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:01:00Z"},"ok":true})");
  EXPECT_EQ(decode("yes,2026-01-01T00:01:00Z,2026-01-01T00:00:00Z"),
            "5004: field `ok` at byte 1: \"yes\" is not true or false");
}

TEST_F(TextFormats, text_is_one_string) {
  Record type;
  type.add("line", testing::string_type());
  open("text", type);
  EXPECT_EQ(decode(R"(C:\temp "x")"), R"({"line":"C:\\temp \"x\""})");
  EXPECT_EQ(decode("\xff"), "5002: byte 1: not valid UTF-8");
  Record two;
  two.add("a", testing::string_type()).add("b", testing::string_type());
  open("text", two);
  EXPECT_EQ(error_, "the format text needs a type with exactly one field, of type string");
}

TEST_F(TextFormats, regex_groups_are_fields) {
  Record type;
  type.add("client", testing::string_type())
      .add("time", testing::timestamp_type(WEIR_TIME_PATTERN))
      .add("status", testing::int_type())
      .add("size", testing::optional(testing::int_type()))
      .add("agent", testing::optional(testing::string_type()))
      .add("none", testing::optional(testing::string_type()));
  open(
      "regex", type, "", {"-"},
      {R"re((?<client>\S+) \S+ \S+ \[(?<time>[^\]]+)\] "(?:[^"\\]|\\.)*" (?<status>\d{3}) (?<size>\S+)(?: "(?<agent>.*)")?)re"},
      {{"%d/%b/%Y:%H:%M:%S %z", ""}});
  ASSERT_EQ(error_, "");
  EXPECT_EQ(
      decode(R"(1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 203023 "é")"),
      R"({"client":"1.2.3.4","time":"2015-05-17T10:05:03Z","status":200,"size":203023,"agent":"é","none":null})");
  EXPECT_EQ(
      decode(R"(1.2.3.4 - - [17/May/2015:10:05:03 +0000] "\"" 304 -)"),
      R"({"client":"1.2.3.4","time":"2015-05-17T10:05:03Z","status":304,"size":null,"agent":null,"none":null})");
  EXPECT_EQ(decode(R"(1.2.3.4 - - [17/Mai/2015:10:05:03 +0000] "" 304 -)"),
            "5004: field `time` at byte 14: \"17/Mai/2015:10:05:03 +0000\" does not match the time pattern "
            "\"%d/%b/%Y:%H:%M:%S %z\"");
  EXPECT_EQ(decode(R"(- - - [17/May/2015:10:05:03 +0000] "" 304 -)"),
            "5003: field `client` at byte 1: absent, but the type string is not optional");
  EXPECT_EQ(decode(R"(1.2.3.4 - - [17/May/2015:10:05:03 +0000] "" 304 - trailing)"),
            "5012: the line does not match the pattern: 1.2.3.4 - - [17/May/2015:10:05:03 +0000]…");
  open("regex", type, "", {}, {R"((?<client>\S+))"});
  EXPECT_EQ(error_, "the pattern has no group (?<time>…), which is required");
}

std::vector<std::string> groups(const std::string& pattern) {
  const auto regex = Regex::make(pattern);
  return regex ? (*regex)->groups() : std::vector<std::string>{"?"};
}

std::string problem(const std::string& pattern) {
  char text[200];
  return {text, weir_regex_problem(pattern.data(), pattern.size(), text, sizeof text)};
}

TEST(Regexes, named_groups_and_errors) {
  EXPECT_EQ(groups(R"((?<a>x)(y)(?P<b>z))"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_TRUE(groups(R"([(?<a>]\(?<b)").empty());
  EXPECT_EQ(groups(R"([^]](?<a>x))").size(), 1u);
  EXPECT_EQ(groups(R"([[:alpha:](?<no>](?<a>x))").size(), 1u);
  EXPECT_EQ(groups(R"(\Q(?<no>\E(?<a>x))").size(), 1u);
  EXPECT_EQ(problem("a+"), "");
  EXPECT_EQ(problem(R"(\\C)"), "");
  EXPECT_EQ(problem("[z-a]"), "invalid character class range: z-a");
  for (const char* bad :
       {"(", R"((?<=x)y)", R"((a)\1)", R"(\p{Foo})", "a{2,1}", R"(\h)", "[[:foo:]]", R"(a\C)"}) {
    EXPECT_NE(problem(bad), "") << bad;
  }
  char text[100];
  EXPECT_EQ(std::string(text, weir_time_pattern_problem("%Y %m", 5, "", 0, 1, text, sizeof text)),
            "the pattern has no day (%d)");
  EXPECT_EQ(weir_time_pattern_problem("%Y %m", 5, "", 0, 0, text, sizeof text), 0u);
  EXPECT_EQ(std::string(text, weir_time_pattern_problem("%F", 2, "X/Y", 3, 0, text, sizeof text)),
            "there is no time zone \"X/Y\"");
  EXPECT_FALSE(make_text_tables({"("}, {}).has_value());
  EXPECT_FALSE(make_text_tables({}, {{"%Y", "Nowhere/Land"}}).has_value());
}

}  // namespace
}  // namespace weir::value
