"""Edits of scenario files: changes of the table are made in the text, and every other byte stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from sbg_sim.errors import SbgError
from sbg_sim.scenario.build import entry_of
from sbg_sim.scenario.files import read_text
from sbg_sim.scenario.write import as_data, entry, head_of, write
from sbg_sim.table.frozen import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping, Sequence

    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord, Record

_BOM: Final = "\ufeff"
_HEAD: Final = ("priority", "fights", "stage")
_RECORD: Final = ("phase", "moves", "turns")


def with_record(text: str, record: Record) -> str:
    """Return the text of a scenario file with another game record.

    Parameters
    ----------
    text
        The text of the file.
    record
        The record; entries that it shares with the file's record stay as written.

    Returns
    -------
    The text with its comments, profiles, units and layout. A layout that cannot be edited is written anew.

    """
    before = read_text(text)
    after = replace(before, record=record)
    return _checked(_edited(text, lambda doc: _put_record(doc, record)), after)


def with_state(text: str, after: Table) -> str:
    """Return the text of a scenario file with the models of a later table.

    Parameters
    ----------
    text
        The text of the file.
    after
        The same table later, after moves, losses and arrivals; its questions and record replace those of the file.

    """
    before = read_text(text)

    def edit(doc: MutableMapping[str, Any]) -> None:
        _put_models(doc, before, after)
        _put_passages(doc, before, after)
        for name in [n for n in doc.get("questions", {}) if n not in after.questions]:
            del doc["questions"][name]
        if "questions" in doc and not after.questions:
            del doc["questions"]
        for key in _RECORD:
            if key in doc:
                del doc[key]
        if after.record is not None:
            _put_record(doc, after.record)

    return _checked(_edited(text, edit), after)


def _edited(text: str, edit: Any) -> str:
    import tomlkit

    plain = normalize("NFC", text.removeprefix(_BOM))  # as on reading
    ends = "\r\n" if "\r\n" in plain else "\n"
    doc = tomlkit.parse(plain if plain.endswith("\n") else plain + ends)
    edit(doc)
    found = doc.as_string()
    if ends == "\r\n":
        found = found.replace("\r\n", "\n").replace("\n", "\r\n")
    return (_BOM if text.startswith(_BOM) else "") + found


def _checked(text: str, wanted: Table) -> str:
    """Return the text if it reads back as the wanted table, else that table written anew."""
    try:
        found = read_text(text)
    except SbgError:
        return write(wanted)
    same = (found.models, found.off, found.terrain, found.record, set(found.questions)) == (
        wanted.models,
        wanted.off,
        wanted.terrain,
        wanted.record,
        set(wanted.questions),
    )
    return text if same else write(wanted)


# -- the record -------------------------------------------------------------------------------------------------


def _put_record(doc: MutableMapping[str, Any], record: Record) -> None:
    later = record.turns
    if not record.key:
        later = record.later
        _put_head(_opened(doc, "phase"), record)
        _put_moves(doc, record.moves)
    elif "phase" in doc:
        del doc["phase"]
    turns = doc.get("turns")
    if not later:
        if turns is not None:
            del doc["turns"]
        return
    if turns is None:
        import tomlkit

        doc["turns"] = tomlkit.aot()
    turns = doc["turns"]
    del turns[len(later) :]
    for index, turn in enumerate(later):
        if index == len(turns):
            turns.append(_table(turns, {}))
        _put_head(turns[index], turn)
        _put_moves(turns[index], turn.moves)


def _opened(doc: MutableMapping[str, Any], name: str) -> MutableMapping[str, Any]:
    if name not in doc:
        import tomlkit

        doc[name] = tomlkit.table()
    opened: MutableMapping[str, Any] = doc[name]
    return opened


def _put_head(head: MutableMapping[str, Any], record: Record) -> None:
    wanted = head_of(record)
    for key in _HEAD:
        if key not in wanted:
            if key in head:
                del head[key]
        elif head.get(key) != wanted[key]:
            head[key] = wanted[key]


def _put_moves(holder: MutableMapping[str, Any], moves: Sequence[MoveRecord]) -> None:
    """Keep the leading entries that are equal already, drop the rest, and add the new ones."""
    listed = holder.get("moves")
    if listed is None:
        if not moves:
            return
        import tomlkit

        holder["moves"] = tomlkit.aot()
        listed = holder["moves"]
    kept = 0
    for given, move in zip(listed, moves, strict=False):
        if entry_of(_plain(given)) != move:
            break
        kept += 1
    del listed[kept:]
    if not moves:
        del holder["moves"]
        return
    for move in moves[kept:]:
        listed.append(_table(listed, entry(move)))


def _plain(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _table(listed: Any, data: Mapping[str, Any]) -> Any:
    """Return an entry for a list: a table with an empty line before it, or an inline table."""
    import tomlkit
    from tomlkit.items import Array

    made: Any = tomlkit.inline_table() if isinstance(listed, Array) else tomlkit.table()
    for key, value in data.items():
        made[key] = value
    if not isinstance(listed, Array) and not (len(listed) and listed[-1].as_string().endswith("\n\n")):
        made.trivia.indent = "\n"
    return made


# -- the models -------------------------------------------------------------------------------------------------


def _put_models(doc: MutableMapping[str, Any], before: Table, after: Table) -> None:
    held = doc["models"] if before.models else {}
    for name in [n for n in held if n in before.models and n not in after.models]:
        del held[name]
    old, new = as_data(before).get("models", {}), as_data(after).get("models", {})
    for name, wanted in new.items():
        fields, was = held[name], old.get(name, {})
        waits = name in after.off
        for key in dict.fromkeys((*was, *wanted)):
            if waits and key == "at":
                continue
            if was.get(key) != wanted.get(key) or (waits and key == "off_table"):
                _put_field(fields, key, wanted.get(key), _profile(doc, fields))


def _profile(doc: MutableMapping[str, Any], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    name = fields.get("profile")
    shared: Mapping[str, Any] = {} if name is None else doc["profiles"][name]
    return shared


def _put_field(fields: MutableMapping[str, Any], key: str, value: Any, shared: Mapping[str, Any]) -> None:
    if value is None and key in shared:
        value = {"climbed": 0.0}.get(key, key == "may_move")  # to override the profile
    if value is None:
        if key in fields:
            del fields[key]
    elif key not in fields or fields[key] != value:
        fields[key] = value


def _put_passages(doc: MutableMapping[str, Any], before: Table, after: Table) -> None:
    """Remove slain models from ``lets_through``."""
    for name, piece in after.terrain.items():
        if piece.lets_through != before.terrain[name].lets_through:
            _put_field(doc["terrain"][name], "lets_through", sorted(piece.lets_through) or None, FrozenMap())
