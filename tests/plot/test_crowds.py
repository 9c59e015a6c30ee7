"""Pictures of crowds: no words meet a base or other words."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.plot.canvas import sheet

CROWDED = {
    "two ranks of fifteen": [(4 + 1.0 * i, 10 + 1.0 * j) for j in range(2) for i in range(15)],
    "a square": [(4 + 1.05 * i, 4 + 1.05 * j) for j in range(6) for i in range(6)],
    "a ring": [(12 + 4 * np.cos(a), 12 + 4 * np.sin(a)) for a in np.linspace(0, 6.28, 20, endpoint=False)],
    "pairs": [(3 + 3.1 * (i % 7), 3 + 4 * (i // 7) + 1.0 * j) for i in range(21) for j in range(2)],
    "scattered": [
        tuple(p)
        for p in np.random.default_rng(4).permutation([(2 + 2 * (i % 10), 2 + 2 * (i // 10)) for i in range(100)])[:60]
    ],
}


def told_by_key(key):
    """Names by number, as a reader reads them off: '1, 3, … 9  orc-1 to orc-9', or 'orc-…  1, 4–9'."""
    known = {}
    for numbers, words, _ in key:
        if numbers.endswith("…"):
            for run in words.split(", "):
                first, last = (run.split("–") * 2)[:2]
                known |= {n: f"{numbers[:-1]}{n}" for n in range(int(first), int(last) + 1)}
            continue
        first, *rest = [int(n) for n in re.findall(r"\d+", numbers)]
        step = rest[0] - first if len(rest) == 2 else 1
        stem, tail = re.fullmatch(r"(.*?)(\d+)", words.split(" to ")[0]).groups()
        for n in range(first, (rest[-1] if rest else first) + 1, step):
            known[n] = f"{stem}{int(tail) + n - first}"
    return known


def crowded(name):
    """One of the crowded tables, both sides in turn."""
    models = {}
    for i, at in enumerate(CROWDED[name]):
        word = f"{'warrior' if i % 2 else 'uruk-hai'}-{i}"
        side = "good" if i % 2 else "evil"
        models[word] = sbg.Model(word, tuple(map(float, at)), 25 / 25.4, 1.5, 6.0, side)
    return sbg.Table(24, 24, models=models)


@pytest.mark.parametrize("ask", [sbg.reach, sbg.charges, sbg.denials])
@pytest.mark.parametrize("name", CROWDED)
def test_no_words_of_a_full_picture_meet_a_base_or_other_words(name, ask):
    """Whatever is written: names, costs, reasons, letters of zones; a number may stand in its own base alone."""
    table = crowded(name)
    ax = sbg.plot(ask(table, list(table.models)[len(table.models) // 2]))
    ax.figure.canvas.draw()
    frame, dots = shapely.box(*ax.get_window_extent().extents), ax.figure.dpi / 72
    written = [(t, t.get_window_extent().extents) for t in ax.texts if t.get_text()]
    written = [(t, shapely.box(*box).buffer(-0.75 * dots)) for t, box in written if shapely.box(*box).intersects(frame)]
    assert len(written) > 6
    bases = {m.id: shapely.Point(m.at).buffer(m.radius) for m in table.standing()}
    bases = {n: shapely.Polygon(ax.transData.transform(base.exterior.coords)) for n, base in bases.items()}
    for i, (text, box) in enumerate(written):
        assert frame.buffer(1).covers(box), text.get_text()
        assert [other.get_text() for other, room in written[:i] if box.intersects(room)] == []
        met = [n for n, base in bases.items() if base.buffer(-dots).intersects(box)]
        own = (text.get_gid() or "").removeprefix("name-")
        assert met in ([], [own] if own in bases and bases[own].covers(box) else []), text.get_text()


@pytest.mark.parametrize("name", CROWDED)
def test_no_label_meets_a_base_or_another_label(name):
    table = crowded(name)
    models = table.models
    ax = sbg.plot(table)
    inverse = ax.transData.inverted()
    beside, told = [], 0
    for text in ax.texts:
        gid = text.get_gid() or ""
        if not gid.startswith("name-"):
            continue
        told += 1
        if text.get_text().isdigit():
            assert models[gid.removeprefix("name-")].at == text.get_position()
            continue
        beside.append(text.get_window_extent().transformed(inverse))
    assert told == len(models)
    written = {t.get_text() for t in ax.texts}
    known = told_by_key(sheet(ax).key)
    legend = " ".join(" ".join(t.get_text() for t in ax.get_legend().get_texts()).split())
    assert all(words in legend for _, words, _ in sheet(ax).key)
    numbers = {t.get_gid().removeprefix("name-"): int(t.get_text()) for t in ax.texts if t.get_text().isdigit()}
    assert all(word in written or known[numbers[word]] == word for word in models)
    for i, box in enumerate(beside):
        for other in beside[:i]:
            assert not (box.x0 < other.x1 and box.x1 > other.x0 and box.y0 < other.y1 and box.y1 > other.y0)
        for model in models.values():
            dx = max(box.x0 - model.at[0], 0, model.at[0] - box.x1)
            dy = max(box.y0 - model.at[1], 0, model.at[1] - box.y1)
            inside = model.radius - np.hypot(dx, dy)
            assert inside <= 1e-6 or (box.width < 1.9 * model.radius and dx == dy == 0)
    for lead in [line for line in ax.lines if line.get_gid() == "leader"]:  # it runs over no base
        way = shapely.LineString(lead.get_xydata())
        assert all(way.distance(shapely.Point(m.at)) >= m.radius - 1e-6 for m in models.values())


def test_no_line_to_a_name_runs_under_another_name(lines):
    few = replace(lines, models=type(lines.models)({n: m for n, m in lines.models.items() if int(n[5:]) < 6}))
    drawn = 0
    for table in (lines, few):
        ax = sbg.plot(table)
        ax.figure.canvas.draw()
        names = [t for t in ax.texts if (t.get_gid() or "").startswith("name-")]
        boxes = [shapely.box(*t.get_window_extent().extents) for t in names]
        for lead in [line for line in ax.lines if line.get_gid() == "leader"]:
            drawn += 1
            way = shapely.LineString(ax.transData.transform(lead.get_xydata()))
            assert sum(way.distance(box) == 0 and way.intersection(box).length > 1 for box in boxes) == 0
    assert drawn > 0


def test_the_name_of_a_ringed_model_stands_in_its_base_where_it_fits(lines, by_gid):
    ax = sbg.plot(sbg.screen(lines, "good-3"))
    assert by_gid(ax, "screened-good-3")
    places = {t.get_text(): t.get_position() for t in ax.texts}
    assert places["good-3"] == lines.model("good-3").at


def test_a_name_that_stands_off_is_not_at_the_base_of_another():
    models = {
        f"{kind}-{k + 1}": {
            "at": [6 + k // 2 * 1.25, y + way * (k % 2) * 1.1],
            "base": 25 / 25.4,
            "height": 1.5,
            "move": 6,
            "side": kind,
        }
        for kind, y, way in (("warrior", 20, -1), ("orc", 26, 1))
        for k in range(30)
    }
    table = sbg.Table(48, 48, models=models)
    ax = sbg.plot(sbg.reach(table, "orc-9"))
    ax.figure.canvas.draw()
    back, told = ax.transData.inverted(), 0
    for text in ax.texts:
        if text.get_text() not in models:
            continue
        box = shapely.box(*text.get_window_extent().transformed(back).extents)
        gaps = {m.id: box.distance(shapely.Point(m.at)) - m.radius for m in table.standing()}
        own = gaps.pop(text.get_text())
        assert own <= 2 * max(0.0, min(gaps.values())) + 0.1, text.get_text()
        told += own > 0.1
    assert told
