"""Boards of spaces: a stable layout, neighbours near, routes as arrows, costs in the rings."""

import itertools
import math

import numpy as np
import pytest

from sbg_sim import document
from sbg_sim.errors import SbgError
from sbg_sim.plot import plot, svg
from sbg_sim.plot.layout import spread
from sbg_sim.plot.maps import SpaceMap, space_map
from sbg_sim.plot.spaces import plot_board
from sbg_sim.scenario import games

LADDER = SpaceMap(
    {n: n.upper() for n in "abcdef"},
    (
        ("a", "b", ""),
        ("b", "c", "road"),
        ("d", "e", ""),
        ("e", "f", "river"),
        ("a", "d", ""),
        ("b", "e", ""),
        ("c", "f", "closed"),
    ),
    {"a": "forest", "b": "city"},
    {"a": ("frodo",)},
)


def test_a_path_is_laid_out_straight_and_evenly():
    names = {str(i): str(i) for i in range(6)}
    places = spread(names, [(str(i), str(i + 1)) for i in range(5)])
    steps = [math.dist(places[str(i)], places[str(i + 1)]) for i in range(5)]
    assert steps == pytest.approx([1] * 5, abs=0.1)
    assert math.dist(places["0"], places["5"]) == pytest.approx(5, abs=0.3)


def test_the_same_places_every_time_and_none_on_another():
    board = {n: n for n in "abcdef"}
    links = [(a, b) for a, b, _ in LADDER.links]
    assert spread(board, links) == spread(board, links)
    star = spread({str(i): str(i) for i in range(9)}, [("0", str(i)) for i in range(1, 9)])
    nearest = min(math.dist(p, q) for i, p in star.items() for j, q in star.items() if i < j)
    assert nearest > 0.3
    assert spread({}, []) == {}
    assert spread({"a": "a"}, []) == {"a": (0.0, 0.0)}


def test_parts_that_do_not_hang_together_stand_apart():
    places = spread({n: n for n in "abcd"}, [("a", "b"), ("c", "d")])
    assert math.dist(places["a"], places["b"]) < math.dist(places["a"], places["c"])


def test_north_is_up_where_names_say_so():
    names = {"n": "North March", "s": "South March", "e": "East March", "w": "West March", "m": "Middle"}
    places = spread(names, [("m", k) for k in "nsew"] + [("n", "e"), ("e", "s"), ("s", "w"), ("w", "n")])
    assert places["n"][1] > places["m"][1] > places["s"][1]
    assert places["e"][0] > places["m"][0] > places["w"][0]


def test_spaces_links_route_and_costs(by_gid, words):
    ax = plot(LADDER, route=["a", "b", "c"], reachable={"b": 1, "c": 2})
    assert {a.get_gid() for a in by_gid(ax, "space-")} == {f"space-{n}" for n in "abcdef"}
    assert len(by_gid(ax, "link")) == 7
    assert len(by_gid(ax, "hop")) == 2
    assert {t.get_text() for t in by_gid(ax, "cost-")} == {"1", "2"}
    assert len(by_gid(ax, "piece-a")) == 1
    assert {"forest", "city", "impassable border", "along a road", "the way"} <= set(words(ax))


def test_a_turn_by_region_cards_is_drawn_through_its_regions(by_gid):
    """From Rivendell to Lórien by Rhudaur, High Pass, Anduin Vales and Wold & Foothills: it was one arrow."""
    asked = '[questions.q]\nask = "route"\ncompany = "us"\nto = "Lórien"\n'
    file = f'game = "metw"\n[companies.us]\nsite = "Rivendell"\n{asked}'
    room, scenario = games.load(document.parse(file))
    answer = room.answer(scenario, "q")
    assert [len(leg["regions"]) for leg in answer["legs"]] == [4]
    assert len(by_gid(plot(scenario, answer=answer), "hop")) == 5


def test_an_answer_is_drawn(by_gid):
    said = {"question": "how-far", "route": ["a", "d"], "reachable": ["d"], "reason": "One step."}
    ax = plot(LADDER, answer=said)
    assert len(by_gid(ax, "hop")) == 1
    assert ax.get_title(loc="left") == "how-far\nOne step."


def test_only_the_surroundings_on_demand(by_gid):
    ax = plot_board(LADDER, around=1)
    assert {a.get_gid() for a in by_gid(ax, "space-")} == {"space-a", "space-b", "space-d"}


def test_unknown_spaces_and_things():
    with pytest.raises(SbgError, match="not on the board: mordor"):
        plot(LADDER, route=["mordor"])
    with pytest.raises(SbgError, match="no board"):
        space_map(3)


