#!/usr/bin/env python3
"""The declarations of the standard library, against their files.

- Every native function's file has a declaration, a documentation, and defines the symbols of its signatures.
- Every function without an effect has an example, unless it takes a map, which no literal makes.
"""

import re
import sys

from common import ROOT, finish, tracked

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "stdlib"))
import index  # noqa: E402


def check_native(path, findings):
    text = (ROOT / path).read_text()
    entry = index.native(ROOT / path, ROOT / "stdlib")
    if entry is None:
        findings.append(f"{path}: no declaration")
        return
    if not entry["doc"]:
        findings.append(f"{path}: no documentation")
    pure = False
    for signature in entry["signatures"]:
        name = re.match(r"fn (\w+)\(", signature)
        if name is None or name[1] != path.stem:
            findings.append(f"{path}: `{signature}` is not about {path.stem}")
            continue
        words = signature[signature.rindex("->"):].split()
        pure = pure or ("pure" in words and "map<" not in signature)
        if "intrinsic" in words or "special" in words:
            continue
        symbol = words[words.index("as") + 1] if "as" in words else f"weir_fn_{name[1]}"
        result = "int32_t" if "fails" in words else "void"
        if not re.search(rf"^{result} {symbol}\(", text, re.M):
            findings.append(f"{path}: `{result} {symbol}(…)` is not defined")
    if pure and not entry["examples"]:
        findings.append(f"{path}: no example")


def check_prelude(path, findings):
    text = (ROOT / path).read_text()
    for match in re.finditer(r"((?:^///.*\n)*)^fn (\w+)", text, re.M):
        if "/// examples:" not in match[1]:
            findings.append(f"{path}: `{match[2]}` has no example")


def main():
    findings = []
    files = [path for path in tracked("stdlib") if len(path.parts) == 3 and path.suffix in (".cpp", ".weir")]
    for path in files:
        if path.suffix == ".weir":
            check_prelude(path, findings)
        else:
            check_native(path, findings)
    finish(findings, len(files))


main()
