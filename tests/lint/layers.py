#!/usr/bin/env python3
"""Compares every #include with the arrows that the weir_layer() lines declare.

- A layer includes only itself and its DEPS. Unit tests may include any layer of their side, and runtime/abi.
- The arrows have no cycle, and the runtime has none to the compiler.
- A third-party library is included from its own folders only.
- Includes start at the repository's root.
- A *.def file is data that both sides read: it may be included from anywhere.
"""

import re

from common import ROOT, finish, tracked

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYER = re.compile(r"^weir_layer\(([^)]*)\)", re.M)

# Library: (how its headers begin, the folders that may include them).
THIRD_PARTY = {
    "ANTLR": (("antlr4-", "grammar/"), ("compiler/parse/",)),
    "LLVM": (("llvm/", "llvm-c/"), ("compiler/lower/", "compiler/link/")),
    "lld": (("lld/",), ("compiler/link/",)),
    "RocksDB": (("rocksdb/",), ("runtime/state/",)),
    "simdjson": (("simdjson",), ("runtime/value/",)),
    "RE2": (("re2/",), ("runtime/value/",)),
    "Abseil": (("absl/",), ("runtime/value/",)),
    "utf8proc": (("utf8proc",), ("runtime/value/",)),
    "Boost": (("boost/",), ("runtime/value/",)),
    "xxHash": (("xxhash", "xxh3"), ("runtime/value/",)),
    "CLI11": (("CLI/",), ("compiler/driver/", "runtime/entry/")),
    "GoogleTest": (("gtest/", "gmock/"), ("*_test.cpp",)),
}


def read_layers():
    """Folder of each layer -> set of the folders that it may include."""
    layers = {}
    for path in tracked("*CMakeLists.txt"):
        folder = path.parent.as_posix()
        text = re.sub(r"#.*", "", (ROOT / path).read_text())
        for match in LAYER.finditer(text):
            words = match[1].split()
            side = folder.split("/")[0]
            deps, inside = set(), False
            for word in words[1:]:
                if word in ("DEPS", "LIBS"):
                    inside = word == "DEPS"
                elif inside:
                    deps.add(word if re.match(r"(compiler|runtime)/", word) else f"{side}/{word}")
            layers[folder] = deps
    return layers


def layer_of(path, layers):
    """The innermost layer that holds the path."""
    folder = path.rsplit("/", 1)[0]
    while folder and folder not in layers:
        folder = folder.rpartition("/")[0]
    return folder


def cycles(layers):
    findings, done = [], set()

    def visit(layer, trail):
        if layer in trail:
            findings.append("cycle of layers: " + " -> ".join(trail[trail.index(layer):] + [layer]))
        elif layer not in done:
            for dep in sorted(layers.get(layer, ())):
                visit(dep, trail + [layer])
            done.add(layer)

    for layer in layers:
        visit(layer, [])
    return findings


def check_include(path, header, quoted, layers):
    """What is wrong with one include of a file, or None."""
    name = path.as_posix()
    side = name.split("/")[0]
    is_test = name.endswith("_test.cpp")
    if side not in ("compiler", "runtime") or header.endswith(".def"):
        return None
    for library, (prefixes, homes) in THIRD_PARTY.items():
        if header.startswith(prefixes):
            if not any(name.endswith(home[1:]) if home[0] == "*" else name.startswith(home) for home in homes):
                return f"{library} is included from {' and '.join(homes)} only"
            return None
    if header.split("/")[0] in ("compiler", "runtime"):
        if not quoted:
            return 'own headers are included with ""'
        if side == "runtime" and header.startswith("compiler/"):
            return "the runtime never includes the compiler"
        own, other = layer_of(name, layers), layer_of(header, layers)
        if own == other or other in layers.get(own, ()):
            return None
        if is_test and (other.startswith(side) or other == "runtime/abi"):
            return None
        return f"{own} does not declare {other} in its DEPS"
    if quoted and not (ROOT / header).exists():
        return "includes start at the repository's root"
    return None


def main():
    layers = read_layers()
    findings = cycles(layers)
    for layer, deps in layers.items():
        findings += [f"{layer}: unknown layer {dep} in DEPS" for dep in deps if dep not in layers]
        if layer.startswith("runtime/"):
            findings += [f"{layer}: a runtime layer depends on {dep}" for dep in deps if dep.startswith("compiler/")]
    files = tracked("*.cpp", "*.h")
    for path in files:
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                if problem := check_include(path, match[2], match[1] == '"', layers):
                    findings.append(f"{path}:{number}: {match[2]}: {problem}")
    finish(findings, len(files))


main()
