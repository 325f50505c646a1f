#!/usr/bin/env bash
# Puts the single-file form of simdjson (simdjson.h, simdjson.cpp) of one version into a folder.
# The source package comes from Debian and is verified by apt; nothing outside the folder is changed.
# Usage: fetch_simdjson.sh VERSION FOLDER
set -eu
version=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts"

# Source entries made from the machine's own Debian entries in both notations, so that its mirror and its keys are kept.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -f "$list" ] || continue
  sed -nE 's/^deb (.* bookworm main.*)$/deb-src \1/p' "$list"
done >"$work/parts/debian.list"
for list in /etc/apt/sources.list.d/*.sources; do
  [ -f "$list" ] || continue
  grep -v '^#' "$list" | awk 'BEGIN { RS = ""; ORS = "\n\n" } /(^|\n)Suites:[^\n]* bookworm( |\n|$)/' |
    sed 's/^Types:.*/Types: deb-src/'
done >"$work/parts/debian.sources"

apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts"
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$work" && "${apt[@]}" source --download-only "simdjson=$version-1" >/dev/null)
mkdir -p "$folder"
tar -xzf "$work/simdjson_$version.orig.tar.gz" -C "$work"
single=$(dirname "$(find "$work" -path '*singleheader/simdjson.cpp' | head -1)")
cp "$single/simdjson.h" "$folder/"
cp "$single/simdjson.cpp" "$folder/simdjson.cpp.new"
mv "$folder/simdjson.cpp.new" "$folder/simdjson.cpp"
