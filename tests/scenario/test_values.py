"""Values of the table by themselves: what they refuse, and how they look from outside."""

import math
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.errors import MissingPackageError, QuestionError, UnknownNameError
from sbg_sim.geometry.shapes import circle, from_shapely, polygon
from sbg_sim.scenario.build import entry_of
from sbg_sim.scenario.geojson import of
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

ROOF = {"tags": ["platform"], "polygon": [[8, 8], [12, 8], [12, 12], [8, 12]], "height": 3}
RUNGS = {"tags": ["ladder"], "at": [8, 10], "to": "roof"}


def test_what_is_no_table_is_not_asked():
    with pytest.raises(QuestionError, match="17 is not a table"):
        sbg.check(17, "can-he")


def test_a_ruling_that_there_is_not():
    with pytest.raises(UnknownNameError, match="no ruling is called 'eyes'"):
        Rulings(FrozenMap({"eyes": "volume"}))


def test_models_and_ladders_are_points_to_others():
    table = sbg.Table(24, 24, models={"merry": {"at": [4, 5], "base": 1}}, terrain={"roof": ROOF, "rungs": RUNGS})
    assert shapely.geometry.shape(table.model("merry")).equals(shapely.Point(4, 5))
    assert shapely.geometry.shape(table.piece("rungs")).equals(shapely.Point(8, 10))


def test_what_python_holds_is_read_as_what_a_file_says():
    third, spot = Fraction(1, 2), shapely.Point(4, 5)
    given = {
        "models": {"merry": {"at": spot, "base": third}},
        "terrain": {"roof": {**ROOF, "depth": None}},
        "questions": {"q": {"ask": "measure", "from": "merry", "to": "roof", "needed": "4 - 1/4"}},
    }
    table = sbg.Table(24, 24, **given)
    assert (table.model("merry").at, table.model("merry").base) == ((4.0, 5.0), 0.5)
    assert sbg.check(table, "q").inches == pytest.approx(math.hypot(4, 3) - 0.25)
    again = replace(table, horizon=9.0)
    assert sbg.loads(sbg.dump(again)) == again
    with pytest.raises(sbg.SbgError, match=r"terrain\.roof: must be a table, not the number 3"):
        sbg.Table(24, 24, terrain={"roof": 3})
    wrong = (("maybe", 'cannot be "maybe"'), ("5/x", 'cannot be "5/x"'), (10**400, "must be a finite number"))
    for expect, said in wrong:
        with pytest.raises(sbg.SbgError, match=said):
            table.asked({"ask": "measure", "from": "merry", "to": "roof", "expect": expect})
    with pytest.raises(sbg.SbgError, match="belongs to a file"):
        table.having("merry", profile="hobbit")


@pytest.mark.parametrize(
    ("given", "said"), [({"model": "a", "to": 3}, "to: must be an array"), ({}, "model: is missing")]
)
def test_a_move_that_is_none(given, said):
    with pytest.raises(QuestionError, match=said):
        entry_of(given)


def test_the_foot_of_a_ladder_may_be_a_list():
    assert Terrain("rungs", frozenset({"ladder"}), at=[8, 10], to="roof").at == (8.0, 10.0)


def test_a_ladder_has_no_shape():
    rungs = Terrain("rungs", frozenset({"ladder"}), circle((8, 10), 0.5), at=(8.0, 10.0), to="roof")
    with pytest.raises(sbg.SbgError, match="takes at and to, and no shape"):
        sbg.Table(24, 24, terrain={"roof": ROOF, "rungs": rungs})


@pytest.mark.parametrize("body", [shapely.LineString([(0, 0), (1, 1)]), shapely.Polygon(), "a wall"])
def test_what_is_no_polygon_is_no_shape(body):
    with pytest.raises(QuestionError, match="a shape is polygon"):
        from_shapely(body)
    whole = from_shapely(shapely.box(0, 0, 2, 1))
    assert whole.bounds == polygon([(0, 0), (2, 0), (2, 1), (0, 1)]).bounds


@pytest.mark.skipif(find_spec("geopandas") is not None, reason="geopandas is there")
def test_a_frame_without_geopandas():
    with pytest.raises(MissingPackageError, match="geopandas"):
        sbg.Table(24, 24).to_geopandas()


