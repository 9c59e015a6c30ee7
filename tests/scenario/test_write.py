"""Any table that can be read can be written and read again as the same table."""

from __future__ import annotations

from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

import sbg_sim as sbg
from sbg_sim import scenario
from sbg_sim.geometry import shapes
from sbg_sim.scenario.edit import _checked
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Asked, Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.rulings import RULINGS, Rulings
from sbg_sim.table.terrain import Terrain

characters = st.characters(exclude_categories=["Cs"])
words = st.text(characters, max_size=8).map(lambda word: normalize("NFC", word))  # as files are read
ids = st.text(characters, min_size=1, max_size=8).map(lambda word: normalize("NFC", word))
inches = st.floats(0.125, 0.875)
points = st.tuples(st.floats(0, 100), st.floats(0, 100))
names = st.lists(ids, min_size=6, max_size=6, unique=True)


@st.composite
def outlines(draw):
    x, y = draw(st.floats(0, 90)), draw(st.floats(60, 90))
    match draw(st.sampled_from(["circle", "line", "polygon", "holes"])):
        case "circle":
            return shapes.circle((x, y), draw(inches))
        case "line":
            return shapes.line([(x, y), *draw(st.lists(points, min_size=1, max_size=3))], draw(inches))
    holes = [[(x + 1, y + 1), (x + 2, y + 1), (x + 1, y + 2)]] if draw(st.booleans()) else []
    return shapes.polygon([(x, y), (x + 9, y), (x + 9, y + 9), (x, y + 9)], holes)


sides = words.filter(  # a side that is blank, or of nothing that is seen, is refused
    lambda word: not word or any(c.isprintable() and not c.isspace() for c in normalize("NFKC", word).casefold())
)


@st.composite
def tables(draw):
    a, b, c, wood, deck, steps = draw(names)
    models = {
        # columns of their own keep the bases apart
        name: Model(
            name,
            (draw(st.floats(10 * i + 1, 10 * i + 8)), draw(st.floats(1, 40))),
            draw(inches),
            draw(st.none() | inches),
            draw(st.none() | st.just(0.0) | inches),
            side,
            draw(st.frozensets(words, max_size=2)),
            draw(st.booleans()),
            engaged=foes,
            moved=draw(st.booleans()),
            may_move=draw(st.booleans()),
            climbed=draw(st.just(0.0) | inches),
        )
        for i, (name, side, foes) in enumerate([(a, "good", {b}), (b, "evil", {a}), (c, draw(sides), frozenset())], 1)
    }
    models = {
        n: Model(
            **{f: getattr(m, f) for f in m.__slots__}
            | {"engaged": frozenset(m.engaged), "climbed": 0.0 if m.prone else m.climbed}  # who lies hangs nowhere
        )
        for n, m in models.items()
    }
    square = shapes.polygon([(0, 50), (9, 50), (9, 59), (0, 59)])
    terrain = {
        wood: Terrain(
            wood,
            frozenset({"difficult"}),
            draw(outlines()),
            draw(st.none() | inches),
            lets_through=frozenset(draw(st.sets(st.sampled_from([a, b])))),
        ),
        deck: Terrain(deck, frozenset({"platform", "unscalable"}), square, draw(inches)),
        steps: Terrain(steps, frozenset({"ladder"}), at=draw(points), to=deck),
    }
    questions = [
        Measure(a, wood),
        Gap((wood, b), c),
        Sight(a, b),
        Move(a, draw(points), draw(st.none() | st.just(deck))),
        Charge(a, b),
        Charge(b, (a, c)),
        ReachOf(c),
    ]
    ways, lengths = st.sampled_from(["yes", "5/6", "too-close"]), st.floats(0, 9)
    fits = {"measure": lengths, "reach": lengths, "gap": lengths | st.just("too-close"), "sight": st.just("yes")}
    asked = {
        f"{i}{draw(words)}": Asked(
            q, draw(st.none() | fits.get(q.ask, ways)), draw(st.none() | st.floats(0, 9) | st.just("2*pi")), draw(words)
        )
        for i, q in enumerate(draw(st.lists(st.sampled_from(questions), max_size=4)))
    }
    moves = [
        MoveRecord(a, charge=(b,), rolls=tuple(draw(st.lists(st.integers(1, 6), max_size=3)))),
        MoveRecord(b, to=draw(points), stand=True, on=deck),
        MoveRecord(c, path=(draw(points), draw(points)), lie=True),
        MoveRecord(c, arrive=draw(points)),
        MoveRecord(c, crawl=draw(points)),
    ]
    record = Record(
        "good",
        tuple(draw(st.lists(st.sampled_from(moves), max_size=3))),
        draw(st.sampled_from([(), ((a, b),)])),
    )
    chosen = {
        n: draw(st.sampled_from(RULINGS[n].readings)) for n in draw(st.sets(st.sampled_from(list(RULINGS)), max_size=3))
    }
    return Table(
        100.0,
        draw(st.floats(100, 200)),
        FrozenMap(models),
        FrozenMap(terrain),
        FrozenMap(asked),
        Rulings(FrozenMap(chosen)),
        draw(st.just(0.0) | inches),
        draw(words),
        draw(words),
        draw(st.none() | st.just(record)),
        off=frozenset(draw(st.sets(st.just(c))))
        if not any(isinstance(q.question, (Gap, ReachOf)) or q.question == questions[5] for q in asked.values())
        else frozenset(),
    )


@settings(max_examples=50, deadline=None)
@given(tables())
def test_read_undoes_write(table):
    assert scenario.read_text(scenario.write(table)) == table


def test_short_arrays_stand_on_one_line_and_strings_are_left_alone():
    tricky = "= [\n1,\n]\u2028 ["
    table = Table(
        9.0,
        9.0,
        title=tricky,
        models=FrozenMap({"a": Model("a", (1.0, 2.0), 1.0, keywords=frozenset({"x [", "],"}))}),
    )
    text = scenario.write(table)
    assert "at = [1.0, 2.0]" in text
    assert scenario.read_text(text) == table


def test_a_text_that_came_to_be_none_is_written_anew():
    table = sbg.Table(24, 12, models={"a": {"at": [4, 4], "base": 1}})
    for text in ("[table", "[table]\nwidth = 24\n", scenario.write(table.having("a", at=(5, 5)))):
        assert scenario.read_text(_checked(text, table)) == table
    whole = "# mine\n" + scenario.write(table)
    assert _checked(whole, table) == whole
