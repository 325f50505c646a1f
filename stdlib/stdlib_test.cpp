// Native functions at their edges. Ordinary use stands in their examples, which are tests too.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "runtime/value/text_tables.h"
#include "runtime/value/value_testing.h"
#include "stdlib/native.h"

extern "C" {
void weir_fn_upper(weir_worker*, weir_str*, const char*, uint64_t);
void weir_fn_lower(weir_worker*, weir_str*, const char*, uint64_t);
int32_t weir_fn_replace(weir_worker*, weir_str*, const char*, uint64_t, const char*, uint64_t, const char*,
                        uint64_t);
int32_t weir_fn_split(weir_worker*, weir_list*, const char*, uint64_t, const char*, uint64_t);
int32_t weir_fn_substring(weir_worker*, weir_str*, const char*, uint64_t, int64_t, int64_t);
void weir_fn_index_of(weir_worker*, weir::stdlib::OptionalInt*, const char*, uint64_t, const char*, uint64_t);
int32_t weir_fn_repeat(weir_worker*, weir_str*, const char*, uint64_t, int64_t);
int32_t weir_fn_pad_start(weir_worker*, weir_str*, const char*, uint64_t, int64_t, const char*, uint64_t);
void weir_fn_reverse(weir_worker*, weir_str*, const char*, uint64_t);
void weir_fn_regex_replace(weir_worker*, weir_str*, const char*, uint64_t, uint32_t, const char*, uint64_t);
void weir_fn_regex_extract(weir_worker*, weir::stdlib::OptionalString*, const char*, uint64_t, uint32_t,
                           int64_t);
int32_t weir_fn_abs__int(weir_worker*, int64_t*, int64_t);
int32_t weir_fn_modulo(weir_worker*, int64_t*, int64_t, int64_t);
void weir_fn_weekday(weir_worker*, int64_t*, int64_t);
void weir_fn_hour(weir_worker*, int64_t*, int64_t);
void weir_fn_day_of_year(weir_worker*, int64_t*, int64_t);
void weir_fn_to_unix_s(weir_worker*, int64_t*, int64_t);
int32_t weir_fn_from_unix_s(weir_worker*, int64_t*, int64_t);
int32_t weir_fn_to_int__string(weir_worker*, int64_t*, const char*, uint64_t);
void weir_fn_uuid_from(weir_worker*, weir_str*, const char*, uint64_t);
void weir_fn_uuid(weir_worker*, weir_str*);
void weir_fn_random(weir_worker*, double*);
void weir_fn_env(weir_worker*, weir::stdlib::OptionalString*, const char*, uint64_t);
void weir_fn_hash(weir_worker*, int64_t*, const char*, uint64_t);
}

namespace weir::stdlib {
namespace {

class Library : public ::testing::Test {
 protected:
  weir_worker* w() { return worker_.get(); }
  static std::string text(weir_str s) { return s.size == 0 ? "" : std::string(s.data, s.size); }
  std::string replace(const std::string& s, const std::string& part, const std::string& by) {
    weir_str out;
    EXPECT_EQ(weir_fn_replace(w(), &out, s.data(), s.size(), part.data(), part.size(), by.data(), by.size()),
              0);
    return text(out);
  }
  std::string substring(const std::string& s, std::int64_t start, std::int64_t count) {
    weir_str out;
    const std::int32_t code = weir_fn_substring(w(), &out, s.data(), s.size(), start, count);
    return code == 0 ? text(out) : std::to_string(code);
  }
  std::int64_t index_of(const std::string& s, const std::string& part) {
    OptionalInt out;
    weir_fn_index_of(w(), &out, s.data(), s.size(), part.data(), part.size());
    return out.present != 0 ? out.value : -1;
  }
  std::string regex_replace(const std::string& pattern, const std::string& s, const std::string& by) {
    const auto tables = value::make_text_tables({pattern}, {});
    EXPECT_TRUE(tables.has_value());
    w()->texts = tables->get();
    weir_str out;
    weir_fn_regex_replace(w(), &out, s.data(), s.size(), 0, by.data(), by.size());
    return text(out);
  }

