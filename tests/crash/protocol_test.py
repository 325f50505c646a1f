#!/usr/bin/env python3
"""What happens around crashes, stops and damage: zombies, signals, lost files. Cases from the field by name."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness"), str(ROOT / "tests" / "reference")]

import revenue  # noqa: E402
from generate import generate  # noqa: E402
from pipeline import Place, build, counted, difference, published  # noqa: E402
from testing import main  # noqa: E402

SCRIPT = ROOT / "examples/revenue/pipeline.weir"
REVENUE = "out/revenue/revenue"


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.005)
    return False


def process_state(pid):
    """One letter: R, S, T (stopped), Z, …"""
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


class Protocol(unittest.TestCase):
    def place(self, records=3000, script=SCRIPT, files=3):
        place = Place(build(script))
        self.addCleanup(place.folder.cleanup)
        self.paths = generate("orders", place.path / "input", seed=3, files=files, records=records)
        place.binds = {"orders": place.path / "input" / "*"}
        self.rows, self.rejected_lines, self.late = revenue.expected(self.paths)
        return place

    def exact(self, place):
        self.assertEqual("", difference(place.rows(REVENUE), counted(self.rows)))
        self.assertEqual(len(self.rejected_lines), sum(place.rows("out/revenue/rejected").values()))
        self.assertEqual(self.late, sum(place.rows("out/revenue/late").values()))

    def listing(self, place):
        return {
            str(path.relative_to(place.path)): path.read_bytes()
            for path in sorted((place.path / "out").rglob("*"))
            if path.is_file() and ".weir" not in path.parts
        }

    def test_a_zombie_changes_nothing_and_exits_4(self):
        for point in ("decide_temporary_a@3:stop", "prepare_before@3:stop", "barrier_before@4:stop"):
            with self.subTest(point):
                place = self.place()
                flags = ("--checkpoint=300rec", "--roll-every=0s")
                zombie = place.start(*flags, env={"WEIR_FAILPOINT": point})
                self.assertTrue(wait_for(lambda: process_state(zombie.pid) == "T"), "it did not stop itself")
                place.run("--take-over", *flags)
                before = self.listing(place)
                os.kill(zombie.pid, signal.SIGCONT)
                _, errors = zombie.communicate(timeout=60)
                self.assertEqual(before, self.listing(place), "a zombie changed what is published")
                self.assertEqual(4, zombie.returncode, errors)
                self.exact(place)

    def test_take_overs_at_the_same_time(self):
        """Whoever is fenced says so, wherever it was; the last one is not hurt by the others."""
        for delays in ((0, 0), (0, 0.02), (0.02, 0), (0.01, 0.01), (0.05, 0.05), (0.1, 0.02)):
            with self.subTest(delays):
                place = self.place(records=9000)
                started = [place.start("--take-over", "--checkpoint=300rec")]
                for delay in delays:
                    time.sleep(delay)
                    started.append(place.start("--take-over", "--checkpoint=300rec"))
                ended = [(process.communicate(timeout=60)[1], process.returncode) for process in started]
                for errors, code in ended:
                    self.assertIn(code, (0, 4), errors)
                self.assertIn(0, [code for _, code in ended])
                self.exact(place)

    def test_fresh_does_not_take_over(self):
        place = self.place()
        first = place.start("--checkpoint=300rec", env={"WEIR_FAILPOINT": "barrier_before@4:stop"})
        self.assertTrue(wait_for(lambda: process_state(first.pid) == "T"))
        place.run("--fresh", "--replace-output", "--take-over", expect=2)
        refused = place.run("--fresh", "--replace-output", expect=1)
        self.assertIn(str(first.pid), refused.stderr)
        os.kill(first.pid, signal.SIGCONT)
        first.communicate(timeout=60)
        self.assertEqual(0, first.returncode)
        self.exact(place)

    def test_C076_a_second_start_is_refused_and_names_the_first(self):
        place = self.place()
        first = place.start("--checkpoint=300rec", env={"WEIR_FAILPOINT": "barrier_before@4:stop"})
        self.assertTrue(wait_for(lambda: process_state(first.pid) == "T"))
        second = place.run("--checkpoint=300rec", expect=1)
        self.assertIn(str(first.pid), second.stderr)
        os.kill(first.pid, signal.SIGCONT)
        first.communicate(timeout=60)
        self.assertEqual(0, first.returncode)
        self.exact(place)

    def test_C004_killed_between_decision_and_delivery_twenty_times(self):
        place = self.place(records=9000)
        killed = 0
        for _ in range(20):
            run = place.run("--checkpoint=100rec", expect=None, env={"WEIR_FAILPOINT": "decide_after@3"})
            killed += run.returncode == -signal.SIGKILL
            if run.returncode == 0:
                break
        self.assertEqual(20, killed)
        place.run()
        self.exact(place)

    def test_C007_killed_around_the_rename(self):
        for point in ("prepare_lane_synced@2", "deliver_before@2", "deliver_linked@2", "deliver_after@2"):
            with self.subTest(point):
                place = self.place()
                first = place.run("--checkpoint=300rec", "--roll-every=0s", expect=None,
                                  env={"WEIR_FAILPOINT": point})
                self.assertEqual(-signal.SIGKILL, first.returncode, first.stderr)
                place.run("--checkpoint=300rec")
                self.exact(place)
                place.run("--checkpoint=300rec")  # once more: nothing new
                self.exact(place)
                # staged leftovers are gone
                staged = [path for path in (place.path / REVENUE / ".weir").rglob("*") if path.suffix == ".ndjson"]
                self.assertEqual([], staged)

    def damaged(self, damage, expect):
        """Kills in the middle, damages, starts again."""
        place = self.place()
        run = place.run("--checkpoint=300rec", expect=None, env={"WEIR_FAILPOINT": "decide_after@5"})
        self.assertEqual(-signal.SIGKILL, run.returncode)
        before = self.listing(place)
        named = damage(place.path / "state/revenue")
        run = place.run("--checkpoint=300rec", expect=expect)
        if expect == 0:
            self.exact(place)
        else:
            self.assertEqual(before, self.listing(place))
        for name in named:
            self.assertIn(name, run.stderr)
        return place

    @staticmethod
    def newest(folder):
        return sorted(path for path in folder.iterdir() if path.name.isdigit())[-1]

    def flip(self, path):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x40
        path.write_bytes(data)

    def test_C013_one_damaged_slot_copy_is_mended(self):
        def truncate(state):
            slot = self.newest(state / "log/a")
            slot.write_bytes(b"")
            return [slot.name]

        def flip(state):
            slot = self.newest(state / "log/b")
            self.flip(slot)
            return [slot.name]

        def remove(state):
            self.newest(state / "log/b").unlink()
            return []

        for damage in (truncate, flip, remove):
            with self.subTest(damage.__name__):
                self.damaged(damage, 0)

    def test_C013_damage_to_both_copies_is_refused(self):
        def both(state):
            slot = self.newest(state / "log/a")
            self.flip(slot)
            self.flip(state / "log/b" / slot.name)
            return [slot.name]

        self.damaged(both, 1)

    def test_C013_damaged_or_missing_state_is_refused(self):
        def state_file(state):
            newest = sorted((state / "checkpoints").iterdir(), key=lambda path: int(path.name.split("-")[0]))[-1]
            return max(newest.rglob("*.sst"), key=lambda path: path.stat().st_size)

        def flip(state):
            path = state_file(state)
            self.flip(path)
            return [path.name]

        def remove(state):
            path = state_file(state)
            path.unlink()
            return [path.name]

        for damage in (flip, remove):
            with self.subTest(damage.__name__):
                self.damaged(damage, 1)

    def test_C069_sigterm_stops_with_a_final_checkpoint(self):
        place = self.place(records=60_000)
        process = place.start("--checkpoint=2000rec", env={"WEIR_FAILPOINT": "barrier_before@4:stop"})
        self.assertTrue(wait_for(lambda: process_state(process.pid) == "T"))
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(0, process.returncode, errors)
        published_rows = place.rows(REVENUE)
        self.assertEqual(+published_rows, published_rows & counted(self.rows))  # no open window was emitted
        self.assertNotEqual("", difference(published_rows, counted(self.rows)), "it ended before the signal")
        place.run()
        self.exact(place)

    def test_C069_sigterm_at_any_moment_loses_nothing(self):
        place = self.place(records=60_000)
        for delay in (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08):
            process = place.start("--checkpoint=10ms")
            time.sleep(delay)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, -signal.SIGTERM), errors)
        place.run()
        self.exact(place)

    def test_C069_drain_closes_windows_once(self):
        place = self.place()
        process = place.start("--drain", "--checkpoint=300rec", env={"WEIR_FAILPOINT": "barrier_before@4:stop"})
        self.assertTrue(wait_for(lambda: process_state(process.pid) == "T"))
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(0, process.returncode, errors)
        drained = place.rows(REVENUE)
        self.assertGreater(sum(drained.values()), 0)
        again = place.run(expect=None)
        for row, times in drained.items():
            self.assertEqual(times, place.rows(REVENUE)[row], f"emitted again: {row}\n{again.stderr}")

    def test_C072_a_file_open_longer_than_checkpoints_are_kept(self):
        text = SCRIPT.read_text().replace('out/revenue/revenue", format: json', 'out/revenue/revenue", format: json, roll_every: 10m')
        place = self.place(records=9000, script=text)
        run = place.run("--checkpoint=100rec", expect=None, env={"WEIR_FAILPOINT": "decide_after@60"})
        self.assertEqual(-signal.SIGKILL, run.returncode, run.stderr)
        self.assertEqual([], published(place.path / REVENUE))
        saved = place.path / "saved"
        shutil.copytree(place.path / "state", saved / "state", symlinks=True)
        shutil.copytree(place.path / "out", saved / "out", symlinks=True)
        place.run()
        self.exact(place)
        # and with a staged file removed by hand: refused, with its path
        shutil.rmtree(place.path / "out")
        shutil.rmtree(place.path / "state")
        shutil.copytree(saved / "out", place.path / "out")
        shutil.copytree(saved / "state", place.path / "state")
        staged = max((place.path / REVENUE / ".weir").rglob("*.ndjson"), key=lambda path: path.stat().st_size)
        staged.unlink()
        for _ in range(2):  # the same answer each time, no endless restart
            refused = place.run(expect=1)
            self.assertIn(staged.name, refused.stderr)

    STDIN = """
