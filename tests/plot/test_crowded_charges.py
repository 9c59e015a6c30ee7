"""Charges, threats and denials in a crowd: what would be lost among too much of its kind is told of some alone."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
import shapely
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch

import sbg_sim as sbg
from sbg_sim.plot import reaches


def gids(artists, part):
    return [a.get_gid() for a in artists if (a.get_gid() or "").startswith(part)]


@pytest.mark.parametrize("ask", [sbg.reach, sbg.charges, sbg.denials])
def test_who_moves_in_a_crowd_is_ringed(ranks, ask):
    ax = sbg.plot(ask(ranks, "man-5"))
    assert gids(ax.patches, "mover-") == ["mover-man-5"]
    few = replace(ranks, models=type(ranks.models)({n: ranks.model(n) for n in ("man-5", "orc-105", "orc-205")}))
    assert not gids(sbg.plot(ask(few, "man-5")).patches, "mover-")


def test_of_many_that_cannot_be_charged_the_nearest_are_told_why(ranks):
    ax = sbg.plot(sbg.charges(ranks, "man-5"), whole=True)
    refused = gids(ax.lines, "refused-")
    assert len(refused) > 12
    told = [t for t in ax.texts if t.get_text().startswith("no: ")]
    assert len(told) == 6
    faults = gids(ax.lines, "fault-CHG.3")
    assert len(faults) > 1
    signs = [{a.get_marker() for a in ax.lines if (a.get_gid() or "").startswith(p)} for p in ("fault-", "refused-")]
    assert not signs[0] & signs[1]  # where a rule forbids it does not look like who cannot be charged
    assert len([t for t in ax.texts if t.get_text() == "CHG.3"]) == 1
    words = [t.get_text().replace("\n", " ") for t in ax.get_legend().get_texts()]
    assert "cannot be charged: why is told of the nearest" in words


def test_of_few_that_cannot_be_charged_all_are_told_why():
    ax = sbg.plot(sbg.charges(sbg.load("scenarios/amon-hen.toml"), "lurtz"))
    refused = gids(ax.lines, "refused-")
    assert "cannot be charged" in [t.get_text() for t in ax.get_legend().get_texts()]
    assert 0 < len([t for t in ax.texts if t.get_text().startswith("no: ")]) <= len(refused)


@pytest.fixture(scope="module")
def charging(ranks):
    """What the evil ranks can charge, without their right wing."""
    left = type(ranks.models)({name: model for name, model in ranks.models.items() if model.at[0] < 19})
    return sbg.threats(replace(ranks, models=left), "evil")


def test_of_many_charges_those_are_drawn_that_succeed_at_once(charging):
    threats = charging
    assert sum(len(row.chargers) for row in threats.targets) > 60
    ax = sbg.plot(threats)
    at_once = {f"charge-{name}-{row.target}": at for row in threats.targets for name, at in row.together}
    arrows = {a.get_gid(): a for a in ax.patches if (a.get_gid() or "").startswith("charge-")}
    assert set(arrows) == set(at_once)
    for gid, arrow in arrows.items():
        assert math.dist(arrow._posA_posB[1], at_once[gid]) < 1e-9


def test_a_number_is_written_over_the_arcs_of_its_base(ranks):
    ax = sbg.plot(sbg.charges(ranks, "man-5"), whole=True)
    able = {gid.removeprefix("contact-") for gid in gids(ax.patches, "contact-orc")}
    written = {t.get_gid(): t for t in ax.texts}
    assert able
    assert all(written[f"name-{name}"].get_bbox_patch() is not None for name in able)


def test_zones_that_take_as_much_are_named_in_the_order_of_the_legend(ranks):
    denials = sbg.denials(ranks, "man-5")
    most = max(entry.area for entry in denials)
    taking = sorted(denials, key=lambda e: -e.area)[:3]
    alike = sorted((replace(e, area=most) for e in taking), key=lambda e: e.enemy, reverse=True)
    denials = replace(denials, entries=tuple(alike))
    ax = sbg.plot(denials)
    told = [t.get_text() for t in ax.get_legend().get_texts() if "square inches" in t.get_text()]
    listed = [words.split(":")[0].split("  ")[1] for words in told]
    assert listed == sorted(listed)
    assert "{}, {} and {} deny the most".format(*listed) in ax.get_title(loc="left").replace("\n", " ")


def test_how_many_can_charge_whom_stands_by_whom_it_is_about(lines):
    ax = sbg.plot(sbg.threats(lines, "evil"))
    counts = {t.get_gid()[6:]: t for t in ax.texts if (t.get_gid() or "").startswith("count-")}
    assert len(counts) == 6
    for name, text in counts.items():
        assert re.fullmatch(r"\d \(\d\)", text.get_text())
        box = shapely.box(*text.get_window_extent().transformed(ax.transData.inverted()).extents)
        far = {m: box.distance(shapely.Point(lines.model(m).at)) for m in counts}
        assert min(far, key=far.get) == name


def test_how_many_can_charge_whom_does_not_stand_under_the_next_in_a_rank(charging):
    ax = sbg.plot(charging)
    counts = {t.get_gid()[6:]: t for t in ax.texts if (t.get_gid() or "").startswith("count-")}
    assert len(counts) == 8
    for name, text in counts.items():
        far = {m: math.dist(text.get_position(), charging.table.model(m).at) for m in counts}
        assert min(far, key=far.get) == name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_arrows_of_charges_are_seen_on_every_shade_of_a_threat(charging, theme):
    shades = {}
    for text in sbg.svg(charging, theme=theme).split("<g id=")[1:]:
        gid, _, drawn = text.partition(">")
        found = re.search(r"(?:fill|stroke): (#[0-9a-f]{6})", drawn)
        if found and re.match(r'"(threat-\d|charge-|round-charge-)', gid):
            shades.setdefault(gid.strip('"').partition("-")[0], set()).add(found[1])
    (arrow,), (round_it,) = shades["charge"], shades["round"]
    assert len(shades["threat"]) == 5
    assert all(max(contrast(arrow, shade), contrast(round_it, shade)) > 3 for shade in shades["threat"])
    assert contrast(arrow, round_it) > 10


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_that_lead_to_numbers_are_seen_on_every_shade_of_a_threat(theme):
    look = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"man-{i}": {"at": [2 + 1.2 * i, 6], "side": "good", **look} for i in range(8)}
    models |= {f"orc-{i}": {"at": [2 + 1.2 * i, 11], "side": "evil", **look} for i in range(6)}
    ax = sbg.plot(sbg.threats(sbg.Table(48, 48, models=models), "evil"), theme=theme, whole=True)
    shades = {to_hex(p.get_facecolor()) for p in ax.findobj(PathPatch) if re.match(r"threat-\d", p.get_gid() or "")}
    leads, casings = ([a for a in ax.lines if a.get_gid() == part] for part in ("leader", "round-leader"))
    assert len(shades) == 5
    assert len(leads) == len(casings) > 0
    for line, casing in zip(leads, casings, strict=True):
        assert line.get_xydata() == pytest.approx(casing.get_xydata())
        assert line.zorder > casing.zorder
        inks = [to_hex(part.get_color()) for part in (line, casing)]
        assert contrast(*inks) > 4
        assert all(max(contrast(ink, shade) for ink in inks) > 2 for shade in shades)


def contrast(one, two):
    """The contrast of two colours as of WCAG 2: 1 of alike ones, 21 of black on white."""
    lights = []
    for colour in (one, two):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        lights.append(0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
    return max(lights) / min(lights)


@pytest.fixture(scope="module")
def throng():
    """Charges among 400 models, of both sides in turn, two inches from each other and a little out of line."""
    slip = np.random.default_rng(5).uniform(-0.45, 0.45, (400, 2))
    models = {
        f"m{k}": sbg.Model(f"m{k}", (2 + 2 * (k % 20) + x, 2 + 2 * (k // 20) + y), 1, 1.5, 6, ("good", "evil")[k % 2])
        for k, (x, y) in enumerate(slip.tolist())
    }
    charges = sbg.charges(sbg.Table(48, 48, models=models), "m210")
    return charges, sbg.plot(charges)


def test_of_a_throng_a_picture_of_charges_shows_what_a_move_reaches(throng):
    charges, ax = throng
    (x, y), move = charges.table.model("m210").at, 6
    far = [abs(v - at) for v, at in zip((*ax.get_xlim(), *ax.get_ylim()), (x, x, y, y), strict=True)]
    assert max(far) < move + 5  # of two Moves and more, which made all small


def test_no_reason_covers_a_base_and_no_cross_a_number_however_many_stand_there(throng):
    charges, ax = throng
    told = [t for t in ax.texts if t.get_text().startswith("no: ")]
    assert told
    for text in told:
        box = shapely.box(*text.get_window_extent().transformed(ax.transData.inverted()).extents)
        assert all(box.distance(shapely.Point(m.at)) > m.radius - 0.02 for m in charges.table.standing())
    written = {t.get_gid(): t for t in ax.texts}
    crossed = [n for gid in gids(ax.lines, "refused-") if (n := f"name-{gid.removeprefix('refused-')}") in written]
    assert crossed
    assert all(written[name].get_bbox_patch() is not None for name in crossed)


def test_a_legend_of_charges_is_about_what_is_seen():
    models = {n: sbg.Model(n, at, 1, 1.5, 6, side) for n, at, side in (("a", (4, 4), "good"), ("b", (40, 40), "evil"))}
    ax = sbg.plot(sbg.charges(sbg.Table(48, 48, models=models), "a"))
    assert "cannot be charged" not in [t.get_text() for t in ax.get_legend().get_texts()]
    assert ax.get_title(loc="left").endswith("no enemy stands within two Moves of it")


def test_no_two_of_many_targets_look_alike(ranks):
    close = {
        f"orc-{k}": {"at": [4 + 1.5 * k, 13], "base": 1, "height": 1, "move": 5, "side": "evil"} for k in range(12)
    }
    man = {"man": {"at": [12, 10], "base": 1, "height": 1, "move": 12, "side": "good"}}
    ax = sbg.plot(sbg.charges(sbg.Table(24, 24, models={**close, **man}), "man"))
    rooms = [a for a in ax.patches if (a.get_gid() or "").startswith("contact-room-")]
    looks = {(a.get_gid(), tuple(a.get_edgecolor()), a.get_hatch()) for a in rooms}
    assert len(looks) > 8
    assert len({look[1:] for look in looks}) == len(looks)
    assert "and 7 more" in ax.get_title(loc="left").replace("\n", " ")


def test_names_that_end_with_numbers_are_listed_by_them(ranks):
    denials = sbg.denials(ranks, "man-5")
    entry = max(denials, key=lambda e: e.area)
    names = {f"orc-{k}": replace(ranks.model("orc-105"), id=f"orc-{k}", at=(2.0 * k, 20.0)) for k in (9, 10, 11)}
    table = replace(ranks, models=type(ranks.models)({**ranks.models, **names}))
    alike = tuple(replace(entry, enemy=name) for name in ("orc-11", "orc-9", "orc-10"))
    ax = sbg.plot(replace(denials, table=table, entries=alike))
    assert (
        ax.get_title(loc="left")
        .replace("\n", " ")
        .endswith(f"orc-9, orc-10 and orc-11 deny the most: {entry.area:.2f} square inches each")
    )


def test_a_cross_on_a_base_is_seen_round_its_number(ranks):
    shut = {f"orc-{k}": replace(ranks.model("orc-105"), id=f"orc-{k}", at=(5 + 1.02 * k, 20 + 0.0)) for k in range(12)}
    back = {
        f"man-{k}": replace(ranks.model("man-1"), id=f"man-{k}", at=(5 + 1.02 * k, 3 + 1.02 * j))
        for j, ks in enumerate(((range(12)), range(12, 24)))
        for k in ks
    }
    models = {m.id: m for m in [*shut.values(), *back.values()]}
    models |= {
        f"man-{12 + k}": replace(ranks.model("man-1"), id=f"man-{12 + k}", at=(5 + 1.02 * k, 4.02)) for k in range(12)
    }
    verdict = sbg.check(replace(ranks, models=type(ranks.models)(models)), sbg.Charge("man-5", "orc-5"))
    ax = sbg.plot(verdict)
    faults = [line for line in ax.lines if (line.get_gid() or "").startswith("fault-")]
    assert faults
    number = next(t for t in ax.texts if t.get_gid() == "name-man-5")
    assert all(f.get_markersize() > 1.5 * number.get_fontsize() for f in faults)


def test_a_cost_has_no_place_on_the_ring_of_its_mover():
    """Boxes of a cost on a long line, far within the area: one on the ring, one beside it."""
    _, ax = plt.subplots()
    ax.set(xlim=(0, 24), ylim=(0, 24))
    rim = shapely.box(0, 0, 24, 24).boundary
    boxes = np.array([[12.9, 11.8, 13.5, 12.2], [13.3, 11.8, 13.9, 12.2], [11.0, 10.0, 11.6, 10.4]])
    ring = (shapely.Point(12, 12), 1.2)
    assert reaches._off_the_area(ax, "3″", 40.0, rim, ring, boxes).tolist() == [math.inf, 0.0, 0.0]


@pytest.mark.parametrize("size", [(2.5, 2.5), (6, 6)])
def test_the_part_of_a_small_base_that_can_be_charged_leaves_the_base_to_be_seen(ranks, size):
    ax = sbg.plot(sbg.reach(ranks, "man-5"), figsize=size)
    ax.figure.canvas.draw()
    arcs = [patch for patch in ax.patches if (patch.get_gid() or "").startswith("contact-")]
    assert arcs
    for arc in arcs:
        wide = (ax.transData.transform((arc.width, 0)) - ax.transData.transform((0, 0)))[0] * 72 / ax.figure.dpi
        assert arc.get_linewidth() <= max(wide / 4, 1.2) * 1.1


def test_signs_of_one_rule_stand_apart():
    look = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"man-{i}": {"at": [2 + 1.3 * i, 6], "side": "good", **look} for i in range(8)}
    models |= {f"orc-{i}": {"at": [1.4 + 1.4 * i, 11], "side": "evil", **look} for i in range(8)}
    models["chief"] = {"at": [7.0, 12.5], "side": "evil", **look}
    table = sbg.Table(24, 18, models=models)
    charges = sbg.charges(table, "chief")
    assert sum(v.rule == "MOV.4" for e in charges.entries for v in e.verdict.violations) > 3
    ax = sbg.plot(charges)
    signs = [a for a in ax.lines if a.get_gid() == "fault-MOV.4"]
    assert signs
    ax.figure.canvas.draw()
    at = np.array([ax.transData.transform((a.get_xdata()[0], a.get_ydata()[0])) for a in signs]) * 72 / ax.figure.dpi
    apart = np.hypot(*(at[:, None] - at).T) + 1e9 * np.eye(len(at))
    assert apart.min() > 0.9 * signs[0].get_markersize()


def test_why_many_cannot_be_charged_covers_nothing_in_a_subplot():
    look = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {f"man-{i}": {"at": [2 + 1.3 * i, 6], "side": "good", **look} for i in range(8)}
    models |= {f"orc-{i}": {"at": [1.4 + 1.4 * i, 11], "side": "evil", **look} for i in range(8)}
    models["chief"] = {"at": [7.0, 12.5], "side": "evil", **look}
    models["ent"] = {"at": [7.0, 18.5], "side": "good", **look}
    figure, axes = plt.subplots(2, 2, figsize=(11, 9))
    for ax in axes.flat:
        sbg.plot(sbg.charges(sbg.Table(24, 24, models=models), "chief"), ax=ax)
    figure.canvas.draw()
    plt.close(figure)
    for ax in axes.flat:
        texts = [t for t in ax.texts if t.get_visible() and t.get_text()]
        boxes = {t: t.get_window_extent().padded(-1) for t in texts}
        why = [t for t in texts if t.get_text().startswith("no: ")]
        assert [
            (a.get_text(), b.get_text()) for a in why for b in texts if a is not b and boxes[a].overlaps(boxes[b])
        ] == []
        assert why
        for box in (boxes[t].transformed(ax.transData.inverted()) for t in why):
            apart = [
                math.dist((np.clip(x, box.x0, box.x1), np.clip(y, box.y0, box.y1)), (x, y))
                for x, y in (m["at"] for m in models.values())
            ]
            assert min(apart) > 0.48


@pytest.fixture(scope="module")
def ranks_apart():
    """Two ranks of fifteen a side, wider apart than bases: between them names and reasons have room."""
    rows = [("good", 0, 26.0), ("good", 15, 24.8), ("evil", 0, 30.0), ("evil", 15, 31.2)]
    models = {
        f"{side}-{k + first}": {"at": [6.8 + 2.1 * k, y], "base": 1, "height": 1.5, "move": 6, "side": side}
        for side, first, y in rows
        for k in range(1, 16)
    }
    return sbg.Table(48, 48, models=models)


def led(ax):
    """The lines that lead to words, but for their ends, and all words with their rooms."""
    ax.figure.canvas.draw()
    ways = [np.asarray(line.get_xydata()) for line in ax.lines if line.get_gid() == "leader"]
    lines = shapely.linestrings([a + (b - a) * [[0.06], [0.92]] for a, b in ways])
    texts = [t for t in ax.texts if t.get_visible() and t.get_text()]
    boxes = [t.get_window_extent().transformed(ax.transData.inverted()) for t in texts]
    return lines, [(t.get_text(), shapely.box(*b.extents).buffer(-0.02)) for t, b in zip(texts, boxes, strict=True)]


def test_no_line_to_why_runs_over_a_base_or_another_reason(ranks_apart):
    """Between ranks, why 24 cannot be charged was written before 9, with a line over that and over why 8 cannot be."""
    lines, words = led(sbg.plot(sbg.charges(ranks_apart, "evil-11")))
    bases = [shapely.Point(m.at).buffer(0.9 * m.radius) for m in ranks_apart.standing()]
    reasons = [room for text, room in words if text.startswith("no: ")]
    assert len(lines) > 3
    assert len(reasons) > 3
    assert not shapely.intersects(lines[:, None], [*bases, *reasons]).any()


@pytest.mark.parametrize("mover", ["good-21", "evil-3", "evil-11", "evil-27"])
def test_no_name_lies_on_the_line_to_why_its_model_cannot_be_charged(ranks_apart, mover):
    """Of who stands in the second rank the name stood between the base and the reason, on the red line."""
    lines, words = led(sbg.plot(sbg.charges(ranks_apart, mover)))
    assert len(lines) > 3
    assert len(words) > 25
    assert [text for text, room in words if shapely.intersects(lines, room).any()] == []
