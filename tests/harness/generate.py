#!/usr/bin/env python3
"""Seeded inputs of the shapes that the examples read: flights, status, access_log, orders.

    generate.py SHAPE FOLDER [--seed N] [--files N] [--records N]

The same arguments give the same bytes. Times rise with some disorder, as real logs do.
"""

import argparse
import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
AIRPORTS = (
    "ABQ ALB ATL AUS BDL BHM BNA BOS BUF BUR BWI CLE CLT CMH CVG DAL DCA DEN DFW DTW "
    "ELP EWR FLL GSO HNL HOU IAD IAH IND JAX JFK LAS LAX LGA MCI MCO MDW MEM MHT MIA MSP ORD PHX SEA"
).split()


def times(rng, count, step_seconds, disorder_seconds):
    moment = START
    for _ in range(count):
        moment += timedelta(seconds=rng.randint(0, step_seconds))
        yield moment - timedelta(seconds=rng.randint(0, disorder_seconds))


def flights(rng, count):
    for moment in times(rng, count, 600, 0):
        origin, destination = rng.sample(AIRPORTS, 2)
        yield json.dumps(
            {
                "date": moment.strftime("%Y/%m/%d %H:%M"),
                "delay": rng.randint(-30, 240),
                "distance": rng.randint(80, 2700),
                "origin": origin,
                "destination": destination,
            },
            separators=(",", ":"),
        )


def status(rng, count):
    zones = {f"zone{n}.example": [rng.randint(0, 10**6), 0] for n in range(5)}
    for moment in times(rng, count, 240, 0):
        for counters in zones.values():
            counters[0] += rng.randint(0, 50)
            counters[1] += rng.randint(0, 1)
        yield json.dumps(
            {
                "version": 6,
                "timestamp": int(moment.timestamp() * 1000) + rng.randint(0, 999),
                "connections": {"active": rng.randint(0, 90), "idle": 29},
                "server_zones": {
                    name: {"requests": total, "responses": {"1xx": 0, "2xx": total - errors, "5xx": errors}}
                    for name, (total, errors) in zones.items()
                },
            }
        )


def access_log(rng, count):
    for moment in times(rng, count, 3, 25):
        size = "-" if rng.random() < 0.07 else str(rng.randint(20, 90000))
        path = rng.choice(["/", "/index.html", "/style.css", '/a"b', "/päge"])
        yield (
            f'10.0.0.{rng.randint(1, 9)} - - [{moment.strftime("%d/%b/%Y:%H:%M:%S")} +0000] '
            f'"GET {path} HTTP/1.1" {rng.choice([200, 200, 200, 304, 404])} {size} "-" "Example/1.0 (test)"'
        )


def orders(rng, count):
    for number, moment in enumerate(times(rng, count, 10, 15)):
        if rng.random() < 0.01:
            yield rng.choice(['{"id": 12ab}', '{"id": "x", "customer": "ann"}', "not a record", '{"id":'])
            continue
        order = {
            "id": f"o{number}",
            "customer": f"c{rng.randint(1, 200)}",
            "amount": rng.randint(-200, 99999) / 100,
            "placed": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        if rng.random() < 0.3:
            order["coupon"] = rng.choice(["HALF", "SPRING", None])
        yield json.dumps(order)


SHAPES = {
    "flights": (flights, "ndjson"),
    "status": (status, "ndjson"),
    "access_log": (access_log, "log"),
    "orders": (orders, "ndjson"),
}


def generate(shape, folder, seed=1, files=3, records=1000):
    """Writes `records` records in all into `files` files; returns their paths in order."""
    make, suffix = SHAPES[shape]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(files):
        share = records // files + (1 if number < records % files else 0)
        rng = random.Random(f"{shape} {seed} {number}")
        path = folder / f"part-{number:03}.{suffix}"
        path.write_text("".join(line + "\n" for line in make(rng, share)), encoding="utf-8")
        paths.append(path)
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shape", choices=sorted(SHAPES))
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=3)
    parser.add_argument("--records", type=int, default=1000)
    args = parser.parse_args()
    for path in generate(args.shape, args.folder, args.seed, args.files, args.records):
        print(path)


if __name__ == "__main__":
    main()
