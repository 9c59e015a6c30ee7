// The layers over the table: reach, ground denied by zones, the way to the pointer, ghosts, contact arcs, marks.

import { state } from "./state.js";
import { layer, make, model } from "./draw.js";

export function clear(...names) { for (const name of names) layer[name].replaceChildren(); }

export function reach(found, id = state.selected) {
  for (const path of [...layer.reach.children]) if (!found || path.dataset.reach !== id) path.remove();
  if (!found) return;
  layer.reach.firstChild?.classList.remove("stale");
  if (state.options.chances) {
    for (const region of [...(found.regions ?? []), ...(found.platforms ?? [])]) {
      const sure = region.chance === "1/1";
      const path = make("path", { class: sure ? "reach" : "reach some", d: region.d, "data-chance": region.chance }, layer.reach);
      layer.reach.prepend(path);
      make("title", {}, path, `${sure ? "certain" : `chance ${region.chance}`}${region.on ? ` on ${region.on}` : ""}`);
    }
  }
  outline(found, id);
}

// The outline during a drag: one element for each model, with its path replaced.
export function outline(found, id) {
  let path = layer.reach.querySelector("path[data-reach]");
  if (!path || path.dataset.reach !== id) {
    path?.remove();
    path = make("path", { class: "reach", "data-reach": id }, layer.reach);
  }
  path.setAttribute("d", found.d);
  path.dataset.area = found.area ?? "";
}

export function stale() { for (const path of layer.reach.children) path.classList.add("stale"); }

export function way(reply, kind = "") {
  clear("way");
  if (reply?.way) make("path", { class: `way ${kind}`, d: reply.way }, layer.way);
  if (reply?.beyond) make("path", { class: "way beyond", d: reply.beyond }, layer.way);
  for (const spot of reply?.fails ?? []) die(spot);
}

function die([x, y]) {
  const s = 0.14;
  make("path", { class: "ghost", d: `M${x - s} ${-y - s}h${2 * s}v${2 * s}h${-2 * s}Z` }, layer.way);
}

export function ghost([x, y], r, kind, words = "") {
  const g = make("g", {}, layer.ghosts);
  make("circle", { class: `ghost ${kind}`, cx: x, cy: -y, r }, g);
  if (words) tag([x, y], words, g, r);
  return g;
}

function tag([x, y], words, parent, up = 0, plain = false) {
  const g = make("g", { class: "fixed", "data-x": x, "data-y": y + up }, parent);
  make("text", { class: `tag${plain ? " plain" : ""}`, y: -6 }, g, words);
  fixed();
  return g;
}

export const note = (at, words, parent = layer.marks) => tag(at, words, parent, 0, true);

// A note at the first of some places where it covers no name, else at the first place.
export function noteOffNames(places, words) {
  const names = [...document.querySelectorAll("text.name")].map((text) => text.getBoundingClientRect());
  let put = null;
  for (const at of [...places, places[0]]) {
    put?.remove();
    put = note(at, words);
    const box = put.getBoundingClientRect();
    if (!names.some((name) => name.left < box.right && name.right > box.left && name.top < box.bottom && name.bottom > box.top)) return;
  }
}

let scale = 1;
// Words keep their size at any zoom.
export function fixed(k = scale) {
  scale = k;
  for (const g of document.querySelectorAll("#world .fixed")) {
    g.setAttribute("transform", `translate(${g.dataset.x} ${-g.dataset.y}) scale(${1 / k})`);
  }
}

export function mark([x, y], words = "") {
  const s = 0.16;
  make("path", { class: "mark", d: `M${x - s} ${-y - s}L${x + s} ${-y + s}M${x + s} ${-y - s}L${x - s} ${-y + s}` }, layer.ghosts);
  if (words) tag([x, y], words, layer.ghosts, 0.2);
}

export function contacts(entries) {
  clear("contacts");
  for (const entry of entries) {
    for (const { chance, d } of entry.arcs) {
      make("path", { class: `contact${chance === "1/1" ? "" : " some"}`, d, "data-contact": entry.target, "data-chance": chance }, layer.contacts);
    }
  }
}

export function refused(reply, id) {
  clear("ghosts");
  const m = model(id);
  const [first] = reply.violations;
  const g = ghost(reply.at, m.r, "refused", first?.rule ?? "");
  g.dataset.ghost = id;
  if (first?.place && Math.hypot(first.place[0] - reply.at[0], first.place[1] - reply.at[1]) > 0.05) mark(first.place);
  if (reply.nearest) ghost(reply.nearest, m.r, "nearest").dataset.nearest = id;
}

export function contours(list) {
  clear("contours");
  for (const { cost, d } of list) make("title", {}, make("path", { class: "contour", d, "data-cost": cost }, layer.contours), `${cost} in`);
}

export function denied(entries) {
  clear("denied");
  for (const entry of entries) if (entry.d) make("path", { class: "denied", d: entry.d, "data-denies": entry.enemy }, layer.denied);
}
