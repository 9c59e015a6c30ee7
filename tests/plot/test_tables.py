"""Tables: every base a true circle in its place, every piece by its kind, states marked, labels apart."""

import dataclasses

import matplotlib.colors as colours
import pytest
import shapely
from matplotlib.patches import Circle, PathPatch

import sbg_sim as sbg
from sbg_sim.plot import palette, plot
from sbg_sim.plot.tables import draw_table, plot_table


def test_bases_are_true_circles_at_their_places(samples, by_gid):
    table = samples.rich_table()
    ax = plot(table)
    bases = by_gid(ax, "model-")
    assert len(bases) == len(table.models)
    for base in bases:
        model = table.models[base.get_gid().removeprefix("model-")]
        assert isinstance(base, Circle)
        assert tuple(base.center) == model.at
        assert base.radius == model.base / 2


def test_reinforcements_are_not_drawn(samples, by_gid):
    table = dataclasses.replace(samples.rich_table(), off=frozenset({"warg"}))
    ax = plot(table)
    assert not by_gid(ax, "model-warg")
    assert "warg" not in [t.get_text() for t in ax.texts]


def test_sides_differ_in_colour_line_and_lightness(samples, by_gid):
    ax = plot(samples.rich_table())
    good, evil, nobody = (by_gid(ax, f"model-{name}")[0] for name in ("aragorn", "lurtz", "bystander"))
    assert len({good.get_edgecolor(), evil.get_edgecolor(), nobody.get_edgecolor()}) == 3
    assert good.get_linestyle() != evil.get_linestyle()

    def grey(patch):
        r, g, b, _ = colours.to_rgba(patch.get_facecolor())
        return 0.299 * r + 0.587 * g + 0.114 * b

    assert grey(good) - grey(evil) > 0.15


def test_good_and_evil_look_the_same_whatever_the_order():
    assert palette.side_styles(["evil", "good"])["good"] == palette.side_styles(["good"])["good"]
    four = palette.side_styles(["good", "evil", "third", "fourth"])
    assert len({style.rim for style in four.values()}) == 5  # four sides and none


def test_terrain_by_kind_and_with_height(samples, by_gid, words):
    table = samples.rich_table()
    ax = plot(table)
    fills = {
        a.get_gid(): a.get_facecolor() for a in by_gid(ax, "terrain-") if hasattr(a, "get_hatch") and not a.get_hatch()
    }
    assert fills["terrain-wall"] == colours.to_rgba(palette.TERRAIN["obstacle"].fill)
    assert fills["terrain-cliff"] == colours.to_rgba(palette.TERRAIN["unscalable"].fill)
    (bog,) = list(by_gid(ax, "terrain-bog"))
    assert isinstance(bog, Circle)
    assert (tuple(bog.center), bog.radius) == ((6, 11), 2.2)
    assert len(by_gid(ax, "terrain-ladder")) == 1
    texts = [t.get_text() for t in ax.texts]
    assert {"wall 1″", "cliff 4″", "ditch 3″ deep", "scaffold 2.5″", "bog"} <= set(texts)
    legend = words(ax)
    for phrase in ("difficult ground", "obstacle", "unscalable", "gap", "platform", "ladder"):
        assert sum(phrase in entry for entry in legend) == 1


def test_a_polygon_keeps_its_hole(samples, by_gid):
    (ring,) = [a for a in by_gid(plot(samples.rich_table()), "terrain-ring") if isinstance(a, PathPatch)]
    outer, hole = ring.get_path().to_polygons()

    def signed(points):
        (x, y) = points.T
        return float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum() / 2)

    assert signed(outer) == pytest.approx(5 * 4)
    assert signed(hole) == pytest.approx(-3 * 2)  # wound the other way: renderers leave it out


