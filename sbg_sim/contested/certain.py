"""Finds whether an answer holds for every placement within the doubts: by bounds, never by the margin alone.

Every model may stand anywhere within its doubt of its place in the file, if no base overlaps another or something
solid. A **no** holds if it holds on a *relaxed* table that allows all that any such placement allows: the mover and the
bases in its way smaller by their doubts, the targets larger. A **yes** holds if one way, found on a *harder* table,
stays legal for every placement: it passes each base with its doubt to spare (`robust`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.contested.placings import (
    doubts_of,
    free_shifts,
    given,
    left,
    less_doubt,
    mired,
    possibly_defended,
    possibly_stuck,
    roomy,
    surely_stuck,
    takes_dice,
)
from sbg_sim.contested.pulls import pulls
from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.report import number
from sbg_sim.rules.contact import contact_levels
from sbg_sim.solver.answer import ask
from sbg_sim.solver.judge import charge_options
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Asked, Question

EVERYWHERE: Final = "; so for every placement within the doubt"
"""The end of the reason of an answer that holds for every placement."""

_NONE, _SIX, _ALL = Fraction(0), Fraction(1, 6), Fraction(1)


@dataclass(frozen=True)
class Certainty(Pictured):
    """The certainty of an answer.

    Parameters
    ----------
    answer
        The answer with every model exactly where the file has it.
    sure
        Whether it is the answer for every placement within the doubts.
    at_least, at_most
        Bounds of the cost of the cheapest way over all placements, inches; None if there is none.
    doubts
        How far each model may be off, inches.
    matters
        How much each model's doubt can change the cost, inches, the greatest first; or, if no cost decides, the ids of
        the models that keep the answer from being sure, with 0.
    why
        The obstacle to being sure, in a few words.
    verdict
        The answer as a verdict.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> found = sbg.certainty(table, sbg.Charge("uruk-3", "aragorn"), doubts={"uruk-3": 0.1})
    >>> found.sure, found.answer
    (True, 'yes')

    """

    answer: str | None
    sure: bool
    at_least: float | None
    at_most: float | None
    doubts: Mapping[str, float] = field(hash=False)
    matters: tuple[tuple[str, float], ...] = ()
    why: str = ""
    verdict: Verdict | None = field(default=None, repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> sbg.certainty(table, "a-hair-inside").as_json()["sure"]
        True

        """
        return {
            "sure": self.sure,
            "answer": self.answer,
            "at_least": number(self.at_least),
            "at_most": number(self.at_most),
            "matters": [{"model": name, "inches": number(inches)} for name, inches in self.matters],
            "why": self.why,
            "doubts": {name: number(doubt) for name, doubt in self.doubts.items()},
        }


def certainty(
    table: Table,
    question: Question | str,
    verdict: Verdict | None = None,
    doubts: Mapping[str, float | str] | None = None,
) -> Certainty:
    """Find whether an answer holds for every placement within the doubts.

    Parameters
    ----------
    table, question
        The table, and the question.
    verdict
        The answer on the table as it is; by default it is found here, and errors are those of `check`.
    doubts
        By model, inches or as ``"1 mm"``; by default those of the table: each model's own, else the tolerance.

    Raises
    ------
    QuestionError
        For a value that is no verdict, or for impossible doubts.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> certainty(table, sbg.Charge("uruk-3", "aragorn"), doubts={"uruk-3": 4}).sure
    False

    """
    question = sound(table).asked(question).question
    known: Any = verdict
    if known is not None and not isinstance(known, Verdict):
        raise QuestionError(f"{known!r:.60} is no verdict; `doubts` are given by that name")
    off = doubts_of(table) if doubts is None else given(table, doubts)
    nominal = ask(table, question, alternatives=False) if verdict is None else verdict
    return replace(_certainty(table, question, nominal, off), verdict=nominal)


def _certainty(table: Table, question: Question, nominal: Verdict, off: Mapping[str, float]) -> Certainty:
    if isinstance(question, Measure | ReachOf) or not off:
        return Certainty(nominal.answer, not off, nominal.at_least, nominal.at_most, off)
    if isinstance(question, Gap):
        return _gap(table, question, nominal, off)
    if isinstance(question, Sight):
        from sbg_sim.contested.seeing import surely_sees

        seen = surely_sees(table, question.model, question.target, off)
        sure = seen is (nominal.answer == "yes")
        why = "" if sure else "what is seen hangs on where the models stand"
        return Certainty(nominal.answer, sure, None, None, off, () if sure else _named(question, off), why)
    return _way(table, question, nominal, off)


