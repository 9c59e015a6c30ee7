"""The table itself: everything that stands on it, as one immutable value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.pictured import Pictured
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.interchange import Interchange
from sbg_sim.table.questions import Asked, Charge, Question
from sbg_sim.table.rulings import Rulings
from sbg_sim.tolerance import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias, TypeVar

    from sbg_sim.table.models import Model
    from sbg_sim.table.record import Record
    from sbg_sim.table.terrain import Terrain
    from sbg_sim.table.underlay import Underlay

    T = TypeVar("T")
    Length: TypeAlias = float | str
    Given: TypeAlias = Mapping[str, T | Mapping[str, Any]] | Iterable[T]


@dataclass(frozen=True)
class Table(Interchange, Pictured):
    """A table with its models and terrain, the rulings it is played by, and the questions asked of it.

    It takes the same values as a scenario file, and refuses with the same words what the reader of files refuses: ids
    with dicts of the file's keys, with `Model`, `Terrain` and questions, or with shapely shapes.

    Parameters
    ----------
    width, depth
        Size along x and y, inches or a string with a unit; the lower-left corner is the origin.
    models, terrain, questions
        By id, in the order of the file; models and terrain may also be a list of values that have their ids.
    rulings
        Readings of ambiguous rules, by name.
    tolerance
        How far a placed model may be off, inches; answers that could change by it are ``too-close``.
    title, source
        Free text.
    record
        A game record, if the file has one.
    off
        Models that are not on the table yet (reinforcements): their position means nothing.
    horizon
        Costs up to this are exact, inches; None for the default of :func:`horizon_of`.
    picture
        A photograph that lies under pictures.
    fit
        How tape readings placed models (`sbg_sim.tape.Fit`), if the file has any; no part of the value.

    Raises
    ------
    FileFaultsError
        With all faults: overlapping bases, unknown keys, impossible lengths.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": "25 mm", "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [13, 12], "base": "25 mm", "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.check(table, sbg.Charge("lurtz", "merry")).reason
    'lurtz into merry: no, needs 6.0157 in and has 6, 0.0157 in short'
    >>> sbg.Table(24, 24, models={"lurtz": {"at": [6, 12], "bse": 1}})
    Traceback (most recent call last):
    sbg_sim.errors.FileFaultsError: Table: models.lurtz.bse: unknown key; did you mean `base`?

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
    picture: Underlay | None = None
    fit: Any = field(default=None, compare=False, repr=False)

    if TYPE_CHECKING:  # the arguments may be dicts, lists and strings with a unit; the attributes are not

        def __init__(
            self,
            width: Length,
            depth: Length,
            models: Given[Model] = ...,
            terrain: Given[Terrain] = ...,
            questions: Given[Asked] = ...,
            rulings: Rulings | Mapping[str, str] = ...,
            tolerance: Length = ...,
            title: str = ...,
            source: str = ...,
            record: Record | None = ...,
            off: Iterable[str] = ...,
            horizon: Length | None = ...,
            picture: Underlay | None = ...,
            fit: Any = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self._is_value():
            return
        made = _reader().made(self)
        for one in fields(self):
            object.__setattr__(self, one.name, getattr(made, one.name))

    def _is_value(self) -> bool:
        """Say whether all of it consists of values of this package, as the reader and the rules make them."""
        if not all(isinstance(held, FrozenMap) for held in (self.models, self.terrain, self.questions)):
            return False
        rulings: Any = self.rulings
        if not isinstance(rulings, Rulings) or not isinstance(self.off, frozenset):
            return False
        words: tuple[Any, ...] = (self.title, self.source)
        sizes: tuple[Any, ...] = (self.width, self.depth, self.tolerance, 0.0 if self.horizon is None else self.horizon)
        if not all(isinstance(word, str) for word in words):
            return False
        if not all(isinstance(size, int | float) and not isinstance(size, bool) for size in sizes):
            return False
        return 0 < self.width <= LARGEST and 0 < self.depth <= LARGEST and 0 <= self.tolerance <= LARGEST

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        counts = (("model", len(self.models)), ("piece", len(self.terrain)), ("question", len(self.questions)))
        held = ", ".join(f"{count} {word}{'s' * (count != 1)}" for word, count in counts)
        return f"<Table{title}: {self.width:g} x {self.depth:g} in, {held}>"

    def model(self, name: str) -> Model:
        """Return a model by id; UnknownNameError if there is none.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> table.model("pippin").move
        4.0

        """
        if not isinstance(name, str):
            raise UnknownNameError(_no_id("a model", name))
        if name not in self.models:
            raise UnknownNameError(f"no model is called {name!r} on this table{_meant(name, self.models)}")
        return self.models[name]

    def present(self, name: str) -> Model:
        """Return a model that is on the table; QuestionError while it waits outside.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        QuestionError
            If it is a reinforcement that has not entered: its position means nothing.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> table.present("pippin").at
        (12.5, 12.0)

        """
        model = self.model(name)
        if name in self.off:
            raise QuestionError(f"{name} is not on the table yet: it has no place to be asked about")
        return model

    def piece(self, name: str) -> Terrain:
        """Return a piece of terrain by id; UnknownNameError if there is none.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> table.piece("wall").height
        0.8

        """
        if not isinstance(name, str):
            raise UnknownNameError(_no_id("a piece of terrain", name))
        if name not in self.terrain:
            raise UnknownNameError(f"no terrain is called {name!r} on this table{_meant(name, self.terrain)}")
        return self.terrain[name]

    def asked(self, question: Question | Asked | str | Mapping[str, Any]) -> Asked:
        """Return a question: by its id, from the keys of a file, or as it is given.

        Raises
        ------
        UnknownNameError
            If no question has this id.
        FileFaultsError
            If the keys make no question.
        QuestionError
            For anything else, and for a charge at one model twice or at the charger itself.

        Examples
        --------
        >>> Table(24, 12).asked({"ask": "sight", "model": "merry", "target": "lurtz"}).question
        Sight(model='merry', target='lurtz')

        """
        if isinstance(question, Mapping):
            question = _reader().asked(question)
        if isinstance(question, Asked | Question):
            found = question if isinstance(question, Asked) else Asked(question)
            targets = found.question.targets if isinstance(found.question, Charge) else ()
            if len(set(targets)) < len(targets):
                raise QuestionError(f"target: {' and '.join(targets)} names one model twice")
            if isinstance(found.question, Charge) and found.question.model in targets:
                raise QuestionError(f"target: {found.question.model} cannot charge itself")
            return found
        if not isinstance(question, str):
            raise QuestionError(f"{question!r} is not a question: use Measure, Gap, Sight, Move, Charge or ReachOf")
        if question not in self.questions:
            near = _meant(question, self.questions)
            raise UnknownNameError(f"no question is called {question!r} in this file{near}")
        return self.questions[question]

    def standing(self) -> tuple[Model, ...]:
        """Return the models that are on the table.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> len(table.standing())
        6

        """
        return tuple(m for m in self.models.values() if m.id not in self.off)

    def having(self, name: str, **changes: Any) -> Table:
        """Return a table in which one model has other values, given by the keys of the file as in the file.

        Contact with an enemy (``engaged``) holds for both.

        Parameters
        ----------
        name
            The model's id.
        changes
            ``at``, ``base``, ``height``, ``move``, ``side``, ``keywords``, ``prone``, ``engaged``, ``moved``,
            ``may_move``, ``on``, ``climbed``; None restores the default.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        FileFaultsError
            With all that the reader of files would refuse: an unknown key, NaN, bases that overlap.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.Table(24, 24, models={"merry": {"at": [4, 4], "base": "25 mm"}})
        >>> table.having("merry", at=(9, 4), base="40 mm").model("merry").at
        (9.0, 4.0)
        >>> table.having("merry", prune=True)
        Traceback (most recent call last):
        sbg_sim.errors.FileFaultsError: Table: models.merry.prune: unknown key; did you mean `prone`?

        """
        found: Table = _reader().having(self, self.model(name), changes)
        return found

    def with_model(self, model: Model) -> Table:
        """Return a table in which the model of this id is another; nothing is checked, as in the midst of a move.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> from dataclasses import replace
        >>> table.with_model(replace(table.model("pippin"), prone=True)).model("pippin").prone
        True

        """
        return replace(self, models=self.models.with_item(model.id, model))

    def under(self, name: str, reading: str) -> Table:
        """Return the same table under another reading of one ruling.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> table.under("obstacle_exactly_half", "test").rulings
        Rulings(chosen=FrozenMap({'obstacle_exactly_half': 'test'}))

        """
        given: Any = name
        if not isinstance(given, str):
            raise UnknownNameError(_no_id("a ruling", given))
        return replace(self, rulings=self.rulings.having(name, reading))


def _reader() -> Any:
    """Return the reader of scenario files. It is a room above this one, so it is imported by name when needed."""
    return import_module("sbg_sim.scenario.values")


def sound(given: Any) -> Table:
    """Return a table as it is; QuestionError with advice for anything else.

    Examples
    --------
    >>> sound("table.toml")
    Traceback (most recent call last):
    sbg_sim.errors.QuestionError: table.toml is not a table: load("table.toml") reads one from a file

    """
    if isinstance(given, Table):
        return given
    if isinstance(given, str | os.PathLike):
        raise QuestionError(f'{given!s:.60} is not a table: load("{given!s:.60}") reads one from a file')
    raise QuestionError(f"{given!r:.60} is not a table: load reads one from a file, Table makes one here")


def allowance(model: Model) -> float:
    """Return the model's maximum Move, inches; QuestionError if it is unknown."""
    if model.move is None:
        raise QuestionError(f"models.{model.id}.move is missing, and this question needs it")
    return model.move


def standing_up(model: Model) -> float:
    """Return the cost of standing up, inches: half of the maximum Move for a prone model (PRN.3), else 0."""
    return allowance(model) / 2 if model.prone else 0.0


def horizon_of(table: Table, limit: float) -> float:
    """Return the cost up to which a question with Move ``limit`` is answered exactly, inches.

    The larger of twice the Move and the Move and 6 in, unless the table has its own; never less than the Move.
    """
    return max(2 * limit, limit + 6.0) if table.horizon is None else max(table.horizon, limit)


def height_of(model: Model) -> float:
    """Return the model's height, inches; QuestionError if it is unknown."""
    if model.height is None:
        raise QuestionError(f"models.{model.id}.height is missing, and this question needs it")
    return model.height


def side_of(model: Model) -> str:
    """Return the model's side; QuestionError if it is unknown."""
    if not model.side:
        raise QuestionError(f"models.{model.id}.side is missing, and this question needs it")
    return model.side


def _meant(name: str, known: FrozenMap[str, Any]) -> str:
    from sbg_sim.document.suggest import meant  # the modules that read files are loaded late

    return meant(name, known)


def _no_id(what: str, given: Any) -> str:
    """Say that something is no id; name the id of a thing that has one."""
    own = getattr(given, "id", None)
    if isinstance(own, str):
        return f"{what} is named by its id: {own!r}"
    return f"{what} is named by its id, a string, not {given!r:.60}"