def test_prone_and_engaged_are_marked(samples, by_gid, words):
    ax = plot(samples.rich_table())
    assert {a.get_gid() for a in by_gid(ax, "prone-")} == {"prone-legolas", "prone-uruk-3"}
    (contact,) = by_gid(ax, "engaged-")  # one mark for the pair, where the bases touch
    assert contact.get_xdata()[0] == pytest.approx(11 + samples.R)
    assert contact.get_ydata()[0] == pytest.approx(11)
    assert any("engaged" in entry for entry in words(ax))


def test_zones_are_rings_one_inch_out_and_cancelled_ones_differ(samples, by_gid):
    table = samples.rich_table()
    ax = plot(table)
    live = {a.get_gid().removeprefix("zone-"): a for a in by_gid(ax, "zone-")}
    gone = {a.get_gid().removeprefix("no-zone-"): a for a in by_gid(ax, "no-zone-")}
    assert set(live) == {"aragorn", "lurtz", "warg", "scout"}
    assert set(gone) == {"legolas", "gimli", "uruk-2", "uruk-3"}  # and the bystander has no enemies
    assert live["warg"].radius == 40 / 25.4 / 2 + 1
    assert live["warg"].get_linestyle() != gone["gimli"].get_linestyle()
    notes = [t.get_text() for t in ax.texts if " has no zone: " in t.get_text()]
    assert set(notes) <= {"legolas has no zone: prone"} | {
        f"uruk-{n} has no zone: {why}" for n in (2, 3) for why in ("prone", "prone and engaged")
    }
    assert notes


def test_only_enemies_of_the_mover_have_zones_in_its_picture(samples, by_gid):
    ax = plot(samples.move_yes())
    assert [a.get_gid() for a in by_gid(ax, "zone-")] == ["zone-merry"]


def test_ticks_are_inches_and_scales_are_equal(samples):
    ax = plot(samples.rich_table())
    assert ax.get_aspect() == 1.0
    ax.figure.canvas.draw()
    labels = [t.get_text() for t in ax.get_xticklabels()]
    assert "6″" in labels
    assert "12″" in labels


def test_labels_lie_apart(samples):
    ax = plot(samples.rich_table())
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in ax.texts if not t.get_text().startswith("no zone")]
    overlaps = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)]
    assert not overlaps


def test_an_empty_table_has_no_legend(samples):
    ax = plot(samples.make_table([]))
    assert ax.get_legend() is None
    left, right = ax.get_xlim()
    assert left < 0
    assert right > 24


def test_names_can_be_left_out(samples, by_gid):
    ax = plot_table(samples.rich_table(), names=False)
    assert not by_gid(ax, "name-")


def test_draw_returns_what_it_drew(samples):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    artists = draw_table(ax, samples.rich_table())
    assert len(artists) > len(samples.rich_table().models)
    assert all(artist.axes is ax for artist in artists)


@pytest.mark.parametrize("mover_at", [(6, 12), (8, 10), (11, 7), (14, 9), (7, 15)])
def test_why_who_lies_has_no_zone_lies_over_no_end_of_a_charge(mover_at, by_gid):
    body = {"base": 1, "height": 1.5, "move": 6}
    models = {
        "lurtz": {"at": mover_at, "side": "evil", **body},
        "merry": {"at": (11, 12), "side": "good", "prone": True, **body},
        "pippin": {"at": (11.5, 13.4), "side": "good", **body},
    }
    verdict = sbg.check(sbg.Table(24, 24, models=models), sbg.Charge("lurtz", "merry"))
    assert verdict.answer == "yes"
    ax = sbg.plot(verdict)
    notes = [t for t in ax.texts if " has no zone: " in t.get_text()]
    assert len(notes) == 1
    end = shapely.Point(verdict.path[-1]).buffer(0.5)
    x0, y0, x1, y1 = notes[0].get_window_extent().extents
    (u0, v0), (u1, v1) = ax.transData.inverted().transform([(x0, y0), (x1, y1)])
    assert not shapely.intersects(shapely.box(u0, v0, u1, v1), end)
