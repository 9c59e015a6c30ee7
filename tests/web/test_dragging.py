"""Dragging in a real browser: reach, charges, snaps, tape and sight, what hovering says."""

from __future__ import annotations

import itertools
import math
import re
import tomllib

import pytest

import sbg_sim
from tests.web.conftest import DUEL


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


@pytest.mark.parametrize("how", ["key", "button"])
def test_a_refusal_is_gone_with_its_ghost(duel, how):
    page = duel()
    page.drag((6, 12), (6, 22))
    page.page.wait_for_selector("#offer button")
    page.page.keyboard.press("Escape") if how == "key" else page.page.locator("#offer button").last.click()
    page.until("", "put back")
    assert page.page.locator('[data-ghost="lurtz"]').count() == 0


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


def test_what_comes_to_lie_under_a_pointer_that_rests_is_not_asked_about(duel):
    page = duel()
    page.page.evaluate(
        "(() => { const send = WebSocket.prototype.send; globalThis.verbs = [];"
        " WebSocket.prototype.send = function (text) { verbs.push(text.split(' ')[0]); send.call(this, text); }; })()"
    )
    page.drag((6, 12), (9.9, 12))  # let go over the enemy, who would be told of as one pointed at
    page.until("yes", "charges merry")
    page.page.wait_for_timeout(300)
    assert "charges merry" in page.verdict()[1]
    assert "ask" not in page.page.evaluate("globalThis.verbs")


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


def test_another_model_never_shows_the_charges_of_the_one_before(duel):
    page = duel()
    page.base("lurtz").click()
    page.wait("document.querySelector('[data-charge=\"merry\"]') !== null")  # a slow answer, on a busy machine
    page.base("merry").click()
    page.wait("document.querySelector('#pane h2').textContent === 'merry'")
    assert page.page.locator('[data-charge="merry"]').count() == 0


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


def test_a_tape_to_a_wall_tells_the_nearest_edges_and_where_the_hand_is(duel):
    """The wall's upper face is at y = 4.4, and lurtz's base of 25 mm ends 7.6 - 0.4921 above it."""
    page = duel()
    page.page.keyboard.press("t")
    page.drag((6, 12), (8, 4.2))
    words = page.until("measure", "lurtz to wall: 7.1079 in between their nearest edges")
    assert "(8.00, 4.20): 7.560 in from the edge of lurtz, 8.052 in from its centre" in words
    page.drag((8, 4.2), (10, 12))
    page.until("measure", "wall to merry: 7.1734 in between their nearest edges")
    assert page.page.evaluate("document.activeElement.closest('[data-terrain]')?.dataset.terrain") == "wall"
    # An outline round what has the focus would be as many times as broad as an inch has pixels.
    assert page.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"
    page.drag((14, 12), (17, 16))
    assert page.until("measure", "(17.00, 16.00)") == "(14.00, 12.00) to (17.00, 16.00): 5.000 in"


@pytest.mark.parametrize("at", [(8, 13), (8, 12.8), (9, 12.8)])
def test_the_length_of_a_tape_lies_on_no_name(duel, at):
    page = duel(DUEL.replace("at = [20, 20]", f"at = {list(at)}").replace("at = [10, 12]", "at = [12, 12]"))
    page.page.keyboard.press("t")
    page.drag((6, 12), (12, 12))
    page.until("measure", "6.0000 in centre to centre")
    assert page.page.locator("text.tag").text_content().startswith("5.0")
    over = """() => {
        const [tag, ...names] = [...document.querySelectorAll("text.tag, text.name")]
            .sort((a, b) => b.classList.contains("tag") - a.classList.contains("tag"))
            .map((text) => text.getBoundingClientRect());
        const meets = (n) => n.left < tag.right && n.right > tag.left && n.top < tag.bottom && n.bottom > tag.top;
        return names.filter(meets).length;
    }"""
    assert page.page.evaluate(over) == 0


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


def test_a_model_chosen_on_a_table_with_faults_says_why_nothing_is_asked(duel):
    page = duel(DUEL.replace("at = [20, 20]", "at = [10.2, 12]"))
    page.base("lurtz").click()
    assert "models.sam.at" in page.until("error", "nothing is asked of a table with faults")


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


