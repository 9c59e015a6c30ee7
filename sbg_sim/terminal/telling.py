"""The texts of a session: the turn, the options of models, fights, and trapped models."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import QuestionError
from sbg_sim.phase.turn import Melee, is_chosen
from sbg_sim.table.board import allowance
from sbg_sim.terminal.words import in_words
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.state import Phase
    from sbg_sim.phase.turn_taking import Openings
    from sbg_sim.rules.pairing import Pairings
    from sbg_sim.table.violation import Violation

PATIENCE: Final = 2.0
"""Seconds for which `who` computes the options of models before it only names the rest."""

HELP: Final = """\
gimli charge uruk-1          a charge, at several: gimli charge uruk-1 and uruk-2
gimli to 10 12               a move by the shortest way; on a platform: gimli to 10 12 on scaffold
gimli path 1 1 2 3 4 3       a move along a line you draw, charging whom it ends in contact with
frodo stand | frodo lie | frodo crawl 3 4 stand | frodo stand to 10 12
faramir arrive 0 12 to 3 12  a reinforcement, from a point of the edge
... rolls 4 6                dice you have rolled already; else you are asked for each
who                          who can do what; `who gimli` for one model
why gimli charge uruk-1      why that is allowed or not, and its chance
map                          the table in the terminal; `map gimli` shades where he can go
fights                       who fights whom and who is trapped; `fights pic.png` draws it; `choose 2` a way
deploy 0 12                  can the warband that waits come on there? how, or why not; `delay ranger-1` until next turn
slay uruk-1                  a model is removed, its foe is free
place uruk-1 at 10 12        an effect sets a model down (backing away); `place uruk-1 prone` knocks it down where it is
undo | undo 3                take back what was done last, or the last three
end                          the side has finished; `next` begins the next turn when all have
show | show pic.png          a picture that is drawn anew after every move; `show off`
save game.toml | record | hash | quit
Names may be typed in any case, with their spaces, or by their number on the map: #3"""

_LISTED: Final = 24  # models that get a line each
_WAYS: Final = 12  # ways to pair off that are listed


def turn_told(phase: Phase) -> str:
    """Return the turn, and the side that acts."""
    turn = f"turn {phase.number}: " if phase.past else ""
    if phase.over:
        return f"{turn}the Move phase is over: `next` begins the next turn"
    doing = "brings on its reinforcements" if phase.reinforcing else "moves"
    return f"{turn}{phase.side} {doing}"


def models_told(phase: Phase, width: int) -> str:
    """Name the models that may move, and those that wait outside, without computing their options."""
    movable = phase.movable
    lines = []
    if len(movable) <= _LISTED:
        lines += [_placed(phase, name) for name in movable]
    else:
        names = ", ".join(movable)
        lines += wrapped(f"{len(movable)} models: {names}", width, indent="  ", hang="  ")
    if not movable:
        lines.append("  nobody is left to move: say `end`")
    elif not phase.steps and not phase.past:
        lines.append(
            "  (`who gimli` says what one of them can do, `help` what can be said)".replace("gimli", movable[0])
        )
    if phase.due and not phase.steps:
        lines.append(f"  reinforcements due: {', '.join(_due(phase, name) for name in phase.due)}")
    return "\n".join(lines)


def _due(phase: Phase, name: str) -> str:
    bonus = phase.table.model(name).waited
    return f"{name} (+{bonus} to the roll, REINF.2)" if bonus else name


def _placed(phase: Phase, name: str) -> str:
    model = phase.table.model(name)
    place = "outside" if name in phase.table.off else f"({model.at[0]:g}, {model.at[1]:g})"
    on = f" on {model.on}" if model.on else ""
    state = " prone" if model.prone else ""
    move = "" if model.move is None else f", Move {model.move:g}"
    return f"  {name} at {place}{on}{state}{move}"


