// The thing under the pointer: a model and its values, an enemy and whether it can be charged, terrain and its rules.

import { state, link } from "./state.js";
import { model, short, states, words } from "./draw.js";
import * as over from "./over.js";
import { say, judged, fails } from "./say.js";

export const idOf = (target) => target.closest?.("[data-model]")?.dataset.model;
export const pieceOf = (target) => target.closest?.("[data-terrain]")?.dataset.terrain;

// Describe the thing under the pointer; an answer that comes during a drag is dropped.
export function hovered(event, free) {
  if (event.pointerType === "touch" || state.mode === "tape" || state.mode === "sight") return;
  const id = idOf(event.target), piece = pieceOf(event.target);
  if (id) tell(id, free); else if (piece && !state.selected) ground(piece);
}

function ground(id) {
  const p = state.scene.terrain.find((one) => one.id === id);
  if (p) say(words(p));
}

let told = 0;
// Describe a model; an enemy of the chosen one also by whether it can be charged, the cost, the chance, the reason.
async function tell(id, free) {
  const m = model(id), own = state.selected && model(state.selected);
  const mine = ++told;
  if (!m) return;
  if (!own || own.id === id || own.side === m.side || !own.side || !m.side || state.faults.length || own.off) {
    if (!own) say([id, m.side, m.move != null && `Move ${short(m.move)} in`, m.height != null && `${short(m.height)} in high`, `base ${Math.round(m.r * 508) / 10} mm`, ...states(m)].filter(Boolean).join(" · "));
    return;
  }
  try {
    const known = state.near?.find((entry) => entry.target === id);
    const reply = known ?? await link.ask("ask", { question: { ask: "charge", model: own.id, target: id } });
    if (mine !== told || !free() || !reply || state.selected !== own.id) return;
    over.way(reply);
    say(judged(reply) + (reply.binds?.length ? ` · the straight way enters the zone of ${reply.binds.join(", ")} first` : ""), reply.verdict.answer);
  } catch (error) { if (!error.lost) fails(error); }
}
