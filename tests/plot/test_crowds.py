"""Pictures of crowds: what would be lost among too much of its kind is told of some alone."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.plot.canvas import sheet
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


def test_numbers_that_names_end_with_share_a_row_of_the_key():
    named = [sbg.Model(f"{'orc' if i % 4 else 'man'}-{i}", (2.0 * i, 3.0), 1.0, 1.5, 6.0, "evil") for i in range(1, 16)]
    key = key_of([(model, i) for i, model in enumerate(named, 1)])
    assert key == [("orc-…", "1–3, 5–7, 9–11, 13–15", ""), ("man-…", "4, 8, 12", "")]
    few = key_of([(model, i) for i, model in enumerate(named[:5], 1)])
    assert few[:2] == [("1", "orc-1", ""), ("2", "orc-2", "")]


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


@pytest.fixture(scope="module")
def lines():
    """Two ranks of six of each side on a table on which their names have room, though not all beside their bases."""
    models = {}
    for side, y, away in (("good", 10, -1), ("evil", 15, 1)):
        for k in range(12):
            at = (6 + k // 2 * 1.2, y + away * (k % 2) * 1.1)
            models[f"{side}-{k}"] = sbg.Model(f"{side}-{k}", at, 25 / 25.4, 1.5, 6, side)
    return sbg.Table(36, 24, models=models)


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


def test_the_name_of_a_ringed_model_stands_in_its_base_where_it_fits(lines):
    ax = sbg.plot(sbg.screen(lines, "good-3"))
    assert gids(ax.patches, "screened-good-3")
    places = {t.get_text(): t.get_position() for t in ax.texts}
    assert places["good-3"] == lines.model("good-3").at


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


def test_a_key_does_not_list_what_the_numbers_say():
    models = [sbg.Model(f"m{2 * i}", (2.0 * i, 3.0), 1.0, 1.5, 6.0, "good") for i in range(60)]
    assert key_of([(m, int(m.id[1:])) for m in models]) == [("m…", "with the number in the base", "")]
    orcs = [sbg.Model(f"orc-{2 * i + 1}", (2.0 * i, 6.0), 1.0, 1.5, 6.0, "evil") for i in range(60)]
    both = key_of([(m, int(m.id.strip("mocr-"))) for m in (*models, *orcs)])
    assert both == [("m…", "with the number in the base", "good"), ("orc-…", "with the number in the base", "evil")]
    mixed = [replace(m, id=f"man-{m.id[1:]}") if i % 2 else m for i, m in enumerate(models)]
    rows = key_of([(m, int(m.id.strip("man-"))) for m in mixed])
    assert [words[:8] for _, words, _ in rows] == ["0, 4, 8,", "2, 6, 10"]


def test_a_legend_of_charges_is_about_what_is_seen():
    models = {n: sbg.Model(n, at, 1, 1.5, 6, side) for n, at, side in (("a", (4, 4), "good"), ("b", (40, 40), "evil"))}
    ax = sbg.plot(sbg.charges(sbg.Table(48, 48, models=models), "a"))
    assert "cannot be charged" not in [t.get_text() for t in ax.get_legend().get_texts()]
    assert ax.get_title(loc="left").endswith("no enemy stands within two Moves of it")


def test_a_long_name_in_a_key_is_broken():
    names = ["a" * 120, "b" * 120]
    models = {n: {"at": [4 + i, 4], "base": 1, "height": 1, "move": 6} for i, n in enumerate(names)}
    ax = sbg.plot(sbg.Table(12, 12, models=models))
    lines = [line for t in ax.get_legend().get_texts() for line in t.get_text().split("\n")]
    assert sum("aaa" in line for line in lines) == 3
    assert max(map(len, lines)) <= 46


def test_numbers_of_a_large_crowd_fit_in_their_bases():
    base = 25 / 25.4
    models = {
        f"orc-{k}": {"at": [4 + k % 30 * 1.0, 4 + k // 30 * 1.0], "base": base, "height": 1, "side": "evil"}
        for k in range(150)
    }
    ax = sbg.plot(sbg.Table(72, 48, models=models))
    ax.figure.canvas.draw()
    across = base * ax.bbox.width / (ax.get_xlim()[1] - ax.get_xlim()[0])
    numbers = [t.get_window_extent() for t in ax.texts if t.get_text().isdigit()]
    assert len(numbers) == 150
    assert max(box.width for box in numbers) <= across + 1  # boxes of type are whole pixels


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


@pytest.mark.parametrize(("wide", "legible"), [(24, 7.0), (48, 4.2)])
def test_numbers_on_a_whole_table_stand_within_the_rims_of_their_bases(wide, legible):
    look = {"base": 25 / 25.4, "height": 1.5, "move": 6, "side": "evil"}
    models = {f"morannon orc {k + 10}": {"at": [12 + k % 8 * 1.02, 12 + k // 8 * 1.03], **look} for k in range(40)}
    ax = sbg.plot(sbg.Table(wide, wide, models=models))
    ax.figure.canvas.draw()
    rims = {a.get_gid().removeprefix("model-"): a for a in ax.patches if (a.get_gid() or "").startswith("model-")}
    numbers = [t for t in ax.texts if t.get_text().isdigit()]
    assert len(numbers) == len(rims)
    assert {t.get_fontsize() for t in numbers} == {legible}  # all of a kind
    dots = ax.figure.dpi / 72
    for text in numbers:
        rim = rims[text.get_gid().removeprefix("name-")]
        left, wide = ax.transData.transform([rim.center, (rim.center[0] + rim.radius, 0)])[:, 0]
        inner = wide - left - rim.get_linewidth() / 2 * dots
        width = text.get_window_extent().width
        assert math.hypot(width, 0.73 * text.get_fontsize() * dots) / 2 <= inner + 1  # type is hinted to whole pixels
    beside = ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1
    assert beside == (
        legible > 4.2
    )  # where numbers are that small the legend stands under, and the picture is no wider


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


def palisades(count, step, angle=90.0):
    """A table with walls side by side, a third of an inch broad, ten long."""
    way, off = (np.array([math.cos(a), math.sin(a)]) for a in (math.radians(angle), math.radians(angle + 90)))
    walls = {}
    for k in range(count):
        at = np.array([6 + step * k, 12])
        corners = [at + 5 * i * way + 0.15 * j * off for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        walls[f"palisade-{k}"] = sbg.Terrain(f"palisade-{k}", {"obstacle"}, sbg.polygon(corners), height=2)
    model = {"at": [2, 12], "base": 1, "height": 1, "move": 6}
    return sbg.Table(24, 24, models={"frodo": model}, terrain=walls)


def strewn(seed):
    """Fifty models amid a hundred small pieces."""
    rng = np.random.default_rng(seed)
    spots = rng.permutation([(3.0 + 4.6 * i, 3.0 + 4.2 * j) for i in range(15) for j in range(11)])
    spots = (spots + rng.uniform(-1.2, 1.2, spots.shape)).tolist()
    models = {
        f"m{k}": {"at": spots.pop(), "base": 25 / 25.4, "height": 1.5, "side": ("good", "evil")[k % 2]}
        for k in range(50)
    }
    terrain = {}
    for k, (size, tall) in enumerate(zip(rng.uniform(0.3, 1.4, 100), rng.choice([0.5, 1.3, 4.0], 100), strict=True)):
        shape = sbg.circle(spots.pop(), size)
        terrain[f"t{k}"] = sbg.Terrain(f"t{k}", {("obstacle", "unscalable")[k % 2]}, shape, height=float(tall))
    return sbg.Table(72, 48, models=models, terrain=terrain)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_of_a_hundred_small_pieces_are_named(seed):
    table = strewn(seed)
    ax = sbg.plot(table)
    ax.figure.canvas.draw()
    names = {t.get_gid().removeprefix("name-"): t for t in ax.texts if (t.get_gid() or "").startswith("name-")}
    assert set(names) == {*table.models, *table.terrain}
    key = {sign: words.split()[0] for sign, words, _ in sheet(ax).key}
    told = {piece: names[piece].get_text() for piece in table.terrain}
    assert all(key.get(words, words.split()[0]) == piece for piece, words in told.items())
    legend = [t.get_text() for t in ax.get_legend().get_texts()]
    assert all(f"{words}  {piece}" in " ".join(legend) for piece, words in told.items() if words in key)
    boxes = [shapely.box(*t.get_window_extent().extents).buffer(-1) for t in names.values()]
    assert len(shapely.STRtree(boxes).query(boxes, predicate="intersects")[0]) == len(boxes)
    at = {name: text.get_position() for name, text in names.items() if name in table.terrain}
    led = [line.get_xydata() for line in ax.lines if line.get_gid() == "leader"]
    for piece, words in told.items():
        if words in key:  # a letter stands in its piece, or a line leads there
            shape = table.terrain[piece].shape.to_shapely()
            assert shape.covers(shapely.Point(at[piece])) or any(shape.covers(shapely.Point(way[0])) for way in led)


@pytest.mark.parametrize(("seed", "left"), [(4, {"t73", "t90"}), (7, {"t94"})])
def test_a_small_piece_with_no_room_for_a_letter_is_told_in_the_key_with_its_place(seed, left):
    table = strewn(seed)
    ax = sbg.plot(table)
    names = {t.get_gid().removeprefix("name-") for t in ax.texts if (t.get_gid() or "").startswith("name-")}
    assert {*table.models, *table.terrain} - names == left
    legend = " ".join(t.get_text() for t in ax.get_legend().get_texts()).replace("\xa0", " ").replace("\n", " ")
    for name in left:
        piece = table.terrain[name]
        x, y = piece.shape.spine[0]
        told = f"at ({x:.1f}, {y:.1f}) {name} {piece.height:g}″"
        assert told in " ".join(legend.split()), told


@pytest.mark.parametrize(("step", "angle"), [(0.8, 90.0), (1.2, 90.0), (1.2, 75.0), (1.5, 110.0)])
def test_no_name_of_a_wall_lies_over_the_next_wall(step, angle):
    table = palisades(8, step, angle)
    ax = sbg.plot(table)
    turn = ax.transData.inverted()
    names = {t.get_gid(): t for t in ax.texts}
    written = [(piece, names.get(f"name-{piece.id}")) for piece in table.terrain.values()]
    assert all(text is not None for _, text in written)
    for piece, text in written:
        text.set_bbox(None)
        middle, turned = text.get_transform().transform(text.get_position()), text.get_rotation()
        text.set_rotation(0)
        box = shapely.box(*text.get_window_extent().extents)
        box = shapely.affinity.rotate(box, turned, origin=tuple(middle))
        room = shapely.Polygon(turn.transform(shapely.get_coordinates(box)))
        others = [other.shape.to_shapely() for other in table.terrain.values() if other is not piece]
        assert not shapely.intersects(room, others).any(), piece.id
        assert math.cos(math.radians(turned)) > -1e-9  # it reads from the left, or upwards


def test_a_wall_that_leaves_the_view_is_named():
    """Most of it is out of view, and it is no broader than a name needs, but what is seen of it is long."""
    table = palisades(1, 1.0, 55.0)
    ax = sbg.plot(table, view=(1, 9, 7, 13))
    assert "palisade-0 2″" in {text.get_text() for text in ax.texts}


def test_the_line_from_the_name_of_what_a_base_covers_does_not_run_over_the_base(by_gid):
    table = sbg.load("scenarios/levels/plinth.toml")
    ax = sbg.plot(sbg.screen(table, "left"))
    above = table.model("above-left")
    base = shapely.Point(above.at).buffer(0.95 * above.radius)
    assert [line for line in by_gid(ax, "leader") if shapely.LineString(line.get_xydata()).intersects(base)] == []
