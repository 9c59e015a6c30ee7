"""The desk of one answering process: its current table, and a verb for every question."""

from __future__ import annotations

import json
import sys
import traceback
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import shapely
import tomli_w

from sbg_sim import document, report, scenario
from sbg_sim.errors import Fault, FileFaultsError, QuestionError
from sbg_sim.web import asked, moving, play
from sbg_sim.web.arcs import circles_of, outline_path
from sbg_sim.web.drawing import area_path, contact_path
from sbg_sim.web.limits import refuse_crowds
from sbg_sim.web.scene import fault_json, scene

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from sbg_sim.solver.field.cost_field import CostField
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.board import Table

_EYE: Final = 2e-2  # inches by which an outline may be off during a drag: a third of a pixel of a whole table
_KEPT: Final = 4  # tables and reaches remembered
_WARM: Final = """
[table]
width = 8
depth = 8
[models.a]
base = 1
at = [2, 2]
height = 1
move = 3
side = "good"
[models.b]
base = 1
at = [4, 4]
height = 1
move = 3
side = "evil"
"""


def _rings(regions: Sequence[tuple[Fraction, shapely.Geometry]]) -> list[dict[str, Any]]:
    """Return areas by chance, the smallest first, each drawn without the better ones in it, with its whole area."""
    rows: list[dict[str, Any]] = []
    better: shapely.Geometry = shapely.Polygon()
    for chance, region in regions:
        ring = shapely.difference(region, better)
        better = shapely.union(better, region)
        rows.append({"chance": report.fraction(chance), "d": area_path(ring), "area": report.number(region.area)})
    return rows[::-1]


