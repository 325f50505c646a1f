#!/usr/bin/env bash
# Puts the single-file form of simdjson (simdjson.h, simdjson.cpp) of one version into a folder.
# The source package comes from Debian and is verified by apt; nothing outside the folder is changed.
# Usage: fetch_simdjson.sh VERSION FOLDER
set -eu
version=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"

# A source entry derived from the machine's own binary entries, so that a configured mirror is kept.
entries=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true)
mirror=$(sed -nE 's/^(URIs:|deb( \[[^]]*\])?) *(https?:[^ ]*\/debian)\/?( .*)?$/\3/p' <<<"$entries" | head -1)
cat >"$work/entry.sources" <<EOF
Types: deb-src
URIs: ${mirror:-http://deb.debian.org/debian}
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/entry.sources" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$work" && "${apt[@]}" source --download-only "simdjson=$version-1" >/dev/null)
mkdir -p "$folder"
tar -xzf "$work/simdjson_$version.orig.tar.gz" -C "$work"
single=$(dirname "$(find "$work" -path '*singleheader/simdjson.cpp' | head -1)")
cp "$single/simdjson.h" "$folder/"
cp "$single/simdjson.cpp" "$folder/simdjson.cpp.new"
mv "$folder/simdjson.cpp.new" "$folder/simdjson.cpp"