def test_metw_has_every_region_and_its_company(by_gid):
    from sbg_sim.boards.metw.mapfile import load_map
    from sbg_sim.boards.metw.play import new_game, reachable

    state = new_game(load_map())
    ax = plot(state, reachable=reachable(state, state.companies[0].id))
    assert len(by_gid(ax, "space-")) == len(state.atlas.regions)
    assert len(by_gid(ax, "site-")) == len(state.atlas.sites)
    (where,) = by_gid(ax, "piece-")
    assert where.get_gid() == "piece-rivendell"
    cost = next(text for text in by_gid(ax, "cost-bree"))
    assert math.dist(cost.get_position(), where.get_xydata()[0]) > 0.05  # no star on a cost
    near = by_gid(ax, "site-bree")[0].get_center(), by_gid(ax, "space-arthedain")[0].center
    assert math.dist(*near) == pytest.approx(0.36)
    assert len(by_gid(ax, "reached-")) == 37


def test_riddle_and_path_boards(by_gid):
    from sbg_sim.boards.riddle.reading import standard

    board = standard()
    ax = plot(board)
    assert len(by_gid(ax, "space-")) == len(board.places)
    named = [t.get_gid() for t in by_gid(ax, "name-")]
    assert len(named) == len(board.spaces)  # river dots bear no name


def test_a_riddle_board_is_drawn_as_its_file_says(by_gid, words):
    from sbg_sim.boards.riddle import faces, read_board

    spaces = {
        "a": {"borders": ["b"], "drawn": [0, 0]},
        "b": {"borders": ["c"], "drawn": [4, 0], "city": True, "terrain": ["forest"]},
        "c": {"borders": ["a"], "drawn": [4, 4]},
    }
    dots = {"d": {"banks": ["a", "b", "c"], "drawn": [3, 1]}, "e": {"banks": ["a", "b", "c"], "drawn": [3, 2]}}
    rivers = {"r": {"course": ["d", "e"], "between": [["a", "c"]], "bridges": [["a", "b"]], "fords": [["b", "c"]]}}
    board = {"spaces": spaces, "dots": dots, "rivers": rivers}
    shown = space_map(read_board(board))
    assert math.dist(shown.places["a"], shown.places["b"]) == pytest.approx(1)
    assert math.dist(shown.places["b"], shown.places["d"]) == pytest.approx(math.sqrt(2) / 4)
    ways = {(a, b): word for a, b, word in shown.links}
    assert ways["d", "e"] == "river"
    assert ways["a", "d"] == "bank"
    assert shown.crossings == (("a", "b", "bridge"), ("b", "c", "ford"))
    assert shown.kinds["b"] == "forest"
    scenario = faces.load(
        {
            "game": "riddle", "title": "Three lands", "board": board, "marker": {"at": "a", "allowance": 2},
            "questions": {"q": {"ask": "reach", "at": "c"}},
        }
    )  # fmt: skip
    ax = plot(scenario)
    assert ax.get_title(loc="left") == "Three lands"
    assert [piece.get_gid() for piece in by_gid(ax, "piece-")] == ["piece-a"]
    assert {"bridge", "ford", "city", "between a bank and the river"} <= set(words(ax))
    assert len(by_gid(ax, "city-b")) == 1
    ax = plot(scenario, answer=faces.answer(scenario, "q"))
    assert [piece.get_gid() for piece in by_gid(ax, "piece-")] == ["piece-c"]


def test_a_marker_may_stand_on_a_printed_name():
    from sbg_sim.boards.riddle import faces

    scenario = faces.load({"game": "riddle", "marker": {"at": "Minas Tirith"}})
    assert space_map(scenario).pieces == {"minas-tirith": ("marker",)}


def test_a_board_that_says_only_half_where_things_are_is_laid_out():
    from sbg_sim.boards.riddle import read_board

    assert not space_map(read_board({"spaces": {"a": {"drawn": [0, 0], "borders": ["b"]}, "b": {}}})).places


def test_strongholds_are_their_holders_and_sieges_are_seen(by_gid, words):
    from sbg_sim.boards.war_of_the_ring import faces

    scenario = faces.load(
        {
            "game": "war-of-the-ring", "characters": {"Merry": "Bree"}, "besieged": ["Minas Tirith"],
            "control": {"Moria": "free-peoples"},
        }
    )  # fmt: skip
    shown = space_map(scenario)
    assert shown.kinds["moria"] == shown.kinds["rivendell"] == "free-peoples-stronghold"
    assert shown.kinds["dol-guldur"] == "shadow-stronghold"
    assert shown.pieces == {"bree": ("Meriadoc Brandybuck",)}
    ax = plot(scenario)
    assert len(by_gid(ax, "besieged-minas-tirith")) == 1
    assert {"besieged", "free peoples stronghold", "shadow stronghold"} <= set(words(ax))


