"""The figures of the page about the algorithm: drawn by the code as it is, and shown."""

from __future__ import annotations

import importlib
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sbg_sim.plot.files import svg
from sbg_sim.plot.fonts import house_style

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "algorithm.md").read_text(encoding="utf-8")
NAMES = sorted(path.stem for path in (DOCS / "figures").glob("*.svg"))


@pytest.fixture
def figures(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module("figures")


def drawn(text):
    """Texts in their order, and how many outlines: what a figure shows, whatever the fonts' outlines are."""
    tags = [(part.tag.rpartition("}")[2], part.text) for part in ET.fromstring(text).iter()]
    return [words for tag, words in tags if tag == "text"], sum(tag == "path" for tag, _ in tags)


def kept(name):
    return (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_each_is_drawn_by_the_code_as_it_is(name, figures):
    with house_style():
        made = svg(getattr(figures, name)().axes[0], follow=True)
    assert made == kept(name) or drawn(made) == drawn(kept(name)), "python docs/figures.py draws them anew"


@pytest.mark.parametrize("name", NAMES)
def test_each_is_shown_and_told_to_those_who_do_not_see_it(name):
    ((alt, path),) = [found for found in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", PAGE) if Path(found[1]).stem == name]
    assert (DOCS / path).exists()
    assert len(alt) > 80
    assert len(set(alt.split())) > 15


def test_none_is_left_out(figures):
    assert sorted(figure.__name__ for figure in figures.FIGURES) == NAMES


def test_numbers_in_them_are_those_of_formulas():
    texts = " ".join(drawn(kept("weighted"))[0])
    run = 9 - 2 * 1.5 * math.tan(math.radians(30))  # 9 in apart, both ends 1.5 in inside a straight rim
    assert f"costs {run + 2 * 2 * 1.5 / math.cos(math.radians(30)):.4f} in" in texts
    assert "sin a = 2.0000 sin b" in texts
    jump = math.dist((2, 3.2), (9.6, 4.0))  # the straight way, jump included
    assert f"{jump:.2f} in, only with a 6: 1/6" in " ".join(drawn(kept("dice"))[0])


def test_the_page_tells_what_every_file_of_the_solver_is_for():
    solver = Path(__file__).parents[2] / "sbg_sim" / "solver"
    rows = re.findall(r"^\| (`[^|]+) \| [^|]{15,} \|$", PAGE.partition("## 8. The files")[2], re.MULTILINE)
    told = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert sorted(told) == sorted(
        str(path.relative_to(solver)) for path in solver.rglob("*.py") if path.name != "__init__.py"
    )
