// Whole sides: the ground that one can cover next turn, its charges, and the models of the other that are safe.

import { state, link, on } from "./state.js";
import { h, button, choice } from "./h.js";
import { layer, make, model, short } from "./draw.js";
import * as over from "./over.js";
import { say, asking, fails } from "./say.js";

let side = null, found = null, busy = false;
let sheltered = null; // the model with safe ground drawn

on((what) => {
  if (what === "table" || (what === "choice" && sheltered && sheltered !== state.selected)) clear(); // it belonged to another
});

function clear() {
  if (found || sheltered) over.clear("sides", "marks");
  found = sheltered = null;
}

export function sides(redraw) {
  const all = state.scene.sides;
  if (all.length < 2) return [h("p", {}, "It takes two sides: give the models sides.")];
  if (!all.includes(side)) side = all[0];
  return [
    h("p", { className: "faint" }, "Where a side can charge next turn, with every model free to move; and which models of the others it can get at."),
    choice("side", side, all, (v) => { side = v; }, { id: "threat-side" }),
    h("div", { className: "row" }, button(busy ? "Looking…" : "Show its threats", () => ask(redraw), { id: "threats", disabled: busy }), found && button("Clear", () => { clear(); redraw(); })),
    ...(found ? list() : []),
  ];
}

async function ask(redraw) {
  busy = true;
  redraw();
  asking(`looking where ${side} can charge next turn…`);
  try {
    clear();
    const scene = state.scene;
    const reply = await link.ask("threats", { side });
    if (reply && state.scene === scene) { clear(); found = reply; show(); say(`${side} threatens ${short(found.area)} square inches; safe from it: ${safeOnes().join(", ") || "nobody"}`); }
  } catch (error) { fails(error); }
  busy = false;
  redraw();
}

const safeOnes = () => found.targets.filter((t) => !t.chargers.some((c) => c.answer !== "no")).map((t) => t.target);

function show() {
  over.clear("sides", "marks");
  for (const region of found.regions) make("path", { class: "side-threat", d: region.d, "data-threat": side, "data-chance": region.chance }, layer.sides);
  const safe = new Set(safeOnes());
  for (const { target } of found.targets) {
    const m = model(target);
    if (!m || m.off) continue;
    const kind = safe.has(target) ? "safe" : "danger";
    const ring = make("circle", { class: `${kind}-mark`, cx: m.x, cy: -m.y, r: m.r + 0.12, "data-safe": safe.has(target) ? "yes" : "no", "data-of": target }, layer.marks);
    make("title", {}, ring, `${target} is ${safe.has(target) ? "safe" : "in danger"}`);
  }
}

function list() {
  return [h("h2", {}, "Whom it can charge"), h("table", {}, h("tr", {}, ...["target", "by", "surely at once"].map((t) => h("th", {}, t))),
    found.targets.map((t) => h("tr", { "data-threatened": t.target }, h("td", { className: "who" }, t.target),
      h("td", {}, t.chargers.length ? t.chargers.map((c) => `${c.model}${c.chance && c.chance !== "1/1" ? ` (${c.chance})` : ""}`).join(", ") : h("span", { className: "yes" }, "nobody: safe")),
      h("td", {}, t.chargers.length ? `${t.at_once} of ${t.at_most}` : ""))))];
}

const onOthers = (ground) => Object.entries(ground.platforms).map(([on, level]) => `; on ${on} on ${short(Math.max(...Object.values(level.by_chance)))}`).join("");

// The ground where the chosen model can end its move so that no enemy can charge it next turn.
export async function safeGround(id) {
  asking(`looking where ${id} is safe next turn…`);
  try {
    const scene = state.scene;
    const ground = await link.ask("safe", { model: id });
    if (!ground || id !== state.selected || state.scene !== scene) return; // outdated
    clear();
    sheltered = id;
    make("path", { class: "safe-ground", d: ground.d, "data-safe-ground": id }, layer.sides);
    for (const level of ground.levels) make("path", { class: "safe-ground", d: level.d, "data-safe-ground": id, "data-on": level.on }, layer.sides);
    // A bound is rounded down: rounded up it would state more than is certified.
    const spare = ground.margin_exact ? ground.margin : Math.floor(ground.margin * 100 + 1e-7) / 100;
    if (ground.best) over.note(ground.best, `${id}: safest, ${ground.margin == null ? "out of reach" : `${ground.margin_exact ? "" : "at least "}${spare.toFixed(2)} in to spare`}`);
    say(`${id} is safe next turn on ${short(ground.area)} of ${short(ground.reach)} square inches${ground.best ? `, most at (${ground.best.map((n) => n.toFixed(2)).join(", ")})` : ""}${onOthers(ground)}`, ground.best ? "yes" : "no");
  } catch (error) { fails(error); }
}
