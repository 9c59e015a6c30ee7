"""Pairing off fights at the end of the Move phase (PAIR.1 - PAIR.5).

"One on one wherever possible" is read as follows: first as many pairs as possible are made, a maximum matching of the
contacts; every model left over then joins a pair in which it touches an enemy, so one side of a multiple combat is
always a single model. The result cuts the contacts into stars, and the number of stars is the size of a maximum
matching: no pairing off has more fights. Conversely every partition of the models into that many stars arises so, from
any choice of one contact per star. So the legal pairings off are exactly the minimum edge covers of the contacts, and
these are listed. The ruling ``pairing_one_on_one`` keeps, under ``duels``, only those in which the most fights stay one
on one.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.rules.contact import in_contact_across, within_reach
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

MOST_PAIRINGS: Final = 100_000
"""More pairings off than this are not listed."""

Contact: TypeAlias = tuple[str, str]
"""A model and an enemy that it touches; the model of the side that comes first is first."""


@dataclass(frozen=True, slots=True, order=True)
class Fight:
    """One fight.

    Parameters
    ----------
    good, evil
        Ids of the models of either side, sorted; one of the two has a single id. On a table whose sides have other
        names, ``good`` is the side in the fight that comes first in the alphabet.

    """

    good: tuple[str, ...]
    evil: tuple[str, ...]

    @property
    def models(self) -> frozenset[str]:
        """The ids of all models in it."""
        return frozenset(self.good + self.evil)

    @property
    def one_on_one(self) -> bool:
        """Whether it is a duel."""
        return len(self.good) == len(self.evil) == 1


Pairing: TypeAlias = tuple[Fight, ...]
"""A complete pairing off: every model in contact with an enemy is in exactly one of its fights."""


@dataclass(frozen=True)
class Pairings:
    """Every legal pairing off of a table's contacts.

    Parameters
    ----------
    contacts
        The pairs of enemies in contact, sorted.
    groups
        The pairings of each connected component of the contacts: components are paired off independently.
    priority
        The side that chooses between pairings, when known (PAIR.3).

    """

    contacts: tuple[Contact, ...] = ()
    groups: tuple[tuple[Pairing, ...], ...] = ()
    priority: str | None = None

    @property
    def count(self) -> int:
        """The number of pairings off; 1 if there is no fight."""
        return math.prod(len(group) for group in self.groups)

    def each(self) -> Iterator[Pairing]:
        """Yield all pairings off, in order, without listing them."""
        for parts in itertools.product(*self.groups):
            yield tuple(sorted(itertools.chain.from_iterable(parts)))

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings off; QuestionError if there are more than :data:`MOST_PAIRINGS`."""
        if self.count > MOST_PAIRINGS:
            raise QuestionError(f"there are {self.count} pairings off, too many to list; see `groups`")
        return tuple(sorted(self.each()))

    @cached_property
    def forced(self) -> tuple[Fight, ...]:
        """Fights that every pairing off has."""
        common = (frozenset.intersection(*(frozenset(p) for p in group)) for group in self.groups)
        return tuple(sorted(itertools.chain.from_iterable(common)))

    @cached_property
    def choices(self) -> FrozenMap[str, tuple[tuple[str, ...], ...]]:
        """The choices of the Priority player (PAIR.3): a model, and the sets of enemies that it could fight.

        A model is listed if no enemy fights it in all pairings off.
        """
        found: dict[str, tuple[tuple[str, ...], ...]] = {}
        for group in self.groups:
            against: dict[str, set[tuple[str, ...]]] = {}
            for fight in itertools.chain.from_iterable(group):
                for one, other in ((fight.good, fight.evil), (fight.evil, fight.good)):
                    for name in one:
                        against.setdefault(name, set()).add(other)
            for name, sets in against.items():
                if not frozenset.intersection(*(frozenset(s) for s in sets)):
                    found[name] = tuple(sorted(sets))
        return FrozenMap(dict(sorted(found.items())))

    def allows(self, chosen: Iterable[Iterable[str]]) -> bool:
        """Say whether fights given as plain sets of ids are one of the legal pairings off, in any order."""
        wanted = [frozenset(fight) for fight in chosen]
        everyone = {name for contact in self.contacts for name in contact}
        if sum(map(len, wanted)) != len(everyone) or frozenset().union(*wanted) != everyone:
            return False
        whole = set(wanted)
        return all(any({f.models for f in pairing} <= whole for pairing in group) for group in self.groups)


def contacts(table: Table) -> tuple[Contact, ...]:
    """List the pairs of enemies in contact: bases that touch, and models that count as touching (PAIR.5).

    On two levels those that are engaged, and those who could both be in contact by their own heights: who may end a
    move beside another without charging it does not fight it.

    Returns
    -------
    Pairs of ids, the side that comes first (``good``, or the alphabet) first, sorted.

    Raises
    ------
    QuestionError
        If models are engaged that are not on different, named sides, or three sides are connected by contacts.
    UnknownNameError
        If a model is engaged with one that the table does not have.

    """
    standing = table.standing()
    pairs = {
        (one.id, other.id)
        for one, other in itertools.combinations(standing, 2)
        if one.is_enemy(other)
        and math.dist(one.at, other.at) <= one.radius + other.radius + TOUCH
        and _meets(table, one, other)
        and _meets(table, other, one)
    }
    for one in standing:
        for name in one.engaged:
            if not one.is_enemy(table.model(name)):
                raise QuestionError(f"models.{one.id}.engaged: {name!r} is no enemy; give both their sides")
            if name not in table.off:
                pairs.add((one.id, name))

    def order(name: str) -> tuple[bool, str]:
        side = table.model(name).side
        return side == "evil", side

    found = tuple(sorted({(a, b) if order(a) < order(b) else (b, a) for a, b in pairs}))
    for part in _parts(found):
        names = sorted({name for contact in part for name in contact})
        sides = sorted({table.model(name).side for name in names})
        if len(sides) > 2:
            who = f"{', '.join(names)} of {', '.join(sides)}"
            raise QuestionError(f"pairing off takes two sides, and here three or more hang together by contacts: {who}")
    return found


