"""What comes of a play: ends, inches, prone, hits as exact counts, beside a brute-force oracle and real dice."""

import math
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product

import icepool
import pytest

import sbg_sim as sbg
from sbg_sim.dice.play import Go, distribution, hits, inches_used, places, prone, success_chance
from sbg_sim.simulate import compare, play_of, simulate_verdict
from sbg_sim.simulate.plays import route_play
from tests.heights.stage import Charge, Move, ask, box, corridor, disc, move, mover, other, piece, table, wall

EACH = Fraction(1, 6)


def by_hand(play):
    """Every run of dice, counted: the first die that ends the move says how."""
    found = Counter()
    count = len(play.stages)
    for roll in product(range(1, 7), repeat=count):
        end = play.final
        for stage, die in zip(play.stages, roll, strict=True):
            face = stage.faces[die - 1]
            if face is not Go.ON:
                end = face
                break
        found[end] += 1
    return {end: Fraction(n, 6**count) for end, n in found.items()}


def by_icepool(play):
    """The same with dice that another package throws."""
    index = {end: i for i, end in enumerate(play.ends)}

    def ended(*roll):
        for stage, die in zip(play.stages, roll, strict=True):
            face = stage.faces[die - 1]
            if face in index:
                return index[face]
        return index[play.final]

    if not play.stages:
        return {play.final: Fraction(1)}
    pool = icepool.map(ended, *[icepool.d(6)] * len(play.stages))
    ends = list(index)
    return {ends[i]: Fraction(n, pool.denominator()) for i, n in pool.items()}


def two_walls():
    walls = [piece(f"w{i}", "obstacle", box(6 + 2 * i, 10.5, 6.5 + 2 * i, 13.5), height=1.0) for i in range(2)]
    return table(mover(5, 12, move=9.0), *walls, *corridor()), (10, 12)


def chasm():
    return table(mover(5, 12), piece("gap", "gap", box(6, -1, 8, 41), depth=3.6)), (9, 12)


def tower():
    keep = piece("t", "platform", box(0, 8, 6, 16), height=2.6)
    return table(mover(5, 12, on="t", move=9.0), keep), (7, 12)


def two_faces():
    return table(mover(5, 12, move=12.0), wall(2.0)), (8, 12)


@pytest.mark.parametrize("case", [two_walls, chasm, tower, two_faces])
def test_distributions_are_what_the_dice_say(case):
    start, to = case()
    play = play_of(move(start, to))
    exact = dict(distribution(play).items())
    assert exact == by_hand(play) == by_icepool(play)
    assert sum(exact.values()) == 1


def test_two_walls_by_hand():
    """1: before the first. 2-5: beyond it, done. 6 and 1: before the second. 6 and 2-5: beyond it. 6, 6: there."""
    start, to = two_walls()
    ends = distribution(play_of(move(start, to)))
    where = {(round(x, 6), round(y, 6)): c for ((x, y), _), c in places(ends).items()}
    assert where == {
        (5.5, 12.0): EACH,
        (7.0, 12.0): 4 * EACH,
        (7.5, 12.0): EACH**2,
        (9.0, 12.0): EACH * 4 * EACH,
        (10.0, 12.0): EACH**2,
    }
    used = {round(inches, 6): c for inches, c in inches_used(ends).items()}
    assert used == {0.5: EACH, 2.0: 4 * EACH, 2.5: EACH**2, 4.0: EACH * 4 * EACH, 5.0: EACH**2}
    assert dict(prone(ends).items()) == {False: 1}
    assert dict(hits(ends).items()) == {0: 1}


def test_falls_by_hand():
    """3.6 down with a height of 1.5: 2.1 more, so a hit and two for the whole inches; prone at the bottom."""
    start, to = chasm()
    ends = distribution(play_of(move(start, to)))
    assert dict(hits(ends).items()) == {0: 5 * EACH, 3: EACH}
    assert dict(prone(ends).items()) == {False: 5 * EACH, True: EACH}
    start, to = tower()
    ends = distribution(play_of(move(start, to)))
    assert dict(hits(ends).items()) == {0: 5 * EACH, 2: EACH}  # 2.6 is 1.1 more


def test_a_fall_of_less_than_an_inch_hurts_who_is_shorter():
    ditch = piece("ditch", "gap", box(6, -1, 8, 41), depth=0.8)
    small = play_of(move(table(mover(5, 12, height=0.5), ditch), (8.5, 12)))
    assert [small.stages[0].faces[die].hits for die in (0, 1)] == [1, 0]


