// The table as SVG. Text from people (names) is only ever set as text content.

import { state } from "./state.js";
import { view, screen, beside as margin } from "./view.js";
import { along, besideStrips, narrow } from "./narrow.js";

const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes = {}, parent = null, text = null) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

const LAYERS = ["photo", "ground", "terrain", "sides", "contours", "denied", "reach", "zones", "bases", "contacts", "way", "ghosts", "marks"];
export const layer = {};
const LONG = 22; // letters of a name
let svg, names, pen, turn = 0;
const widths = new Map(); // widths of texts at a font size of one pixel
const bases = new Map();

export function begin(element) {
  svg = element;
  const defs = make("defs", {}, svg);
  hatch(defs, "hatch-difficult", "M-1 1L1 -1M0 4L4 0M3 5L5 3", 0.1);
  hatch(defs, "hatch-unscalable", "M0 0L4 4M4 0L0 4", 0.08);
  hatch(defs, "hatch-gap", "M0 0L4 4M-1 3L1 5M3 -1L5 1", 0.1);
  const world = make("g", { id: "world" }, svg);
  for (const name of LAYERS) layer[name] = make("g", { id: `layer-${name}` }, world);
  names = make("g", { id: "names", "aria-hidden": "true" }, svg);
}

function hatch(defs, id, d, scale) {
  const pattern = make("pattern", { id, width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: `scale(${scale})` }, defs);
  make("path", { d }, pattern);
}

export function table() {
  const scene = state.scene;
  layer.ground.replaceChildren();
  make("rect", { class: "board", x: 0, y: -scene.depth, width: scene.width, height: scene.depth }, layer.ground);
  grid();
  terrain();
  zones();
  models();
  label();
}

export function grid() {
  layer.ground.querySelector(".grid")?.remove();
  if (!state.options.grid) return;
  const { width, depth } = state.scene;
  let d = "";
  for (let x = 1; x < width; x++) d += `M${x} 0V${-depth}`;
  for (let y = 1; y < depth; y++) d += `M0 ${-y}H${width}`;
  make("path", { class: "grid", d }, layer.ground);
}

function terrain() {
  layer.terrain.replaceChildren();
  for (const piece of state.scene.terrain) {
    const g = make("g", { class: `terrain ${piece.kind || "plain"}`, "data-terrain": piece.id, tabindex: -1 }, layer.terrain);
    make("title", {}, g, words(piece));
    if (state.piece === piece.id) g.classList.add("selected");
    if (state.faults.some((f) => about(f.key, "terrain", piece.id))) g.classList.add("faulty");
    if (piece.kind === "ladder" || !piece.d) { ladder(g, piece); continue; }
    const rule = piece.line ? "nonzero" : "evenodd";
    make("path", { d: piece.d, class: "fill", "fill-rule": rule }, g);
    if (["unscalable", "gap"].includes(piece.kind)) make("path", { d: piece.d, class: `hatched ${piece.kind}`, "fill-rule": rule }, g);
    if (piece.tags.includes("difficult")) make("path", { d: piece.d, class: "hatched difficult", "fill-rule": rule }, g);
    if (!piece.line) make("path", { d: piece.d, class: "rim" }, g);
  }
}

function ladder(g, piece) {
  if (!piece.at) return;
  const [x, y] = piece.at;
  make("path", { class: "rim", d: `M${x - 0.15} ${-y + 0.3}v-.6m.3 0v.6m-.3-.1h.3m-.3-.2h.3m-.3-.2h.3` }, g);
  make("circle", { class: "grip", cx: x, cy: -y, r: 0.35 }, g);
}

export function words(piece) {
  const size = piece.kind === "gap" ? piece.depth != null && `${short(piece.depth)} in deep` : piece.height != null && `${short(piece.height)} in high`;
  return [piece.id, piece.tags.join(", ") || "without effect", size, piece.on && `on ${piece.on}`, piece.rules].filter(Boolean).join(" · ");
}

export const short = (n) => String(Math.round(n * 1000) / 1000);

// Whether the key of a fault (models.lurtz.at, models."the one".at) belongs to a thing.
export function about(key, kind, id) {
  const quoted = JSON.stringify(id);
  return [id, quoted].some((name) => key === `${kind}.${name}` || key.startsWith(`${kind}.${name}.`) || key.startsWith(`${kind}.${name}[`));
}

export function zones() {
  layer.zones.replaceChildren();
  if (!state.options.zones || !state.scene) return;
  const chosen = state.scene.models.find((m) => m.id === state.selected);
  for (const m of state.scene.models) {
    if (m.off || !m.zone || (chosen && (chosen.side === m.side || !chosen.side))) continue;
    make("circle", { class: "zone", cx: m.x, cy: -m.y, r: m.r + state.scene.zone }, layer.zones);
  }
}

