"""The live table in a browser: the widget itself answers a page that holds its script."""

from __future__ import annotations

import contextlib
import json

import pytest

import sbg_sim as sbg
from sbg_sim.plot.themes import darkened

pytest.importorskip("anywidget")

SYNCED = ("picture", "size", "view", "place", "costs", "said", "radius", "answers")
HOST = """
const seen = JSON.parse(await window.state()), heard = {};
const model = {
  get: (name) => seen[name],
  set: (name, value) => { seen[name] = value; },
  on: (what, call) => { (heard[what] ??= []).push(call); },
  save_changes: async () => {
    const now = JSON.parse(await window.saved(JSON.stringify(seen.place)));
    const changed = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(seen[name]));
    Object.assign(seen, now);
    for (const name of changed) for (const call of heard[`change:${name}`] ?? []) call();
  },
};
const code = URL.createObjectURL(new Blob([await window.script()], { type: "text/javascript" }));
(await import(code)).default.render({ model, el: document.body });
"""


@pytest.fixture(params=["all", "fit"])
def live(browser, request):
    table = sbg.Table(
        24,
        24,
        models={
            "lurtz": {"at": [8, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
            "merry": {"at": [14, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
        },
    )
    widget = sbg.explore(table, "lurtz", view=request.param)
    with opened(browser, widget) as page:
        yield widget, page


@contextlib.contextmanager
def opened(browser, widget):
    """A page on which a widget is shown and answered."""
    page = browser.new_page()

    def state() -> str:
        return json.dumps({name: getattr(widget, name) for name in SYNCED})

    def saved(place: str) -> str:
        widget.place = json.loads(place)
        return state()

    for name, call in (("state", state), ("saved", saved), ("script", lambda: widget._esm)):
        page.expose_function(name, call)
    page.set_content(f'<body></body><script type="module">{HOST}</script>')
    page.wait_for_selector("svg")
    yield page
    page.close()


def spot(page, x, y):
    """Where on the page a place of the table is, from the base of the model that stands at (14, 12), 1 inch wide."""
    call = "e => { const { left, top, width } = e.getBoundingClientRect(); return [left, top, width]; }"
    left, top, inch = page.eval_on_selector('[id="model-merry"] circle', call)
    return left + (x - 13.5) * inch, top + (12.5 - y) * inch


def settled(page, widget, at):
    for _ in range(1200):
        if widget.table.model("lurtz").at == pytest.approx(at, abs=0.1):
            return
        page.wait_for_timeout(50)
    raise AssertionError(widget.table.model("lurtz").at)


def test_a_notebook_is_told_a_widget_and_a_picture():
    """What JupyterLab and VS Code read: the widget's view, its front end by module and version, plain state."""
    widget = sbg.explore(sbg.load("scenarios/charging-2.toml"), "uruk-3")
    data, _ = widget._repr_mimebundle_()
    view = data["application/vnd.jupyter.widget-view+json"]
    assert (view["version_major"], view["model_id"]) == (2, widget.model_id)
    assert data["image/svg+xml"] == widget.picture
    assert data["text/plain"] == widget.said
    state = widget.get_state()
    for part, name in (("model", "AnyModel"), ("view", "AnyView")):
        assert state[f"_{part}_module"] == "anywidget"
        assert state[f"_{part}_name"] == name
        assert state[f"_{part}_module_version"].startswith("~0.")
    assert set(SYNCED) <= state.keys()
    assert json.loads(json.dumps({name: state[name] for name in (*SYNCED, "_esm", "_anywidget_id")}))
    # A module whose default export renders, and that fetches nothing by itself.
    assert "export default { render }" in state["_esm"]
    assert not any(word in state["_esm"] for word in ("import ", "import(", "fetch(", "http"))


@pytest.mark.parametrize(("options", "follows"), [({"theme": "auto"}, True), ({"theme": "dark"}, False), ({}, False)])
def test_the_live_picture_follows_its_reader_where_that_is_wanted(options, follows):
    widget = sbg.explore(sbg.load("scenarios/charging-2.toml"), "uruk-3", **options)
    assert ("@media (prefers-color-scheme: dark)" in widget.picture) == follows
    assert (darkened("#ffffff") in widget.picture) == bool(options)


def test_a_word_that_no_picture_knows_is_refused_at_once():
    with pytest.raises(sbg.SbgError, match="no option 'cots'"):
        sbg.explore(sbg.load("scenarios/charging-2.toml"), "uruk-3", cots=True)


def test_who_may_not_move_is_told_why():
    table = sbg.load("scenarios/charging-2.toml").having("uruk-3", may_move=False)
    assert "uruk-3 is held by an effect and may not move" in sbg.explore(table, "uruk-3").said


CONTRACT = """
const known = new Set(Object.getOwnPropertyNames(window)), used = new Set(), asked = [];
const front = new Set(["get", "set", "on", "off", "save_changes", "send"]);
const state = JSON.parse(await window.state());
const model = new Proxy({
  get: (name) => { asked.push(name); return state[name]; },
  set: (name, value) => { asked.push(name); state[name] = value; },
  on: (what) => { asked.push(what.replace("change:", "")); },
  save_changes: () => {},
}, { get: (kept, name) => { used.add(name); return kept[name]; } });
const sealed = (name) => ({ get: () => { throw new Error(`${name} is none of its business`); }, configurable: true });
const others = [
  "require", "requirejs", "define", "Jupyter", "IPython", "jupyterapp", "acquireVsCodeApi", "_", "$", "jQuery",
  "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "localStorage", "indexedDB", "open", "postMessage",
];
for (const name of others) Object.defineProperty(window, name, sealed(name));
const code = URL.createObjectURL(new Blob([await window.script()], { type: "text/javascript" }));
const module = await import(code), el = document.createElement("div");
document.body.append(el);
await module.default.render({ model, el });
const slider = el.querySelector("input");
slider.value = "6";
slider.dispatchEvent(new Event("input"));
const { left, top } = el.querySelector('[id="view"]').getBoundingClientRect();
for (const what of ["pointermove", "pointerdown", "pointerup"]) {
  el.firstChild.dispatchEvent(new PointerEvent(what, { clientX: left + 9, clientY: top + 9, bubbles: true }));
}
const more = Object.getOwnPropertyNames(window).filter((name) => !known.has(name) && !others.includes(name));
const outside = [...document.body.children].filter((child) => child !== el && child.tagName !== "SCRIPT").length;
window.told(JSON.stringify({
  exports: Object.keys(module), used: [...used], beyond: [...used].filter((name) => !front.has(name)),
  asked: [...new Set(asked)], more, outside, drawn: el.querySelectorAll("svg").length,
}));
"""


def test_the_script_keeps_to_what_every_notebook_gives_a_widget(browser):
    """VS Code, JupyterLab and Colab hand a module's `render` the model and an element, and promise it nothing else."""
    widget, page, told, requests = (
        sbg.explore(sbg.load("scenarios/charging-2.toml"), "uruk-3"),
        browser.new_page(),
        [],
        [],
    )
    faults: list[str] = []

    def tell(found: str) -> None:  # a method of a list is no function to the browser
        told.append(found)

    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.expose_function("state", lambda: json.dumps({name: getattr(widget, name) for name in SYNCED}))
    page.expose_function("script", lambda: widget._esm)
    page.expose_function("told", tell)
    page.set_content(f'<body></body><script type="module">{CONTRACT}</script>')
    for _ in range(1200):
        if told or faults:
            break
        page.wait_for_timeout(50)
    page.close()
    assert not faults
    found = json.loads(told[0])
    assert found["exports"] == ["default"]
    assert found["beyond"] == []
    assert {"get", "set", "on", "save_changes"} <= set(found["used"])
    assert set(found["asked"]) == set(SYNCED)
    assert (found["more"], found["outside"], found["drawn"]) == ([], 0, 1)
    assert [url for url in requests if not url.startswith("blob:")] == []


def test_cost_under_the_cursor_and_a_measure_by_clicks(live):
    _, page = live
    page.mouse.move(*spot(page, 8, 15))
    said = page.text_content("output")
    assert said.startswith(("(8.0", "(7.9"))
    assert float(said.split("about ")[1].rstrip("″")) == pytest.approx(3.0, abs=0.03)
    page.mouse.move(*spot(page, 13.9, 14.9))
    assert "no certain end" in page.text_content("output")
    page.mouse.click(*spot(page, 8, 15))
    page.mouse.move(*spot(page, 8, 17))
    assert float(page.text_content("output").split(" · ")[1].split("″")[0]) == pytest.approx(2.0, abs=0.05)


def test_the_reach_follows_a_model_while_it_is_dragged(live):
    widget, page = live
    first = widget.picture
    page.mouse.move(*spot(page, 8.3, 12))  # by its edge: it does not jump to the hand
    page.mouse.down()
    page.mouse.move(*spot(page, 7.3, 10), steps=4)
    settled(page, widget, (7, 10))
    assert widget.picture != first
    assert widget.reach.mover.at == widget.table.model("lurtz").at
    page.mouse.move(*spot(page, 14.3, 12))
    for _ in range(1200):
        if "merry" in page.text_content("output"):
            break
        page.wait_for_timeout(50)
    assert "merry" in page.text_content("output")
    page.mouse.up()
    assert widget.place == list(widget.table.model("lurtz").at)  # refused: it stays where it was


def test_a_hand_that_has_not_moved_asks_nothing_and_holds_on(live):
    widget, page = live
    page.mouse.move(*spot(page, 8, 12))
    page.mouse.down()
    page.mouse.move(*spot(page, 8, 12))
    page.wait_for_timeout(100)
    page.mouse.move(*spot(page, 7, 10), steps=2)
    settled(page, widget, (7, 10))
    page.mouse.up()


def test_sliders_move_the_model(live):
    widget, page = live
    page.locator("input").first.fill("6")
    settled(page, widget, (6, 12))
    page.locator("input").nth(1).fill("5")
    settled(page, widget, (6, 5))
    assert page.locator("input").nth(1).input_value() == "5"


def test_costs_under_the_cursor_say_of_which_level_they_are(browser):
    """On another level the model can end, at a cost that the cursor does not tell: it says no more than it knows."""
    deck = sbg.Terrain("deck", {"platform"}, sbg.polygon([(4, 6), (12, 6), (12, 18), (4, 18)]), height=0.75)
    lurtz = {"at": [10, 12], "on": "deck", "base": 1, "height": 1.5, "move": 6, "side": "evil"}
    merry = {"at": [14, 12], "base": 1, "height": 1, "move": 4, "side": "good"}
    table = sbg.Table(24, 24, models={"lurtz": lurtz, "merry": merry}, terrain={"deck": deck})
    with opened(browser, sbg.explore(table, "lurtz")) as page:
        page.mouse.move(*spot(page, 9, 12))
        assert " on deck: costs about 1.0" in page.text_content("output")
        page.mouse.move(*spot(page, 13, 9))
        assert " on deck: no certain end" in page.text_content("output")
    alone = sbg.explore(table.having("lurtz", at=(21, 4), on=None), "lurtz")
    assert alone.costs["level"] == ""


LAB = """
document.addEventListener("keydown", (event) => {  // as JupyterLab 4 looks for shortcuts: from the target outwards
  if (event.key.startsWith("Arrow") && !event.target.hasAttribute("data-lm-suppress-shortcuts")) event.preventDefault();
}, true);
"""


def test_the_arrow_keys_slide_a_model_where_the_notebook_has_shortcuts_on_them(live):
    widget, page = live
    page.evaluate(LAB)
    for slider, key, at in (("nth=1", "ArrowLeft", (8, 11.95)), ("nth=0", "ArrowRight", (8.05, 11.95))):
        page.focus(f"input >> {slider}")
        page.keyboard.press(key)
        for _ in range(1200):
            if widget.place != pytest.approx(at):
                page.wait_for_timeout(50)
        assert widget.place == pytest.approx(at)


def test_where_no_reach_can_be_told_it_is_said_why():
    """Far from the wall nobody asks how high who goes is; beside it that is missing, and said."""
    wall = {"tags": ["obstacle"], "height": 1.0, "polygon": [[30, 0], [31, 0], [31, 24], [30, 24]]}
    me = {"at": [6, 12], "base": 1, "move": 4, "side": "good"}
    widget = sbg.explore(sbg.Table(40, 24, models={"me": me}, terrain={"wall": wall}), "me")
    assert "missing" not in widget.said
    widget.place = [28.0, 12.0]
    assert widget.said == "models.me.height is missing, and this question needs it"
    assert widget.answers == 1
    widget.place = [10.0, 12.0]
    assert "missing" not in widget.said
