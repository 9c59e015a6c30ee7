"""Threat maps as pictures: arrows that end where they point, areas of many corners, and dice."""

from __future__ import annotations

import math

import pytest

import sbg_sim as sbg


@pytest.fixture(scope="module")
def hill():
    return sbg.load("scenarios/amon-hen.toml")


@pytest.fixture(scope="module")
def found(hill):
    return sbg.threats(hill, "evil")


def test_arrows_end_on_the_rim_of_whom_they_point_at(hill, found):
    ax = sbg.plot(found)
    arrows = [a for a in ax.patches if str(a.get_gid()).startswith("charge-")]
    assert len(arrows) == sum(len(row.chargers) for row in found.targets)
    for arrow in arrows:
        target = next(m for m in hill.models.values() if arrow.get_gid().endswith(f"-{m.id}"))
        start, end = arrow._posA_posB
        assert math.dist(end, target.at) == pytest.approx(target.radius)
        assert math.dist(start, end) < math.dist(start, target.at)


def test_ground_that_takes_dice_is_outlined_and_all_is_in_view(found):
    ax = sbg.plot(found)
    (dice,) = [a for a in ax.get_children() if a.get_gid() == "threat-dice"]
    x0, y0, x1, y1 = found.regions[-1][1].bounds
    box = dice.get_path().get_extents()
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((x0, y0, x1, y1), abs=0.01)
    levels = [a for a in ax.get_children() if str(a.get_gid()).startswith("threat-") and a is not dice]
    assert len(levels) == len(found.levels)
    assert ax.get_xlim()[0] <= x0
    assert x1 <= ax.get_xlim()[1]
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert "with dice: 1/6 (17 %) at the least" in words


def test_beside_many_targets_numbers_are_short():
    row = [(x, y, side) for side, y in (("good", 6), ("evil", 10)) for x in range(2, 30, 2)]
    models = {f"{side}-{x}": {"at": [x, y], "base": 1, "height": 1.5, "move": 6, "side": side} for x, y, side in row}
    found = sbg.threats(sbg.Table(32, 16, models=models), "evil")
    ax = sbg.plot(found)
    told = {a.get_gid(): a.get_text() for a in ax.texts if str(a.get_gid()).startswith("count-")}
    assert told == {f"count-{r.target}": f"{len(r.chargers)} ({r.at_once})" for r in found.targets}
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert "how many can charge it (and how many of them surely at once)" in words


@pytest.mark.parametrize("wide", [3, 3.5, 4, 4.5, 5, 6])
def test_no_name_is_broken_in_a_title(hill, wide):
    words = "it can charge gondor-1, gondor-2, gondor-3, gondor-4, gondor-5 and 11 more"
    ax = sbg.plot(hill, figsize=(wide, 4), title=words, legend=False)
    lines = ax.get_title(loc="left").split("\n")
    assert " ".join(lines) == words


@pytest.mark.parametrize(("count", "named"), [(40, True), (41, False)])
def test_many_pieces_of_terrain_are_not_named(count, named):
    stone = {"tags": ["obstacle"], "height": 1}
    stones = {f"stone-{k}": {**stone, "polygon": [[k, 20], [k + 0.4, 20], [k, 20.4]]} for k in range(count)}
    models = {"a": {"at": [20, 8], "base": 1, "height": 1.5, "move": 6, "side": "evil"}}
    ax = sbg.plot(sbg.threats(sbg.Table(48, 24, models=models, terrain=stones), "evil"), view="all")
    words = [t.get_text() for t in ax.texts]
    assert any(w.startswith("stone-") for w in words) is named
    assert any(t.get_gid() == "name-a" for t in ax.texts)


def test_no_tick_says_more_than_all():
    sim = sbg.simulate(sbg.load("scenarios/jumping.toml"), "pippin-goes-on", trials=1000, seed=1)
    ticks = sbg.plot(sim).get_xticks()
    assert ticks.max() == pytest.approx(1)  # there is room for all of it


def test_rings_lie_under_the_bases_beside_them(hill):
    ax = sbg.plot(sbg.screen(hill, "lurtz"))
    rings = [a.get_zorder() for a in ax.patches if (a.get_gid() or "").startswith("screens-")]
    bases = [a.get_zorder() for a in ax.patches if (a.get_gid() or "").startswith("model-")]
    assert len(rings) == 2
    assert max(rings) < min(bases)


