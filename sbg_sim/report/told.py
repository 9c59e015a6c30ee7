"""Every result as the JSON of the command line, and lists of results as data frames."""

from __future__ import annotations

from typing import Any

from sbg_sim.errors import MissingPackageError
from sbg_sim.phase import Phase, Replay
from sbg_sim.report import lists, verdicts
from sbg_sim.report.legs import as_legs
from sbg_sim.scenario.write import as_data
from sbg_sim.solver.charges import ChargeList
from sbg_sim.solver.denials import DenialList
from sbg_sim.solver.reach_areas import Reach
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import Table
from sbg_sim.table.route import Route
from sbg_sim.threats import Screen

_COLUMNS = (
    "target", "answer", "needed", "at_least", "at_most", "allowance", "margin", "chance", "chance_value", "binds",
    "rules", "rulings", "reason",
)  # fmt: skip


def as_json(result: Any) -> Any:
    """Return a result as the plain data that the command line prints.

    Raises
    ------
    TypeError
        For an object that is no result.

    """
    match result:
        case Verdict():
            return verdicts.as_json(result)
        case Route():
            return as_legs(result)
        case Reach():
            return lists.reach_json(result)
        case ChargeList():
            return lists.charges_json(result)
        case DenialList():
            return lists.denials_json(result)
        case Table():
            return as_data(result)
        case Phase():
            steps = (*(step for turn in result.past for step in turn.steps), *result.steps)
            told = Replay(result.start or result.table, result, steps, result.fights(), result.chosen)
            return {"side": None if result.over else result.side, **told.as_json()}
        case Screen():
            places = result.places
            return {
                "model": result.model,
                "places": None
                if places is None
                else [
                    {"model": name, "at": verdicts.place(at), "on": on}
                    for (name, at), on in zip(places, result.levels, strict=True)
                ],
                "through": [
                    {"enemy": getattr(verdict.question, "model", None), **verdicts.as_json(verdict)}
                    for verdict in result.through
                ],
                "tried": result.tried,
            }
    raise TypeError(f"a {type(result).__name__} has no JSON of its own")


def frame(result: Any) -> Any:
    """Return a list of charges or denials, or a sweep, as a pandas DataFrame with a row for each entry.

    Raises
    ------
    MissingPackageError
        When pandas is not installed.

    """
    try:
        import pandas as pd
    except ImportError:
        raise MissingPackageError("pandas is not installed: pip install 'sbg_sim[frames]'") from None
    if isinstance(result, ChargeList):
        return pd.DataFrame([{key: row[key] for key in _COLUMNS} for row in as_json(result)], columns=list(_COLUMNS))
    if isinstance(result, DenialList):
        return pd.DataFrame(as_json(result), columns=["enemy", "denied", "area_without"])
    return pd.DataFrame(list(result.rows), columns=list(result.columns))