def test_a_second_die_only_after_a_six():
    start, to = two_faces()
    ends = distribution(play_of(move(start, to)))
    assert sorted(hits(ends).items()) == [(0, 1 - EACH**2), (1, EACH**2)]
    perched = [end for end in ends if end.climbed]
    assert sum(ends[end] for end in perched) == 4 * EACH  # 2 to 5: up, and no further this turn


def test_a_failed_jump_over_a_prone_enemy_is_a_charge():
    start = table(mover(5, 12), other("p", 8, 12, prone=True), *corridor(room=1.2))
    ends = distribution(play_of(move(start, (9, 12))))
    (failed,) = [end for end in ends if not end.success]
    assert ends[failed] == EACH
    assert "charges p" in failed.label


def random_table(dice):
    """Walls, gaps, platforms, ladders, bogs, models in the way: anything may stand anywhere it does not overlap."""
    things, at = [mover(10, 10, move=dice.choice([4.0, 6.0, 8.0]), prone=dice.random() < 0.15)], [(10.0, 10.0)]
    for i in range(dice.randint(1, 4)):
        x, y = 10 + dice.uniform(-5, 5), 10 + dice.uniform(-5, 5)
        if abs(x - 10) < 2.1 and abs(y - 10) < 2.1:
            continue
        tall, long = box(x - 0.2, y - 1.4, x + 0.3, y + 1.4), box(x - 1.2, y - 0.2, x + 1.4, y + 0.6)
        shape = dice.choice([tall, long, disc(x, y, 0.8)])
        tags = dice.choice(["obstacle", "obstacle", "obstacle unscalable", "gap", "difficult", "platform"])
        size = {"gap": {"depth": dice.uniform(0.5, 4)}, "difficult": {}}.get(tags, {"height": dice.uniform(0.3, 2.6)})
        if tags == "platform":
            shape = box(x - 1.2, y - 1.2, x + 1.2, y + 1.2)
        things.append(piece(f"p{i}", tags, shape, **size))
    for i in range(dice.randint(0, 2)):
        x, y = 10 + dice.uniform(-5, 5), 10 + dice.uniform(-5, 5)
        if all(math.dist((x, y), p) > 1.2 for p in at):
            at.append((x, y))
            side = dice.choice(["good", "evil"])
            things.append(other(f"o{i}", x, y, side=side, prone=dice.random() < 0.5))
    return table(*things, size=20.0)


@pytest.mark.parametrize("seed", range(16))
def test_verdicts_and_their_dice_never_disagree(seed):
    """simulate_verdict raises when the chance of the play is not the one the verdict states."""
    dice = random.Random(seed)
    start = random_table(dice)
    questions = [Move("m", (10 + dice.uniform(-4, 4), 10 + dice.uniform(-4, 4))) for _ in range(2)]
    questions += [Charge("m", name) for name, model in start.models.items() if model.side == "evil"]
    questions += [
        Move("m", (shape.bounds[0] + 1.2, shape.bounds[1] + 1.2), name)
        for name, p in start.terrain.items()
        if "platform" in p.tags and (shape := p.shape) is not None
    ]
    for question in questions:
        verdict = ask(start, question, alternatives=False)
        run = simulate_verdict(verdict, 200, seed)
        assert run.chance == verdict.chance
        assert run.distribution == distribution(play_of(verdict))
        if verdict.route is not None:
            ends = distribution(route_play(start, "m", verdict.route))
            assert sum(ends.values()) == 1
            assert all(end.used <= start.model("m").move + 1e-9 for end in ends)


def test_the_front_door():
    """``import sbg_sim.simulate`` leaves ``sbg.simulate(...)`` callable."""
    import sbg_sim.simulate  # noqa: F401

    start, to = two_walls()
    run = sbg.simulate(start, Move("m", to), trials=60_000, seed=7)
    again = sbg.simulate(start, Move("m", to), trials=60_000, seed=7)
    assert run.counts == again.counts
    low, high = run.interval
    assert low < float(run.chance) == 1 / 36 < high
    heights = [0.5, 0.75, 1.5]
    with ThreadPoolExecutor(1) as here:
        start = table(mover(5, 12), wall(1.0))
        found = sbg.sweep(start, Move("m", (7, 12)), "terrain.wall.height", heights, executor=here)
    assert found.column("chance") == ["1/1", "5/6", "5/6"]


