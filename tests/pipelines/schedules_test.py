#!/usr/bin/env python3
"""The output does not depend on parallelism, on how often or where barriers fall, or on restarts between."""

import random
import signal
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness"), str(ROOT / "tests" / "reference")]

import flights  # noqa: E402
import revenue  # noqa: E402
from generate import generate  # noqa: E402
from pipeline import Place, build, counted, difference  # noqa: E402
from testing import main  # noqa: E402

EXAMPLES = ROOT / "examples"


class Schedules(unittest.TestCase):
    def place(self, example, source, records, files, shape):
        place = Place(build(EXAMPLES / example / "pipeline.weir"))
        self.addCleanup(place.folder.cleanup)
        self.paths = generate(shape, place.path / "input", seed=7, files=files, records=records)
        # an empty file and one of a single record are splits like any other
        empty = place.path / "input" / f"part-{files:03}.ndjson"
        empty.write_text("")
        place.binds = {source: place.path / "input" / "*"}
        return place

    def fresh(self, place, *flags, **options):
        return place.run("--fresh", "--replace-output", *flags, **options)

    def test_parallelism(self):
        place = self.place("busiest", "flights", 20000, 5, "flights")
        expected = counted(flights.busiest(self.paths)[0])
        for workers in (1, 2, 4, 7):
            with self.subTest(parallelism=workers):
                run = self.fresh(place, f"--parallelism={workers}")
                self.assertEqual("", difference(place.rows("out/busiest"), expected))
                applied = [sum(worker["operator_rows"]) for worker in run.summary["workers"]]
                self.assertEqual(workers, len(applied))
                self.assertGreaterEqual(sum(applied), 20000)
                self.assertTrue(all(count > 0 for count in applied), f"an idle worker: {applied}")

    def test_checkpoint_intervals(self):
        place = self.place("busiest", "flights", 20000, 3, "flights")
        expected = counted(flights.busiest(self.paths)[0])
        for interval in ("10ms", "1s", "never", "777rec"):
            for workers in (1, 2, 4, 7):
                with self.subTest(checkpoint=interval, parallelism=workers):
                    self.fresh(place, f"--checkpoint={interval}", f"--parallelism={workers}")
                    self.assertEqual("", difference(place.rows("out/busiest"), expected))

    def test_checkpoint_every_record(self):
        place = self.place("revenue", "orders", 1000, 3, "orders")
        rows, rejected, late = revenue.expected(self.paths)
        for workers in (1, 2):
            with self.subTest(parallelism=workers):
                run = self.fresh(place, "--checkpoint=1rec", f"--parallelism={workers}")
                self.assertEqual("", difference(place.rows("out/revenue/revenue"), counted(rows)))
                self.assertEqual(late, sum(place.rows("out/revenue/late").values()))
                self.assertEqual(len(rejected), sum(place.rows("out/revenue/rejected").values()))
                if workers == 1:
                    self.assertGreaterEqual(run.summary["epochs_decided"], 1000)

    def test_checkpoint_every_record_over_two_exchanges(self):
        place = self.place("busiest", "flights", 400, 3, "flights")
        expected = counted(flights.busiest(self.paths)[0])
        for workers in (1, 2, 4, 7):
            with self.subTest(parallelism=workers):
                run = self.fresh(place, "--checkpoint=1rec", f"--parallelism={workers}")
                self.assertEqual("", difference(place.rows("out/busiest"), expected))
                self.assertGreaterEqual(run.summary["epochs_decided"], 400)

    def test_killed_and_restarted_at_another_parallelism(self):
        place = self.place("revenue", "orders", 60000, 4, "orders")
        rows, rejected, late = revenue.expected(self.paths)
        rng = random.Random(11)
        points = ("barrier_done", "snapshot_synced", "prepare_after", "decide_synced_a", "decide_after")
        kills = 0
        for _ in range(60):
            point = f"{rng.choice(points)}@{rng.randint(1, 6)}"
            workers = rng.choice([1, 2, 3, 4, 8])
            run = place.run(f"--parallelism={workers}", "--checkpoint=2000rec", expect=None,
                            env={"WEIR_FAILPOINT": point})
            self.assertIn(run.returncode, (0, -signal.SIGKILL), run.stderr)
            if run.returncode == 0:
                break
            kills += 1
        place.run()
        self.assertGreater(kills, 3, "the run was too short to be killed")
        self.assertEqual("", difference(place.rows("out/revenue/revenue"), counted(rows)))
        self.assertEqual(late, sum(place.rows("out/revenue/late").values()))
        self.assertEqual(len(rejected), sum(place.rows("out/revenue/rejected").values()))

    def test_one_worker_is_reproducible_to_the_byte(self):
        place = self.place("revenue", "orders", 5000, 3, "orders")
        seen = set()
        for _ in range(5):
            self.fresh(place, "--parallelism=1")
            published = sorted(
                path.read_bytes() for path in (place.path / "out/revenue/revenue").iterdir() if path.is_file()
            )
            seen.add(b"".join(published))
            time.sleep(0.01)
        self.assertEqual(1, len(seen))


if __name__ == "__main__":
    main()
