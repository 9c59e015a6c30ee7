"""Threats, safe ground and screens: against formulas, against single charges, and on the command line."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import shapely
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.simulate.campaign import compare
from sbg_sim.solver.arcs import comes_to, contact_arcs
from sbg_sim.threats.chargeable import merged
from sbg_sim.threats.crowding import _comes_to, apart, placements
from sbg_sim.threats.shadows import hidden

ROOT = Path(__file__).parents[2]
INCH = 25 / 25.4


def model(name, at, side, **more):
    return sbg.Model(name, at, INCH, 1.5, 6.0, side, **more)


def table_of(*models, size=40.0, **more):
    from sbg_sim.table.frozen import FrozenMap

    return sbg.Table(size, size, models=FrozenMap({m.id: m for m in models}), **more)


@pytest.fixture(scope="module")
def gap():
    return sbg.load(ROOT / "scenarios/charging-2.toml")


@pytest.fixture(scope="module")
def pippin(gap):
    return sbg.safe(gap, "pippin")


def test_one_model_in_the_open_covers_a_disc():
    found = sbg.threats(table_of(model("orc", (20, 20), "evil")), "evil")
    disc = math.pi * (6 + INCH / 2) ** 2
    assert found.area.area == pytest.approx(disc, rel=2e-4)
    assert [count for count, _ in found.levels] == [1]
    assert found.count(np.array([[20, 20], [20, 26.4], [20, 26.6]])).tolist() == [1, 1, 0]


def test_what_is_covered_on_tops_counts_seen_from_above():
    low = sbg.Terrain("low", frozenset({"platform"}), sbg.polygon([(9, 7), (14, 7), (14, 13), (9, 13)]), 0.7)
    high = sbg.Terrain("high", frozenset({"platform"}), sbg.polygon([(4, 14), (8, 14), (8, 18), (4, 18)]), 1.2)
    table = table_of(model("orc", (6, 10), "evil"), model("far", (30, 30), "good"), terrain={"low": low, "high": high})
    found = sbg.threats(table, "evil")
    # It steps up with its centre 6 in on, or jumps up by a 6: the base covers half an inch more.
    places = (11, 10), (12.4, 10), (12.6, 10), (6, 16.4), (6, 16.6)
    assert [found.chance(at) for at in places] == [1, 1, 0, Fraction(1, 6), 0]
    assert found.count(np.array([[11.0, 10.0], [6.0, 16.4]])).tolist() == [1, 0]


def test_two_discs_overlap_in_a_lens():
    apart_by = 10.0
    pair = (model("a", (15, 20), "evil"), model("b", (25, 20), "evil"))
    found = sbg.threats(table_of(*pair), "evil")
    big = 6 + INCH / 2
    half = math.acos(apart_by / 2 / big)
    lens = 2 * (big * big * half - apart_by / 2 * big * math.sin(half))
    assert dict(found.levels)[2].area == pytest.approx(lens, rel=1e-3)
    assert found.chance((20, 20)) == 1
    assert found.as_json()["levels"][1]["models"] == 2
    assert shapely.geometry.shape(found.__geo_interface__["geometry"]).area == pytest.approx(found.area.area)


def test_six_bases_fit_round_a_seventh_and_not_seven():
    target = model("t", (0, 0), "good")
    names = [f"o{i}" for i in range(7)]
    radii = dict.fromkeys(names, INCH / 2)
    whole = dict.fromkeys(names, ((0.0, math.tau),))
    found = placements(target, whole, radii)
    assert len(found) == 6
    angles = sorted(angle % math.tau for _, angle in found)
    assert min(np.diff(angles)) >= apart(target, INCH / 2, INCH / 2) - 1e-9
    narrow = {"a": ((0.0, 0.1),), "b": ((0.05, 0.2),), "c": ((1.1, 1.3),)}
    assert len(placements(target, narrow, dict.fromkeys("abc", INCH / 2))) == 2


def test_six_that_just_touch_each_other_charge_at_once():
    """Bases of one size: each sixth of a turn is one base wide, and touching is allowed (MOV.4)."""
    turns = [k * math.pi / 3 for k in range(6)]
    orcs = [model(f"o{k}", (20 + 3 * math.cos(a), 20 + 3 * math.sin(a)), "evil") for k, a in enumerate(turns)]
    row = sbg.threats(table_of(model("t", (20, 20), "good"), *orcs), "evil")["t"]
    assert (row.at_once, row.most) == (6, 6)


def test_safe_ground_in_the_open_is_what_a_disc_leaves():
    table = table_of(model("man", (20, 20), "good"), model("orc", (26, 20), "evil"))
    found = sbg.safe(table, "man")
    mover, reached = 6.0, 6 + INCH  # the orc's centre goes 6, a base lies between the two centres
    grown = shapely.Point(26, 20).buffer(reached, quad_segs=400)
    disc = shapely.Point(20, 20).buffer(mover, quad_segs=400)
    assert found.area.area == pytest.approx(disc.difference(grown).area, rel=1e-3)
    at, margin = found.best
    assert at == pytest.approx((14, 20), abs=0.1)
    assert margin == pytest.approx(12 - reached, abs=2e-3)


@pytest.mark.parametrize("far", [9, 25])  # from nine inches off they come at some of its ground, from 25 at none
def test_the_safest_place_between_two_enemies_is_as_far_from_both(far):
    """Six inches off, square to the line between them: hypot(far, 6) from either, less two halves of a base."""
    foes = [model(name, (40 + x, 40), "evil") for name, x in (("e", far), ("f", -far))]
    at, margin = sbg.safe(table_of(model("man", (40, 40), "good"), *foes, size=80.0), "man").best
    assert at[0] == pytest.approx(40, abs=0.05)
    assert abs(at[1] - 40) == pytest.approx(6, abs=0.01)
    assert margin == pytest.approx(math.hypot(far, 6) - INCH - 6, abs=2e-3)


def test_single_charges_agree_on_both_sides_of_the_rim(pippin):
    rim = shapely.boundary(pippin.area)
    seen = set()
    for share in np.linspace(0, 1, 14, endpoint=False):
        spot = rim.interpolate(share, normalized=True)
        for angle in (0.0, 2.1, 4.2):
            at = (spot.x + 0.02 * math.cos(angle), spot.y + 0.02 * math.sin(angle))
            place = shapely.Point(at)
            if not pippin.reach.area.contains(place) or rim.distance(place) < 3e-3:
                continue
            safe = all(verdict.answer == "no" for verdict in pippin.charges_at(at))
            assert pippin.area.contains(place) == safe, at
            seen.add(safe)
    assert seen == {True, False}


@pytest.mark.parametrize(("height", "chances"), [(0.4, ["1"]), (1.0, ["5/6", "1/6"]), (2.0, [])])
def test_safe_ground_on_a_platform_is_what_no_enemy_below_comes_up_to(height, chances):
    """The enemy's Move of 6 in and an inch to contact end at x = 13; stepping up costs nothing, a jump takes dice."""
    shape = sbg.polygon([(10, 8), (16, 8), (16, 14), (10, 14)])
    deck = sbg.Terrain("deck", frozenset({"platform"}), shape, height)
    table = sbg.Table(
        24,
        24,
        models={
            "m": sbg.Model("m", (13.0, 11.0), 1.0, 1.5, 4.0, "good", on="deck"),
            "e": sbg.Model("e", (6.0, 11.0), 1.0, 1.5, 6.0, "evil"),
        },
        terrain={"deck": deck},
    )
    found = sbg.safe(table, "m")
    assert [str(chance) for row in found.dangers for chance, _ in row.regions] == chances
    rim = 13.0 if chances else 10.5
    assert found.area.distance(shapely.Point(10.5, 11)) == pytest.approx(rim - 10.5, abs=1e-3)
    for x in (rim - 0.01, rim + 0.01):
        if x >= 10.5:
            assert (sbg.check(table.having("m", at=(x, 11)), sbg.Charge("e", "m")).answer == "no") is (x > rim)