pipeline piped { checkpoint every 1s to "state" }
type Row = { n: int }
source rows: Row from stdin(format: json)
sink rows to file(path: "out/rows", format: json)
  accept best_effort "a test"
"""

    def test_a_second_pipe_into_an_ended_run_is_refused(self):
        with Place(build(self.STDIN)) as place:
            place.run(input='{"n":1}\n')
            refused = place.run(input='{"n":2}\n', expect=1)
            self.assertIn("--fresh", refused.stderr)
            self.assertEqual(1, sum(place.rows("out/rows").values()))
            place.run("--fresh", "--replace-output", input='{"n":3}\n')
            self.assertEqual(['{"n": 3}'], list(place.rows("out/rows")))

    def test_closed_standard_streams_are_not_taken_by_files(self):
        with Place(build(self.STDIN)) as place:
            done = subprocess.run(["bash", "-c", f"{place.app} <&- >&- 2>&-"], cwd=place.path, timeout=60)
            self.assertEqual(0, done.returncode)
            self.assertEqual(0, sum(place.rows("out/rows").values()))

    def test_what_cannot_be_printed_or_summed_up_is_no_success(self):
        with Place(build(self.STDIN)) as place:
            for flag, status in (("--plan", 1), ("--guarantees", 1), ("--help", 2)):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = subprocess.run([place.app, flag], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(status, done.returncode, flag)

            def run(summary):
                return subprocess.run([place.app, f"--summary={summary}"], input='{"n":1}\n', cwd=place.path,
                                      capture_output=True, text=True, timeout=60)

            refused = run("nowhere/summary")
            self.assertEqual(2, refused.returncode)
            self.assertIn("nowhere/summary cannot be written", refused.stderr)
            self.assertFalse((place.path / "out").exists())
            full = run("/dev/full")
            self.assertEqual(1, full.returncode)
            self.assertIn("/dev/full is not whole", full.stderr)
            self.assertEqual(1, sum(place.rows("out/rows").values()))

    KEYED = """