export function models() {
  const there = new Set();
  for (const m of state.scene.models) {
    if (m.off) continue;
    there.add(m.id);
    let g = bases.get(m.id);
    if (!g) {
      g = make("g", { "data-model": m.id, tabindex: 0, role: "button" });
      make("title", {}, g);
      make("circle", { class: "base" }, g);
      bases.set(m.id, g);
    }
    if (g.parentNode !== layer.bases) layer.bases.append(g);
    dress(g, m);
  }
  for (const [id, g] of bases) if (!there.has(id)) { g.remove(); bases.delete(id); }
}

function dress(g, m) {
  const wrong = state.faults.filter((f) => about(f.key, "models", m.id));
  const [title, base] = g.children;
  const told = [m.id, m.side, ...states(m)].filter(Boolean).join(", ");
  title.textContent = wrong.length ? `${told}: ${wrong.map((f) => f.reason).join("; ")}` : told;
  g.setAttribute("aria-label", `${told}, at ${short(m.x)}, ${short(m.y)}${wrong.length ? ": " + wrong[0].reason : ""}`);
  g.setAttribute("class", `model look${m.look}${m.id === state.selected ? " selected" : ""}${wrong.length ? " faulty" : ""}${m.moved ? " moved" : ""}`);
  g.setAttribute("aria-pressed", String(m.id === state.selected));
  base.setAttribute("r", m.r);
  stand(g, [m.x, m.y]);
  while (g.children.length > 2) g.lastChild.remove();
  if (m.prone) make("path", { class: "prone", d: `M${-0.62 * m.r} 0H${0.62 * m.r}` }, g);
  if (m.engaged.length) make("path", { class: "engaged", d: cross(m.r * 0.3) }, g);
  if (m.held) make("path", { class: "held", d: `M${-0.4 * m.r} ${-0.4 * m.r}h${0.8 * m.r}v${0.8 * m.r}h${-0.8 * m.r}Z` }, g);
}

const cross = (s) => `M${-s} ${-s}L${s} ${s}M${s} ${-s}L${-s} ${s}`;

export function states(m) {
  return [m.prone && "prone", m.engaged.length && `engaged with ${m.engaged.join(", ")}`, m.moved && "moved", m.held && "held",
    m.on && `on ${m.on}`, m.climbed && `climbed ${short(m.climbed)} in`].filter(Boolean);
}

export function stand(g, [x, y]) { g.setAttribute("transform", `translate(${x} ${-y})`); }
export const base = (id) => bases.get(id);
export const model = (id) => state.scene?.models.find((m) => m.id === id);

// Names stand where they hide no base and no other name; without such a place they are left out until there is room.
export function label() {
  const mine = ++turn;
  requestAnimationFrame(() => mine === turn && placeNames());
}