@pytest.mark.parametrize(("height", "chance", "needed"), [(0.7, "1/1", 2), (0.75, "5/6", 2), (1.5, "5/6", 2)])
def test_sweep_rows(height, chance, needed):
    rows = sbg.sweep(table(mover(5, 12), wall(1.0)), Move("m", (7, 12)), "terrain.wall.height", [height]).rows
    assert (rows[0]["chance"], rows[0]["needed"]) == (chance, pytest.approx(needed, abs=1e-9))


def test_campaign_over_one_wall():
    """Every turn a 2 or more: the number of turns is geometric with 5/6, so 6/5 on average."""
    way = sbg.campaign(table(mover(5, 12), wall(1.0)), Move("m", (7, 12)))
    assert way.expected == Fraction(6, 5)
    assert list(way.within(3).chances) == [0, 5 * EACH, 5 * EACH**2, 5 * EACH**3]
    steps = sbg.plot(way).get_lines()[0]
    assert list(steps.get_xdata())[:3] == [0, 1, 2]
    assert list(steps.get_ydata())[:3] == pytest.approx([0, 5 / 6, 35 / 36])


@pytest.mark.parametrize(("side", "later"), [("evil", 0), ("good", 5 * EACH**2)])
def test_campaign_over_who_lies(side, later):
    """On a 1 over an enemy it must charge that enemy and is engaged (PRN.5, MOV.6); over a friend it tries again."""
    way = sbg.campaign(
        table(mover(5, 12), other("p", 8, 12, side=side, prone=True), *corridor(room=1.2)), Move("m", (9, 12))
    )
    assert list(way.within(2).chances) == [0, 5 * EACH, later]
    assert way.chance == (1 if later else 5 * EACH)


def test_campaign_that_charges_over_a_prone_enemy():
    """A 6 goes on into contact, a 2 to 5 charges next turn; on a 1 it fights whom it failed to jump over."""
    start = table(mover(4, 12), other("p", 7, 12, prone=True), other("e", 9.3, 12), *corridor(room=1.2))
    way = sbg.campaign(start, Charge("m", ("e",)))
    assert list(way.within(3).chances) == [0, EACH, 4 * EACH, 0]
    assert (way.expected, way.chance) == (None, 5 * EACH)
    at_whom_it_fights = sbg.campaign(start, Charge("m", ("p",)))
    assert at_whom_it_fights.chance == 1


@pytest.mark.parametrize(("deep", "chance"), [({}, 5 * EACH), ({"depth": 0.5}, 1)])
def test_campaign_over_a_gap_without_a_bottom(deep, chance):
    """Who falls into a gap without a depth cannot stand, crawl or leave it (LEAP.1)."""
    gap = piece("gap", "gap", box(6, -1, 8, 41), **deep)
    assert sbg.campaign(table(mover(4, 12), gap), Move("m", (8.5, 12))).chance == chance


def test_campaign_beyond_one_wall():
    """To a place beyond: a 6 in the turn it jumps, or over with 2-5 and there in the next; a 1 costs a turn."""
    way = sbg.campaign(table(mover(5, 12), wall(1.0)), Move("m", (8, 12)))
    # E = 1 + (4/6) * 1 + (1/6) * E
    assert way.expected == (1 + 4 * EACH) / (1 - EACH)


def test_campaign_up_a_tall_face():
    """5 in up, 3 in a turn: a 1 drops it to the foot, prone, where standing up costs half of the next turn."""
    start = table(mover(7.5, 12, move=6.0), piece("t", "platform", box(8, 8, 14, 16), height=5.0))
    (way,) = compare(start, Move("m", (8.5, 12), "t"))
    # 3 in a turn, then the other 2. Lying at the foot: stand for 3, climb 1.5 of the 5 with what is left.
    a, b, c, d = by_substitution()
    assert way.expected == a
    assert b > c > d > 0


def by_substitution():
    """Expected turns from the foot, prone at the foot, 1.5 in up, 4.5 in up or 3 in up, worked out by substitution."""
    # From 0: 3 up with p, lying with q. From 3 up: done with p. Lying: 1.5 up with p; from there 4.5 up; then done.
    p, q = Fraction(5, 6), Fraction(1, 6)
    # lying = 1 + p (1 + p (1 + q lying) + q lying) + q lying
    lying = (1 + p + p * p) / (1 - p * p * q - p * q - q)
    high = 1 + q * lying
    half = 1 + p * high + q * lying
    return 1 + p * (1 + q * lying) + q * lying, lying, half, high


def test_success_is_what_the_verdict_says():
    start, to = two_walls()
    assert success_chance(play_of(move(start, to))) == EACH**2
