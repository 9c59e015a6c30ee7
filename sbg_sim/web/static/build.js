// Building the table: models, profiles, terrain, its size; each fault stands beside its thing.

import { state, edit, put, on, field as value } from "./state.js";
import { h, button, field, choice, check } from "./h.js";
import { about } from "./draw.js";
import { choose, choosePiece } from "./hand.js";
import { say, fails } from "./say.js";
import { shiftedPiece, waitFor } from "./tape.js";

const TAGS = ["difficult", "obstacle", "unscalable", "gap", "platform", "ladder"];
const FIELDS = ["base", "height", "move", "side"];

on((what) => { if (what === "delete") remove(); });

const change = (path, last) => edit(put(state.data, path, last)).catch(fails);

export function build() {
  const id = state.selected, piece = state.piece;
  return [
    h("div", { className: "row" }, button("Add a model", () => addModel(), { id: "add-model" }), button("Copy", duplicate, { id: "copy", disabled: !id && !piece }), button("Turn", () => turn(), { id: "turn", disabled: !piece, title: "By 15 degrees" }), button("Delete", remove, { id: "delete", disabled: !id && !piece })),
    h("div", { className: "row" }, button("Add a polygon", () => drawn("polygon"), { id: "add-polygon" }), button("Add a circle", () => drawn("circle"), { id: "add-circle" }), button("Add a line", () => drawn("line"), { id: "add-line" }), button("Add a ladder", ladder, { id: "add-ladder" })),
    id && state.data.models?.[id] && modelForm(id),
    piece && state.data.terrain?.[piece] && pieceForm(piece),
    !id && !piece && tableForm(),
    profiles(),
  ];
}

// "25 mm" and 1.5 are both lengths; a number is inches.
const length = (text) => (text === "" ? undefined : Number.isNaN(Number(text)) ? text : Number(text));
const point = (text) => text.split(/[\s,]+/).filter(Boolean).map(Number);
const shown = (v) => (v === undefined || v === null ? "" : String(v));

function beside(kind, id, key) {
  return state.faults.filter((f) => about(f.key, kind, id) && (!key || f.key.endsWith(`.${key}`) || f.key.includes(`.${key}[`)))
    .map((f) => h("p", { className: "fault", "data-fault-beside": id }, f.reason));
}

function modelForm(id) {
  const own = state.data.models[id], at = ["models", id];
  const profile = state.data.profiles?.[own.profile] ?? {};
  const keys = ["base", "height", "move"];
  return h("section", {}, h("h2", {}, id), ...beside("models", id),
    field("name", id, (name) => rename("models", id, name), { "data-key": "model-name" }),
    choice("profile", own.profile ?? "", ["", ...Object.keys(state.data.profiles ?? {})], (v) => change([...at, "profile"], v || undefined)),
    field("side", shown(own.side ?? profile.side), (v) => change([...at, "side"], v || undefined), { "data-key": "model-side" }),
    ...keys.map((key) => field(key, shown(own[key] ?? profile[key]), (v) => change([...at, key], length(v)), { "data-key": `model-${key}`, placeholder: key === "base" ? "25 mm" : "inches" })),
    field("at x, y", (own.at ?? []).join(", "), (v) => change([...at, "at"], point(v)), { "data-key": "model-at" }),
    field("keywords", (own.keywords ?? profile.keywords ?? []).join(", "), (v) => change([...at, "keywords"], v ? v.split(/\s*,\s*/) : undefined)),
    field("stands on", shown(own.on), (v) => change([...at, "on"], v || undefined)),
    field("inches climbed", shown(own.climbed), (v) => change([...at, "climbed"], length(v)), { "data-key": "model-climbed" }),
    field("doubt", shown(own.doubt), (v) => change([...at, "doubt"], length(v)), { "data-key": "model-doubt", placeholder: "the table's tolerance" }),
    field("engaged with", (own.engaged ?? []).join(", "), (v) => change([...at, "engaged"], v ? v.split(/\s*,\s*/) : undefined)),
    check("lies prone", value(id, "prone"), (v) => change([...at, "prone"], v)),
    check("has moved", value(id, "moved"), (v) => change([...at, "moved"], v)),
    check("may move", value(id, "may_move") !== false, (v) => change([...at, "may_move"], v ? undefined : false)),
    check("waits outside the table", value(id, "off_table"), (v) => change([...at, "off_table"], v || undefined)),
    (value(id, "off_table") || own.waited !== undefined) && field("turns it could not come on", shown(own.waited), (v) => change([...at, "waited"], length(v)), { "data-key": "model-waited" }));
}

