"""The table itself: everything that stands on it, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.pictured import Pictured
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.rulings import Rulings

if TYPE_CHECKING:
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Asked
    from sbg_sim.table.record import Record
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True)
class Table(Pictured):
    """A table with its models and terrain, the rulings it is played by, and the questions asked of it.

    Parameters
    ----------
    width, depth
        Size along x and y, inches; the lower-left corner is the origin.
    models, terrain, questions
        By id, in the order of the file.
    rulings
        Readings of ambiguous rules.
    tolerance
        How far a placed model may be off, inches; answers that hang on less are ``too-close``.
    title, source
        Free text.
    record
        A game record, when the file holds one.
    off
        Models that are not on the table yet (reinforcements): their position means nothing.
    horizon
        Costs up to this are told exactly, inches; None for what :func:`horizon_of` says.

    """

    width: float
    depth: float
    models: FrozenMap[str, Model] = field(default_factory=FrozenMap)
    terrain: FrozenMap[str, Terrain] = field(default_factory=FrozenMap)
    questions: FrozenMap[str, Asked] = field(default_factory=FrozenMap)
    rulings: Rulings = field(default_factory=Rulings)
    tolerance: float = 0.0
    title: str = ""
    source: str = ""
    record: Record | None = None
    off: frozenset[str] = field(default_factory=frozenset)
    horizon: float | None = None

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        counts = (("model", len(self.models)), ("piece", len(self.terrain)), ("question", len(self.questions)))
        held = ", ".join(f"{count} {word}{'s' * (count != 1)}" for word, count in counts)
        return f"<Table{title}: {self.width:g} x {self.depth:g} in, {held}>"

    def model(self, name: str) -> Model:
        """Return a model by id; UnknownNameError when there is none."""
        if name not in self.models:
            raise UnknownNameError(f"no model is called {name!r} on this table{_nearest(name, self.models)}")
        return self.models[name]

    def piece(self, name: str) -> Terrain:
        """Return a piece of terrain by id; UnknownNameError when there is none."""
        if name not in self.terrain:
            raise UnknownNameError(f"no terrain is called {name!r} on this table{_nearest(name, self.terrain)}")
        return self.terrain[name]

    def asked(self, name: str) -> Asked:
        """Return a question by id; UnknownNameError when there is none."""
        if name not in self.questions:
            raise UnknownNameError(f"no question is called {name!r} in this file{_nearest(name, self.questions)}")
        return self.questions[name]

    def standing(self) -> tuple[Model, ...]:
        """Return the models that are on the table."""
        return tuple(m for m in self.models.values() if m.id not in self.off)

    def having(self, name: str, **changes: Any) -> Table:
        """Return a table in which one model has other values (``at=...``, ``prone=...``)."""
        model = replace(self.model(name), **changes)
        return replace(self, models=self.models.with_item(name, model))

    def under(self, name: str, reading: str) -> Table:
        """Return the same table under another reading of one ruling."""
        return replace(self, rulings=self.rulings.having(name, reading))


def allowance(model: Model) -> float:
    """Return the model's maximum Move, inches; QuestionError when the table does not say."""
    if model.move is None:
        raise QuestionError(f"models.{model.id}.move is missing, and this question needs it")
    return model.move


def horizon_of(table: Table, limit: float) -> float:
    """Return up to which cost a question with so much Move is answered exactly, inches.

    The larger of twice the Move and 6 in more, unless the table says otherwise; never less than the Move.
    """
    return max(2 * limit, limit + 6.0) if table.horizon is None else max(table.horizon, limit)


def tallness(model: Model) -> float:
    """Return the model's height, inches; QuestionError when the table does not say."""
    if model.height is None:
        raise QuestionError(f"models.{model.id}.height is missing, and this question needs it")
    return model.height


def _nearest(name: str, known: FrozenMap[str, Any]) -> str:
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
