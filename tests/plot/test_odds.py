"""Convergence, sweeps with their jumps, deciding numbers, and the live table."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.plot.words import inches_text


@pytest.fixture(scope="module")
def jump():
    return sbg.load("scenarios/jumping.toml")


@pytest.mark.parametrize("trials", [12, 60, 300])
def test_trials_are_written_as_numbers_however_few(jump, trials):
    run = sbg.simulate(jump, "pippin-goes-on", trials=trials, seed=3)
    ax = sbg.plot(run)
    ax.figure.canvas.draw()
    (below,) = ax.child_axes
    low, high = below.get_xlim()
    ticks = [t for which in ("major", "minor") for t in below.get_xticklabels(which=which)]
    told = [t.get_text() for t in ticks if t.get_text() and low <= t.get_position()[0] <= high]
    assert told
    assert all(words.isdigit() for words in told)  # formulas, as $2 times 10^{1}$, are not read here
    counts = next(line for line in below.lines if line.get_gid() == "running").get_xdata()
    assert len(counts) > 5


def test_a_simulation_closes_in_on_the_exact_chance(jump):
    run = sbg.simulate(jump, "pippin-goes-on", trials=20_000, seed=7)
    ax = sbg.plot(run)
    (below,) = ax.child_axes
    lines = {line.get_gid(): line for line in below.get_lines()}
    counts, shares = lines["running"].get_data()
    assert counts[-1] == 20_000
    assert shares[-1] == pytest.approx(run.frequency)
    assert list(lines["exact-chance"].get_ydata()) == pytest.approx([1 / 6, 1 / 6])
    assert np.all(np.diff(counts) > 0)
    assert not sbg.plot(run, convergence=False).child_axes


def test_a_jump_is_found_between_samples_and_drawn_as_a_step(jump):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        found = sbg.sweep(jump, "pippin-goes-on", "models.pippin.move", [3.3, 4.4], executor=pool)
    (threshold,) = found.thresholds()
    needed = sbg.check(jump, "pippin-goes-on").needed
    assert threshold.high == pytest.approx(needed, abs=2e-7)
    assert (threshold.before, threshold.after) == ("no", "chance")
    ax = sbg.plot(found)
    runs = [line.get_xydata().tolist() for line in ax.get_lines() if line.get_gid() == "sweep-run"]
    assert len(runs) == 2  # never joined over the jump
    assert all(y0 == y1 for (_, y0), (_, y1) in runs)
    assert ax.get_title(loc="left").startswith("pippin-goes-on: chance")
    assert any(line.get_gid() == "threshold" for line in ax.get_lines())
    assert [t.get_text() for t in ax.texts if t.get_text().endswith("″")] == ["4″"]
    (below,) = ax.child_axes
    assert below.get_xlabel() == "models.pippin.move, inches"


def test_a_question_from_python_is_named_in_words(jump):
    asked = jump.asked("pippin-goes-on").question
    with ThreadPoolExecutor(1) as here:
        swept = sbg.sweep(jump, asked, "models.pippin.move", [3, 5], executor=here)
    words = sbg.report.described(asked)
    assert words.startswith("pippin moves to (")
    assert sbg.plot(swept, thresholds=False).get_title(loc="left") == f"{words}: chance by models.pippin.move"
    played = sbg.plot(sbg.simulate(jump, asked, trials=100, seed=7)).get_title(loc="left")
    assert played.startswith(f"{words}: ")


def test_under_a_chance_of_nought_or_one_stands_the_margin(jump):
    with ThreadPoolExecutor(1) as here:
        swept = sbg.sweep(jump, "pippin-goes-on", "models.pippin.move", [3, 3.5, 5], executor=here)
    (below,) = sbg.plot(swept).child_axes
    (points,) = [line for line in below.get_lines() if line.get_gid() == "sweep"]
    assert points.get_xydata() == pytest.approx(np.array([(3, -1), (3.5, -0.5)]))  # with 5 a die decides, not an inch


def test_one_sign_of_a_sweep_means_one_thing(jump, words):
    with ThreadPoolExecutor(1) as here:
        swept = sbg.sweep(jump, "pippin-goes-on", "models.pippin.move", [3, 5], executor=here)
    ax = sbg.plot(swept, thresholds=False)
    assert ax.child_axes[0].get_ylabel() == "movement left, inches\n(chance 0 or 1)"
    assert words(ax) == ["exact chance", "nothing left: just enough"]


def test_shares_are_told_in_percent(jump):
    (below,) = sbg.plot(sbg.simulate(jump, "pippin-goes-on", trials=200, seed=7)).child_axes
    assert {t.get_text()[-1:] for t in below.get_yticklabels()} == {"%"}
    doubt = sbg.doubt(sbg.load("scenarios/amon-hen.toml"), "first-to-boromir", sigma="1 mm", trials=20, seed=1)
    assert {t.get_text()[-1:] for t in sbg.plot(doubt).get_yticklabels()} == {"%"}


def test_what_looks_round_is_round():
    assert inches_text(4.001) == "4.001″"
    assert inches_text(4.0) == "4″"
    assert inches_text(4.0000000001) == "4″"
    assert inches_text(5.41421) == "5.41″"


def test_a_gap_shows_the_base_in_its_pinch():
    table = sbg.load("scenarios/amon-hen.toml")
    ax = sbg.plot(sbg.check(table, "does-he-fit"))
    (pinch,) = [a for a in ax.patches if a.get_gid() == "pinch"]
    assert pinch.radius == pytest.approx(table.model("legolas").radius)


def test_a_look_tells_its_clearance():
    table = sbg.load("scenarios/sight-over-a-wall.toml")
    assert "too low to be seen" in sbg.plot(sbg.check(table, "a-hundredth-higher")).get_title(loc="left")


@pytest.mark.parametrize("missing", ["anywidget", "ipywidgets", "traitlets"])
def test_the_live_table_is_a_picture_where_its_extra_is_missing(jump, monkeypatch, missing):
    for name in [name for name in sys.modules if name.partition(".")[0] in {"anywidget", missing}]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    ax = sbg.explore(jump, "pippin", title="a picture")
    assert ax.get_title(loc="left") == "a picture"
    assert "<svg" in ax._repr_svg_()


def test_the_live_table_follows_the_model(jump, monkeypatch):
    pytest.importorskip("anywidget")
    live = sbg.explore(jump, "pippin")
    first, (x, y) = live.picture, jump.model("pippin").at
    assert "<svg" in first
    live.place = [x - 0.5, y]
    assert live.table.model("pippin").at == (x - 0.5, y)
    assert live.picture != first
    live.place = list(jump.model("merry").at)
    assert live.table.model("pippin").at == (x - 0.5, y)  # refused
    assert "merry" in live.said
    monkeypatch.setitem(sys.modules, "anywidget", None)
    assert sbg.explore(jump, "pippin", title="a picture").get_title(loc="left") == "a picture"


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("amon-hen", "legolas-sees-mauhur"),
        ("sight-prone", "over-a-prone-friend"),
        ("levels/sight-into-a-ditch", "down-into-it"),
    ],
)
def test_a_look_from_the_side_is_whole_and_no_name_covers_its_ends_or_who_stands(file, asked):
    ax = sbg.plot(sbg.check(sbg.load(f"scenarios/{file}.toml"), asked), section=True)
    (below,) = ax.child_axes
    ax.figure.canvas.draw()
    (look,) = [line for line in below.lines if line.get_gid() == "look"]
    frame = below.get_window_extent()
    for x, y in below.transData.transform(look.get_xydata()):
        assert frame.contains(x, y)
        assert not any(text.get_window_extent().contains(x, y) for text in below.texts)
    for body in (patch for patch in below.patches if (patch.get_gid() or "").startswith("model-")):
        others = [text for text in below.texts if text.get_text() != body.get_gid().removeprefix("model-")]
        room = body.get_window_extent().padded(-1)
        assert not any(text.get_window_extent().overlaps(room) for text in others), body.get_gid()