def test_a_way_along_an_adventure_path(by_gid, words):
    from sbg_sim.boards.lotr_tcg import faces

    path = [{"site": site, "owner": "a"} for site in ("shadows/east-road", "shadows/nurn", "shadows/mount-doom")]
    game = {"game": "lotr-tcg", "players": {"a": {}, "b": {"deck": ["shadows/starkhorn"], "at": 3}}, "path": path}
    questions = {"q": {"ask": "route", "to": 3}, "r": {"ask": "reach", "player": "b"}}
    scenario = faces.load({**game, "moving": "a", "questions": questions})
    ax = plot(scenario, answer=faces.answer(scenario, "q"))
    assert len(by_gid(ax, "hop")) == 2
    assert [text.get_text() for text in by_gid(ax, "number-card-")] == ["1", "2", "3"]
    cards = [scenario.board[site["site"]] for site in path]
    assert [text.get_text() for text in by_gid(ax, "shadow-card-")] == [str(card.shadow) for card in cards]
    assert len(by_gid(ax, "slot-")) == 6
    assert {piece.get_gid() for piece in by_gid(ax, "piece-")} == {"piece-1", "piece-3"}
    turns = [arrow._posA_posB[1][0] > arrow._posA_posB[0][0] for arrow in by_gid(ax, "arrow-card-")]
    assert turns == [card.arrow.value == "right" for card in cards]
    with pytest.raises(SbgError, match="no board"):
        space_map(faces.load({"game": "lotr-tcg"}))


def test_sites_that_may_come_next_lie_under_the_path(by_gid, words):
    from sbg_sim.boards.lotr_tcg import faces

    players = {"a": {}, "b": {"deck": ["shadows/nurn", "shadows/mount-doom"]}}
    path = [{"site": "shadows/east-road", "owner": "a"}]
    scenario = faces.load({"game": "lotr-tcg", "players": players, "path": path, "questions": {"q": {"ask": "reach"}}})
    ax = plot(scenario, answer=faces.answer(scenario, "q"))
    assert {card.get_gid() for card in by_gid(ax, "candidate-")} == {
        "candidate-shadows/nurn",
        "candidate-shadows/mount-doom",
    }
    assert "may come next" in words(ax)


def test_a_space_of_two_kinds_shows_both(by_gid, words):
    from sbg_sim.boards.riddle import read_board

    spaces = {"a": {}, "b": {"borders": ["a"], "terrain": ["mountain", "forest"]}}
    ax = plot(read_board({"spaces": spaces}))
    assert [part.get_gid() for part in by_gid(ax, "part-")] == ["part-b-mountain"]
    assert {"forest", "mountain"} <= set(words(ax))
    colours = {patch.get_facecolor() for gid in ("space-b", "part-b-mountain") for patch in by_gid(ax, gid)}
    assert len(colours) == 2


def _path_of_copies(**question):
    """East Road as site 1 and, another player's, as site 2: `cat` moves on from 2, `ann` holds a third site."""
    from sbg_sim.boards.lotr_tcg import faces

    players = {"ann": {"deck": ["shadows/nurn"]}, "bob": {}, "cat": {"at": 2}}
    path = [{"site": "shadows/east-road", "owner": who} for who in ("ann", "bob")]
    game = {"game": "lotr-tcg", "players": players, "moving": "cat", "path": path}
    scenario = faces.load({**game, "effects": [{"player": "ann", "number": 2}], "questions": {"q": question}})
    return scenario, faces.answer(scenario, "q")


def test_a_site_that_a_card_replaces_keeps_its_number_and_nobody_moves(by_gid, words):
    scenario, answer = _path_of_copies(ask="move", player="ann", site="Nurn", by="card")
    assert answer["number"] == 2
    ax = plot(scenario, answer=answer)
    assert [text.get_text() for text in by_gid(ax, "number-candidate-")] == ["2"]
    card, below = by_gid(ax, "card-2")[0].get_bbox(), by_gid(ax, "candidate-")[0].get_bbox()
    assert below.x0 == pytest.approx(card.x0)
    assert not by_gid(ax, "hop")
    assert "played by a card" in words(ax)
    assert "may come next" not in words(ax)


def test_who_moves_is_named_first(by_gid):
    from sbg_sim.boards.lotr_tcg import faces

    path = [{"site": "shadows/east-road", "owner": "ann"}]
    scenario = faces.load({"game": "lotr-tcg", "players": {"ann": {}, "bob": {}}, "moving": "bob", "path": path})
    assert "bob\n(moving),\nann" in [text.get_text() for text in plot(scenario).texts]