function pieceForm(id) {
  const own = state.data.terrain[id], at = ["terrain", id];
  const kind = ["polygon", "circle", "line", "wkt"].find((k) => own[k]);
  return h("section", {}, h("h2", {}, id), ...beside("terrain", id),
    field("name", id, (name) => rename("terrain", id, name), { "data-key": "piece-name" }),
    h("fieldset", {}, h("legend", {}, "tags"), TAGS.map((tag) => check(tag, own.tags?.includes(tag), (v) => (v && tag === "ladder" && kind ? change(at, rungs(own.circle?.center ?? middle(id))) : change([...at, "tags"], v ? [...(own.tags ?? []), tag] : own.tags.filter((t) => t !== tag))), { "data-key": `tag-${tag}` }))),
    (kind || own.height !== undefined) && field("height", shown(own.height), (v) => change([...at, "height"], length(v)), { "data-key": "piece-height" }),
    !kind && field("at x, y", (own.at ?? []).join(", "), (v) => change([...at, "at"], v ? point(v) : undefined), { "data-key": "piece-at" }),
    (own.tags?.includes("gap") || own.depth !== undefined) && field("depth", shown(own.depth), (v) => change([...at, "depth"], length(v))),
    kind === "circle" && field("centre x, y", own.circle.center.join(", "), (v) => change([...at, "circle", "center"], point(v))),
    kind === "circle" && field("radius", shown(own.circle.radius), (v) => change([...at, "circle", "radius"], length(v)), { "data-key": "piece-radius" }),
    kind === "line" && field("thickness", shown(own.thickness), (v) => change([...at, "thickness"], length(v))),
    (kind === "polygon" || kind === "line") && h("label", {}, h("span", {}, "corners"), h("textarea", { rows: 4, value: own[kind].map((p) => p.join(", ")).join("\n"), "data-key": "piece-corners", onchange: (event) => change([...at, kind], event.target.value.split("\n").map(point).filter((p) => p.length)) })),
    kind === "wkt" && field("wkt", own.wkt, (v) => change([...at, "wkt"], v)),
    field("stands on", shown(own.on), (v) => change([...at, "on"], v || undefined)),
    (own.tags?.includes("ladder") || own.to !== undefined) && field("leads to", shown(own.to), (v) => change([...at, "to"], v || undefined), { "data-key": "piece-to" }),
    field("lets through", (own.lets_through ?? []).join(", "), (v) => change([...at, "lets_through"], v ? v.split(/\s*,\s*/) : undefined)));
}

function tableForm() {
  const table = state.data.table ?? {};
  return h("section", {}, h("h2", {}, "The table"),
    field("title", state.data.title, (v) => change(["title"], v || undefined), { "data-key": "table-title" }),
    ...["width", "depth", "tolerance"].map((key) => field(key, shown(table[key]), (v) => change(["table", key], length(v)), { "data-key": `table-${key}` })));
}

function profiles() {
  const all = Object.entries(state.data.profiles ?? {});
  return h("details", {}, h("summary", {}, `Profiles (${all.length})`), all.map(([name, fields]) => h("section", {}, h("h2", {}, name),
    FIELDS.map((key) => field(key, shown(fields[key]), (v) => change(["profiles", name, key], key === "side" ? v || undefined : length(v)), { "data-key": `profile-${name}-${key}` })))),
  button("Add a profile", () => change(["profiles", free("profile", state.data.profiles)], { base: "25 mm", height: 1.5, move: 6 })));
}

function free(word, there = {}) {
  let n = 1;
  while (there[`${word}-${n}`]) n++;
  return `${word}-${n}`;
}

async function rename(kind, id, name) {
  if (!name || name === id) return;
  if (state.data[kind][name]) { say(`there is already something called ${name}`, "error"); return; }
  // Only fields that hold ids: a side or a keyword of the same name is something else.
  const keys = new Set(["model", "target", "from", "to", "between", "charge", "engaged", "on", "lets_through", "fights"]);
  const swap = (v, key) => {
    if (typeof v === "string") return keys.has(key) && v === id ? name : v;
    if (Array.isArray(v)) return v.map((one) => swap(one, key));
    return v && typeof v === "object" ? Object.fromEntries(Object.entries(v).map(([k, one]) => [k, swap(one, k)])) : v;
  };
  const data = Object.fromEntries(Object.entries(state.data).map(([k, v]) => [k, swap(v, k)]));
  data[kind] = Object.fromEntries(Object.entries(data[kind]).map(([k, v]) => [k === id ? name : k, v]));
  try { await edit(data); kind === "models" ? choose(name) : choosePiece(name); } catch (error) { fails(error); }
}

