// The state of the page: the data of the file, its scene, the choice; and all earlier states, for undo.

import { Link } from "./link.js";

export const link = new Link();

export const state = {
  data: null,      // the scenario file as plain data
  text: "",        // its data as TOML
  scene: null,     // the table for drawing
  faults: [],
  selected: null,  // id of a model
  piece: null,     // id of a piece of terrain
  mode: "move",
  play: null,      // a Move phase: {priority, actions, redo, state, saved: the actions a file has}
  file: { name: null, version: "" },
  saved: null,     // the data last opened or saved
  source: "",      // the text last opened or saved, with its comments
  options: { snap: true, zones: true, names: true, grid: true, contours: false, denies: false, chances: true },
};

// For each earlier state the data, its text, and the phase played then.
const past = [], future = [];
const standing = () => ({ data: state.data, source: state.source, play: state.play });
const listeners = new Set();

export function on(listener) { listeners.add(listener); }
export function changed(what) { for (const listener of listeners) listener(what); }

// A copy of an object with one value set at a path (undefined removes it); parts off the path are shared.
export function put(value, path, last) {
  if (!path.length) return last;
  const [key, ...rest] = path;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const inner = put(copy[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, last);
  if (inner === undefined) delete copy[key]; else copy[key] = inner;
  return copy;
}

export function field(id, key) {
  const own = state.data?.models?.[id];
  return own?.[key] ?? state.data?.profiles?.[own?.profile]?.[key];
}

let turn = Promise.resolve();
let laid = Promise.resolve();

// A model that was put down is judged before it stands there; saving waits for that.
export function laying(work) { laid = work; }
export const still = () => laid.then(() => turn).catch(() => {});

async function show(body) {
  const reply = await link.ask("show", body);
  state.scene = reply.scene;
  state.faults = reply.faults;
  state.text = reply.text;
  if (reply.data) state.data = reply.data;
  // A faulty thing is not on the table but stays chosen, to be corrected.
  if (!Object.hasOwn(state.data?.models ?? {}, state.selected)) state.selected = null;
  if (!Object.hasOwn(state.data?.terrain ?? {}, state.piece)) state.piece = null;
  changed("table");
}

// Tables are shown one after the other: an answer never overtakes the one before.
function queued(work) {
  turn = turn.then(work, work);
  return turn;
}

export function open(text, keep = false) {
  return queued(async () => {
    const before = standing();
    await show({ text });
    state.source = text;
    if (keep && before.data) { past.push(before); future.length = 0; } else { past.length = future.length = 0; }
    state.play = null;
    changed("history");
  });
}

// Make a change of the data, and keep the state before; a following change of the same name joins it.
let lastName = "", lastTime = 0;
export function edit(data, name = "") {
  return queued(async () => {
    if (state.play) { // its moves were made on the table before
      changed("table");
      throw { error: "a Move phase is being played; leave it to change the table (Undo goes on with it)" };
    }
    const before = { ...standing(), play: null };
    const now = performance.now();
    const joins = name && name === lastName && now - lastTime < 1200;
    state.data = data;
    try {
      await show({ data });
    } catch (error) {
      if (!error.lost) state.data = before.data;
      throw error;
    }
    if (!joins) past.push(before);
    future.length = 0;
    lastName = name; lastTime = now;
    changed("history");
  });
}

function travel(from, to) {
  return queued(async () => {
    if (!from.length) return;
    const { data, source, play } = from.pop();
    to.push(standing());
    Object.assign(state, { data, source, play: null });
    lastName = "";
    await show({ data });
    if (play) { state.play = play; await playShow(play.actions); }
    changed("history");
  });
}

export const undo = () => (state.play ? playBack() : travel(past, future));
export const redo = () => (state.play ? playOn() : travel(future, past));
export const canUndo = () => (state.play ? state.play.actions.length > 0 : past.length > 0);
export const canRedo = () => (state.play ? state.play.redo.length > 0 : future.length > 0);

export function again() { // after a lost connection: put the table on the new desk
  return queued(async () => {
    if (state.data) await show(state.data ? { data: state.data } : {});
    if (state.play) await playShow(state.play.actions);
  });
}

// -- a Move phase ----------------------------------------------------------------------------------------------

async function playShow(actions) {
  const reply = await link.ask("play", { priority: state.play.priority, resume: state.play.resume, actions });
  state.play.actions = actions.slice(0, reply.done);
  state.play.state = reply;
  state.scene = reply.scene;
  changed("table");
  return reply;
}

export async function playBegin(priority, resume = false) {
  state.play = { priority, resume, actions: [], redo: [], state: null };
  try { await playShow([]); } catch (error) { state.play = null; throw error; }
  changed("history");
}

export async function playDo(action) {
  const reply = await playShow([...state.play.actions, action]);
  if (!reply.needs && !reply.refused) state.play.redo = [];
  changed("history");
  return reply;
}

async function playBack() {
  const actions = [...state.play.actions];
  state.play.redo.push(actions.pop());
  await playShow(actions);
  changed("history");
}

async function playOn() {
  await playShow([...state.play.actions, state.play.redo.pop()]);
  changed("history");
}

export async function playEnd(keep) {
  const text = state.play.state.text;
  if (!keep && state.play.actions.length) { past.push(standing()); future.length = 0; } // what was played is not lost
  state.play = null;
  if (keep) await open(text, true); else await again();
  changed("history");
}