def _meets(table: Table, one: Model, other: Model) -> bool:
    """Say whether one could be in contact with another that its base meets as seen from above (CHG.1)."""
    return in_contact_across(table, one, one.on, other.on) and within_reach(table, one, other)


def fights(table: Table, priority: str | None = None) -> Pairings:
    """Find all legal pairings off of a table as it stands, also before the end of the phase (PAIR.4).

    Parameters
    ----------
    table
        The table.
    priority
        The side with Priority; by default that of the table's record.

    Returns
    -------
    All pairings off, with the choices of the player with Priority.

    Raises
    ------
    QuestionError
        If models connected by contacts are not of two named sides, or no model is on the side given.
    UnknownNameError
        If a model is engaged with one that the table does not have.

    """
    if priority is None and table.record is not None:
        priority = table.record.priority
    sides = {model.side for model in table.models.values()}
    if priority is not None and sides and priority not in sides:
        known = ", ".join(sorted(filter(None, sides)))
        raise QuestionError(f"no model is on the side {priority!r}; there are {known}")
    found = contacts(table)
    groups = tuple(_pairings(part) for part in _parts(found))
    if table.rulings["pairing_one_on_one"] == "duels":
        groups = tuple(_with_most_duels(group) for group in groups)
    return Pairings(found, groups, priority)


def _with_most_duels(group: tuple[Pairing, ...]) -> tuple[Pairing, ...]:
    most = max(sum(f.one_on_one for f in pairing) for pairing in group)
    return tuple(p for p in group if sum(f.one_on_one for f in p) == most)


def _parts(found: tuple[Contact, ...]) -> list[tuple[Contact, ...]]:
    """Cut contacts into groups that share no model."""
    parts: list[tuple[set[str], list[Contact]]] = []
    for contact in found:
        joined = [p for p in parts if p[0] & set(contact)]
        parts = [p for p in parts if not p[0] & set(contact)]
        names = set(contact).union(*(p[0] for p in joined))
        parts.append((names, [*itertools.chain.from_iterable(p[1] for p in joined), contact]))
    return sorted(tuple(sorted(part)) for _, part in parts)


@dataclass
class _Covers:
    """A search for the minimum edge covers of one group of contacts, each once.

    A cover is built model by model: the next model not yet covered takes one of its contacts, and contacts tried before
    at that model are closed, so no cover is found twice. A contact between two uncovered models is a new fight; as many
    of these are needed as the maximum matching has, and branches that can no longer have them are cut off.
    """

    contacts: tuple[Contact, ...]
    covers: list[tuple[Contact, ...]] = field(default_factory=list)

    def search(self) -> list[tuple[Contact, ...]]:
        names = frozenset(itertools.chain.from_iterable(self.contacts))
        self._go(names, self.contacts, (), matching(self.contacts))
        return self.covers

    def _go(self, bare: frozenset[str], usable: tuple[Contact, ...], chosen: tuple[Contact, ...], fresh: int) -> None:
        """Cover the ``bare`` models by usable contacts, ``fresh`` of which are new fights."""
        if not bare:
            self.covers.append(chosen)
            if len(self.covers) > MOST_PAIRINGS:
                raise QuestionError(f"more than {MOST_PAIRINGS} ways to pair off one crowd: too many to list")
            return
        options = {name: [c for c in usable if name in c] for name in bare}
        name = min(bare, key=lambda n: (len(options[n]), n))
        left = usable
        for contact in options[name]:
            rest = bare - set(contact)
            need = fresh - (set(contact) <= bare)
            left = tuple(c for c in left if c != contact)
            if need >= 0 and matching(c for c in left if set(c) <= rest) >= need:
                self._go(rest, left, (*chosen, contact), need)


def _pairings(found: tuple[Contact, ...]) -> tuple[Pairing, ...]:
    """Return all pairings off of one group of contacts, sorted."""
    return tuple(sorted({_fights(cover) for cover in _Covers(found).search()}))


def _fights(cover: tuple[Contact, ...]) -> Pairing:
    stars = _parts(tuple(sorted(cover)))
    sides = ((sorted({a for a, _ in star}), sorted({b for _, b in star})) for star in stars)
    return tuple(sorted(Fight(tuple(good), tuple(evil)) for good, evil in sides))


def matching(found: Iterable[Contact]) -> int:
    """Return the greatest number of contacts no two of which share a model (augmenting paths)."""
    enemies: dict[str, list[str]] = {}
    for one, other in found:
        enemies.setdefault(one, []).append(other)
    partner: dict[str, str] = {}
    return sum(_augment(one, enemies, partner, set()) for one in enemies)


def _augment(one: str, enemies: Mapping[str, list[str]], partner: dict[str, str], tried: set[str]) -> bool:
    for other in enemies[one]:
        if other not in tried:
            tried.add(other)
            if other not in partner or _augment(partner[other], enemies, partner, tried):
                partner[other] = one
                return True
    return False