def test_who_may_not_move_threatens_nobody():
    one, two = model("one", (10, 10), "good"), model("two", (10, 20), "good")
    held = model("held", (14, 20), "evil", may_move=False)
    busy = model("busy", (10 + INCH, 10), "evil", engaged=frozenset({"one"}))
    table = table_of(replace(one, engaged=frozenset({"busy"})), two, held, busy)
    found = sbg.threats(table, "evil")
    assert [row.targets for row in found.models] == [(), ()]
    assert "engaged with one" in found.models[1].blocked[0]
    assert not sbg.safe(table, "two").dangers
    assert sbg.safe(table.having("held", may_move=True), "two").dangers
    assert contact_arcs(table, held, two) == ()


def test_a_wall_hides_who_stands_behind_it():
    from sbg_sim.table.frozen import FrozenMap

    wall = sbg.Terrain(
        "wall", frozenset({"unscalable"}), sbg.polygon([(23, 10), (23.4, 10), (23.4, 30), (23, 30)]), 5.0
    )
    table = table_of(model("man", (20, 20), "good"), model("orc", (26, 20), "evil"), terrain=FrozenMap({"wall": wall}))
    dark = hidden(table, table.model("orc"), table.model("man"), shapely.box(0, 0, 23 - INCH / 2, 40))
    for at in [(20.0, 20.0), (18.0, 25.0), (19.0, 39.0)]:
        seen = sbg.check(table.having("man", at=at), sbg.Sight("orc", "man")).answer == "yes"
        assert dark.covers(shapely.Point(at)) == (not seen)
    assert sbg.safe(table, "man").dangers == ()


