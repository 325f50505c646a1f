#include "runtime/state/journal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::state {
namespace {

Delta delta_of(std::vector<std::pair<std::string, std::string>> rows, std::vector<Delta::Range> dropped) {
  Delta delta;
  for (const auto& [key, value] : rows) {
    std::uint64_t offset = delta.bytes.size();
    delta.bytes += key + value;
    delta.rows.push_back(
        {offset, static_cast<std::uint32_t>(key.size()), static_cast<std::uint32_t>(value.size())});
  }
  delta.dropped = std::move(dropped);
  return delta;
}

std::string said(std::string_view journal, bool* whole) {
  std::string text;
  EntryVisitor visitor;
  visitor.dropped = [&](std::string_view from, std::string_view to) {
    text.append("-").append(from).append("..").append(to).append(" ");
  };
  visitor.row = [&](std::string_view key, std::string_view value) {
    text.append(key).append("=").append(value).append(" ");
  };
  visitor.entry_done = [&] { text += "| "; };
  *whole = read_entries(journal, visitor);
  return text;
}

TEST(journal, gives_back_what_was_appended) {
  std::vector<Delta> first;
  first.push_back(delta_of({{"a", "1"}, {"bb", ""}}, {}));
  first.push_back(delta_of({{"c", "333"}}, {{"k", "l"}}));
  std::vector<Delta> second;
  second.push_back(delta_of({}, {{"a", "b"}, {"", "z"}}));
  std::string journal;
  append_entry(journal, 7, first);
  EXPECT_EQ(journal.size(), entry_size(first));
  std::size_t one = journal.size();
  append_entry(journal, 8, second);
  EXPECT_EQ(journal.size(), one + entry_size(second));
  bool whole = false;
  EXPECT_EQ(said(journal, &whole), "-k..l a=1 bb= c=333 | -a..b -..z | ");
  EXPECT_TRUE(whole);
  EXPECT_EQ(said("", &whole), "");
  EXPECT_TRUE(whole);
  for (std::size_t length = 1; length < journal.size(); ++length) {
    said(std::string_view(journal).substr(0, length), &whole);
    EXPECT_EQ(whole, length == one) << length;
  }
}

TEST(journal, refuses_bytes_that_belong_to_nothing) {
  std::vector<Delta> deltas;
  deltas.push_back(delta_of({{"a", "1"}}, {}));
  std::string journal;
  append_entry(journal, 7, deltas);
  journal += '\0';
  ++journal[0];
  bool whole = true;
  said(journal, &whole);
  EXPECT_FALSE(whole);
}

}  // namespace
}  // namespace weir::state