def _named(question: Question, off: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    names = [getattr(question, "model", ""), *getattr(question, "targets", (getattr(question, "target", ""),))]
    return tuple((name, 0.0) for name in names if name in off)


def _gap(table: Table, question: Gap, nominal: Verdict, off: Mapping[str, float]) -> Certainty:
    slack = sum(off.get(name, 0.0) for name in question.between)
    margin = nominal.margin or 0.0
    agreed = any(question.model in table.terrain[n].lets_through for n in question.between if n in table.terrain)
    sure = agreed or (margin - slack >= -TOUCH if nominal.answer == "yes" else margin + slack < -TOUCH)
    matters = tuple((name, off[name]) for name in question.between if name in off)
    low, high = (nominal.inches or 0.0) - slack, (nominal.inches or 0.0) + slack
    return Certainty(nominal.answer, sure, max(0.0, low), high, off, matters, "" if sure else "the gap hangs on it")


# -- moves and charges -------------------------------------------------------------------------------------------


def _way(table: Table, question: Move | Charge, nominal: Verdict, off: Mapping[str, float]) -> Certainty:
    least, highest = _relaxed(table, question, nominal, off)
    most, limit, why = _most(table, question, nominal, off)
    chance = nominal.chance or Fraction(0)
    if nominal.answer == "no":
        sure = highest == 0
        why = "" if sure else "a placement within the doubt may allow it"
    else:
        sure = most is not None and most <= limit + FITS
        if not sure and not why:
            why = "the worst placement may cost too much"
        if highest > chance:
            sure, most, why = False, None, "a placement within the doubt may have a better chance"
    return Certainty(nominal.answer, sure, least, most, off, _matters(nominal, question, off, sure=sure), why)


def surely(table: Table, question: Question, nominal: Verdict, off: Mapping[str, float]) -> bool:
    """Say whether `certainty` is sure of an answer; bounds that cannot change this are not computed.

    Parameters
    ----------
    table, question, nominal
        The table, the question, and the answer on the table as it is.
    off
        How far each model may be off, inches.

    """
    if not isinstance(question, Move | Charge) or not off:
        return certainty(table, question, nominal, off).sure
    chance = nominal.chance or _NONE
    if chance < 1 and _relaxed(table, question, nominal, off)[1] > chance:
        return False
    if nominal.answer == "no":
        return True
    most, limit, _ = _most(table, question, nominal, off)
    return most is not None and most <= limit + FITS


def _most(
    table: Table, question: Move | Charge, nominal: Verdict, off: Mapping[str, float]
) -> tuple[float | None, float, str]:
    """Return an upper bound of the cost of one way for all placements, or None; the Move; and what is in the way."""
    mover, limit, chance = table.model(question.model), nominal.allowance or 0.0, nominal.chance or _NONE
    if not chance:
        return None, limit, ""
    from sbg_sim.contested.robust import robust_cost  # here: a table without doubts never needs it

    most, why = robust_cost(table, question, off, chance)
    if mover.prone and most is not None and most > limit:  # it stands up instead of crawling
        limit = mover.move or 0.0
        most, _ = robust_cost(table.having(mover.id, prone=False, move=limit / 2), question, off, chance)
        most = None if most is None else limit / 2 + most
    return most, limit, why


def _matters(
    nominal: Verdict, question: Move | Charge, off: Mapping[str, float], *, sure: bool
) -> tuple[tuple[str, float], ...]:
    gradient = pulls(nominal).gradient
    shares = [(name, off[name] * math.hypot(*g)) for name, g in gradient.items() if name in off]
    if shares:
        return tuple(sorted(shares, key=lambda pair: -pair[1]))
    return () if sure else _named(question, off)


def _relaxed(
    table: Table, question: Move | Charge, nominal: Verdict, off: Mapping[str, float]
) -> tuple[float | None, Fraction]:
    """Return a lower bound of the cost over all placements, and an upper bound of the chance."""
    mover = table.model(question.model)
    if any(v.rule == "MOV.6" for v in nominal.violations) or _never(table, question, off):
        return None, _NONE
    own, limit = off.get(mover.id, 0.0), nominal.allowance or 0.0
    free, doubled = roomy(table, mover, off)
    slack = own * (2 if doubled else 1) if free else free_shifts(table, mover, limit) * own
    if not free and not left(mover, own):
        return 0.0, _ALL
    if isinstance(question, Charge):
        return _relaxed_charge(table, question, off, limit, slack, slim=not free)
    if not free:
        ends = mover.radius + own
        slack += own * (2 if mired(table, question.to, ends) else 1)
    found = ask(roomier := less_doubt(table, question, off, slim=not free), question, alternatives=False)
    if found.needed is None and found.at_least is None:
        return None, _NONE
    least = max(0.0, (found.at_least or 0.0) - slack)
    if found.answer == "no" and found.violations and found.violations[0].rule != "MOV.3":
        return least, _NONE
    if found.answer == "no":
        chance = _ALL if not found.tests else _SIX ** len(found.tests)
        return least, chance if least <= limit + FITS else _NONE
    crow = math.dist(mover.at, question.to) - own
    least, chance = min(least, _with_dice(table, mover, limit, crow)), found.chance or _ALL
    if chance == _ALL or (mover.prone and least <= limit):
        return least, _ALL
    spare = 2 * slack if mover.prone else slack  # half of the Move is used for standing up
    farther = roomier.having(mover.id, move=(mover.move or 0.0) + spare)
    return least, ask(farther, question, alternatives=False).chance or _ALL


def _with_dice(table: Table, mover: Model, limit: float, crow: float) -> float:
    """Return a lower bound of the cost of ways with more dice than necessary, which are not sought, inches."""
    if not takes_dice(table):
        return math.inf
    return 0.0 if free_shifts(table, mover, limit) else max(0.0, crow)


def _relaxed_charge(
    table: Table, question: Charge, off: Mapping[str, float], limit: float, slack: float, *, slim: bool
) -> tuple[float | None, Fraction]:
    targets = [table.model(t) for t in question.targets]
    mover = table.model(question.model)
    crow = max(
        math.dist(mover.at, t.at) - mover.radius - t.radius - off.get(mover.id, 0.0) - off.get(t.id, 0.0)
        for t in targets
    )
    if any(possibly_defended(table, question.model, t.id, off) for t in targets):
        boxes = [p.shape.bounds for p in table.terrain.values() if p.is_obstacle and p.shape is not None]
        thick = max((math.hypot(b[2] - b[0], b[3] - b[1]) for b in boxes), default=0.0)
        least = max(0.0, crow - thick)
        return least, _ALL if least <= limit + FITS else _NONE
    bounds, beyond = [], []
    try:
        for target in targets:  # to touch all is to touch each
            there = less_doubt(table, question, off, target=target.id, slim=slim)
            me, foe = there.model(mover.id), there.model(target.id)
            if math.dist(me.at, foe.at) <= me.radius + foe.radius + TOUCH:  # it touches before it moves
                bounds.append([(0.0, _ALL)])
                beyond.append(0.0)
                continue
            ways = charge_options(there, me, [foe], contact_levels(there, me, [foe]))
            bounds.append([(o.cost - o.slack - slack, o.chance) for o in ways.found])
            beyond.append(ways.beyond - slack)
    except SbgError:
        return max(0.0, crow), _ALL
    cheapest = [min((c for c, _ in costs), default=most) for costs, most in zip(bounds, beyond, strict=True)]
    least = max(*cheapest, crow, 0.0)
    within = [[chance for cost, chance in costs if cost <= limit + FITS] for costs in bounds]
    if least > limit + FITS or not all(within):
        return (None if math.isinf(least) else least), _NONE
    least = min(least, _with_dice(table, mover, limit, crow))
    return least, min(max(chances) for chances in within)


def _never(table: Table, question: Move | Charge, off: Mapping[str, float]) -> bool:
    """Say whether a charge is forbidden for every placement, whatever the way."""
    if not isinstance(question, Charge):
        return False
    mover = table.model(question.model)
    if any(not mover.is_enemy(table.model(t)) for t in question.targets):
        return True
    if table.rulings["contact_across_heights"] == "no" and len({table.model(t).on for t in question.targets}) > 1:
        return True
    from sbg_sim.contested.seeing import surely_sees

    if any(surely_sees(table, mover.id, t, off) is False for t in question.targets):
        return True
    if table.rulings["stuck_then_charge"] == "no":
        held = surely_stuck(table, mover, off)
        return bool(held) and not {m.id for m in possibly_stuck(table, mover, off)} & set(question.targets)
    return False


def check(
    table: Table, question: Question | Asked | str | Mapping[str, Any], name: str = "", *, alternatives: bool = True
) -> Verdict:
    """Answer a question; the answer is ``too-close`` if it does not hold for every placement within the doubts.

    Parameters
    ----------
    table, question
        The table; and a question, the id of one in the table's file, or the keys of one as a file has them.
    name
        Its id, to be carried into the verdict.
    alternatives
        Whether to find rulings under which the answer would differ.

    Raises
    ------
    UnknownNameError
        For a model, piece of terrain or question that the table does not have.
    QuestionError
        For a question that cannot be asked of this table.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> check(table, sbg.Charge("lurtz", "merry")).answer
    'yes'
    >>> check(sbg.load("scenarios/charging-2.toml"), "third-to-pippin").reason
    'uruk-3 into pippin: no, needs 8.2222 in and has 6, 2.2222 in short'

    """
    return weighed(table, ask(table, question, name, alternatives=alternatives), doubts_of(table))


def weighed(table: Table, verdict: Verdict, off: dict[str, float]) -> Verdict:
    """Return a verdict if it holds for every placement within the doubts, else one that says it is too close."""
    if not off or verdict.answer is None:
        return verdict
    found = certainty(table, verdict.question, verdict, off)
    if found.sure:
        return replace(verdict, reason=f"{verdict.reason}{EVERYWHERE}", certainty=found)
    what, colon, rest = verdict.reason.partition(": ")
    reason = f"too close to call: {verdict.reason}, as it is placed, but {found.why}"
    if colon:
        reason = f"{what}: too close to call; as it is placed {rest}, but {found.why}"
    return replace(verdict, answer="too-close", reason=reason, certainty=found)
