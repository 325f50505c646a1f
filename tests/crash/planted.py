#!/usr/bin/env python3
"""Plants deliberate bugs in the runtime and demands that `weir crash` finds each by comparing output alone.

    tests/crash/planted.py [NAME...]      all of tests/crash/planted/*.patch, or the named ones

Each patch is applied to a copy of the sources, the runtime's kit is built from it, and `weir crash` runs with that
kit. A patch that no longer applies is a failure: it must be kept up with the code. First of all the same command
must pass without any bug.
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
FOUND = re.compile(r"rows are missing|rows too many")


def crash_command(weir, arguments):
    return [str(weir), "crash", *arguments]


def arguments_of(patch):
    """The patch's first lines say what it breaks and how it is run: `weir crash ARGUMENTS`."""
    for line in patch.read_text().splitlines():
        if line.startswith("weir crash "):
            return line.split()[2:]
    raise SystemExit(f"{patch.name}: no line `weir crash ARGUMENTS`")


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


def kit_with(patch, folder):
    """A `weir` that links the patched runtime."""
    sources = folder / "src"
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, sources / name)
    applied = subprocess.run(["git", "apply", "--unsafe-paths", str(patch)], cwd=sources, capture_output=True, text=True)
    if applied.returncode != 0:
        return None, f"the patch does not apply: {applied.stderr.strip()}"
    build = sources / "build"
    for command in (["cmake", "--preset", "default"], ["ninja", "-C", str(build), "weir_kit"]):
        done = subprocess.run(command, cwd=sources, capture_output=True, text=True)
        if done.returncode != 0:
            return None, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    weir = build / "bin" / "weir"
    weir.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / "build" / "bin" / "weir", weir)
    return weir, ""


def try_patch(patch):
    folder = Path(tempfile.mkdtemp(prefix="weir-planted-"))
    try:
        weir, fault = kit_with(patch, folder)
        if fault:
            return fault
        done = run(crash_command(weir, arguments_of(patch)), timeout=3000)
        if done.returncode == 0:
            return "not found: weir crash passed\n" + done.stdout[-2000:]
        if not FOUND.search(done.stdout):
            return "weir crash failed for another reason than different output\n" + done.stdout[-2000:] + done.stderr
        print("   " + FOUND.search(done.stdout).string.split("\nFAILED ")[1].splitlines()[0], flush=True)
        return ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    patches = sorted(PATCHES.glob("*.patch"))
    if sys.argv[1:]:
        patches = [PATCHES / f"{name.removesuffix('.patch')}.patch" for name in sys.argv[1:]]
    os.environ.setdefault("CCACHE_BASEDIR", str(ROOT))
    passed = failed = 0
    for command in {tuple(arguments_of(patch)) for patch in patches}:
        print(f"-- without a bug: weir crash {' '.join(command)}", flush=True)
        done = run(crash_command(ROOT / "build" / "bin" / "weir", command), timeout=3000)
        if done.returncode != 0:
            print(done.stdout[-4000:] + done.stderr[-2000:])
            failed += 1
        else:
            passed += 1
    for patch in patches:
        print(f"-- {patch.stem}", flush=True)
        fault = try_patch(patch)
        if fault:
            print(fault)
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
