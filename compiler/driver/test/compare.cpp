#include "compiler/driver/test/compare.h"

#include <algorithm>
#include <fstream>
#include <map>

#include "compiler/driver/test/json.h"
#include "compiler/driver/test/values.h"

namespace weir::driver::test {
namespace {

namespace fs = std::filesystem;

struct Written {
  std::string text;
  Json row;
  bool taken = false;
};

struct Expected {
  std::string text;
  struct Field {
    std::string name;
    types::TypeRef type;
    interp::Value value;
  };
  std::vector<Field> fields;
};

// Rows in all files of the folder; the folder may not exist.
std::vector<Written> read_rows(const fs::path& folder) {
  std::vector<Written> rows;
  std::error_code error;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) {
      Written row{line, {}, false};
      if (auto json = parse_json(line)) row.row = std::move(*json);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

bool matches(const Expected& expected, const Written& written) {
  return std::all_of(expected.fields.begin(), expected.fields.end(), [&](const Expected::Field& field) {
    const Json* found = written.row.find(field.name);
    return found != nullptr && equal(*found, field.value, *field.type);
  });
}

}  // namespace

std::vector<Difference> compare(const build_flow::Test& test, const flow::Program& script,
                                const source::Files& files, const fs::path& out_folder) {
  std::map<std::string, std::vector<Expected>> wanted;
  TestValues values(script, test);
  for (const build_flow::TestStep& step : test.steps) {
    if (step.kind != build_flow::TestStep::Kind::expect) continue;
    std::vector<Expected>& rows = wanted[step.name];
    for (const build_flow::TestRow& row : step.rows) {
      Expected expected;
      expected.text = std::string(files.text(row.span));
      for (const build_flow::TestRow::Field& field : row.fields) {
        const types::Field& declared = step.row->fields[static_cast<std::size_t>(field.index)];
        const auto value = values.of(*field.value);
        if (!value) continue;  // reported by the front end, which refuses the script
        expected.fields.push_back(
            {declared.wire_name.empty() ? declared.name : declared.wire_name, declared.type, *value});
      }
      rows.push_back(std::move(expected));
    }
  }
  std::vector<Difference> differences;
  for (auto& [stream, rows] : wanted) {
    std::vector<Written> written = read_rows(out_folder / stream);
    // Those that say most first, so that an open row does not take what another needs.
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Expected& a, const Expected& b) { return a.fields.size() > b.fields.size(); });
    Difference difference{stream, {}, {}};
    for (const Expected& expected : rows) {
      const auto found = std::find_if(written.begin(), written.end(), [&](const Written& row) {
        return !row.taken && matches(expected, row);
      });
      if (found == written.end()) {
        difference.missing.push_back(expected.text);
      } else {
        found->taken = true;
      }
    }
    for (const Written& row : written) {
      if (!row.taken) difference.unexpected.push_back(row.text);
    }
    if (!difference.missing.empty() || !difference.unexpected.empty())
      differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace weir::driver::test
