#!/usr/bin/env python3
"""Small rules that no compiler checks.

- Headers begin with `#pragma once` (the plain C header of the ABI with its guard) and have no `using namespace`.
- No file names a place on somebody's machine.
- No global `using namespace std` in sources.
- A document begins with its title (a formatter for code makes `#Title` of it, and a heap of the rest).
"""

import re

from common import ROOT, finish, tracked

MACHINE_PATHS = re.compile("|".join([r"/wo" + r"rk/", r"/ho" + r"me/\w", r"/ro" + r"ot/", r"/tmp/we" + r"ir/"]))
USING = re.compile(r"^\s*using\s+namespace\b")
BINARY = {".png", ".gz", ".zst", ".bin", ".sst"}


def main():
    findings = []
    files = tracked()
    for path in files:
        if path.suffix in BINARY:
            continue
        try:
            text = (ROOT / path).read_text()
        except UnicodeDecodeError:
            continue
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if MACHINE_PATHS.search(line):
                findings.append(f"{path}:{number}: names a place on one machine")
            if path.suffix == ".h" and USING.match(line):
                findings.append(f"{path}:{number}: `using namespace` in a header")
            if path.suffix == ".cpp" and re.match(r"^\s*using\s+namespace\s+std\b", line):
                findings.append(f"{path}:{number}: `using namespace std`")
        if path.suffix == ".md" and not text.startswith("# "):
            findings.append(f"{path}: does not begin with a title")
        if path.suffix == ".h" and "#pragma once" not in text and "#ifndef WEIR_" not in text:
            if path.as_posix() != "cmake/common_headers.h":
                findings.append(f"{path}: no `#pragma once`")
    finish(findings, len(files))


main()
