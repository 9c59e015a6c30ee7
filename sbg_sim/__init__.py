"""The Move phase of the Middle-earth Strategy Battle Game as exact geometry.

A table is a value: load one from a file, or make one here. Lengths are inches, or strings with a unit.

>>> import sbg_sim as sbg
>>> table = sbg.Table(24, 24, models={
...     "lurtz": {"at": [6, 12], "base": "25 mm", "height": 1.5, "move": 6, "side": "evil"},
...     "merry": {"at": [12, 12], "base": "25 mm", "height": 1, "move": 4, "side": "good"},
... })

Ask it a question; the answer has a cost with proven bounds, a route, the rules that decided, and a sentence.

>>> verdict = sbg.check(table, sbg.Charge("lurtz", "merry"))
>>> verdict.answer, round(verdict.needed, 4), verdict.margin > 0
('yes', 5.0157, True)
>>> verdict.reason
'lurtz into merry: yes, 5.0157 of 6 in, 0.9843 in to spare'

Ask for everything at once: where a model can end, and whom it can charge.

>>> reach = sbg.reach(table, "lurtz")          # reach.area and reach.swept are shapely geometries
>>> float(reach.distance([6, 15]))             # the least cost of ending there
3.0
>>> [entry.target for entry in sbg.charges(table, "lurtz")]
['merry']

Tables never change; a change gives another one, looked at as closely as a file is.

>>> further = table.having("merry", at=(14, 12))
>>> sbg.check(further, sbg.Charge("lurtz", "merry")).answer
'no'

====================  ============================================================================================
Table, Model          what stands on a table; `Terrain` of `circle`, `line` or `polygon`; `inches` reads lengths
load, loads, dump     a table from a file, from text, and as text (`sbg_sim.scenario` says read, read_text, write)
check                 one question answered (`sbg_sim.solver.answer` says ask); the command of this name answers every
                      question of a file and compares the answers with what the file expects
Move, Charge          questions, with `Sight`, `Measure`, `Gap` and `ReachOf`; the id of one in the file does as well
certainty             whether an answer holds for every placement within a doubt; `check` looks at that of the table
reach, charges        where a model can end its move; whom it can charge, at what cost, where, and why not
denials               how much of the reach each enemy's Control Zone takes away
doubt                 how often the answer is yes when positions are as measured, give or take
flips                 what would have to be off for an answer to be otherwise, by how much and in which direction
rulings               the answer under every reading of the rules in play
threats, safe         where a side can charge next turn; where a model is out of it
screen                the fewest friends that keep it so, and where they stand
audit, verify         a route, and a certificate of an answer, judged without the solver
simulate              one question played with dice, many times, beside its exact chance
sweep, campaign       an answer for many values of a number; how many turns a goal takes
Phase, replay         the Move phase played: moves that are legal, and why others are not
plot, save, svg       a picture of any of these, as a file, as text; in a notebook they show themselves
animate, explore      a film of a move or a phase; a reach that follows the mouse in a notebook
RULES, RULINGS        every rule by its id; the rules that can be read in two ways
====================  ============================================================================================

What is wrong with a table or a question is an `SbgError` that says what would be right. The site in ``docs/`` has a
tutorial, how-to pages and the format of files; ``sbg-sim --help`` lists the commands.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

# Not from `typing`: the less is loaded before the command can hear Ctrl-C, the better.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Final

    from sbg_sim.certificate import Findings, verify
    from sbg_sim.contested.certain import Certainty, certainty, check
    from sbg_sim.contested.charges import charges
    from sbg_sim.contested.doubt import Doubt, doubt
    from sbg_sim.contested.flips import Flips, flips
    from sbg_sim.contested.rulings import Readings, rulings
    from sbg_sim.errors import (
        Fault,
        FileFaultsError,
        LengthError,
        MissingPackageError,
        QuestionError,
        SbgError,
        UnknownNameError,
    )
    from sbg_sim.geometry.shapes import Shape, circle, line, polygon
    from sbg_sim.phase import IllegalMoveError as IllegalMoveError
    from sbg_sim.phase import Phase as Phase
    from sbg_sim.phase import replay as replay
    from sbg_sim.plot import animate, explore, plot, save, svg
    from sbg_sim.referee import Audit, audit
    from sbg_sim.rules.book import RULES, Rule
    from sbg_sim.scenario.files import read as load
    from sbg_sim.scenario.files import read_text as loads
    from sbg_sim.scenario.write import write as dump
    from sbg_sim.simulate import campaign as campaign
    from sbg_sim.simulate import simulate as simulate
    from sbg_sim.simulate import sweep as sweep
    from sbg_sim.solver.charges import ChargeEntry, ChargeList
    from sbg_sim.solver.denials import DenialList, denials
    from sbg_sim.solver.reach import reach
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Asked, Charge, Gap, Measure, Move, ReachOf, Sight
    from sbg_sim.table.route import Leg, Route
    from sbg_sim.table.rulings import RULINGS, Rulings
    from sbg_sim.table.terrain import Terrain
    from sbg_sim.table.violation import Violation
    from sbg_sim.threats import SafeGround, Screen, Threats, safe, screen, threats
    from sbg_sim.units import inches

__version__ = "0.1.0"


_PLACES: Final = {
    "certificate": ("Findings", "verify"),
    "contested.certain": ("Certainty", "certainty", "check"),
    "contested.charges": ("charges",),
    "contested.doubt": ("Doubt", "doubt"),
    "contested.flips": ("Flips", "flips"),
    "contested.rulings": ("Readings", "rulings"),
    "errors": (
        "Fault",
        "FileFaultsError",
        "LengthError",
        "MissingPackageError",
        "QuestionError",
        "SbgError",
        "UnknownNameError",
    ),
    "geometry.shapes": ("Shape", "circle", "line", "polygon"),
    "plot": ("animate", "explore", "plot", "save", "svg"),
    "phase": ("IllegalMoveError", "Phase", "replay"),
    "referee": ("Audit", "audit"),
    "rules.book": ("RULES", "Rule"),
    "scenario": ("load=read", "loads=read_text", "dump=write"),
    "simulate": ("campaign", "simulate", "sweep"),
    "solver.charges": ("ChargeEntry", "ChargeList"),
    "solver.denials": ("DenialList", "denials"),
    "solver.reach": ("reach",),
    "solver.reach_areas": ("Reach",),
    "solver.verdict": ("Verdict",),
    "table.board": ("Table",),
    "table.models": ("Model",),
    "table.questions": ("Asked", "Charge", "Gap", "Measure", "Move", "ReachOf", "Sight"),
    "table.route": ("Leg", "Route"),
    "table.rulings": ("RULINGS", "Rulings"),
    "table.terrain": ("Terrain",),
    "table.violation": ("Violation",),
    "units": ("inches",),
    "threats": ("SafeGround", "Screen", "Threats", "safe", "screen", "threats"),
}
"""Where each public name is found, and under which name when it is another: loaded when first asked for, so that
the command line answers at once and can be interrupted cleanly."""

_FOUND: Final = {
    public: (room, inner or public)
    for room, names in _PLACES.items()
    for public, _, inner in (name.partition("=") for name in names)
}


_GUESSED: Final = {
    "ask": "check",
    "read": "load",
    "open": "load",
    "read_text": "loads",
    "write": "dump",
    "dumps": "dump",
    "draw": "plot",
    "show": "plot",
    "replays": "replay",
    "monte_carlo": "simulate",
    "film": "animate",
}
"""Names that other packages give to what has another name here."""


def __getattr__(name: str) -> Any:
    if name not in _FOUND:
        meant = f"; it is called `{_GUESSED[name]}` here" if name in _GUESSED else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}", name=name)
    room, inner = _FOUND[name]
    value = getattr(import_module(f"{__name__}.{room}"), inner)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__all__", "__doc__", "__version__"]


class _FrontDoor(ModuleType):
    """The package itself: where a room and a function share a name (``plot``, ``simulate``), it means the function.

    Importing a room sets it on the package; that must not take the function's place.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in _FOUND):
            super().__setattr__(name, value)


