"""Pictures of hundreds of models, and of places that no way leads to."""

from __future__ import annotations

import matplotlib as mpl
import pytest

mpl.use("Agg")

import sbg_sim as sbg


def crowd(count):
    body = {"base": 0.5, "height": 1.5, "move": 6}
    models = {
        f"m{k}": {"at": [1 + k % 30, 1 + k // 30], "side": "evil" if k % 3 else "good", **body} for k in range(count)
    }
    return sbg.Table(32, 32, models=models)


def by_gid(ax, gid):
    return [artist for artist in ax.findobj() if artist.get_gid() == gid]


def test_beyond_three_hundred_models_each_side_is_one_artist():
    ax = sbg.plot(crowd(330), zones=True)
    (good,), (evil,), (zones,) = (by_gid(ax, gid) for gid in ("models-good", "models-evil", "zones"))
    assert (len(good.get_offsets()), len(evil.get_offsets()), len(zones.get_offsets())) == (110, 220, 330)
    assert not by_gid(sbg.plot(crowd(30), zones=True), "models-good")


def test_a_place_to_which_no_way_leads_is_marked():
    body = {"base": 1, "height": 1.5, "move": 6}
    wall = {"tags": ["unscalable"], "height": 4, "polygon": [[7, 0], [8, 0], [8, 12], [7, 12]]}
    table = sbg.Table(12, 12, models={"a": {"at": [4, 6], **body}}, terrain={"wall": wall})
    verdict = sbg.check(table, sbg.Move("a", (10, 6)))
    assert verdict.route is None
    (mark,) = by_gid(sbg.plot(verdict), "wanted")
    assert tuple(mark.center) == (10, 6)
    assert mark.radius == 0.5


@pytest.mark.parametrize(("depth", "told"), [(24, "no way there"), (26, "out of reach")])
def test_of_a_place_beyond_the_horizon_it_is_not_said_that_no_way_leads_there(depth, told, words):
    """Round the end of a wall of 24 in there is a way, unless the table ends there too."""
    body = {"base": 1, "height": 1.5, "move": 6}
    wall = {"tags": ["unscalable"], "height": 4, "polygon": [[7, 0], [8, 0], [8, 24], [7, 24]]}
    table = sbg.Table(36, depth, models={"a": {"at": [4, 6], **body}}, terrain={"wall": wall})
    verdict = sbg.check(table, sbg.Move("a", (10, 6)))
    assert verdict.needed is None
    assert f"the place asked for: {told}" in words(sbg.plot(verdict))
