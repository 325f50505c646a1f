#include "runtime/connectors/file/claim.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/base/crc32c.h"
#include "runtime/connectors/file/output_names.h"

namespace weir::connectors::file {
namespace {

constexpr int claim_format = 1;

struct Owner {
  std::string pipeline;
  std::string lineage;
};

std::uint32_t checksum_of(const Owner& owner) {
  return base::crc32c(owner.pipeline + "\n" + owner.lineage);
}

Result<std::optional<Owner>> read_owner(files::Files& files, const std::string& path) {
  auto text = files::read_whole(files, path);
  if (!text && text.error().is(RunError::file_not_found)) return std::nullopt;
  if (!text) return std::unexpected(std::move(text).error());
  auto json = nlohmann::json::parse(*text, nullptr, false);
  auto text_of = [&](const char* field) -> std::string {
    auto found = json.find(field);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  };
  if (!json.is_object() || json.value("format", nlohmann::json()) != claim_format)
    return fail(RunError::claim_damaged, path);
  Owner owner{text_of("pipeline"), text_of("lineage")};
  if (json.value("crc32c", nlohmann::json()) != checksum_of(owner))
    return fail(RunError::claim_damaged, path);
  return owner;
}

/// Exactly what the owner made: published files by their names, then everything staged.
Result<void> remove_output(files::Host& host, const std::string& target, const Owner& owner) {
  WEIR_TRY(auto entries, host.files.list(target));
  std::size_t removed = 0;
  for (const files::Entry& entry : entries) {
    auto name = parse_output_name(entry.name);
    if (entry.kind != files::Kind::file || !name || name->lineage8 != owner.lineage.substr(0, 8)) continue;
    WEIR_CHECK(host.files.unlink(files::join(target, entry.name)));
    ++removed;
  }
  WEIR_CHECK(host.files.sync_folder(target));
  std::string hidden = files::join(target, ".weir");
  WEIR_TRY(auto staged, host.files.list(hidden));
  for (const files::Entry& entry : staged) {
    if (entry.kind != files::Kind::folder) continue;
    WEIR_TRY(auto generations, host.files.list(files::join(hidden, entry.name)));
    for (const files::Entry& generation : generations)
      WEIR_CHECK(
          files::remove_tree(host.files, files::join(files::join(hidden, entry.name), generation.name)));
  }
  WEIR_CHECK(host.files.unlink(files::join(hidden, "claim.json")));
  WEIR_CHECK(host.files.sync_folder(hidden));
  host.logger.warning(
      fmt::format("removed {} files that lineage {} had published in {}", removed, owner.lineage, target));
  return {};
}

Result<void> remove_if_there(files::Files& files, const std::string& path) {
  auto removed = files.unlink(path);
  if (!removed && removed.error().is(RunError::file_not_found)) return {};
  return removed;
}

/// False if somebody else's claim is there by now, or if another start removed the temporary file.
Result<bool> write_claim(files::Host& host, const std::string& hidden, const outbox::Claim& claim) {
  nlohmann::json json = {{"format", claim_format},
                         {"pipeline", claim.pipeline},
                         {"lineage", claim.lineage},
                         {"crc32c", checksum_of({claim.pipeline, claim.lineage})}};
  std::string temporary = files::join(hidden, fmt::format("tmp-claim-{:016x}", host.random.next()));
  {
    WEIR_TRY(auto file, host.files.open(temporary, files::OpenMode::create_new));
    WEIR_CHECK(file->append(json.dump() + "\n"));
    WEIR_CHECK(file->sync());
  }
  host.failpoints.hit(files::Failpoint::start_claim_written, 0);
  auto linked = host.files.link(temporary, files::join(hidden, "claim.json"));
  bool other =
      !linked && (linked.error().is(RunError::file_exists) || linked.error().is(RunError::file_not_found));
  if (!linked && !other) return std::unexpected(std::move(linked).error());
  if (linked) host.failpoints.hit(files::Failpoint::start_claim_linked, 0);
  WEIR_CHECK(remove_if_there(host.files, temporary));
  WEIR_CHECK(host.files.sync_folder(hidden));
  return linked.has_value();
}

Result<void> remove_temporaries(files::Files& files, const std::string& hidden) {
  WEIR_TRY(auto entries, files.list(hidden));
  for (const files::Entry& entry : entries)
    if (entry.name.starts_with("tmp-claim-"))
      WEIR_CHECK(remove_if_there(files, files::join(hidden, entry.name)));
  return {};
}

}  // namespace

Result<void> claim_target(files::Host& host, const std::string& target, const outbox::Claim& claim) {
  std::string hidden = files::join(target, ".weir");
  std::string path = files::join(hidden, "claim.json");
  WEIR_TRY(auto owner, read_owner(host.files, path));
  if (owner && owner->lineage != claim.lineage && claim.replace_output && owner->pipeline == claim.pipeline) {
    WEIR_CHECK(remove_output(host, target, *owner));
    owner.reset();
  }
  constexpr int most_tries = 100;
  for (int tries = 1; !owner; ++tries) {
    WEIR_CHECK(remove_temporaries(host.files, hidden));
    WEIR_TRY(bool written, write_claim(host, hidden, claim));
    if (written) return {};
    WEIR_TRY(owner, read_owner(host.files, path));
    if (!owner && tries == most_tries) return fail(RunError::claim_damaged, path);
  }
  if (owner->pipeline != claim.pipeline)
    return fail(RunError::foreign_target,
                fmt::format("{} belongs to pipeline {}, this is {}; give each pipeline a target of its own",
                            target, owner->pipeline, claim.pipeline));
  if (owner->lineage != claim.lineage)
    return fail(
        RunError::foreign_target,
        fmt::format(
            "{} holds the output of lineage {}, the state folder is of lineage {}; give the old state folder "
            "back, use another target, or remove the old output with --replace-output",
            target, owner->lineage, claim.lineage));
  // Whoever linked it may have died before this.
  return host.files.sync_folder(hidden);
}

}  // namespace weir::connectors::file
