#!/usr/bin/env python3
"""Every example gives what an independent program computes from the same input, and what its folder says."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness"), str(ROOT / "tests" / "reference")]

import access_log  # noqa: E402
import flights  # noqa: E402
import revenue  # noqa: E402
import status  # noqa: E402
from model import MICRO  # noqa: E402
from pipeline import Place, build, canonical, counted, difference, read_row  # noqa: E402
from testing import main  # noqa: E402

EXAMPLES = ROOT / "examples"


def inputs(example):
    return sorted((EXAMPLES / example / "input").iterdir())


def text_row(row):
    """A row of the access log as its CSV sink writes it."""
    return {
        "client": row["client"],
        "window.start": row["window"]["start"],
        "window.end": row["window"]["end"],
        "requests": str(row["requests"]),
        "bytes": str(row["bytes"]),
    }


class Examples(unittest.TestCase):
    def place(self, example, sources, input_of=None):
        folder = EXAMPLES / (input_of or example) / "input"
        place = Place(build(EXAMPLES / example / "pipeline.weir"), {name: folder / "*" for name in sources})
        self.addCleanup(place.folder.cleanup)
        return place

    def equal(self, place, folder, expected):
        self.assertEqual("", difference(place.rows(folder), expected))
        self.assertGreater(sum(expected.values()), 0)

    def test_flights(self):
        place = self.place("flights", ["flights"])
        place.run()
        self.equal(place, "out/flights/delays", counted(flights.expected(inputs("flights"))[0]))

    def test_busiest(self):
        place = self.place("busiest", ["flights"], "flights")
        run = place.run("--parallelism=3")
        self.equal(place, "out/busiest", counted(flights.busiest(inputs("flights"))[0]))
        self.assertEqual(0, run.returncode)

    def test_status(self):
        place = self.place("status", ["status"])
        place.run()
        self.equal(place, "out/status", counted(status.expected(inputs("status"))[0]))

    def test_access_log(self):
        place = self.place("access_log", ["requests"])
        run = place.run()
        rows, late = access_log.expected(inputs("access_log"), 10 * MICRO)
        self.equal(place, "out/access_log/traffic", counted(map(text_row, rows)))
        self.assertEqual(late, sum(place.rows("out/access_log/late").values()))
        self.assertEqual(late, run.summary["sources"][0]["late"])
        self.assertGreater(late, 0)

    def test_revenue(self):
        place = self.place("revenue", ["orders"])
        place.run()
        rows, rejected, late = revenue.expected(inputs("revenue"))
        self.equal(place, "out/revenue/revenue", counted(rows))
        self.assertEqual(late, sum(place.rows("out/revenue/late").values()))
        self.assertEqual(len(rejected), sum(place.rows("out/revenue/rejected").values()))

    def test_expected_files(self):
        """EXAMPLE/expected/SINK holds the rows, sorted, as they are published."""
        for example in sorted(path.parent.name for path in EXAMPLES.glob("*/expected")):
            with self.subTest(example):
                app = build(EXAMPLES / example / "pipeline.weir")
                with Place(app) as place:
                    (place.path / "examples").symlink_to(EXAMPLES)
                    place.run()
                    for expected in sorted((EXAMPLES / example / "expected").iterdir()):
                        folder = place.path / "out" / example / expected.stem
                        if not folder.exists():
                            folder = place.path / "out" / example
                        found = sorted(
                            line for path in folder.iterdir() if path.is_file()
                            for line in path.read_text().splitlines()
                        )
                        self.assertEqual(expected.read_text().splitlines(), found, f"{example} {expected.name}")


if __name__ == "__main__":
    assert canonical(read_row('{"a":1.50}')) != canonical(read_row('{"a":1.5}'))
    main()
