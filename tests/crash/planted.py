#!/usr/bin/env python3
"""Plants deliberate bugs in the runtime and demands that each is found by comparing output alone.

    tests/crash/planted.py [NAME...]      all of tests/crash/planted/*.patch, or the named ones

Each patch is applied to a copy of the sources, the runtime is built from it, and the patch's command runs with it:
`weir crash`, or a test that compares output where no crash of one process shows the bug. A patch that no longer
applies is a failure: it must be kept up with the code. First of all the same command must pass without any bug.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATCHES = ROOT / "tests" / "crash" / "planted"


class Planted:
    """A patch. Its head says what it breaks, what is `run:`, and what in that output means that it is `found:`."""

    def __init__(self, path):
        self.path = path
        head = path.read_text().split("\ndiff ", 1)[0]
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        self.command = fields["run"].split()
        self.found = re.compile(fields["found"])

    def run_with(self, root):
        """Its command with the tools built in `root`."""
        tool, *rest = self.command
        weir = root / "build/bin/weir"
        program = {"weir": [str(weir)], "build/bin/runtime_tests": [str(root / tool)]}.get(tool, ["python3", tool])
        return run([*program, *rest], env={**os.environ, "WEIR": str(weir)}, timeout=3000)


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


def tree_with(planted, folder):
    """A copy of the sources with the bug, its runtime built. (folder, what went wrong)"""
    sources = folder / "src"
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, sources / name)
    apply = ["git", "apply", "--unsafe-paths", str(planted.path)]
    applied = subprocess.run(apply, cwd=sources, capture_output=True, text=True)
    if applied.returncode != 0:
        return None, f"the patch does not apply: {applied.stderr.strip()}"
    build = sources / "build"
    target = "runtime_tests" if "runtime_tests" in planted.command[0] else "weir_kit"
    for command in (["cmake", "--preset", "default"], ["ninja", "-C", str(build), target]):
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
        if done.returncode != 0:
            return None, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    (build / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / "build" / "bin" / "weir", build / "bin" / "weir")
    return sources, ""


def try_bug(planted):
    folder = Path(tempfile.mkdtemp(prefix="weir-planted-"))
    try:
        tree, fault = tree_with(planted, folder)
        if fault:
            return fault
        done = planted.run_with(tree)
        output = done.stdout + done.stderr
        if done.returncode == 0:
            return "not found: the command passed\n" + output[-2000:]
        match = planted.found.search(output)
        if not match:
            return "the command failed for another reason\n" + output[-3000:]
        line = output[output.rfind("\n", 0, match.start()) + 1 :].splitlines()[0]
        print(f"   found: {line[:160].strip()}", flush=True)
        return ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    patches = sorted(PATCHES.glob("*.patch"))
    if sys.argv[1:]:
        patches = [PATCHES / f"{name.removesuffix('.patch')}.patch" for name in sys.argv[1:]]
    bugs = [Planted(path) for path in patches]
    passed = failed = 0
    for command, first in {tuple(bug.command): bug for bug in bugs}.items():
        print(f"-- without a bug: {' '.join(command)}", flush=True)
        done = first.run_with(ROOT)
        passed, failed = (passed + 1, failed) if done.returncode == 0 else (passed, failed + 1)
        if done.returncode != 0:
            print(done.stdout[-4000:] + done.stderr[-2000:])
    for bug in bugs:
        print(f"-- {bug.path.stem}", flush=True)
        fault = try_bug(bug)
        passed, failed = (passed, failed + 1) if fault else (passed + 1, failed)
        if fault:
            print(fault)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
