"""One move as it was played, and the table it leads to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.phase.canon import snapped
from sbg_sim.phase.judging import Judged, touched
from sbg_sim.phase.outcome import Outcome, roll_out
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.judge import ends_badly
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import Route
from sbg_sim.tolerance import APART, FITS, PRINTED, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.outcome import Roller
    from sbg_sim.solver.verdict import Violation
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.record import MoveRecord


@dataclass(frozen=True)
class Step:
    """One move of a phase.

    Parameters
    ----------
    model
        Who moved.
    legal
        Whether the rules allow it.
    used
        Movement used, inches.
    at, on, prone, climbed, engaged
        The model afterwards: place in inches, surface, whether it lies, inches climbed on a face, enemies in
        contact.
    rolls
        The dice in order.
    hits
        Strength 3 hits taken in a fall.
    rules
        Rule ids that decided it.
    reason
        One sentence for people.
    move
        The move as recorded, with its dice.
    route
        The way that was made.
    violations
        Why it is not allowed, with rule ids and places.

    """

    model: str
    legal: bool
    used: float
    at: Point | None
    on: str | None
    prone: bool
    climbed: float
    engaged: tuple[str, ...]
    rolls: tuple[int, ...]
    hits: int
    rules: tuple[str, ...]
    reason: str
    move: MoveRecord
    route: Route = field(default_factory=Route, repr=False)
    violations: tuple[Violation, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the step as plain data, with the keys of the file format's replays."""
        return {
            "model": self.model,
            "legal": self.legal,
            "used": printed(self.used),
            "at": self.at and [printed(x) for x in self.at],
            "on": self.on,
            "prone": self.prone,
            "climbed": printed(self.climbed),
            "engaged": list(self.engaged),
            "rolls": list(self.rolls),
            "hits": self.hits,
            "rules": list(self.rules),
            "reason": self.reason,
            "violations": [
                {
                    "rule": v.rule,
                    "reason": v.reason,
                    "place": v.place and [printed(x) for x in v.place],
                    "blame": v.blame,
                }
                for v in self.violations
            ],
        }


def printed(length: float) -> float:
    """Round a length as all JSON is rounded; no negative zero."""
    return round(float(length), PRINTED) + 0.0


def refused(table: Table, judged: Judged) -> Step:
    """Return the step of a move that is not allowed: the model stays as it was."""
    model = table.model(judged.move.model)
    first = judged.violations[0]
    return Step(
        model.id,
        legal=False,
        used=0.0,
        at=None if model.id in table.off else model.at,
        on=model.on,
        prone=model.prone,
        climbed=model.climbed,
        engaged=tuple(sorted(model.engaged)),
        rolls=judged.move.rolls,
        hits=0,
        rules=tuple(dict.fromkeys(v.rule for v in judged.violations)),
        reason=f"{model.id}: {first.reason} ({first.rule})",
        move=judged.move,
        violations=judged.violations,
    )


def played(table: Table, judged: Judged, roller: Roller) -> tuple[Step, Table]:
    """Play an allowed move with its dice.

    Parameters
    ----------
    table
        The table before.
    judged
        The move, judged and found to be allowed.
    roller
        Gives the dice as they are needed.

    Returns
    -------
    The step, and the table after it: contact has engaged (CHG.2), who fell lies prone.

    """
    mover = table.model(judged.move.model)
    if judged.route.legs:
        mover = replace(mover, at=judged.route.legs[0].start)
    outcome = roll_out(table, mover, judged.route, roller)
    targets = (outcome.must_charge,) if outcome.must_charge else judged.targets
    at = _resting_place(table, mover, judged, outcome)
    met = _met(table, mover, at, outcome, targets)
    after = _applied(table, mover, at, outcome, met)
    step = Step(
        mover.id,
        legal=True,
        used=outcome.used,
        at=at,
        on=outcome.on,
        prone=outcome.prone,
        climbed=outcome.climbed,
        engaged=tuple(sorted(after.model(mover.id).engaged)),
        rolls=outcome.rolls,
        hits=outcome.hits,
        rules=_rules(judged, outcome, met),
        reason=_reason(judged, outcome, met, at),
        move=replace(judged.move, rolls=outcome.rolls),
        route=outcome.route,
    )
    return step, after


def _resting_place(table: Table, mover: Model, judged: Judged, outcome: Outcome) -> Point:
    """Return where the base comes to rest: out of contact that nobody chose (CZ.3)."""
    at = judged.aim if outcome.done and judged.aim is not None else snapped(outcome.at)
    if outcome.must_charge or judged.targets:
        return at
    if outcome.done and not any(test.kind == "jump-prone" for test in outcome.route.tests):
        return at
    return kept_apart(table, mover, at, outcome.on, over_gap=outcome.prone)


