"""What Weir's rules say about windows and lateness, written from the language reference alone.

Shared by the independent programs in this folder. They read the raw input themselves and know nothing of
Weir's code; their results are compared with what a compiled pipeline wrote.
"""

from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

MICRO = 1_000_000


def floor_window(time, size):
    """Start of the tumbling window that holds `time` (microseconds); floors before 1970 as well."""
    return time // size * size


def timestamp_text(micros):
    """RFC 3339 with Z; a fraction only if it is not zero, without trailing zeros."""
    from datetime import datetime, timedelta, timezone

    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    fraction = micros % MICRO
    if fraction:
        text += (".%06d" % fraction).rstrip("0")
    return text + "Z"


def window_json(start, size):
    return {"start": timestamp_text(start), "end": timestamp_text(start + size)}


def average(total, count, scale=6):
    """Exact quotient rounded half-even to `scale` digits."""
    with localcontext() as context:
        context.prec = 80
        return (Decimal(total) / Decimal(count)).quantize(Decimal(1).scaleb(-scale), rounding=ROUND_HALF_EVEN)


class Lateness:
    """Progress of the records of one split: carried = max(time so far) - lateness."""

    def __init__(self, lateness):
        self.lateness = lateness
        self.newest = None

    def late(self, time, size):
        """Whether a record of `time` is late for its window; then counts the record in the progress."""
        carried = None if self.newest is None else self.newest - self.lateness
        end = floor_window(time, size) + size
        is_late = carried is not None and end <= carried
        self.newest = time if self.newest is None else max(self.newest, time)
        return is_late


def group(splits, size, lateness, key_and_value):
    """Groups records of several splits into windows.

    splits: iterable of iterables of (time, record); key_and_value(record) gives (key, value).
    Returns ({(window start, key): [values]}, number of late records).
    """
    groups = defaultdict(list)
    late = 0
    for split in splits:
        progress = Lateness(lateness)
        for time, record in split:
            if progress.late(time, size):
                late += 1
                continue
            for key, value in key_and_value(record):
                groups[floor_window(time, size), key].append(value)
    return groups, late
