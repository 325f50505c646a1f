"""Revenue per customer and minute with coupons, rejected and late orders, computed without Weir."""

import json
import re
from datetime import datetime, timezone
from decimal import ROUND_HALF_EVEN, Decimal

from model import MICRO, Lateness, floor_window, window_json

MINUTE = 60 * MICRO
STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z\Z")


def parse(line):
    """(time, record), or None where the record is broken."""
    try:
        record = json.loads(line, parse_float=Decimal)
        amount = Decimal(record["amount"])
        if amount != amount.quantize(Decimal("0.01")):
            return None
        match = STAMP.match(record["placed"])
        moment = datetime.strptime(match[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
        if not isinstance(record["id"], str) or not isinstance(record["customer"], str):
            return None
        if not isinstance(record.get("coupon"), (str, type(None))):
            return None
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None
    micros = int(moment.timestamp()) * MICRO + int((match[2] or "").ljust(6, "0"))
    return micros, {**record, "amount": amount}


def net(record):
    if record.get("coupon") == "HALF":
        return (record["amount"] * Decimal("0.5")).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
    return record["amount"].quantize(Decimal("0.01"))


def expected(paths, lateness=10 * MICRO):
    """(rows, raw rejected lines, number of late records)."""
    groups, rejected, late = {}, [], 0
    for path in paths:
        progress = Lateness(lateness)
        with open(path, encoding="utf-8-sig") as file:
            for line in file:
                if not line.strip():
                    continue
                parsed = parse(line)
                if parsed is None:
                    rejected.append(line.rstrip("\r\n"))
                    continue
                time, record = parsed
                # an order that the filter drops still counts in the progress of its split
                is_late = progress.late(time, MINUTE)
                if record["amount"] <= 0:
                    continue
                if is_late:
                    late += 1
                    continue
                groups.setdefault((record["customer"], floor_window(time, MINUTE)), []).append(net(record))
    rows = [
        {
            "customer": customer,
            "window": window_json(start, MINUTE),
            "total": sum(nets, Decimal("0.00")),
            "n": len(nets),
            "free": sum(value == 0 for value in nets),
        }
        for (customer, start), nets in groups.items()
    ]
    return rows, rejected, late