@pytest.mark.parametrize(("low", "eye"), [(1.0, 1.5), (1.5, 1.5), (2.0, 1.5), (2.0, 2.5)])
def test_shadows_agree_with_single_looks(low, eye):
    from sbg_sim.table.frozen import FrozenMap

    wall = sbg.Terrain("wall", frozenset({"obstacle"}), sbg.polygon([(23, 17), (24, 17), (24, 23), (23, 23)]), low)
    man, orc = model("man", (15, 20), "good"), model("orc", (28, 20), "evil")
    table = table_of(man, orc, terrain=FrozenMap({"wall": wall})).having("orc", height=eye).having("man", height=1.0)
    dark = hidden(table, table.model("orc"), table.model("man"), shapely.box(2, 2, 22, 38))
    rng = np.random.default_rng(5)
    told = set()
    for x, y in rng.uniform((4, 10), (22, 30), (60, 2)).tolist():
        if shapely.distance(shapely.boundary(dark), shapely.Point(x, y)) < 5e-3:
            continue
        seen = sbg.check(table.having("man", at=(x, y)), sbg.Sight("orc", "man")).answer == "yes"
        assert dark.covers(shapely.Point(x, y)) == (not seen), (x, y)
        told.add(seen)
    assert told == ({True} if low <= 1.0 else {True, False})  # no higher than the man, it hides nothing of his top


def test_safe_ground_behind_two_ranks_takes_seconds():
    # Shadows of thirty go on for ever: shrinking them whole took most of a minute.
    front = [
        model(f"{side[0]}{i}", (8 + 2.1 * i, y), side) for i in range(15) for y, side in ((26, "good"), (30, "evil"))
    ]
    back = [model(f"{m.id}b", (m.at[0], m.at[1] + (1.2 if m.side == "evil" else -1.2)), m.side) for m in front]
    table = table_of(*front, *back, size=48.0)
    start = time.process_time()
    found = sbg.safe(table, "e12")
    assert time.process_time() - start < 15
    assert 0 < found.area.area < found.reach.area.area


def test_a_friend_screens_and_none_is_needed_far_away():
    sam, orc = model("sam", (22.5, 23.5), "good"), model("orc", (26.4, 20), "evil")
    near = table_of(model("frodo", (20, 20), "good", may_move=False), sam, orc)
    found = sbg.screen(near, "frodo", most=1)
    assert [name for name, _ in found.places] == ["sam"]
    assert sbg.check(found.table, sbg.Charge("orc", "frodo")).answer == "no"
    assert sbg.check(near, sbg.Charge("orc", "frodo")).answer == "yes"
    assert sbg.screen(near.having("orc", at=(38, 20)), "frodo").places == ()


def test_chargers_at_once_stand_apart(gap):
    orcs = [model(f"orc-{i}", (20 + 4 * math.cos(i), 20 + 4 * math.sin(i)), "evil") for i in range(4)]
    found = sbg.threats(table_of(model("merry", (20, 20), "good"), *orcs), "evil")["merry"]
    assert found.at_once == len(found.together) == 4
    spots = [at for _, at in found.together]
    assert all(math.dist(a, b) >= INCH - 1e-6 for i, a in enumerate(spots) for b in spots[:i])


def test_one_place_is_asked_about_as_whole_arcs_are():
    # Of ten orcs round a man, with two more men in the way: what one of them can come to, place by place.
    orcs = [model(f"orc-{i}", (20 + 5 * math.cos(i), 20 + 5 * math.sin(i)), "evil") for i in range(10)]
    men = [model("man", (20, 20), "good"), model("a", (22, 21), "good"), model("b", (19, 17.5), "good")]
    table = table_of(*men, *orcs)
    told = set()
    for orc in orcs:
        arcs = contact_arcs(table, orc, men[0])
        for angle in np.linspace(0, math.tau, 24, endpoint=False).tolist():
            held = any(first <= angle + turn <= last for first, last in arcs for turn in (0, -math.tau, math.tau))
            assert _comes_to(table, orc, men[0], angle) == held, (orc.id, angle)
            told.add(held)
        for first, last in arcs:
            assert _comes_to(table, orc, men[0], first)
            assert _comes_to(table, orc, men[0], last)
    assert told == {True, False}


