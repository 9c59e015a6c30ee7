"""Pictures of crowds: what would be lost among too much of its kind is told of some alone."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.plot.names import key_of


@pytest.fixture(scope="module")
def ranks():
    """Fifteen good models before two ranks of evil ones."""
    look = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"man-{i}": {"at": [3 + 2.1 * i, 10], "side": "good", **look} for i in range(12)}
    for row, x, y in ((1, 3.5, 13.5), (2, 3.5, 14.7)):
        models |= {f"orc-{row}{i:02}": {"at": [x + 2.1 * i, y], "side": "evil", **look} for i in range(12)}
    return sbg.Table(30, 24, models=models)


def gids(artists, part):
    return [a.get_gid() for a in artists if (a.get_gid() or "").startswith(part)]


@pytest.mark.parametrize("ask", [sbg.reach, sbg.charges, sbg.denials])
def test_who_moves_in_a_crowd_is_ringed(ranks, ask):
    ax = sbg.plot(ask(ranks, "man-5"))
    assert gids(ax.patches, "mover-") == ["mover-man-5"]
    few = replace(ranks, models=type(ranks.models)({n: ranks.model(n) for n in ("man-5", "orc-105", "orc-205")}))
    assert not gids(sbg.plot(ask(few, "man-5")).patches, "mover-")


def test_of_many_that_cannot_be_charged_the_nearest_are_told_why(ranks):
    ax = sbg.plot(sbg.charges(ranks, "man-5"))
    refused = gids(ax.lines, "refused-")
    assert len(refused) > 12
    told = [t for t in ax.texts if t.get_text().startswith("no: ")]
    assert len(told) == 6
    faults = gids(ax.lines, "fault-CHG.3")
    assert len(faults) > 1
    assert len([t for t in ax.texts if t.get_text() == "CHG.3"]) == 1
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert "cannot be charged: why is told of the nearest" in words


def test_of_few_that_cannot_be_charged_all_are_told_why():
    ax = sbg.plot(sbg.charges(sbg.load("scenarios/amon-hen.toml"), "lurtz"))
    refused = gids(ax.lines, "refused-")
    assert "cannot be charged" in [t.get_text() for t in ax.get_legend().get_texts()]
    assert 0 < len([t for t in ax.texts if t.get_text().startswith("no: ")]) <= len(refused)


def test_of_many_charges_those_are_drawn_that_succeed_at_once(ranks):
    threats = sbg.threats(ranks, "evil")
    assert sum(len(row.chargers) for row in threats.targets) > 60
    ax = sbg.plot(threats)
    at_once = {f"charge-{name}-{row.target}": at for row in threats.targets for name, at in row.together}
    arrows = {a.get_gid(): a for a in ax.patches if (a.get_gid() or "").startswith("charge-")}
    assert set(arrows) == set(at_once)
    for gid, arrow in arrows.items():
        assert math.dist(arrow._posA_posB[1], at_once[gid]) < 1e-9


def test_a_number_is_written_over_the_arcs_of_its_base(ranks):
    ax = sbg.plot(sbg.charges(ranks, "man-5"))
    able = {gid.removeprefix("contact-") for gid in gids(ax.patches, "contact-orc")}
    written = {t.get_gid(): t for t in ax.texts}
    assert able
    assert all(written[f"name-{name}"].get_bbox_patch() is not None for name in able)


def test_numbers_that_names_end_with_share_a_row_of_the_key():
    named = [sbg.Model(f"{'orc' if i % 4 else 'man'}-{i}", (2.0 * i, 3.0), 1.0, 1.5, 6.0, "evil") for i in range(1, 16)]
    key = key_of([(model, i) for i, model in enumerate(named, 1)])
    assert key == [("orc-…", "1–3, 5–7, 9–11, 13–15"), ("man-…", "4, 8, 12")]
    few = key_of([(model, i) for i, model in enumerate(named[:5], 1)])
    assert few[:2] == [("1", "orc-1"), ("2", "orc-2")]


def test_zones_that_take_as_much_are_named_in_the_order_of_the_legend(ranks):
    denials = sbg.denials(ranks, "man-5")
    most = max(entry.area for entry in denials)
    taking = sorted(denials, key=lambda e: -e.area)[:3]
    alike = sorted((replace(e, area=most) for e in taking), key=lambda e: e.enemy, reverse=True)
    denials = replace(denials, entries=tuple(alike))
    ax = sbg.plot(denials)
    listed = [t.get_text().split(":")[0].split(". ")[1] for t in ax.get_legend().get_texts() if ". orc" in t.get_text()]
    assert listed == sorted(listed)
    assert "{}, {} and {} deny the most".format(*listed) in ax.get_title(loc="left").replace("\n", " ")