def test_areas_are_told_in_square_inches():
    head = sbg.plot(sbg.safe(sbg.load("scenarios/charging-2.toml"), "pippin")).get_title(loc="left").split("\n")[0]
    assert head.endswith(" square inches")


def test_a_screen_shows_whom_it_is_for_and_where_its_friends_came_from(hill, by_gid):
    screen = sbg.screen(hill, "lurtz")
    ax = sbg.plot(screen)
    (mine,) = by_gid(ax, "screened-")
    assert mine.get_center() == hill.model("lurtz").at
    stood, goes = ({a.get_gid().split("-", 1)[1]: a for a in by_gid(ax, part)} for part in ("stood-", "goes-"))
    assert len(screen.places) == 2
    for name, at in screen.places:
        assert stood[name].get_center() == hill.model(name).at
        start, end = goes[name]._posA_posB
        assert start == hill.model(name).at
        assert math.dist(end, at) == pytest.approx(hill.model(name).radius)
    texts = [t.get_window_extent() for t in ax.texts]
    assert not any(text.overlaps(ghost.get_window_extent()) for text in texts for ghost in stood.values())


def test_who_cannot_be_screened_is_shown_with_all_who_charge(hill, by_gid):
    screen = sbg.screen(hill, "merry")
    assert screen.places is None
    ax = sbg.plot(screen)
    rings = {a.get_gid().removeprefix("danger-"): a for a in by_gid(ax, "danger-")}
    assert rings.keys() == {verdict.question.model for verdict in screen.through}
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    assert all(x0 < ring.center[0] < x1 and y0 < ring.center[1] < y1 for ring in rings.values())


def test_who_is_in_the_way_is_ringed_as_others_are(hill, by_gid):
    """The ring of a charge list lies under the bases beside it, as rings of `safe` and `screen` do."""
    ax = sbg.plot(sbg.charges(hill, "lurtz"))
    (ring,) = by_gid(ax, "blamed-boromir")
    assert ring.get_zorder() < min(base.get_zorder() for base in by_gid(ax, "model-"))
    assert ring.radius > hill.model("boromir").radius


def test_pieces_that_a_threat_map_does_not_name_are_not_named_where_a_result_lies_over_it():
    look = {"base": 1, "height": 1.5, "move": 6}
    pegs = {f"peg-{k}": {"tags": ["obstacle"], "height": 1, "polygon": [[x, y], [x + 1, y], [x, y + 1]]}
            for k, (x, y) in enumerate((2.0 + 6 * (k % 7), 20.0 + 4 * (k // 7)) for k in range(42))}  # fmt: skip
    models = {"a": {"at": [6, 6], "side": "good", **look}, "b": {"at": [12, 6], "side": "evil", **look}}
    table = sbg.Table(48, 48, models=models, terrain=pegs)
    ax = sbg.plot(sbg.threats(table, "evil"), whole=True)
    sbg.plot(sbg.reach(table, "a"), ax=ax)
    assert not [text for text in ax.texts if (text.get_gid() or "").startswith("name-peg")]


def _covered_heads(ax):
    """Arrows whose heads a word lies on."""
    ax.figure.canvas.draw()
    boxes = [(text.get_bbox_patch() or text).get_window_extent() for text in ax.texts if text.get_visible()]
    found = []
    for arrow in (a for a in ax.patches if str(a.get_gid()).startswith("charge-")):
        start, end = ax.transData.transform(arrow._posA_posB)
        head = end - (end - start) / math.dist(start, end) * 1.8 * ax.figure.dpi / 72
        found += [arrow.get_gid()] * any(box.contains(*head) for box in boxes)
    return found


def test_no_word_lies_on_the_head_of_an_arrow(found):
    """The number at Merry lay on that of Lurtz, and the names of Boromir, Merry and Pippin on three others."""
    assert _covered_heads(sbg.plot(found)) == []


def test_no_word_lies_on_the_head_of_an_arrow_between_ranks():
    ranks = [("good", 6), ("good", 7), ("evil", 11), ("evil", 12)]
    row = [(2 * x, y, f"{side}-{x}-{y}", side) for side, y in ranks for x in range(1, 15)]
    models = {name: {"at": [x, y], "base": 1, "height": 1.5, "move": 6, "side": side} for x, y, name, side in row}
    assert _covered_heads(sbg.plot(sbg.threats(sbg.Table(32, 18, models=models), "evil"))) == []