def test_a_way_over_copies_of_a_card_begins_where_the_mover_is(by_gid):
    scenario, answer = _path_of_copies(ask="move", player="ann", site="Nurn")
    assert answer["number"] == 3
    assert answer["rules"] == ["L3", "L4", "L6"]
    ax = plot(scenario, answer=answer)
    start, _ = by_gid(ax, "hop")[0]._posA_posB
    assert start[0] == pytest.approx(by_gid(ax, "card-2")[0].get_bbox().x1)


def test_the_next_site_of_another_player_is_theirs(by_gid):
    scenario, answer = _path_of_copies(ask="reach", player="ann")
    assert answer["number"] == 2
    ax = plot(scenario, answer=answer)
    assert not by_gid(ax, "candidate-")
    lit, plain = by_gid(ax, "card-2")[0], by_gid(ax, "card-1")[0]
    assert lit.get_linewidth() > plain.get_linewidth()


def test_a_card_that_may_come_next_is_the_one_of_who_plays_it():
    from sbg_sim.boards.lotr_tcg import faces

    players = {"ann": {"deck": ["shadows/nurn"]}, "bob": {"deck": ["shadows/nurn"]}}
    path = [{"site": "shadows/east-road", "owner": "ann"}]
    scenario = faces.load({"game": "lotr-tcg", "players": players, "path": path, "questions": {"q": {"ask": "reach"}}})
    shown = [text.get_text() for text in plot(scenario, answer=faces.answer(scenario, "q")).texts]
    assert shown.count("ann") == 1  # of the card on the path
    assert "bob" in shown


def test_legal_moves_are_lit_and_a_refused_one_is_crossed_out(by_gid, words):
    from sbg_sim.boards.war_of_the_ring import faces

    scenario = faces.load(
        {
            "game": "war-of-the-ring", "characters": {"Merry": "Rivendell"}, "armies": {"Moria": "shadow"},
            "questions": {"q": {"ask": "move", "who": "Merry", "to": "Bree"}},
        }
    )  # fmt: skip
    ax = plot(scenario, answer=faces.answer(scenario, "q"), lit=scenario.lit("q"))
    assert {ring.get_gid() for ring in by_gid(ax, "reached-")} == {"reached-trollshaws", "reached-fords-of-bruinen"}
    assert by_gid(ax, "refused-bree")
    assert by_gid(ax, "space-dale")[0].get_edgecolor() > by_gid(ax, "space-trollshaws")[0].get_edgecolor()
    assert by_gid(ax, "shadow-army-moria")
    assert "not allowed: see the reason above" in words(ax)


def test_a_card_played_from_hand_is_the_end_of_the_way(by_gid):
    from sbg_sim.boards.lotr_tcg import faces

    scenario = faces.load(
        {
            "game": "lotr-tcg",
            "players": {"ann": {"deck": ["shadows/nurn"]}, "bob": {"deck": ["shadows/mount-doom"]}},
            "path": [{"site": "shadows/east-road", "owner": "ann"}],
            "questions": {"q": {"ask": "move", "player": "bob", "site": "shadows/mount-doom"}},
        }
    )
    answer = faces.answer(scenario, "q")
    assert answer["answer"] == "yes"
    assert len(by_gid(plot(scenario, answer=answer), "hop")) == 1


def test_the_fellowship_stands_where_it_is():
    from sbg_sim.boards.war_of_the_ring import faces

    scenario = faces.load({"game": "war-of-the-ring", "fellowship": {"companions": ["Gimli"], "at": "Bree"}})
    assert any("the Fellowship" in text.get_text() for text in plot(scenario).texts)


def test_river_dots_that_an_answer_uses_have_names_and_costs(by_gid):
    from sbg_sim.boards.riddle import faces

    marker = {"at": "bree", "allowance": 2, "cards": ["boat"]}
    scenario = faces.load({"game": "riddle", "marker": marker, "questions": {"q": {"ask": "reach"}}})
    found = faces.answer(scenario, "q")
    ax = plot(scenario, answer=found)
    costs = {text.get_gid().removeprefix("cost-"): int(text.get_text()) for text in by_gid(ax, "cost-")}
    assert costs == found["costs"]
    assert by_gid(ax, "name-baranduin-1")
    assert not by_gid(ax, "name-isen-1")


