"""Every fault of a file once, with line, column, key and what would be right."""

from __future__ import annotations

import pytest

from tests.scenario.faulty import DECK, MODELS, SQUARE, faults

ONE = [
    # the table
    ("[terrian.w]\ntags = ['difficult']\n" + SQUARE, "terrian", 1, ["unknown key", "`terrain`"]),
    ("[rulings]\neyes = 'centre'\n", "rulings.eyes", 2, ["`eye`"]),
    ("[rulings]\neye = 'nose'\n", "rulings.eye", 2, ["`centre`", "`volume`"]),
    ("[rulings]\nzzz = 1\n", "rulings.zzz", 2, ["no such ruling"]),
    ("[rulings]\neye = 1\n", "rulings.eye", 2, ["cannot be the number 1", "`centre`", "`volume`"]),
    ("[rulings]\neyes = ['centre']\n", "rulings.eyes", 2, ["no such ruling", "`eye`"]),
    (MODELS + "waited = 1\n", "models.b.waited", 10, ["off_table = true"]),
    (MODELS + "off_table = true\nwaited = -1\n", "models.b.waited", 11, ["at least 0"]),
    ("[profiles.p]\nwaited = 1\n", "profiles.p.waited", 2, ["belongs to a model"]),
    ("[questions.q]\nask = ['charge']\n", "questions.q.ask", 2, ["cannot be an array", "`charge`"]),
    # what is misspelt is missing nowhere, and what it gives is known
    (MODELS.replace("base", "bsae", 1), "models.a.bsae", 3, ["unknown key", "`base`"]),
    (MODELS.replace("at =", "att =", 1), "models.a.att", 2, ["unknown key", "`at`"]),
    (MODELS.replace("models.b", "model.b"), "model", 6, ["unknown key", "`models`"]),
    ("[profiles.p]\nbsae = 1\n[models.a]\nat = [3, 3]\nprofile = 'p'\n", "profiles.p.bsae", 2, ["`base`"]),
    (DECK.replace("polygon", "polygone"), "terrain.deck.polygone", 4, ["unknown key", "`polygon`"]),
    (DECK.replace("height", "heigth"), "terrain.deck.heigth", 3, ["unknown key", "`height`"]),
    (
        "[terrain.l]\nline = [[1, 1], [3, 3]]\nthicknes = 1\ntags = ['difficult']\n",
        "terrain.l.thicknes",
        3,
        ["`thickness`"],
    ),
    (MODELS + "[phase]\npriorty = 'x'\n", "phase.priorty", 11, ["`priority`"]),
    (MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'a'\ntoo = [2, 3]\n", "moves[0].too", 14, ["`to`"]),
    (MODELS + "[questions.q]\nask = 'charge'\nmodle = 'a'\ntarget = 'b'\n", "questions.q.modle", 12, ["`model`"]),
    # models
    ("[models.a]\nat = [3, 3]\n", "models.a.base", 1, ["missing"]),
    ("[models.a]\nbase = 1\n", "models.a.at", 1, ["missing", "off_table"]),
    ("[models.a]\nat = [3, 3]\nbase = 0\n", "models.a.base", 3, ["greater than 0"]),
    ("[models.a]\nat = [3, 3]\nbase = 1e-300\n", "models.a.base", 3, ["at least 1e-06"]),
    ("[models.a]\nat = [3, 3]\nbase = '-25 mm'\n", "models.a.base", 3, ["greater than 0"]),
    ("[models.a]\nat = [3, 3]\nbase = '25'\n", "models.a.base", 3, ["not a length", "25 mm"]),
    ("[models.a]\nat = [3, 3]\nbase = true\n", "models.a.base", 3, ["a number", "true"]),
    ("[models.a]\nat = [3, nan]\nbase = 1\n", "models.a.at[1]", 2, ["finite"]),
    ("[models.a]\nat = [3, inf]\nbase = 1\n", "models.a.at[1]", 2, ["finite"]),
    ("[models.a]\nat = [1e308, 3]\nbase = 1\n", "models.a.at", 2, ["beyond 100000 in"]),
    ("[models.a]\nat = [3, 3]\nbase = 1e308\n", "models.a.base", 3, ["beyond 100000 in"]),
    ("[terrain.w]\nwkt = 'POLYGON ((0 0, nan 1, 1 1, 0 0))'\n", "terrain.w.wkt", 2, ["finite"]),
    ("[terrain.w]\nwkt = 'POLYGON ((0 0, 1e400 1, 1 1, 0 0))'\n", "terrain.w.wkt", 2, ["finite"]),
    ("[models.a]\nat = ['3', 3]\nbase = 1\n", "models.a.at[0]", 2, ["a number", '"3"']),
    ("[models.a]\nat = [3]\nbase = 1\n", "models.a.at", 2, ["at least 2"]),
    ("[models.a]\nat = [3, 3]\nbase = 1\nheight = -1\n", "models.a.height", 4, ["greater than 0"]),
    ("[models.a]\nat = [3, 3]\nbase = 1\nmove = -1\n", "models.a.move", 4, ["at least 0"]),
    (
        "[models.a]\nat = [3, 3]\nbase = 1\nprofile = 'orc'\n[profiles.orcs]\n",
        "models.a.profile",
        4,
        ["`orcs`"],
    ),
    ("[profiles.orc]\nat = [3, 3]\n", "profiles.orc.at", 2, ["belongs to a model"]),
    ("[models.a]\nat = [0.4, 3]\nbase = 1\n", "models.a.at", 2, ["0.1 in over", "edge"]),
    ("[models.a]\nat = [30, 3]\nbase = 1\n", "models.a.at", 2, ["6.5 in over"]),
    (
        "[models.a]\nat = [3, 3]\nbase = 1\n[models.b]\nat = [3.9, 3]\nbase = 1\n",
        "models.b.at",
        5,
        ["`a` by 0.1 in"],
    ),
    (MODELS + "engaged = ['c']\n", "models.b.engaged", 10, ["no model", "`c`"]),
    (MODELS + "engaged = ['b']\n", "models.b.engaged", 10, ["itself"]),
    (MODELS.replace("'y'", "'x'") + "engaged = ['a']\n", "models.a.engaged", 1, ["same side"]),
    (DECK + "[models.a]\nat = [3, 3]\nbase = 1\non = 'dek'\n", "models.a.on", 8, ["no platform", "`deck`"]),
    (
        DECK + "[models.a]\nat = [10.4, 12]\nbase = 1\non = 'deck'\n",
        "models.a.at",
        6,
        ["0.1 in over the rim"],
    ),
    (DECK + "[models.a]\nat = [9.6, 12]\nbase = 1\n", "models.a.at", 6, ["overlaps `deck`", 'on = "deck"']),
    # terrain
    ("[terrain.w]\ntags = ['obstacle']\nheight = 1\n", "terrain.w", 1, ["no shape", "polygon"]),
    ("[terrain.w]\ntags = ['obstacle']\n" + SQUARE, "terrain.w.height", 1, ["missing", "obstacle"]),
    (
        "[terrain.w]\ntags = ['platform', 'unscalable']\n" + SQUARE,
        "terrain.w.height",
        1,
        ["missing", "platform"],
    ),
    ("[terrain.w]\ntags = ['dificult']\n" + SQUARE, "terrain.w.tags[0]", 2, ["`difficult`"]),
    ("[terrain.w]\nheight = 0\n" + SQUARE, "terrain.w.height", 2, ["greater than 0"]),
    ("[terrain.w]\ndepth = 1\n" + SQUARE, "terrain.w.depth", 2, ["gap"]),
    ("[terrain.w]\ntags = ['gap']\ndepth = -1\n" + SQUARE, "terrain.w.depth", 3, ["greater than 0"]),
    ("[terrain.w]\npolygon = [[1, 1], [2, 2]]\n", "terrain.w.polygon", 2, ["at least 3", "not 2"]),
    ("[terrain.w]\npolygon = [[1, 1], [2, 2], [1, 1], [2, 2]]\n", "terrain.w.polygon", 2, ["at least 3"]),
    ("[terrain.w]\npolygon = []\n", "terrain.w.polygon", 2, ["at least 3"]),
    ("[terrain.w]\npolygon = [[1, 1], [2, 2], [3, 3]]\n", "terrain.w.polygon", 2, ["no area"]),
    (
        "[terrain.w]\npolygon = [[1, 1], [2, 2], [2, 1], [1, 2]]\n",
        "terrain.w.polygon",
        2,
        ["crosses", "(1.5, 1.5)"],
    ),
    (
        "[terrain.w]\n" + SQUARE + "holes = [[[2.5, 2.5], [3, 3], [3, 2.5], [2.5, 3]]]\n",
        "terrain.w.holes[0]",
        3,
        ["crosses"],
    ),
    (
        "[terrain.w]\n" + SQUARE + "holes = [[[7, 7], [8, 7], [8, 8]]]\n",
        "terrain.w.holes[0]",
        3,
        ["do not fit"],
    ),
    (
        "[terrain.w]\n" + SQUARE + "circle = { center = [1, 1], radius = 1 }\n",
        "terrain.w.circle",
        3,
        ["second shape"],
    ),
    (
        "[terrain.w]\ncircle = { center = [2, 2], radius = -1 }\n",
        "terrain.w.circle.radius",
        2,
        ["greater than 0"],
    ),
    ("[terrain.w]\nline = [[2, 2], [4, 4]]\n", "terrain.w.thickness", 1, ["missing"]),
    ("[terrain.w]\nline = [[2, 2], [4, 4]]\nthickness = 0\n", "terrain.w.thickness", 3, ["greater than 0"]),
    ("[terrain.w]\nline = [[2, 2]]\nthickness = 1\n", "terrain.w.line", 2, ["at least 2"]),
    ("[terrain.w]\n" + SQUARE + "thickness = 1\n", "terrain.w.thickness", 3, ["a line"]),
    (
        "[terrain.w]\ncircle = { center = [2, 2], radius = 1 }\nholes = []\n",
        "terrain.w.holes",
        3,
        ["a polygon"],
    ),
    ("[terrain.w]\nwkt = 'POLYGON ((1 1, 2'\n", "terrain.w.wkt", 2, ["not WKT"]),
    ("[terrain.w]\nwkt = 'POINT (1 1)'\n", "terrain.w.wkt", 2, ["POLYGON", "POINT"]),
    ("[terrain.w]\nwkt = 'POLYGON EMPTY'\n", "terrain.w.wkt", 2, ["POLYGON"]),
    ("[terrain.w]\nwkt = 'POLYGON ((1 1, 2 2, 2 1, 1 2, 1 1))'\n", "terrain.w.wkt", 2, ["crosses"]),
    ("[terrain.w]\ncircle = { center = [30, 2], radius = 5 }\n", "terrain.w.circle", 2, ["wholly off"]),
    ("[terrain.w]\ntags = ['ladder']\nto = 'deck'\n" + DECK, "terrain.w.at", 1, ["missing"]),
    ("[terrain.w]\nat = [1, 1]\n" + SQUARE, "terrain.w.at", 2, ["ladder"]),
    ("[terrain.w]\non = 'dekc'\n" + SQUARE + DECK, "terrain.w.on", 2, ["`deck`"]),
    (DECK.replace("height", "on = 'deck'\nheight"), "terrain.deck.on", 3, ["itself"]),
    ("[terrain.w]\nlets_through = ['c']\n" + SQUARE, "terrain.w.lets_through", 2, ["no model"]),
    ("[models.w]\nat = [9, 9]\nbase = 1\n[terrain.w]\n" + SQUARE, "terrain.w", 4, ["a model's too"]),
    # a model inside something
    (
        "[terrain.w]\ntags = ['obstacle']\nheight = 9\n" + SQUARE + MODELS.replace("3, 3", "4.4, 3"),
        "models.a.at",
        6,
        ["`w`"],
    ),
    ("[terrain.w]\ntags = ['obstacle']\nheight = 0.1\n" + SQUARE + MODELS, "models.a.at", 6, ["`w`"]),
    ("[terrain.w]\ntags = ['unscalable']\n" + SQUARE + MODELS, "models.a.at", 5, ["`w`"]),
    ("[terrain.w]\ntags = ['gap']\n" + SQUARE + MODELS, "models.a.at", 5, ["gap `w`"]),
    # questions
    (MODELS + "[questions.q]\nask = 'mvoe'\n", "questions.q.ask", 11, ["`move`"]),
    (MODELS + "[questions.q]\nmodel = 'a'\n", "questions.q.ask", 10, ["missing"]),
    (MODELS + "[questions.q]\nask = 'move'\nmodel = 'a'\n", "questions.q.to", 10, ["missing"]),
    (
        MODELS + "[questions.q]\nask = 'reach'\nmodel = 'a'\nto = [1, 1]\n",
        "questions.q.to",
        13,
        ["unknown key"],
    ),
    (MODELS + "[questions.q]\nask = 'reach'\nmodel = 'aa'\n", "questions.q.model", 12, ["`a`"]),
    (
        MODELS + "[questions.q]\nask = 'sight'\nmodel = 'a'\ntarget = 'a'\n",
        "questions.q.target",
        13,
        ["itself"],
    ),
    (
        MODELS + "[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = ['b', 'c']\n",
        "questions.q.target[1]",
        13,
        ["`c`"],
    ),
    (
        MODELS + "[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = ['b', 'b']\n",
        "questions.q.target[1]",
        13,
        ["twice"],
    ),
    (
        MODELS + "[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = []\n",
        "questions.q.target",
        13,
        ["at least one"],
    ),
    (
        MODELS + "[questions.q]\nask = 'measure'\nfrom = 'a'\nto = 'wal'\n",
        "questions.q.to",
        13,
        ["model or terrain"],
    ),
    (
        MODELS + "[questions.q]\nask = 'gap'\nmodel = 'a'\nbetween = ['b']\n",
        "questions.q.between",
        13,
        ["at least 2"],
    ),
    *(
        (
            MODELS + f"[questions.q]\nask = 'gap'\nmodel = 'a'\nbetween = [\n{names},\n]\n",
            f"questions.q.between[{i}]",
            14 + i,
            ["model or terrain"],
        )
        for i, names in enumerate(["'wal',\n'b'", "'b',\n'wal'"])
    ),
    (
        MODELS + "[questions.q]\nask = 'reach'\nmodel = 'a'\nexpect = 'yess'\n",
        "questions.q.expect",
        13,
        ["`yes`"],
    ),
    (
        MODELS + "[questions.q]\nask = 'reach'\nmodel = 'a'\nexpect = '7/6'\n",
        "questions.q.expect",
        13,
        ["between 0 and 1"],
    ),
    (
        MODELS + "[questions.q]\nask = 'reach'\nmodel = 'a'\nexpect = true\n",
        "questions.q.expect",
        13,
        ["a number"],
    ),
    (
        MODELS + "[questions.q]\nask = 'reach'\nmodel = 'a'\nneeded = '2*sqt(3)'\n",
        "questions.q.needed",
        13,
        ["`sqrt`"],
    ),
    # a record
    (MODELS + "[[moves]]\nmodel = 'a'\nto = [1, 1]\n", "phase", -2, ["priority"]),
    (MODELS + "[phase]\npriority = 'z'\n", "phase.priority", 11, ["no side", "`x`"]),
    (
        MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'c'\nlie = true\n",
        "moves[0].model",
        13,
        ["no model"],
    ),
    (MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'a'\n", "moves[0]", 12, ["says nothing"]),
    (
        MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'a'\nlie = true\nrolls = [7]\n",
        "moves[0].rolls[0]",
        15,
        ["1 to 6", "7"],
    ),
    (
        MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'a'\nlie = true\nrolls = [1.5]\n",
        "moves[0].rolls[0]",
        15,
        ["whole"],
    ),
    (
        MODELS + "[phase]\npriority = 'x'\n[[moves]]\nmodel = 'a'\nto = [1, 1]\ncharge = 'b'\n",
        "moves[0].to",
        14,
        ["`charge`"],
    ),
    (MODELS + "[phase]\npriority = 'x'\nfights = [['a', 'c']]\n", "phase.fights[0][1]", 12, ["`c`"]),
    # what is not where it should be
    ("[terrain.l]\ntags = ['ladder']\nat = [3, 3]\n", "terrain.l.to", 1, ["missing", "platform it leads to"]),
    (DECK + "[terrain.l]\ntags = ['ladder']\nat = [90, 3]\nto = 'deck'\n", "terrain.l.at", 7, ["lies off the table"]),
    (
        "[terrain.pit]\ntags = ['gap']\n" + SQUARE + "[models.a]\nat = [3, 3]\nbase = 1\non = 'pit'\n",
        "models.a.on",
        7,
        ["no depth"],
    ),
    (
        MODELS + "off_table = true\n[questions.q]\nask = 'charge'\nmodel = 'a'\ntarget = 'b'\n",
        "questions.q.target",
        14,
        ["`b` is not on the table"],
    ),
    (
        MODELS + "off_table = true\n[questions.q]\nask = 'reach'\nmodel = 'b'\n",
        "questions.q.model",
        13,
        ["`b` is not on the table"],
    ),
    (
        MODELS + "off_table = true\n[questions.q]\nask = 'measure'\nfrom = 'a'\nto = 'b'\n",
        "questions.q.to",
        14,
        ["`b` is not on the table"],
    ),
]


@pytest.mark.parametrize(
    ("body", "key", "line", "words"), ONE, ids=[f"{key}-{i}" for i, (_, key, _, _) in enumerate(ONE)]
)
def test_one_fault(body, key, line, words):
    ((found, at, reason),) = faults(body)
    assert (found, at) == (key, line)
    assert all(word in reason for word in words), reason


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("[table]\nwidth = 0\ndepth = 24\n", "table.width"),
        ("[table]\nwidth = 24\ndepth = -24\n", "table.depth"),
        ("[table]\nwidth = 24\ndepth = 24\ntolerance = -1\n", "table.tolerance"),
        ("[table]\nwidth = 24\n", "table.depth"),
        ("title = 'x'\n", "table"),
        ("[tabel]\nwidth = 24\ndepth = 24\n", "tabel"),
    ],
)
def test_the_table_itself(head, key):
    assert key in [k for k, _, _ in faults("", head=head)]
