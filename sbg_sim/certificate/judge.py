"""Verifies a certificate with the referee alone: which claims are true, which false, and which would take a search."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from sbg_sim.certificate.claims import SAME, agreement, fraction_of
from sbg_sim.certificate.closed import closed_by
from sbg_sim.certificate.ends import no_end
from sbg_sim.certificate.findings import Findings
from sbg_sim.certificate.form import CertificateError
from sbg_sim.certificate.issue import seal, straight_bound
from sbg_sim.certificate.reading import check_form, read
from sbg_sim.certificate.sightline import hidden_by, sightline_faults
from sbg_sim.errors import SbgError
from sbg_sim.geometry.shapes import circle, shape_distance
from sbg_sim.referee import audit, audit_path
from sbg_sim.report.legs import route_of
from sbg_sim.rules.results import with_results
from sbg_sim.rules.sight import look
from sbg_sim.scenario import read_text as scenario_of
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import level_of
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Sight
from sbg_sim.tolerance import DOUBLED_ROUNDING, FITS, TOUCH
from sbg_sim.wording import counted, fraction, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee import Audit
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_CRAWL = 1.0  # how far a prone model may crawl, inches (PRN.2)
_LOOKS = 16  # heights, and sides, of a target at which a claim that nothing is seen is tried


def verify(certificate: str | Path | Mapping[str, Any]) -> Findings:
    """Verify a certificate.

    Parameters
    ----------
    certificate
        Its file, or its data as `read` returns them.

    Returns
    -------
    The claims that were confirmed, that were refuted, and that would take a search and were not checked.

    Raises
    ------
    CertificateError
        For a certificate that cannot be understood.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> from sbg_sim.certificate import issue
    >>> table = sbg.load("scenarios/amon-hen.toml")
    >>> paper = issue(table, "lurtz-to-merry", sbg.check(table, "lurtz-to-merry").as_json(), "an example")
    >>> verify(paper).sound
    True

    """
    data = _read(certificate)
    try:
        return _judged(data)
    except CertificateError as error:
        named = isinstance(certificate, str | Path)
        raise CertificateError(f"{certificate}: {error}" if named else str(error)) from None


def _judged(data: Mapping[str, Any]) -> Findings:
    """Judge the data of a certificate; CertificateError, without its name, if they cannot be understood."""
    table = _table(data)
    name = data["question"]
    if name not in table.questions:
        raise CertificateError(f"question: the table asks nothing that is called {name!r}")
    question = table.questions[name].question
    found = Findings()
    found.hold(
        seal(data) == data["seal"],
        "nothing was changed since it was sealed",
        "the seal does not fit: something was changed since it was made",
    )
    agreement(found, table, question, data)
    try:
        if isinstance(question, Measure | Gap):
            _lengths(found, table, question, data["claim"])
        elif isinstance(question, Sight):
            _sight(found, table, question, data)
        elif isinstance(question, Move | Charge):
            _moves(found, table, question, data)
        else:
            found.refuted.append("an area has no certificate")
    except CertificateError:
        raise
    except (SbgError, ValueError, OverflowError, ZeroDivisionError) as error:
        found.refuted.append(f"it cannot be judged: {error}")
    return found


def _read(certificate: Any) -> Mapping[str, Any]:
    """Return the complete data of a certificate; CertificateError for anything else."""
    if isinstance(certificate, str | Path):
        return read(certificate)
    if not isinstance(certificate, Mapping):
        raise CertificateError(
            f"{certificate!r:.60} is no certificate: it is the path of one, or what `read` made of it"
        )
    return check_form(dict(certificate), "the certificate")


def _table(data: Mapping[str, Any]) -> Table:
    try:
        return scenario_of(tomli_w.dumps(data["table"]), "table")
    except TypeError:
        raise CertificateError("table: something in it is null, which no table holds") from None
    except (SbgError, ValueError) as error:
        first = re.sub(r"^table(:\d+)*: ", "", str(error).splitlines()[0])  # its lines are not those of the certificate
        raise CertificateError(f"table: {first}") from None


# -- distances ---------------------------------------------------------------------------------------------------


def _outline(table: Table, name: str) -> Shape:
    if name in table.models:
        return circle(table.models[name].at, table.models[name].radius)
    piece = table.piece(name)
    return circle(piece.at or (0.0, 0.0), 0.0) if piece.shape is None else piece.shape


def _lengths(found: Findings, table: Table, question: Measure | Gap, claim: Mapping[str, Any]) -> None:
    pair = (question.start, question.end) if isinstance(question, Measure) else question.between
    inches = shape_distance(*(_outline(table, name) for name in pair))
    told = claim["inches"]
    said = "nothing" if told is None else f"{told:.9g}"
    found.hold(
        told is not None and abs(inches - told) <= TOUCH + SAME,
        f"{pair[0]} and {pair[1]} are {inches:.9g} in apart",
        f"{pair[0]} and {pair[1]} are {inches:.9g} in apart, not {said}",
    )
    if isinstance(question, Gap):
        mover = table.model(question.model)
        room = inches - mover.base
        margin = claim["margin"]
        found.hold(margin is not None and abs(margin - room) <= TOUCH + SAME, "", f"the margin is {room:.9g} in")
        agreed = any(mover.id in table.terrain[n].lets_through for n in pair if n in table.terrain)
        fits = "yes" if room >= -TOUCH or agreed else "no"
        if claim["answer"] == "too-close":
            found.unconfirmed.append("that the placing of the models decides it")
        else:
            said = f"the base of {mover.id} {'fits' if fits == 'yes' else 'does not fit'}"
            found.hold(claim["answer"] == fits, said, said)


# -- looks -------------------------------------------------------------------------------------------------------


def _sight(found: Findings, table: Table, question: Sight, data: Mapping[str, Any]) -> None:
    looker, target = table.model(question.model), table.model(question.target)
    if data["claim"]["answer"] != "no":
        _seen(found, table, looker, [question.target], data)
    if data["claim"]["answer"] == "yes":
        return
    if data["claim"]["answer"] == "too-close":
        found.unconfirmed.append("that the placing of the models decides it")
        return
    free = _a_look(table, looker, target)
    if free:
        found.refuted.append(f"{looker.id} sees {target.id}: a look at ({free[0]:.4g}, {free[1]:.4g}, {free[2]:.4g})")
    elif look(table, looker.id, target.id).seen:
        found.refuted.append(f"{looker.id} sees {target.id}")
    else:
        tried = sum(1 for _ in _looks(looker, target))
        said = f"; none of {tried} that were tried does" if tried else ""
        found.unconfirmed.append(f"that no look reaches {target.id}{said}")


def _a_look(table: Table, looker: Model, target: Model) -> tuple[float, float, float] | None:
    """Try looks at many places of a target; return one that is free by a clear margin."""
    eye = (*looker.at, _top(looker))
    return next((spot for spot in _looks(looker, target) if not hidden_by(table, looker, target, (eye, spot))), None)


def _looks(looker: Model, target: Model) -> Iterator[tuple[float, float, float]]:
    """Yield many places of a target, where both stand on the ground."""
    if looker.height is None or target.height is None or looker.on is not None or target.on is not None:
        return
    for i in range(_LOOKS):
        angle = 2 * math.pi * i / _LOOKS
        x, y = (target.at[k] + 0.999 * target.radius * (math.cos(angle), math.sin(angle))[k] for k in (0, 1))
        for j in range(1, _LOOKS):
            yield (x, y, _top(target) * j / _LOOKS)


def _top(model: Model) -> float:
    return (model.height or 0.0) / (2 if model.prone else 1)


def _seen(found: Findings, table: Table, looker: Model, targets: list[str], data: Mapping[str, Any]) -> None:
    """Judge the lines of sight of a certificate; there must be one to every target if the answer needs it."""
    lines = {entry["target"]: entry["line"] for entry in data["sightlines"]}
    found.hold(len(lines) == len(data["sightlines"]), "", "two lines of sight are offered to one target")
    found.refuted += [
        f"a line of sight to {name} is offered, which is not looked at" for name in lines.keys() - targets
    ]
    for name in targets:
        if name not in lines:
            if data["claim"]["answer"] != "too-close":
                found.refuted.append(f"no line of sight to {name} is offered")
            continue
        wrong = sightline_faults(table, looker, table.model(name), lines[name])
        found.refuted += wrong
        if not wrong:
            found.confirmed.append(f"{looker.id} sees {name} along the line that is offered")


# -- moves and charges -------------------------------------------------------------------------------------------


def _moves(found: Findings, table: Table, question: Move | Charge, data: Mapping[str, Any]) -> None:
    claim = data["claim"]
    mover = table.model(question.model)
    charging = question.targets if isinstance(question, Charge) else ()
    route = _route(data)
    limit = _limit(mover, route)
    allowed = claim["allowance"]
    fits = allowed is not None and min(abs(allowed - one) for one in (limit, _CRAWL)) <= SAME
    found.hold(fits, "", f"{mover.id} has {limit:.9g} in, not {allowed}")
    if isinstance(question, Charge) and claim["answer"] != "no":
        _seen(found, table, mover, list(charging), data)
    if claim["answer"] in {"yes", "chance"}:
        if route is None:
            found.refuted.append("a yes without a way")
            return
        judged = _way(found, table, question, route, claim)
        _odds(found, judged.stops[-1].results, fraction_of(claim["chance"]))
        found.unconfirmed.append("that no way is cheaper or has a better chance")
        return
    if route is not None and claim["needed"] is not None:
        _way(found, table, question, route, claim)
    if claim["answer"] == "too-close":
        found.unconfirmed.append("that the placing of the models decides it")
        return
    _closed(found, table, question, data)


def _route(data: Mapping[str, Any]) -> Route | None:
    if data["legs"] is None:
        return None
    try:
        return route_of(data["legs"])
    except ValueError as error:
        raise CertificateError(f"legs: {error}") from None


def _limit(mover: Model, route: Route | None) -> float:
    crawls = route is not None and any(leg.kind == "crawl" for leg in route.legs)
    return _CRAWL if crawls else mover.move or 0.0


def _way(found: Findings, table: Table, question: Move | Charge, route: Route, claim: Mapping[str, Any]) -> Audit:
    """Judge the way of a certificate: every inch of it, its cost, and its end."""
    charging = question.targets if isinstance(question, Charge) else ()
    yes = claim["answer"] in {"yes", "chance"}
    judged = audit(table, question.model, route, charging=charging, allowance=None if yes else math.inf)
    rounding = DOUBLED_ROUNDING + SAME
    ground = (*judged.violations,)
    if yes:
        found.refuted += [f"the way is not allowed: {v.reason} ({v.rule})" for v in ground]
    elif any(v.rule == "MOV.3" or v.rule not in claim["rules"] for v in ground):
        found.refuted.append(f"the way that is offered is none: {ground[0].reason} ({ground[0].rule})")
    elif ground:
        found.confirmed.append(f"the way is not allowed: {ground[0].reason} ({ground[0].rule})")
    elif judged.cost > _limit(table.model(question.model), route) + rounding:
        found.confirmed.append(f"the way is allowed but for its length of {judged.cost:.9g} in")
    else:
        found.confirmed.append("the way is allowed with the models where the table has them")
    if yes and not ground:
        found.confirmed.append(f"the way is allowed at every point of it, {counted(len(route.legs), 'leg')}")
    found.refuted += _dice(table, table.model(question.model), route)
    needed = claim["needed"]
    found.hold(
        needed is not None and abs(route.cost - needed) <= rounding and abs(judged.cost - needed) <= 100 * rounding,
        f"it costs {judged.cost:.9g} in",
        f"it costs {judged.cost:.9g} in, not {needed}",
    )
    if isinstance(question, Move):
        mover = table.model(question.model)
        end, on = (route.legs[-1].end, route.legs[-1].surface) if route.legs else (mover.at, mover.on)
        found.hold(
            math.dist(end, question.to) <= TOUCH and on == question.on,
            "it ends where it should",
            f"it ends at ({end[0]:.6g}, {end[1]:.6g}), not where it should",
        )
    return judged


def _dice(table: Table, mover: Model, route: Route) -> Iterator[str]:
    """Yield the false statements about the dice of legs of their kind; not for a mover that hangs on a face."""
    level = mover.on
    for number, leg in enumerate(route.legs, 1):
        if leg.test is not None and leg.test.kind == leg.kind and not mover.climbed:
            does = with_results(table, mover, leg, level).test
            for one in fields(leg.test):
                told, so = getattr(leg.test, one.name), getattr(does, one.name)
                if told != so:
                    yield f"leg {number}: {one.name} of the die is {_in_words(so)}, not {_in_words(told)}"
            if math.dist(leg.test.at, leg.start) > TOUCH or math.dist(leg.test.landing, leg.end) > TOUCH:
                yield f"leg {number}: the die is not taken where the leg begins and ends"
            if leg.test.landing_on != leg.surface:
                yield f"leg {number}: the die lands on {leg.test.landing_on}, and the leg on {leg.surface}"
        level = leg.surface


def _in_words(value: object) -> str:
    """Return the value of a field of a die in words."""
    return ", ".join(f"{face} {does}" for face, does in value.items()) if isinstance(value, FrozenMap) else str(value)


def _odds(found: Findings, results: tuple[str, ...], share: Fraction | None) -> None:
    """Check the chance of the way: a 6 to go on, 2 or more if the last die already puts the model down."""
    chance = math.prod((Fraction(5 if result == "2-6" else 1, 6) for result in results), start=Fraction(1))
    found.hold(
        share == chance,
        f"its dice allow it with a chance of {fraction(chance)}",
        f"its dice allow it with a chance of {fraction(chance)}, not {share}",
    )


def _closed(found: Findings, table: Table, question: Move | Charge, data: Mapping[str, Any]) -> None:
    """Find evidence for a no without a search, and check whether the straight way refutes it."""
    mover = table.model(question.model)
    charging = question.targets if isinstance(question, Charge) else ()
    why = [v for v in _standing_faults(mover) if v] + no_end(table, question)
    found.confirmed += why
    bound = straight_bound(table, question)
    if data["bound"] is not None:
        same = bound is not None and abs(bound - data["bound"]["value"]) <= SAME
        found.hold(same, "", f"the straight line costs {bound}, not {data['bound']['value']}")
    limit = _CRAWL if data["claim"]["allowance"] == _CRAWL and mover.prone else mover.move or 0.0
    walked = _walked(mover, limit)
    room = walked if isinstance(question, Move) else limit
    if bound is not None and bound > room + FITS:
        found.confirmed.append(f"the straight line alone costs {bound:.9g} in, and it has {room:g}")
        why.append("far")
    hidden = [t for t in charging if _hidden(table, mover, table.model(t))]
    goal = question.to if isinstance(question, Move) else _contact(mover, table.model(question.targets[0]))
    straight = audit_path(table, mover.id, [mover.at, goal], charging=charging, stand=mover.prone)
    last = straight.route.legs[-1].surface if straight.route.legs else mover.on
    ends = isinstance(question, Move) and level_of(table, question.on) == last
    if straight.legal and not straight.tests and (ends or charging) and not hidden and not why:
        found.refuted.append(f"the straight way is allowed and costs {straight.cost:.9g} in")
    elif not why and (closed := closed_by(table, question)):
        found.confirmed.append(f"no way leads there at any cost: closed by {', '.join(closed)}")
    elif not why and (closed := closed_by(table, question, walked + FITS)):
        found.confirmed.append(f"no way of {walked:g} in leads there past {listed(closed)}")
    elif not why:
        low = data["claim"]["at_least"]
        said = "" if low is None else f": it is claimed to cost at least {low:.9g} in"
        found.unconfirmed.append(f"that there is no other way{said}")


def _walked(mover: Model, limit: float) -> float:
    """Return the movement left for the way of a model that must stand up first, or crawls, inches."""
    return max(_CRAWL, (mover.move or 0.0) / 2) if mover.prone else limit


def _standing_faults(mover: Model) -> list[str]:
    """Return the reasons why a model may not move at all (MOV.6)."""
    return [
        f"{mover.id} is engaged and may not move (MOV.6)" if mover.engaged else "",
        f"{mover.id} has moved already (MOV.6)" if mover.moved else "",
        "" if mover.may_move else f"{mover.id} is held by an effect (MOV.6)",
    ]


def _hidden(table: Table, looker: Model, target: Model) -> bool:
    """Say whether none of many looks reaches a target; a target that cannot be tried counts as hidden."""
    return _a_look(table, looker, target) is None


def _contact(mover: Model, target: Model) -> tuple[float, float]:
    (x, y), (u, v) = mover.at, target.at
    apart = math.dist(mover.at, target.at)
    share = max(0.0, apart - mover.radius - target.radius) / apart if apart else 0.0
    return (x + share * (u - x), y + share * (v - y))