def test_an_arrow_goes_from_rim_to_rim(by_gid):
    (hop,) = by_gid(plot(LADDER, route=["a", "d"]), "hop")
    places = spread(LADDER.names, [(a, b) for a, b, _ in LADDER.links])
    start, end = hop._posA_posB
    assert math.dist(start, places["a"]) == pytest.approx(0.2)
    assert math.dist(end, places["d"]) == pytest.approx(0.2)


def test_board_pictures_are_the_same_bytes():
    assert svg(LADDER) == svg(LADDER)


def test_a_part_of_the_map_keeps_east_and_west():
    """The Shire lies west of Rohan, and Rhudaur north of it, in the whole map and in every part of it."""
    from sbg_sim import document
    from sbg_sim.plot.spaces import _narrowed, _regions
    from sbg_sim.scenario import games

    source = document.read("scenarios/boards/metw/any-site-to-any-other.toml")
    shown = space_map(games.load(source)[1])
    name = {words: key for key, words in shown.names.items()}
    whole = _regions(shown)
    for kept in ({name["Rohan"], name["Rhudaur"], name["The Shire"], name["Redhorn Gate"]}, {name["Rhudaur"]}):
        part = _regions(_narrowed(shown, kept, 1), whole)
        for places in (whole, part):
            pairs = [(a, b) for a in part for b in part if whole[a][0] < whole[b][0] - 3]
            right = sum(places[a][0] < places[b][0] for a, b in pairs)
            assert right >= 0.9 * len(pairs)


@pytest.mark.parametrize("file", ["riddle/09-journey", "metw/region-types", "war-of-the-ring/siege"])
def test_kinds_of_spaces_are_told_apart_in_grey(file):
    board = space_map(games.load(document.read(f"scenarios/boards/{file}.toml"))[1])
    ax, looks = plot_board(board), {}
    for patch in ax.patches:
        kind, _, name = (patch.get_gid() or "").partition("-")
        if kind == "space" and board.kinds.get(name):
            grey = 255 * sum(w * c for w, c in zip((0.299, 0.587, 0.114), patch.get_facecolor()[:3], strict=True))
            looks[board.kinds[name]] = grey, patch.get_hatch()
    assert len(looks) > 4
    for (one, (a, hatch)), (two, (b, other)) in itertools.combinations(looks.items(), 2):
        assert abs(a - b) > 15 or hatch != other, (one, two)


def test_around_nothing_is_no_empty_picture():
    board = games.load(document.read("scenarios/boards/metw/lonely-mountain-printed.toml"))[1]
    assert len(plot_board(board).texts) > 40
    with pytest.raises(SbgError, match="around=1: no piece stands on this board"):
        plot_board(board, around=1)


def test_who_stands_on_a_site_is_told_beside_the_star_and_off_the_way():
    source = document.read("scenarios/boards/metw/any-site-to-any-other.toml")
    (answer,) = games.answers(source, ["three-steps"])
    ax = plot_board(games.load(source)[1], answer=answer, around=1)
    ways = [artist.get_path().transformed(ax.transData) for artist in ax.patches if artist.get_gid() == "hop"]
    told = [text for text in ax.texts if (text.get_gid() or "").startswith("who-")]
    assert told
    for text in told:
        (star,) = [line for line in ax.lines if line.get_gid() == text.get_gid().replace("who-", "piece-")]
        (x, y), box = ax.transData.transform(star.get_xydata()[0]), text.get_window_extent()
        away = math.hypot(max(box.x0 - x, 0, x - box.x1), max(box.y0 - y, 0, y - box.y1))
        assert away < 18 * ax.figure.dpi / 72
        assert not any(way.intersects_bbox(box, filled=False) for way in ways)


@pytest.mark.parametrize("name", ["metw/starter-movement", "war-of-the-ring/nazgul"])
def test_around_who_stands_there_west_is_where_it_is_on_the_whole_map(name):
    """Also in each of several parts, and from one part to another."""
    board = games.load(document.read(f"scenarios/boards/{name}.toml"))[1]
    whole, near = (
        {p.get_gid(): np.array(p.center) for p in ax.patches if (p.get_gid() or "").startswith("space-")}
        for ax in (plot_board(board), plot_board(board, around=1))
    )
    assert 5 < len(near) < len(whole)
    ways = [(near[a] - near[b], whole[a] - whole[b]) for a, b in itertools.combinations(near, 2)]
    alike = [one @ two / np.linalg.norm(one) / np.linalg.norm(two) for one, two in ways]
    assert np.mean(alike) > 0.8
    assert np.mean([one[0] * two[0] > 0 for one, two in ways if abs(two[0]) > 1]) > 0.9
    assert min(np.linalg.norm(one) for one, _ in ways) > 0.5
