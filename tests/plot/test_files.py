"""Files: the same bytes for the same input, small, headless, and clear words for what cannot be."""

import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.geometry.shapes import polygon
from sbg_sim.plot import plot, render, save, svg
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_same_input_same_bytes(samples, kind):
    first, second = render(samples.move_yes(), kind), render(samples.move_yes(), kind)
    assert first == second
    assert len(first) > 1000


def test_same_bytes_in_another_process_without_pyplot():
    script = (
        "import sys, sbg_sim\nassert 'matplotlib' not in sys.modules\n"
        "from sbg_sim.plot import svg\nfrom sbg_sim.table.board import Table\n"
        "from sbg_sim.table.frozen import FrozenMap\nfrom sbg_sim.table.models import Model\n"
        "a, b = Model('a', (3, 4), 1.0, side='good'), Model('b', (8, 8), 1.0, side='evil')\n"
        "sys.stdout.write(svg(Table(12, 12, FrozenMap({'a': a, 'b': b}))))\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, encoding="utf-8")
    models = [Model(name, at, 1.0, side=side) for name, at, side in (("a", (3, 4), "good"), ("b", (8, 8), "evil"))]
    assert run.stdout == svg(Table(12, 12, FrozenMap({model.id: model for model in models})))


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_a_table_of_sixty_models_is_small(theme):
    names = [f"{kind}-{k}" for k in range(30) for kind in ("warrior-of-minas-tirith", "uruk-hai")]
    models = {
        name: Model(name, (3 + 4.4 * (k % 10), 4 + 7.0 * (k // 10)), 25 / 25.4, 1.5, 6.0, ("good", "evil")[k % 2])
        for k, name in enumerate(names)
    }
    kinds = ({"obstacle"}, {"unscalable"}, {"difficult"}, {"platform"}, {"gap"})
    terrain = {}
    for k in range(20):
        at, name = (2 + 4.6 * (k % 10), 7 + 20.0 * (k // 10)), f"piece-{k}"
        corners = [(at[0] + x, at[1] + y) for x, y in ((0, 0), (3, 0), (3, 2), (0, 2))]
        terrain[name] = Terrain(name, frozenset(kinds[k % 5]), polygon(corners), height=2.0 if k % 5 != 2 else None)
    table = Table(48, 48, FrozenMap(models), FrozenMap(terrain))
    assert len(svg(table, theme=theme).encode()) < 120_000


def test_no_date_and_small(samples):
    text = svg(samples.reach())
    assert "<dc:date>" not in text
    assert len(text) < 80_000
    assert b"CreationDate" not in render(samples.move_yes(), "pdf")
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")


def test_saves_by_suffix(samples, tmp_path):
    starts = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF", ".PNG": b"\x89PNG"}
    for suffix, start in starts.items():
        path = save(samples.move_yes(), tmp_path / f"picture{suffix}")
        assert path.read_bytes().startswith(start)


def test_saves_an_axes_as_it_is(samples, tmp_path):
    ax = plot(samples.reach(), ax=plot(samples.reach().table))
    path = save(ax, tmp_path / "composed.svg")
    assert "centre can end here" in path.read_text(encoding="utf-8")


def test_options_reach_the_drawer(samples):
    assert svg(samples.move_yes(), whole=True) != svg(samples.move_yes())


@pytest.mark.parametrize(
    ("name", "said"),
    [("x.bmp", "'.bmp' is not a kind"), ("x", "no suffix"), ("no/where.svg", "cannot be written")],
)
def test_clear_words_for_bad_places(samples, tmp_path, name, said):
    with pytest.raises(SbgError, match=said):
        save(samples.move_yes(), tmp_path / name)


def test_a_folder_is_no_file(samples, tmp_path):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(SbgError, match="folder"):
        save(samples.move_yes(), tmp_path / "folder.svg")


@pytest.mark.parametrize("code", ["move", "section", "sweep", "turns"])
def test_all_type_grows_with_the_size_that_is_set(samples, code):
    """Numbers along the edges stayed at 7 points, and so did thresholds, shares and what stands along side views."""
    import matplotlib as mpl
    from matplotlib.text import Text

    jumping = sbg.load("scenarios/jumping.toml")
    made = {
        "move": samples.move_yes,
        "section": lambda: sbg.check(sbg.load("scenarios/sight-over-a-wall.toml"), "a-hundredth-lower"),
        "sweep": lambda: sbg.sweep(jumping, "pippin-goes-on", "terrain.wall.height", [0.4, 0.6]),
        "turns": lambda: sbg.campaign(jumping, "pippin-too-far"),
    }[code]()
    least = []
    for size in (8, 16):
        with mpl.rc_context({"font.size": size}):
            ax = plot(made, **{"section": True} if code == "section" else {})
            ax.figure.canvas.draw()
            texts = [text for text in ax.figure.findobj(Text) if text.get_visible() and text.get_text()]
            least.append(min(text.get_fontsize() for text in texts))
    assert least[1] == pytest.approx(2 * least[0])


def test_a_last_bit_changes_no_byte_of_an_svg():
    """Processors differ in it, and a clip had its name from it; notebooks that are built anew were other bytes."""
    table = sbg.load("scenarios/charging-2.toml")
    made = []
    for nudge in (0.0, 1e-14):
        ax = plot(table)
        box = ax.get_position(original=True)
        ax.set_position((box.x0 + nudge, box.y0 - nudge, box.width, box.height))
        made.append(svg(ax))
    assert "clipPath" in made[0]
    assert made[0] == made[1]
    assert not re.search(r'[\s",(]-0(\.0+)?[\s",)]', made[0])


def test_what_an_svg_says_of_itself_holds_no_layout(ranks):
    """A key that runs over several lines of a legend was told with the blanks that indent it."""
    said = re.search(r"<desc[^>]*>(.*?)</desc>", svg(sbg.reach(ranks, "man-5"), view="all"), re.DOTALL)[1]
    assert "man-" in said
    assert not re.search(r"\s\s|\xa0", said)


def test_unknown_things_are_named():
    with pytest.raises(SbgError, match="no picture of 'object'; what can be drawn: answer, audit, board"):
        plot(object())


def test_users_settings_are_respected_and_stay(samples):
    import matplotlib as mpl

    before = svg(samples.move_yes())
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "#ffe0e0"}):
        ax = plot(samples.move_yes())
        assert mpl.colors.to_hex(ax.get_facecolor()) == "#ffe0e0"
        assert min(t.get_fontsize() for t in ax.texts) > 14
        assert mpl.rcParams["font.size"] == 20
    assert svg(samples.move_yes()) == before


def test_film_of_a_route(samples, tmp_path):
    from PIL import Image

    from sbg_sim.plot.animation import animate, timeline

    path = animate(samples.move_yes(), tmp_path / "way.gif", seconds=1, frames_per_second=6)
    with Image.open(path) as film:
        assert film.n_frames >= 4  # four moments; the held last picture may be one frame
    again = animate(samples.move_yes(), tmp_path / "again.gif", seconds=1, frames_per_second=6)
    assert path.read_bytes() == again.read_bytes()
    moments = timeline(samples.arc_route(), 11)
    assert moments[0] == ((4.0, 10.0), 0.0)
    assert moments[-1][0] == pytest.approx((9.2, 10.0))
    assert moments[-1][1] == pytest.approx(samples.arc_route().cost)
    assert moments[5][0] == pytest.approx((6.6, 10 + samples.BASE))  # half-way, by symmetry
    assert moments[5][1] == pytest.approx(samples.arc_route().cost / 2)


def test_film_waits_while_a_model_climbs(samples):
    from sbg_sim.plot.animation import timeline

    used = [cost for _, cost in timeline(samples.climb().route, 50)]
    assert used == sorted(used)
    assert used[-1] == pytest.approx(samples.climb().route.cost)


def test_films_that_cannot_be(samples, tmp_path, monkeypatch):
    from sbg_sim.plot.animation import animate

    with pytest.raises(SbgError, match="not a kind of film"):
        animate(samples.move_yes(), tmp_path / "x.avi")
    with pytest.raises(SbgError, match="nothing moves there; `sbg-sim plot` draws the answer"):
        animate(samples.charge_refused(), tmp_path / "x.gif")
    with pytest.raises(SbgError, match="no folder"):
        animate(samples.move_yes(), tmp_path / "none" / "x.gif")
    with pytest.raises(SbgError, match="no option 'second'; did you mean 'seconds'"):
        sbg.animate(samples.move_yes(), tmp_path / "x.gif", second=3)
    with pytest.raises(SbgError, match="too long; 2000 is the most at 10"):
        animate(samples.move_yes(), tmp_path / "x.gif", seconds=1e9, frames_per_second=10)
    with pytest.raises(SbgError, match="no film of a Table"):
        animate(samples.rich_table(), tmp_path / "x.gif")
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(SbgError, match="ffmpeg"):
        animate(samples.move_yes(), tmp_path / "x.mp4")


@pytest.mark.skipif(os.name == "nt", reason="a script of a shell")
def test_a_video_is_what_ffmpeg_makes_of_the_frames(samples, tmp_path, monkeypatch):
    """A stand-in for it tells how many bytes it was given, or why it made nothing."""
    tool = tmp_path / "ffmpeg"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    tool.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\nwc -c >> "$last"\n')
    tool.chmod(0o755)
    film = sbg.animate(samples.move_yes(), tmp_path / "x.mp4", seconds=1, frames_per_second=6)
    said, count = film.read_text().splitlines()
    wide, high = map(int, re.search(r"-s (\d+)x(\d+) -r 6 ", said).groups())
    assert (wide % 2, high % 2, int(count) % (wide * high * 3)) == (0, 0, 0)
    assert int(count) // (wide * high * 3) >= 6
    tool.write_text('#!/bin/sh\ncat > /dev/null\necho "no such codec" >&2\nexit 1\n')
    with pytest.raises(SbgError, match=r"y\.mp4: ffmpeg could not write the film: no such codec"):
        sbg.animate(samples.move_yes(), tmp_path / "y.mp4", seconds=1, frames_per_second=6)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg here")
def test_a_film_as_video(samples, tmp_path):
    written = sbg.animate(samples.move_yes(), tmp_path / "x.mp4", seconds=1, frames_per_second=6).read_bytes()
    assert written[4:8] == b"ftyp"
    assert b"avc1" in written


def test_films_of_a_phase(tmp_path):
    from PIL import Image

    replay = sbg.replay(sbg.load("scenarios/phase/charging-2-sequence.toml"))
    with Image.open(sbg.animate(replay, tmp_path / "x.gif", seconds=2, frames_per_second=6)) as film:
        assert film.n_frames >= 3 * len(replay.steps)
    page = sbg.animate(replay.phase, tmp_path / "x.html", seconds=2).read_text(encoding="utf-8")
    for step in replay.steps:
        assert f'id="film-base-{step.model}"' in page
    data = json.loads(re.search(r"const film = (.*);", page)[1])
    assert data["moments"][-1]["p"][replay.steps[0].model] == pytest.approx(replay.steps[0].at, abs=1e-4)


def test_films_in_the_dark(tmp_path):
    from click.testing import CliRunner
    from PIL import Image

    from sbg_sim.cli.group import _sbg_sim

    def film(out, *more):
        file = "scenarios/charging-2.toml"
        call = ["film", file, "third-to-pippin", "--out", str(out), "--seconds", "0.5", *more]
        return CliRunner().invoke(_sbg_sim, call)

    for theme, corner in (("light", 255), ("auto", 255), ("dark", 0x17)):  # one palette: nearly these
        done = film(tmp_path / "x.gif", "--theme", theme)
        assert done.exit_code == 0, done.output
        with Image.open(tmp_path / "x.gif") as picture:
            assert picture.convert("RGB").getpixel((2, 2)) == pytest.approx((corner,) * 3, abs=8)
    follows = {}
    for theme in ("light", "auto", "dark"):
        assert film(tmp_path / "x.html", "--theme", theme).exit_code == 0
        follows[theme] = "prefers-color-scheme: dark" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert follows == {"light": False, "auto": True, "dark": False}
    assert film(tmp_path / "x.gif", "--theme", "dim").exit_code == 2


def test_png_is_what_it_says(samples):
    from PIL import Image

    with Image.open(io.BytesIO(render(samples.move_yes(), "png"))) as picture:
        assert picture.width > 600


def test_film_from_the_room(samples, tmp_path):
    from sbg_sim.plot import animate

    assert animate(samples.move_yes(), tmp_path / "x.gif", seconds=0.4, frames_per_second=5).exists()


def test_a_film_says_whose_move_it_is_and_which_of_how_many():
    from sbg_sim.plot.animation import _moments, _turns

    replay = sbg.replay(sbg.load("scenarios/phase/jumping-three-hobbits.toml"))
    notes = [moment.note for moment in _moments(_turns(replay), [step.model for step in replay.steps], 3)]
    first, last = replay.steps[0], replay.steps[-1]
    assert notes[0] == f"1 of {len(replay.steps)}: {first.model} 0.00″"
    assert notes[-1].startswith(f"{len(replay.steps)} of {len(replay.steps)}: {last.model} {last.used:.2f}″")


def test_a_film_of_several_turns_counts_all_of_them_and_the_slain_leave():
    from sbg_sim.plot.animation import _moments, _of_phase, _turns

    played = sbg.replay(sbg.load("scenarios/phase/three-turns.toml"))
    steps = [step for turn in played.turns for step in turn.steps]
    reel = _of_phase(played, None, 12, whole=False)
    assert "Three turns at the ford: 14 moves, 1 slain" in reel.ax.get_title(loc="left")
    notes = [m.note for m in _moments(_turns(played), ["orc-1"], 4)]
    assert notes[0].startswith(f"turn 1, 1 of {len(steps)}: gimli")
    assert notes[-1].startswith(f"turn 3, {len(steps)} of {len(steps)}: eowyn")
    told = next(i for i, m in enumerate(reel.moments) if m.note.endswith("orc-1 is slain"))
    after = next(i for i, m in enumerate(reel.moments) if i > told and "orc-1" not in m.note)
    assert "orc-1" in reel.moments[told].places
    assert any(m.note.endswith("13 of 16: sam is set down prone at (6, 12)") for m in reel.moments)
    assert "turn 2" in reel.moments[after].note
    assert all("orc-1" not in m.places for m in reel.moments[after:])


def test_a_base_in_a_film_of_a_way_shows_its_side_without_colour():
    from sbg_sim.plot import palette
    from sbg_sim.plot.animation import _of_verdict

    reel = _of_verdict(sbg.check(sbg.load("scenarios/amon-hen.toml"), "lurtz-to-merry"), 1.0, 6, whole=False)
    (base,) = reel.parts["lurtz"]
    assert base.get_linestyle() == palette.side_styles(["evil"])["evil"].style


def test_what_a_film_says_covers_no_base_and_its_names_meet_none_in_the_last_picture():
    from sbg_sim.plot.animation import _of_phase, _of_verdict
    from sbg_sim.plot.frames import frames

    replay = sbg.replay(sbg.load("scenarios/phase/reinforcements-faramir.toml"))
    reel = _of_phase(replay, None, 12, whole=False)
    list(frames(reel))
    bases = {name: parts[0].get_window_extent() for name, parts in reel.parts.items()}
    names = [parts[1].get_window_extent() for parts in reel.parts.values()]
    assert len(names) == len({step.model for step in replay.steps})
    assert not any(parts[1].get_clip_on() for parts in reel.parts.values())  # whole beside the edge of the view, too
    for name in names:
        assert not any(name.overlaps(base) for base in bases.values())
        assert sum(name.overlaps(other) for other in names) == 1  # itself
    verdict = sbg.check(sbg.load("scenarios/amon-hen.toml"), "aragorn-through-the-bog")
    reel = _of_verdict(verdict, 1.0, 12, whole=False)
    reel.show(reel.moments[-1])
    assert reel.note.get_text() == "aragorn 8.98″ of 6″: beyond its Move"
    assert reel.note.get_window_extent().y1 < reel.ax.get_window_extent().y0
    was = next(patch for patch in reel.ax.patches if patch.get_gid() == "model-aragorn")
    assert was.get_facecolor()[3] == 0  # one base of his, and where it was


def test_a_zone_out_of_view_is_clipped_in_a_page_too(tmp_path):
    table = sbg.load("scenarios/phase/reinforcements-faramir.toml")
    page = sbg.animate(sbg.replay(table), tmp_path / "x.html", seconds=2).read_text(encoding="utf-8")
    movers = json.loads(re.search(r"const film = (.*);", page)[1])["with"]
    rings = re.findall(r'<g id="film-zone-([^"]+)">(.*?)</g>', page, re.DOTALL)
    assert {name for name, _ in rings} > set(movers)  # one of them stands still, far off
    assert all(("clip-path" in ring) == (name not in movers) for name, ring in rings)


def test_the_end_of_a_film_says_who_is_engaged(tmp_path):
    phase = sbg.replay(sbg.load("scenarios/phase/charging-2-sequence.toml"))
    pairs = {" with ".join(sorted((step.model, other))) for step in phase.steps for other in step.engaged}
    assert pairs
    text = sbg.animate(phase, tmp_path / "film.html", seconds=1).read_text("utf-8")
    assert "engaged: " in text
    assert all(pair in text for pair in pairs)


def test_a_film_of_one_turn_shows_its_moves_alone_and_frees_whose_enemy_is_slain():
    from sbg_sim.plot.animation import _of_phase

    turn = sbg.replay(sbg.load("scenarios/phase/three-turns.toml")).turns[1]
    reel = _of_phase(turn, 2.0, 6, whole=False)
    assert reel.ax.get_title(loc="left") == "Three turns at the ford, turn 2: 5 moves, 1 slain"
    assert set(reel.home) == {step.model for step in turn.steps if step.at is not None}
    assert reel.moments[0].note == "1 of 7: orc-1 0.00″"
    after = [moment for moment in reel.moments if "orc-1 is slain" in moment.note]
    assert "gimli" not in after[0].zones
    assert reel.moments[-1].zones == {"gimli", "eowyn"}  # aragorn is engaged still, sam lies


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg here")
def test_a_video_of_a_turn(tmp_path):
    turn = sbg.replay(sbg.load("scenarios/phase/three-turns.toml")).turns[1]
    assert sbg.animate(turn, tmp_path / "x.mp4", seconds=1, frames_per_second=6).read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(("question", "rises"), [("crawls", False), ("stands-and-walks", True)])
def test_who_lies_takes_the_sign_of_it_along_until_it_stands(question, rises, tmp_path):
    from sbg_sim.plot.animation import _of_verdict

    verdict = sbg.check(sbg.load("scenarios/prone-and-movement.toml"), question)
    reel = _of_verdict(verdict, 4.0, 12, whole=False)
    (bar,) = reel.bars.values()
    frodo = verdict.table.model("frodo")
    assert [line for line in reel.ax.lines if line.get_gid() == "prone-frodo" and line.get_visible()] == []
    shown = []
    for moment in reel.moments:
        reel.show(moment)
        shown.append(bar.get_visible())
        middle = bar.get_transform().transform(bar.get_xydata()).mean(axis=0)
        assert middle == pytest.approx(reel.ax.transData.transform(moment.places["frodo"]), abs=1e-6)
        assert bar.get_visible() == (not rises or (moment.places["frodo"] == frodo.at and moment.prone == {"frodo"}))
    assert shown[0]
    assert shown[-1] == (not rises)
    page = sbg.animate(verdict, tmp_path / "x.html", seconds=1).read_text("utf-8")
    film = json.loads(re.search(r"const film = (.*);", page)[1])
    assert film["bars"] == ["frodo"]
    assert 'id="film-bar-frodo"' in page
    assert (film["moments"][-1]["l"] == ["frodo"]) == (not rises)


def test_in_a_film_of_turns_who_is_knocked_down_lies_and_who_stands_up_has_a_zone_again():
    from sbg_sim.plot.animation import _of_phase

    reel = _of_phase(sbg.replay(sbg.load("scenarios/phase/three-turns.toml")), None, 12, whole=False)
    assert reel.bars.keys() == {"sam"}
    lies = ["sam" in moment.prone for moment in reel.moments]
    assert not lies[0]
    assert any(lies)
    assert not lies[-1]
    zoned = ["sam" in moment.zones for moment in reel.moments]
    assert zoned[-1]
    assert not any(lie and zone for lie, zone in zip(lies[1:], zoned[1:], strict=True))


def test_a_film_says_to_the_end_who_moved_last_and_who_hangs_how_high():
    from sbg_sim.plot.animation import _of_phase

    played = sbg.replay(sbg.load("scenarios/phase/a-tall-tower.toml"))
    steps = [step for turn in played.turns for step in turn.steps]
    notes = list(dict.fromkeys(moment.note for moment in _of_phase(played, None, 12, whole=False).moments))
    hanging = [step for step in steps if step.climbed > 0]
    assert hanging
    for step in hanging:
        assert any(f": {step.model} " in note and note.endswith(f"hangs {step.climbed:.4g}″ up") for note in notes)
    assert sum("hangs" in note for note in notes) == len(hanging)
    assert notes[-1].startswith(f"turn 3, {len(steps)} of {len(steps)}: {steps[-1].model} ")


def test_names_in_a_film_of_turns_cover_no_base_and_no_name_while_nobody_moves():
    from sbg_sim.plot.animation import _of_phase

    reel = _of_phase(sbg.replay(sbg.load("scenarios/phase/three-turns.toml")), None, 12, whole=False)
    turn = reel.ax.transData.inverted()
    settled = [m for before, m in itertools.pairwise(reel.moments) if before == m]
    assert len(settled) > 15
    for moment in settled:
        reel.show(moment)
        shown = {text.get_gid(): text for text in reel.ax.texts if text.get_visible() and text.get_gid()}
        boxes = {gid: shapely.box(*turn.transform(t.get_window_extent()).ravel()) for gid, t in shown.items()}
        for (gid, one), (other, two) in itertools.combinations(boxes.items(), 2):
            assert not shapely.intersects(one, two), (moment.note, gid, other)
        for name, at in moment.places.items():
            base = shapely.Point(at).buffer(0.45)
            assert not shapely.intersects(base, list(boxes.values())).any(), (moment.note, name)