function addModel(like = null) {
  const sides = state.scene.sides;
  say("click where it shall stand, or go there with the arrow keys (Shift: an inch) and press Enter", "");
  const add = async (at) => {
    const spot = at.map((n) => Math.round(n * 100) / 100);
    const word = like?.id ?? "model";
    const id = free(word.replace(/-\d+$/, ""), state.data.models);
    const fields = like ? { ...like.fields, at: spot, engaged: undefined } : { base: "25 mm", height: 1.5, move: 6, side: sides[0] ?? "good", at: spot };
    if (like) delete fields.engaged;
    try { await edit(put(state.data, ["models", id], fields)); choose(id); say(`${id} is added`); } catch (error) { fails(error); }
  };
  waitFor((at) => { add(at); return false; });
}

function duplicate() {
  const { selected, piece } = state;
  if (selected) { addModel({ id: selected, fields: state.data.models[selected] }); return; }
  if (piece) {
    const id = free(piece.replace(/-\d+$/, ""), state.data.terrain);
    edit(put(state.data, ["terrain", id], shiftedPiece(state.data.terrain[piece], 1, -1))).then(() => choosePiece(id), fails);
  }
}

function turn(by = Math.PI / 12) {
  const found = state.scene.terrain.find((p) => p.id === state.piece);
  if (found?.label) change(["terrain", state.piece], shiftedPiece(state.data.terrain[state.piece], 0, 0, by, found.label));
}

export function remove() {
  const { selected, piece } = state;
  if (!selected && !piece) return;
  let data = selected ? put(state.data, ["models", selected], undefined) : put(state.data, ["terrain", piece], undefined);
  if (selected) {
    for (const [id, fields] of Object.entries(data.models)) {
      if (fields.engaged?.includes(selected)) data = put(data, ["models", id, "engaged"], fields.engaged.filter((n) => n !== selected));
    }
  }
  edit(data).then(() => { choose(null); say(`${selected ?? piece} is taken away`); }, fails);
}

function drawn(kind) {
  if (kind === "circle") {
    say("click where its middle shall be, or go there with the arrow keys and press Enter");
    waitFor((at) => { piece({ tags: ["obstacle"], height: 1, circle: { center: tidy(at), radius: 1.5 } }); return false; });
    return;
  }
  const spots = [], least = kind === "line" ? 2 : 3;
  say(`click its ${kind === "line" ? "points" : "corners"}, or go there with the arrow keys and press Enter; Enter twice ends it`);
  waitFor((at) => { spots.push(tidy(at)); say(`${spots.length} ${spots.length === 1 ? "point" : "points"}; Enter ends it`); return true; }, (done) => {
    if (!done || spots.length < least) { say("nothing is added"); return; }
    piece(kind === "line" ? { tags: ["obstacle"], height: 1, line: spots, thickness: 0.3 } : { tags: ["difficult"], polygon: spots });
  });
}

const middle = (id) => state.scene.terrain.find((p) => p.id === id)?.label ?? [0, 0];

// A ladder is a point, without a shape. It leads to the platform whose middle is nearest, until another is named.
function rungs(at) {
  const platforms = Object.entries(state.data.terrain ?? {}).filter(([, fields]) => fields.tags?.includes("platform")).map(([id]) => id);
  const far = (id) => Math.hypot(middle(id)[0] - at[0], middle(id)[1] - at[1]);
  return { tags: ["ladder"], at: tidy(at), to: platforms.sort((a, b) => far(a) - far(b))[0] };
}

function ladder() {
  say("click where its foot shall stand, at the face of a platform, or go there with the arrow keys and press Enter");
  waitFor((at) => { piece(rungs(at)); return false; });
}

const tidy = (at) => at.map((n) => Math.round(n * 100) / 100);

function piece(fields) {
  const id = free(fields.circle ? "disc" : fields.line ? "wall" : fields.at ? "ladder" : "piece", state.data.terrain);
  edit(put(state.data, ["terrain", id], fields)).then(() => { choosePiece(id); say(`${id} is added; what it is stands in the panel`); }, fails);
}
