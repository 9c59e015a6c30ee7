"""Who is trapped, held against a search that slides the base in thousands of directions."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
import shapely

from sbg_sim.geometry.shapes import circle, line
from sbg_sim.phase.turn import Melee
from sbg_sim.rules.backing import FULL, _Bar, _capsule, _left, _needed, trap
from sbg_sim.rules.pairing import fights
from sbg_sim.table.terrain import Terrain
from tests.phase.tables import R, box, man, table

AT = (12.0, 12.0)


def foe(degrees: float, name: str = "", apart: float = 2 * R):
    angle = math.radians(degrees)
    return man(name or f"foe-{degrees:g}", (AT[0] + apart * math.cos(angle), AT[1] + apart * math.sin(angle)), "evil")


def trapped(*others, **more) -> bool:
    here = table(man("frodo", AT), *others, **more)
    return trap(here, "frodo", [m.id for m in others if m.id.startswith("foe")]).trapped


@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [((0,), False), ((0, 180), False), ((0, 120, 240), True), ((0, 90, 180), False), ((0, 90, 180, 270), True)],
)
def test_enemies_all_around(degrees: tuple[float, ...], wanted: bool):
    assert trapped(*map(foe, degrees)) == wanted


def test_two_enemies_face_to_face_leave_two_ways_of_no_width():
    ways = trap(table(man("frodo", AT), foe(0), foe(180)), "frodo", ["foe-0", "foe-180"]).ways
    assert [(a + b) / 2 for a, b in ways] == pytest.approx([math.pi / 2, 3 * math.pi / 2])
    # a hair nearer to each other, and they close one of them
    assert len(trap(table(man("frodo", AT), foe(0.01), foe(180)), "frodo", ["foe-0.01", "foe-180"]).ways) == 1


@pytest.mark.parametrize(("gap", "wanted"), [(1e-4, False), (0.0, False), (-1e-4, True)])
def test_a_corridor_as_wide_as_the_base_is_a_way_out(gap: float, wanted: bool):
    half = R + gap  # enemies all around but straight down, and there two walls
    walls = [
        box("left", 12 - half - 1, 8, 12 - half, 11, "unscalable"),
        box("right", 12 + half, 8, 12 + half + 1, 11, "unscalable"),
    ]
    assert trapped(foe(0), foe(180), foe(90), terrain=walls) == wanted


@pytest.mark.parametrize(("space", "wanted"), [(FULL, False), (FULL + 1e-4, False), (FULL - 1e-4, True)])
def test_a_whole_inch_is_needed(space: float, wanted: bool):
    floor = box("floor", 0, 1, 24, 12 - R - space, "obstacle", height=1.0)
    assert trapped(foe(0), foe(180), foe(90), terrain=[floor]) == wanted
    edge = table(man("frodo", (12, R + space)), *[
        man(n, (12 + dx, R + space + dy), "evil") for n, dx, dy in (("e", 1, 0), ("w", -1, 0), ("n", 0, 1))
    ])  # fmt: skip
    assert trap(edge, "frodo", ["e", "w", "n"]).trapped == wanted


def test_what_can_be_stepped_over_traps_nobody():
    for height, wanted in ((0.7, False), (0.8, True)):
        floor = box("floor", 0, 10, 24, 11.2, "obstacle", height=height)
        assert trapped(foe(0), foe(180), foe(90), terrain=[floor]) == wanted
    assert (
        trapped(foe(0), foe(180), foe(90), terrain=[Terrain("bog", frozenset({"difficult"}), circle((12, 10), 1))])
        is False
    )
    assert trapped(foe(0), foe(180), foe(90), terrain=[box("pit", 11, 9, 13, 11.2, "gap", depth=3.0)]) is True


def test_what_lets_the_model_through_or_lies_on_another_level_traps_nobody():
    floor = box("floor", 0, 10, 24, 11.2, "obstacle", height=1.0)
    around = (foe(0), foe(180), foe(90))
    assert trapped(*around, terrain=[floor]) is True
    assert trapped(*around, terrain=[replace(floor, lets_through=frozenset({"foe-0"}))]) is True
    assert trapped(*around, terrain=[replace(floor, lets_through=frozenset({"frodo"}))]) is False
    roof = box("roof", 0, 0, 4, 4, "platform", height=2.0)
    assert trapped(*around, terrain=[roof, replace(floor, on="roof")]) is False


def test_an_enemy_at_the_end_of_the_way_bars_it_a_zone_does_not():
    near = man("orc", (12, 12 - FULL - 2 * R - 1e-3), "evil")
    assert trapped(foe(0), foe(180), foe(90), near) is False  # within its zone, and free
    assert trapped(foe(0), foe(180), foe(90), man("orc", (12, 12 - FULL - 2 * R), "evil")) is True  # in contact


def test_a_friend_can_make_way():
    friend = man("sam", (12, 12 - 2 * R))
    found = trap(table(man("frodo", AT), friend, foe(0), foe(180), foe(90)), "frodo", ["foe-0", "foe-180", "foe-90"])
    assert (found.trapped, found.way_makers) == (True, ("sam",))
    assert "unless sam can make way" in str(found)
    busy = man("sam", (12, 12 - 2 * R), engaged=frozenset({"foe-0"}))
    held = trap(table(man("frodo", AT), busy, foe(0), foe(180), foe(90)), "frodo", ["foe-0", "foe-180", "foe-90"])
    assert (held.trapped, held.way_makers) == (True, ())


@pytest.mark.parametrize(
    "shape", [circle((12, 12), 2.0), line([(10, 12), (14, 12)], 4.0)], ids=["a round top", "a long one"]
)
def test_the_rim_of_a_round_top_holds_who_stands_on_it(shape):
    """Two inches from its rim everywhere to the south: an inch back leaves half an inch over for the base."""
    for deep, wanted in ((2.0, False), (0.9, True)):
        top = Terrain("top", frozenset({"platform"}), shape, height=3.0)
        at = (12.0, 10.0 + deep)
        around = [
            man(n, (at[0] + dx, at[1] + dy), "evil", on="top")
            for n, dx, dy in (("foe-e", 1, 0), ("foe-w", -1, 0), ("foe-n", 0, 1))
        ]
        here = table(man("frodo", at, on="top"), *around, terrain=[top])
        assert trap(here, "frodo", [m.id for m in around]).trapped is wanted


def test_straight_back_only():
    wall = box("wall", 8, 5, 11, 20, "unscalable")
    assert trapped(foe(0), terrain=[wall]) is False
    assert trapped(foe(0), terrain=[wall], rulings={"back_away": "straight"}) is True
    assert trapped(foe(0), rulings={"back_away": "straight"}) is False


def test_the_rim_of_a_platform_holds_who_stands_on_it():
    top = box("tower", 11, 11.4, 13, 20, "platform", height=3.0)
    enemies = [man(n, p, "evil", on="tower") for n, p in (("e", (13, 12)), ("w", (11, 12)), ("n", (12, 13)))]
    here = table(man("frodo", AT, on="tower"), *enemies, terrain=[top])
    assert trap(here, "frodo", ["e", "w", "n"]).trapped
    wide = table(man("frodo", AT, on="tower"), *enemies, terrain=[box("tower", 5, 5, 20, 20, "platform", height=3.0)])
    assert not trap(wide, "frodo", ["e", "w", "n"]).trapped


def slides(here, name: str, enemies: list[str], count: int = 3600) -> float:
    """Return how far the best of many directions is from being barred: negative when every one is."""
    model = here.model(name)
    walls = [shapely.Polygon(piece.shape.rings[0]) for piece in here.terrain.values()]
    best = -math.inf
    for k in range(count):
        angle = math.tau * k / count
        way = (math.cos(angle), math.sin(angle))
        end = (model.at[0] + FULL * way[0], model.at[1] + FULL * way[1])
        line = shapely.LineString([model.at, end])
        room = [shapely.Point(m.at).distance(line) - m.radius - model.radius for m in here.standing() if m.id != name]
        room += [wall.distance(line) - model.radius for wall in walls]
        room += [min(p[0], p[1], here.width - p[0], here.depth - p[1]) - model.radius for p in (end,)]
        best = max(best, min(room))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_against_sliding_in_thousands_of_directions(seed: int):
    dice = random.Random(seed)
    models = [man("frodo", (dice.uniform(1, 3), dice.uniform(1, 3)))]
    while len(models) < 1 + dice.randint(1, 5):
        side = dice.choice(["evil", "evil", "good"])
        angle = dice.uniform(0, math.tau)
        far = 2 * R if side == "evil" and dice.random() < 0.7 else dice.uniform(1.01, 2.2)
        at = (models[0].at[0] + far * math.cos(angle), models[0].at[1] + far * math.sin(angle))
        if all(math.dist(at, m.at) >= 2 * R - 1e-9 for m in models) and min(at) > R:
            models.append(man(f"m{len(models)}", at, side))
    x = models[0].at[0] + R + dice.uniform(0.01, 1.5)
    walls = [box("wall", x, 0, x + 0.5, dice.uniform(0.5, 6), "unscalable")] if dice.random() < 0.7 else []
    if any(shapely.box(x, 0, x + 0.5, 6).distance(shapely.Point(m.at)) < R for m in models):
        walls = []
    here = table(*models, terrain=walls)
    enemies = [m.id for m in models if m.side == "evil" and math.dist(m.at, models[0].at) <= 2 * R + 1e-6]
    room = slides(here, "frodo", enemies)
    found = trap(here, "frodo", enemies)
    if room > 1e-5:
        assert not found.trapped
    elif room < -2e-3:
        assert found.trapped
    if found.trapped:
        assert found.bars


def test_the_melee_tells_and_draws_them():
    import sbg_sim as sbg

    here = table(man("frodo", AT), foe(0), foe(120), foe(240), man("sam", (3, 3)), man("orc", (3, 4), "evil"))
    melee = Melee(here, fights(here, "evil"))
    assert melee.trapped == ("frodo",)
    assert melee.as_json()["trapped"] == [
        {"model": "frodo", "trapped": True, "ways": [], "by": ["foe-0", "foe-120", "foe-240"], "unless_make_way": []}
    ]
    ax = sbg.plot(melee)
    names = [artist.get_gid() for artist in ax.patches]
    assert "trapped-frodo" in names
    assert {"way-sam", "way-orc"} <= set(names)
    assert sum(1 for line in ax.lines if (line.get_gid() or "").startswith("fight-")) == 4


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_wall_that_ends_beside_the_base_bars_what_its_side_and_its_end_bar(mirrored: bool):
    apart, past = 0.4, 0.3  # inches from the base to the line of the wall, and from its centre to the wall's end
    x0, x1 = (12 - past, 20) if not mirrored else (4, 12 + past)
    wall = box("wall", x0, 4, x1, 12 - R - apart, "obstacle", height=3.0)
    ways = trap(table(man("frodo", AT), foe(90), terrain=[wall]), "frodo", ["foe-90"]).ways
    # Along the wall an inch comes just so near; round its end it passes by the corner.
    side = -math.acos(apart / FULL)
    corner = math.hypot(past, R + apart)
    tangent = math.sqrt(corner**2 - R**2)
    half = math.asin(R / corner) if tangent <= FULL else math.acos((corner**2 + FULL**2 - R**2) / (2 * corner * FULL))
    end = math.atan2(past, R + apart) + half
    turn = -1 if mirrored else 1
    wanted = sorted((turn * math.sin(a), -math.cos(a)) for a in (-side, math.pi / 2, -end, -math.pi / 2))
    found = sorted((math.cos(a), math.sin(a)) for way in ways for a in way)
    assert found == [pytest.approx(direction, abs=1e-5) for direction in wanted]


@pytest.mark.parametrize(
    ("wall", "turned"),
    [((4, 4, 20, 12 - R), 0), ((12 + R, 4, 20, 20), 90), ((4, 12 + R, 20, 20), 180), ((4, 4, 12 - R, 20), 270)],
)
def test_a_wall_that_the_base_touches_bars_every_way_into_it(wall: tuple[float, ...], turned: float):
    here = table(man("frodo", AT), foe(60 + turned, "foe"), terrain=[box("wall", *wall, "obstacle", height=3.0)])
    (way,) = trap(here, "frodo", ["foe"]).ways
    assert sum(way) / 2 % math.tau == pytest.approx(math.radians(165 + turned) % math.tau, abs=1e-5)
    assert way[1] - way[0] == pytest.approx(math.radians(30), abs=1e-5)


@pytest.mark.parametrize("seed", range(40))
def test_directions_past_a_segment_are_those_that_come_near_it(seed):
    """Against an inch walked in small steps, from beside its ends and its sides."""
    rng = np.random.default_rng(seed)
    rho, b = rng.uniform(0.2, 1.0), (rng.uniform(0.2, 3.0), 0.0)
    at = np.array([rng.uniform(-1.2, b[0] + 1.2), rho + rng.uniform(0.01, 0.9)])
    spans = list(_capsule(tuple(at.tolist()), (0.0, 0.0), b, rho))
    walked = np.linspace(0, 1, 401)
    for angle in np.linspace(0, math.tau, 90, endpoint=False):
        path = at + walked[:, None] * (math.cos(angle), math.sin(angle))
        beside = np.hypot(path[:, 0] - np.clip(path[:, 0], 0.0, b[0]), path[:, 1]).min()
        if abs(beside - rho) > 1e-3:
            barred = any((angle - low) % math.tau <= high - low for low, high in spans)
            assert barred == (beside < rho), (angle, beside - rho)


def test_who_bars_least_is_left_out_first():
    """Where one bars all that two others bar together, it alone is named, whatever its name."""
    for name in "az":
        bars = [_Bar(name, (0.0, math.tau)), _Bar("b", (0.0, 3.0)), _Bar("c", (2.9, math.tau))]
        assert _needed(bars) == (name,)
    assert _needed(bars[1:]) == ("b", "c")


def test_directions_that_are_left():
    assert _left([(1.0, 1.0), (2.0, 3.0)]) == ((3.0, math.tau + 2.0),)
    assert _left([(1.0, 2.0), (1.0, 1.0 + math.tau)]) == ()
