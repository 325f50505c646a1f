#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over the sources: tidy.py [FILE...]

Needs a configured and built build/ (the compile commands, and the precompiled headers that they name).
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from common import ROOT, finish, tracked

FINDING = re.compile(r"^(?:/|\.\./)?\S+:\d+:\d+: (?:warning|error): ")


def check(path):
    command = ["clang-tidy-19", "-p", "build", "--quiet", str(path)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return [line.replace(f"{ROOT}/", "") for line in output.splitlines() if FINDING.match(line)]


def main():
    paths = sys.argv[1:] or [p for p in tracked("compiler/*.cpp", "runtime/*.cpp") if not p.name.endswith("_test.cpp")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = {line for lines in pool.map(check, paths) for line in lines}
    finish(sorted(findings), len(paths))


main()
