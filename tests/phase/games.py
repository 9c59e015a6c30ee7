"""Random tables of many kinds, and players that try whatever comes to mind."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shapely
import shapely.ops

from sbg_sim.geometry.shapes import circle
from sbg_sim.phase import Phase
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.terrain import Terrain
from tests.phase.soundness import barring, body, misplaced, off, unfair, unsound
from tests.phase.tables import box, busy, man, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase import Step
    from sbg_sim.phase.turn import Judged
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

SMALL, MIDDLE, LARGE = 25 / 25.4, 1.0, 40 / 25.4
WIDE = 16.0


def near_gap(dice: random.Random) -> list[Terrain]:
    low = round(dice.uniform(6, 9), 3)
    return [
        box("chasm", 0, low, 16, low + dice.choice([0.7, 1.5, 2.4]), "gap", depth=dice.choice([1.0, 4.0])),
        box("pit", 11, low + 4, 12.2, low + 5.5, "gap", depth=3.0),
    ]


def heights(dice: random.Random) -> list[Terrain]:
    return [
        box("step", 2, 2, 5, 6, "platform", height=0.6),
        box("block", 9, 2, 12, 5.5, "platform", height=1.2),
        box("tower", 4, 9, 8, 12.5, "platform", height=dice.choice([2.0, 2.5, 4.0])),
        box("keep", 10.5, 9, 14, 13, "platform unscalable", height=3.0),
        Terrain("ladder", frozenset({"ladder"}), at=(10.5, 11.0), to="keep"),
        box("crate", 5, 10, 5.6, 10.6, "obstacle", height=1.0, on="tower"),
    ]


def hedges(dice: random.Random) -> list[Terrain]:
    return [
        box("wall", 1, 5, 9, 5.3, "obstacle", height=1.0),
        box("hedge", 6, 8, 15, 8.2, "obstacle", height=0.6),
        box("kerb", 1, 11, 12, 11.3, "obstacle", height=0.4),
        box("cliff", 11, 2, 11.5, 6, "obstacle", height=dice.choice([1.6, 2.2])),
        box("rock", 13, 10, 14.5, 11, "unscalable"),
    ]


def bogs(dice: random.Random) -> list[Terrain]:
    return [
        Terrain("pond", frozenset({"difficult"}), circle((round(dice.uniform(4, 12), 3), 5.0), 2.2)),
        box("scrub", 2, 8, 7, 11, "difficult"),
        box("reeds", 6.2, 9, 9, 13, "difficult"),
        box("thorns", 11, 8, 11.5, 13, "difficult obstacle", height=0.9),
        box("stone", 8, 7, 8.7, 7.6, "unscalable"),
    ]


def plain(dice: random.Random) -> list[Terrain]:
    return [box("wall", 2, 8, 9, 8.3, "obstacle", height=1.0), box("rock", 12, 9, 14, 10, "unscalable")]


def gates(dice: random.Random) -> list[Terrain]:
    width = dice.choice([1.2, 1.6])
    return [
        box("west", 1, 7, 7, 7.6, "unscalable"),
        box("gate", 7, 7, 7 + width, 7.6, "obstacle unscalable", lets_through=frozenset({"good-1", "evil-2"})),
        box("east", 7 + width, 7, 14, 7.6, "unscalable"),
    ]


KINDS: dict[str, Callable[[random.Random], list[Terrain]]] = {
    "plain": plain, "gaps": near_gap, "heights": heights, "hedges": hedges, "bogs": bogs, "gates": gates,
}  # fmt: skip


def game(kind: str, seed: int) -> Table:
    """Return a table of a kind, or of everything (``"busy"``); some models lie, ride, or wait outside."""
    if kind == "busy":
        return busy(seed)
    dice = random.Random(seed)
    terrain = KINDS[kind](dice)
    models: list[Model] = []
    lying = dice.choice([0.1, 0.4])
    tops: list[str | None] = [p.id for p in terrain if "platform" in p.tags]
    while len(models) < 7:
        side = "good" if len(models) % 2 else "evil"
        rides = dice.random() < 0.2
        more: dict[str, Any] = (
            {"base": LARGE, "move": 10.0, "height": 2.4} if rides else {"base": dice.choice([SMALL, MIDDLE])}
        )
        keywords = frozenset({"cavalry"} if rides else {"infantry"})
        spot = (round(dice.uniform(1, WIDE - 1), 4), round(dice.uniform(1, WIDE - 1), 4))
        on = dice.choice([*tops, None, None])
        if on is not None:
            x0, y0, x1, y1 = terrain[[p.id for p in terrain].index(on)].shape.bounds
            spot = (round(dice.uniform(x0, x1), 4), round(dice.uniform(y0, y1), 4))
        model = man(
            f"{side}-{len(models)}",
            spot,
            side,
            on=on,
            prone=dice.random() < lying,
            keywords=keywords,
            **{"height": dice.choice([0.9, 1.5]), **more},
        )
        now = table(*models, model, terrain=terrain)
        clear = all(math.dist(spot, m.at) > model.radius + m.radius + 1e-3 for m in models)
        if (
            clear
            and not misplaced(now, model)
            and not any("gap" in p.tags and p.shape.distance([spot])[0] < model.radius for p in terrain)
        ):
            models.append(model)
    late = [man(f"late-{i}", base=SMALL, keywords=frozenset({"warband-1"})) for i in range(dice.choice([0, 2, 3]))]
    names = tuple(m.id for m in late)
    size = {"width": WIDE, "depth": WIDE}
    return table(*models, *late, off=names, terrain=terrain, **size)


def some_spot(phase: Phase, model: Model, dice: random.Random, far: float) -> tuple[Point, str | None]:
    """Return a place some way off, often on top of what is there."""
    far, angle = far * math.sqrt(dice.random()), dice.uniform(0, math.tau)
    x, y = model.at[0] + far * math.cos(angle), model.at[1] + far * math.sin(angle)
    rim = dice.choice([-0.01, model.radius, model.radius])
    spot = (round(min(max(x, rim), WIDE - rim), 4), round(min(max(y, rim), WIDE - rim), 4))
    tops = [p for p in phase.table.terrain.values() if "platform" in p.tags and p.shape is not None]
    under = [p.id for p in tops if p.shape is not None and p.shape.distance([spot])[0] <= 0]
    if model.on is not None and dice.random() < 0.3:
        return spot, model.on
    return spot, dice.choice([*under, *under, None]) if under else None


def beyond(phase: Phase, model: Model, dice: random.Random) -> Point | None:
    """Return a place straight behind something that is near: a wall, a gap, a model that lies."""
    here = shapely.Point(model.at)
    spots = [
        shapely.ops.nearest_points(body(p.shape), here)[0] for p in barring(phase.table, model, model.on) if p.shape
    ]
    spots += [shapely.Point(m.at) for m in phase.table.standing() if m.prone and m.id != model.id and m.on == model.on]
    near = [(spot.x, spot.y) for spot in spots if 1e-6 < spot.distance(here) < (model.move or 0) - 1]
    if not near:
        return None
    x, y = dice.choice(near)
    apart, more = math.dist(model.at, (x, y)), dice.uniform(0.8, 3.5)
    return (
        round(x + (x - model.at[0]) / apart * more, 4),
        round(y + (y - model.at[1]) / apart * more, 4),
    )


def some_move(phase: Phase, dice: random.Random) -> MoveRecord | None:
    """Return a move that may or may not be allowed; None when nobody is left to move."""
    if not phase.movable:
        return None
    model = phase.table.model(dice.choice(phase.movable))
    if model.id in phase.table.off:
        came = [s.move.arrive for s in phase.steps if s.move.arrive is not None]
        at = (
            came[0]
            if came
            else dice.choice([(0.0, round(dice.uniform(0, WIDE), 3)), (round(dice.uniform(0, WIDE), 3), 0.0)])
        )
        deep, wide = dice.uniform(0.5, 4.5), dice.uniform(-3, 3)
        to = (round(at[0] + (deep if at[0] == 0 else wide), 3), round(at[1] + (wide if at[0] == 0 else deep), 3))
        return MoveRecord(model.id, arrive=at, to=to if dice.random() < 0.7 else None)
    stand = model.prone and dice.random() < 0.5
    far = ((model.move or 0) / 2 if stand else 1.0) if model.prone else (model.move or 0)
    there, on = some_spot(phase, model, dice, 1.05 * far)
    kind = dice.random()
    enemies = [e for e in phase.table.standing() if e.is_enemy(model)]
    enemies.sort(key=lambda e: math.dist(e.at, model.at))
    if kind < 0.25 and enemies:
        chosen = enemies[:2] if dice.random() < 0.1 else [dice.choice(enemies[:3])]
        return MoveRecord(model.id, charge=tuple(e.id for e in chosen), stand=stand)
    over = None if model.prone and not stand else beyond(phase, model, dice)
    if kind < 0.5 and over is not None:
        if dice.random() < 0.5:
            return MoveRecord(model.id, to=over, on=model.on, stand=stand)
        return MoveRecord(model.id, path=(model.at, over), stand=stand)
    if kind < 0.6:
        return MoveRecord(model.id, to=there, on=on, stand=stand)
    if kind < 0.9:
        middle, _ = some_spot(phase, model, dice, far / 2)
        bend = (model.at, there) if dice.random() < 0.5 else (model.at, middle, there)
        return MoveRecord(model.id, path=bend, stand=stand, lie=dice.random() < 0.05)
    if kind < 0.95 and model.prone:
        return MoveRecord(model.id, crawl=there, stand=dice.random() < 0.5)
    return MoveRecord(model.id, lie=not model.prone, stand=model.prone)


def unjust(before: Table, _: Judged, step: Step) -> list[str]:
    """Say what is wrong with a move that was made, whatever it was judged to be."""
    return unfair(before, step)


def play(
    start: Table,
    seed: int,
    tries: int,
    *,
    wish: Callable[[Phase, random.Random], MoveRecord | None] = some_move,
    ill: Callable[[Table], list[Any]] = unsound,
    wrongly: Callable[[Table, Judged, Step], list[str]] = unjust,
) -> Phase:
    """Play moves at random, each looked at on its own, and return the phase at the end.

    Moves are wished for by ``wish``; ``ill`` says what is wrong with a table, ``wrongly`` what with a move made on one.
    """
    dice = random.Random(seed)
    phase = Phase.begin(start, dice.choice(["good", "evil"]))
    assert ill(start) == []
    refused = 0
    for _ in range(tries):
        if phase.over:
            break
        move = wish(phase, dice)
        if move is None or refused > 7:
            refused = 0
            while phase.left_outside():  # the mouth is stopped up
                phase = phase.pop()
            phase = phase.end()
            continue
        judged = phase.judge(move)
        refused += 1
        if judged.violations:
            continue
        refused = 0
        after = phase.pushed(judged, lambda _: dice.choice((1, 1, 2, 4, 5, 6, 6)))
        assert after.pop() is phase
        step = after.steps[-1]
        assert ill(after.table) + wrongly(phase.table, judged, step) == [], (seed, move, step.rolls)
        phase = after
    while phase.left_outside():
        phase = phase.pop()
    return phase


def next_turn(table_: Table, dice: random.Random) -> Table:
    """Return the table a turn later: of those in a fight one side is slain, who fell into a gap is gone."""
    gone = set()
    for model in table_.standing():
        here = shapely.Point(model.at)
        gaps = [p for p in barring(table_, model, model.on) if "gap" in p.tags and off(p, here) < model.radius]
        if gaps or (model.engaged and model.side == dice.choice(["good", "evil"])):
            gone.add(model.id)
    models = {m.id: replace(m, moved=False, engaged=frozenset()) for m in table_.models.values() if m.id not in gone}
    for one, other in itertools.combinations(list(models.values()), 2):
        if other.id in table_.models[one.id].engaged and one.id not in gone and other.id not in gone:
            models.pop(other.id, None)
    return replace(table_, models=FrozenMap(models), off=table_.off - gone)
