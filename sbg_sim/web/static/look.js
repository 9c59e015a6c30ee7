// The options of the chosen model: where it may go and, with more time, its charges and the zones that limit it.

import { state, link, undo, redo, canUndo, canRedo, changed } from "./state.js";
import { model, short } from "./draw.js";
import * as over from "./over.js";
import { say, asked, fails } from "./say.js";

// Ask where the chosen model may go; then, slower, the rest. The result is announced if it may be by then.
let lastLook = 0, lookedAt = null;
export async function look(aloud = () => false) {
  const id = state.selected;
  const mine = ++lastLook, before = asked;
  over.clear("contacts", "contours", "denied", "way");
  if (!id || !model(id) || model(id).off || state.faults.length) {
    over.clear("reach");
    state.near = null;
    state.looking = false;
    changed("near");
    if (id && state.faults.length && aloud()) say(`${id}: nothing is asked of a table with faults; ${state.faults[0].text}`, "error");
    return;
  }
  over.stale();
  state.looking = true;
  if (state.scene !== lookedAt) state.near = state.denied = null; // these belong to another table
  lookedAt = state.scene;
  changed("near");
  try {
    const found = await link.ask("outline", { model: id });
    if (!found || mine !== lastLook) return;
    over.reach(found, id);
    state.outline = found;
    if (aloud() && asked === before) say(found.blocked.length ? `${id} goes nowhere for certain: ${found.blocked[0]}` : `${id} can certainly end on ${short(found.area)} square inches, Move ${short(found.allowance)} in`, found.blocked.length ? "no" : "yes");
    changed("outline");
  } catch (error) {
    over.clear("reach");
    if (mine === lastLook) { state.looking = false; changed("near"); if (!error.lost) fails(error); }
    return;
  }
  try {
    const dice = await link.ask("chances", { model: id });
    if (!dice || mine !== lastLook) return;
    Object.assign(state.outline, dice);
    over.reach(state.outline, id);
    changed("outline");
    const found = await link.ask("near", { model: id });
    if (!found || mine !== lastLook) return;
    state.near = found.entries;
    state.looking = false;
    over.contacts(found.entries);
    changed("near");
    if (state.options.contours) await contours(id, mine);
    if (state.options.denies) await denies(id, mine);
  } catch (error) { if (!error.lost && mine === lastLook) { state.near = null; state.looking = false; changed("near"); } }
}

// The side whose turn it is in a Move phase.
export const whose = (now) => (now.over ? "The Move phase is over" : `${now.side} ${now.reinforcing ? "brings on its reinforcements" : "moves"}`);

// Pending answers are void: the model is put elsewhere.
export function lapse() { lastLook += 1; state.looking = false; }

async function contours(id, mine) {
  const found = await link.ask("contours", { model: id });
  if (found && mine === lastLook) over.contours(found.contours);
}

async function denies(id, mine) {
  const found = await link.ask("denies", { model: id });
  if (!found || mine !== lastLook) return;
  state.denied = found.entries;
  over.denied(found.entries);
  changed("near");
}

// Undo and redo: statements about the table before are void.
export const back = () => travel(canUndo, undo, "taken back");
export const onward = () => travel(canRedo, redo, "done again");

async function travel(can, go, words) {
  if (!can()) return;
  try { await go(); say(words); look(); } catch (error) { fails(error); }
}
