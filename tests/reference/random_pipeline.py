"""Random pipelines with their input, and what must come out of them by the language reference alone.

`RandomPipeline(seed, folder)` writes input files to `folder`, has a `script` that reads them and writes to `out/`
beside them, and knows the rows `expected` in every sink. The model goes record by record, without workers, barriers or
a merged watermark, as nothing of them may show. Its rules:

- A record whose text is broken in a declared field, or is not UTF-8 or JSON as a whole, is rejected and has no time.
- Lateness belongs to a split (a file, or all files read in order): carried = newest time before the record - lateness,
  over all earlier records that decoded. A record is late for a window with end <= carried, before keys and arguments
  are evaluated; it is late once however many elements it has there, and not at all if none reaches the aggregate.
- An error of an expression is the same at every level of optimisation (random_expressions.py).
- An error of one element below `flatten` is the whole record's: the stream in which it fails has no row of the record,
  so that no stream behind it has an error or a late mark of it. Streams beside it are not concerned.
- A window's row is never late, and an error of it is rejected with the row and without a position. A sum that does not
  fit is an error of its group. `sum` of nothing is 0, `min max avg` of nothing are absent; absent keys are a group.
"""

import base64
import json
import operator
import random
import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal, localcontext
from pathlib import Path
from typing import NamedTuple

from model import MICRO, average, floor_window, timestamp_text, window_json
from pipeline import published, read_row
from random_expressions import INT, INT_LIMIT, STRING, TIME, Expression, Expressions, RecordError, Type
from random_expressions import decimal_type, int_range

GROUP = "E5015"
LIST, MAP, WINDOW = Type("list"), Type("map"), Type("window")
FIELDS = {"id": INT, "g": STRING, "k": INT._replace(optional=True), "a": INT, "b": INT._replace(optional=True),
          "d": decimal_type(10, 2), "e": decimal_type(12, 3, optional=True), "s": STRING._replace(optional=True),
          "t": TIME}
NESTED = {"l": LIST, "m": MAP}  # JSON only


def json_value(kind, value):
    """What JSON says of a value: decimals with all digits of their scale and no negative zero, maps by key bytes."""
    if value is None:
        return None
    if kind.kind == "time":
        return timestamp_text(value)
    if kind.kind == "decimal":
        return Decimal(value).quantize(Decimal(1).scaleb(-kind.scale)) + 0 if kind.scale else int(value)
    return dict(sorted(value.items())) if kind.kind == "map" else value


def text_of(value):
    """The text by which rows are compared: fields in their order, decimals with their digits, as `read_row` has them."""
    return json.dumps(value, ensure_ascii=False, default=lambda digits: f"decimal {digits:f}")


def row_text(fields, row):
    return text_of({name: json_value(kind, row[name]) for name, kind in fields.items()})


# ---- input


WORDS = ["a", "b", "c", "ab", "", "é", "\U0001F600", 'x"y', "q,r", "ünï", " lead", "日本", "\\n", "z\n1", "tab\t"]


def random_record(rng, number, time_ms, keys):
    return {
        "id": number, "g": rng.choice(WORDS), "k": rng.choice([None, *range(keys)]),
        "a": rng.choice([rng.randrange(-20, 20)] * 20 + [INT_LIMIT - 1, -INT_LIMIT, 2**62]),
        "b": rng.choice([None, rng.randrange(5), rng.randrange(10**6)]),
        "d": Decimal(rng.choice([rng.randrange(-(10**4), 10**4)] * 20 + [10**10 - 1, 1 - 10**10])).scaleb(-2),
        "e": rng.choice([None, Decimal(rng.randrange(-(10**6), 10**6)).scaleb(-3)]),
        "s": rng.choice([None, *WORDS]), "t": time_ms * 1000,
        "l": [rng.randrange(-4, 9) for _ in range(rng.choice([0, 0, 1, 2, 3, 7]))],
        "m": {rng.choice("abcdxyzé"): rng.randrange(9) for _ in range(rng.randrange(4))},
    }