def test_who_comes_straight_to_its_place_needs_no_network(monkeypatch):
    table = table_of(model("a", (10, 15), "evil"), model("b", (15, 15), "good"))
    monkeypatch.setitem(comes_to.__globals__, "_costs", None)
    assert _comes_to(table, table.model("a"), table.model("b"), math.pi)


@pytest.mark.parametrize("away", [-1e-4, 1e-4])
def test_what_is_straight_counts_to_the_end_of_the_move(away):
    at = np.array([[15 - INCH, 15.0]])
    table = table_of(model("a", (at[0, 0] - 6 - away, 15), "evil"), model("b", (15, 15), "good"))
    assert comes_to(table, table.model("a"), table.model("b"), at) == (away < 0)
    between = table.with_model(model("c", (12, 15), "evil"))
    assert not comes_to(between, between.model("a"), between.model("b"), at)


def test_levels_hold_what_overlays_of_whole_areas_hold(gap):
    found = sbg.threats(gap, "evil")
    areas = [row.area for row in found.models]
    twice = shapely.union_all([shapely.intersection(a, b) for i, a in enumerate(areas) for b in areas[:i]])
    levels = dict(found.levels)
    assert levels[1].area == pytest.approx(found.area.area, rel=1e-4)
    assert levels[2].area == pytest.approx(twice.area, rel=1e-4)
    assert all(area.is_valid for area in levels.values())


def test_areas_by_chance_lie_in_each_other():
    square = [shapely.box(x, 0, x + 2, 2) for x in range(5)]
    half, sixth = Fraction(1, 2), Fraction(1, 6)
    one = ((Fraction(1), square[0]), (sixth, shapely.union_all(square[:3])))
    two = ((half, square[2]), (sixth, shapely.union_all(square[2:4])))
    found = merged(one, two)
    assert [chance for chance, _ in found] == [1, half, sixth]
    assert [area.area for _, area in found] == [4, 8, 10]
    assert merged((), one) == one
    assert merged() == ()


def run(*args):
    return CliRunner().invoke(_sbg_sim, [str(a) for a in args])


def test_commands(tmp_path):
    file, out = ROOT / "scenarios/charging-2.toml", tmp_path / "threats.svg"
    result = run("threats", file, "evil", "--plot", out, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.output)
    assert data["side"] == "evil"
    assert {row["model"] for row in data["models"]} == {"uruk-1", "uruk-2", "uruk-3"}
    assert data["levels"][0]["area"] == pytest.approx(data["area"], rel=1e-3)
    assert "aragorn" in out.read_text(encoding="utf-8")
    assert run("threats", file, "evli").exit_code == 2
    assert "sides: evil, good" in run("threats", file, "evli").stderr
    safe = run("safe", file, "pippin", "--json", "--plot", tmp_path / "safe.png")
    assert safe.exit_code == 0, safe.output
    assert 0 < json.loads(safe.output)["area"] < json.loads(safe.output)["reach"]
    assert run("safe", file, "pipin").exit_code == 2


def test_threats_tell_each_model_when_it_is_done():
    table = sbg.load("scenarios/charging-2.toml")
    told = []
    found = sbg.threats(table, "evil", told=lambda row, total: told.append((row, total)))
    assert told == [(row, 3) for row in found.models]
    able = {(row.model, target) for row, _ in told for target in row.targets}
    assert able == {(charger.model, row.target) for row in found.targets for charger in row.chargers}


def test_more_processes_find_the_same_threats(gap):
    told = []
    shared = sbg.threats(gap, "evil", workers=2, told=lambda row, total: told.append((row.model, total)))
    assert shared == sbg.threats(gap, "evil")
    assert told == [(row.model, 3) for row in shared.models]  # in their order, whoever is done first
    tables = [charger.verdict.table for row in shared.targets for charger in row.chargers]
    assert all(table is tables[0] for table in tables)  # not a copy for each
    alone, two = (run("threats", "scenarios/jumping.toml", "good", "--json", *more) for more in ((), ("--workers", 2)))
    assert two.exit_code == 0, two.output
    assert two.stdout == alone.stdout
    assert run("threats", "scenarios/jumping.toml", "good", "--workers", 0).exit_code == 2


def test_safe_ground_only_shrinks_while_it_is_found():
    table = sbg.load("scenarios/charging-2.toml")
    seen = []
    found = sbg.safe(table, "pippin", told=lambda so_far, done, total: seen.append((so_far.area.area, done, total)))
    areas = [area for area, _, _ in seen]
    assert areas == sorted(areas, reverse=True)
    assert [(done, total) for _, done, total in seen] == [(n, 6) for n in range(1, 7)]
    assert areas[-1] == pytest.approx(found.area.area)


