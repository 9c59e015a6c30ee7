"""Documents read by forms: every fault with its place and what would be right; the schema of a form."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from sbg_sim import document
from sbg_sim.document.form import EMPTY, NAMED, Entries, Form, key
from sbg_sim.document.kinds import MAX_FAULTS
from sbg_sim.errors import FileFaultsError


class Cat(Form):
    kind: Literal["cat"] = key("which animal")
    lives: int = key("how often it falls")


class Dog(Form):
    kind: Literal["dog"] = key("which animal")
    barks: bool = key("whether it is heard", default=False)


class Zoo(Form):
    """Animals."""

    name: str = key("on the gate", "")
    size: float = key("acres", 1)
    mood: Literal["calm", "wild"] = key("of the day", "calm")
    limit: float = key("of visitors", 1, above=0)
    pair: Annotated[list[float], Entries(2, 2)] = key("where it is", (0, 0))
    maybe: int | None = key("a guess", None)
    from_: Annotated[str, NAMED] = key("the founder", "nobody", named="from")
    pets: dict[str, Annotated[Cat | Dog, "kind"]] = key("by name", EMPTY)


def faults(text: str) -> list[tuple[str, int, int, str]]:
    with pytest.raises(FileFaultsError) as caught:
        document.validate(Zoo, document.parse(text, "zoo.toml"))
    assert all(f.file == "zoo.toml" for f in caught.value.faults)
    return [(f.key, f.line, f.column, f.reason) for f in caught.value.faults]


def test_a_sound_document_gives_the_model():
    zoo = document.validate(Zoo, document.parse('size = 2\n[pets.tom]\nkind = "cat"\nlives = 9'))
    assert (zoo.size, zoo.pets["tom"]) == (2.0, zoo.pets["tom"])
    assert (type(zoo.pets["tom"]), zoo.pets["tom"].lives) == (Cat, 9)
    assert (zoo.name, zoo.maybe, zoo.from_) == ("", None, "nobody")


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
        ("pair = [1]", "pair", 8, ["at least 2 entries", "not 1"]),
        ("pair = [1, 'x']", "pair[1]", 12, ["a number", '"x"']),
        ("pair = 3", "pair", 8, ["an array"]),
        ("maybe = 1.5", "maybe", 9, ["a whole number"]),
        ("maybe = true", "maybe", 9, ["a whole number", "true"]),
        ("from = ''", "from", 8, ["at least 1 character"]),
        ("from_ = 'x'", "from_", 1, ["unknown key", "did you mean `from`"]),
        ("pets = { tom = 3 }", "pets.tom", 16, ["a table"]),
        ("mood = 'widl'", "mood", 8, ["did you mean `wild`"]),
        ("mood = 5", "mood", 8, ["`calm`, `wild`"]),
        ("pets = 3", "pets", 8, ["a table"]),
        ("pets.tom = { kind = 'cow' }", "pets.tom.kind", 21, ["cow", "`cat`, `dog`"]),
        ("pets.tom = { lives = 9 }", "pets.tom.kind", 12, ["missing"]),
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


def test_many_wrong_values_end_soon():
    assert len(faults("[pets]\n" + "".join(f"a{i} = 3\n" for i in range(20_000)))) == MAX_FAULTS


def test_a_form_describes_itself():
    schema = Zoo.json_schema()
    assert (schema["title"], schema["description"], schema["required"]) == ("Zoo", "Animals.", [])
    assert schema["properties"]["limit"] == {
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "of visitors",
        "default": 1,
    }
    assert schema["properties"]["pair"]["minItems"] == schema["properties"]["pair"]["maxItems"] == 2
    assert "from" in schema["properties"]
    assert schema["properties"]["pets"]["additionalProperties"]["oneOf"] == [
        {"$ref": "#/$defs/Cat"},
        {"$ref": "#/$defs/Dog"},
    ]
    assert schema["$defs"]["Cat"]["required"] == ["kind", "lives"]


def test_a_copy_has_other_values_and_leaves_the_first_alone():
    zoo = document.validate(Zoo, document.parse("size = 2"))
    assert (zoo.having({"size": 3.0}).size, zoo.size) == (3.0, 2.0)
