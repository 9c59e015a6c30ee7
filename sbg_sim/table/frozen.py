"""A mapping that cannot change, keeps its order, compares by content and survives pickling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class FrozenMap(Mapping[K, V]):
    """An immutable mapping.

    Parameters
    ----------
    items
        The entries; copied.

    """

    __slots__ = ("_derived", "_items")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        self._items = dict(items or {})
        self._derived: dict[str, Any] = {}

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._items == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[type[FrozenMap[K, V]], tuple[dict[K, V]]]:
        return (FrozenMap, (self._items,))

    def derived(self, name: str, make: Callable[[FrozenMap[K, V]], T]) -> T:
        """Return a value made from the whole mapping, made once and cached; it is no part of the mapping's value.

        Parameters
        ----------
        name
            The key of the cache.
        make
            Makes it from the mapping.

        """
        if name not in self._derived:
            self._derived[name] = make(self)
        return cast("T", self._derived[name])

    def with_item(self, key: K, value: V) -> FrozenMap[K, V]:
        """Return a copy in which one entry is new."""
        return FrozenMap({**self._items, key: value})