@pytest.mark.parametrize(
    ("file", "call", "total"),
    [
        ("charging-2", lambda table, **how: sbg.threats(table, "evil", **how), 6),  # three of it, three enemies
        ("charging-2", lambda table, **how: sbg.safe(table, "pippin", **how), 6),  # two looks at each of three
        ("charging-2", lambda table, **how: sbg.charges(table, "uruk-3", **how), 3),
        ("charging-2", lambda table, **how: sbg.denials(table, "uruk-3", **how), 3),
        # Two bases whose places matter, and all at once.
        ("disputes/first-zone-entered", lambda table, **how: sbg.flips(table, "round-the-guard", **how), 3),
        ("charging-2", lambda table, **how: sbg.campaign(table, "third-to-pippin", **how), 2),
    ],
)
def test_long_calls_count_to_the_end(file, call, total):
    seen = []
    call(sbg.load(f"scenarios/{file}.toml"), progress=lambda done, of: seen.append((done, of)))
    assert seen == [(n, total) for n in range(1, total + 1)]


@pytest.mark.parametrize(
    ("call", "file"),
    [
        (lambda table, **how: sbg.rulings(table, next(iter(table.questions)), **how), "edge-exactly-half-test"),
        (lambda table, **how: compare(table, "pippin-too-far", **how), "jumping"),
    ],
)
def test_readings_and_ways_count_to_the_end(call, file):
    """Of how many is not known at first: readings bring others into play, and ways are found to be followed."""
    seen = []
    call(sbg.load(f"scenarios/{file}.toml"), progress=lambda done, of: seen.append((done, of)))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert all(done <= of for done, of in seen)
    assert seen[-1][0] == seen[-1][1]


def test_lists_of_threats_and_dangers_come_in_lines_and_units():
    file = "scenarios/charging-2.toml"
    lines = [json.loads(line) for line in run("threats", file, "evil", "--jsonl").stdout.splitlines()]
    whole = json.loads(run("threats", file, "evil", "--json").stdout)
    assert lines == whole["models"] + whole["targets"]
    lines = [json.loads(line) for line in run("safe", file, "pippin", "--jsonl").stdout.splitlines()]
    data = json.loads(run("safe", file, "pippin", "--json").stdout)
    assert lines == data["dangers"]
    said = run("safe", file, "pippin", "--units", "mm").stdout
    assert f"{data['area'] * 25.4**2:.0f}"[:4] in said
    assert "sq mm" in said
    assert "sq in" not in said
    assert run("safe", file, "pippin", "--json", "--jsonl").exit_code == 2
    assert "none needed" in run("safe", file, "pippin", "--screen").stdout


@pytest.mark.parametrize(("command", "of", "said"), [("threats", "good", "can charge"), ("safe", "pippin", "enemy")])
def test_what_is_done_is_printed_when_it_is_interrupted(command, of, said, monkeypatch):
    from sbg_sim.threats import safety, sides

    table, calls = "scenarios/charging-2.toml", []
    module, name = (sides, "_threat") if command == "threats" else (safety, "walked")
    before = getattr(module, name)

    def interrupted(*given, **more):
        calls.append(given)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return before(*given, **more)

    monkeypatch.setattr(module, name, interrupted)
    found = run(command, table, of)
    assert found.exit_code == 130
    assert said in found.stdout
    assert len(found.stdout.splitlines()) == 3
    assert "when it ended" in found.stderr


def test_a_leap_that_takes_more_than_is_left_is_a_danger():
    """It begins in time, lands beside merry and is told by the single charge (LEAP.1)."""
    at = (11.269, 11.261)
    table = sbg.Table(
        24,
        24,
        models={
            "uruk": {"at": [6, 6], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
            "merry": {"at": [13, 10], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        },
        terrain={"ditch": {"tags": ["gap"], "depth": 3, "polygon": [[8.5, 2], [10, 2], [10, 12], [8.5, 12]]}},
    )
    alone = sbg.check(table.having("merry", at=at), sbg.Charge("uruk", "merry"))
    assert (alone.answer, str(alone.chance)) == ("chance", "5/6")
    found = sbg.safe(table, "merry")
    here = shapely.Point(at)
    assert found.reach.area.contains(here)
    assert not found.area.intersects(here)
    (danger,) = found.dangers
    assert max(chance for chance, area in danger.regions if area.contains(here)) == alone.chance
