"""A table to try things on, in a notebook: drag a model and its reach follows, with the cost under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.errors import SbgError
from sbg_sim.plot.dispatch import plot
from sbg_sim.plot.files import svg
from sbg_sim.solver.judge import ends_badly
from sbg_sim.solver.reach import reach

if TYPE_CHECKING:
    from sbg_sim.table.board import Table

_ACROSS: Final = 120  # places along each side of the grid of costs that the page holds


def explore(table: Table, model: str, *, cost: bool = False, **options: Any) -> Any:
    """Show where a model can end its move, live: drag or slide it, see the cost under the cursor, click to measure.

    Parameters
    ----------
    table, model
        The table and the id of the model to move about.
    cost
        Draw lines of equal cost.
    options
        Of the picture, as for `plot`.

    Returns
    -------
    A widget for Jupyter and VS Code, with ``table`` as it stands now and ``reach``; where the extra ``explore`` is not
    installed, the picture as an Axes.

    Raises
    ------
    SbgError
        As `plot` and `reach` do.

    """
    found = reach(table, model)
    try:
        import anywidget  # noqa: F401 - only whether it is there
        import traitlets  # noqa: F401
    except ImportError:
        return plot(found, cost=cost, **options)
    return _widget_class()(table, model, {"cost": cost, **options})


def _widget_class() -> Any:
    """Make the class of the widget, whose base is an extra."""
    import anywidget
    import traitlets

    class Explorer(anywidget.AnyWidget):
        """The widget: `table` and `reach` are those of the place the model is at."""

        _esm = _SCRIPT
        picture = traitlets.Unicode("").tag(sync=True)
        size: Any = traitlets.List([]).tag(sync=True)
        place: Any = traitlets.List([]).tag(sync=True)
        costs = traitlets.Dict({}).tag(sync=True)
        said = traitlets.Unicode("").tag(sync=True)

        def __init__(self, table: Table, model: str, options: dict[str, Any]) -> None:
            super().__init__()
            self.table, self.model, self.options = table, model, options
            self.size = [table.width, table.depth]
            self.place = list(table.model(model).at)
            self._draw()
            self.observe(self._moved, names="place")

        def _moved(self, _: Any) -> None:
            x, y = (float(v) for v in self.place)
            wrong = ends_badly(self.table, self.table.model(self.model), (x, y), self.table.model(self.model).on)
            if wrong:
                self.said = wrong[0].reason
                return
            self.table = self.table.having(self.model, at=(x, y))
            self._draw()

        def _draw(self) -> None:
            try:
                self.reach = reach(self.table, self.model)
                self.picture = svg(self.reach, **self.options)
                self.costs = _grid(self.reach)
                self.said = f"{self.model} can end on {self.reach.area.area:.2f} square inches"
            except SbgError as error:
                self.said = str(error)

    return Explorer


def _grid(found: Any) -> dict[str, Any]:
    """Return the costs of ending at the places of a grid, hundredths of an inch, -1 where it cannot end."""
    x0, y0, x1, y1 = found.area.bounds
    xs, ys = np.linspace(x0, x1, _ACROSS), np.linspace(y0, y1, _ACROSS)
    cost = found.distance(np.stack(np.meshgrid(xs, ys), axis=-1))
    told = np.where(np.isfinite(cost), np.round(cost * 100), -1).astype(int)
    return {"box": [x0, y0, x1, y1], "across": _ACROSS, "cost": told.ravel().tolist()}


_SCRIPT: Final = """
function render({ model, el }) {
  const [sheet, row, said] = ["div", "div", "output"].map((name) => document.createElement(name));
  const [wide, deep] = model.get("size"), sliders = [0, 1].map((i) => {
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: 0, max: i ? deep : wide, step: 0.05, ariaLabel: i ? "y" : "x" });
    slider.addEventListener("change", () => {
      const place = [...model.get("place")];
      place[i] = +slider.value;
      go(place);
    });
    row.append(i ? " y " : "x ", slider);
    return slider;
  });
  said.style.cssText = "display:block;min-height:1.4em;font:14px system-ui,sans-serif";
  el.append(sheet, row, said);
  let from = null, held = false;
  const go = (place) => { model.set("place", place); model.save_changes(); said.textContent = "..."; };
  const where = (event) => {
    const svg = sheet.querySelector("svg"), frame = svg.querySelector('[id="table"] path').getBBox();
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [((spot.x - frame.x) / frame.width) * wide, (1 - (spot.y - frame.y) / frame.height) * deep];
  };
  const cost = ([x, y]) => {
    const { box, across, cost } = model.get("costs");
    if (!cost || x < box[0] || x > box[2] || y < box[1] || y > box[3]) return -1;
    const i = Math.round(((x - box[0]) / (box[2] - box[0])) * (across - 1));
    return cost[Math.round(((y - box[1]) / (box[3] - box[1])) * (across - 1)) * across + i];
  };
  const tell = (at) => {
    const c = cost(at), place = `(${at[0].toFixed(2)}, ${at[1].toFixed(2)})`;
    const far = from ? ` · ${Math.hypot(at[0] - from[0], at[1] - from[1]).toFixed(2)}″ from the click` : "";
    said.textContent = `${place}: ${c < 0 ? "cannot end here" : `costs about ${(c / 100).toFixed(2)}″`}${far}`;
  };
  sheet.addEventListener("pointermove", (event) => tell(where(event)));
  sheet.addEventListener("pointerdown", (event) => {
    const at = where(event), home = model.get("place");
    held = Math.hypot(at[0] - home[0], at[1] - home[1]) < 0.6;
    if (!held) from = from ? null : at;
    event.preventDefault();
  });
  sheet.addEventListener("pointerup", (event) => {
    if (held) go(where(event).map((v) => +v.toFixed(3)));
    held = false;
  });
  const draw = () => {
    sheet.innerHTML = model.get("picture");
    const svg = sheet.querySelector("svg");
    if (svg) Object.assign(svg.style, { maxWidth: "100%", height: "auto", touchAction: "none" });
    sliders.forEach((slider, i) => { slider.value = model.get("place")[i]; });
  };
  model.on("change:picture", draw);
  model.on("change:said", () => { said.textContent = model.get("said"); });
  draw();
  said.textContent = model.get("said");
}
export default { render };
"""
