"""Flights per origin and hour with mean and worst delay, computed without Weir."""

import json
from datetime import datetime, timezone

from model import MICRO, average, group, window_json

HOUR = 3600 * MICRO


def split(path):
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                local = datetime.strptime(record["date"], "%Y/%m/%d %H:%M")
                valid = isinstance(record["delay"], int) and isinstance(record["origin"], str)
            except (ValueError, KeyError, TypeError):
                continue
            if valid:
                yield int(local.replace(tzinfo=timezone.utc).timestamp()) * MICRO, record


def expected(paths, lateness=0):
    groups, late = group(
        [split(path) for path in paths], HOUR, lateness, lambda record: [(record["origin"], record["delay"])]
    )
    rows = [
        {
            "origin": origin,
            "window": window_json(start, HOUR),
            "flights": len(delays),
            "mean_delay": average(sum(delays), len(delays)),
            "worst_delay": max(delays),
        }
        for (start, origin), delays in groups.items()
    ]
    return rows, late


def busiest(paths, lateness=0):
    """Over the rows above: per hour the number of origins and of flights, and the most from one origin."""
    rows, late = expected(paths, lateness)
    hours = {}
    for row in rows:
        hours.setdefault(row["window"]["start"], []).append(row)
    return [
        {
            "window": group_rows[0]["window"],
            "origins": len(group_rows),
            "flights": sum(row["flights"] for row in group_rows),
            "most": max(row["flights"] for row in group_rows),
        }
        for group_rows in hours.values()
    ], late
