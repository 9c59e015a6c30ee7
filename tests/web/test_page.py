"""The page in a real browser: what people do with it."""

from __future__ import annotations

import math
import signal
import tomllib

import pytest

import sbg_sim
from tests.web.conftest import ROOT, Served

DUEL = """
title = "A duel"
[table]
width = 24
depth = 24
[profiles.man]
base = "25 mm"
height = 1.5
move = 6
[models.lurtz]
profile = "man"
side = "evil"
at = [6, 12]
[models.merry]
profile = "man"
side = "good"
at = [10, 12]
[models.sam]
profile = "man"
side = "good"
at = [20, 20]
[terrain.wall]
tags = ["obstacle"]
height = 1.0
polygon = [[5, 4], [9, 4], [9, 4.4], [5, 4.4]]
[questions.far]
ask = "charge"
model = "lurtz"
target = "sam"
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """One server for all pages, with a file that each test writes anew."""
    path = tmp_path_factory.mktemp("tables") / "duel.toml"
    path.write_text(DUEL, encoding="utf-8")
    server = Served(path)
    yield server, path
    server.stop()


@pytest.fixture
def duel(desk, sheet):
    """A page on a small table."""

    def start(text=DUEL, on=desk, **context):
        server, path = on
        path.write_text(text, encoding="utf-8")
        page = sheet(server.url, **context)
        page.server, page.path = server, path
        return page

    return start


def test_load_shows_every_base_with_its_title(duel):
    page = duel()
    assert page.page.locator("[data-model]").count() == 3
    assert page.page.locator('[data-model="lurtz"] > title').text_content() == "lurtz, evil"
    assert page.place("lurtz") == (6, 12)
    assert page.page.locator("h1").inner_text() == "A duel"


def test_drag_judges_while_it_moves_and_drops_where_it_may(duel):
    page = duel()
    page.drag((6, 12), (6, 16), drop=False)
    words = page.until("yes", "4.0000 of 6 in")
    assert "2.0000 in to spare" in words
    assert page.page.locator('path[data-reach="lurtz"]').get_attribute("d")
    page.page.mouse.up()
    page.wait("document.querySelector('#undo').disabled === false")
    x, y = page.place("lurtz")
    assert abs(x - 6) < 0.1
    assert abs(y - 16) < 0.1
    page.page.keyboard.press("Control+z")
    page.wait("document.querySelector('#redo').disabled === false")
    assert page.place("lurtz") == (6, 12)
    page.page.locator("#redo").click()
    page.wait("document.querySelector('#redo').disabled === true")
    assert abs(page.place("lurtz")[1] - 16) < 0.1


def test_an_illegal_drop_leaves_a_ghost_with_its_rule_and_offers_the_nearest_place(duel):
    page = duel()
    page.drag((6, 12), (6, 22))
    page.until("no", "10.0000 in and has 6")
    assert "(MOV.3)" in page.verdict()[1]
    page.page.wait_for_selector('[data-ghost="lurtz"]', state="attached")
    assert page.place("lurtz") == (6, 12)
    page.page.locator("#offer button").first.click()
    page.wait("document.querySelector('#undo').disabled === false")
    x, y = page.place("lurtz")
    assert abs((x - 6) ** 2 + (y - 12) ** 2 - 36) < 0.05
    assert page.verdict()[0] == "yes"


def test_charge_allowed_and_refused(duel):
    page = duel()
    page.drag((6, 12), (9.1, 12), drop=False)
    page.until("yes", "lurtz into merry")
    page.page.mouse.up()
    page.until("yes", "charges merry")
    page.wait("document.querySelector('[data-model=merry] title').textContent.includes('engaged with lurtz')")
    page.drag(page.place("lurtz"), (12, 14))
    page.until("no", "engaged with merry")
    page.page.keyboard.press("Escape")
    page.base("merry").click()
    page.page.keyboard.press("Escape")


@pytest.mark.parametrize("end", [(9.3, 12.7), (10.6, 12.9)])
def test_the_pointer_chooses_where_on_the_base_a_charge_ends(duel, end):
    page = duel()
    page.drag((6, 12), end, drop=False)
    page.until("yes", "here at")
    page.page.mouse.up()
    page.until("yes", "charges merry")
    page.wait("document.querySelector('[data-model=merry] title').textContent.includes('engaged with lurtz')")
    x, y = page.place("lurtz")
    apart = math.dist(end, (10, 12)) * 25.4 / 25
    assert (x, y) == pytest.approx((10 + (end[0] - 10) / apart, 12 + (end[1] - 12) / apart), abs=0.05)
    assert math.dist((x, y), (10, 12)) == pytest.approx(25 / 25.4, abs=1e-5)


def test_hovering_an_enemy_says_why_not(duel):
    page = duel()
    page.base("lurtz").click()
    page.page.wait_for_selector('[data-reach="lurtz"]', state="attached")
    page.base("sam").hover()
    page.until("no", "lurtz into sam: no")


def test_hovering_terrain_says_its_rules(duel):
    page = duel()
    page.page.keyboard.press("Escape")
    page.page.locator("[data-terrain]").first.hover(force=True)
    page.wait("/[A-Z]+[.][0-9]/.test(document.querySelector('[data-verdict]').textContent)")


def test_snap_to_just_outside_the_zone(duel):
    page = duel()
    rim = 10 - (1 + 25 / 25.4)
    page.drag((6, 12), (rim + 0.2, 12), drop=False, steps=4)
    page.until("yes", "just outside the Control Zone")
    page.page.mouse.up()
    page.wait("document.querySelector('#undo').disabled === false")
    assert page.place("lurtz")[0] == pytest.approx(rim, abs=1e-5)


def test_tape_and_sight(duel):
    page = duel()
    page.page.keyboard.press("t")
    page.drag((6, 12), (10, 12))
    page.until("measure", "3.0157 in edge to edge, 4.0000 in centre to centre")
    page.page.keyboard.press("s")
    page.drag((6, 12), (10, 12))
    page.until("yes", "lurtz sees merry")
    assert page.page.locator(".way.sight").count() == 1


def test_build_undo_redo_and_faults_beside_the_thing(duel):
    page = duel()
    page.tab("build")
    page.page.locator("#add-model").click()
    page.page.mouse.click(*page.at(15, 5))
    page.page.wait_for_selector('[data-model="model-1"]', state="attached")
    page.page.locator('[data-key="model-base"]').fill("40 mm")
    page.page.locator('[data-key="model-base"]').press("Enter")
    page.wait("Math.abs(document.querySelector('[data-model=model-1] circle').r.baseVal.value - 20 / 25.4) < 1e-6")
    page.page.locator('[data-key="model-base"]').fill("bread")
    page.page.locator('[data-key="model-base"]').press("Enter")
    page.page.wait_for_selector('[data-fault="models.model-1.base"]')
    assert page.page.locator("[data-fault-beside]").count() >= 0
    page.page.locator("#undo").click()
    page.page.wait_for_selector("#faults", state="hidden")
    page.page.locator("#undo").click()
    page.wait("Math.abs(document.querySelector('[data-model=model-1] circle').r.baseVal.value - 12.5 / 25.4) < 1e-6")
    page.page.locator("#undo").click()
    page.page.wait_for_selector('[data-model="model-1"]', state="detached")
    page.page.locator("#add-circle").click()
    page.page.mouse.click(*page.at(15, 5))
    page.page.wait_for_selector('[data-terrain="disc-1"]', state="attached")
    page.page.locator('[data-key="piece-radius"]').fill("2")
    page.page.locator('[data-key="piece-radius"]').press("Enter")
    page.page.locator('[data-key="tag-difficult"]').check()
    page.wait("document.querySelector('[data-terrain=disc-1] title').textContent.includes('difficult')")
    page.page.locator("#delete").click()
    page.page.wait_for_selector('[data-terrain="disc-1"]', state="detached")


def test_a_ruling_is_a_switch(duel):
    page = duel()
    page.tab("rules")
    page.page.locator('[data-ruling="obstacle_exactly_half"]').select_option(index=1)
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('obstacle_exactly_half')")


def test_placing_shows_the_new_reach_while_it_moves(duel):
    page = duel()
    page.base("lurtz").click()
    page.page.wait_for_selector('[data-reach="lurtz"]', state="attached")
    before = page.page.locator('path[data-reach="lurtz"]').get_attribute("d")
    page.page.keyboard.press("p")
    page.drag((6, 12), (6, 18), drop=False)
    page.until("yes", "from there")
    assert page.page.locator('path[data-reach="lurtz"]').get_attribute("d") != before
    page.page.mouse.up()
    page.wait("document.querySelector('#undo').disabled === false")
    page.drag((20, 20), page.place("lurtz"))
    page.page.wait_for_selector('[data-fault="models.sam.at"], [data-fault="models.lurtz.at"]')
    assert page.page.locator(".model.faulty").count() >= 1
    page.drag(page.place("sam"), (20, 20))
    page.page.wait_for_selector("#faults", state="hidden")


def test_the_outline_is_as_fine_as_ever_when_the_hand_rests(duel):
    page = duel()
    page.page.keyboard.press("p")
    page.drag((6, 12), (7, 17), drop=False)
    page.until("yes", "from there")
    page.wait("document.querySelector('path[data-reach=lurtz]')?.dataset.area")
    page.page.mouse.up()
    page.wait("document.querySelector('#undo').disabled === false")
    asked = sbg_sim.Table.from_data(tomllib.loads(DUEL)).having("lurtz", at=page.place("lurtz"))
    area = float(sbg_sim.reach(asked, "lurtz").area.area)
    page.wait(f"Math.abs(document.querySelector('path[data-reach=lurtz]')?.dataset.area - {area}) < 1e-3")


def test_first_paint_within_a_second(duel):
    page = duel()
    took = []
    for _ in range(4):  # the quickest of a few: what else a machine does is not the page's doing
        page.page.reload()
        page.page.wait_for_selector("html[data-ready]")
        paints = "performance.getEntriesByName('first-contentful-paint').map(p => p.startTime)[0] ?? 1e9"
        took.append(page.page.evaluate(paints))
    assert min(took) < 1000


def test_choose_the_fights_and_begin_the_next_turn(duel):
    page = duel((ROOT / "scenarios" / "pairing-off-fights.toml").read_text(encoding="utf-8"))
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    for _ in range(2):
        page.page.locator("#play-end").click()
        page.page.wait_for_timeout(200)
    page.page.wait_for_selector('[data-way="2"]')
    assert page.page.locator("[data-way]").count() == 2
    page.page.locator('[data-way="2"]').click()
    page.page.wait_for_selector('[data-way="2"][aria-pressed="true"]')
    page.page.locator('[data-next="good"]').click()
    page.wait("document.querySelector('#turn-of').textContent.startsWith('Turn 2: good moves')")
    page.page.locator("#play-keep").click()
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('turns')")
    kept = tomllib.loads(page.page.locator("#text").input_value())
    assert kept["turns"][0]["priority"] == "good"
    assert len(kept["phase"]["fights"]) == 5


def test_play_a_phase_with_dice_and_undo(duel):
    long = DUEL.replace("[[5, 4], [9, 4], [9, 4.4], [5, 4.4]]", "[[1, 4], [13, 4], [13, 4.4], [1, 4.4]]")
    page = duel(long.replace("at = [6, 12]", "at = [7, 5.2]"))
    page.tab("play")
    page.page.locator("#priority").select_option("evil")
    page.page.locator("#play-begin").click()
    page.page.wait_for_selector('[data-movable="lurtz"]')
    page.drag((20, 20), (20, 18))
    page.until("no", "MOV.1")
    page.page.keyboard.press("Escape")
    page.drag((7, 5.2), (7, 3.2), drop=False)
    page.until("chance", "jump over wall")
    page.page.mouse.up()
    page.page.locator('[data-roll="6"]').click()
    page.wait("document.querySelectorAll('#steps li').length === 1")
    assert "rolled 6" in page.page.locator("#steps li").inner_text()
    page.page.locator("#undo").click()
    page.wait("document.querySelectorAll('#steps li').length === 0")
    assert page.place("lurtz") == (7, 5.2)
    page.page.locator("#redo").click()
    page.wait("document.querySelectorAll('#steps li').length === 1")
    page.page.locator("#play-end").click()
    page.page.wait_for_selector('[data-movable="sam"]')
    page.page.locator("#play-keep").click()
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('[[moves]]')")
    page.page.locator("#save").click()
    page.wait("document.querySelector('#file-state').textContent.startsWith('All')")
    data = tomllib.loads(page.path.read_text(encoding="utf-8"))
    assert data["phase"]["priority"] == "evil"
    assert data["moves"][0]["rolls"] == [6]


def test_save_and_read_back_and_two_pages(duel, sheet):
    page = duel()
    other = sheet(page.server.url)
    page.drag((6, 12), (6, 16))
    page.wait("document.querySelector('#undo').disabled === false")
    page.page.keyboard.press("Control+s")
    page.until("", "saved")
    assert tomllib.loads(page.path.read_text(encoding="utf-8"))["models"]["lurtz"]["at"][1] == pytest.approx(
        16, abs=0.1
    )
    other.drag((20, 20), (20, 16))
    other.wait("document.querySelector('#undo').disabled === false")
    other.page.keyboard.press("Control+s")
    other.page.wait_for_selector("#take-theirs")
    assert tomllib.loads(page.path.read_text(encoding="utf-8"))["models"]["sam"]["at"] == [20, 20]
    other.page.locator("#take-theirs").click()
    other.wait("document.querySelector('[data-model=sam]').getAttribute('transform') === 'translate(20 -20)'")
    other.page.locator("#undo").click()
    other.wait("document.querySelector('[data-model=sam]').getAttribute('transform') !== 'translate(20 -20)'")


def test_keyboard_only(duel):
    page = duel()
    page.base("lurtz").focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Shift+ArrowRight")
    page.until("yes", "lurtz to (6.01, 12.3)")
    page.page.keyboard.press("Enter")
    page.wait("document.querySelector('#undo').disabled === false")
    assert page.place("lurtz") == (6.01, 12.3)
    assert page.page.evaluate("document.activeElement.dataset.model") == "lurtz"
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Escape")
    assert page.place("lurtz") == (6.01, 12.3)
    page.page.keyboard.press("p")
    page.page.keyboard.press("ArrowLeft")
    page.wait("document.querySelector('[data-model=lurtz]').getAttribute('transform') === 'translate(5.91 -12.3)'")
    style = page.page.evaluate("getComputedStyle(document.activeElement.querySelector('circle')).strokeWidth")
    assert style == "5px"


def test_touch(duel):
    page = duel(has_touch=True, viewport={"width": 800, "height": 1000})
    client = page.page.context.new_cdp_session(page.page)

    def touch(kind, *spots):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(spots)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", page.at(6, 12))
    for k in range(1, 9):
        touch("touchMove", page.at(6, 12 + k / 2))
    page.until("yes", "of 6 in")
    touch("touchEnd")
    page.wait("document.querySelector('#undo').disabled === false")
    assert page.place("lurtz")[1] == pytest.approx(16, abs=0.1)
    before = page.at(1, 0)[0] - page.at(0, 0)[0]
    touch("touchStart", (300, 300), (400, 300))
    touch("touchMove", (250, 300), (450, 300))
    touch("touchEnd")
    page.wait(f"document.getElementById('world').getScreenCTM().a > {before * 1.5}")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_dark_and_light(duel, scheme):
    page = duel(color_scheme=scheme)
    shade = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, shade.removeprefix("rgb(").removesuffix(")").split(","))) < 200) is (scheme == "dark")
    page.page.locator("#dark").click()
    assert page.page.evaluate("getComputedStyle(document.body).backgroundColor") != shade


def test_narrow(duel):
    page = duel(viewport={"width": 360, "height": 640})
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.page.locator("#table").bounding_box()
    assert box["height"] > 200
    assert page.page.locator('[role="status"]').is_visible()
    page.drag((6, 12), (6, 15))
    page.wait("document.querySelector('#undo').disabled === false")
    for name in ("ask", "build", "rules", "play", "view", "file"):
        page.tab(name)
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_broken_file_is_told_and_can_be_mended(duel):
    page = duel(DUEL.replace("width = 24", "width = = 24"))
    page.until("error", "is not TOML")
    box = page.page.locator("#text")
    box.fill(DUEL)
    box.blur()
    page.page.wait_for_selector('[data-model="lurtz"]', state="attached")
    assert page.page.locator("#faults").is_hidden()


def test_sides_and_safe_ground(duel):
    page = duel()
    page.tab("sides")
    page.page.locator("#threat-side").select_option("evil")
    page.page.locator("#threats").click()
    page.until("", "safe from it: sam")
    assert page.page.locator('[data-of="merry"]').get_attribute("data-safe") == "no"
    page.tab("model")
    page.base("merry").click()
    page.page.locator("#safe-ground").click()
    page.until("yes", "merry is safe next turn on")


HOSTILE = [
    "<script>alert(1)</script>",
    "$\\\\frac{1}{2}$",
    '\\"><img src=x onerror=alert(1)>',
    "a.b",
    "__proto__",
    "🗡 Éowyn’s",
    "constructor",
]


def test_hostile_names_are_names(duel):
    models = "".join(
        f'[models."{name}"]\nbase = "25 mm"\nmove = 6\nheight = 1\nside = "{name}"\nat = [{2 + 3 * i}, 5]\n'
        for i, name in enumerate(HOSTILE)
    )
    head = 'title = "<b>x</b>"\n[table]\nwidth = 24\ndepth = 24\n'
    disc = 'tags = ["obstacle"]\nheight = 1\ncircle = { center = [12, 12], radius = 1 }\n'
    page = duel(f'{head}{models}[terrain."<i>"]\n{disc}')
    assert page.page.locator("h1").inner_text() == "<b>x</b>"
    names = page.page.evaluate("[...document.querySelectorAll('[data-model]')].map(e => e.dataset.model)")
    assert names == [name.replace('\\"', '"').replace("\\\\", "\\") for name in HOSTILE]
    assert page.page.locator("script:not([src]), img, b").count() == 0
    page.drag((2, 5), (2, 7), drop=False)
    page.until("yes", "<script>alert(1)</script> to")
    page.page.mouse.up()
    page.wait("document.querySelector('#undo').disabled === false")
    page.drag((14, 5), (14, 7))
    page.wait("document.querySelector('[data-model=__proto__]').getAttribute('transform').includes('-7')")


def test_a_server_killed_in_mid_drag(duel, serve, tmp_path):
    path = tmp_path / "duel.toml"
    path.write_text(DUEL, encoding="utf-8")
    page = duel(on=(serve(path), path))
    port = page.server.url.rpartition(":")[2].strip("/")
    page.drag((6, 12), (6, 15))
    page.wait("document.querySelector('#undo').disabled === false")
    here = page.place("lurtz")
    page.drag(here, (8, 15), drop=False)
    page.server.stop(signal.SIGKILL)
    page.page.wait_for_selector("#away", state="visible")
    page.page.mouse.up()
    assert page.place("lurtz") == here
    serve(page.path, "--port", port)
    page.page.wait_for_selector("#away", state="hidden", timeout=20000)
    page.drag(here, (here[0], 16), drop=False)
    page.until("yes", "lurtz to")
    page.page.mouse.up()


def test_a_question_as_a_link(duel, sheet):
    page = duel()
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.tab("ask")
    page.page.locator('[data-key="draft-model"]').select_option("lurtz")
    page.page.locator('[data-key="draft-target"]').select_option("sam")
    page.page.get_by_text("Copy as link").click()
    page.until("", "copied")
    link = page.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(page.server.url + "#table=")
    other = sheet(link)
    other.until("no", "lurtz into sam")


def test_pictures_are_exported(duel):
    page = duel()
    page.tab("file")
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        with page.page.expect_download() as waited:
            page.page.locator(f"#export-{kind}").click()
        with open(waited.value.path(), "rb") as file:  # noqa: PTH123
            assert file.read(5).startswith(start)


def test_the_sheet_about_a_question(duel):
    page = duel()
    page.tab("ask")
    page.page.locator('[data-key="draft-model"]').select_option("lurtz")
    page.page.locator('[data-key="draft-target"]').select_option("sam")
    with page.page.expect_download(timeout=60000) as waited:
        page.page.locator("#sheet").click()
    with open(waited.value.path(), encoding="utf-8") as file:  # noqa: PTH123
        text = file.read()
    assert text.lstrip().lower().startswith("<!doctype html")
    assert "lurtz" in text


def test_a_photo_is_laid_under_the_table(duel):
    page = duel()
    page.tab("view")
    page.page.locator("#photo-file").set_input_files(_picture(page))
    page.page.locator("#photo-whole").click()
    page.page.wait_for_selector("#layer-photo image", state="attached")


def _picture(page):
    import base64

    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC"
    return {"name": "table.png", "mimeType": "image/png", "buffer": base64.b64decode(pixel)}
