"""The content of a sheet, in words and numbers, before its layout."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sbg_sim.contested.certain import EVERYWHERE
from sbg_sim.contested.flips import flips
from sbg_sim.errors import SbgError
from sbg_sim.report import in_words
from sbg_sim.rules.book import RULES
from sbg_sim.scenario import write
from sbg_sim.table.questions import Gap, Measure, ReachOf
from sbg_sim.table.rulings import RULINGS
from sbg_sim.tolerance import ROUNDING, SHOWN
from sbg_sim.units import MM_PER_INCH, area
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.contested.flips import Flips
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.route import Leg, Route

_FLIPS: Final = 3  # shifts listed at most
_DOUBTS: Final = 4  # models listed with their own doubt at most
_WORDS: Final = {"yes": "Yes", "no": "No", "too-close": "Too close to call"}


@dataclass(frozen=True)
class Facts:
    """The content of a sheet.

    Parameters
    ----------
    title, question, answer, kind, reason
        The table's title, the question in words, the answer in a word or two, the answer as in JSON, and the sentence
        that explains it.
    sums
        The arithmetic in lines: the item, how it is computed, inches.
    margin
        The movement left or missing, in inches and millimetres; empty if no length decides.
    certain
        How certain the answer is, if placements are in doubt.
    flips
        The smallest shifts that would flip the answer, a sentence each.
    dice
        The effect of each die, a sentence each.
    rules
        The rules that decided: id, title, sentence.
    rulings
        The readings under which the answer would differ: ruling, reading, the question that the ruling settles.
    footer
        File, version and hash.
    alt
        A description of the picture.

    """

    title: str
    question: str
    answer: str
    kind: str
    reason: str
    sums: tuple[tuple[str, str, str], ...]
    margin: str
    certain: str
    flips: tuple[str, ...]
    dice: tuple[str, ...]
    rules: tuple[tuple[str, str, str], ...]
    rulings: tuple[tuple[str, str, str], ...]
    footer: str
    alt: str


def facts(verdict: Verdict, *, file: str = "", version: str = "") -> Facts:
    """Return the content of a sheet about an answer.

    Parameters
    ----------
    verdict
        The answer.
    file, version
        For the foot of the sheet: the file of the table, and the version of the program.

    """
    table, question = verdict.table, verdict.question
    asked = in_words(question)
    answer = _answer(verdict)
    seal = hashlib.sha256(write(table).encode("utf-8")).hexdigest()
    foot = [part for part in (file, f"question {verdict.name}" if verdict.name else "", version) if part]
    return Facts(
        title=table.title or "A question at the table",
        question=asked,
        answer=answer,
        kind=verdict.answer or "measure",
        reason=_sentence(verdict),
        sums=_sums(verdict),
        margin=_margin(verdict),
        certain=_certain(verdict),
        flips=_flips(verdict),
        dice=_dice(verdict),
        rules=tuple((rule, RULES[rule].title, RULES[rule].text) for rule in verdict.rules if rule in RULES),
        rulings=_rulings(verdict),
        footer=f"{' · '.join(foot)} · table SHA-256 {seal[:16]}",
        alt=f"Plan of the table. {asked} {answer}. {_sentence(verdict)}",
    )


def _answer(verdict: Verdict) -> str:
    if verdict.answer is None:
        if verdict.inches is not None:
            return f"{verdict.inches:.4g} inches"
        return "" if verdict.area is None else f"{area(verdict.area)} square inches"
    if verdict.answer == "chance" and verdict.chance is not None:
        return f"{verdict.chance.numerator} in {verdict.chance.denominator}"
    return _WORDS.get(verdict.answer, verdict.answer)


def _sentence(verdict: Verdict) -> str:
    """Return the reason as a sentence, without the question and the answer above it and the facts below it."""
    text = verdict.reason.removesuffix(EVERYWHERE)
    _, colon, rest = text.partition(": ")
    said = rest if colon else text
    said = re.sub(rf"^{re.escape(_answer(verdict).lower())}[,;] ", "", said)
    return said[:1].upper() + said[1:] + ("" if said.endswith(".") or not said else ".")


# -- the arithmetic ----------------------------------------------------------------------------------------------


def _sums(verdict: Verdict) -> tuple[tuple[str, str, str], ...]:
    route = verdict.play if verdict.answer == "chance" and verdict.play is not None else verdict.route
    if route is None or verdict.needed is None:
        return _lengths(verdict)
    rows = _ground(route) + [row for leg in route.legs if (row := _special(leg)) is not None]
    rows.append(("in all", "", _inches(route.cost)))
    if verdict.allowance is not None:
        rows.append(("has", "its Move", _inches(verdict.allowance)))
    return tuple(rows)


def _lengths(verdict: Verdict) -> tuple[tuple[str, str, str], ...]:
    if verdict.inches is None:
        return ()
    rows = [("between the nearest edges", "", _inches(verdict.inches))]
    if isinstance(verdict.question, Gap):
        rows.append(("the base", "its diameter", _inches(verdict.table.model(verdict.question.model).base)))
    return tuple(rows)


def _ground(route: Route) -> list[tuple[str, str, str]]:
    """Return the inches walked on open ground, and those that count double (TER.2)."""
    walked = [leg for leg in route.legs if leg.walked]
    doubled = math.fsum(max(0.0, leg.cost - leg.length) for leg in walked)
    plain = math.fsum(leg.length for leg in walked) - doubled
    rows = [("open ground", "", _inches(plain))] if plain > SHOWN or not doubled else []
    if doubled > SHOWN:
        rows.append(("difficult ground", f"{doubled:.4f} in, doubled", _inches(2 * doubled)))
    return rows


def _special(leg: Leg) -> tuple[str, str, str] | None:
    if leg.walked:
        return None
    names = {
        "stand": ("stand up", "half the Move"),
        "lie": ("lie down", "half the Move"),
        "crawl": ("crawl", "any ground"),
        "ladder": ("ladder", f"{abs(leg.rise):.4g} in high"),
        "up": ("step up", "free"),
        "down": ("step down", "free"),
    }
    crossed = "across, with a die" if leg.kind in {"jump", "leap"} else f"{abs(leg.rise):.4g} in, doubled"
    item, how = names.get(leg.kind, (leg.kind if leg.test is None else leg.test.named, crossed))
    return (item, how, _inches(leg.cost))


def _inches(value: float) -> str:
    return f"{value:.4f}"


def _margin(verdict: Verdict) -> str:
    if verdict.margin is None:
        return ""
    size = abs(verdict.margin)
    left = "to spare" if verdict.margin >= 0 else "too much"
    if isinstance(verdict.question, Gap):
        left = "wider than the base" if verdict.margin >= 0 else "narrower than the base"
    elif verdict.answer == "no" and all(wrong.rule != "MOV.3" for wrong in verdict.violations):
        return ""  # it does not fail for lack of movement
    elif verdict.margin < 0:
        left = "short"
    return f"{size:.4f} in = {size * MM_PER_INCH:.2f} mm {left}"


def _certain(verdict: Verdict) -> str:
    found = verdict.certainty
    if found is None:
        return ""
    among = _doubted({m.id: found.doubts.get(m.id, 0.0) for m in verdict.table.standing()})
    if found.sure:
        return f"It holds with {among}."
    names = [name for name, _ in found.matters][:3]
    matter = f" What matters is where {listed(names)} stand{'s' if len(names) == 1 else ''}." if names else ""
    return f"With {among} it could be otherwise: {found.why}.{matter}"


def _doubted(doubts: Mapping[str, float]) -> str:
    """Return the doubts of models; the doubt that most share comes last, once."""
    shared = Counter(doubts.values()).most_common(1)[0][0]
    others = sorted(((name, off) for name, off in doubts.items() if off != shared), key=lambda row: (-row[1], row[0]))
    said = [f"{name} off by up to {_size(off)}" if off else f"{name} in its place" for name, off in others[:_DOUBTS]]
    if len(others) > _DOUBTS:
        said.append(f"{len(others) - _DOUBTS} more by up to {_size(others[_DOUBTS][1])}")
    if shared or not others:
        said.append(f"any {'other ' if others else ''}model off by up to {_size(shared)}")
    return listed(said)


def _size(off: float) -> str:
    return f"{off:.4g} in ({off * MM_PER_INCH:.2g} mm)"


# -- what it depends on --------------------------------------------------------------------------------------------


def _flips(verdict: Verdict) -> tuple[str, ...]:
    if isinstance(verdict.question, Measure | ReachOf) or verdict.answer is None:
        return ()
    try:
        found = flips(verdict.table, verdict.question)
    except SbgError:
        return ()
    said = [_shift(found, i) for i in range(min(_FLIPS, len(found.shifts))) if found.shifts[i].inches is not None]
    if not said:
        said = [f"No single base that is off by up to {found.limit:.2g} in turns the answer."]
    if found.together is not None and found.together.inches is not None and len(found.together.moves) > 1:
        size = found.together.inches
        said.append(f"All of them off at once in the worst way: {size:.4f} in ({size * MM_PER_INCH:.2f} mm) each.")
    return tuple(said)


def _shift(found: Flips, index: int) -> str:
    shift = found.shifts[index]
    assert shift.inches is not None
    way = "" if shift.direction is None else f" {_compass(*shift.direction)}"
    turned = {"yes": "yes", "no": "no", "chance": "a roll of dice"}.get(shift.answer or "", shift.answer or "otherwise")
    return f"{shift.model} by {shift.inches:.4f} in ({shift.inches * MM_PER_INCH:.2f} mm){way}: then it is {turned}."


def _compass(dx: float, dy: float) -> str:
    """Return a direction as seen on the picture, in words."""
    names = ("right", "up and right", "up", "up and left", "left", "down and left", "down", "down and right")
    if abs(dy) < ROUNDING and dx > 0:
        return f"to the {names[0]}"
    return names[round(math.atan2(dy, dx) / (math.pi / 4)) % 8]


def _dice(verdict: Verdict) -> tuple[str, ...]:
    route = verdict.play if verdict.play is not None else verdict.route
    if route is None or not route.tests:
        return ()
    said = []
    for i, test in enumerate(route.tests, start=1):
        results = "; ".join(f"{k}: {v}" for k, v in test.results.items())
        said.append(f"Die {i}, {test.named}. {results}.")
    if verdict.chance is not None and verdict.chance > 0:
        share = verdict.chance
        said.append(f"Best play succeeds {share.numerator} in {share.denominator} times, {float(share):.1%}.")
    return tuple(said)


def _rulings(verdict: Verdict) -> tuple[tuple[str, str, str], ...]:
    rows = []
    for row in verdict.rulings:
        name, _, reading = row.partition(" = ")
        rows.append((name, reading, RULINGS[name].about if name in RULINGS else ""))
    return tuple(rows)