# The way that Python's reference names for this ("Customizing module attribute access"). The other way would be rooms
# called otherwise than what they do; `__getattr__` alone is not asked about a name that an import has set.
sys.modules[__name__].__class__ = _FrontDoor


__all__ = [
    "RULES",
    "RULINGS",
    "Asked",
    "Audit",
    "Certainty",
    "Charge",
    "ChargeEntry",
    "ChargeList",
    "DenialList",
    "Doubt",
    "Fault",
    "FileFaultsError",
    "Findings",
    "Flips",
    "Gap",
    "IllegalMoveError",
    "Leg",
    "LengthError",
    "Measure",
    "MissingPackageError",
    "Model",
    "Move",
    "Phase",
    "QuestionError",
    "Reach",
    "ReachOf",
    "Readings",
    "Route",
    "Rule",
    "Rulings",
    "SafeGround",
    "SbgError",
    "Screen",
    "Shape",
    "Sight",
    "Table",
    "Terrain",
    "Threats",
    "UnknownNameError",
    "Verdict",
    "Violation",
    "animate",
    "audit",
    "campaign",
    "certainty",
    "charges",
    "check",
    "circle",
    "denials",
    "doubt",
    "dump",
    "explore",
    "flips",
    "inches",
    "line",
    "load",
    "loads",
    "plot",
    "polygon",
    "reach",
    "replay",
    "rulings",
    "safe",
    "save",
    "screen",
    "simulate",
    "svg",
    "sweep",
    "threats",
    "verify",
]
