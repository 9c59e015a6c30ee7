"""Checks whether the parts of a claim agree with each other and with the question, before anything is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sbg_sim.certificate.form import CertificateError
from sbg_sim.rules.book import RULES
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Sight
from sbg_sim.table.route import FACES
from sbg_sim.table.rulings import RULINGS
from sbg_sim.tolerance import FITS, ROUNDING
from sbg_sim.units import fraction as as_fraction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from sbg_sim.certificate.findings import Findings
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question

SAME: Final = 2 * ROUNDING
"""Two numbers that were rounded to nine decimals are equal within this."""


def agreement(found: Findings, table: Table, question: Question, data: Mapping[str, Any]) -> None:
    """Note whether the parts of a claim agree.

    Parameters
    ----------
    found
        The findings, to which the result is added.
    table, question, data
        The table, the question, and the data of the certificate.

    """
    claim = data["claim"]
    bad = [*_costs(claim), *_chances(question, claim), *_kind(table, question, data), *_names(question, data)]
    doubted = table.tolerance > 0 or any(m.doubt for m in table.standing())
    if claim["answer"] == "too-close" and not doubted:
        bad.append("too close to call, where no placing is in doubt")
    found.refuted += bad
    if not bad:
        found.confirmed.append("the numbers of the claim agree with each other")
    found.unconfirmed += [f"that {reading} would change the answer" for reading in claim["rulings"]]


def _costs(claim: Mapping[str, Any]) -> Iterator[str]:
    needed, low, high = claim["needed"], claim["at_least"], claim["at_most"]
    allowance, margin = claim["allowance"], claim["margin"]
    if needed is not None:
        if None in (low, high, allowance, margin):
            yield "a cost without its bounds, or without what there is for it"
            return
        if abs(allowance - needed - margin) > SAME:
            yield f"the margin of {margin:.9g} in is not {allowance:.9g} less {needed:.9g}"
        if not low - SAME <= needed <= high + SAME:
            yield "the cost lies outside its bounds"
    elif high is not None:
        yield "an upper bound without the cost of a way"
    elif low is not None and allowance is not None and low <= allowance:
        yield f"no way is offered, and one of {low:.9g} in is left open"
    if claim["answer"] == "yes" and margin is not None and margin < -FITS:
        yield "a yes with too little movement"


def _chances(question: Question, claim: Mapping[str, Any]) -> Iterator[str]:
    share = fraction_of(claim["chance"])
    if (share is None) != (claim["chance_value"] is None):
        yield "the chance is given once only"
    elif share is None:
        if isinstance(question, Move | Charge):
            yield "a move without its chance"
    else:
        if abs(float(share) - claim["chance_value"]) > SAME:
            yield f"the chance of {claim['chance']} is not {claim['chance_value']:.9g}"
        kind = "yes" if share == 1 else "no" if share == 0 else "chance"
        if claim["answer"] not in {kind, "too-close"}:
            yield f"a chance of {claim['chance']} is not a {claim['answer']!r}"


def _kind(table: Table, question: Question, data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts that do not belong to a question of this kind."""
    claim = data["claim"]
    if data["sightlines"] and (claim["answer"] == "no" or not isinstance(question, Sight | Charge)):
        yield "a line of sight is offered, and nothing that is claimed rests on it"
    if isinstance(question, Move | Charge):
        if claim["needed"] is None and claim["margin"] is not None:
            yield "a margin without the cost of a way"
        if (data["legs"] is None) != (claim["needed"] is None):
            yield "a way without its cost, or a cost without its way"
        if claim["inches"] is not None:
            yield "a distance, where a move is asked for"
        hangs = table.model(question.model).climbed
        for number, leg in enumerate(data["legs"] or (), 1):
            free = -hangs if number == 1 and leg["kind"] == "down" else 0.0
            if leg["kind"] not in FACES and abs(leg["rise"] - free) > SAME:
                yield f"leg {number} ({leg['kind']}) rises by {leg['rise']:.9g} in, and is no climb"
            if leg["center"] is None and not leg["radius"] is leg["sweep"] is None:
                yield f"leg {number} ({leg['kind']}) is no arc, and has a radius or a sweep"
        return
    there = ["legs"] if data["legs"] is not None else []
    there += [key for key in ("needed", "at_least", "at_most", "allowance", "chance") if claim[key] is not None]
    there += ["margin"] if claim["margin"] is not None and not isinstance(question, Gap) else []
    there += ["inches"] if claim["inches"] is not None and isinstance(question, Sight) else []
    there += ["answer"] if claim["answer"] is not None and isinstance(question, Measure) else []
    if there:
        yield f"a question of kind {question.ask!r} has no {there[0]}"


def _names(question: Question, data: Mapping[str, Any]) -> Iterator[str]:
    """Yield unknown rules and readings, and rules of the way that are not named."""
    claim = data["claim"]
    for rule in claim["rules"]:
        if rule not in RULES:
            yield f"there is no rule {rule}"
    for said in claim["rulings"]:
        name, _, reading = said.partition(" = ")
        if name not in RULINGS or reading not in RULINGS[name].readings:
            yield f"there is no reading {said!r}"
    used = [leg["test"]["rule"] for leg in data["legs"] or () if leg["test"] is not None]
    used += ["MOV.3"] if isinstance(question, Move | Charge) else []
    used += ["CHG.1"] if isinstance(question, Charge) else []
    for rule in dict.fromkeys(used):
        if rule not in claim["rules"]:
            yield f"{rule} decides it too, and is not among its rules"


def fraction_of(text: str | None) -> Fraction | None:
    """Return a chance as a fraction.

    Raises
    ------
    CertificateError
        For a text that is no fraction.

    """
    if text is None:
        return None
    try:
        share = as_fraction(text)
    except ValueError:
        shortened = text if len(text) <= 40 else f"{text[:37]}..."
        raise CertificateError(f"claim.chance: {shortened!r} is no fraction") from None
    if not 0 <= share <= 1:
        raise CertificateError(f"claim.chance: {text!r} is no chance")
    return share
