"""A table for a notebook on which a model can be dragged: its reach follows, with the cost under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.errors import SbgError
from sbg_sim.plot.dispatch import plot
from sbg_sim.plot.files import svg
from sbg_sim.solver.reach import reach
from sbg_sim.solver.why_not import ends_badly

if TYPE_CHECKING:
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.board import Table

_ACROSS: Final = 120  # places along each side of the grid of costs in the page


def explore(table: Table, model: str, *, cost: bool = False, **options: Any) -> Any:
    """Show where a model can end its move, live: drag it, read the cost under the cursor, click to measure.

    Parameters and result are those of :func:`sbg_sim.plot.explore`.
    """
    try:
        import anywidget  # noqa: F401 - only whether it is there
        import traitlets  # noqa: F401
    except ImportError:
        return plot(reach(table, model), cost=cost, **options)
    return _widget_class()(table, model, {"cost": cost, **options})


def _widget_class() -> Any:
    """Return the class of the widget; it is made here because its base class is an optional dependency."""
    import anywidget
    import traitlets

    class Explorer(anywidget.AnyWidget):
        """The widget; `table` and `reach` follow the model's place."""

        _esm = _SCRIPT
        picture = traitlets.Unicode("").tag(sync=True)
        size: Any = traitlets.List([]).tag(sync=True)
        view: Any = traitlets.List([]).tag(sync=True)
        place: Any = traitlets.List([]).tag(sync=True)
        costs = traitlets.Dict({}).tag(sync=True)
        said = traitlets.Unicode("").tag(sync=True)
        radius = traitlets.Float(0.0).tag(sync=True)
        answers = traitlets.Int(0).tag(sync=True)

        def __init__(self, table: Table, model: str, options: dict[str, Any]) -> None:
            super().__init__()
            self.table, self.model, self.options = table, model, options
            self.size, self.radius = [table.width, table.depth], table.model(model).radius
            self.place = list(table.model(model).at)
            self._draw(reach(table, model))
            self.observe(self._moved, names="place")

        def _repr_mimebundle_(self, **asked: Any) -> Any:
            """Return what a notebook shows: the widget, and the current picture for viewers without widgets."""
            told: Any = super()._repr_mimebundle_(**asked)
            data, more = told
            return {**data, "text/plain": self.said, "image/svg+xml": self.picture}, more

        def _moved(self, _: Any) -> None:
            x, y = (float(v) for v in self.place)
            mover = self.table.model(self.model)
            if (x, y) == mover.at:
                return
            wrong = ends_badly(self.table, mover, (x, y), mover.on)
            if wrong:
                self.said = wrong[0].reason
                self.place = list(mover.at)
            else:
                self.table = self.table.having(self.model, at=(x, y))
                try:
                    self._draw(reach(self.table, self.model))
                except SbgError as error:
                    self.said = str(error)
            self.answers += 1

        def _draw(self, found: Reach) -> None:
            self.reach = found
            ax = plot(found, **self.options)
            ax.patch.set_gid("view")
            (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
            self.view = [float(x0), float(y0), float(x1), float(y1)]
            self.picture = svg(ax, follow=self.options.get("theme") == "auto")
            self.costs = _grid(found)
            self.said = f"{self.model} can end on {found.area.area:.2f} square inches"
            if found.blocked:
                self.said = f"{self.model} goes nowhere for certain: {', '.join(found.blocked)}"

    return Explorer


def _grid(found: Any) -> dict[str, Any]:
    """Return the costs of ending at the places of a grid, hundredths of an inch, -1 where it cannot certainly end.

    They are for the mover's own level, which is named if it can reach others.
    """
    x0, y0, x1, y1 = found.area.bounds
    xs, ys = np.linspace(x0, x1, _ACROSS), np.linspace(y0, y1, _ACROSS)
    cost = found.distance(np.stack(np.meshgrid(xs, ys), axis=-1))
    told = np.where(np.isfinite(cost), np.round(cost * 100), -1).astype(int)
    level = f" on {found.surface or 'the ground'}" if found.platforms else ""
    return {"box": [x0, y0, x1, y1], "across": _ACROSS, "cost": told.ravel().tolist(), "level": level}


_SCRIPT: Final = """
function render({ model, el }) {
  const [sheet, row, said] = ["div", "div", "output"].map((name) => document.createElement(name));
  const [wide, deep] = model.get("size");
  let from = null, held = null, asked = false, wanted = null;
  const go = (place) => {  // one question at a time: what was wanted last is asked next
    if (asked) { wanted = place; return; }
    const spot = place.map((v) => +v.toFixed(3));
    if (spot.every((v, i) => v === model.get("place")[i])) return;  // where it is already: nobody would answer
    asked = true;
    model.set("place", spot);
    model.save_changes();
  };
  const answered = () => {
    asked = false;
    const next = wanted;
    wanted = null;
    if (next) go(next);
  };
  const sliders = [0, 1].map((i) => {
    const slider = document.createElement("input"), word = document.createElement("label");
    Object.assign(slider, { type: "range", min: 0, max: i ? deep : wide, step: 0.05 });
    slider.dataset.lmSuppressShortcuts = "true";  // or JupyterLab takes the arrow keys for itself
    slider.addEventListener("input", () => go([0, 1].map((k) => (k === i ? +slider.value : model.get("place")[k]))));
    word.append(i ? " y " : "x ", slider);
    row.append(word);
    return slider;
  });
  said.style.cssText = "display:block;min-height:1.4em;font:14px system-ui,sans-serif";
  el.append(sheet, row, said);
  const where = (event) => {
    const svg = sheet.querySelector("svg"), frame = svg.querySelector('[id="view"] *').getBBox();
    const [x0, y0, x1, y1] = model.get("view");
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x0 + ((spot.x - frame.x) / frame.width) * (x1 - x0), y1 - ((spot.y - frame.y) / frame.height) * (y1 - y0)];
  };
  const cost = ([x, y]) => {
    const { box, across, cost } = model.get("costs");
    if (!cost || x < box[0] || x > box[2] || y < box[1] || y > box[3]) return -1;
    const u = ((x - box[0]) / (box[2] - box[0])) * (across - 1), v = ((y - box[1]) / (box[3] - box[1])) * (across - 1);
    const at = (i, j) => cost[Math.min(j, across - 1) * across + Math.min(i, across - 1)];
    const [i, j] = [Math.floor(u), Math.floor(v)], near = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
    if (near.some((c) => c < 0)) return at(Math.round(u), Math.round(v));
    const [low, high] = [0, 2].map((k) => near[k] + (near[k + 1] - near[k]) * (u - i));
    return low + (high - low) * (v - j);
  };
  const tell = (at) => {
    const c = cost(at), place = `(${at[0].toFixed(2)}, ${at[1].toFixed(2)})`;
    const far = from ? ` · ${Math.hypot(at[0] - from[0], at[1] - from[1]).toFixed(2)}″ from the click` : "";
    const level = model.get("costs").level ?? "";
    said.textContent = `${place}${level}: ${c < 0 ? "no certain end" : `costs about ${(c / 100).toFixed(2)}″`}${far}`;
  };
  sheet.addEventListener("pointermove", (event) => {
    const at = where(event);
    if (held) go(at.map((v, i) => v + held[i]));
    else tell(at);
  });
  sheet.addEventListener("pointerdown", (event) => {
    const at = where(event), home = model.get("place");
    held = Math.hypot(at[0] - home[0], at[1] - home[1]) <= model.get("radius") ? home.map((v, i) => v - at[i]) : null;
    if (held) sheet.setPointerCapture(event.pointerId);
    else { from = from ? null : at; tell(at); }
    event.preventDefault();
  });
  for (const end of ["pointerup", "pointercancel"]) sheet.addEventListener(end, () => { held = null; });
  const draw = () => {
    sheet.innerHTML = model.get("picture");
    const svg = sheet.querySelector("svg");
    if (svg) Object.assign(svg.style, { maxWidth: "100%", height: "auto", touchAction: "none" });
    slide();
  };
  const slide = () => sliders.forEach((slider, i) => { slider.value = model.get("place")[i]; });
  model.on("change:picture", draw);
  model.on("change:place", slide);
  model.on("change:said", () => { said.textContent = model.get("said"); });
  model.on("change:answers", answered);
  draw();
  said.textContent = model.get("said");
}
export default { render };
"""
