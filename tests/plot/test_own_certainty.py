"""How sure an answer is, as a picture; and that every result of the front door has one."""

import inspect

import pytest

import sbg_sim as sbg
from sbg_sim.pictured import Pictured


def result(name):
    """The class that a function of the front door returns, where it is a result of ours."""
    said = inspect.signature(getattr(sbg, name)).return_annotation
    kind = getattr(sbg, str(said), None)
    return kind if isinstance(kind, type) else None


def test_every_result_of_the_front_door_shows_itself():
    functions = [name for name in sbg.__all__ if inspect.isfunction(getattr(sbg, name))]
    kinds = {name: kind for name in functions if (kind := result(name)) is not None}
    assert len(kinds) > 12
    dumb = {name for name, kind in kinds.items() if not hasattr(kind, "_repr_svg_")}
    assert dumb == {"verify", "circle", "line", "polygon"}  # what a certificate is worth is said in words


@pytest.mark.parametrize(("off", "told"), [("6 mm", "no, wherever all stand within the doubt"), (2.0, "not sure: ")])
def test_an_answer_within_a_doubt_says_whether_it_holds_and_how_far_off_bases_may_be(off, told, by_gid, words):
    table = sbg.load("scenarios/charging-2.toml")
    found = sbg.certainty(table, "third-to-pippin", doubts={"uruk-3": off})
    ax = sbg.plot(found)
    (ring,) = by_gid(ax, "doubt-")
    assert ring.center == table.model("uruk-3").at
    assert ring.radius == pytest.approx(table.model("uruk-3").radius + found.doubts["uruk-3"])
    said = [entry.replace("\n", " ") for entry in words(ax)]
    assert any(entry.startswith(told) for entry in said)
    assert any("its base may be up to" in entry for entry in said)
    assert isinstance(found, Pictured)
    assert found._repr_svg_().startswith("<svg")
    assert "verdict" not in found.as_json()


def test_without_a_doubt_nobody_is_ringed(by_gid):
    table = sbg.load("scenarios/charging-2.toml")
    assert by_gid(sbg.plot(sbg.certainty(table, "third-to-pippin", doubts={})), "doubt-") == []
