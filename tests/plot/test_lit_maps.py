"""Maps of a whole board on which it is asked where to go: names that matter, in letters that can be read."""

from pathlib import Path

from sbg_sim import document
from sbg_sim.plot.spaces import plot_board
from sbg_sim.scenario import games

ROOT = Path(__file__).parents[2]
WIDE = 830  # pixels across which pages show a map


def test_sites_that_cannot_be_reached_have_no_names_and_the_others_larger_ones(by_gid):
    scenario = games.load(document.read(ROOT / "scenarios/boards/metw/a-new-game.toml"))[1]
    lit = scenario.lit("stay")
    ax = plot_board(scenario, lit=lit)
    named = {text.get_gid().removeprefix("name-") for text in by_gid(ax, "name-")}
    sites = {box.get_gid().removeprefix("site-") for box in by_gid(ax, "site-")}
    assert named & sites == (sites & lit.keys()) | {"rivendell"}  # who stands there is named as well
    assert len(sites - named) > 30
    assert {f"space-{name}" for name in named - sites} == {space.get_gid() for space in by_gid(ax, "space-")}
    whole = plot_board(scenario)
    assert sites < {text.get_gid().removeprefix("name-") for text in by_gid(whole, "name-")}
    scale, before = (WIDE / 72 / shown.get_figure().get_size_inches()[0] for shown in (ax, whole))
    sizes = [text.get_fontsize() * scale for text in by_gid(ax, "name-") if text.get_gid()[5:] in lit]
    assert min(sizes) > 7 * before


def test_a_map_says_who_can_go_where_its_rings_are(words):
    """Many stand on the first, and its rings are of one; where several can go, each number is the least."""
    for file, told in (
        ("the-nine-together", "can be reached by Strider, with its cost"),
        ("levels-and-groups", "can be reached by Gimli, Legolas, Meriadoc Brandybuck and Strider, with its least cost"),
    ):
        scenario = games.load(document.read(ROOT / f"scenarios/boards/war-of-the-ring/{file}.toml"))[1]
        assert told in words(plot_board(scenario, lit=scenario.lit()))
