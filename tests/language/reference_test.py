#!/usr/bin/env python3
"""Every script that the documents show is accepted without a warning, and its tests pass."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/harness"))

import testing  # noqa: E402

WEIR = ROOT / "build/bin/weir"
FENCE = re.compile(r"^```weir\n(.*?)^```", re.M | re.S)


def scripts():
    """(document, line of the fence, script)"""
    for path in [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*/README.md")), ROOT / "README.md"]:
        text = path.read_text()
        for fence in FENCE.finditer(text):
            yield path.relative_to(ROOT), text[:fence.start()].count("\n") + 1, fence[1]


class Reference(unittest.TestCase):
    def test_scripts(self):
        shown = list(scripts())
        self.assertGreater(len(shown), 5)
        for document, line, script in shown:
            with self.subTest(document=str(document), line=line), tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "script.weir"
                path.write_text(script)
                done = subprocess.run([WEIR, "check", path], capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                if re.search(r"^test ", script, re.M):
                    done = subprocess.run([WEIR, "test", path], capture_output=True, text=True, timeout=120)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    testing.main()