def test_sides_and_safe_ground(duel):
    page = duel()
    page.tab("sides")
    page.page.locator("#threat-side").select_option("evil")
    page.page.locator("#threats").click()
    page.until("", "safe from it: sam")
    assert page.page.locator('[data-of="merry"]').get_attribute("data-safe") == "no"
    page.tab("model")
    page.base("merry").click()
    page.until("yes", "merry can certainly end on")
    page.page.locator("#safe-ground").click()
    page.until("yes", "merry is safe next turn on")
    assert page.page.locator("#layer-terrain ~ #layer-sides [data-safe-ground=merry]").count() == 1
    page.base("sam").click()  # of another model nothing was asked
    page.wait("!document.querySelector('[data-safe-ground]')")
    page.page.locator("#safe-ground").click()  # at once: what the click on the base asked may be answered later
    page.until("yes", "sam is safe next turn on")
    page.wait("document.querySelector('path[data-reach=sam]')")
    page.until("yes", "sam is safe next turn on")
    page.drag((20, 20), (20, 18))
    page.wait("!document.querySelector('[data-safe-ground]')")


def test_by_how_much_nobody_comes_is_a_bound_that_is_cut_off(duel):
    """Sixteen inches and 0.0096 lie between the centres; beyond the horizon of 12 all that is known is such a bound."""
    body = "base = 1\nheight = 1.5\nmove = 6\n"
    good = f'[models.merry]\nat = [4, 12]\nmay_move = false\nside = "good"\n{body}'
    page = duel(f'[table]\nwidth = 24\ndepth = 24\n{good}[models.lurtz]\nat = [20.0096, 12]\nside = "evil"\n{body}')
    page.base("merry").click()
    page.page.locator("#safe-ground").click()
    page.until("yes", "merry is safe next turn on")
    page.wait("document.querySelector('#layer-marks')?.textContent.includes('at least 9.00 in to spare')")


def test_charges_from_where_a_model_was_are_gone_as_soon_as_it_stands_elsewhere(duel):
    page = duel()
    page.drag((6, 12), (6, 12.5))
    page.wait("document.querySelector('[data-charge=\"merry\"]') !== null")
    page.page.evaluate(
        """async () => {
            const { link } = await import("/state.js");
            const ask = link.ask;
            link.ask = (verb, body) => verb === "near" ? new Promise(() => {}) : ask.call(link, verb, body);
        }"""
    )
    page.drag((6, 12.5), (6, 16))
    page.wait("document.querySelector('#still-asking') !== null")
    assert page.page.locator("[data-charge]").count() == 0


RANKS = "[table]\nwidth = 48\ndepth = 48\n" + "".join(
    f'[models.warrior_of_minas_tirith_{k}]\nat = [{6 + 1.05 * k}, {20 + k % 2 * 1.1}]\nbase = "25 mm"\n'
    'height = 1.5\nmove = 6\nside = "good"\n'
    for k in range(1, 21)
)


def test_of_many_with_long_names_all_are_told_apart(duel):
    page = duel(RANKS)
    page.page.wait_for_selector("#names .name")
    said = page.page.evaluate("[...document.querySelectorAll('#names .name')].map((t) => t.textContent)")
    ends = [re.search(r"\d+$", words)[0] for words in said]
    assert len(set(ends)) == len(ends) > 12
    assert any(words == end for words, end in zip(said, ends, strict=True))  # in its base
    assert all(words == end or words.startswith("warrior_") for words, end in zip(said, ends, strict=True))


def test_names_of_whom_a_side_threatens_are_not_broken(duel):
    more = '[models.NAME]\nat = [10, AT]\nbase = "25 mm"\nheight = 1.5\nmove = 6\nside = "evil"\n'
    others = "".join(more.replace("NAME", name).replace("AT", str(y)) for name, y in (("snaga-1", 9), ("snaga-2", 15)))
    page = duel(DUEL.replace("merry", "boromir") + others)
    page.tab("sides")
    page.page.locator("#threat-side").select_option("evil")
    page.page.locator("#threats").click()
    page.page.wait_for_selector("[data-threatened=boromir]")
    lines = """(() => {
        const all = document.createRange();
        all.selectNode(document.querySelector("[data-threatened=boromir] td").firstChild);
        return all.getClientRects().length;
    })()"""
    assert page.page.evaluate(lines) == 1


