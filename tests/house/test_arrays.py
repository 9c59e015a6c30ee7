"""Arrays hold what their names say: no ints or bools pass for floats, nor floats for numbers of things."""

import ast
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.answer import ask
from tests.fuzz.kinds import make

PACKAGE = Path(sbg.__file__).parent
KINDS = {"Floats": "f", "Ints": "iu", "Bools": "b"}


@cache
def annotated():
    """By file, name and line of a function the annotations of what it takes, and of what it returns."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                takes = {a.arg: ast.unparse(a.annotation) for a in node.args.args if a.annotation}
                found[str(path), node.name, first] = (takes, ast.unparse(node.returns) if node.returns else "")
    return found


def holds(annotation, value):
    """Whether a value is an array of the kind that is told, or a tuple of such."""
    name = annotation.removesuffix(" | None")
    if isinstance(value, tuple) and name.startswith("tuple[") and name.count("[") == 1:
        return all(holds(*pair) for pair in zip(name[6:-1].split(", "), value, strict=False))
    return name not in KINDS or not isinstance(value, np.ndarray) or value.dtype.kind in KINDS[name]


def strays(action):
    """Which functions take or return arrays of another kind than they say, while something is done."""
    told, found = annotated(), set()

    def seen(frame, event, value):
        code = frame.f_code
        takes, returns = told.get((code.co_filename, code.co_name, code.co_firstlineno), ({}, ""))
        if event == "call":
            found.update((code.co_name, n) for n, of in takes.items() if not holds(of, frame.f_locals.get(n)))
        elif event == "return" and not holds(returns, value):
            found.add((code.co_name, "return"))

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        action()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize(("kind", "seed"), [("stairs", 6), ("hedges", 6), ("melee", 6)])
def test_arrays_hold_what_is_told(kind, seed):
    table, question = make(kind, seed, small=True)

    def asked():
        ask(table, question, alternatives=False)
        sbg.charges(table, question.model)
        sbg.reach(table, question.model)

    assert strays(asked) == set()


def test_an_array_of_another_kind_is_noticed():
    from sbg_sim.geometry.tangents import bitangents

    c, r, turn = np.zeros((1, 2)), np.ones(1), np.ones(1, dtype=int)
    assert strays(lambda: bitangents(c, r, turn, c + 5, r, turn, 0.0)) == set()
    assert strays(lambda: bitangents(c, r, turn * 1.0, c + 5, r, turn, 0.0)) == {("bitangents", "s1")}
