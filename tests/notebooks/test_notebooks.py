"""The notebooks run as they stand, and what is kept in them is what they show."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

import sbg_sim
from sbg_sim.pictured import Pictured

FOLDER = Path(__file__).parents[2] / "notebooks"
BOOKS = sorted(FOLDER.glob("*.ipynb"))


def kinds(cell):
    return [sorted(output.get("data", {output.output_type: None})) for output in merged(cell)]


def merged(cell):
    """Outputs, with the pieces in which printed text may arrive as one."""
    found = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream" and found and found[-1].output_type == "stream":
            continue
        found.append(output)
    return found


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    path = os.pathsep.join(filter(None, (str(FOLDER.parent), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)


def test_all_are_here():
    assert {book.stem for book in BOOKS} == {path.stem for path in (FOLDER / "sources").glob("*.py")}
    assert len(BOOKS) == 5


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_runs(path):
    kept = nbformat.read(path, as_version=4)
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert [kinds(cell) for cell in book.cells] == [kinds(cell) for cell in kept.cells]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_kept_as_it_should_be(path):
    text = path.read_text(encoding="utf-8")
    book = nbformat.read(path, as_version=4)
    source = jupytext.read(FOLDER / "sources" / f"{path.stem}.py")
    assert [cell.source for cell in book.cells] == [cell.source for cell in source.cells]
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert any(cell.outputs for cell in code)
    assert not [o for cell in code for o in cell.outputs if o.output_type == "error" or o.get("name") == "stderr"]
    assert max(len(cell.source.splitlines()) for cell in code) <= 15
    assert re.search(r"\.\./scenarios/", text)
    assert not re.search(r"/(home|root|tmp|work|Users)/|[A-Z]:\\\\", text)
    assert len(text) < 800_000


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_built_twice_it_is_the_same(path):
    """Byte for byte: streams in one piece, ids by number, pictures without dates."""
    spec = importlib.util.spec_from_file_location("build", FOLDER / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source = FOLDER / "sources" / f"{path.stem}.py"
    assert module.built(source) == module.built(source)


EVERY_KIND = """
import sbg_sim as sbg
gap, hill, jump = (sbg.load(f"../scenarios/{name}.toml") for name in ("charging-2", "amon-hen", "jumping"))
---
gap
---
sbg.check(gap, "third-to-pippin")
---
sbg.check(gap, "third-to-pippin").route
---
sbg.check(hill, "where-can-lurtz-go")
---
sbg.reach(gap, "uruk-3")
---
sbg.reach(sbg.load("../scenarios/levels/climber-charged.toml"), "merry")
---
sbg.plot(sbg.reach(gap, "uruk-3"), cost=True)
---
sbg.charges(gap, "uruk-3")
---
sbg.denials(gap, "uruk-3")
---
sbg.threats(gap, "evil")
---
sbg.safe(gap, "pippin")
---
sbg.screen(gap, "pippin")
---
sbg.flips(hill, "first-to-boromir")
---
sbg.doubt(hill, "first-to-boromir", sigma="1 mm", trials=20, seed=1)
---
sim = sbg.simulate(jump, "pippin-goes-on", trials=1000, seed=7); sim
---
sim.run
---
sim.distribution
---
sbg.campaign(jump, "pippin-too-far")
---
sbg.campaign(jump, "pippin-too-far").within(6)
---
from sbg_sim.simulate import compare
compare(jump, "pippin-too-far")
---
sbg.rulings(gap, "third-to-pippin")
---
sbg.certainty(hill, "first-to-boromir", doubts={"uruk-1": 0.1})
---
sbg.audit(gap, "uruk-3", sbg.check(gap, "third-to-pippin").route, charging=("pippin",))
---
played = sbg.replay(sbg.load("../scenarios/phase/charging-2-sequence.toml")); played
---
played.phase
---
played.melee
---
played.turns[0]
---
played.steps[0]
---
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(1) as here:
    swept = sbg.sweep(jump, "pippin-goes-on", "models.pippin.move", [3, 5], executor=here)
swept
"""


def test_every_kind_of_result_is_a_picture_in_a_kernel():
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in EVERY_KIND.split("---")]
    book = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    dumb = [
        cell.source
        for cell in book.cells[1:]
        if not any("<svg" in output.get("data", {}).get("image/svg+xml", "") for output in cell.outputs)
    ]
    assert dumb == []


SAYS_WHAT_IT_SHOWS = """
from IPython.display import display
from sbg_sim.pictured import Pictured

def _said(ran):
    if isinstance(ran.result, Pictured):
        display({"application/x-kind": type(ran.result).__name__}, raw=True)

get_ipython().events.register("post_run_cell", _said)
"""


@pytest.mark.heavy
def test_in_the_five_notebooks_and_a_kernel_every_kind_of_result_is_a_picture():
    kinds_met, dumb = set(), []
    books = [nbformat.read(path, as_version=4) for path in BOOKS]
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in EVERY_KIND.split("---")]
    for book in [*books, nbformat.v4.new_notebook(cells=cells)]:
        book.cells.insert(0, nbformat.v4.new_code_cell(SAYS_WHAT_IT_SHOWS))
        NotebookClient(book, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
        for cell in book.cells:
            data = [output.get("data", {}) for output in cell.get("outputs", [])]
            met = {row["application/x-kind"] for row in data if "application/x-kind" in row}
            kinds_met |= met
            if met and not any("<svg" in row.get("image/svg+xml", "") for row in data):
                dumb.append((met, cell.source))
    assert dumb == []
    for module in pkgutil.walk_packages(sbg_sim.__path__, "sbg_sim."):
        if not module.name.startswith("sbg_sim.web") and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    every = {kind.__name__ for kind in _below(Pictured)} - {"PerEnemy"}  # what lists of enemies have in common
    assert kinds_met == every


def _below(kind):
    for inner in kind.__subclasses__():
        yield inner
        yield from _below(inner)