def kept_apart(table: Table, mover: Model, at: Point, on: str | None, *, over_gap: bool = False) -> Point:
    """Return the nearest place where a base touches no enemy, which may lie inside a zone (CZ.3).

    Parameters
    ----------
    table, mover
        Who was forced there.
    at, on
        Where, inches, and the surface.
    over_gap
        Whether it may lie in a gap: it fell in.

    """
    others = [m for m in table.standing() if m.id != mover.id and m.on == on]

    def free(spot: Point) -> bool:
        for other in others:
            gap = math.dist(spot, other.at) - other.radius - mover.radius
            wanted = APART / 2 if other.is_enemy(mover) and other.id not in mover.engaged else -TOUCH
            if gap < wanted:
                return False
        return spot == at or all(_bearable(v, over_gap=over_gap) for v in ends_badly(table, mover, spot, on))

    if free(at):
        return at
    for ring in range(1, 64):
        far = APART * ring
        for k in range(72):
            angle = math.tau * k / 72
            spot = snapped((at[0] + far * math.cos(angle), at[1] + far * math.sin(angle)))
            if free(spot):
                return spot
    return at


def _bearable(violation: Violation, *, over_gap: bool) -> bool:
    """Say whether who is forced to a place may be there in spite of a violation (CZ.3)."""
    return violation.rule.startswith("CZ") or (over_gap and violation.rule == "LEAP.1")


def _met(table: Table, mover: Model, at: Point, outcome: Outcome, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the enemies that are engaged by a move: whom it charged, and whom else its base touches then."""
    if not targets:
        return ()
    if outcome.done or outcome.must_charge:
        return tuple(sorted({*targets, *touched(table, mover, at, outcome.on)}))
    return touched(table, mover, at, outcome.on)


def _applied(table: Table, mover: Model, at: Point, outcome: Outcome, met: tuple[str, ...]) -> Table:
    models = dict(table.models)
    models[mover.id] = replace(
        mover,
        at=at,
        on=outcome.on,
        prone=outcome.prone,
        climbed=outcome.climbed,
        moved=True,
        engaged=mover.engaged | set(met),
    )
    for name in met:
        models[name] = replace(models[name], engaged=models[name].engaged | {mover.id})
    return replace(table, models=FrozenMap(models), off=table.off - {mover.id})


def _rules(judged: Judged, outcome: Outcome, met: tuple[str, ...]) -> tuple[str, ...]:
    found = list(judged.rules)
    found += ["PRN.5"] if outcome.must_charge else []
    found += ["CHG.2"] if met else []
    found += ["FALL.2"] if outcome.prone and 1 in outcome.rolls else []
    found += ["CLB.4"] if outcome.climbed else []
    return tuple(dict.fromkeys(found))


def _reason(judged: Judged, outcome: Outcome, met: tuple[str, ...], at: Point) -> str:
    name = judged.move.model
    place = f"({at[0]:.4g}, {at[1]:.4g})" + (f" on {outcome.on}" if outcome.on else "")
    how = f"; {'; '.join(outcome.told)}" if outcome.told else ""
    if met:
        return f"{name} charges {' and '.join(met)} with {outcome.used:.4f} in used{how}"
    if judged.targets:
        return f"{name} does not reach {' and '.join(judged.targets)} and ends at {place}{how}"
    kinds = {leg.kind for leg in judged.route.legs}
    if kinds <= {"stand", "lie", "crawl"} and kinds:
        verbs = {"crawl": "crawls", "stand": "stands up", "lie": "lies down"}
        did = " and ".join(verbs[k] for k in ("crawl", "stand", "lie") if k in kinds)
        return f"{name} {did} at {place} with {outcome.used:.4f} in used{how}"
    if not judged.route.legs:
        return f"{name} stays at {place}"
    verb = "comes on and moves" if judged.move.arrive is not None else "moves"
    hangs = f", {outcome.climbed:.4g} in up a face" if outcome.climbed else ""
    return f"{name} {verb} to {place}{hangs} with {outcome.used:.4f} in used{how}"


def inside_zone(table: Table, model: Model) -> tuple[str, ...]:
    """Return the enemies in whose Control Zones a model's base lies, sorted."""
    near = model.radius + ZONE_WIDTH - FITS
    everywhere = table.rulings["zones_across_surfaces"] == "yes"
    return tuple(
        sorted(
            e.id
            for e in table.standing()
            if e.is_enemy(model) and e.has_zone and (everywhere or e.on == model.on)
            and math.dist(e.at, model.at) < e.radius + near - TOUCH
        )
    )  # fmt: skip
