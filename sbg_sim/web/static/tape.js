// The tape and the line of sight; and dragging terrain while building.

import { state, link, edit, put } from "./state.js";
import { layer, make, model, short } from "./draw.js";
import * as over from "./over.js";
import { say, judged, fails } from "./say.js";

export const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

let first = null; // {id, at, mode, piece, other, over: the model or the piece at its end}
let held = null;  // terrain: {id, at}
let waiter = null; // a tool that waits for clicks: it gets places, and returns false when done

// Ask for places: clicks, or arrow keys (0.1 in, with Shift 1 in) and Enter. The tool returns false when done;
// `end` is called when Enter on the same place ends it, and with null when it is cancelled. A new tool replaces it.
let keyed = null;
export function waitFor(tool, end = () => {}, start = [state.scene.width / 2, state.scene.depth / 2]) {
  let spot = start, moved = true;
  const stop = () => { document.removeEventListener("keydown", keyed, true); waiter = keyed = null; over.clear("ghosts"); };
  if (keyed) stop();
  const take = (at) => { moved = false; if (tool(at) === false) stop(); return true; };
  keyed = (event) => {
    const step = STEP[event.key];
    if (event.target.matches?.("input, textarea, select, button") || (!step && event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (step) {
      const by = event.shiftKey ? 1 : 0.1;
      spot = spot.map((n, i) => Math.round((n + step[i] * by) * 1e6) / 1e6);
      moved = true;
      over.clear("ghosts");
      over.mark(spot);
      say(`at ${spot.map(short).join(", ")}; Enter takes it`);
    } else if (event.key === "Escape") { stop(); end(null); say("left as it was"); } else if (moved) take(spot); else { stop(); end(true); }
  };
  waiter = take;
  document.addEventListener("keydown", keyed, true);
  document.getElementById("table").focus?.();
}

export function down(mode, at, id, piece) {
  if (waiter) return false;
  if (mode !== "tape" && mode !== "sight") return false;
  if (mode === "sight" && !id) return false;
  over.clear("way", "marks");
  first = { id, at: id ? [model(id).x, model(id).y] : at, mode, piece: id ? null : piece };
  return true;
}

export function pick(id, at) { held = { id, at, from: at }; }

export function move(at, id, piece) {
  if (held) {
    const g = layer.terrain.querySelector(`[data-terrain="${CSS.escape(held.id)}"]`);
    g?.setAttribute("transform", `translate(${at[0] - held.from[0]} ${-(at[1] - held.from[1])})`);
    held.at = at;
    return true;
  }
  if (!first) return false;
  const other = id && id !== first.id ? model(id) : null;
  const end = other ? [other.x, other.y] : at;
  over.clear("way");
  make("path", { class: `way ${first.mode}`, d: `M${first.at[0]} ${-first.at[1]}L${end[0]} ${-end[1]}` }, layer.way);
  first.other = other?.id ?? null;
  first.over = other ? null : piece;
  if (first.mode === "tape") measured(first, end);
  return true;
}

export function up(at) {
  if (held) {
    const was = held;
    held = null;
    const dx = was.at[0] - was.from[0], dy = was.at[1] - was.from[1];
    if (Math.hypot(dx, dy) > 0.02) shifted(was.id, dx, dy);
    return true;
  }
  if (!first) return false;
  const was = first;
  first = null;
  if (was.mode === "sight") { if (was.other) look(was.id, was.other); else over.clear("way"); }
  else if (was.other && was.id) exact(was.id, was.other);
  else if (Math.hypot(at[0] - was.at[0], at[1] - was.at[1]) < 0.05) over.clear("way");
  else nearest(was, at);
  return true;
}

export function click(at) {
  if (!waiter) return false;
  return waiter(at);
}

export function cancel() { first = held = null; over.clear("way", "marks"); }

// By keys: Enter on the first thing, Enter on the second.
let eye = null;
export function key(id) {
  if (state.mode !== "tape" && state.mode !== "sight") { eye = null; return false; }
  if (!eye || eye === id) { eye = id; say(`from ${id}: now choose the other and press Enter`); return true; }
  if (state.mode === "sight") look(eye, id); else exact(eye, id);
  eye = null;
  return true;
}

function measured(one, end) {
  const centres = Math.hypot(end[0] - one.at[0], end[1] - one.at[1]), ids = [one.id, one.other].filter(Boolean);
  const edges = Math.max(0, centres - ids.reduce((sum, id) => sum + model(id).r, 0)).toFixed(3);
  const spot = (p) => `(${p.map((n) => n.toFixed(2)).join(", ")})`;
  const long = ids.length === 2 ? `${edges} in edge to edge, ${centres.toFixed(3)} in centre to centre`
    : ids.length ? `${edges} in from the edge of ${ids[0]}, ${centres.toFixed(3)} in from its centre` : `${centres.toFixed(3)} in`;
  const words = `${one.id ?? spot(one.at)} to ${one.other ?? spot(end)}: ${long}`;
  say(words, "measure");
  return words;
}

// A tape with an end on terrain: measured at the pointer, and between edges, which no pointer meets exactly.
async function nearest(was, at) {
  const from = was.id ?? was.piece, to = was.other ?? was.over;
  if (was.mode !== "tape" || !from || !to || from === to) return;
  const before = document.getElementById("verdict").textContent;
  try {
    const reply = await link.ask("ask", { question: { ask: "measure", from, to } });
    if (document.getElementById("verdict").textContent === before) say(`${from} to ${to}: ${reply.verdict.inches.toFixed(4)} in between their nearest edges · ${before}`, "measure");
  } catch (error) { fails(error); }
}

async function exact(from, to) {
  const a = model(from), b = model(to);
  const centres = Math.hypot(a.x - b.x, a.y - b.y);
  try {
    const reply = await link.ask("ask", { question: { ask: "measure", from, to } });
    over.clear("way", "marks");
    make("path", { class: "way tape", d: `M${a.x} ${-a.y}L${b.x} ${-b.y}` }, layer.way);
    const along = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((share) => [a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)]);
    over.noteOffNames(along, `${short(reply.verdict.inches)}″`);
    say(`${from} to ${to}: ${reply.verdict.inches.toFixed(4)} in edge to edge, ${centres.toFixed(4)} in centre to centre`, "measure");
  } catch (error) { fails(error); }
}

export async function look(id, target) {
  try {
    const reply = await link.ask("ask", { question: { ask: "sight", model: id, target } });
    const a = model(id), b = model(target);
    over.clear("way", "marks");
    if (reply.line) {
      const d = "M" + reply.line.map(([x, y]) => `${x} ${-y}`).join("L");
      make("path", { class: "way sight", d }, layer.way);
    } else {
      make("path", { class: "way hidden", d: `M${a.x} ${-a.y}L${b.x} ${-b.y}` }, layer.way);
      for (const name of reply.hidden) {
        const m = model(name), piece = state.scene.terrain.find((p) => p.id === name);
        if (m) over.note([m.x, m.y], `hides: ${name}`); else if (piece?.label) over.note(piece.label, `hides: ${name}`);
      }
    }
    say(judged(reply), reply.verdict.answer);
  } catch (error) { fails(error); }
}

// The shape of a piece after a shift and a turn (radians, about its middle), for all forms of shapes.
export function shiftedPiece(piece, dx, dy, turn = 0, about = [0, 0]) {
  const c = Math.cos(turn), s = Math.sin(turn), tidy = (n) => Math.round(n * 1e6) / 1e6;
  const spot = ([x, y]) => [tidy(about[0] + c * (x - about[0]) - s * (y - about[1]) + dx), tidy(about[1] + s * (x - about[0]) + c * (y - about[1]) + dy)];
  const copy = { ...piece };
  for (const key of ["polygon", "line"]) if (copy[key]) copy[key] = copy[key].map(spot);
  if (copy.holes) copy.holes = copy.holes.map((ring) => ring.map(spot));
  if (copy.circle) copy.circle = { ...copy.circle, center: spot(copy.circle.center) };
  if (copy.at) copy.at = spot(copy.at);
  if (copy.wkt) copy.wkt = copy.wkt.replace(/(-?[\d.eE+]+)\s+(-?[\d.eE+]+)/g, (_, x, y) => spot([Number(x), Number(y)]).join(" "));
  return copy;
}

async function shifted(id, dx, dy) {
  try { await edit(put(state.data, ["terrain", id], shiftedPiece(state.data.terrain[id], dx, dy))); } catch (error) { fails(error); }
}
