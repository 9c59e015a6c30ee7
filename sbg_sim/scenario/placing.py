"""Places of models by tape readings instead of ``at``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sbg_sim.document import Names
from sbg_sim.table.faults import length_faults, place_faults
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.document import Key
    from sbg_sim.scenario import form
    from sbg_sim.tape import Fit

SIGMAS: Final = 2.0
"""A placed model's doubt, in standard deviations of its place along the least certain direction."""


def placed(
    scenario: form.ScenarioForm, models: Mapping[str, form.ModelForm], faults: list[tuple[Key, str]]
) -> Fit | None:
    """Place the models without ``at`` that readings name; None if there are none, or readings have faults.

    Parameters
    ----------
    scenario, models
        The file, and its models with their profiles filled in.
    faults
        The list to which faults are added.

    """
    if not scenario.readings:
        return None
    from sbg_sim.tape import Disc, MisfitError, Reading, fit  # here: few files have readings
    from sbg_sim.tape.fit import CORNERS, EDGES

    before = len(faults)
    known = Names((*models, *EDGES, *CORNERS))
    named: dict[str, None] = {}
    for i, reading in enumerate(scenario.readings):
        faults += _faults(reading, i, models, known)
        named |= dict.fromkeys(end for end in (reading.from_, reading.to) if end in models)
    discs = {}
    for name in named:
        fields = models[name]
        if fields.base is None:
            return None  # already a fault
        if fields.at is None:  # else the table reports faults, as for any model
            faults += length_faults(fields.base, ("models", name, "base"), above=0, least=TOUCH)
            faults += place_faults([fields.near] if fields.near else (), ("models", name, "near"))
        elif [*length_faults(fields.base, (), above=0, least=TOUCH), *place_faults([fields.at], ())]:
            return None
        discs[name] = Disc(fields.base / 2, _pair(fields.at), _pair(fields.near))
    if len(faults) > before or all(disc.at is not None for disc in discs.values()):
        if len(faults) == before:
            faults.append((("readings",), "place nothing: every model they name has `at`"))
        return None
    rows = [Reading(r.from_, r.to, r.inches, r.doubt, r.measured == "centres") for r in scenario.readings]
    try:
        return fit(discs, rows, scenario.table.width, scenario.table.depth)
    except MisfitError as misfit:
        key: Key = ("readings",) if misfit.index is None else ("readings", misfit.index, "inches")
        faults.append((key, str(misfit)))
        return None


def _faults(
    reading: form.ReadingForm, i: int, models: Mapping[str, form.ModelForm], known: Names
) -> list[tuple[Key, str]]:
    found: list[tuple[Key, str]] = []
    for key, name in (("from", reading.from_), ("to", reading.to)):
        if name not in known or (key == "from" and name not in models):
            wanted = "model" if key == "from" else "model, edge or corner"
            found.append((("readings", i, key), f"no {wanted} is called `{name}`{known.meant(name)}"))
    if reading.from_ == reading.to:
        found.append((("readings", i, "to"), f"is `{reading.from_}` itself"))
    if reading.inches < 0 or (reading.measured == "centres" and reading.inches == 0):
        found.append((("readings", i, "inches"), f"must be a distance, not {reading.inches:g}"))
    else:
        found += length_faults(reading.inches, ("readings", i, "inches"))
    return [*found, *length_faults(reading.doubt, ("readings", i, "doubt"), above=0, least=TOUCH)]


def _pair(at: list[float] | None) -> tuple[float, float] | None:
    return None if at is None else (float(at[0]), float(at[1]))


def put(fields: form.ModelForm, name: str, found: Fit | None) -> form.ModelForm:
    """Return a model's fields with its place and doubt from readings."""
    if found is None or name not in found.places:
        return fields
    update: dict[str, object] = {"at": list(found.places[name])}
    if fields.doubt is None:
        update["doubt"] = SIGMAS * found.ellipse(name)[0]
    return fields.model_copy(update=update)
