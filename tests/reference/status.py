"""Requests and 5xx answers per zone and ten minutes from cumulative counters, computed without Weir."""

import json

from model import MICRO, group, window_json

TEN_MINUTES = 600 * MICRO


def split(path):
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                document = json.loads(line)
                yield document["timestamp"] * 1000, document


def zones(document):
    for name, zone in document["server_zones"].items():
        yield name, (zone["requests"], zone["responses"]["5xx"])


def expected(paths, lateness=0):
    groups, late = group([split(path) for path in paths], TEN_MINUTES, lateness, zones)
    rows = []
    for (start, zone), values in groups.items():
        requests = [value[0] for value in values]
        errors = [value[1] for value in values]
        rows.append(
            {
                "zone": zone,
                "window": window_json(start, TEN_MINUTES),
                "requests": max(requests) - min(requests),
                "errors": max(errors) - min(errors),
            }
        )
    return rows, late
