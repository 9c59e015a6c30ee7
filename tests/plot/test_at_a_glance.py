"""What misled or hid something on crowded tables, looked at on the artists."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
import shapely
from matplotlib.colors import to_rgb

import sbg_sim as sbg
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import sheet
from sbg_sim.plot.themes import darkened
from tests.benchmarks.crowds import mixed


@pytest.fixture(scope="module")
def crowd():
    """Forty models of both sides among fourteen pieces."""
    return mixed(42, models=40, pieces=14, size=30.0)


def boxes(ax, texts):
    """Boxes of texts, inches."""
    ax.figure.canvas.draw()
    turned = [ax.transData.inverted().transform(text.get_window_extent()) for text in texts]
    return [shapely.box(*low, *high) for low, high in turned]


def contrast(one, two):
    """The contrast ratio of WCAG 2.2, from its text."""

    def luminance(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_no_colour_is_harder_to_see_in_the_dark_than_on_paper():
    named = re.findall(r"#[0-9A-Fa-f]{6}\b", str(vars(palette)))
    assert len(set(named)) > 80
    for colour in named:
        paper = contrast(colour, "#ffffff")
        assert contrast(darkened(colour), darkened("#ffffff")) > min(paper, 4.0 if paper >= 3.0 else paper) - 0.05


def test_what_is_faint_can_be_read():
    assert contrast(palette.FAINT, palette.PAPER) > 4.5


def test_names_of_terrain_keep_off_rims_of_other_pieces():
    crossed = 0
    for table in (mixed(5), mixed(311)):
        ax = sbg.plot(table)
        names = [text for text in ax.texts if (text.get_gid() or "").removeprefix("name-") in table.terrain]
        assert len(names) == 30
        for text, box in zip(names, boxes(ax, names), strict=True):
            own = text.get_gid().removeprefix("name-")
            rims = [p.shape.to_shapely().boundary for n, p in table.terrain.items() if n != own]
            crossed += any(rim.intersects(box) for rim in rims)
    assert crossed <= 6  # where there is no other room to which no line runs under a name; without regard for rims 14


def test_long_names_that_would_cover_the_table_are_numbers(crowd):
    assert not sheet(sbg.plot(crowd)).key
    long = {f"warrior-of-minas-tirith-{name[1:]}": model for name, model in crowd.models.items()}
    models = {n: sbg.Model(n, m.at, m.base, m.height, m.move, m.side) for n, m in long.items()}
    ax = sbg.plot(sbg.Table(30, 30, models=models))
    told = [text.get_text() for text in ax.texts if (text.get_gid() or "").startswith("name-")]
    assert len(told) == 40
    assert all(text.isdigit() for text in told)


def test_who_asks_for_charges_is_not_struck_out_and_each_rule_is_marked_once_at_a_place(crowd):
    charges = sbg.charges(crowd, "m5")
    mover = crowd.model("m5")
    faults = [v for entry in charges.entries for v in entry.verdict.violations if v.place is not None]
    assert any(math.dist(v.place, mover.at) <= mover.radius for v in faults)
    ax = sbg.plot(charges)
    marks = [line for line in ax.lines if (line.get_gid() or "").startswith("fault-")]
    places = [(line.get_gid(), line.get_xdata()[0], line.get_ydata()[0]) for line in marks]
    assert len(set(places)) == len(places)
    assert all(math.dist(place[1:], mover.at) > mover.radius for place in places)
    assert "CZ.4" not in [text.get_text() for text in ax.texts]


def test_small_safe_ground_is_not_hidden_by_what_is_said_of_it(crowd):
    # Who is farther off takes none of its ground.
    near = {name: model for name, model in crowd.models.items() if math.dist(model.at, crowd.model("m5").at) < 12.5}
    safe = sbg.safe(replace(crowd, models=type(crowd.models)(near)), "m5")
    ax = sbg.plot(safe)
    told = next(text for text in ax.texts if text.get_gid() == "margin")
    (box,) = boxes(ax, [told])
    assert safe.area.area < 3.0
    assert shapely.intersection(box, safe.area).area < 0.15 * safe.area.area


def test_what_a_line_of_equal_cost_costs_is_not_read_with_a_name(crowd):
    ax = sbg.plot(sbg.reach(crowd, "m5"), cost=True)
    costs = [text for text in ax.texts if re.fullmatch(r"\d+″", text.get_text())]
    names = [text for text in ax.texts if (text.get_gid() or "").startswith("name-")]
    assert costs
    far = min(a.distance(b) for a in boxes(ax, costs) for b in boxes(ax, names))
    assert far > 0.04


def test_flips_that_turn_nothing_say_so(words):
    table = sbg.load("scenarios/amon-hen.toml")
    found = sbg.flips(mixed(311, models=24, pieces=12, size=24.0), sbg.Move("m22", (16.0, 7.0)))
    assert found.smallest is None
    assert "no base that is up to 1″ off would turn the answer" in words(sbg.plot(found))
    turned = sbg.flips(table, "first-to-boromir")
    assert not any("no base" in row for row in words(sbg.plot(turned)))


def test_a_sure_turn_is_one():
    way = sbg.campaign(mixed(42, models=40, pieces=14, size=30.0), sbg.Move("m37", (12.5, 14.5)))
    ax = sbg.plot(way)
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["1"]
    assert "at (12.5, 14.5)" in ax.get_title(loc="left")


HILL = "scenarios/amon-hen.toml"


@pytest.mark.parametrize(
    "asked",
    [
        lambda hill: sbg.reach(hill, "lurtz"),
        lambda hill: sbg.charges(hill, "lurtz"),
        lambda hill: sbg.denials(hill, "merry"),
        lambda hill: sbg.threats(hill, "evil"),
        lambda hill: sbg.safe(hill, "merry"),
        lambda hill: sbg.screen(hill, "lurtz"),
        lambda hill: sbg.check(hill, "lurtz-to-merry"),
        lambda hill: sbg.check(hill, "does-he-fit"),
        lambda hill: sbg.check(hill, "aragorn-sees-lurtz"),
        lambda hill: sbg.flips(hill, "first-to-boromir"),
    ],
    ids=["reach", "charges", "denials", "threats", "safe", "screen", "way", "gap", "sight", "flips"],
)
def test_a_legend_says_nothing_of_what_is_out_of_view(asked):
    """An empty corner of the table."""
    assert sbg.plot(asked(sbg.load(HILL)), view=(40, 0, 46, 6)).get_legend() is None
