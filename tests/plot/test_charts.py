"""Charts: bars as long as the chances, exact beside counted, sweeps over each other."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import sbg_sim as sbg
from sbg_sim.dice.distribution import Distribution
from sbg_sim.errors import SbgError
from sbg_sim.plot import plot
from sbg_sim.plot.words import chance_text, inches_text
from sbg_sim.wording import listed


def test_words_of_numbers():
    assert chance_text(Fraction(5, 36)) == "5/36 (14 %)"
    assert chance_text(1) == "certain"
    assert chance_text(0) == "never"
    assert chance_text(Fraction(1, 1296)) == "1/1296 (0.077 %)"
    assert inches_text(5.999, against=6.0) == "5.999″"
    assert inches_text(6.0, against=6.0) == "6″"
    assert inches_text(-0.001) == "0″"
    # on a table of 0.02 in, 0.008 of 0.006 was written as 0.008 of 0.01
    assert inches_text(0.0081, against=0.006) == "0.008″"
    assert inches_text(0.006) == "0.006″"
    assert inches_text(0.27491) == "0.27″"
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_bars_of_words(samples):
    ax = plot(Distribution.of({"beyond": Fraction(5, 6), "before": Fraction(1, 6)}))
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([5 / 6, 1 / 6])
    assert [t.get_text() for t in ax.get_yticklabels()] == ["beyond", "before"]
    assert "5/6 (83 %)" in [t.get_text() for t in ax.texts]


def test_columns_of_numbers_in_order():
    ax = plot(Distribution.of({k: Fraction(6 - abs(7 - k), 36) for k in (7, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12)}))
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert centres == pytest.approx(list(range(2, 13)))
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)


@dataclass(frozen=True)
class Simulation:
    question: str
    trials: int
    seed: int
    successes: int
    interval: tuple[float, float]
    chance: Fraction
    counts: Any = ()
    distribution: Any = None

    @property
    def frequency(self):
        return self.successes / self.trials


def test_simulation_shows_counted_and_exact(by_gid, words):
    exact = Distribution.of({"stops": Fraction(5, 6), "goes on": Fraction(1, 6)})
    run = Simulation(
        "over", 10_000, 7, 1634, (0.154, 0.173), Fraction(1, 6), (("stops", 8366), ("goes on", 1634)), exact
    )
    ax = plot(run)
    (marks,) = by_gid(ax, "exact")
    assert list(marks.get_xdata()) == pytest.approx([1 / 6, 5 / 6, 1 / 6])
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([0.1634, 0.8366, 0.1634])
    assert "1,634 of 10,000" in ax.get_title(loc="left")
    assert "seed 7" in ax.get_title(loc="left")
    assert words(ax) == ["share of the trials", "99 % interval (Wilson)", "exact chance"]


@dataclass(frozen=True)
class Sweep:
    parameter: str
    rows: Any


def rows(chances):
    return tuple(
        {"height": i, "needed": 4 + i, "allowance": 6.0, "chance_value": p, "margin": 2 - i}
        for i, p in enumerate(chances)
    )


def test_sweep_draws_the_chance_and_others_on_demand(by_gid):
    sweep = Sweep("height", rows([1.0, 1 / 6, 0.0]))
    ax = plot(sweep)
    (line,) = by_gid(ax, "sweep")
    assert line.get_xydata().tolist() == [[0, 1.0], [1, 1 / 6], [2, 0.0]]
    assert [below.get_xlabel() for below in ax.child_axes] == ["height"]  # under the margins
    needed = plot(sweep, column="needed")
    (line,) = by_gid(needed, "sweep")
    assert list(line.get_ydata()) == [4, 5, 6]
    again = plot(sweep, ax=ax)
    first, second = by_gid(again, "sweep")
    assert first.get_color() != second.get_color()
    assert first.get_marker() != second.get_marker()


def test_sweep_without_rows_or_column():
    with pytest.raises(SbgError, match="no rows"):
        plot(Sweep("height", ()))
    with pytest.raises(SbgError, match="no column 'speed'"):
        plot(Sweep("height", rows([1.0])), column="speed")


def test_turns_add_up(by_gid):
    @dataclass(frozen=True)
    class TurnTable:
        chances: tuple[Fraction, ...]

    ax = plot(TurnTable(tuple(Fraction(1, 6) * Fraction(5, 6) ** k for k in range(5))))
    total = ax.get_lines()[0].get_ydata()
    assert total[-1] == pytest.approx(1 - (5 / 6) ** 5)
    assert next(bar.get_height() for bar in ax.patches) == pytest.approx(1 / 6)
    assert ax.get_lines()[0].get_drawstyle() == "steps-post"  # nobody arrives before the turn is over


def test_turns_name_their_way():
    import sbg_sim as sbg

    way = sbg.campaign(sbg.load("scenarios/jumping.toml"), "pippin-too-far")
    assert plot(way).get_title(loc="left") == f"{way.name}: turns to the goal at (10.001, 12), exact chances"
    assert plot(way.within(3)).get_title(loc="left") == "turns to the goal, exact chances"


def test_campaigns_are_compared(by_gid, words):
    @dataclass(frozen=True)
    class TurnTable:
        chances: tuple[Fraction, ...]

    @dataclass(frozen=True)
    class Way:
        name: str
        expected: Fraction | None
        share: Fraction

        def within(self, turns):
            return TurnTable(tuple(self.share * (1 - self.share) ** k for k in range(turns)))

    class Campaigns(tuple):
        __slots__ = ()

    ways = Campaigns((Way("over", Fraction(6, 5), Fraction(5, 6)), Way("never", None, Fraction(1, 6))))
    ax = plot(ways, turns=3)
    first, second = by_gid(ax, "campaign")
    assert list(first.get_ydata()) == pytest.approx([1 - Fraction(1, 6) ** k for k in (1, 2, 3)])
    assert len(second.get_ydata()) == 3
    assert words(ax) == ["over: 1.20 turns on average", "never: may never arrive"]


def test_doubt_counts_placements_in_figures():
    import sbg_sim as sbg

    found = sbg.doubt(sbg.load("scenarios/amon-hen.toml"), "first-to-boromir", sigma="1 mm", trials=30, seed=1)
    ax = sbg.plot(found)
    assert next(t.get_text() for t in ax.get_xticklabels()) == "30"
    assert "mathdefault" not in sbg.svg(found)


def test_sweeps_on_one_axes_are_named_after_their_questions(words):
    table = sbg.load("scenarios/charging-2-open.toml")
    with ThreadPoolExecutor(1) as here:
        swept = [
            sbg.sweep(table, sbg.Charge("uruk-3", target), "models.uruk-3.move", [3, 6], executor=here)
            for target in ("pippin", "aragorn")
        ]
    ax = sbg.plot(swept[0])
    sbg.plot(swept[1], ax)
    told = " ".join(words(ax))
    assert "uruk-3 charges pippin: exact chance" in told
    assert "uruk-3 charges aragorn: exact chance" in told
    assert "Sweep" not in told
