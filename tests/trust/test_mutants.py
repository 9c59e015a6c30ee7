"""Planted faults: each kind is planted where it should be, and a file unchanged passes."""

from __future__ import annotations

import ast

import pytest

from tests.trust.mutants import Reached, places, planted

SOURCE = """
if TYPE_CHECKING:
    import decimal
def f(a: int = 3, b: float | None = None) -> int:
    if a < 2 and b is None:
        return a + 1
    some = sum(n for n, _ in zip((a, a), "xx", strict=True))
    return -a if a in (4, 5) else some * 6 + a * 2
"""


def test_every_kind_of_fault_is_planted_once():
    tree = ast.parse(SOURCE)
    said = [planted(tree, place)[1] for place in places(tree)]
    assert len(said) == len(set(said))
    for fault in ("a < 2  ->  a <= 2", "b is None  ->  b is not None", "a + 1  ->  a - 1", "a * 2  ->  a / 2"):
        assert any(line.endswith(fault) for line in said)
    assert any("and" in line and "or" in line for line in said)
    assert any("->  not" in line for line in said)
    assert any("3  ->  4" in line for line in said)
    assert not any(word in line.split(":")[-1] for line in said for word in ("float", "TYPE_CHECKING", "True"))


@pytest.mark.parametrize("number", range(3))
def test_a_fault_changes_the_code_and_nothing_else(number):
    tree = ast.parse(SOURCE)
    before = ast.dump(tree)
    changed, _ = planted(tree, list(places(tree))[number])
    assert ast.dump(tree) == before
    assert ast.dump(changed) != before
    compile(changed, "planted", "exec")


def test_a_fault_is_judged_by_the_narrowest_tests_that_reach_its_line(tmp_path):
    coverage = pytest.importorskip("coverage")
    file = tmp_path / "f.py"
    kept = coverage.CoverageData(str(tmp_path / "reached"))
    for test, lines in {"wide": [1, 2, 5, 6], "narrow": [1, 5], "other": [1, 2]}.items():
        kept.set_context(f"{test}|run")
        kept.add_lines({str(file.resolve()): lines})
    kept.write()
    reached = Reached(str(tmp_path / "reached"))
    assert reached.tests(file, 5, 9) == ["narrow", "wide"]
    assert reached.tests(file, 5, 1) == ["narrow"]
    assert reached.tests(file, 3, 9) == ["other", "wide"]  # the second line of a statement
