"""Plant faults in one file and see whether tests notice: ``python -m tests.trust.mutants FILE TEST... --count N``.

Each fault is one changed comparison, sum, number or condition, loaded in place of the file's code by a process of its
own that runs the tests named, up to the first that fails. FILE may be a folder: its faults are one heap then, of which
``--count`` are drawn. A fault that no test notices is printed with its line; ``--lines`` plants again in those.
``--since COMMIT`` draws from lines that have changed since. With ``--reached DATA``, made by ``pytest TEST...
--cov=sbg_sim --cov-context=test`` of pytest-cov, each fault is judged by those tests alone that reach its line, the
narrowest first, and by no more than ``--most`` of them. Interrupted, it says how many were tried by then. Without any
fault the tests must pass.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.machinery
import importlib.util
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
PATIENCE = 3  # times the processor time the tests take without a fault: one that hangs them is noticed


def places(tree):
    """Where a fault can be planted: index of the node, and which of its parts."""
    notes = {id(n) for top in ast.walk(tree) for n in _notes(top)}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in notes:
            continue
        if isinstance(node, ast.Compare):
            yield from ((index, k) for k, op in enumerate(node.ops) if type(op) in SWAPS)
        elif (isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS) or (
            isinstance(node, ast.Constant) and isinstance(node.value, int | float)
        ):
            yield index, 0
        elif isinstance(node, ast.If | ast.IfExp):
            yield index, 1


def _notes(node):
    """Nodes that change nothing that runs: annotations, what only they need, what the decorator of a class is told."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield node
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":  # lengths that are the same anyway
        yield from (k.value for k in node.keywords)
    for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        yield from ast.walk(part) if part is not None else ()
    for call in node.decorator_list if isinstance(node, ast.ClassDef) else ():
        yield from ast.walk(call)


def planted(tree, place):
    """A copy of the tree with one fault, and the fault in words."""
    tree = copy.deepcopy(tree)
    node = list(ast.walk(tree))[place[0]]
    before = ast.unparse(node.test if isinstance(node, ast.If) else node)
    if isinstance(node, ast.Compare):
        node.ops[place[1]] = SWAPS[type(node.ops[place[1]])]()
    elif isinstance(node, ast.Constant):
        node.value = (not node.value) if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    else:
        node.op = SWAPS[type(node.op)]()
    after = ast.unparse(node.test if isinstance(node, ast.If) else node)
    return ast.fix_missing_locations(tree), f"{node.lineno}: {before}  ->  {after}"


class Planted(importlib.machinery.SourceFileLoader):
    """Loads the planted code in place of the file's."""

    def __init__(self, name, path, tree):
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname):
        """The code of the tree, whatever bytecode is kept."""
        return compile(self.tree, self.path, "exec")

    def find_spec(self, name, _path, _target=None):
        """The spec of this module alone: an entry of ``sys.meta_path``."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None


def noticed(file, tree, tests, seconds):
    """Whether the tests fail with that code in place of the file's, or last longer; and the seconds they took."""
    name = ".".join(file.resolve().relative_to(ROOT).with_suffix("").parts)
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.alarm(20 * int(seconds))
        code = 1
        try:
            import pytest

            sys.meta_path.insert(0, Planted(name, str(file), tree))
            code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))
        finally:
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    return status != 0, used.ru_utime + used.ru_stime


def changed(file, since):
    """Lines of a file, from 1, that have changed since a commit."""
    call = ["git", "diff", "--unified=0", since, "--", str(file.resolve())]
    said = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    hunks = re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", said, re.MULTILINE)
    return {line for begin, many in hunks for line in range(int(begin), int(begin) + int(many or 1))}


class Reached:
    """Which tests reach a line, from data of pytest-cov."""

    def __init__(self, data):
        from coverage import CoverageData

        kept = CoverageData(data)
        kept.read()
        self.by_line = {
            Path(file): {
                line: {test for test, _, when in (c.partition("|") for c in contexts) if when == "run"}
                for line, contexts in kept.contexts_by_lineno(file).items()
            }
            for file in kept.measured_files()
        }
        every = (lines.values() for lines in self.by_line.values())
        self.size = Counter(test for lines in every for tests in lines for test in tests)

    def tests(self, file, line, most):
        """Tests that reach a line, so many, the narrowest first; of what only an import reaches: of its file."""
        lines = self.by_line.get(file.resolve(), {})
        before = max((n for n in lines if n <= line), default=None)  # where the statement begins
        found = lines.get(before) or set().union(*lines.values())
        return sorted(found, key=lambda test: (self.size[test], test))[:most]


def main():
    """Read the call, plant, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place", type=Path, help="a file, or a folder whose faults are one heap to draw from")
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--lines", type=int, nargs="+", help="plant only in these lines, all that there are")
    parser.add_argument("--since", help="plant only in lines that have changed since this commit")
    parser.add_argument("--reached", type=Path, help="data of coverage: judge by the tests that reach a fault's line")
    parser.add_argument("--most", type=int, default=30, help="of those tests, how many judge a fault")
    given = parser.parse_args()
    for one in ("numpy", "shapely", "matplotlib", "pydantic", "click", "pytest"):
        importlib.import_module(one)  # once, and not for each fault
    files = sorted(given.place.rglob("*.py")) if given.place.is_dir() else [given.place]
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    nodes = {file: list(ast.walk(tree)) for file, tree in trees.items()}
    every = [(file, place, nodes[file][place[0]].lineno) for file, tree in trees.items() for place in places(tree)]
    if given.since:
        new = {file: changed(file, given.since) for file in files}
        every = [one for one in every if one[2] in new[one[0]]]
    if given.lines:
        sample = [one for one in every if one[2] in given.lines]
    else:
        sample = random.Random(given.seed).sample(every, min(given.count, len(every)))
    reached = Reached(given.reached) if given.reached else None
    judges = [reached.tests(file, line, given.most) if reached else given.tests for file, _, line in sample]
    called = sorted({test for tests in judges for test in tests}) if reached else given.tests
    failing, took = noticed(files[0], trees[files[0]], called, 3600)
    if failing:
        sys.exit("the tests fail without any fault")
    caught = tried = 0
    with contextlib.suppress(KeyboardInterrupt):  # what was tried till then still counts
        for (file, place, _), tests in zip(sample, judges, strict=True):
            fault, words = planted(trees[file], place)
            patience = 10 + PATIENCE * took * len(tests) / max(len(called), 1)
            seen = bool(tests) and noticed(file, fault, tests, patience)[0]
            tried, caught = tried + 1, caught + seen
            if not seen:
                print(f"  {tried}. {file}:{words}{'' if tests else '  (reached by none)'}", flush=True)
    print(f"{given.place}: {caught} of {tried} caught, of {len(every)} that there are", flush=True)


if __name__ == "__main__":
    main()
