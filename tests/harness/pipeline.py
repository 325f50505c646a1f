"""Builds scripts with the built `weir`, runs the programs, reads what they published.

Nothing here knows how a program works inside: it starts processes, kills them, and reads files.
"""

import csv
import hashlib
import json
import os
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEIR = Path(os.environ.get("WEIR", ROOT / "build" / "bin" / "weir"))
LIMIT_SECONDS = 300  # a run that takes longer hangs


class ToolError(AssertionError):
    """A program or the compiler ended in another way than the test asked for."""


@dataclass
class Run:
    returncode: int
    stdout: str
    stderr: str
    summary: dict = field(default_factory=dict)


def weir(*args, check=True, stdin=None, cwd=ROOT, timeout=LIMIT_SECONDS):
    done = subprocess.run(
        [WEIR, *map(str, args)], capture_output=True, text=True, input=stdin, cwd=cwd, timeout=timeout
    )
    if check and done.returncode != 0:
        raise ToolError(f"weir {' '.join(map(str, args))}: exit {done.returncode}\n{done.stderr}")
    return Run(done.returncode, done.stdout, done.stderr)


def build(script, optimise="-O2"):
    """The executable of a script (a path, or the script's text). Built once per content, compiler and runtime."""
    path = Path(script) if isinstance(script, Path) else None
    text = path.read_text() if path else script
    parts = [WEIR, *sorted((WEIR.parents[1] / "lib/weir/kit").glob("*"))]
    made = " ".join(f"{part} {part.stat().st_mtime_ns}" for part in parts)
    key = hashlib.sha256(f"{text} {optimise} {made}".encode()).hexdigest()[:16]
    folder = ROOT / "build" / "test-programs" / key
    app = folder / "app"
    if not app.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if path is None:
            path = folder / "pipeline.weir"
            path.write_text(text)
        part = folder / f"app.{os.getpid()}"
        weir("build", path, "-o", part, optimise)
        part.rename(app)
    return app


class Place:
    """A working folder of its own for runs of one program; relative paths of the script lie in it."""

    def __init__(self, app, binds=None):
        self.app = app
        self.binds = binds or {}
        self.folder = tempfile.TemporaryDirectory(prefix="weir-test-")
        self.path = Path(self.folder.name)
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def arguments(self, *flags):
        self.count += 1
        summary = self.path / f"summary-{self.count}.json"
        binds = [f"--bind={name}={glob}" for name, glob in self.binds.items()]
        return [str(self.app), *binds, "--summary", str(summary), *map(str, flags)], summary

    def start(self, *flags, env=None, stdin=None):
        """A started process; the caller waits for it or kills it."""
        command, _ = self.arguments(*flags)
        return subprocess.Popen(
            command,
            cwd=self.path,
            env={**os.environ, **(env or {})},
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *flags, expect=0, env=None, input=None, timeout=LIMIT_SECONDS):
        """Runs to the end. `expect`: the exit code that is right; negative for a signal, None for any."""
        command, summary = self.arguments(*flags)
        try:
            done = subprocess.run(
                command,
                cwd=self.path,
                env={**os.environ, **(env or {})},
                input=input,
                stdin=None if input is not None else subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired as hang:
            raise ToolError(f"{' '.join(command)} did not end in {timeout} s\n{hang.stderr}") from hang
        if expect is not None and done.returncode != expect:
            raise ToolError(f"{' '.join(command)}: exit {done.returncode}, not {expect}\n{done.stderr}")
        text = summary.read_text() if summary.exists() else ""
        found = json.loads(text) if text else {}  # a run that is killed leaves it empty
        return Run(done.returncode, done.stdout, done.stderr, found)

    def rows(self, folder):
        return rows(self.path / folder)


def published(folder):
    """Published files of a sink's folder: a leading dot or underscore is never data."""
    folder = Path(folder)
    if not folder.exists():
        return []
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name[0] not in "._")


def canonical(row):
    """One text per row; decimals keep their digits, so that 1.50 and 1.5 differ."""
    return json.dumps(row, sort_keys=True, ensure_ascii=False, default=lambda value: f"decimal {value}")


def read_row(line):
    return json.loads(line, parse_float=lambda digits: f"decimal {digits}")


def rows(folder):
    """Multiset of the rows in all published files, each as its canonical text."""
    found = Counter()
    for path in published(folder):
        if path.stat().st_size == 0:
            raise ToolError(f"{path} is published and empty")
        with open(path, newline="", encoding="utf-8") as file:
            if path.suffix == ".csv":
                found.update(canonical(row) for row in csv.DictReader(file))
            else:
                found.update(canonical(read_row(line)) for line in file)
    return found


def counted(expected_rows):
    """Multiset of rows that a test computed."""
    return Counter(canonical(row) for row in expected_rows)


def difference(found, expected, limit=5):
    """Empty if equal, else what is missing and what is too much, shortened."""
    if found == expected:
        return ""
    text = [f"{sum(found.values())} rows, expected {sum(expected.values())}"]
    for title, rest in (("missing", expected - found), ("unexpected", found - expected)):
        for row, times in list(rest.items())[:limit]:
            text.append(f"  {title} x{times}: {row}")
    return "\n".join(text)
