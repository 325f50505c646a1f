#!/usr/bin/env python3
"""Many runs of one pipeline over one state folder at once: each takes over from the others, is suspended, woken, killed.

    tests/crash/storm.py [ROUNDS [SEED]]      20 rounds; the seed is printed

Every run must end with 0, or with 4 because a newer one has taken over, or by the kill; after each round one more run
must end well and the published rows must be those of an undisturbed run.
"""

import random
import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness")]

from generate import generate  # noqa: E402
from pipeline import Place, build, difference  # noqa: E402

RUNS = 8
OUTPUT = "out/busiest"


def disturb(rng, process):
    chance = rng.random()
    if process.poll() is not None:
        return
    if chance < 0.15:
        process.kill()
    elif chance < 0.45:
        process.send_signal(signal.SIGSTOP)
    elif chance < 0.7:
        process.send_signal(signal.SIGCONT)


def storm(rng, place):
    """What ended in another way than it may."""
    started = []
    for _ in range(RUNS):
        flags = [
            "--take-over",
            f"--checkpoint={rng.choice(['500rec', '2000rec', '5ms'])}",
            f"--parallelism={rng.choice([1, 2, 3])}",
            f"--roll-every={rng.choice(['0s', '50ms', '10s'])}",
        ]
        env = {"WEIR_JOURNAL_EPOCHS": str(rng.choice([1, 3, 1000]))}
        started.append(place.start(*flags, env=env))
        time.sleep(rng.choice([0, 0.01, 0.05, 0.2, 0.5]))
        for process in started:
            disturb(rng, process)
    faults = []
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
    for process in started:
        errors = process.communicate(timeout=120)[1]
        if process.returncode not in (0, 4, -signal.SIGKILL):
            faults.append(f"exit {process.returncode}: {errors[-500:]}")
    return faults


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    print(f"seed {seed}")
    rng = random.Random(seed)
    app = build(ROOT / "examples/busiest/pipeline.weir")
    passed = failed = 0
    expected = None
    for number in range(rounds + 1):
        with Place(app) as place:
            generate("flights", place.path / "input", seed=3, files=4, records=120_000)
            place.binds = {"flights": place.path / "input" / "*"}
            faults = storm(rng, place) if number else []
            last = place.run(expect=None)
            if last.returncode != 0:
                faults.append(f"the last run: exit {last.returncode}: {last.stderr[-500:]}")
            elif expected is None:
                expected = place.rows(OUTPUT)
                continue
            elif place.rows(OUTPUT) != expected:
                faults.append(difference(place.rows(OUTPUT), expected))
        for fault in faults:
            print(f"round {number}: {fault}", flush=True)
        passed, failed = (passed, failed + 1) if faults else (passed + 1, failed)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
