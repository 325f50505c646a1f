"""Bytes and requests per client and ten seconds from a raw access log, computed without Weir."""

from datetime import datetime

from model import MICRO, group, window_json

TEN_SECONDS = 10 * MICRO


def parse(line):
    """(time, (client, bytes)) by cutting at brackets and quotes, not by the pipeline's pattern."""
    client = line.split(" ", 1)[0]
    stamp = line[line.index("[") + 1 : line.index("]")]
    moment = datetime.strptime(stamp, "%d/%b/%Y:%H:%M:%S %z")
    after_stamp = line[line.index("] ") + 2 :]
    # "request" status bytes "referrer" "agent": the request may hold quotes, the end of it is `" ` + 3 digits
    start = 1
    while True:
        close = after_stamp.index('" ', start)
        fields = after_stamp[close + 2 :].split(" ")
        if len(fields) >= 2 and len(fields[0]) == 3 and fields[0].isdigit():
            break
        start = close + 1
    size = 0 if fields[1] == "-" else int(fields[1])
    return int(moment.timestamp()) * MICRO, (client, size)


def split(path):
    with open(path, "rb") as file:
        for raw in file:
            line = raw.decode("utf-8").rstrip("\r\n")
            if line:
                yield parse(line)


def expected(paths, lateness=0):
    groups, late = group([split(path) for path in paths], TEN_SECONDS, lateness, lambda record: [record])
    rows = [
        {
            "client": client,
            "window": window_json(start, TEN_SECONDS),
            "requests": len(sizes),
            "bytes": sum(sizes),
        }
        for (start, client), sizes in groups.items()
    ]
    return rows, late