function placeNames() {
  names.replaceChildren();
  if (!state.scene) return;
  const k = view.k, numbers = rule(k);
  if (!state.options.names) return;
  const discs = state.scene.models.filter((m) => !m.off).map((m) => [m.x * k, -m.y * k, m.r * k]);
  const cells = new Map();
  const each = (x0, y0, x1, y1, act) => {
    for (let i = Math.floor(x0 / 64); i <= x1 / 64; i++) for (let j = Math.floor(y0 / 64); j <= y1 / 64; j++) act(`${i},${j}`);
  };
  const note = (kind, thing, box) => each(...box, (cell) => {
    if (!cells.has(cell)) cells.set(cell, { discs: [], boxes: [] });
    cells.get(cell)[kind].push(thing);
  });
  for (const box of numbers) note("boxes", box, box);
  for (const d of discs) note("discs", d, [d[0] - d[2], d[1] - d[2], d[0] + d[2], d[1] + d[2]]);
  const free = (box, own, strip) => {
    let ok = true;
    each(...box, (cell) => {
      const held = cells.get(cell);
      if (!ok || !held) return;
      ok = held.discs.every((d) => d === own || !meets(box, d)) && held.boxes.every((b) => (strip && b[4] === strip) || b[0] >= box[2] || b[2] <= box[0] || b[1] >= box[3] || b[3] <= box[1]);
    });
    return ok;
  };
  // A name past the margin beside the table may be cut off: it moves inwards, or is left out.
  const room = margin() - 2, right = state.scene.width * k + room, high = -state.scene.depth * k - room;
  const within = (box) => (box[2] - box[0] > right + room || (box[0] >= -room && box[2] <= right)) && box[1] >= high && box[3] <= room;
  const inward = (x, w) => w > right + room ? x : Math.min(Math.max(x, w / 2 - room), right - w / 2);
  let i = 0;
  for (const m of state.scene.models) {
    if (m.off) continue;
    const disc = discs[i++], [x, y, r] = disc;
    const text = shortened(m.id), number = tail(m.id);
    const w = wide(text, 11) + 4, h = 13;
    if (w - 4 < 1.8 * r) { put(text, x, y, `inside look${m.look}`); continue; }
    const over = inward(x, w);
    const spots = [[over, y + r + 8], [over, y - r - 8], [x + r + w / 2 + 2, y], [x - r - w / 2 - 2, y]];
    const found = spots.some(([cx, cy]) => {
      const box = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2];
      if (!within(box) || !free(box, disc)) return false;
      note("boxes", box, box);
      put(text, cx, cy, "");
      return true;
    });
    // in a crowd at least the number at the end of its name, in the colour of its side
    if (!found && number && number.length * 4.6 < 1.8 * r) put(number, x, y, `inside number look${m.look}`);
  }
  const slim = new Map(state.scene.terrain.map((piece) => [piece, narrow(piece, k)]));
  for (const found of slim.values()) for (const strip of found) for (const box of along(strip, strip.long, strip.broad, 0)) note("boxes", [...box, strip], box);
  for (const piece of state.scene.terrain) {
    if (!piece.label) continue;
    const size = piece.kind === "gap" ? piece.depth : piece.height;
    const text = piece.id + (size ? ` ${short(size)}″` : "");
    const [x, y] = screen(piece.label), w = wide(text, 10.5) + 4;
    if (slim.get(piece).length) {
      const spot = besideStrips(slim.get(piece), w, (box, ...of) => within(box) && free(box, ...of));
      if (!spot) continue;
      for (const box of spot.boxes) note("boxes", box, box);
      if (spot.lead) make("path", { class: "lead", d: `M${spot.lead[0]}L${spot.lead[1]}` }, names);
      const written = put(text, spot.at[0], spot.at[1], "piece");
      if (spot.turned) written.setAttribute("transform", `rotate(${short(spot.turned)} ${spot.at.join(" ")})`);
      continue;
    }
    const clear = beside(piece, w, k);
    const near = (clear ? [clear, -clear, 0] : [0, 15, -15, 30, -30]).map((dy) => [inward(x, w), y + dy]);
    // if another piece covers part of it, its name stands on the visible part
    for (const [cx, cy] of piece.labels.length > 1 ? piece.labels.map(screen) : near) {
      const box = [cx - w / 2, cy - 6, cx + w / 2, cy + 6];
      if (!within(box) || !free(box, null)) continue;
      note("boxes", box, box);
      put(text, cx, cy, "piece");
      break;
    }
  }
}

const tail = (id) => id.match(/\d+$/)?.[0] ?? "";

// A long name loses its middle: its end tells it from others of its kind.
function shortened(id) {
  if (id.length <= LONG) return id;
  const end = id.match(/[^\p{L}\d]?\d+$/u)?.[0].slice(-8) ?? "";
  return `${id.slice(0, LONG - 1 - end.length)}…${end}`;
}

// Distance from the middle of a small piece at which its name does not hide it; 0 if the name may lie on the piece.
function beside(piece, wide, k) {
  const { width, height } = layer.terrain.querySelector(`[data-terrain="${CSS.escape(piece.id)}"]`)?.getBBox() ?? {};
  return width * k < wide && height * k < wide ? (height * k) / 2 + 8 : 0;
}

function meets([x0, y0, x1, y1], [cx, cy, r]) {
  const dx = Math.max(x0 - cx, 0, cx - x1), dy = Math.max(y0 - cy, 0, cy - y1);
  return dx * dx + dy * dy < r * r;
}

function put(text, x, y, kind) { return make("text", { x, y, class: `name ${kind}` }, names, text); }

// The width of a text at a font size, pixels.
function wide(text, size) {
  if (!widths.has(text)) {
    pen ??= Object.assign(document.createElement("canvas").getContext("2d"), { font: `100px ${getComputedStyle(names).fontFamily}` });
    widths.set(text, pen.measureText(text).width / 100);
  }
  return widths.get(text) * size;
}

// Write the inches along two edges; return the boxes of the numbers.
function rule(k) {
  const step = [1, 2, 3, 6, 12, 24, 48].find((n) => n * k >= 34) ?? 96, boxes = [];
  const { width, depth } = state.scene;
  for (let x = 0; x <= width; x += step) {
    const half = wide(short(x), 10) / 2;
    make("text", { x: x * k, y: 12, class: "inch" }, names, short(x));
    boxes.push([x * k - half, 3, x * k + half, 15]);
  }
  for (let y = step; y <= depth; y += step) {
    make("text", { x: -6, y: -y * k, class: "inch left" }, names, short(y));
    boxes.push([-6 - wide(short(y), 10), -y * k - 6, -6, -y * k + 6]);
  }
  return boxes;
}
