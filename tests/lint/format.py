#!/usr/bin/env python3
"""Checks that the C++ is formatted as .clang-format says. `./dev format` mends it."""

import re
import shutil
import subprocess

from common import ROOT, finish, tracked


def main():
    tool = shutil.which("clang-format-19") or shutil.which("clang-format")
    files = [str(path) for path in tracked("*.cpp", "*.h")]
    process = subprocess.run([tool, "--dry-run", *files], cwd=ROOT, capture_output=True, text=True)
    found = {match[1] for match in re.finditer(r"^(\S+?):\d+:\d+: warning", process.stderr, re.M)}
    finish([f"{path}: not formatted" for path in sorted(found)], len(files))


main()
