#!/usr/bin/env python3
"""Failures that happened to people in the field, with the right behaviour: values and formats.

Each test is named after its case. Where the right behaviour is a choice, the test states it.
"""

import base64
import json
import signal
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "harness")]

from pipeline import Place, build, published, weir  # noqa: E402
from testing import main  # noqa: E402

OPTIMISATIONS = ("-O0", "-O2")


def script(fields, steps, *, format="json", policy="on error to rejected", clauses="", sinks=""):
    """A program with one source `rows` of the given fields, one stream `result`."""
    rejected = 'sink rejected to file(path: "out/rejected", format: json)' if "rejected" in policy else ""
    return f"""
pipeline test {{ checkpoint every 10s to "state" }}
type Row = {{ {fields} }}
source rows: Row from file(path: "input/*", format: {format})
  {clauses}
  {policy}
stream result = rows {steps}
sink result to file(path: "out/result", format: json)
{rejected}
{sinks}
"""


class Values(unittest.TestCase):
    def place(self, text, data, optimise="-O2", name="part-0"):
        place = Place(build(text, optimise))
        self.addCleanup(place.folder.cleanup)
        (place.path / "input").mkdir()
        files = data if isinstance(data, dict) else {name: data}
        for file, content in files.items():
            (place.path / "input" / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    def lines(self, place, sink="result"):
        """All published lines of a sink, in order."""
        return [
            line for path in published(place.path / "out" / sink) for line in path.read_text().split("\n") if line
        ]

    def rejected(self, place):
        return [json.loads(line) for line in self.lines(place, "rejected")]

    # ---- event time -------------------------------------------------------------------------------------

    def test_C036_units_of_integer_timestamps_are_declared(self):
        text = script(
            's: timestamp("unix_s"), ms: timestamp("unix_ms"), us: timestamp("unix_us"), ns: timestamp("unix_ns")',
            "|> select s, ms, us, ns",
        )
        data = ""
        for seconds in (1577836800, 44582400, 0, -1):
            data += json.dumps({u: seconds * 10**n for u, n in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9))}) + "\n"
        data += '{"s": 99999999999999999, "ms": 0, "us": 0, "ns": 0}\n{"s": 0, "ms": 0, "us": 0, "ns": 1}\n'
        place = self.place(text, data)
        place.run("--parallelism=1")
        expected = ["2020-01-01T00:00:00Z", "1971-06-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z"]
        self.assertEqual(
            [f'{{"s":"{t}","ms":"{t}","us":"{t}","ns":"{t}"}}' for t in expected], self.lines(place)
        )
        self.assertEqual(["E5010", "E5010"], [row["code"] for row in self.rejected(place)])

    def test_C036_an_integer_time_without_unit_is_refused(self):
        text = script("t: int, n: int", "|> aggregate n = count() over tumbling(1m)", clauses="time t")
        refused = weir("check", "-", stdin=text, check=False)
        self.assertEqual(1, refused.returncode, refused.stderr)
        self.assertIn("unix_ms", refused.stderr)  # the way out

    def test_windows_at_the_ends_of_time_are_record_errors(self):
        text = script("t: timestamp", "|> aggregate n = count() over tumbling(7d)", clauses="time t lateness 4000000d")
        times = ["9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-20T00:00:00Z"]
        place = self.place(text, "".join(f'{{"t":"{time}"}}\n' for time in times))
        place.run("--parallelism=1")
        starts = sorted(json.loads(line)["window"]["start"] for line in self.lines(place))
        self.assertEqual(["1969-12-25T00:00:00Z", "9999-12-16T00:00:00Z"], starts)
        self.assertEqual(["E5010", "E5010"], [row["code"] for row in self.rejected(place)])

    # ---- numbers ----------------------------------------------------------------------------------------

    def test_C039_integers_keep_their_digits(self):
        text = script(
            "id: int",
            "|> where id > 9007199254740992",
            sinks="""
stream groups = rows |> where id >= 0 |> select id
sink groups to file(path: "out/groups", format: json)
""",
        )
        ids = [9007199254740992, 9007199254740993, 9223372036854775807, -9223372036854775808]
        data = "".join(f'{{"id":{n}}}\n' for n in ids) + '{"id":9223372036854775808}\n{"id":1e3}\n{"id":1.0}\n'
        place = self.place(text, data)
        place.run("--parallelism=1")
        self.assertEqual(['{"id":9007199254740993}', '{"id":9223372036854775807}'], self.lines(place))
        self.assertEqual(3, len(self.lines(place, "groups")))
        self.assertEqual(3, len(self.rejected(place)))

    def test_C039_neighbouring_large_keys_are_two_groups(self):
        text = script(
            "id: int, t: timestamp", "|> aggregate n = count() by id over tumbling(1m)", clauses="time t"
        )
        data = "".join(
            f'{{"id":{n},"t":"2026-01-01T00:00:00Z"}}\n' for n in (9007199254740992, 9007199254740993, 9007199254740993)
        )
        place = self.place(text, data)
        place.run("--parallelism=1")
        found = {json.loads(line)["id"]: json.loads(line)["n"] for line in self.lines(place)}
        self.assertEqual({9007199254740992: 1, 9007199254740993: 2}, found)

    def test_C040_decimals_are_exact(self):
        text = script("a: decimal(10, 2), b: decimal(19, 17)", "|> select a, b")
        data = "\n".join(
            f'{{"a":{a},"b":{b}}}'
            for a, b in [
                ("12", "0.99999999999999999"),
                ("12.1", "1"),
                ('"12.10"', "0.1"),
                ("-0.05", "-0.00000000000000001"),
                ("12.345", "0"),
                ("1.21e1", "1e-17"),
            ]
        )
        place = self.place(text, data)
        place.run("--parallelism=1")
        self.assertEqual(
            [
                '{"a":12.00,"b":0.99999999999999999}',
                '{"a":12.10,"b":1.00000000000000000}',
                '{"a":12.10,"b":0.10000000000000000}',
                '{"a":-0.05,"b":-0.00000000000000001}',
                '{"a":12.10,"b":0.00000000000000001}',
            ],
            self.lines(place),
        )
        self.assertEqual(['{"a":12.345,"b":0}'], [self.raw(row) for row in self.rejected(place)])

    @staticmethod
    def raw(row):
        import base64

        return base64.b64decode(row["raw"]).decode()

    def test_C040_a_sum_of_cents_is_exact(self):
        text = script(
            "a: decimal(10, 2), t: timestamp", "|> aggregate total = sum(a) over tumbling(1m)", clauses="time t"
        )
        place = self.place(text, '{"a":0.01,"t":"2026-01-01T00:00:00Z"}\n' * 10000)
        place.run()
        self.assertEqual(["100.00"], [line.split('"total":')[1].rstrip("}") for line in self.lines(place)])

    # ---- broken records ---------------------------------------------------------------------------------

    BROKEN = [b'{"n": 12ab}', b'{"n": 007}', b'{"n": 4, "s": "\xff"}', b'{"n": 5, "s": "cut']
    GOOD = [b'{"n": 1, "s": "a"}', b'{"n": 2, "s": "b"}', b'{"n": 3, "s": "c"}', b'{"n": 4, "s": "d"}',
            b'{"n": 5, "s": "e"}']

    def mixed(self):
        lines = [self.GOOD[0]]
        for broken, good in zip(self.BROKEN, self.GOOD[1:]):
            lines += [broken, good]
        return b"\n".join(lines) + b"\n"

    def test_C041_drop_loses_only_the_broken(self):
        place = self.place(script("n: int, s: string", "|> select n", policy="on error drop"), self.mixed())
        run = place.run("--parallelism=1")
        self.assertEqual([f'{{"n":{n}}}' for n in range(1, 6)], self.lines(place))
        self.assertEqual(4, run.summary["sources"][0]["dropped"])
        self.assertEqual(9, run.summary["sources"][0]["read"])

    def test_C041_fail_names_file_line_and_byte(self):
        place = self.place(script("n: int, s: string", "|> select n", policy="on error fail"), self.mixed())
        run = place.run("--parallelism=1", expect=1)
        self.assertIn("E500", run.stderr)
        self.assertIn("part-0", run.stderr)
        self.assertRegex(run.stderr, r"(line 2|:2)")
        self.assertEqual([], self.lines(place))

    def test_C041_dead_letters_hold_the_raw_bytes(self):
        import base64

        place = self.place(script("n: int, s: string", "|> select n"), self.mixed())
        place.run("--parallelism=1")
        raw = [base64.b64decode(row["raw"]) for row in self.rejected(place)]
        self.assertEqual(sorted(self.BROKEN), sorted(raw))
        self.assertEqual(5, len(self.lines(place)))

    # ---- text and files ---------------------------------------------------------------------------------

    def test_C043_byte_order_mark_crlf_and_no_final_newline(self):
        csv = "\ufeffid,name\r\n1,ann\r\n2,b\ufeffb\r\n3,eve"
        place = self.place(script("id: int, name: string", "", format="csv"), csv, name="rows.csv")
        place.run("--parallelism=1")
        self.assertEqual(
            ['{"id":1,"name":"ann"}', '{"id":2,"name":"b\ufeffb"}', '{"id":3,"name":"eve"}'], self.lines(place)
        )
        ndjson = '\ufeff{"id":1,"name":"ann"}\r\n{"id":2,"name":"b\ufeffb"}\r\n{"id":3,"name":"eve"}'
        place = self.place(script("id: int, name: string", ""), ndjson)
        place.run("--parallelism=1")
        self.assertEqual(
            ['{"id":1,"name":"ann"}', '{"id":2,"name":"b\ufeffb"}', '{"id":3,"name":"eve"}'], self.lines(place)
        )

    def test_a_csv_record_that_is_too_long_ends_at_its_quote(self):
        """By file and by stdin. What it begins with is kept as it is."""
        long = '2,"' + "a" * (16 << 20) + '\n7,phantom\n8,""phantom""\n"'
        data = f"id,name\n1,x\n{long}\n3,y\n"
        text = script("id: int, name: string", "", format="csv")
        place = self.place(text, data)
        place.run("--parallelism=1")
        piped = self.place(text.replace('file(path: "input/*", ', "stdin(").replace(
            "format: json)", 'format: json) accept best_effort "a test"'), "")
        piped.run("--parallelism=1", input=data)
        for each in (place, piped):
            self.assertEqual(['{"id":1,"name":"x"}', '{"id":3,"name":"y"}'], self.lines(each))
            (rejected,) = self.rejected(each)
            self.assertEqual("E5018", rejected["code"])
            self.assertEqual(long[:1024], base64.b64decode(rejected["raw"]).decode())

    def test_each_csv_file_has_its_own_header(self):
        files = {f"{n:03}.csv": "a,b\n1,2\n" if n % 2 else "b,extra,a\n2,0,1\n" for n in range(600)}
        place = self.place(script("a: int, b: int", "", format="csv"), files)
        for _ in range(5):
            place.run("--parallelism=4", "--fresh", "--replace-output")
            self.assertEqual(['{"a":1,"b":2}'] * 600, self.lines(place))

    def test_C043_a_line_written_in_two_pieces_is_one_record(self):
        text = script("id: int, name: string", "").replace("format: json)\n", "format: json, follow: true)\n", 1)
        place = self.place(text, '{"id":1,"name":"ann"}\n{"id":2,"na', name="log")
        process = place.start("--parallelism=1", "--checkpoint=20ms", "--roll-every=0s")
        self.addCleanup(process.kill)
        self.wait(lambda: len(self.lines(place)) == 1)
        time.sleep(2)
        with open(place.path / "input" / "log", "a", encoding="utf-8") as log:
            log.write('me":"bob"}\n')
        self.wait(lambda: len(self.lines(place)) == 2)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(0, process.returncode, errors)
        self.assertEqual(['{"id":1,"name":"ann"}', '{"id":2,"name":"bob"}'], self.lines(place))

    def wait(self, condition, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, "nothing came")
            time.sleep(0.02)

    def test_C050_epochs_without_rows_make_no_files(self):
        place = self.place(script("id: int", "|> where id == 3 or id == 7"),
                           "".join(f'{{"id":{n}}}\n' for n in range(10)))
        run = place.run("--parallelism=1", "--checkpoint=1rec", "--roll-every=0s")
        self.assertGreaterEqual(run.summary["epochs_decided"], 10)
        self.assertEqual(['{"id":3}', '{"id":7}'], self.lines(place))
        self.assertEqual(2, len(published(place.path / "out/result")))

    def test_C050_empty_inputs_make_no_files(self):
        text = script("id: int", "", format="csv")
        place = self.place(text, {"a.csv": "", "b.csv": "id\n", "c.csv": "id\n7\n"})
        run = place.run("--parallelism=1")
        self.assertEqual(['{"id":7}'], self.lines(place))
        self.assertEqual(1, run.summary["sources"][0]["read"])
        place = self.place(text, {"a.csv": "", "b.csv": "id\n"})
        place.run("--parallelism=1")
        self.assertEqual([], published(place.path / "out/result"))

    def test_C061_strings_survive(self):
        texts = ["'", '"', "\\", "line\nbreak", "tab\t", "cr\r", "C:\\temp\\new", "\\d+\\b", "🙂", "e\u0301",
                 "'); drop table t; --", "\u0001", "\u2028", "</script>", ""]
        data = "".join(json.dumps({"s": text}) + "\n" for text in texts)
        data += "".join(json.dumps({"s": text}, ensure_ascii=False) + "\n" for text in texts)
        place = self.place(script("s: string", r'|> extend same = s == s, lit = "C:\\temp\\new \"q\" \$ \u{1F642}\n"'),
                           data)
        place.run("--parallelism=1")
        found = [json.loads(line) for line in self.lines(place)]
        self.assertEqual(texts * 2, [row["s"] for row in found])
        self.assertEqual({'C:\\temp\\new "q" $ 🙂\n'}, {row["lit"] for row in found})

    def test_C061_an_unknown_escape_and_an_open_string_are_located(self):
        for text, column in ((r'"a\q"', "q"), ('"open', '"open')):
            program = script("s: string", f"|> extend x = {text}")
            refused = weir("check", "-", stdin=program, check=False)
            self.assertEqual(1, refused.returncode, refused.stderr)
            self.assertRegex(refused.stderr, r"error\[E1\d\d\d\]")
            self.assertIn(column, refused.stderr)

    # ---- expressions ------------------------------------------------------------------------------------

    def test_C051_parentheses_are_kept(self):
        steps = """|> select
  p = a / (b * c), q = a - (b + c), r = a - (b - c), s = (m * m) % n, t = not (x and y), u = -(a - b),
  cp = 12.0 / (2.0 * 3.0), cq = 12.0 - (2.0 + 3.0), cr = 12.0 - (2.0 - 3.0), cs = (10 * 10) % 3,
  ct = not (true and false), cu = -(12.0 - 2.0), d = div(div(m, n), 2)"""
        fields = "a: decimal(4, 1), b: decimal(4, 1), c: decimal(4, 1), m: int, n: int, x: bool, y: bool"
        data = '{"a":12,"b":2,"c":3,"m":10,"n":3,"x":true,"y":false}\n'
        for optimise in OPTIMISATIONS:
            place = self.place(script(fields, steps), data, optimise)
            place.run("--parallelism=1")
            row = json.loads(self.lines(place)[0])
            for name, value in dict(p=2, q=7, r=13, s=1, t=True, u=-10, d=1).items():
                self.assertEqual(value, row[name], name)
                if name != "d":
                    self.assertEqual(value, row["c" + name], "c" + name)

    def test_C053_arithmetic_never_traps_and_never_wraps(self):
        low = -(2**63)
        bad = [
            ("a % b", 1, 0), ("a % b", low, -1), ("div(a, b)", low, -1), ("div(a, b)", 1, 0), ("-a", low, 0),
            ("abs(a)", low, 0), ("a + b", 2**63 - 1, 1), ("a * b", 2**63 - 1, 2), ("a - b", low, 1),
        ]
        for expression, a, b in bad:
            for optimise in OPTIMISATIONS:
                place = self.place(
                    script("a: int, b: int", f"|> select x = {expression}"),
                    f'{{"a":{a},"b":{b}}}\n{{"a":6,"b":3}}\n',
                    optimise,
                )
                place.run("--parallelism=1")
                if (expression, a, b) == ("a % b", low, -1):  # the remainder exists: 0
                    self.assertEqual(['{"x":0}', '{"x":0}'], self.lines(place))
                    continue
                self.assertEqual(1, len(self.lines(place)), expression)
                codes = [row["code"] for row in self.rejected(place)]
                self.assertEqual(["E5007" if b == 0 and expression not in ("-a", "abs(a)") else "E5006"], codes)

    def test_C053_constants_that_must_fail_are_compile_errors(self):
        for expression in ("1 % 0", "div(1, 0)", "9223372036854775807 + 1", "-9223372036854775807 - 2",
                           "9223372036854775807 * 2", "9223372036854775808"):
            refused = weir("check", "-", stdin=script("a: int", f"|> select x = {expression}"), check=False)
            self.assertEqual(1, refused.returncode, f"{expression}: {refused.stdout}")
            self.assertRegex(refused.stderr, r"error\[E\d{4}\]", expression)

    def test_C055_help_after_a_fallible_conversion_compiles(self):
        good = [
            "|> extend n = to_int(s)",  # a record error goes to the policy
            "|> extend n = try to_int(s) |> where n is not null |> extend m = n + 1",
            "|> extend n = (try to_int(s)) ?? 0 |> extend m = n + 1",
            "|> extend m = if try to_int(s) is null then 0 else 1",
        ]
        for steps in good:
            checked = weir("check", "-", stdin=script("s: string", steps), check=False)
            self.assertEqual(0, checked.returncode, f"{steps}\n{checked.stderr}")
        refused = weir("check", "-", stdin=script("s: string", "|> extend n = try to_int(s) |> extend m = n + 1"),
                       check=False)
        self.assertEqual(1, refused.returncode)
        self.assertIn("int?", refused.stderr)

    def test_C056_deep_and_recursive_programs_end_with_a_located_error(self):
        def steps(expression):
            return script("a: int", f"|> select x = {expression}")

        programs = {
            "f calls f": script("a: int", "|> select x = f(a)", sinks="fn f(x: int) -> int = f(x)"),
            "f calls g calls f": script(
                "a: int", "|> select x = f(a)", sinks="fn f(x: int) -> int = g(x)\nfn g(x: int) -> int = f(x)"
            ),
            "a type of itself": script("a: int, again: Row", ""),
            "parentheses": steps("(" * 100_000 + "1" + ")" * 100_000),
            "a long sum": steps("1" + " + 1" * 50_000),
            "many steps": script("a: int", "|> where a > 0\n" * 5_000),
            "else if": steps("".join(f"if a == {n} then {n} else " for n in range(10_000)) + "0"),
        }
        for name, text in programs.items():
            with self.subTest(name):
                checked = weir("check", "-", stdin=text, check=False, timeout=10)
                self.assertIn(checked.returncode, (0, 1), checked.stderr[-2000:])
                if checked.returncode == 1:
                    self.assertRegex(checked.stderr, r"error\[E\d{4}\]")
                    self.assertRegex(checked.stderr, r":\d+:\d+")


if __name__ == "__main__":
    main()
