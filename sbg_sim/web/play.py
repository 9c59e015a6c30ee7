"""The page's actions: carry out a move, play a Move phase, draw a picture."""

from __future__ import annotations

import base64
import itertools
import json
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import QuestionError
from sbg_sim.web import asked
from sbg_sim.web.drawing import route_paths
from sbg_sim.web.openapi import openapi
from sbg_sim.web.scene import scene

if TYPE_CHECKING:
    from sbg_sim.phase.state import Phase
    from sbg_sim.phase.turn import Step
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord
    from sbg_sim.table.route import Test


class DieNeededError(Exception):
    """No die has been given for a test.

    Parameters
    ----------
    test
        The test.

    """

    def __init__(self, test: Test) -> None:
        self.test = test
        super().__init__(test.kind)


class _Dice:
    """Dice given beforehand; DieNeededError for the first that is missing."""

    def __init__(self, rolls: tuple[int, ...]) -> None:
        self.left = list(rolls)

    def __call__(self, test: Test) -> int:
        if not self.left:
            raise DieNeededError(test)
        return self.left.pop(0)


def record_of(data: Any) -> MoveRecord:
    """Return the move of an object with the keys of ``[[moves]]``.

    Raises
    ------
    QuestionError
        When the object is no move.

    """
    from sbg_sim.scenario.build import entry_of

    return entry_of(data if isinstance(data, dict) else {})


def dropped(table: Table, data: dict[str, Any]) -> dict[str, Any]:
    """Carry out a move on a table; return its changes, the first die that it lacks, or why it is not allowed."""
    from sbg_sim.phase.legality import judge
    from sbg_sim.phase.play import played

    move = record_of(data.get("move"))
    judged = judge(table, move)
    if judged.violations:
        return {"refused": _violations(judged.violations)}
    try:
        step, after = played(table, judged, _Dice(move.rolls))
    except DieNeededError as needed:
        return {"needs": _needed(needed.test)}
    changes = {
        name: {
            "at": list(m.at),
            "on": m.on,
            "prone": m.prone or None,
            "climbed": m.climbed or None,
            "engaged": sorted(m.engaged) or None,
        }
        for name, m in after.models.items()
        if m != table.models[name]
    }
    return {"changes": changes, "step": step_json(step)}


def _needed(test: Test) -> dict[str, Any]:
    return {"kind": test.kind, "what": test.named, "results": dict(test.results), "rule": test.rule}


