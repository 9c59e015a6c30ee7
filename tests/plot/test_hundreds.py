"""Pictures of hundreds of models, and of places that no way leads to."""

from __future__ import annotations

import matplotlib as mpl

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
