#!/usr/bin/env python3
"""The examples of the standard library: each is true, in a compiled program."""

import importlib.util
import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness")]
sys.dont_write_bytecode = True

from pipeline import Place, build, published  # noqa: E402
from testing import main  # noqa: E402

AT_ONCE = 40  # examples in one program


def examples():
    """(function, example) of every declaration and of the prelude."""
    spec = importlib.util.spec_from_file_location("index", ROOT / "stdlib" / "index.py")
    index = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(index)
    found = []
    for path in sorted((ROOT / "stdlib").glob("*/*.cpp")):
        entry = index.native(path, ROOT / "stdlib")
        found += [(path.stem, example) for example in entry["examples"]]
    for path in sorted((ROOT / "stdlib" / "prelude").glob("*.weir")):
        for match in re.finditer(r"((?:^///.*\n)*)^fn (\w+)", path.read_text(), re.M):
            lines = [line.removeprefix("///").strip() for line in match[1].splitlines()]
            found += [(match[2], line) for line in lines[lines.index("examples:") + 1:] if line]
    return found


def script(part):
    columns = ",\n  ".join(f"e{n} = ({example})" for n, (_, example) in enumerate(part))
    return f"""
pipeline examples {{ checkpoint every 10s to "state" }}
type Row = {{ n: int }}
source rows: Row from file(path: "input/*", format: json)
  on error to rejected
stream result = rows |> select
  {columns}
sink result to file(path: "out/result", format: json)
sink rejected to file(path: "out/rejected", format: json)
"""


class Library(unittest.TestCase):
    def test_examples(self):
        everything = examples()
        self.assertGreater(len(everything), 150)
        for start in range(0, len(everything), AT_ONCE):
            part = everything[start:start + AT_ONCE]
            for optimise in ("-O0", "-O2"):
                with Place(build(script(part), optimise)) as place:
                    (place.path / "input").mkdir()
                    (place.path / "input" / "row").write_text('{"n":1}\n')
                    place.run("--parallelism=1")
                    rejected = [line for path in published(place.path / "out" / "rejected")
                                for line in path.read_text().splitlines()]
                    self.assertEqual([], rejected)
                    lines = [line for path in published(place.path / "out" / "result")
                             for line in path.read_text().splitlines()]
                    self.assertEqual(1, len(lines))
                    row = json.loads(lines[0])
                for n, (function, example) in enumerate(part):
                    with self.subTest(function=function, example=example, optimise=optimise):
                        self.assertIs(True, row[f"e{n}"])

    def test_maps(self):
        # No literal makes a map: its functions are tried on one that was read.
        checks = ['(get(m, "a") ?? 0) == 1', 'get(m, "x") is null', 'has(m, "b")', 'not has(m, "")', 'length(m) == 3',
                  'at(keys(m), 2) == "é"', 'at(values(m), 0) == 1', 'join(keys(m), ",") == "a,b,é"', 'length(e) == 0',
                  'get(e, "a") is null', 'length(keys(e)) == 0']
        columns = ", ".join(f"e{n} = ({check})" for n, check in enumerate(checks))
        text = f"""
pipeline maps {{ checkpoint every 10s to "state" }}
type Row = {{ m: map<string, int>, e: map<string, int> }}
source rows: Row from file(path: "input/*", format: json)
stream result = rows |> select {columns}
sink result to file(path: "out/result", format: json)
"""
        for optimise in ("-O0", "-O2"):
            with Place(build(text, optimise)) as place:
                (place.path / "input").mkdir()
                (place.path / "input" / "row").write_text('{"m":{"é":3,"b":2,"a":1},"e":{}}\n')
                place.run("--parallelism=1")
                row = json.loads(published(place.path / "out" / "result")[0].read_text())
            for n, check in enumerate(checks):
                with self.subTest(check=check, optimise=optimise):
                    self.assertIs(True, row[f"e{n}"])


if __name__ == "__main__":
    main()