  value::testing::Worker worker_;
};

TEST_F(Library, case_mapping) {
  weir_str out;
  const std::string in = "aZ09 \xc3\xa9\xc4\xb1\xe2\x84\xaa\xc8\xba \xf0\x90\x90\xa8";  // é ı K Ⱥ 𐐨
  weir_fn_upper(w(), &out, in.data(), in.size());
  EXPECT_EQ(text(out), "AZ09 \xc3\x89I\xe2\x84\xaa\xc8\xba \xf0\x90\x90\x80");
  weir_fn_lower(w(), &out, in.data(), in.size());
  EXPECT_EQ(text(out), "az09 \xc3\xa9\xc4\xb1k\xe2\xb1\xa5 \xf0\x90\x90\xa8");
  weir_fn_upper(w(), &out, "", 0);
  EXPECT_EQ(text(out), "");
}

TEST_F(Library, replace_and_split) {
  EXPECT_EQ(replace("aaa", "a", ""), "");
  EXPECT_EQ(replace("", "a", "b"), "");
  EXPECT_EQ(replace("ab", "ab", "abab"), "abab");
  EXPECT_EQ(replace("xaby", "ab", ""), "xy");
  EXPECT_EQ(replace("aab", "ab", "-"), "a-");
  weir_list parts;
  ASSERT_EQ(weir_fn_split(w(), &parts, "a--b--", 6, "--", 2), 0);
  ASSERT_EQ(parts.count, 3u);
  EXPECT_EQ(text(static_cast<const weir_str*>(parts.data)[2]), "");
  EXPECT_EQ(weir_fn_split(w(), &parts, "a", 1, "", 0), 5019);
}

TEST_F(Library, code_points) {
  const std::string s = "n\xc3\xa9\xf0\x9f\x98\x80!";
  EXPECT_EQ(substring(s, 1, 1), "\xc3\xa9");
  EXPECT_EQ(substring(s, 2, 100), "\xf0\x9f\x98\x80!");
  EXPECT_EQ(substring(s, 0, 0), "");
  EXPECT_EQ(substring(s, 4, 1), "");
  EXPECT_EQ(substring(s, INT64_MAX, INT64_MAX), "");
  EXPECT_EQ(substring(s, 0, -1), "5013");
  EXPECT_EQ(substring(s, INT64_MIN, 1), "5013");
  EXPECT_EQ(index_of(s, "!"), 3);
  EXPECT_EQ(index_of(s, "x"), -1);
  EXPECT_EQ(index_of(s, ""), 0);
  EXPECT_EQ(index_of("", ""), 0);
  EXPECT_EQ(index_of("", "x"), -1);
  EXPECT_EQ(index_of("aaab", "aab"), 1);
  weir_str out;
  weir_fn_reverse(w(), &out, s.data(), s.size());
  EXPECT_EQ(text(out), "!\xf0\x9f\x98\x80\xc3\xa9n");
  EXPECT_EQ(weir_fn_pad_start(w(), &out, s.data(), s.size(), 6, "\xc3\xa9", 2), 0);
  EXPECT_EQ(text(out), "\xc3\xa9\xc3\xa9" + s);
  EXPECT_EQ(weir_fn_pad_start(w(), &out, s.data(), s.size(), 6, "ab", 2), 5019);
  EXPECT_EQ(weir_fn_pad_start(w(), &out, s.data(), s.size(), INT64_MAX, "a", 1), 5019);
  EXPECT_EQ(weir_fn_pad_start(w(), &out, s.data(), s.size(), INT64_MIN, "a", 1), 0);
  EXPECT_EQ(weir_fn_repeat(w(), &out, "ab", 2, INT64_MAX), 5019);
  EXPECT_EQ(weir_fn_repeat(w(), &out, "", 0, INT64_MAX), 0);
}

TEST_F(Library, regexes) {
  EXPECT_EQ(regex_replace(R"(\d+)", "a1b22", "#"), "a#b#");
  EXPECT_EQ(regex_replace("", "n\xc3\xa9", "-"), "-n-\xc3\xa9-");
  EXPECT_EQ(regex_replace("x*", "axxb", "-"), "-a-b-");
  EXPECT_EQ(regex_replace(R"((\w)(\w)?)", "abc", "[$2$1$0$9$$$x]"), "[baab$$x][cc$$x]");
  EXPECT_EQ(regex_replace("^a", "aaa", ""), "aa");
  EXPECT_EQ(regex_replace("b", "", "x"), "");
  EXPECT_EQ(regex_replace("", "", "x"), "x");
  const auto tables = value::make_text_tables({"(a)|(b)"}, {});
  w()->texts = tables->get();
  OptionalString out;
  weir_fn_regex_extract(w(), &out, "xb", 2, 0, 2);
  EXPECT_EQ(out.present, 1);
  EXPECT_EQ(text(out.value), "b");
  for (const std::int64_t group : {std::int64_t{1}, std::int64_t{3}, std::int64_t{-1}, INT64_MAX}) {
    weir_fn_regex_extract(w(), &out, "xb", 2, 0, group);
    EXPECT_EQ(out.present, 0);
  }
}

TEST_F(Library, C053_smallest_ints) {
  std::int64_t out;
  EXPECT_EQ(weir_fn_abs__int(w(), &out, INT64_MIN), 5006);
  EXPECT_EQ(weir_fn_abs__int(w(), &out, -INT64_MAX), 0);
  EXPECT_EQ(weir_fn_modulo(w(), &out, INT64_MIN, -1), 0);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(weir_fn_modulo(w(), &out, INT64_MIN, 0), 5007);
  EXPECT_EQ(weir_fn_modulo(w(), &out, INT64_MIN, INT64_MAX), 0);
  EXPECT_EQ(out, INT64_MAX - 1);
  const auto to_int = [&](const std::string& s) {
    return weir_fn_to_int__string(w(), &out, s.data(), s.size());
  };
  EXPECT_EQ(to_int("-9223372036854775808"), 0);
  EXPECT_EQ(out, INT64_MIN);
  EXPECT_EQ(to_int("9223372036854775808"), 5009);
  EXPECT_EQ(to_int("99999999999999999999x"), 5016);
  EXPECT_EQ(to_int(""), 5016);
  EXPECT_EQ(to_int("-"), 5016);
  EXPECT_EQ(to_int("+1"), 5016);
  EXPECT_EQ(weir_fn_from_unix_s(w(), &out, INT64_MAX), 5010);
  EXPECT_EQ(weir_fn_from_unix_s(w(), &out, 253402300800), 5010);
}

TEST_F(Library, times_before_1970) {
  std::int64_t out;
  for (int i = -800; i < 800; ++i) {
    weir_fn_weekday(w(), &out, i * std::int64_t{86400000000} + 5);
    EXPECT_EQ(out, ((i + 3) % 7 + 7) % 7 + 1);
  }
  weir_fn_hour(w(), &out, -1);
  EXPECT_EQ(out, 23);
  weir_fn_day_of_year(w(), &out, -1);
  EXPECT_EQ(out, 365);
  weir_fn_to_unix_s(w(), &out, -1);
  EXPECT_EQ(out, -1);
  weir_fn_to_unix_s(w(), &out, -1000000);
  EXPECT_EQ(out, -1);
}

TEST_F(Library, identities) {
  weir_str a, b;
  weir_fn_uuid_from(w(), &a, "order-1", 7);
  EXPECT_EQ(text(a), "15a42c16-14a1-84f6-bede-77b457b2e91e");  // golden: it must never change
  weir_fn_uuid(w(), &a);
  weir_fn_uuid(w(), &b);
  EXPECT_NE(text(a), text(b));
  EXPECT_EQ(text(a)[14], '4');
  EXPECT_NE(std::string("89ab").find(text(a)[19]), std::string::npos);
  double x;
  weir_fn_random(w(), &x);
  EXPECT_TRUE(x >= 0 && x < 1);
  OptionalString out;
  weir_fn_env(w(), &out, "WEIR_NOT_SET_ANYWHERE", 21);
  EXPECT_EQ(out.present, 0);
  weir_fn_env(w(), &out, "PATH", 4);
  EXPECT_EQ(out.present, 1);
  std::int64_t h;
  weir_fn_hash(w(), &h, "order-1", 7);
  EXPECT_EQ(static_cast<std::uint64_t>(h), weir_hash("order-1", 7));
}

}  // namespace
}  // namespace weir::stdlib
