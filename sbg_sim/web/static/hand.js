// Dragging by pointer, touch, pen and keys. The server judges a model while it is dragged; the page decides nothing.

import { state, link, changed, laying } from "./state.js";
import * as view from "./view.js";
import { base, stand, model, models, zones, short } from "./draw.js";
import * as over from "./over.js";
import { say, judged, fails } from "./say.js";
import { perform, restore, settle } from "./made.js";
import { look, lapse, back, onward, whose } from "./look.js";
import * as tape from "./tape.js";
import { idOf, pieceOf, hovered } from "./hover.js";

const svg = document.getElementById("table");
const offer = document.getElementById("offer");
const pointers = new Map();
let carried = null; // {id, from: [x, y], at: [x, y], reply, keys}
let pan = null, pinch = null;

export function begin() {
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerrawupdate", early); // where supported: before the frame for which a browser collects moves
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", cancelled);
  svg.addEventListener("lostpointercapture", cancelled);
  svg.addEventListener("keydown", key);
  svg.addEventListener("focusin", focused);
  svg.addEventListener("focusout", () => setTimeout(left, 0));
  svg.addEventListener("pointerover", (event) => { if (!carried && !pointers.size && !still(event)) hovered(event, () => !carried); });
  document.addEventListener("keydown", shortcut);
}

// A thing that appears under a pointer at rest since a drop is not pointed at: the message about the drop stays.
let laid = null;
function still(event) {
  if (laid && Math.hypot(event.clientX - laid[0], event.clientY - laid[1]) > 3) laid = null;
  return laid !== null;
}

// -- choosing ----------------------------------------------------------------------------------------------------

export function choose(id) {
  if (state.selected === id) return;
  state.selected = id;
  if (id) state.piece = null;
  state.near = state.denied = null;  // these belong to the model chosen before
  dismiss();
  models();
  zones();
  changed("choice");
  look(() => !carried);
}

export function choosePiece(id) {
  state.piece = id;
  state.selected = null;
  models(); zones();
  over.clear("reach", "contacts", "way", "contours", "denied");
  changed("choice"); changed("table");
}

// -- carrying ----------------------------------------------------------------------------------------------------

function pick(id, keys = false) {
  const m = model(id);
  carried = { id, from: [m.x, m.y], at: [m.x, m.y], on: m.on, reply: null, keys, moved: false };
  base(id).classList.add("carried");
  if (state.mode === "place") lapse();
  dismiss();
  over.ghost(carried.from, m.r, "start");
}

function carry(at, time = performance.now()) {
  carried.at = at;
  carried.moved = true;
  carried.reply = null;
  stand(base(carried.id), at);
  ask(time);
  clearTimeout(rest);
  if (state.mode === "place") rest = setTimeout(() => { if (carried) ask(performance.now(), true); }, REST);
}

const REST = 140; // milliseconds after which a drag rests: then its outline is drawn exactly, and its area told
const WAITS = 400; // milliseconds after which a drop that is still being judged says so
let rest = 0;

const wire = { busy: false, next: null, settled: false };
export const latencies = [];

// Record the time from the pointer's event until the answer is on the screen: the task after the frame.
function timed(time) {
  requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = () => {
      latencies.push(performance.now() - time);
      if (latencies.length > 500) latencies.shift();
    };
    after.port2.postMessage(null);
  });
}

// One question is asked at a time; of those that wait only the newest is kept.
async function ask(time, settled = false) {
  if (wire.busy) { wire.next = time; wire.settled = settled; return; }
  const mine = carried;
  if (!mine) return;
  wire.busy = true;
  wire.next = null;
  wire.settled = false;
  const at = mine.at;
  try {
    const placing = state.mode === "place";
    const reply = await link.ask(placing ? "placed" : "held", { model: mine.id, at, snap: state.options.snap && !mine.exact && !mine.keys, settled: placing && settled });
    if (reply && carried === mine) {
      placing ? placed(reply) : held(reply, at);
      timed(time);
    }
  } catch (error) { if (!error.lost && carried === mine) fails(error); } finally {
    wire.busy = false;
    if (wire.next !== null && carried) ask(wire.next, wire.settled);
  }
}

function held(reply, at) {
  over.way(reply);
  const now = state.play?.state, waits = reply.verdict.answer !== "no" && now && !now.movable.includes(reply.model);
  if (waits) say(`${reply.model} does not move now: ${whose(now)} · else ${judged(reply)}`, "no"); else say(judged(reply), reply.verdict.answer);
  over.clear("ghosts");
  const r = model(carried.id).r;
  over.ghost(carried.from, r, "start");
  if (carried.at === at) {
    carried.reply = reply;
    stand(base(carried.id), reply.at);
    if (reply.nearest) over.ghost(reply.nearest, r, "nearest");
  }
  const [first] = reply.violations;
  if (reply.verdict.answer === "no" && first?.place) over.mark(first.place, first.rule);
}