def _violations(found: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [{"rule": v.rule, "reason": v.reason, "place": v.place and list(v.place), "blame": v.blame} for v in found]


def step_json(step: Step) -> dict[str, Any]:
    """Return a step with its way as path data."""
    way, _ = route_paths(step.route, float("inf"))
    return {**step.as_json(), "way": way}


class Played:
    """A Move phase, stored with its actions, so that taking back is cheap."""

    def __init__(self) -> None:
        self.start: Table | None = None
        self.table: Table | None = None
        self._known: dict[str, Phase] = {}

    def go_on(self, data: dict[str, Any]) -> dict[str, Any]:
        """Do all ``actions`` and return the state of the phase; with ``resume`` they follow the file's own record.

        An action is ``{"move": {...}}``, ``{"end": true}``, ``{"slay": id}``, ``{"choose": [[id, ...], ...]}`` (the
        fights, once the phase is over) or ``{"next": side}`` (the next turn, and who moves first in it). If the last
        one is not allowed, or lacks a die, the phase is as before it, and the answer gives the reason or the die.
        """
        from sbg_sim.phase import IllegalMoveError, Phase
        from sbg_sim.phase.record import resumed

        assert self.start is not None
        actions = data.get("actions")
        if not isinstance(actions, list):
            raise QuestionError("actions must be a list of what has been done")
        resume = bool(data.get("resume"))
        keys = [json.dumps([data.get("priority"), resume])]
        phase = self._known.get(keys[0])
        if phase is None:
            phase = resumed(self.start) if resume else Phase.begin(self.start, data.get("priority"))
            self._known[keys[0]] = phase
        extra: dict[str, Any] = {}
        done = 0
        for action in actions:
            key = keys[-1] + json.dumps(action, sort_keys=True)
            try:
                phase = self._known[key] if key in self._known else _acted(phase, action)
            except IllegalMoveError as error:
                extra = {"refused": _violations(error.violations)}
                break
            except DieNeededError as needed:
                extra = {"needs": _needed(needed.test)}
                break
            self._known[key] = phase
            keys.append(key)
            done += 1
        self.table = phase.table
        return {"done": done, **extra, **state(phase)}


ACTIONS: Final = ("move", "end", "slay", "choose", "next")
OFFERED: Final = 24
"""Ways to pair off that the page offers, at most; there can be very many more."""


def _acted(phase: Phase, action: Any) -> Phase:
    if not isinstance(action, dict) or len(action) != 1:
        raise QuestionError(f"an action is one of {', '.join(ACTIONS)}")
    ((verb, value),) = action.items()
    if verb == "move":
        move = record_of(value)
        return phase.push(move, _Dice(move.rolls))
    if verb == "end":
        return phase.end()
    if verb == "slay":
        return phase.slain(str(value))
    if verb == "choose":
        if not isinstance(value, list) or not all(isinstance(fight, list) for fight in value):
            raise QuestionError("choose takes a list of fights, each a list of ids")
        return phase.choose([[str(name) for name in fight] for fight in value])
    if verb == "next":
        return phase.next(str(value))
    raise QuestionError(f"{verb} is no action; there are {', '.join(ACTIONS)}")


def state(phase: Phase) -> dict[str, Any]:
    """Return the state of a phase: its turn, the models that may move, the steps so far, the fights."""
    from sbg_sim.scenario import write

    fights = phase.fights()
    return {
        "scene": scene(phase.table),
        "over": phase.over,
        "side": phase.side,
        "priority": phase.priority,
        "reinforcing": phase.reinforcing,
        "movable": list(phase.movable),
        "waiting": list(phase.waiting),
        "entries": {name: list(point) for name in phase.waiting if (point := phase.entry(name)) is not None},
        "steps": [step_json(step) for step in phase.steps],
        "forced": [[list(f.good), list(f.evil)] for f in fights.forced],
        "choices": {name: [list(s) for s in sets] for name, sets in fights.choices.items()},
        "pairings": fights.count,
        "ways": [[[*f.good, *f.evil] for f in way] for way in itertools.islice(fights.each(), OFFERED)],
        "chosen": [list(fight) for fight in phase.chosen],
        "number": phase.number,
        "text": write(phase.record()),
        "hash": phase.hash,
    }


def picture(table: Table, data: dict[str, Any]) -> dict[str, Any]:
    """Draw the table, a reach, or the answer to a question as an SVG or PNG file."""
    from sbg_sim.plot import render
    from sbg_sim.solver.answer import ask
    from sbg_sim.solver.reach import reach
    from sbg_sim.table.questions import ReachOf

    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in {"svg", "png"}:
        raise QuestionError("kind must be svg or png")
    wanted = data.get("question")
    thing: Any = table
    if wanted is not None:
        question = table.asked(wanted).question if isinstance(wanted, str) else asked.question_of(wanted)
        thing = reach(table, question.model) if isinstance(question, ReachOf) else ask(table, question)
    return {"kind": kind, "bytes": base64.b64encode(render(thing, kind)).decode()}


def sheet(table: Table, data: dict[str, Any]) -> dict[str, Any]:
    """Return the sheet about one question, as ``check --report`` writes it."""
    from sbg_sim.sheet import sheet as laid_out
    from sbg_sim.solver.answer import ask

    wanted = data.get("question")
    verdict = ask(table, wanted if isinstance(wanted, str) else asked.question_of(wanted))
    content = laid_out(verdict, ".html", file=table.title, version=f"sbg_sim {openapi()['info']['version']}")
    return {"kind": "html", "bytes": base64.b64encode(content).decode()}
