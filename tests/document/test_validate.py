"""Pydantic's errors as faults: place, key, and what would be right."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from sbg_sim import document
from sbg_sim.errors import FileFaultsError


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Cat(Strict):
    kind: Literal["cat"]
    lives: int


class Dog(Strict):
    kind: Literal["dog"]
    barks: bool = False


class Zoo(Strict):
    name: str = ""
    size: float = 1
    mood: Literal["calm", "wild"] = "calm"
    limit: Annotated[float, Field(gt=0)] = 1
    score: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    pair: Annotated[list[float], Field(min_length=2, max_length=2)] = [0, 0]
    either: str | list[str] = ""
    some: str | Annotated[list[str], Field(min_length=1)] = ""
    short: Annotated[str, Field(max_length=3)] = ""
    maybe: str | int | None = None
    pets: dict[str, Annotated[Cat | Dog, Field(discriminator="kind")]] = {}


def faults(text: str) -> list[tuple[str, int, int, str]]:
    with pytest.raises(FileFaultsError) as caught:
        document.validate(Zoo, document.parse(text, "zoo.toml"))
    assert all(f.file == "zoo.toml" for f in caught.value.faults)
    return [(f.key, f.line, f.column, f.reason) for f in caught.value.faults]


def test_a_sound_document_gives_the_model():
    zoo = document.validate(Zoo, document.parse('size = 2\n[pets.tom]\nkind = "cat"\nlives = 9'))
    assert (zoo.size, zoo.pets["tom"]) == (2.0, Cat(kind="cat", lives=9))


@pytest.mark.parametrize(
    ("text", "key", "column", "words"),
    [
        ("nmae = 'x'", "nmae", 1, ["unknown key", "did you mean `name`"]),
        ("size = true", "size", 8, ["a number", "true"]),
        ('size = "1"', "size", 8, ["a number", '"1"']),
        ("size = nan", "size", 8, ["finite", "nan"]),
        ("size = -inf", "size", 8, ["finite", "inf"]),
        ("name = 3", "name", 8, ["a string", "3"]),
        ("limit = 0", "limit", 9, ["greater than 0", "not the number 0"]),
        ("score = 0", "score", 9, ["must be at least 1, not the number 0"]),
        ("score = 1_000_001", "score", 9, ["must be at most 1000000, not"]),
        ("pair = [1]", "pair", 8, ["at least 2 entries", "not 1"]),
        ("pair = [1, 'x']", "pair[1]", 12, ["a number", '"x"']),
        ("pair = 3", "pair", 8, ["an array"]),
        ("either = 3", "either", 10, ["a string or an array"]),
        ("either = ['x', 3]", "either[1]", 16, ["a string"]),
        ("some = []", "some", 8, ["at least 1 entry", "not 0"]),
        ("short = 'long'", "short", 9, ["should have at most 3 characters"]),
        ("maybe = 1.5", "maybe", 9, ["a string or a whole number"]),
        ("mood = 'widl'", "mood", 8, ["did you mean `wild`"]),
        ("mood = 5", "mood", 8, ["`calm`, `wild`"]),
        ("pets = 3", "pets", 8, ["a table"]),
        ("pets = [{ kind = 'cat' }]", "pets", 8, ["must be a table, not an array; write [pets.NAME] for each"]),
        ("pair = { tom = {} }", "pair", 8, ["must be an array, not a table; write [[pair]] for each"]),
        ("pets.tom = { kind = 'cow' }", "pets.tom.kind", 21, ["cow", "`cat`, `dog`"]),
        ("pets.tom = { lives = 9 }", "pets.tom.kind", 12, ["missing; it says which kind this is: cat, dog"]),
        ("pets.tom = { kind = 'cat' }", "pets.tom.lives", 1, ["missing"]),
        ("pets.tom = { kind = 'dog', brks = true }", "pets.tom.brks", 28, ["did you mean `barks`"]),
        ("pets.tom = { kind = 'cat', lives = 1.5 }", "pets.tom.lives", 36, ["a whole number", "1.5"]),
        ("size = 2020-01-01", "size", 8, ["a number", "date"]),
        ("size = " + "9" * 400, "size", 8, ["a number"]),
    ],
)
def test_each_fault_once_with_its_place(text, key, column, words):
    ((found, line, at, reason),) = faults(text)
    assert (found, line, at) == (key, 1, column)
    assert all(word in reason for word in words), reason


def test_all_faults_in_the_order_of_the_file():
    found = faults("name = 3\n[pets.a]\nkind = 'cat'\nlives = 'x'\n[pets.b]\nkind = 'dog'\nbark = 1\n")
    assert [(key, line) for key, line, _, _ in found] == [
        ("name", 1),
        ("pets.a.lives", 4),
        ("pets.b.bark", 7),
    ]


def test_unknown_key_of_a_branch_lists_that_branch_only():
    ((_, _, _, reason),) = faults("pets.tom = { kind = 'cat', lives = 9, xyz = 1 }")
    assert "`lives`" in reason
    assert "`barks`" not in reason


def test_a_key_given_twice_comes_with_the_other_faults():
    assert [key for key, *_ in faults("name = 3\nsize = 1\nsize = 2\n")] == ["name", "size"]
    assert [(key, line) for key, line, *_ in faults("size = 1\nsize = 2\n")] == [("size", 2)]


def test_many_wrong_values_end_soon():
    assert len(faults("pair = [" + "true," * 20_000 + "]")) <= document.validate.__globals__["MAX_FAULTS"]