def json_line(rng, record, broken):
    """One of the many texts that are this record, or one that is no record at all."""
    parts = []
    for name in rng.sample(list(record), len(record)):
        value = record[name]
        if value is None and rng.random() < 0.5:
            continue
        if name == "t":
            text = str(value // 1000)
        elif isinstance(value, Decimal):
            text = rng.choice([f"{value:f}", f"{value:f}", f'"{value:f}"', f"{int(value.scaleb(3))}e-3"])
        else:
            text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
        parts.append(json.dumps(name) + rng.choice([":", ":", " : "]) + text)
    if rng.random() < 0.2:
        parts.insert(rng.randrange(len(parts) + 1), '"zz":{"q":[1,{"w":null}],"e":1e400}')
    if broken == 0:
        parts.append('"id":1')
    elif broken == 1:
        parts = [re.sub('^"a" ?:.*', '"a":1.0', part) for part in parts]
    line = ("{" + ",".join(parts) + "}").encode()
    texts = [line[:-1], line + b" x", b"garbage", b'{"id":1\xff}', b"[]", b'{"id":99999999999999999999}']
    return line if broken is None or broken < 2 else texts[broken % len(texts)]


def csv_line(rng, record, header, broken):
    """As `json_line`. A cell without quotes is absent where it may be, so that an empty text needs them."""
    cells = []
    for name in header:
        value = record.get(name, 'ex"tra,1')
        text = "" if value is None else str(value // 1000) if name == "t" else f"{value}"
        quoted = any(letter in text for letter in ',"\n') or (value == "" and name == "s") or rng.random() < 0.1
        cells.append(('"' + text.replace('"', '""') + '"' if quoted and value is not None else text).encode())
    if broken is not None:
        cells = [cells + [b"x"], cells[:-1], [b"garbage"], [b"\xff", *cells[1:]]][broken % 4]
    return b",".join(cells)


@dataclass
class Record:
    """A record of the input, or a window's row (which has neither a place nor carried progress)."""

    file: str = ""
    position: int = -1
    raw: bytes = b""
    values: dict = None  # None: broken
    time: int = 0
    carried: int = None


class Input:
    """Writes files of records of one shape."""

    def __init__(self, rng, form, fields):
        self.rng, self.form, self.fields = rng, form, fields
        self.count = 0
        self.first_ms = rng.choice([0, 10**12, -(10**12), 1774738800000])
        self.span_ms = rng.choice([1000, 100000, 10**7])
        self.disorder_ms = rng.choice([0, 2000, 30000, 10**6])
        self.keys = rng.choice([1, 3, 50])
        self.broken = rng.choice([0, 0.03, 0.03, 0.03])

    def write(self, path, records):
        """The records in the file, in order."""
        rng, made, out = self.rng, [], bytearray(self.rng.choice([b"", b"", b"", b"\xef\xbb\xbf"]))
        end = rng.choice([b"\n", b"\n", b"\n", b"\r\n"])
        header = rng.sample([*self.fields, *rng.choice([[], ["extra"]])], k=len(self.fields))
        header += [name for name in self.fields if name not in header]
        if self.form == "csv" and (records or rng.random() < 0.5):
            out += ",".join(header).encode() + end
        for index in range(records):
            self.count += 1
            time = self.first_ms + self.span_ms * index // records + rng.randint(-self.disorder_ms, self.disorder_ms)
            values = random_record(rng, self.count, time, self.keys)
            values = {name: values[name] for name in self.fields}
            broken = rng.randrange(8) if rng.random() < self.broken else None
            if self.form == "json":
                line = json_line(rng, values, broken)
                out += rng.choice([end, b"  " + end]) if rng.random() < 0.02 else b""
            else:
                line = csv_line(rng, values, header, broken)
            made.append(Record(path.name, len(out), line, values if broken is None else None))
            out += line
            if index < records - 1 or rng.random() < 0.5:
                out += end
        path.write_bytes(out)
        return made


# ---- pipelines


def through(steps, row):
    """Rows that a row becomes. Depth first: an element takes all steps before the next one takes any."""
    if not steps:
        return [row]
    (stage, step), *rest = steps
    try:
        made = step(row)
    except RecordError as error:
        error.stage = stage
        raise
    return [last for each in made for last in through(rest, each)]


@dataclass
class Stream:
    name: str
    fields: dict
    entries: list  # (record, its rows in this stream)


class Column(NamedTuple):
    """A column of an aggregate."""

    name: str
    function: str
    argument: Expression  # None for `count`
    where: Expression  # or None
    type: Type

    def text(self):
        argument = self.argument.text if self.argument else ""
        return f"{self.name} = {self.function}({argument})" + (f" where {self.where.text}" if self.where else "")

    def takes(self, row):
        """The values that a row adds: one or none."""
        if self.where and not self.where.value(row):
            return []
        return [self.argument.value(row) if self.argument else 1]

    def result(self, values):
        if self.function in ("count", "sum"):
            return sum(values) if self.type.kind == "decimal" else int_range(sum(values))
        if not values:
            return None
        if self.function == "avg":
            return average(sum(values), len(values), self.type.scale)
        return min(values) if self.function == "min" else max(values)


SIZES = {"250ms": MICRO // 4, "7s": 7 * MICRO, "1m": 60 * MICRO, "90m": 5400 * MICRO, "13h": 46800 * MICRO,
         "1d": 86400 * MICRO, "7d": 7 * 86400 * MICRO}


class RandomPipeline:
    """`script`, `expected` {sink: Counter of row texts}, `found(folder)` the same of what a run published there."""

    def __init__(self, seed, folder):
        self.rng = random.Random(seed)
        self.expressions = Expressions(self.rng)
        self.declarations = [f'pipeline p {{ checkpoint every 10ms to "state" keep {self.rng.randrange(1, 4)} }}']
        self.streams, self.rejected, self.late = [], Counter(), Counter()
        with localcontext() as context:
            context.prec = 80  # decimals are exact
            self.sources(Path(folder))
            for index in range(self.rng.randrange(1, 6)):
                parent = self.rng.choice(self.streams)
                make = self.rng.choice([self.steps, self.aggregate])
                self.streams.append(make(parent, f"s{index}"))
            written = [stream for stream in self.streams if stream.name != "r" or self.rng.random() < 0.5]
            self.expected = {
                stream.name: Counter(row_text(stream.fields, row) for _, rows in stream.entries for row in rows)
                for stream in written
            }
        self.expected |= {"rejected": self.rejected, "late": self.late}
        for name in self.expected:
            self.declarations.append(f'sink out_{name} from {name} to file(path: "out/{name}", format: json)')
        self.script = "\n".join(self.declarations) + "\n"

    def reject(self, stage, record, code):
        raw = base64.b64encode(record.raw).decode()
        self.rejected[text_of([stage, record.file, record.position, raw, code])] += 1

    def found(self, folder):
        def comparable(sink, row):
            if sink not in ("rejected", "late"):
                return row
            place = [Path(row["meta"]["path"]).name, row["meta"]["position"]]
            if sink == "late":
                return [row["record"], *place, int(Decimal(row["behind"][2:-1]) * MICRO)]
            stage = re.sub(r" \d+$", "", row["stage"])
            raw = row["raw"] if place[1] >= 0 else ""  # the text that stands for a window's row is not modelled,
            code = "" if stage.endswith(".decode") else row["code"]  # nor what is wrong with a broken text
            return [stage, *place, raw, code]

        return {
            sink: Counter(
                text_of(comparable(sink, read_row(line)))
                for path in published(Path(folder) / "out" / sink)
                for line in path.read_text(encoding="utf-8").split("\n")[:-1]
            )
            for sink in self.expected
        }

    def sources(self, folder):
        """One or two sources; their records with the progress that each carries."""
        rng = self.rng
        form, in_order = rng.choice(["json", "json", "csv"]), rng.random() < 0.3
        fields = FIELDS | (NESTED if form == "json" else {})
        lateness = rng.choice([0, 1, 5, 60, 3600])
        time, shift = rng.choice([("t", 0), ("t", 0), ("t + 90s", 90 * MICRO), ("t - 1h", -3600 * MICRO)])
        self.declarations.append(
            "type T = { " + ", ".join(f"{name}: {kind.text()}" for name, kind in fields.items()) + " }")
        files = Input(rng, form, fields)
        records = rng.choice([50, 500, 3000, 8000])
        for source in rng.choice([["r"], ["r"], ["r", "r2"]]):
            (folder / source).mkdir()
            count = rng.randrange(1, 6)
            names = [f"{index:02}.x" for index in range(count)]
            if in_order and rng.random() < 0.5:
                names = [f"log.{index}" for index in range(count - 1, 0, -1)] + ["log"]
            self.declarations.append(
                f'source {source}: T from file(path: "{source}/*", format: {form}{", files: in_order" * in_order})'
                f" time {time} lateness {lateness}s on error to rejected on late to late")
            splits = [files.write(folder / source / file, rng.choice([0, 1, 1, 2]) * records // count) for file in names]
            if in_order:
                splits = [[record for split in splits for record in split]]
            entries = []
            for split in splits:
                newest = None
                for record in split:
                    if record.values is None:
                        self.reject(f"{source}.decode", record, "")
                        continue
                    record.time = record.values["t"] + shift
                    record.carried = None if newest is None else newest - lateness * MICRO
                    newest = record.time if newest is None else max(newest, record.time)
                    entries.append((record, [record.values]))
            self.streams.append(Stream(source, fields, entries))
        self.source_fields = fields

    def steps(self, parent, name):
        """A stream of one to three steps that look at one row."""
        fields, texts, steps = dict(parent.fields), [], []
        for _ in range(self.rng.randrange(1, 4)):
            text, kind, step, fields = self.step(fields)
            texts.append(text)
            steps.append((f"{name}.{kind}", step))
        self.declarations.append(f"stream {name} = {parent.name} |> " + "\n  |> ".join(texts))
        entries = []
        for record, rows in parent.entries:
            try:
                entries.append((record, [last for row in rows for last in through(steps, row)]))
            except RecordError as error:
                self.reject(error.stage, record, error.code)
        return Stream(name, fields, entries)

    def step(self, fields):
        """(text, name of its stage, function of a row to rows, the fields behind it)"""
        rng, expressions, form = self.rng, self.expressions, self.rng.randrange(9)
        nested = [field for field, kind in fields.items() if kind in (LIST, MAP)]
        field = rng.choice(list(fields))
        if form in (0, 1) and nested and not {"element", "key"} & fields.keys():
            field = rng.choice(nested)
            if fields[field] == LIST:
                return (f"flatten {field} as element", "flatten",
                        lambda row: [{**row, "element": value} for value in row[field]], fields | {"element": INT})
            return (f"flatten {field} as pair |> extend key = pair.key, value = pair.value |> drop pair", "flatten",
                    lambda row: [{**row, "key": key, "value": row[field][key]} for key in sorted(row[field])],
                    fields | {"key": STRING, "value": INT})
        if form == 2 and len(fields) > 3:
            return (f"drop {field}", "drop", lambda row: [{name: row[name] for name in row if name != field}],
                    {name: kind for name, kind in fields.items() if name != field})
        if form == 3:
            new = next(name for at in range(100) if (name := f"n{at}") not in fields)

            def renamed(row):
                return {new if name == field else name: value for name, value in row.items()}

            return f"rename {new} = {field}", "rename", lambda row: [renamed(row)], renamed(fields)
        if form < 7:
            new = rng.choice(["x0", "x1", "x2", "a"])
            make = rng.choice([expressions.integer, expressions.integer, expressions.string, expressions.decimal])
            value = make(fields)
            return (f"extend {new} = {value.text}", f"extend {new}", lambda row: [{**row, new: value.value(row)}],
                    fields | {new: value.type})
        test = expressions.boolean(fields)
        return f"where {test.text}", "where", lambda row: [row] if test.value(row) else [], fields

    def column(self, name, fields):
        rng, make = self.rng, self.expressions
        of_any = [make.integer, make.decimal, make.string]
        function = rng.choice(["count", "sum", "sum", "min", "max", "avg"])
        where = make.boolean(fields, 1) if rng.random() < 0.35 else None
        if function == "count":
            return Column(name, function, None, where, INT)
        argument = rng.choice(of_any if function in ("min", "max") else of_any[:2])(fields, 1)
        result = argument.type
        if function in ("sum", "avg") and (function, result) != ("sum", INT):
            result = decimal_type(38, max(6, result.scale) if function == "avg" else result.scale)
        return Column(name, function, argument, where, result._replace(optional=bool(where) and function != "sum"))

    def aggregate(self, parent, name):
        """A stream of an aggregate over tumbling windows."""
        rng, fields, stage = self.rng, parent.fields, f"{name}.aggregate"
        possible = [field for field, kind in fields.items() if kind.kind in ("int", "string", "decimal")]
        chosen = rng.sample(possible, min(len(possible), rng.randrange(3)))
        keys = {key: Expression(key, fields[key], operator.itemgetter(key)) for key in chosen}
        if rng.random() < 0.3:
            keys[f"{name}_key"] = self.expressions.integer(fields, 1)
        columns = [self.column(f"{name}_{index}", fields) for index in range(rng.randrange(1, 5))]
        size, (offset, shift) = rng.choice(list(SIZES)), rng.choice([("", 0), ("", 0), (", offset: 3s", 3 * MICRO)])
        if SIZES[size] <= shift:
            offset, shift = "", 0
        by = ", ".join(key if value.text == key else f"{key} = {value.text}" for key, value in keys.items())
        self.declarations.append(
            f"stream {name} = {parent.name} |> aggregate " + ", ".join(column.text() for column in columns)
            + (f" by {by}" if by else "") + f" over tumbling({size}{offset})")
        groups = {}
        for record, rows in parent.entries:
            start = floor_window(record.time - shift, SIZES[size]) + shift
            if rows and record.carried is not None and start + SIZES[size] <= record.carried:
                values = {field: json_value(kind, record.values[field]) for field, kind in self.source_fields.items()}
                self.late[text_of([values, record.file, record.position, record.carried - record.time])] += 1
                continue
            try:
                taken = [
                    (tuple(key.value(row) for key in keys.values()), [column.takes(row) for column in columns])
                    for row in rows
                ]
            except RecordError as error:
                self.reject(stage, record, error.code)
                continue
            for key, values in taken:
                group = groups.setdefault((key, start), [[] for _ in columns])
                for all_values, new in zip(group, values):
                    all_values += new
        entries = []
        for (key, start), values in groups.items():
            row = dict(zip(keys, key)) | {"window": window_json(start, SIZES[size])}
            record = Record(time=start + SIZES[size] - 1)
            try:
                row |= {column.name: column.result(taken) for column, taken in zip(columns, values)}
                entries.append((record, [row]))
            except RecordError:
                self.reject(stage, record, GROUP)
        result_fields = {key: value.type for key, value in keys.items()} | {"window": WINDOW}
        return Stream(name, result_fields | {column.name: column.type for column in columns}, entries)