function placed(reply) {
  if (reply.d !== undefined) over.outline(reply, reply.model);
  carried.on = reply.on;
  if (!reply.faults.length && reply.d !== undefined && reply.area === undefined) return; // still moving: its area is told when it rests
  say(reply.faults.length ? `${reply.model}: ${reply.faults[0]}` : `${reply.model} at (${reply.at.map(short).join(", ")})${reply.area === undefined ? "" : `: can end on ${short(reply.area)} square inches from there`}`, reply.faults.length ? "no" : "yes");
}

function lay(back = true) {
  if (!carried) return null;
  const was = carried;
  carried = null;
  wire.next = null;
  const g = base(was.id);
  g?.classList.remove("carried");
  if (back && g && model(was.id)) stand(g, [model(was.id).x, model(was.id).y]);
  return was;
}

export function cancel() {
  if (!carried) { leave(); return; }
  lay();
  over.clear("way", "ghosts");
  say("put back");
  if (state.mode === "place") look(); // its outline belonged to another place
}

function drop() { laying(putDown()); }

async function putDown() {
  const was = carried;
  if (!was) return;
  if (!was.moved) { lay(); over.clear("ghosts"); return; }
  if (state.mode === "place") { lay(false); over.clear("ghosts", "way"); await settle(was.id, was.at, was.on); return; }
  lay(false);
  const waits = setTimeout(() => { if (!carried && !document.getElementById("dialog").open) say(`${was.id}: being worked out…`); }, WAITS);
  try {
    let reply = was.reply;
    if (!reply) reply = await link.ask("held", { model: was.id, at: was.at, snap: state.options.snap && !was.exact && !was.keys, settled: true });
    if (!reply) { restore(was.id); return; }
    if (reply.verdict.answer === "no") {
      if (!was.settled && reply.nearest) reply = (await link.ask("held", { model: was.id, at: was.at, snap: false, settled: true })) ?? reply;
      restore(was.id);
      refuse(reply);
      return;
    }
    stand(base(was.id), reply.at);
    await commit(was.id, reply);
  } catch (error) { restore(was.id); if (error.lost) say("the server does not answer; the model stays where it was", "error"); else fails(error); } finally { clearTimeout(waits); }
}

function refuse(reply) {
  const id = reply.model;
  over.way(reply);
  over.refused(reply, id);
  say(judged(reply), "no");
  if (reply.nearest) {
    const apart = Math.hypot(reply.nearest[0] - reply.pointer[0], reply.nearest[1] - reply.pointer[1]);
    offers([[`Put ${id} at the nearest legal place (${reply.nearest.map((n) => n.toFixed(2)).join(", ")}), ${apart.toFixed(2)} in away`, () => take(id, reply.nearest)], ["Leave it", leave]]);
  }
}

async function take(id, at) {
  dismiss();
  try {
    const reply = await link.ask("held", { model: id, at, snap: false, settled: true });
    if (reply && reply.verdict.answer !== "no") await commit(id, reply); else if (reply) refuse(reply);
  } catch (error) { fails(error); }
}

function offers(list) {
  offer.replaceChildren(...list.map(([words, act]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.onclick = act;
    return button;
  }));
  offer.hidden = false;
}

function leave() {
  if (!offer.hidden) say("put back");
  dismiss();
}

function dismiss() {
  offer.hidden = true;
  over.clear("ghosts", "way");
}

// Make the move: in the phase if one is played, else on the current table.
async function commit(id, reply) {
  const record = { model: id };
  if (reply.targets.length) record.charge = reply.targets; else record.to = reply.at;
  if (reply.path) record.path = reply.path; // the pointer chooses its end at the enemy's base
  if (reply.on && !reply.targets.length) record.on = reply.on;
  await perform(record, judged(reply), reply.verdict.answer);
}

// -- pointer -----------------------------------------------------------------------------------------------------

function down(event) {
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (pointers.size === 2) { cancel(); pan = null; pinch = spread(); return; }
  if (event.button > 1 || pointers.size > 2) return;
  const at = view.inches(event);
  if (tape.down(state.mode, at, idOf(event.target), pieceOf(event.target))) { capture(event); return; }
  const id = event.button === 0 ? idOf(event.target) : null;
  if (id) {
    const g = base(id);
    g.focus({ preventScroll: true });
    choose(id);
    if (carried) lay();
    const m = model(id);
    carriedFrom = { x: event.clientX, y: event.clientY, id, shift: [m.x - at[0], m.y - at[1]], pointer: event.pointerId };
    capture(event);
    return;
  }
  const piece = pieceOf(event.target);
  if (piece && state.mode === "place" && !state.play) { tape.pick(piece, at); capture(event); choosePiece(piece); return; }
  pan = { x: event.clientX, y: event.clientY, moved: false, piece, at };
  capture(event);
}

let carriedFrom = null;

function capture(event) { try { svg.setPointerCapture(event.pointerId); } catch { /* the pointer is gone already */ } }

