"""Lists of charges in ranks and crowds: what is said of whom, and where it stands."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import sbg_sim as sbg


def ranks(across=15):
    """Two ranks of each side, 1.7 inches apart: who stands behind cannot be charged."""
    models = {}
    for side, front, back in (("good", 26.0, 24.8), ("evil", 30.0, 31.2)):
        for i in range(across):
            for row, y in enumerate((front, back)):
                models[f"{side}-{row * across + i + 1}"] = {
                    "at": [8 + (side == "evil") + 2.1 * i, y], "base": "25 mm", "height": 1.5, "move": 6, "side": side,
                }  # fmt: skip
    return sbg.Table(48, 48, models=models)


@pytest.fixture(scope="module")
def drawn():
    table = ranks()
    return table, sbg.plot(sbg.charges(table, "evil-1"))


def test_what_is_in_the_way_of_several_charges_is_one_entry(drawn, words):
    _, ax = drawn
    (told,) = [w for w in words(ax) if w.startswith("in the way")]
    assert told == "in the way of the charges at good-18, good-19 and good-20: CHG.3"  # of those in view


def test_nothing_is_said_of_who_is_out_of_view(drawn):
    table, ax = drawn
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    seen = [m for m in table.standing() if x0 <= m.at[0] <= x1 and y0 <= m.at[1] <= y1]
    refused = {a.get_gid().removeprefix("refused-") for a in ax.lines if (a.get_gid() or "").startswith("refused-")}
    assert len(refused) > len(refused & {m.id for m in seen}) > 5
    told = [t for t in ax.texts if t.get_text().startswith("no")]
    assert len(told) == len(refused & {m.id for m in seen})


def test_a_number_over_a_cross_can_be_read_and_the_cross_seen():
    ax = sbg.plot(sbg.charges(ranks(), "evil-1"), whole=True)
    crosses = {a.get_gid().removeprefix("refused-"): a for a in ax.lines if (a.get_gid() or "").startswith("refused-")}
    numbers = [t for t in ax.texts if t.get_text().isdigit() and t.get_gid().removeprefix("name-") in crosses]
    assert len(numbers) > 5
    for text in numbers:
        paper = text.get_bbox_patch()
        assert paper is not None
        cross = crosses[text.get_gid().removeprefix("name-")]
        across = cross.get_markersize() * ax.figure.dpi / 72
        box = paper.get_window_extent()
        assert math.hypot(box.width, box.height) < math.sqrt(2) * across


def test_the_name_of_a_piece_cut_by_the_view_stands_on_what_is_seen_of_it():
    table = sbg.Table(
        48, 24,
        models={"a": {"at": [8, 12], "base": 1, "height": 1.5, "move": 4, "side": "good"}},
        terrain={
            "wood": {"tags": ["difficult"], "polygon": [[12, 8], [16, 8], [16, 16], [12, 16]]},
            "high-tower-of-the-north": {
                "tags": ["platform"], "height": 2, "polygon": [[16.5, 9], [30, 9], [30, 15], [16.5, 15]],
            },
        },
    )  # fmt: skip
    ax = sbg.plot(table, view=(2, 4, 17.6, 20))
    name = next(t for t in ax.texts if t.get_gid() == "name-high-tower-of-the-north")
    (x0, x1), _ = ax.transData.inverted().transform(name.get_window_extent()).T
    assert 16.5 < x0 < x1 < 17.6  # it is written upwards


def test_an_arc_of_half_a_degree_is_seen():
    base = 25 / 25.4
    models = {
        "a": {"at": [6, 12], "base": base, "height": 1.5, "move": 4.9843, "side": "good"},
        "e": {"at": [6 + base + 4.98425, 12], "base": base, "height": 1.5, "move": 6, "side": "evil"},
    }
    ax = sbg.plot(sbg.charges(sbg.Table(24, 24, models=models), "a"))
    (arc,) = [a for a in ax.patches if a.get_gid() == "contact-e"]
    assert 0.1 < (arc.theta2 - arc.theta1) % 360 < 1.5
    assert arc.get_capstyle() == "round"
    ranked = sbg.plot(sbg.charges(ranks(), "evil-1"))
    assert "butt" in {a.get_capstyle() for a in ranked.patches if (a.get_gid() or "").startswith("contact-good")}


@pytest.mark.parametrize("more", ["aragorn", "boromir"])
def test_what_is_denied_alike_is_lettered_by_name(words, more):
    found = sbg.denials(sbg.load("scenarios/charging-2.toml"), "uruk-3")
    entries = tuple(replace(e, area=6.74 + 1e-9 * (e.enemy == more)) for e in found.entries if e.enemy != "pippin")
    told = [w for w in words(sbg.plot(replace(found, entries=entries))) if "square inches" in w]
    assert told == ["A  aragorn: 6.74 square inches", "B  boromir: 6.74 square inches"]


def test_what_is_in_the_way_under_two_rules_has_two_signs(by_gid):
    """Boromir hides pippin; two stands in the zone through which the way to aragorn leads."""
    places = {"boromir": (4, 15), "pippin": (4, 17.5), "one": (1.2, 9), "two": (4, 9), "three": (6.8, 9)}
    heights = {"pippin": 1, "aragorn": 3}
    models = {
        name: {"at": at, "base": 1, "height": heights.get(name, 1.5), "move": 8, "side": "good"}
        for name, at in (places | {"aragorn": (2.6, 7)}).items()
    } | {"lurtz": {"at": (4, 12), "base": 1, "height": 1.5, "move": 8, "side": "evil"}}
    ax = sbg.plot(sbg.charges(sbg.Table(8, 24, models=models), "lurtz"))
    rings = {ring.get_gid(): ring.get_linestyle() for ring in by_gid(ax, "blamed-")}
    assert set(rings) == {"blamed-boromir", "blamed-two"}
    assert len({str(style) for style in rings.values()}) == 2
    told = {
        text.get_text().replace("\n", " "): str(sign.get_linestyle())
        for sign, text in zip(ax.get_legend().legend_handles, ax.get_legend().get_texts(), strict=True)
        if text.get_text().startswith("in the way")
    }
    assert len(told) == len(set(told.values())) == 2


def test_a_view_of_less_than_an_inch_tells_what_is_seen_and_nothing_else():
    ax = sbg.plot(sbg.check(sbg.load("scenarios/amon-hen.toml"), "lurtz-to-merry"), view=(15.8, 17.3, 16.6, 18.1))
    (cost,) = [t for t in ax.texts if t.get_gid() == "cost"]
    x, y = cost.get_position()
    assert 15.8 < x < 16.2
    assert 17.3 < y < 18.1
    lies = {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"}
    zone = {"at": [9, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"}
    refused = sbg.check(sbg.Table(24, 24, models={"a": lies, "b": zone}), sbg.Move("a", (8.9, 13.2)))
    (rule,) = [t for t in sbg.plot(refused).texts if t.get_text() == refused.violations[0].rule]
    assert math.dist(rule.get_position(), (8.9, 13.2)) < 1
    away = sbg.plot(refused, view=(5.5, 11.5, 6.4, 12.5))  # where it is broken is out of view: nothing here says so
    texts = [t for t in away.texts if t.get_text() == refused.violations[0].rule]
    assert all(t.get_position()[0] > 6.4 for t in texts)


def test_no_name_of_a_rule_covers_where_another_charge_is_forbidden():
    """Before two ranks ways are forbidden side by side: all signs are there before the first of them is named."""
    man = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"m{x}{y}": man | {"at": [8.9 + 2.1 * x, 30 + 1.2 * y], "side": "evil"} for y in (0, 1) for x in range(6)}
    models["me"] = man | {"at": [12.2, 26], "side": "good"}
    ax = sbg.plot(sbg.charges(sbg.Table(48, 48, models=models), "me"))
    ax.figure.canvas.draw()
    signs = [line for line in ax.lines if (line.get_gid() or "").startswith("fault-")]
    names = [text for text in ax.texts if text.get_text() == "CHG.3"]
    assert len(signs) > 3
    assert len(names) == len(signs)
    places = ax.transData.transform([line.get_xydata()[0] for line in signs])
    assert not any(name.get_window_extent().contains(*place) for name in names for place in places)


@pytest.fixture(scope="module")
def beyond():
    """A charge through difficult ground and over a wall that may be jumped, too far for its cost to be told exactly."""
    models = {
        "a": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "b": {"at": [16, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    }
    bog = {"tags": ["difficult"], "polygon": [[7, 0], [15.4, 0], [15.4, 24], [7, 24]]}
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[9, 0], [9.5, 0], [9.5, 24], [9, 24]]}
    return sbg.charges(sbg.Table(48, 24, models=models, terrain={"bog": bog, "wall": wall}), "a")


def test_a_wall_that_may_be_jumped_forbids_nothing_beyond_the_horizon(beyond, by_gid, words):
    (entry,) = beyond
    assert (entry.verdict.at_least, entry.verdict.needed) == (12, None)
    ax = sbg.plot(beyond)
    assert not by_gid(ax, "fault-")
    assert not by_gid(ax, "blamed-")
    assert "a rule forbids it here" not in words(ax)
    assert "no: at least 6″ short" in [text.get_text() for text in ax.texts]


def test_a_charge_beyond_the_horizon_is_out_of_reach_at_its_target(beyond, by_gid, words):
    ax = sbg.plot(beyond["b"].verdict)
    (mark,) = by_gid(ax, "fault-")
    assert mark.get_xydata().tolist() == [[16, 12]]
    assert "out of reach" in words(ax)
    assert "a rule forbids it here" not in words(ax)
