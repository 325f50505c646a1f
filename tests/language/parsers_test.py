#!/usr/bin/env python3
"""The generated JSON parser and the reference parser give the same verdict, words and rows on broken texts.

A type that holds a map is read by the reference parser: a program whose type has one more field, an optional map that the
input never has, is the second opinion.
"""

import json
import random
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness")]

from pipeline import Place, build, published  # noqa: E402
from testing import main  # noqa: E402

LINES = 30_000
EXTRA = "only_for_the_reference: map<string, int>?,"

SEEDS = [
    '{"s":"abc","i":12,"d":12.50,"w":1.5,"f":1.25,"b":true,"t":"2026-01-01T00:00:00.5Z","u":1577836800000,'
    '"un":1577836800000000123,"p":"2001/01/10 09:05","l":[1,2,3],"r":{"x":1,"y":2.5},"o":null,"os":"x"}',
    '{"s":"","i":-0,"d":0,"r":{}}',
    '{"i":1,"s":"k\\n","d":"1.5","r":{"y":1e3,"x":null,"z":[{"q":"\\u00e9"}]},"zz":{"a":[1,2,{"b":null}]},"o":{"x":5}}',
    '{ "s" : "a b" , "i" : 99 , "d" : -0.05 , "r" : { "x" : 7 } , "unknown" : "é" , "l" : [ ] , '
    '"t" : "1969-12-31T23:59:59.999999Z" }',
    '{"s":"日本","i":999999999999999999,"d":9999999999.99,"w":12345678901234567890.0000000001,"f":-1e-7,"r":{"x":1},'
    '"t":"2026-01-01T00:00:00+01:00"}',
]
ALPHABET = '{}[]",:\\u0123456789eE+-.tfn alrsubxyzTZ /'


def script(extra):
    return f"""
pipeline parsers {{ checkpoint every 10s to "state" }}
type Inner = {{ x: int?, y: float? }}
type Row = {{
  s: string, i: int, d: decimal(12, 2), w: decimal(38, 10)?, f: float?, b: bool?, t: timestamp?,
  u: timestamp("unix_ms")?, un: timestamp("unix_ns", floor: true)?, p: timestamp("%Y/%m/%d %H:%M", zone: "UTC")?,
  l: list<int>?, r: Inner, o: Inner?, os: string?, {extra}
}}
source rows: Row from file(path: "input/*", format: json)
  on error to rejected
stream result = rows |> select s, i, d, w, f, b, t, u, un, p, l, r, o, os
sink result to file(path: "out/result", format: json)
sink rejected to file(path: "out/rejected", format: json)
"""


def broken(seed):
    """Texts that are good, nearly good, and bad."""
    chance = random.Random(seed)
    lines = []
    for _ in range(LINES):
        text = bytearray(chance.choice(SEEDS).encode())
        for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
            at, kind = chance.randrange(len(text)), chance.randrange(5)
            if kind == 0:
                text[at] = ord(chance.choice(ALPHABET))
            elif kind == 1:
                del text[at:at + chance.choice([1, 1, 2, 5])]
            elif kind == 2:
                text[at:at] = chance.choice(ALPHABET).encode()
            elif kind == 3:
                text[at] = chance.randrange(11, 256)
            else:
                begin = chance.randrange(len(text))
                text[at:at] = text[begin:begin + chance.randrange(1, 20)]
            text = text or bytearray(b"{")
        lines.append(bytes(text).replace(b"\n", b" "))
    return b"\n".join(lines) + b"\n"


class Parsers(unittest.TestCase):
    def outcome(self, text, data, optimise):
        with Place(build(text, optimise)) as place:
            (place.path / "input").mkdir()
            (place.path / "input" / "part-0").write_bytes(data)
            place.run("--parallelism=1")
            rows = [line for path in published(place.path / "out" / "result")
                    for line in path.read_text().split("\n") if line]
            rejected = [json.loads(line) for path in published(place.path / "out" / "rejected")
                        for line in path.read_text().split("\n") if line]
        return rows, [(r["meta"]["position"], r["code"], r["message"], r["raw"]) for r in rejected]

    def test_generated_and_reference_parser_agree(self):
        for seed, optimise in ((1, "-O0"), (2, "-O2")):
            data = broken(seed)
            rows, rejected = self.outcome(script(""), data, optimise)
            reference_rows, reference_rejected = self.outcome(script(EXTRA), data, optimise)
            self.assertGreater(len(rows), LINES // 10)
            self.assertGreater(len(rejected), LINES // 10)
            self.assertEqual(reference_rejected, rejected)
            self.assertEqual(reference_rows, rows)


if __name__ == "__main__":
    main()
