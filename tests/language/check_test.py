#!/usr/bin/env python3
"""What `weir check` and `weir explain` print and return."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/harness"))

import testing  # noqa: E402

WEIR = ROOT / "build/bin/weir"

GOOD = """type Order = { id: string, amount: int }
source orders: Order from file(path: "orders.ndjson", format: json)
sink orders to file(path: "out", format: json)
"""
FROM_STDIN = """type Order = { id: string, amount: int }
source orders: Order from stdin(format: json)
sink orders to file(path: "out", format: json) accept best_effort "a demonstration"
"""
VIEW = GOOD.replace('file(path: "out", format: json)', "stdout(format: json)")
BAD = GOOD.replace("sink orders", "stream seen = orders |> extend key = uuid()\nsink seen")


def weir(*arguments, script=None):
    return subprocess.run([WEIR, *arguments], input=script, capture_output=True, text=True, timeout=60)


class Check(unittest.TestCase):
    def check(self, script, *arguments):
        return weir("check", "-", *arguments, script=script)

    def test_every_error_is_explained(self):
        tables = [ROOT / "runtime/abi/record_errors.def", ROOT / "runtime/base/run_errors.def"]
        numbers = [number for table in tables for number in re.findall(r"^WEIR_\w+\((\d+),", table.read_text(), re.M)]
        self.assertGreater(len(numbers), 50)
        for number in numbers:
            page = weir("explain", f"E{number}")
            self.assertEqual(page.returncode, 0, number)
            self.assertTrue(page.stdout.startswith(f"E{number}: "), page.stdout)
            self.assertGreater(page.stdout.count("\n"), 3)
        self.assertEqual(weir("explain", "E6999").returncode, 2)

    def test_what_cannot_be_printed_is_no_success(self):
        for arguments in (["check", "-"], ["explain", "-"], ["explain", "E0101"], ["build", "-", "--emit", "llvm"],
                          ["check", "--help"], ["--help"], []):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([WEIR, *arguments], input=GOOD, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=60)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("cannot be written", done.stderr)
            self.assertIn("No space left on device", done.stderr)

    def test_the_report_stands_on_stdout_and_findings_on_stderr(self):
        done = self.check(GOOD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("guarantee      exactly once", done.stdout)
        done = self.check(BAD)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("error[E0101]", done.stderr)

    def test_a_script_that_does_not_exist(self):
        self.assertEqual(weir("check", "nowhere.weir").returncode, 2)

    def test_require(self):
        self.assertEqual(self.check(GOOD, "--require", "exactly once").returncode, 0)
        done = self.check(FROM_STDIN, "--require", "exactly once")
        self.assertEqual(done.returncode, 3)
        self.assertIn("best effort", done.stderr)
        self.assertEqual(self.check(FROM_STDIN, "--require", "best effort").returncode, 0)
        self.assertEqual(self.check(VIEW, "--require", "exactly once").returncode, 0)
        self.assertEqual(self.check(BAD, "--require", "best effort").returncode, 1)
        self.assertEqual(self.check(GOOD, "--require", "twice").returncode, 2)

    def test_json(self):
        good = json.loads(self.check(GOOD, "--format", "json").stdout)
        self.assertEqual(good["findings"], [])
        self.assertEqual(good["report"]["guarantee"], "exactly once")
        self.assertEqual([s["name"] for s in good["report"]["sinks"]], ["orders"])
        done = self.check(BAD, "--format", "json")
        self.assertEqual(done.returncode, 1)
        bad = json.loads(done.stdout)
        self.assertEqual([f["code"] for f in bad["findings"]], ["E0101"])
        self.assertIsNone(bad["report"])

    def test_sarif_and_github(self):
        sarif = json.loads(self.check(BAD, "--format", "sarif").stdout)
        self.assertEqual(sarif["runs"][0]["results"][0]["ruleId"], "E0101")
        self.assertTrue(self.check(BAD, "--format", "github").stdout.startswith("::error"))


class Help(unittest.TestCase):
    def test_of_commands_and_codes(self):
        self.assertEqual(weir("help").stdout, weir("--help").stdout)
        self.assertEqual(weir("help", "check").stdout, weir("check", "--help").stdout)
        self.assertIn("Usage: weir state pending", weir("help", "state", "pending").stdout)
        self.assertEqual(weir("help", "E1003").stdout, weir("explain", "E1003").stdout)
        done = weir("help", "chek")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean `check`?", done.stderr)


class Completion(unittest.TestCase):
    def complete(self, *words):
        listed = " ".join(f"'{word}'" for word in words)
        script = f"""source <({WEIR} completion bash)
COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _weir; echo "${{COMPREPLY[*]}}" """
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60).stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("weir", "ch"), ["check"])
        self.assertEqual(self.complete("weir", "check", "--f"), ["--format", "--fix"])
        self.assertEqual(self.complete("weir", "check", "--format", "j"), ["json"])
        self.assertEqual(self.complete("weir", "state", "pen"), ["pending"])
        self.assertEqual(self.complete("weir", "state", "reconcile", "--re"), ["--reason"])
        self.assertEqual(self.complete("weir", "help", "cra"), ["crash"])
        self.assertEqual(self.complete("weir", "check", "script.w"), [])

    def test_every_command_in_every_shell(self):
        for shell in ["bash", "zsh", "fish"]:
            script = weir("completion", shell).stdout
            for word in ["check", "explain", "reconcile", "sarif", "checkpoint-records"]:
                self.assertIn(word, script)
            if path := shutil.which(shell):
                done = subprocess.run([path, "-n"], input=script, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
        self.assertEqual(weir("completion", "csh").returncode, 2)


class Fix(unittest.TestCase):
    def fix(self, script):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "script.weir"
            path.write_text(script)
            done = weir("check", str(path), "--fix")
            return done, path.read_text()

    def test_edits_are_applied(self):
        done, text = self.fix(GOOD + 'stream r = orders |> where amount = 1 && id <> ""\nsink r to stdout(format: json)\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('where amount == 1 and id != ""', text)
        self.assertIn("applied 3 edits", done.stderr)

    def test_an_edit_that_would_make_a_new_error_is_not_offered(self):
        for step in ["extend b = 99999999999999999999999999999999999999", "where idd = 1 and n"]:
            script = GOOD + f"stream r = orders |> {step}\nsink r to stdout(format: json)\n"
            before = json.loads(weir("check", "-", "--format", "json", script=script).stdout)["findings"]
            done, text = self.fix(script)
            after = json.loads(weir("check", "-", "--format", "json", script=text).stdout)["findings"]
            known = [f["message"] for f in before]
            self.assertEqual([f for f in after if f["message"] not in known], [])


class Explain(unittest.TestCase):
    def test_crash_points_are_those_that_the_program_has(self):
        stateless = weir("explain", "-", "--crash-points", script=GOOD)
        self.assertEqual(stateless.returncode, 0)
        self.assertNotIn("snapshot_", stateless.stdout)
        self.assertIn("decide_linked_a", stateless.stdout)
        view = weir("explain", "-", "--crash-points", script=VIEW)
        self.assertNotIn("deliver_before", view.stdout)
        state = weir("explain", "examples/busiest/pipeline.weir", "--crash-points")
        self.assertIn("snapshot_written", state.stdout)
        self.assertIn("barrier_exchange", state.stdout)

    def test_a_flow_is_read_back(self):
        for script in sorted(ROOT.glob("examples/*/pipeline.weir")):
            text = weir("explain", str(script), "--emit", "flow").stdout
            with tempfile.NamedTemporaryFile("w", suffix=".flow") as file:
                file.write(text)
                file.flush()
                again = weir("explain", file.name, "--emit", "flow")
                self.assertEqual((again.returncode, again.stdout), (0, text), script)
                self.assertEqual(weir("explain", file.name).stdout, weir("explain", str(script)).stdout, script)

    def test_plan_and_identity(self):
        plan = weir("explain", "examples/busiest/pipeline.weir", "--plan").stdout
        self.assertIn("exchange by hash of", plan)
        identity = weir("explain", "-", "--identity", script=GOOD).stdout
        self.assertIn("(orders, split, byte)", identity)


class Code(unittest.TestCase):
    """Optimised code, and so the time that it takes to make it, grows as the script does."""

    def code(self, script):
        done = weir("build", "-", "--emit", "llvm", script=script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def lines(self, script):
        return self.code(script).count("\n")

    def grows_evenly(self, script, size):
        small, large = self.lines(script(size)), self.lines(script(2 * size))
        self.assertLess(large, 2.5 * small)
        return small

    def test_a_chain_of_functions_is_not_copied_whole(self):
        def script(size):
            more = "".join(f"fn f{n}(x: int) -> int = f{n - 1}(x) + {n}\n" for n in range(1, size))
            return ("fn f0(x: int) -> int = x + 1\n" + more +
                    VIEW.replace("sink orders", f"stream seen = orders |> select n = f{size - 1}(amount)\nsink seen"))
        self.grows_evenly(script, 150)
        self.assertRegex(self.code(script(150)), r"call .*@fn\.f")
        self.assertNotRegex(self.code(script(5)), r"call .*@fn\.f")

    def test_many_columns(self):
        def script(size):
            columns = ", ".join(f"c{n} = amount + {n}" for n in range(size))
            return VIEW.replace("sink orders", f"stream seen = orders |> select {columns}\nsink seen")
        self.assertLess(self.grows_evenly(script, 100), 100 * 40)

    def test_many_sinks(self):
        def script(size):
            head, sink = VIEW.split("sink orders")
            return head + "".join(f"stream s{n} = orders |> where amount > {n}\nsink s{n}{sink}" for n in range(size))
        self.assertLess(self.grows_evenly(script, 100), 100 * 100)


if __name__ == "__main__":
    testing.main()