class Desk:
    """Answers messages: a verb, a line break, and JSON."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.faults: tuple[Fault, ...] = ()
        self._read: OrderedDict[str, Table] = OrderedDict()
        self._reaches: OrderedDict[str, Reach] = OrderedDict()
        self._contacts: OrderedDict[tuple[str, str], CostField | None] = OrderedDict()
        self.played = play.Played()

    def warm(self) -> None:
        """Import and compute in advance what would delay the first question."""
        from sbg_sim.solver.charges import charges
        from sbg_sim.solver.reach import reach

        table = asked.table_of(_WARM)
        charges(table, "a")
        _ = reach(table, "a").area
        moving.held(reach(table, "a"), (3.0, 3.0), snap=True, settled=True)

    def answer(self, message: bytes) -> tuple[int, bytes]:
        """Return the HTTP status and the JSON that answer a message; it never raises."""
        verb, _, body = message.partition(b"\n")
        try:
            act = self._action(verb.decode())
            return 200, json.dumps(act(asked.asked_of(body)), allow_nan=False, default=str).encode()
        except Exception as error:  # noqa: BLE001 - one bad question must not end the process
            known = asked.refusal(error)
            if known is None:
                traceback.print_exc(file=sys.stderr)
                known = 500, {"error": f"this should not have happened: {type(error).__name__}: {error}"}
            return known[0], json.dumps(known[1]).encode()

    def _action(self, verb: str) -> Callable[[dict[str, Any]], Any]:
        found: Callable[[dict[str, Any]], Any] | None = getattr(self, f"do_{verb}", None)
        if found is None:
            raise QuestionError(f"nobody knows how to {verb:.60}")
        return found

    # -- without a page ---------------------------------------------------------------------------------------

    def do_check(self, data: dict[str, Any]) -> Any:
        """Answer questions of a table."""
        return asked.check(data, self.read)

    def do_reach(self, data: dict[str, Any]) -> Any:
        """Return where a model can end its move."""
        from sbg_sim.solver.reach import reach

        table = self.read(asked.text_of(data))
        return report.reach_json(reach(table, asked.model_of(data, table)))

    def do_charges(self, data: dict[str, Any]) -> Any:
        """List the enemies of a model."""
        from sbg_sim.contested.charges import charges

        table = self.read(asked.text_of(data))
        return report.charges_json(charges(table, asked.model_of(data, table)))

    def read(self, text: str) -> Table:
        """Return the table of a text, from a cache of the last few."""
        if text not in self._read:
            self._read[text] = asked.table_of(text)
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
        return self._read[text]

    # -- for a page ---------------------------------------------------------------------------------------------

    def do_show(self, data: dict[str, Any]) -> Any:
        """Put a table on the desk, from text or from the plain data of a file, and return its scene."""
        text = data.get("text")
        if text is None:
            text = tomli_w.dumps(_without_null(asked.data_of(data)))
        elif not isinstance(text, str):
            raise QuestionError("text must be the text of a table")
        self.table, self.faults = None, ()
        self._reaches.clear()
        self._contacts.clear()
        self.played = play.Played()
        source = document.parse(text, "table")
        if "game" in source.data:
            raise FileFaultsError((source.fault(("game",), "is a board game's file; the page shows tables"),))
        table, faults = scenario.examined(source)
        refuse_crowds(table)
        self.table, self.faults = table, faults
        return {
            "text": text,
            "data": source.data if "text" in data else None,
            "scene": scene(table, faulty=bool(faults)),
            "faults": [fault_json(f) for f in faults],
        }

    def sound(self) -> Table:
        """Return the table on the desk; FileFaultsError if it has faults, as it is then asked nothing."""
        if self.table is None:
            raise QuestionError("there is no table")
        if self.faults:
            raise FileFaultsError(self.faults)
        return self.table

    def _reach(self, model: str) -> Reach:
        from sbg_sim.solver.reach import reach

        if model not in self._reaches:
            self._reaches[model] = reach(self.sound(), model)
            while len(self._reaches) > _KEPT:
                self._reaches.popitem(last=False)
        return self._reaches[model]

    def do_outline(self, data: dict[str, Any]) -> Any:
        """Draw where a model can end its move, by chance."""
        table = self.sound()
        found = self._reach(asked.model_of(data, table))
        return {"model": found.model, **outline(found)}

    def do_chances(self, data: dict[str, Any]) -> Any:
        """Draw where a model can end its move only with dice, and on other surfaces."""
        found = self._reach(asked.model_of(data, self.sound()))
        return {
            "model": found.model,
            "regions": [row for row in _rings(found.regions) if row["chance"] != "1/1"],
            "platforms": [{"on": on or "", **row} for on, rows in found.platforms.items() for row in _rings(rows)],
        }

    def do_contours(self, data: dict[str, Any]) -> Any:
        """Draw the areas that a model reaches with each further inch of its Move."""
        from sbg_sim.solver.reach import reach

        table = self.sound()
        name = asked.model_of(data, table)
        whole = self._reach(name)
        steps = [float(n) for n in range(1, int(whole.limit) + 1) if n < whole.limit]
        offset = whole.offset
        return {
            "model": name,
            "contours": [
                {
                    "cost": step + offset,
                    "d": area_path(
                        reach(table.with_model(replace(table.model(name), prone=False, move=step)), name).area
                    ),
                }
                for step in steps[:24]
            ],
        }

    def do_held(self, data: dict[str, Any]) -> Any:
        """Judge a model held over a place."""
        found = self._reach(asked.model_of(data, self.sound()))
        at = asked.place_of(data, "at")
        settled, snap = bool(data.get("settled")), bool(data.get("snap", True))
        return moving.held(found, at, snap=snap, settled=settled, contact=lambda enemy: self._contact(found, enemy))

    def _contact(self, found: Reach, enemy: str) -> CostField | None:
        """Return the costs of ending in contact with an enemy's base, from a cache of the last few."""
        from sbg_sim.solver.arcs import contact_costs

        key = (found.model, enemy)
        if key not in self._contacts:
            costs = contact_costs(found.table, found.mover, found.table.model(enemy))
            self._contacts[key] = costs[0] if costs else None
            while len(self._contacts) > _KEPT:
                self._contacts.popitem(last=False)
        return self._contacts[key]

    def do_placed(self, data: dict[str, Any]) -> Any:
        """Draw the reach that a model would have at a place, and return the faults of standing there.

        While the pointer moves (not ``settled``) the outline is only exact to the eye, and the area is left out.
        """
        from sbg_sim.solver.reach import reach

        if self.table is None:
            raise QuestionError("there is no table")
        table = self.table  # even with faults, which are corrected by placing things elsewhere
        name, at = asked.model_of(data, table), asked.place_of(data, "at")
        mover = table.model(name)
        surface = moving.surfaces_at(table, mover, at)[0]
        there = table.with_model(replace(mover, at=at, on=surface, engaged=frozenset()))
        wrong = moving.placing_faults(there, there.model(name))
        base = {"model": name, "at": list(at), "on": there.model(name).on, "faults": wrong}
        if wrong or there.model(name).move is None:
            return base
        found = reach(there, name)
        if data.get("settled"):
            return {**base, **outline(found)}
        return {**base, "d": outline_path(found.sketch(_EYE), circles_of(found), _EYE)}

    def do_near(self, data: dict[str, Any]) -> Any:
        """Judge the charges at all enemies in range, and draw the parts of their bases where they can end."""
        from sbg_sim.contested.charges import charges

        table = self.sound()
        name = asked.model_of(data, table)
        most = table.model(name).move or 0.0
        return {
            "model": name,
            "entries": [
                {
                    "target": entry.target,
                    "binds": list(entry.binds),
                    "arcs": [
                        {"chance": report.fraction(chance), "d": _arcs(table, entry.target, arcs)}
                        for chance, arcs in entry.by_chance
                    ],
                    **moving.drawn(entry.verdict),
                }
                for entry in charges(table, name, within=most).entries
            ],
        }

    def do_denies(self, data: dict[str, Any]) -> Any:
        """Return and draw the ground that each enemy's zone denies."""
        from sbg_sim.solver.denials import denials

        found = denials(self.sound(), asked.model_of(data, self.sound()))
        rows = zip(report.denials_json(found), found.entries, strict=True)
        return {"model": found.model, "entries": [{**row, "d": area_path(entry.region)} for row, entry in rows]}

    def do_threats(self, data: dict[str, Any]) -> Any:
        """Draw the ground that a side can cover next turn, and list its charges."""
        from sbg_sim.threats import threats

        found = threats(self.sound(), str(data.get("side")))
        return {
            **found.as_json(),
            "regions": [{"chance": report.fraction(c), "d": area_path(area)} for c, area in reversed(found.regions)],
            "levels": [{"models": count, "d": area_path(area)} for count, area in found.levels],
        }

    def do_safe(self, data: dict[str, Any]) -> Any:
        """Draw where a model can end its move so that no enemy can charge it next turn."""
        from sbg_sim.threats import safe

        found = safe(self.sound(), asked.model_of(data, self.sound()))
        levels = [{"on": level.surface or "", "d": area_path(level.by_chance[-1][1])} for level in found.levels[1:]]
        return {**found.as_json(), "d": area_path(found.area), "levels": levels}

    def do_written(self, data: dict[str, Any]) -> Any:
        """Write the data of the page into an existing text, and keep comments and layout."""
        from sbg_sim.web.writing import merged

        return {"text": merged(str(data.get("text", "")), _without_null(asked.data_of(data)))}

    def do_standing(self, _: dict[str, Any]) -> Any:
        """Write the current table of the phase that is played, without its record."""
        return {"text": scenario.write(self.sound())}

    def do_ask(self, data: dict[str, Any]) -> Any:
        """Answer a question of the file, or one asked by the page."""
        from sbg_sim.contested.certain import check as ask

        table = self.sound()
        wanted = data.get("question")
        verdict = ask(table, wanted if isinstance(wanted, str) else asked.question_of(wanted))
        found = moving.drawn(verdict)
        line = verdict.sightline
        return {**found, "line": None if line is None else [list(p) for p in line], "hidden": list(verdict.hidden_by)}

    def do_drop(self, data: dict[str, Any]) -> Any:
        """Carry out a move on the table, in any side's turn, with the dice that it takes."""
        return play.dropped(self.sound(), data)

    def do_play(self, data: dict[str, Any]) -> Any:
        """Play a Move phase by a list of actions, and put the resulting table on the desk."""
        if self.played.start is None:
            self.played.start = self.sound()
        found = self.played.go_on(data)
        self.table = self.played.table
        self._reaches.clear()
        self._contacts.clear()
        return found

    def do_picture(self, data: dict[str, Any]) -> Any:
        """Draw the table, or the answer to a question, as the command line does."""
        return play.picture(self.sound(), data)

    def do_sheet(self, data: dict[str, Any]) -> Any:
        """Return the sheet about one question."""
        return play.sheet(self.sound(), data)


def outline(found: Reach) -> dict[str, Any]:
    """Draw where a model can certainly end its move."""
    return {
        "d": outline_path(found.area, circles_of(found)),
        "area": report.number(found.area.area),
        "allowance": report.number(found.allowance),
        "blocked": list(found.blocked),
    }


def _arcs(table: Table, target: str, arcs: Sequence[tuple[float, float]]) -> str:
    enemy = table.model(target)
    return contact_path(enemy.at, enemy.radius, arcs)


def _without_null(value: Any) -> Any:
    """Leave out null values: TOML has none, and the page empties fields by them."""
    if isinstance(value, dict):
        return {key: _without_null(v) for key, v in value.items() if v is not None}
    if isinstance(value, list) and None in value:
        raise QuestionError("data holds null among the entries of an array, which no table has")
    return [_without_null(v) for v in value] if isinstance(value, list) else value
