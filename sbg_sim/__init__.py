"""The Move phase of the Middle-earth Strategy Battle Game as exact geometry.

>>> import sbg_sim as sbg
>>> table = sbg.load("scenarios/movement-2.toml")  # doctest: +SKIP
>>> sbg.check(table, "round-the-wall").answer  # doctest: +SKIP
'yes'
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sbg_sim.errors import Fault, FileFaultsError, QuestionError, SbgError, UnknownNameError
    from sbg_sim.geometry.shapes import Shape, circle, line, polygon
    from sbg_sim.phase import Phase as Phase
    from sbg_sim.plot import animate, plot, save, svg
    from sbg_sim.scenario.files import read as load
    from sbg_sim.scenario.write import write as dump
    from sbg_sim.simulate import campaign as campaign
    from sbg_sim.simulate import simulate as simulate
    from sbg_sim.simulate import sweep as sweep
    from sbg_sim.solver.answer import ask as check
    from sbg_sim.solver.charges import ChargeList, charges
    from sbg_sim.solver.denials import DenialList, denials
    from sbg_sim.solver.reach import Reach, reach
    from sbg_sim.solver.verdict import Verdict, Violation
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
    from sbg_sim.table.rulings import RULINGS, Rulings
    from sbg_sim.table.terrain import Terrain

__version__ = "0.1.0"


_PLACES: Final = {
    "errors": ("Fault", "FileFaultsError", "QuestionError", "SbgError", "UnknownNameError"),
    "geometry.shapes": ("Shape", "circle", "line", "polygon"),
    "phase": ("Phase",),
    "plot": ("animate", "plot", "save", "svg"),
    "scenario": ("load=read", "dump=write"),
    "simulate": ("campaign", "simulate", "sweep"),
    "solver.answer": ("check=ask",),
    "solver.charges": ("ChargeList", "charges"),
    "solver.denials": ("DenialList", "denials"),
    "solver.reach": ("Reach", "reach"),
    "solver.verdict": ("Verdict", "Violation"),
    "table.board": ("Table",),
    "table.models": ("Model",),
    "table.questions": ("Charge", "Gap", "Measure", "Move", "ReachOf", "Sight"),
    "table.rulings": ("RULINGS", "Rulings"),
    "table.terrain": ("Terrain",),
}
"""Where each public name is found, and under which name when it is another: loaded when first asked for, so that
the command line answers at once and can be interrupted cleanly."""

_FOUND: Final = {
    public: (room, inner or public)
    for room, names in _PLACES.items()
    for public, _, inner in (name.partition("=") for name in names)
}


def __getattr__(name: str) -> Any:
    if name not in _FOUND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room, inner = _FOUND[name]
    value = getattr(import_module(f"{__name__}.{room}"), inner)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_FOUND})


class _FrontDoor(ModuleType):
    """The package itself: where a room and a function share a name (``plot``, ``simulate``), it means the function.

    Importing a room sets it on the package; that must not take the function's place.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in _FOUND):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _FrontDoor


__all__ = [
    "RULINGS",
    "Charge",
    "ChargeList",
    "DenialList",
    "Fault",
    "FileFaultsError",
    "Gap",
    "Measure",
    "Model",
    "Move",
    "QuestionError",
    "Reach",
    "ReachOf",
    "Rulings",
    "SbgError",
    "Shape",
    "Sight",
    "Table",
    "Terrain",
    "UnknownNameError",
    "Verdict",
    "Violation",
    "animate",
    "charges",
    "check",
    "circle",
    "denials",
    "dump",
    "line",
    "load",
    "plot",
    "polygon",
    "reach",
    "save",
    "svg",
]
