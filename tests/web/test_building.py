"""Building in a real browser: adding and changing things, faults beside them, rulings, photos, names."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.web.conftest import DUEL


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
    page.page.wait_for_selector('[data-fault-beside="model-1"]')
    assert page.page.locator('[data-key="model-base"]').input_value() == "bread"
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


def test_what_is_being_typed_outlives_a_pane_drawn_anew(duel):
    page = duel()
    page.tab("build")
    page.page.locator("#add-model").click()
    page.page.mouse.click(*page.at(15, 5))
    page.page.wait_for_selector('[data-model="model-1"]', state="attached")
    field = page.page.locator('[data-key="model-base"]')
    anew = """async () => {
        document.querySelector("[data-tab=build]").onclick();
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    }"""
    old = field.element_handle()
    field.fill("4")
    page.page.evaluate(anew)
    page.page.keyboard.type("0 mm")
    page.page.keyboard.press("Enter")
    page.wait("Math.abs(document.querySelector('[data-model=model-1] circle').r.baseVal.value - 20 / 25.4) < 1e-6")
    page.page.wait_for_function("old => !old.isConnected", arg=old)  # the pane that waited is drawn now
    field.select_text()
    page.page.evaluate(anew)
    page.page.keyboard.type("50 mm")
    assert field.input_value() == "50 mm"
    field.blur()
    page.wait("Math.abs(document.querySelector('[data-model=model-1] circle').r.baseVal.value - 25 / 25.4) < 1e-6")


def test_building_by_keys_alone(duel):
    page = duel()
    page.tab("build")

    def keys(*names):
        for name in names:
            page.page.keyboard.press(name)

    page.page.locator("#add-model").focus()
    keys("Enter")
    page.until("", "go there with the arrow keys")
    keys("Shift+ArrowRight", "Shift+ArrowRight", "ArrowUp")
    page.until("", "at 14, 12.1; Enter takes it")
    keys("Enter")
    page.page.wait_for_selector('[data-model="model-1"]', state="attached")
    assert page.place("model-1") == (14, 12.1)
    page.page.get_by_role("button", name="Copy", exact=True).click()  # given up for the polygon
    page.page.locator("#add-polygon").focus()
    keys("Enter")
    page.until("", "Enter twice ends it")
    keys("Shift+ArrowUp", "Shift+ArrowUp", "Enter", "Shift+ArrowUp", "Enter", "Shift+ArrowLeft", "Enter", "Enter")
    page.page.wait_for_selector('[data-terrain="piece-1"]', state="attached", timeout=60000)
    assert page.page.locator("[data-model]").count() == 4
    page.page.wait_for_selector('[data-key="piece-corners"]')
    assert page.page.locator('[data-key="piece-corners"]').input_value().split("\n") == ["12, 14", "12, 15", "11, 15"]


TOWER = """
[terrain.tower]
tags = ["platform"]
height = 2.0
polygon = [[12, 14], [18, 14], [18, 20], [12, 20]]
"""


def test_a_ladder_is_put_at_a_platform_and_climbed(duel):
    page = duel(DUEL.replace("at = [6, 12]", "at = [11, 15]") + TOWER)
    page.page.wait_for_selector('[data-terrain="tower"]', state="attached")
    assert "2 pieces of terrain" in page.verdict()[1]
    page.tab("build")
    page.page.locator("#add-ladder").click()
    page.page.mouse.click(*page.at(12, 16))
    page.page.wait_for_selector('[data-terrain="ladder-1"].selected', state="attached")
    fields = {key: page.page.locator(f'[data-key="piece-{key}"]').input_value() for key in ("at", "to")}
    assert fields == {"at": "12, 16", "to": "tower"}
    assert not page.page.locator("#faults").is_visible()
    page.tab("ask")
    for key, value in (("ask", "move"), ("model", "lurtz"), ("on", "tower")):
        page.page.locator(f'[data-key="draft-{key}"]').select_option(value)
    page.page.locator('[data-key="draft-place"]').fill("14, 16")
    page.page.locator("#ask-now").click()
    page.until("yes", "lurtz to (14, 16) on tower: yes, ")
    assert "CLB.5" in page.page.locator("#answer").inner_text()


def test_a_piece_that_becomes_a_ladder_is_a_point(duel):
    page = duel(DUEL + TOWER)
    page.tab("build")
    page.page.locator("#add-circle").click()
    page.page.mouse.click(*page.at(11, 17))
    page.page.wait_for_selector('[data-terrain="disc-1"]', state="attached")
    page.page.locator('[data-key="tag-ladder"]').check()
    page.page.wait_for_selector('[data-key="piece-at"]')
    assert page.page.locator('[data-key="piece-at"]').input_value() == "11, 17"
    assert not page.page.locator("#faults").is_visible()


def test_a_question_is_about_who_was_renamed(duel):
    page = duel()
    page.tab("ask")
    page.page.locator("#ask-now").click()
    page.until("yes", "lurtz into merry: yes")
    page.base("lurtz").click()
    page.tab("build")
    page.page.locator('[data-key="model-name"]').fill("ugluk")
    page.page.locator('[data-key="model-name"]').press("Enter")
    page.page.wait_for_selector('[data-model="ugluk"]', state="attached")
    page.tab("ask")
    page.page.locator("#ask-now").click()
    page.until("yes", "ugluk into merry: yes")


def test_a_ruling_is_a_switch(duel):
    page = duel(DUEL.replace("height = 1.5", "height = 2.0").replace("at = [6, 12]", "at = [7, 6]"))
    page.base("lurtz").click()
    page.until("yes", "lurtz can certainly end on")
    before = page.verdict()[1]
    page.tab("rules")
    page.page.locator('[data-ruling="obstacle_exactly_half"]').select_option("free")
    page.wait(f"!{json.dumps([before, ''])}.includes(document.querySelector('[role=status]').textContent)")
    page.until("yes", "lurtz can certainly end on")  # the wall is no hindrance any more, and that is said at once
    areas = [float(words.split(" on ")[1].split()[0]) for words in (before, page.verdict()[1])]
    assert areas[1] > areas[0] + 1
    page.page.keyboard.press("Escape")
    page.base("lurtz").press("Escape")
    page.page.locator('[data-ruling="zone_once_left"]').select_option("nearer")
    page.until("", "zone_once_left")
    page.tab("file")
    page.wait("document.querySelector('#text')?.value.includes('obstacle_exactly_half')")


def test_a_broken_file_is_told_and_can_be_mended(duel):
    page = duel(DUEL.replace("width = 24", "width = = 24"))
    page.until("error", "is not TOML")
    box = page.page.locator("#text")
    box.fill(DUEL)
    box.blur()
    page.page.wait_for_selector('[data-model="lurtz"]', state="attached")
    assert page.page.locator("#faults").is_hidden()


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


CORNERS = [(40, 280), (380, 250), (330, 60), (70, 20)]
"""Of a table in a photo taken at a slant: lower left, lower right, upper right, upper left, pixels."""


@pytest.mark.parametrize("by", ["pointer", "keys"])
def test_a_photo_is_set_straight_under_the_table(duel, by):
    page = duel()
    page.tab("view")
    page.page.locator("#photo-file").set_input_files(_photo())
    canvas = page.page.locator("#photo-corners")
    at = (200, 150)
    for x, y in CORNERS:
        if by == "pointer":
            canvas.click(position={"x": x, "y": y})
            continue
        canvas.focus()
        for less, more, way in (("ArrowLeft", "ArrowRight", x - at[0]), ("ArrowUp", "ArrowDown", y - at[1])):
            key = more if way > 0 else less
            for _ in range(abs(way) // 8):
                page.page.keyboard.press(key)
            for _ in range(abs(way) % 8):
                page.page.keyboard.press(f"Shift+{key}")
        page.page.keyboard.press("Enter")
        at = (x, y)
    page.page.wait_for_selector("#layer-photo image", state="attached")
    page.page.locator('[data-key="opacity"]').fill("1")
    page.wait("document.querySelector('#layer-photo image').getAttribute('opacity') === '1'")
    for _ in range(100):  # it is drawn some time after it is there
        seen = Image.open(io.BytesIO(page.page.screenshot())).convert("RGB")
        spots = ((18.4, 6.4), (18.4, 9.4), (2.4, 22.4))
        shade = {spot: seen.getpixel(tuple(map(round, page.at(*spot)))) for spot in spots}
        if (main := [max(range(3), key=colour.__getitem__) for colour in shade.values()]) == [0, 1, 1]:
            break
        page.page.wait_for_timeout(200)
    assert main == [0, 1, 1], shade


def _photo():
    """A green table at a slant, with a red square from (17, 5) to (20, 8) on it."""
    ends = [(0, 0), (24, 0), (24, 24), (0, 24)]
    rows = []
    for (x, y), (u, v) in zip(ends, CORNERS, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    h = np.append(np.linalg.solve(rows, np.ravel(CORNERS)), 1).reshape(3, 3)
    photo = Image.new("RGB", (400, 300), "grey")
    pen = ImageDraw.Draw(photo)
    pen.polygon(CORNERS, fill=(20, 160, 20))
    square = np.array([[17, 5, 1], [20, 5, 1], [20, 8, 1], [17, 8, 1]]) @ h.T
    pen.polygon([tuple(spot) for spot in square[:, :2] / square[:, 2:]], fill=(220, 20, 20))
    file = io.BytesIO()
    photo.save(file, "PNG")
    return {"name": "table.png", "mimeType": "image/png", "buffer": file.getvalue()}
