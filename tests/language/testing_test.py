#!/usr/bin/env python3
"""What `weir test` runs, compares and says."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/harness"))

import testing  # noqa: E402

WEIR = ROOT / "build/bin/weir"

SCRIPT = """type Order = { id: string, amount: int }
source orders: Order from file(path: "orders.ndjson", format: json)
stream large = orders |> where amount > 10
sink large to file(path: "out", format: json)
test "large orders" {
  given orders [{ id: "a", amount: 11 }, { id: "b", amount: 10 }]
  expect large [EXPECTED]
}
"""


def weir_test(path, *arguments):
    return subprocess.run([WEIR, "test", path, *arguments], capture_output=True, text=True, timeout=120)


class Testing(unittest.TestCase):
    def run_script(self, expected, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "script.weir"
            path.write_text(SCRIPT.replace("EXPECTED", expected))
            return weir_test(path, *arguments)

    def test_a_filter_chooses_and_one_that_matches_nothing_is_a_mistake(self):
        self.assertIn("1 passed, 0 failed", self.run_script('{ id: "a", .. }', "--filter", "large").stdout)
        done = self.run_script('{ id: "a", .. }', "--filter", "lagre")
        self.assertEqual(done.returncode, 2)
        self.assertIn("  large orders", done.stderr)

    def test_scripts_whose_tests_pass(self):
        for path in [ROOT / "tests/language/tested.weir", ROOT / "examples/revenue/pipeline.weir"]:
            done = weir_test(path)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(" passed, 0 failed", done.stdout)

    def test_equal_rows(self):
        self.assertEqual(self.run_script('{ id: "a", amount: 11 }').returncode, 0)
        self.assertEqual(self.run_script('{ id: "a", .. }').returncode, 0)

    def test_a_difference_is_shown_from_both_sides(self):
        done = self.run_script('{ id: "a", amount: 12 }')
        self.assertEqual(done.returncode, 1)
        self.assertIn('    { id: "a", amount: 12 }\n', done.stdout)
        self.assertIn('    {"id":"a","amount":11}\n', done.stdout)
        self.assertIn("0 passed, 1 failed", done.stdout)

    def test_rows_are_counted(self):
        done = self.run_script('{ id: "a", amount: 11 }, { id: "a", amount: 11 }')
        self.assertEqual(done.returncode, 1)
        self.assertIn("not there", done.stdout)
        self.assertEqual(self.run_script("").returncode, 1)

    def test_values_are_computed_with_the_params_of_the_test(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "script.weir"
            script = SCRIPT.replace("EXPECTED", '{ id: "a", amount: least + 1 }')
            script = "param least: int = 10\n" + script.replace("amount > 10", "amount > least")
            path.write_text(script)
            self.assertEqual(weir_test(path).returncode, 0)
            path.write_text(script.replace("least + 1", "least + 2"))
            self.assertEqual(weir_test(path).returncode, 1)
            path.write_text(script.replace("least + 1", "least + 6").replace("  given", "  with least = 5\n  given")
                            .replace('"b", amount: 10', '"b", amount: 5'))
            self.assertEqual(weir_test(path).returncode, 0)

    def test_a_value_that_is_not_known_before_is_refused(self):
        done = self.run_script('{ id: "a", amount: total([1, 2]) }')
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[E3017]", done.stderr)

    def test_a_script_that_is_refused(self):
        done = self.run_script('{ id: "a", amout: 11 }')
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[E2005]", done.stderr)

    def test_a_script_that_does_not_exist(self):
        self.assertEqual(weir_test("nowhere.weir").returncode, 2)


if __name__ == "__main__":
    testing.main()