function move(event) {
  if (!pointers.has(event.pointerId)) return;
  pointers.set(event.pointerId, [event.clientX, event.clientY]);
  if (pinch) { pinched(); return; }
  const at = view.inches(event);
  const under = document.elementFromPoint(event.clientX, event.clientY) ?? svg;
  if (tape.move(at, idOf(under), pieceOf(under))) return;
  if (carriedFrom && carriedFrom.pointer === event.pointerId) {
    if (early(event)) return;
    if (!carried) {
      if (Math.hypot(event.clientX - carriedFrom.x, event.clientY - carriedFrom.y) < 4) return;
      if (state.mode === "place" && state.play) { say("a phase is being played; end it to place models by hand"); return; }
      pick(carriedFrom.id);
    }
    early(event);
    return;
  }
  if (pan) {
    const dx = event.clientX - pan.x, dy = event.clientY - pan.y;
    if (!pan.moved && Math.hypot(dx, dy) < 4) return;
    pan.moved = true; pan.x = event.clientX; pan.y = event.clientY;
    view.pan(dx, dy);
  }
}

// Move the dragged thing to the pointer; return whether there is one, and ask nothing twice.
function early(event) {
  if (!carried || carried.keys || pinch || carriedFrom?.pointer !== event.pointerId) return false;
  const at = view.inches(event).map((n, i) => n + carriedFrom.shift[i]);
  if (carried.moved && carried.exact === event.altKey && at[0] === carried.at[0] && at[1] === carried.at[1]) return true;
  carried.exact = event.altKey;
  carry(at, event.timeStamp);
  return true;
}

function up(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (pinch) { if (pointers.size < 2) pinch = null; return; }
  if (tape.up(view.inches(event))) return;
  if (carriedFrom) {
    carriedFrom = null;
    if (carried && !carried.keys) { laid = [event.clientX, event.clientY]; drop(); }
    return;
  }
  if (pan && !pan.moved) {
    if (!tape.click(pan.at)) { if (pan.piece) choosePiece(pan.piece); else { choose(null); if (state.piece) choosePiece(null); cancel(); } }
  }
  pan = null;
}

function cancelled(event) {
  if (event.type === "lostpointercapture" && !pointers.has(event.pointerId)) return;
  pointers.delete(event.pointerId);
  pinch = pan = carriedFrom = null;
  if (carried && !carried.keys) cancel();
}

function spread() {
  const [a, b] = [...pointers.values()];
  return { apart: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
}

function pinched() {
  if (pointers.size < 2) return;
  const now = spread(), box = svg.parentElement.getBoundingClientRect();
  view.pan(now.x - pinch.x, now.y - pinch.y);
  view.zoom(now.apart / pinch.apart, [now.x - box.left, now.y - box.top]);
  pinch = now;
}

// -- keys --------------------------------------------------------------------------------------------------------

function focused(event) {
  const id = idOf(event.target);
  if (!id || carriedFrom) return;
  if (event.target.matches(":focus-visible")) { choose(id); view.centre([model(id).x, model(id).y]); }
}

function left() {
  if (carried?.keys && document.activeElement !== base(carried.id)) {
    const dialog = document.getElementById("dialog");
    if (!dialog.open) drop();
  }
}

function key(event) {
  const id = idOf(event.target);
  const step = tape.STEP[event.key];
  if (step && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const by = event.shiftKey ? 0.01 : 0.1;
    if (!id) { view.pan(-step[0] * 40, step[1] * 40); return; }
    if (!model(id)) return;
    const from = carried?.id === id ? carried.at : [model(id).x, model(id).y];
    const at = [from[0] + step[0] * by, from[1] + step[1] * by].map((n) => Math.round(n * 1e6) / 1e6);
    if (state.mode === "place" && !state.play) { placeBy(id, at); return; }
    if (carried?.id !== id) { choose(id); pick(id, true); }
    carry(at);
    return;
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (carried?.keys) drop(); else if (!offer.hidden) offer.firstChild.click(); else if (id) tape.key(id) || choose(id);
  } else if (event.key === "Escape") { event.preventDefault(); if (carried || !offer.hidden) cancel(); else { tape.cancel(); choose(null); } }
  else if ((event.key === "Delete" || event.key === "Backspace") && (id || state.piece)) { event.preventDefault(); changed("delete"); }
}

function placeBy(id, at) {
  const m = model(id);
  m.x = at[0]; m.y = at[1];
  stand(base(id), at);
  settle(id, at, m.on, `arrow ${id}`);
}

function shortcut(event) {
  if (event.target.matches?.("input, textarea, select") || document.getElementById("dialog").open) return;
  const mod = event.ctrlKey || event.metaKey;
  const k = event.key.toLowerCase();
  if (mod && k === "z") { event.preventDefault(); cancel(); if (event.shiftKey) onward(); else back(); return; }
  if (mod && k === "y") { event.preventDefault(); cancel(); onward(); return; }
  if (mod && k === "s") { event.preventDefault(); changed("save"); return; }
  if (mod || event.altKey) return;
  const modes = { m: "move", p: "place", t: "tape", s: "sight" };
  if (modes[k]) document.querySelector(`[data-mode=${modes[k]}]`).click();
  else if (k === "+" || k === "=") view.zoom(1.25);
  else if (k === "-") view.zoom(0.8);
  else if (k === "0") view.fit();
  else if (k === "escape" && carried) cancel();
}