def opened(phase: Phase, found: Openings, *, known: bool = True) -> str:
    """Return the options of a model."""
    if found.closed:
        return f"  {found.model}: nothing: {reasons(found.closed)}"
    place = _placed(phase, found.model)
    if not known:
        return f"{place}: say `who {found.model}`"
    charges = [who if chance == 1 else f"{who} ({chance})" for who, chance in found.charges]
    can = f"{', '.join(found.does)}" + (f" {', '.join(charges)}" if charges else "")
    model = phase.table.model(found.model)
    return f"{place if model.move is not None else f'{place}, Move {allowance(model):g}'}: {can}"


def fights_told(phase: Phase) -> str:
    """Return the fights, the choices of the player with Priority, and the trapped models."""
    found = phase.fights()
    if not found.contacts:
        return "nobody fights"
    lines = _chosen_told(found, phase) or _choices_told(found, phase.priority)
    lines += [str(trap) for trap in Melee(phase.table, found).traps if trap.trapped]
    return "\n".join(lines)


def _chosen_told(found: Pairings, phase: Phase) -> list[str]:
    if not phase.chosen:
        return []
    for pairing in found.each():
        if is_chosen(pairing, phase.chosen):
            return [f"{phase.priority} has chosen:", *(f"{' '.join(_sides(f.good, f.evil))}" for f in pairing)]
    return []


def _sides(good: tuple[str, ...], evil: tuple[str, ...]) -> tuple[str, str, str]:
    return ", ".join(good), "against", ", ".join(evil)


def _choices_told(found: Pairings, priority: str) -> list[str]:
    lines = [" ".join(_sides(f.good, f.evil)) for f in found.forced]
    for name, sets in found.choices.items():
        enemies = " or ".join(" and ".join(s) for s in sets)
        lines.append(f"{priority} chooses whether {name} fights {enemies}")
    if found.count > 1:
        forced = set(found.forced)
        for number, pairing in enumerate(itertools.islice(found.each(), _WAYS), 1):
            open_ones = [" ".join(_sides(f.good, f.evil)) for f in pairing if f not in forced]
            lines.append(f"way {number} of {found.count} (`choose {number}`): {'; '.join(open_ones)}")
        if found.count > _WAYS:
            lines.append(f"and {found.count - _WAYS} more ways")
    return lines


def reasons(violations: tuple[Violation, ...]) -> str:
    """Return the reasons why something is not allowed, each with its rule id."""
    return "; ".join(f"{v.reason} ({v.rule})" for v in violations)


def deploy_told(phase: Phase, point: Point) -> str:
    """Return moves by which the waiting warband can come on from a point of the edge."""
    from sbg_sim.phase.deploy import deploy
    from sbg_sim.phase.turn_taking import warband

    waiting = [phase.table.model(name) for name in phase.waiting]
    if not waiting:
        whose = f" of {phase.side}" if phase.side else ""
        raise QuestionError(f"nobody{whose} waits outside the table")
    band = [m.id for m in waiting if warband(m) == warband(waiting[0])]
    found = deploy(phase.table, band, point)
    later = "; say `delay`, and they may try again next turn with +1 to the roll (REINF.2)" if found.bonus else ""
    return "\n".join((f"{found.answer}: {found.reason}{later}", *(in_words(move) for move in found.moves)))


def record_told(phase: Phase) -> str:
    """Return the moves of all turns, in words that can be typed."""
    lines = []
    turns = [(turn.number, turn.steps) for turn in phase.past]
    for number, steps in (*turns, (phase.number, phase.steps)):
        lines += [f"turn {number}"] if turns else []
        lines += [in_words(step.move) for step in steps]
    return "\n".join(lines) or "no move has been made"


def who_told(phase: Phase, names: Sequence[str]) -> str:
    """Return the options of the named models, or of all that may move, as far as the time allows."""
    from sbg_sim.phase.turn_taking import Openings, open_moves

    if names:
        return "\n".join(opened(phase, open_moves(phase, name)) for name in names)
    lines, began = [turn_told(phase)], time.monotonic()
    for name in phase.movable:
        late = time.monotonic() - began > PATIENCE
        found = Openings(name) if late else open_moves(phase, name)
        lines.append(opened(phase, found, known=not late))
    return "\n".join(lines)
