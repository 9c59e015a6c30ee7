"""Completions of a line: names of models and platforms, verbs, sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sbg_sim.terminal.names import Names, words_of, written
from sbg_sim.terminal.words import COMMANDS, VERBS

if TYPE_CHECKING:
    from sbg_sim.phase.state import Phase

_OF_ONE: Final = ("who", "why", "map", "slay", "place", "delay")
_DOES: Final = ("charge", "to", "path", "stand", "lie", "crawl", "arrive", "stay", "on", "rolls")


def completions(phase: Phase, typed: str) -> list[tuple[str, int]]:
    """Return the completions of a line.

    Parameters
    ----------
    phase
        The current phase.
    typed
        The text before the cursor.

    Returns
    -------
    Pairs of a completion and the number of letters before the cursor that it replaces.

    """
    found: list[tuple[str, int]] = []
    for start in _starts(typed):
        part = typed[start:]
        before = typed[:start]
        for word in _possible(phase, before):
            if word.casefold().startswith(part.lstrip('"').casefold()) and word not in {w for w, _ in found}:
                found.append((written(word, (*VERBS, *COMMANDS)) if word in _names(phase) else word, len(part)))
    return found


def _starts(typed: str) -> list[int]:
    """Return the offsets at which the name at the cursor may begin: names may have spaces."""
    edges = [0, *(i + 1 for i, letter in enumerate(typed) if letter in " ,")]
    return [edge for edge in edges if edge == len(typed) or typed[edge] not in " ,"]


def _names(phase: Phase) -> set[str]:
    return {*phase.table.models, *phase.table.terrain}


def _possible(phase: Phase, before: str) -> list[str]:
    """Return the words that can follow a text."""
    words = words_of(before)
    if not words:
        return [*phase.movable, *sorted(set(COMMANDS) - {"exit"})]
    first = words[0].verb
    if len(words) == 1 and first == "next":
        return [*sorted({m.side for m in phase.table.models.values() if m.side}), "roll"]
    table = phase.table
    models = Names(table.models, "model")
    skip = 1 if first in _OF_ONE and models.at(words) is None else 0
    if skip and len(words) == skip:
        return [*phase.movable, *(name for name in table.models if name not in phase.movable)]
    subject = models.at(words, skip)
    if subject is None:
        return []
    rest = [word.verb for word in words[skip + subject[1] :]]
    if not rest:
        return list(_DOES)
    if rest[-1] in {"on", "onto"}:
        return [name for name, piece in table.terrain.items() if "platform" in piece.tags]
    verbs = [VERBS[word] for word in rest if word in VERBS]
    if verbs and verbs[-1] == "charge":
        mover = table.model(subject[0])
        foes = [m.id for m in table.standing() if m.is_enemy(mover)]
        return foes if rest[-1] in {*VERBS, "and"} else ["and", "stand", "rolls"]
    return [word for word in ("to", "on", "stand", "lie", "rolls") if word not in verbs] if _ends_a_place(rest) else []


def _ends_a_place(rest: list[str]) -> bool:
    """Say whether the last words are two numbers or a verb that needs none."""
    return rest[-1] in {"stand", "lie"} or (len(rest) > 2 and _is_number(rest[-1]) and _is_number(rest[-2]))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
