#!/usr/bin/env python3
"""Runs the tests of suite.txt and counts them.

Usage: run.py lint|test|attack|bench|list [NAME...]

Prints a line when a test starts and when it ends, the end of the output of each that fails, and as the last line
"N passed, N failed". Exits 1 if one failed.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = Path(__file__).with_name("suite.txt")
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed\b.*$")
GTEST_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test")
GTEST_FAILED = re.compile(r"^\s*(\d+) FAILED TESTS?$")
TAIL_LINES = 60


class Test:
    def __init__(self, line):
        self.when, seconds, self.name, self.command = line.split(None, 3)
        self.seconds = int(seconds)


def read_suite():
    lines = SUITE.read_text().splitlines()
    return [Test(line) for line in lines if line.strip() and not line.startswith("#")]


def count(output, ok):
    """(passed, failed) as the output says, else one test."""
    lines = output.rstrip().splitlines()
    passed = failed = None
    if lines and (match := COUNTS.match(lines[-1])):
        passed, failed = int(match[1]), int(match[2])
    else:
        for line in lines[-200:]:
            if match := GTEST_PASSED.match(line):
                passed, failed = int(match[1]), failed or 0
            elif match := GTEST_FAILED.match(line):
                failed = int(match[1])
    if passed is None:
        return (1, 0) if ok else (0, 1)
    failed = failed or 0
    return (passed, failed) if ok or failed else (passed, 1)


def scratch_folder():
    """Where tests keep their temporary files: in memory if there is room, as they sync a lot; `attack` uses the disk.

    What a crash loses is modelled by the file layer, so nothing depends on a real disk.
    """
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30:
        return tempfile.TemporaryDirectory(prefix="weir-tests-", dir=memory)
    return tempfile.TemporaryDirectory(prefix="weir-tests-")


def run(test, streamed, environment):
    """Runs one test; (passed, failed). On a time-out its whole process group is killed."""
    print(f"-- {test.name} ...", flush=True)
    start = time.monotonic()
    process = subprocess.Popen(
        ["bash", "-c", test.command], cwd=ROOT, start_new_session=True, stdin=subprocess.DEVNULL,
        stdout=None if streamed else subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env=environment)
    late = False
    try:
        output, _ = process.communicate(timeout=test.seconds)
    except subprocess.TimeoutExpired:
        late = True
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    output = output or ""
    ok = process.returncode == 0 and not late
    passed, failed = count(output, ok)
    if not ok:
        print("\n".join(output.rstrip().splitlines()[-TAIL_LINES:]))
    verdict = f"stopped after {test.seconds} s" if late else "ok" if ok else f"exit {process.returncode}"
    print(f"   {test.name}: {passed} passed, {failed} failed, {time.monotonic() - start:.1f} s, {verdict}", flush=True)
    return passed, failed


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    when, names = sys.argv[1], sys.argv[2:]
    suite = read_suite()
    if when == "list":
        for test in suite:
            print(f"{test.when:8}{test.name:24}{test.command}")
        return
    wanted = {"test": {"lint", "test"}}.get(when, {when})
    chosen = [test for test in suite if test.name in names] if names else [t for t in suite if t.when in wanted]
    unknown = set(names) - {test.name for test in suite}
    if unknown or not chosen:
        sys.exit(f"no such test: {', '.join(sorted(unknown)) or when}")
    with scratch_folder() as scratch:
        environment = dict(os.environ) if when in ("attack", "bench") else {**os.environ, "TMPDIR": scratch}
        totals = [run(test, when == "bench", environment) for test in chosen]
    passed, failed = (sum(column) for column in zip(*totals))
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(1 if failed else 0)


main()
