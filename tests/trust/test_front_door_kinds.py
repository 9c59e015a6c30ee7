"""Values of wrong kinds at every function of the front door: one of our own errors, in a sentence, never Python's."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import shapely

import sbg_sim as sbg

MAN = {"base": 1, "height": 2, "move": 3}
TABLE = sbg.Table(
    12, 12, models={"a": {**MAN, "side": "good", "at": [3, 6]}, "x": {**MAN, "side": "evil", "at": [7, 6]}}
)
ASKED = sbg.Charge("a", "x")
ROUTE = sbg.check(TABLE, ASKED, alternatives=False).route
WRONG = [
    *(None, -1, 1.5, math.nan, math.inf, True, np.float64(2), 10**30),
    *("", "zz", b"a", [], ["a"], {}, {"a": 1}, (1, 2), object(), ASKED, sbg.Move("a", (4, 6)), sbg),
]

CALLS = {
    "check": lambda v: sbg.check(TABLE, v),
    "check of": lambda v: sbg.check(v, ASKED),
    "certainty": lambda v: sbg.certainty(TABLE, v),
    "certainty of": lambda v: sbg.certainty(v, ASKED),
    "reach": lambda v: sbg.reach(TABLE, v),
    "least": lambda v: sbg.reach(TABLE, "a", least=v),
    "charges": lambda v: sbg.charges(TABLE, v),
    "denials": lambda v: sbg.denials(TABLE, v),
    "flips": lambda v: sbg.flips(TABLE, v),
    "flips limit": lambda v: sbg.flips(TABLE, ASKED, limit=v),
    "threats": lambda v: sbg.threats(TABLE, v),
    "safe": lambda v: sbg.safe(TABLE, v),
    "screen": lambda v: sbg.screen(TABLE, v),
    "screen most": lambda v: None if v == 10**30 else sbg.screen(TABLE, "a", most=v),
    "simulate": lambda v: sbg.simulate(TABLE, v, trials=2),
    "trials": lambda v: sbg.simulate(TABLE, ASKED, trials=v),
    "seed": lambda v: sbg.simulate(TABLE, ASKED, trials=2, seed=v),
    "sweep": lambda v: sbg.sweep(v, ASKED, "models.a.move", [1]),
    "sweep key": lambda v: sbg.sweep(TABLE, ASKED, v, [1]),
    "sweep value": lambda v: sbg.sweep(TABLE, ASKED, "models.a.move", [v]),
    "campaign": lambda v: sbg.campaign(TABLE, v),
    "campaign route": lambda v: sbg.campaign(TABLE, ASKED, v),
    "within": lambda v: None if v == 10**30 else sbg.campaign(TABLE, ASKED, ROUTE).within(v),
    "turns_for": lambda v: sbg.campaign(TABLE, ASKED, ROUTE).turns_for(v),
    "push": lambda v: sbg.Phase(TABLE, "good").push(v),
    "delay": lambda v: sbg.Phase(TABLE, "good").delay(v),
    "choose": lambda v: sbg.Phase(TABLE, "good").choose(v),
    "hooks": lambda v: sbg.Phase.begin(TABLE, "good", hooks=v),
    "replay": lambda v: sbg.replay(TABLE, v),
    "audit": lambda v: sbg.audit(TABLE, "a", v),
    "charging": lambda v: sbg.audit(TABLE, "a", ROUTE, charging=v),
    "circle": lambda v: sbg.circle((1, 1), v),
    "line": lambda v: sbg.line([(1, 1), (2, 2)], v),
    "holes": lambda v: sbg.polygon([(0, 0), (1, 0), (1, 1)], v),
    "to": lambda v: sbg.check(TABLE, sbg.Move("a", v)),
    "mover": lambda v: sbg.check(TABLE, sbg.Move(v, (4, 6))),
    "target": lambda v: sbg.check(TABLE, sbg.Charge("a", v)),
    "measure": lambda v: sbg.check(TABLE, sbg.Measure("a", v)),
    "gap": lambda v: sbg.check(TABLE, sbg.Gap(v, "a")),
    "sight": lambda v: sbg.check(TABLE, sbg.Sight("a", v)),
    "under": lambda v: TABLE.under(v, "yes"),
    "reading": lambda v: TABLE.under("eye", v),
    "having": lambda v: TABLE.having("a", move=v),
    "models": lambda v: sbg.Table(12, 12, models=v),
    "off": lambda v: sbg.Table(12, 12, off=v),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_is_of_the_wrong_kind_is_told_in_our_words(name):
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for value in WRONG:
            try:
                CALLS[name](value)
            except sbg.SbgError as error:  # anything else fails the test
                told.append(str(error))
    assert len(told) > 5
    assert all(10 < len(said) < 600 for said in told)


def test_certainty_takes_the_id_of_a_question():
    table = sbg.load("scenarios/charging-2.toml")
    asked = table.asked("third-to-pippin").question
    doubts = {"uruk-3": 4}
    assert sbg.certainty(table, "third-to-pippin", doubts=doubts) == sbg.certainty(table, asked, doubts=doubts)


@pytest.mark.parametrize(
    ("key", "said"),
    [("models.a.at", "models.a.at.x or models.a.at.y"), ("terrain.w.at", "terrain.ID.x"), ("", "begins with models")],
)
def test_a_key_of_a_place_is_told_its_axes(key, said):
    with pytest.raises(sbg.UnknownNameError, match=said):
        sbg.sweep(TABLE, ASKED, key, [1])


@pytest.mark.parametrize(
    "at",
    [
        (True, 2), ("5", "5"), b"ab", bytearray(b"ab"), np.array([True, False]), (10**400, 1), np.array([[5], [5]]),
        np.ma.array([5, 6], mask=[True, False]), memoryview(b"ab"), {13, 8}, {8: 1, 13: 1}, shapely.Point(),
    ],
    ids=lambda at: type(at).__name__ if isinstance(at, memoryview) else str(at),
)  # fmt: skip
def test_a_place_is_two_numbers_as_in_a_file(at):
    """Bytes and truths were taken for numbers, and a set for a place, its numbers in whatever order."""
    with pytest.raises(sbg.SbgError, match="must be a place"):
        sbg.Move("a", at)
    with pytest.raises(sbg.SbgError, match=r"must be a (place|number)"):
        sbg.Table(12, 12, models={"m": sbg.Model("m", at, 1)})


@pytest.mark.parametrize("ask", [sbg.check, sbg.simulate, sbg.flips, sbg.rulings, sbg.campaign])
@pytest.mark.parametrize(
    "question", [sbg.Charge("a", ("x", "x")), {"ask": "charge", "model": "a", "target": ["x"] * 2}]
)
def test_nobody_is_charged_twice_at_once(ask, question):
    """From Python the answer was a no for another reason."""
    with pytest.raises(sbg.QuestionError, match="names one model twice"):
        ask(TABLE, question)


@pytest.mark.parametrize("ask", [sbg.check, sbg.simulate, sbg.flips, sbg.doubt, sbg.rulings, sbg.campaign])
@pytest.mark.parametrize(
    "question", [sbg.Charge("a", "a"), sbg.Charge("a", ("x", "a")), {"ask": "charge", "model": "a", "target": "a"}]
)
def test_nobody_charges_itself(ask, question):
    """From Python and on the page the answer was a no, with a way and costs; a file with such a question is refused."""
    with pytest.raises(sbg.QuestionError, match="a cannot charge itself"):
        ask(TABLE, question)