pipeline keyed { checkpoint every 1s to "state" }
type Row = { n: int, t: timestamp("unix_s"), g: string, h: string }
source rows: Row from file(path: "in/*", format: json) time t lateness 5s
stream counts = rows |> aggregate c = count(), q = sum(n) by g, h over tumbling(1m)
sink counts to file(path: "out/counts", format: json)
"""

    def test_C068_state_of_another_program(self):
        """Kept state is what it was made for: keys, aggregates, windows and how positions are meant."""
        with Place(build(self.KEYED)) as place:
            (place.path / "in").mkdir()
            for name in ("0", "1"):
                with open(place.path / "in" / name, "w", encoding="utf-8") as file:
                    file.writelines(json.dumps({"n": n, "t": n // 50, "g": "abc"[n % 3], "h": "xy"[n % 2]}) + "\n"
                                    for n in range(3000))
            run = place.run("--checkpoint=500rec", expect=None, env={"WEIR_FAILPOINT": "decide_after@4"})
            self.assertEqual(-signal.SIGKILL, run.returncode)
            base = place.app
            for old, new, code in (("by g, h", "by h, g", "E6072"),
                                   ("by g, h", "by g = h, h = g", "E6072"),
                                   ("by g, h", "by g = upper(g), h", "E6072"),
                                   ("by g, h", "by g, k = h", "E6072"),
                                   ("q = sum(n)", "q = max(n)", "E6072"),
                                   ("tumbling(1m)", "tumbling(1m, offset: 30s)", "E6072"),
                                   ("stream counts", "stream totals", "E6072"),
                                   ("lateness 5s", "lateness 0s", "E6121"),
                                   ("format: json) time", "format: json, files: in_order) time", "E6121")):
                with self.subTest(new):
                    text = self.KEYED.replace(old, new)
                    place.app = build(text.replace("sink counts", "sink counts from totals") if "totals" in new else text)
                    self.assertIn(code, place.run(expect=1).stderr)
            # A step before it changes nothing that is kept.
            place.app = build(self.KEYED.replace("rows |>", "rows |> where n >= 0 |>"))
            self.assertIn("the program has changed", place.run(expect=0).stderr)
            rows = [json.loads(row) for row in place.rows("out/counts").elements()]
            self.assertEqual(6000, sum(row["c"] for row in rows))
            place.app = base
            place.run()

    ROTATED = """