@pytest.mark.parametrize("length", ["-0.0", '"-0 mm"'])
def test_a_length_of_minus_nothing_is_nothing(length):
    head = "[table]\nwidth = 24\ndepth = 24\n"
    table = sbg.loads(f"{head}[models.a]\nat = [3, 3]\nbase = 1\nmove = {length}\nside = 'good'\n")
    reason = sbg.check(table, sbg.Move("a", (9, 3))).reason
    assert "-0" not in reason
    assert "has 0," in reason


WALL = shapely.box(2, 2, 10, 10) - shapely.box(4, 4, 8, 8)
RAILS = shapely.MultiLineString([[(1, 1), (3, 3)], [(5, 5), (6, 6)]])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"models": {"a": {"at": {6, 12}, "base": 1, "side": "evil"}}}, "models.a.at: must be an array, not the set"),
        ({"terrain": {"rails": {"line": RAILS, "thickness": 0.5}}}, "line: must be an array, not the MultiLineString"),
        ({"terrain": {"rails": {"line": WALL, "thickness": 0.5}}}, "line: must be an array, not the Polygon"),
    ],
)
def test_what_has_no_order_and_what_hangs_not_together_is_no_array(given, said):
    """A set would be a place at random, and the parts of a line would be joined by a wall that nobody drew."""
    with pytest.raises(sbg.SbgError, match=said):
        sbg.Table(24, 24, **given)


@pytest.mark.parametrize("key", ["shape", "polygon", "wkt"])
def test_a_shape_of_shapely_keeps_its_holes_under_any_key(key):
    table = sbg.Table(24, 24, terrain={"wall": {"tags": ["obstacle"], "height": 1, key: WALL}})
    assert table.terrain["wall"].shape.to_shapely().area == pytest.approx(48)


class Frame:
    """What compares by its entries, as frames and arrays do, and is written in many lines."""

    def __eq__(self, other):
        raise ValueError("the truth value is ambiguous")

    __hash__ = None

    def __str__(self):
        return "a  1\nb  2"


@pytest.mark.parametrize("held", [Frame(), np.zeros((2, 2))])
@pytest.mark.parametrize("key", ["models", "terrain", "questions", "rulings", "title", "tolerance", "horizon"])
def test_frames_and_arrays_in_the_place_of_other_values_are_refused(key, held):
    with pytest.raises(
        sbg.FileFaultsError, match=rf"{key}: must be a (table|string|number), not (the Frame a 1 b 2|an array)$"
    ):
        sbg.Table(24, 24, **{key: held})


def test_a_frame_names_no_side_no_target_and_no_result():
    table = sbg.load("scenarios/charging-2.toml")
    with pytest.raises(UnknownNameError, match="a side is named by its word, a string"):
        sbg.threats(table, np.zeros(2))
    with pytest.raises(QuestionError, match="target: must be the id of a model"):
        sbg.Charge("uruk-3", np.array(["pippin", "aragorn"]))
    with pytest.raises(sbg.SbgError, match=r"label=.* cannot be: it is words"):
        sbg.plot(table, label=np.zeros(2))


def test_two_tables_are_one_value_when_all_on_them_is():
    """A mapping is as it is whatever kind it is of; what is no mapping, or holds anything else, is another value."""
    models = {"a": sbg.Model("a", (3, 3), 1.0), "b": sbg.Model("b", (6, 3), 1.0)}
    table = sbg.Table(24, 24, models=models)
    assert table == sbg.Table(24, 24, models=dict(models))
    assert hash(table.models) == hash(sbg.Table(24, 24, models=dict(models)).models)
    for other in ({"a": models["a"]}, models | {"b": sbg.Model("b", (6, 4), 1.0)}, {}):
        assert table != sbg.Table(24, 24, models=other)
    assert table.models == models
    assert table.models != models | {"c": models["a"]}
    assert table.models != list(models.items())


def test_a_distance_has_no_way_to_be_drawn():
    models = {"a": {"at": [4, 4], "base": 1}, "b": {"at": [8, 4], "base": 1}}
    found = of(sbg.check(sbg.Table(24, 24, models=models), sbg.Measure("a", "b")))
    assert (found["geometry"], found["properties"]["reason"]) == (None, "a to b: 3 in between their nearest edges")
