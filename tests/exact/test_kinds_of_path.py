"""Tables on which the solver once missed the best kind of path, certified too much or disagreed with itself.

Found by random tables against an independent oracle and made small. ``BEST`` is what the oracle found: a cost
that some legal path has, so nothing may need more than that.
"""

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.shapes import Shape
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain
from sbg_sim.tolerance import CERTIFICATE

inf = float("inf")
CASES = {
    "a rim crept along between two of its arcs": (
        12.0,
        {
            "me": Model("me", (6.0, 6.0), 0.984251968503937, 1.5, 5.0, "good"),
        },
        {
            "bog3": Terrain(
                "bog3",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (4.507012959779531, 6.428667027121886),
                            (3.253453688681962, 6.181748611723482),
                            (3.1206914195159525, 5.094552026616782),
                            (3.8545074512950337, 4.538545423235156),
                            (4.915935278281234, 5.042097646178868),
                            (5.04397303721721, 5.521908605366448),
                        ),
                        (
                            (4.174467692975375, 5.803085334501127),
                            (3.798399911646104, 5.729009809881605),
                            (3.7585712308963006, 5.402850834349595),
                            (3.978716040430025, 5.236048853335108),
                            (4.2971443885258855, 5.387114520218221),
                            (4.335555716206678, 5.531057807974495),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (1.8563358899778262, 6.257303369340195),
        4.50723007,
    ),
    "in again just beyond an arc of the rim": (
        12.0,
        {
            "me": Model("me", (6.0, 6.0), 0.984251968503937, 1.5, 5.0, "good"),
        },
        {
            "bog0": Terrain(
                "bog0",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (4.4872921236909376, 6.558676595162536),
                            (3.777371191215852, 6.781076298803363),
                            (2.6323240301018966, 5.6688339784072),
                            (3.1943888768902324, 4.611043579868675),
                            (4.783494147025148, 4.976828962389067),
                        ),
                        (
                            (4.006719375518396, 5.895629947169356),
                            (3.793743095775871, 5.962349858261604),
                            (3.4502289474416843, 5.628677162142755),
                            (3.6188484014781848, 5.311340042581198),
                            (4.095579982518659, 5.421075657337315),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (3.833014600004122, 7.045886678321122),
        2.868864843901873,
    ),
    "a base in the bog, left just before the rim": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
            "m1": Model("m1", (6.141263542557983, 5.600304761600025), 0.984251968503937, 1.5, 6.0, "good"),
        },
        {
            "rock0": Terrain(
                "rock0",
                frozenset(["obstacle", "unscalable"]),
                Shape(
                    "line",
                    (),
                    (
                        (2.299342243516993, 3.9237120869735738),
                        (2.314301577880434, 2.796940671531755),
                        (2.9020631051980392, 1.8354969699315864),
                    ),
                    0.16950811769963126,
                ),
                height=None,
            ),
            "bog2": Terrain(
                "bog2",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (4.268300728936815, 6.926547835566373),
                            (3.9535268118466402, 5.840232596328641),
                            (4.994497001454374, 5.751198445921094),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (5.173141366655185, 7.100685326150399),
        3.774356337175135,
    ),
    "across the rim and onto a base inside": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
            "m2": Model("m2", (4.748764015986734, 2.3842578502601803), 0.984251968503937, 1.5, 6.0, "good"),
        },
        {
            "bog1": Terrain(
                "bog1",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (2.9108021286920196, 4.4855609915470955),
                            (2.1202000741335434, 4.540812597883598),
                            (1.0890011778550348, 3.257718390400154),
                            (2.2918317511387243, 1.9079895512699103),
                            (3.730941394218953, 2.9431918566342703),
                        ),
                        (
                            (2.571747156749619, 3.6128074448710232),
                            (2.3345665403820757, 3.629382926771974),
                            (2.0252068714985234, 3.2444546645269408),
                            (2.38605604348363, 2.8395360127878675),
                            (2.8177889364076987, 3.1500967043971757),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (3.4632079292341578, 1.9247371477797786),
        3.7789428286965023,
    ),
    "a kind of path that only polishing reveals": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
            "m1": Model("m1", (6.1950711694901255, 4.65224655171126), 2.3622047244094486, 1.5, 6.0, "good"),
        },
        {
            "bog1": Terrain(
                "bog1",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (4.193230561597184, 6.8200861023011505),
                            (3.750560064286267, 5.763685239145238),
                            (5.378850217249982, 5.256519524009607),
                            (5.625266092182128, 6.35154737299435),
                        ),
                        (
                            (4.556128524715022, 6.233355035594202),
                            (4.4233273755217475, 5.916434776647428),
                            (4.911814421410861, 5.7642850621067385),
                            (4.985739183890505, 6.092793416802161),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (4.73240153095898, 5.820401066088732),
        2.184073262239128,
    ),
    "a batch that ran into something": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
            "m3": Model("m3", (2.642349017699345, 3.5938179107938466), 1.574803149606299, 1.5, 6.0, "good"),
        },
        {
            "bog1": Terrain(
                "bog1",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (3.3210404903819697, 7.018494751730575),
                            (3.0318311571762724, 6.056510960796452),
                            (4.254360941239538, 4.616619677602868),
                            (5.280334689675747, 4.76123838259425),
                            (6.086734589396317, 5.91271778642933),
                            (5.513668927309377, 7.327272829342031),
                            (4.221281026610921, 7.615852997568472),
                        ),
                        (
                            (4.192266071128199, 6.389444893163417),
                            (4.105503271166491, 6.10084975588318),
                            (4.47226220638547, 5.668882370925105),
                            (4.780054330916332, 5.71226798242252),
                            (5.021974300832504, 6.057711803573044),
                            (4.850054602206422, 6.482078316446854),
                            (4.462338231996885, 6.568652366914786),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
            "bog2": Terrain(
                "bog2",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (3.1882202388255694, 6.562386507136489),
                            (2.8915583046726026, 6.2856400901085845),
                            (2.9067516047470834, 5.783857105991533),
                            (3.245062239034084, 5.5180038996321255),
                            (3.7623933015593445, 5.644540466734619),
                            (3.935468292987667, 6.119723488572683),
                            (3.758571444177668, 6.458119779983872),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (2.0636107968667807, 5.191644990807311),
        3.3323902341973,
    ),
    "a path that was lost": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
            "m2": Model("m2", (5.952560887648343, 3.312132939544764), 0.984251968503937, 1.5, 6.0, "good"),
        },
        {
            "bog1": Terrain(
                "bog1",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (6.574301195662902, 3.95544292648318),
                            (6.5274134084291475, 2.9887553165505896),
                            (8.054641539760226, 3.451665360731467),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (6.122809500782153, 2.3348360116476696),
        2.9861332883992255,
    ),
    "a label a little below what is possible": (
        9.0,
        {
            "me": Model("me", (4.5, 4.5), 0.984251968503937, 1.5, 4.0, "good"),
        },
        {
            "bog0": Terrain(
                "bog0",
                frozenset(["difficult"]),
                Shape(
                    "polygon",
                    (
                        (
                            (2.6735344871407305, 3.849459765620709),
                            (2.434778127990937, 2.795495771311899),
                            (3.220165273425206, 2.2639633092707396),
                            (4.040607231446325, 2.721561639247974),
                            (4.1298195088481915, 3.3809885796734487),
                            (3.2713089443274317, 4.063463442007818),
                        ),
                    ),
                    (),
                    0.0,
                ),
                height=None,
            ),
        },
        (1.643572614609318, 3.2143508531731797),
        3.448374812629522,
    ),
}


@pytest.fixture(params=CASES, name="case")
def _case(request):
    size, models, terrain, goal, best = CASES[request.param]
    return sbg.Table(size, size, FrozenMap(models), FrozenMap(terrain)), goal, best


def test_every_view_agrees_and_none_misses_the_best(case):
    table, goal, best = case
    found = sbg.reach(table, "me")
    verdict = sbg.check(table, sbg.Move("me", goal))
    assert verdict.needed <= best + 1e-7
    assert verdict.at_least <= verdict.needed <= verdict.at_most <= verdict.at_least + CERTIFICATE
    assert float(found.distance(np.array(goal))) == pytest.approx(verdict.needed, abs=1e-8)
    assert found.path(goal).cost == pytest.approx(verdict.needed, abs=1e-8)


def test_a_cost_does_not_hang_on_what_else_is_asked(case):
    table, goal, _ = case
    alone = sbg.reach(table, "me").distance(np.array(goal))
    others = np.array([[1.0, 1.0], [table.width - 1, 2.0], goal])
    assert float(sbg.reach(table, "me").distance(others)[-1]) == pytest.approx(float(alone), abs=1e-8)


def test_from_one_ring_onto_another_that_overlaps_it():
    """Round a pond and out along thorns that reach into it: where their rims cross, no tangent joins the two rings."""
    pond = Terrain("pond", frozenset(["difficult"]), sbg.circle((10.755, 5.0), 2.2))
    thorns = sbg.polygon([(11.0, 8.0), (11.5, 8.0), (11.5, 13.0), (11.0, 13.0)])
    wall = Terrain("thorns", frozenset(["difficult", "obstacle"]), thorns, height=0.9)
    me = Model("me", (8.0656, 4.9457), 25 / 25.4, 1.5, 6.0, "good")
    foe = Model("foe", (14.5165, 7.803), 40 / 25.4, 1.5, 6.0, "evil")
    table = sbg.Table(18.0, 18.0, FrozenMap({m.id: m for m in (me, foe)}), FrozenMap({t.id: t for t in (pond, wall)}))
    goal = Goal(None, contact=((*foe.at, foe.radius + me.radius),), bound=True)
    for dice in (False, True):
        found = options(Search(table, me, "foe", goal, 6.0, dice=dice, horizon=12.0)).found
        assert found
        assert max(option.slack for option in found) <= 1e-6
