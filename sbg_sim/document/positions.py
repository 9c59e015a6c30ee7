"""The positions of all keys and values of a TOML text, by path from the top."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

Key: TypeAlias = tuple[str | int, ...]
"""A path from the top of a document: names of keys and indices of arrays."""

_DEEP = 32  # depth to which tables opened by a dotted key are recorded: it may have thousands of parts
_KEYS = ("bare_key", "quoted_key", "dotted_key")


@dataclass
class Positions:
    """Byte offsets in a TOML text.

    Parameters
    ----------
    keys
        The offset of each key's name, by path.
    values
        The offset of each value, by path, including elements of arrays.
    twice
        Paths that occur more than once, each with the offset of the second name and the byte range of its table or
        pair.

    """

    keys: dict[Key, int] = field(default_factory=dict)
    values: dict[Key, int] = field(default_factory=dict)
    twice: list[tuple[Key, int, int, int]] = field(default_factory=list)
    _headers: set[Key] = field(default_factory=set)
    _lengths: dict[Key, int] = field(default_factory=dict)

    def table(self, node: tree_sitter.Node) -> None:
        """Record one ``[table]`` or ``[[table]]`` with its pairs."""
        children = node.named_children
        name = next((c for c in children if c.type in _KEYS), None)
        if name is None:
            return
        parts = _parts(name)
        path = self._resolved(parts[:-1])
        if node.type == "table_array_element":
            at = (*path, parts[-1])
            index = self._lengths.get(at, 0)
            path = (*at, index)
            self._lengths[at] = index + 1
            self.keys.setdefault(at, name.start_byte)
        else:
            path = (*path, parts[-1])
            if path in self._headers or path in self.values:
                self.twice.append((path, name.start_byte, node.start_byte, node.end_byte))
                return
            self._headers.add(path)
        self._around(path, 1, name.start_byte)
        for child in children:
            if child.type == "pair":
                self.pair(child, path)

    def pair(self, node: tree_sitter.Node, path: Key) -> None:
        """Record ``key = value`` under a path."""
        children = [c for c in node.named_children if c.type != "comment"]
        if len(children) < 2 or children[0].type not in _KEYS:
            return
        name, value = children[0], children[1]
        full = (*path, *_parts(name))
        if full in self.values or full in self._headers:
            self.twice.append((full, name.start_byte, node.start_byte, node.end_byte))
            return
        self._around(full, len(path) + 1, name.start_byte)
        self.value(value, full)

    def value(self, node: tree_sitter.Node, path: Key) -> None:
        """Record a value and, for arrays and inline tables, its content."""
        waiting = [(node, path)]
        while waiting:  # a stack instead of recursion: nesting may be deep
            node, path = waiting.pop()
            self.values[path] = node.start_byte
            if node.type == "array":
                elements = [c for c in node.named_children if c.type != "comment"]
                waiting += [(c, (*path, i)) for i, c in enumerate(elements)]
            elif node.type == "inline_table":
                for child in node.named_children:
                    if child.type == "pair":
                        self.pair(child, path)

    def _around(self, path: Key, shortest: int, offset: int) -> None:
        """Record the offset of a key, and of the tables that a dotted key opens."""
        for i in range(shortest, min(len(path), _DEEP)):
            self.keys.setdefault(path[:i], offset)
        self.keys[path] = offset

    def _resolved(self, parts: list[str]) -> Key:
        """Return a path with the index of the latest element after each part that is an array of tables."""
        path: Key = ()
        for part in parts:
            path = (*path, part)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path


def positions(data: bytes) -> Positions:
    """Find every key and value of a TOML text; parts with errors are skipped."""
    found = Positions()
    for node in _top(data):
        if node.type == "pair":
            found.pair(node, ())
        elif node.type in ("table", "table_array_element"):
            found.table(node)
    return found


def _top(data: bytes) -> Iterator[tree_sitter.Node]:
    import tree_sitter  # here: not needed for files without faults
    import tree_sitter_toml

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    yield from parser.parse(data).root_node.named_children


def _parts(node: tree_sitter.Node) -> list[str]:
    """Return the parts of a key; dotted keys nest to the left."""
    parts: list[str] = []
    while node.type == "dotted_key":
        inner = [c for c in node.named_children if c.type in _KEYS]
        parts += [_plain(c) for c in reversed(inner) if c.type != "dotted_key"]
        deeper = [c for c in inner if c.type == "dotted_key"]
        if not deeper:
            return parts[::-1]
        node = deeper[0]
    return [*parts, _plain(node)][::-1]


def _plain(node: tree_sitter.Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type != "quoted_key":
        return text
    try:
        value: Any = tomllib.loads(f"key = {text}")["key"]
    except tomllib.TOMLDecodeError:
        return text
    return str(value)
