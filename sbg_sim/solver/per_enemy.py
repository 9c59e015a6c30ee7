"""Lists with an entry per enemy: sequences that also know their entries by the enemy's id."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from sbg_sim.errors import UnknownNameError
from sbg_sim.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Iterator

Entry = TypeVar("Entry")


class PerEnemy(Pictured, Generic[Entry]):
    """A sequence of entries, each about one enemy of a model, that also knows them by the enemy's id."""

    model: str
    entries: tuple[Entry, ...]
    _about: ClassVar[str]
    """What an entry calls its enemy."""

    @overload
    def __getitem__(self, enemy: str | int) -> Entry: ...
    @overload
    def __getitem__(self, enemy: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, enemy: str | int | slice) -> Entry | tuple[Entry, ...]:
        if not isinstance(enemy, str):
            return self.entries[enemy]
        ids = [getattr(entry, self._about) for entry in self.entries]
        if enemy in ids:
            return self.entries[ids.index(enemy)]
        known = ", ".join(ids) or "none"
        raise UnknownNameError(f"{enemy!r} is no enemy of {self.model} in this list; there are {known}")

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, enemy: object) -> bool:
        return any(enemy in (getattr(entry, self._about), entry) for entry in self.entries)

    def to_frame(self) -> Any:
        """Return the list as a pandas DataFrame, a row per enemy.

        Raises
        ------
        MissingPackageError
            When pandas is not installed.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> sbg.charges(table, "uruk-3").to_frame()[["target", "answer"]].values.tolist()
        [['aragorn', 'yes'], ['boromir', 'yes'], ['pippin', 'no']]
        >>> list(sbg.denials(table, "uruk-3").to_frame().columns)
        ['enemy', 'denied', 'area_without']

        """
        return import_module("sbg_sim.report.told").frame(self)