CROWD = "[table]\nwidth = 48\ndepth = 48\n" + "".join(
    f'[models.m{k}]\nat = [{x}, {y}]\nbase = "25 mm"\nheight = 1.5\nmove = 6\nside = "good"\n'
    for k, (x, y) in enumerate([(20, 20), (22, 20.2), (24, 20.1), (42.9, 1), (0.6, 9), (33, 33), (34.8, 33)], 40)
)


def test_names_meet_no_other_and_no_number_of_inches(duel):
    page = duel(CROWD)
    page.page.wait_for_selector("#names .name")
    boxes = page.page.evaluate(
        """[...document.querySelectorAll("#names text")].map((text) => {
            const { x, y, width, height } = text.getBoundingClientRect();
            return [text.textContent, x, y + 2, x + width, y + height - 2];
        })"""
    )
    assert len([words for words, *_ in boxes if words.startswith("m")]) == 7
    for (one, *a), (two, *b) in itertools.combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (one, two)


EDGES = (
    "[table]\nwidth = 48\ndepth = 48\n"
    + "".join(
        f'[models.{name}]\nat = [{x}, {y}]\nbase = "25 mm"\nheight = 1.5\nmove = 6\nside = "good"\n'
        for name, x, y in (("guard-of-the-west", 0.6, 20), ("guard-of-the-east", 47.4, 20), ("warrior", 47.4, 30))
    )
    + "".join(
        f'[terrain.{name}]\ntags = ["difficult"]\npolygon = [[{x}, 8], [{x + 2}, 8], [{x + 2}, 10], [{x}, 10]]\n'
        for name, x in (("piece-with-a-name", 0.2), ("piece-at-the-end", 45.8))
    )
    + "[terrain.low-wall]\ntags = ['obstacle']\nheight = 1\nline = [[46, 40], [47.5, 40]]\nthickness = 0.2\n"
)


@pytest.mark.parametrize("wide", [390, 1200])
def test_no_name_at_the_side_of_the_table_is_cut_off(duel, wide):
    page = duel(EDGES, viewport={"width": wide, "height": 800})
    page.page.wait_for_selector("#names .piece")
    stage, *boxes = page.page.evaluate(
        """[document.querySelector("#stage"), ...document.querySelectorAll("#names .name")].map((one) => {
            const { left, right } = one.getBoundingClientRect();
            return [one.textContent, left, right];
        })"""
    )
    assert len(boxes) == 6
    for words, left, right in boxes:
        assert stage[1] <= left, words
        assert right <= stage[2], words


@pytest.mark.parametrize("wide", [24, 72])
def test_a_part_of_a_base_that_can_be_charged_leaves_the_base_to_be_seen(duel, wide):
    page = duel(DUEL.replace("width = 24", f"width = {wide}"))
    page.base("lurtz").click()
    page.page.wait_for_selector("[data-contact=merry]", state="attached")
    broad, across = page.page.evaluate(
        """[...document.querySelectorAll("[data-contact=merry], [data-model=merry] .base")].map((part) =>
            part.matches(".base") ? part.getBoundingClientRect().width : parseFloat(getComputedStyle(part).strokeWidth)
        ).sort((one, two) => one - two)"""
    )
    assert 1.5 < broad < across / 3.5


def test_two_lines_of_an_answer_leave_the_table_as_large_as_one(duel):
    page = duel()
    size = "document.getElementById('stage').getBoundingClientRect().height"
    heights = set()
    for words in ("yes", "yes, and much more is said of it, " * 8):
        page.page.set_viewport_size({"width": 1200, "height": 760})
        page.page.evaluate("(words) => { document.getElementById('verdict').textContent = words; }", words)
        heights.add(page.page.evaluate(size))
        lines = page.page.evaluate("document.getElementById('verdict').getClientRects()[0].height / 21")
    assert lines > 1.5
    assert len(heights) == 1
