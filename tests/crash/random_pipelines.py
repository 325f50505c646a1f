#!/usr/bin/env python3
"""Random pipelines, killed at random moments: what is published at the end is what the model says, to the row.

    tests/crash/random_pipelines.py [--seeds A-B] [--minutes M] [--kills K]   a range, or until the time is over; without
                                                                              both, 20 seeds from a random one on
    tests/crash/random_pipelines.py --seed N [--kills K]                      one again; its folder is kept

A seed makes a script and its input (tests/reference/random_pipeline.py), and how often and with which flags the program
is started. A start is killed after some time or at a failpoint, or is asked to stop; then one copy of a slot of the log
may be damaged. The next start has another parallelism and another interval. The last one runs to its end. Moments are
not repeatable to the instruction: a seed that failed may need several tries. The folder of each failure is kept.
"""

import argparse
import itertools
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness"), str(ROOT / "tests" / "reference")]

from pipeline import Place, ToolError, difference, weir  # noqa: E402
from random_pipeline import RandomPipeline  # noqa: E402

KEPT = ROOT / "build" / "random-pipelines"
POINTS = re.findall(r"^WEIR_FAILPOINT\((\w+)", (ROOT / "runtime/protocol/failpoints.def").read_text(), re.M)
LIMIT_SECONDS = 120  # a run that takes longer hangs


class Trial:
    def __init__(self, seed, kills):
        self.seed, self.kills = seed, kills
        self.rng = random.Random(f"schedule {seed}")
        self.damaged_copy = self.rng.choice("ab")  # the same one always: damage to both is refused
        self.history = []

    def run(self, place):
        """Raises ToolError if the compiler or a run did what it must not, or the output is not the expected one."""
        pipeline = self.build(place)
        for _ in range(self.kills):
            if not self.interrupted(place):
                break
            if self.rng.random() < 0.3:
                self.damage(place.path / "state" / "log")
        flags = self.flags("1ms", "10ms", "200rec", "never")
        self.history.append(f"{' '.join(flags)}: to the end")
        place.run(*flags, timeout=LIMIT_SECONDS)
        found = pipeline.found(place.path)
        wrong = [f"{sink}: {text}" for sink, rows in pipeline.expected.items()
                 if (text := difference(found[sink], rows))]
        if wrong:
            raise ToolError("\n".join(wrong))
        return sum(sum(rows.values()) for rows in found.values())

    def build(self, place):
        """The pipeline of the seed, or of the next try of it if a constant in it always fails."""
        for attempt in itertools.count():
            for made in ("r", "r2"):
                shutil.rmtree(place.path / made, ignore_errors=True)
            pipeline = RandomPipeline(f"{self.seed} {attempt}", place.path)
            script = place.path / "pipeline.weir"
            script.write_text(pipeline.script)
            done = weir("build", script, "-o", place.app, self.rng.choice(["-O0", "-O2", "-O2"]), check=False)
            if done.returncode == 0:
                return pipeline
            errors = re.findall(r"^error.*", done.stderr, re.M)
            if not errors or any("E2018" not in error for error in errors):
                raise ToolError(f"weir build: exit {done.returncode}\n" + ("\n".join(errors) or done.stderr))
            print(f"{self.seed}: a constant of its script always fails; the next script", flush=True)

    def flags(self, *intervals):
        flags = [f"--parallelism={self.rng.choice([1, 2, 3, 4, 7])}", f"--checkpoint={self.rng.choice(intervals)}"]
        if self.rng.random() < 0.5:
            flags.append(f"--roll-every={self.rng.choice(['0s', '10ms'])}")
        return flags

    def interrupted(self, place):
        """Starts the program and ends it before its time. False if it was faster."""
        rng = self.rng
        flags = self.flags("1rec", "7rec", "100rec", "1ms", "10ms", "20ms", "1s")
        seconds = rng.random() * rng.choice([0.05, 0.3, 1])
        point = f"{rng.choice(POINTS)}@{rng.randint(1, 6)}" if rng.random() < 0.4 else ""
        how = rng.choice([signal.SIGKILL] * 4 + [signal.SIGTERM])
        process = place.start(*flags, env={"WEIR_FAILPOINT": point} if point else None)
        try:
            _, errors = process.communicate(timeout=seconds)
            how = None
        except subprocess.TimeoutExpired:
            process.send_signal(how)
            _, errors = process.communicate(timeout=LIMIT_SECONDS)
        self.history.append(f"{' '.join(flags)} {point}: {how.name if how else 'not killed'} after {seconds:.3f} s")
        right = {0, -signal.SIGKILL} if how == signal.SIGKILL or point else {0}
        if how == signal.SIGTERM and not errors:
            right.add(-signal.SIGTERM)  # it came before the handler was there
        if process.returncode not in right:
            raise ToolError(f"exit {process.returncode}\n{errors}")
        return how is not None or process.returncode != 0

    def damage(self, log):
        """Flips a bit of one of the newest slots in one copy, or removes it, if the other copy has the slot."""
        other = log / ("b" if self.damaged_copy == "a" else "a")
        both = sorted(path for path in (log / self.damaged_copy).glob("[0-9]*") if (other / path.name).exists())
        if not both:
            return
        slot = self.rng.choice(both[-2:])
        data = bytearray(slot.read_bytes())
        slot.unlink()  # the copies may be links to one file
        if data and self.rng.random() < 0.5:
            data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
            slot.write_bytes(data)
        self.history.append(f"slot {slot.name} of copy {self.damaged_copy} damaged")


def passes(seed, kills, keep):
    trial, started, fault = Trial(seed, kills), time.monotonic(), ""
    with Place(None) as place:
        place.app = place.path / "app"
        try:
            rows = trial.run(place)
        except (ToolError, subprocess.TimeoutExpired, UnicodeDecodeError, ValueError, LookupError) as error:
            fault = f"{type(error).__name__}: {error}"
        if fault or keep:
            shutil.rmtree(KEPT / str(seed), ignore_errors=True)
            shutil.copytree(place.path, KEPT / str(seed))
    if fault:
        print("\n  ".join([f"{seed}: FAILED\n{fault}", *trial.history]))
        print(f"  again: tests/crash/random_pipelines.py --seed {seed} --kills {kills}")
    else:
        print(f"{seed}: {rows} rows, {len(trial.history)} events, {time.monotonic() - started:.1f} s", flush=True)
    if fault or keep:
        print(f"  kept: build/random-pipelines/{seed}", flush=True)
    return not fault


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seed", type=int, help="this one only; its folder is kept")
    arguments.add_argument("--seeds", help="A-B, both included")
    arguments.add_argument("--minutes", type=float, help="starts no other seed after this time")
    arguments.add_argument("--kills", type=int, default=15, help="at most, of each seed (15)")
    chosen = arguments.parse_args()
    first = random.SystemRandom().randrange(10**6, 10**9)
    last = None if chosen.minutes else first + 19
    if chosen.seeds:
        first, last = map(int, chosen.seeds.split("-"))
    if chosen.seed is not None:
        first = last = chosen.seed
    deadline = time.monotonic() + 60 * chosen.minutes if chosen.minutes else float("inf")
    results = []
    for seed in itertools.count(first):
        if (last is not None and seed > last) or time.monotonic() > deadline:
            break
        results.append(passes(seed, chosen.kills, chosen.seed is not None))
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    main()
