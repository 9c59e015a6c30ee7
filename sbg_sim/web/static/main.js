// The page begins here.

import { state, link, on, canUndo, canRedo, again } from "./state.js";
import * as view from "./view.js";
import * as draw from "./draw.js";
import * as over from "./over.js";
import * as hand from "./hand.js";
import { look, back, onward } from "./look.js";
import * as panels from "./panels.js";
import * as keep from "./keep.js";
import { say, fails, counted } from "./say.js";

const svg = document.getElementById("table");
const away = document.getElementById("away");

draw.begin(svg);
view.begin(svg, (zoomed) => { if (zoomed) { over.fixed(view.view.k); draw.label(); } });
hand.begin();
panels.begin();

on((what) => {
  if (what === "table") {
    view.size(state.scene.width, state.scene.depth);
    draw.table();
    document.getElementById("title").textContent = state.scene.title || state.file.name || "Table";
    document.title = `${state.scene.title || "Table"} · sbg_sim`;
    const scale = document.getElementById("legend");
    const told = (size) => (state.scene.unknown.includes(size) ? "?" : draw.short(state.scene[size]));
    scale.textContent = `${told("width")} × ${told("depth")} in`;
  }
  if (what === "history" || what === "table") {
    document.getElementById("undo").disabled = !canUndo();
    document.getElementById("redo").disabled = !canRedo();
  }
});

const click = (id, act) => { document.getElementById(id).onclick = act; };
click("undo", () => back());
click("redo", () => onward());
click("in", () => view.zoom(1.3));
click("out", () => view.zoom(1 / 1.3));
click("fit", () => view.fit());

const dark = document.getElementById("dark");
function shade(on) {
  document.documentElement.classList.toggle("dark", on);
  dark.setAttribute("aria-pressed", String(on));
}
let stored = null;
try { stored = localStorage.getItem("dark"); } catch { /* a browser may store nothing */ }
const asked = matchMedia("(prefers-color-scheme: dark)");
shade(stored === null ? asked.matches : stored === "yes");
asked.onchange = () => { if (stored === null) shade(asked.matches); };
dark.onclick = () => {
  const now = !document.documentElement.classList.contains("dark");
  shade(now);
  stored = now ? "yes" : "no";
  try { localStorage.setItem("dark", stored); } catch { /* then it is asked again next time */ }
};

const modes = [...document.querySelectorAll("[data-mode]")];
for (const button of modes) {
  button.onclick = () => {
    hand.cancel();
    state.mode = button.dataset.mode;
    for (const one of modes) {
      one.setAttribute("aria-checked", String(one === button));
      one.tabIndex = one === button ? 0 : -1;
    }
    svg.dataset.mode = state.mode;
  };
  button.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = modes[(modes.indexOf(button) + step + modes.length) % modes.length];
    next.focus();
    next.click();
  };
}

let begun = false;
link.onopen = async () => {
  away.hidden = true;
  try {
    if (begun) { await again(); look(); say("the server answers again"); return; }
    begun = true;
    const question = await keep.begin();
    document.documentElement.dataset.ready = "yes";
    if (!state.faults.length && state.scene) say(`${state.scene.title || "The table"}: ${counted(state.scene.models.length, "model")}, ${counted(state.scene.terrain.length, "piece")} of terrain. Choose a model, or drag it.`);
    else if (state.faults.length) say(state.faults[0].text);
    if (question) { panels.show("ask"); panels.draft(question); await panels.answer(question); }
  } catch (error) { if (!state.data) begun = false; fails(error); }
};
link.onlost = (reason) => {
  hand.cancel();
  away.textContent = reason || "The server does not answer. Nothing is lost: the page tries again, and the table stays here.";
  away.hidden = false;
};

// For measurements: milliseconds from a pointer's move to the outline or way on the screen.
globalThis.sbgLatencies = hand.latencies;