pipeline rotated { checkpoint every 1s to "state" }
type Row = { n: int }
source rows: Row from file(path: "log/app.log*", format: json, files: FILES, follow: true)
sink rows to file(path: "out/rows", format: json)
"""

    def rotate(self, files):
        """Every log gets another name while the oldest is being read, in one process and over restarts."""
        with Place(build(self.ROTATED.replace("FILES", files))) as place:
            log = place.path / "log"
            log.mkdir()
            written = 0

            def write(name, count, mode="w"):
                nonlocal written
                with open(log / name, mode, encoding="utf-8") as file:
                    file.writelines(f'{{"n":{n}}}\n' for n in range(written, written + count))
                written += count
                time.sleep(0.02)  # another time of birth

            write("app.log.2", 3000)
            write("app.log.1", 1000)
            write("app.log", 500)
            order = {"WEIR_FAILPOINT": "barrier_before@2:stop"}
            for round in range(3):
                process = place.start("--checkpoint=500rec", "--parallelism=1", env=order)
                self.assertTrue(wait_for(lambda: process_state(process.pid) in "TZ"))
                for number in range(round + 2, -1, -1):
                    old = f"app.log.{number}" if number else "app.log"
                    (log / old).rename(log / f"app.log.{number + 1}")
                write("app.log", 700)
                process.send_signal(signal.SIGCONT)
                time.sleep(0.3)
                self.assertIsNone(process.poll(), "it ended by itself")
                process.send_signal(signal.SIGKILL if round == 1 else signal.SIGTERM)
                _, errors = process.communicate(timeout=60)
                self.assertIn(process.returncode, (0, -signal.SIGKILL), errors)
                for row, times in place.rows("out/rows").items():
                    self.assertEqual(1, times, row)
                write("app.log", 2000, "a")
            place.run("--until-end", "--drain")
            self.assertEqual("", difference(place.rows("out/rows"), counted({"n": n} for n in range(written))))

    def write_log(self, place, name, *numbers):
        (place.path / "log").mkdir(exist_ok=True)
        with open(place.path / "log" / name, "a", encoding="utf-8") as file:
            file.writelines(f'{{"n":{n}}}\n' for n in numbers)

    def ordered(self):
        return self.enterContext(Place(build(self.ROTATED.replace("FILES", "in_order"))))

    def test_a_rotated_log_is_read_on_until_the_new_one_has_bytes(self):
        place = self.ordered()
        self.write_log(place, "app.log", 1)
        process = place.start("--checkpoint=20ms", "--roll-every=0s", "--parallelism=1")
        self.addCleanup(process.kill)
        self.assertTrue(wait_for(lambda: len(place.rows("out/rows")) == 1))
        (place.path / "log/app.log").rename(place.path / "log/app.log.1")
        self.write_log(place, "app.log")
        time.sleep(0.2)
        self.write_log(place, "app.log.1", 2)
        self.assertTrue(wait_for(lambda: len(place.rows("out/rows")) == 2))
        self.write_log(place, "app.log", 3)
        self.assertTrue(wait_for(lambda: len(place.rows("out/rows")) == 3))
        # From here on the old one is complete, and what comes to it all the same is named.
        self.write_log(place, "app.log.1", 4)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(1, process.returncode)
        self.assertIn("E6093", errors)
        self.assertIn("log/app.log.1", errors)
        self.assertIn("E6093", place.run("--until-end", expect=1).stderr)
        # The way out that the message names.
        self.write_log(place, "app.log", 4)
        os.truncate(place.path / "log/app.log.1", len('{"n":1}\n{"n":2}\n'))
        place.run("--until-end", "--drain")
        self.assertEqual("", difference(place.rows("out/rows"), counted({"n": n} for n in (1, 2, 3, 4))))

    def test_a_log_that_grows_between_two_runs_until_its_end(self):
        place = self.ordered()
        self.write_log(place, "app.log.1", 1)
        self.write_log(place, "app.log")
        place.run("--until-end")
        self.write_log(place, "app.log.1", 2)
        self.write_log(place, "app.log", 3)
        place.run("--until-end")
        self.assertEqual("", difference(place.rows("out/rows"), counted({"n": n} for n in (1, 2, 3))))
        self.write_log(place, "app.log.1", 4)
        refused = place.run("--until-end", expect=1).stderr
        self.assertIn("E6093", refused)
        self.assertIn("log/app.log.1", refused)

    def test_nothing_to_follow_yet(self):
        place = self.ordered()
        place.run("--until-end")
        os.mkfifo(place.path / "fifo")
        (place.path / "log").mkdir()
        (place.path / "fifo").rename(place.path / "log/app.log.1")
        place.run("--until-end")
        self.write_log(place, "app.log", 1)
        place.run("--until-end", "--drain")
        self.assertEqual(['{"n": 1}'], list(place.rows("out/rows")))

    def test_logs_rotated_while_they_are_read_in_order(self):
        self.rotate("in_order")

    def test_logs_rotated_while_they_are_read_each(self):
        self.rotate("each")

    def test_a_second_run_of_finished_input_is_a_no_op(self):
        place = self.place()
        place.run()
        before = self.listing(place)
        again = place.run()
        self.assertIn("--fresh", again.stderr)
        self.assertEqual(before, self.listing(place))

    def test_another_sink_path_over_an_ended_run(self):
        place = self.place()
        place.run()
        other = build(SCRIPT.read_text().replace('out/revenue/revenue"', 'new/revenue"'))
        old, place.app = place.app, other
        refused = place.run(expect=1)
        self.assertIn("E6050", refused.stderr)
        self.assertIn(REVENUE, refused.stderr)
        self.assertFalse((place.path / "new").exists(), "something was written")
        # the folder is moved to where the program says
        (place.path / "new").mkdir()
        (place.path / REVENUE).rename(place.path / "new/revenue")
        place.run()
        place.app = old
        self.assertEqual("", difference(place.rows("new/revenue"), counted(self.rows)))

    def test_another_sink_path_in_the_middle(self):
        place = self.place()
        for kill in ("barrier_before@9", "barrier_before@1"):  # the second start publishes what is owed
            place.run("--checkpoint=300rec", expect=None, env={"WEIR_FAILPOINT": kill})
        before = place.rows(REVENUE)
        self.assertGreater(sum(before.values()), 0)
        place.app = build(SCRIPT.read_text().replace('out/revenue/revenue"', 'new/revenue"'))
        run = place.run()
        self.assertIn("what comes now goes to new/revenue", run.stderr)
        self.assertEqual("", difference(before + place.rows("new/revenue"), counted(self.rows)))

    def test_changed_input_is_named_and_refused(self):
        place = self.place()
        place.run("--checkpoint=300rec", expect=None, env={"WEIR_FAILPOINT": "decide_after@5"})
        first = self.paths[0]
        first.write_text("x" + first.read_text()[1:])
        refused = place.run(expect=1)
        self.assertIn(first.name, refused.stderr)


if __name__ == "__main__":
    assert json
    main()
