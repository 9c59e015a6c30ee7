// Opening and saving: the server's file, files opened and dropped, downloads, pictures.

import { state, link, open, changed, on, still } from "./state.js";
import { h, button, save } from "./h.js";
import { say, asking, fails } from "./say.js";
import { look } from "./look.js";
import { fit } from "./view.js";

const NEW = `title = "A new table"

[table]
width = 24
depth = 24

[profiles.warrior]
base = "25 mm"
height = 1.5
move = 6

[models.good-1]
profile = "warrior"
side = "good"
at = [8, 12]

[models.evil-1]
profile = "warrior"
side = "evil"
at = [16, 12]

[terrain.wall]
tags = ["obstacle"]
height = 0.7
polygon = [[11.8, 9], [12.2, 9], [12.2, 15], [11.8, 15]]
`;

// Whether something would be lost: an unsaved change of the table, or unsaved moves of a phase.
const playing = () => Boolean(state.play?.state && state.play.actions.length);
const same = (a, b) => a?.length === b.length && b.every((action, i) => action === a[i]);
const dirty = () => Boolean(state.scene) && (playing() ? !same(state.play.saved, state.play.actions) : state.data !== state.saved);

// The table as text, with comments and layout kept and, while a phase is played, its record.
async function written() {
  if (playing()) return state.play.state.text;
  if (state.data === state.saved && state.source) return state.source;
  return (await link.ask("written", { text: state.source, data: state.data })).text;
}

export async function begin() {
  on((what) => { if (what === "save") keep(); });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => { event.preventDefault(); const [one] = event.dataTransfer.files; if (one) read(one); });
  addEventListener("beforeunload", (event) => { if (dirty()) event.preventDefault(); });
  addEventListener("focus", outside);
  if (new URLSearchParams(location.search).has("watch")) setInterval(outside, 1000); // a game played at the terminal
  const packed = /^#table=([\w-]+)$/.exec(location.hash)?.[1];
  const reply = await (await fetch("/api/file")).json();
  state.file = { name: reply.name, version: reply.version };
  const left = packed ? null : remembered();
  let question = null, text = reply.text || NEW;
  if (packed) { try { ({ table: text, question } = JSON.parse(await unpacked(packed))); } catch { say("the link is damaged", "error"); } }
  await load(text, packed ? null : reply.text);
  if (left && left.text !== reply.text) offer(left);
  on((what) => { if (what === "history" || what === "file") remember(); });
  return question;
}

// The browser stores unsaved work too, in case the page is lost; it is offered when the table is opened again.
const place = () => `unsaved ${state.file.name ?? ""}`;
let due = 0, own = false;

function remembered() {
  try { return JSON.parse(localStorage.getItem(place())); } catch { return null; }
}

function remember() {
  clearTimeout(due);
  due = setTimeout(async () => {
    try {
      if (dirty()) { localStorage.setItem(place(), JSON.stringify({ text: await written(), version: state.file.version })); own = true; }
      else if (own) { localStorage.removeItem(place()); own = false; } // not what another page keeps there
    } catch { /* a browser may store nothing */ }
  }, 300);
}

function offer({ text, version }) {
  const dialog = document.getElementById("dialog");
  dialog.replaceChildren(h("h2", {}, "Changes that were not saved"), h("p", {}, `A page of ${state.file.name ?? "a table"} in this browser has been closed or lost before they were saved, or is still open.`),
    h("div", { className: "row" },
      button("Open them", () => { dialog.close(); state.file.version = version; load(text, null, true); }, { id: "take-left", title: "The file stays as it is until you save" }),
      button("Forget them", () => { dialog.close(); own = true; remember(); }, { id: "drop-left" }), button("Not now", () => dialog.close())));
  dialog.showModal();
}

async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

async function load(text, kept = text, history = false) {
  try {
    const left = history && playing();
    await open(text, history);
    state.saved = kept === null ? null : state.data;
    fit();
    look();
    changed("file");
    if (left) say("the Move phase is left; Undo goes on with it");
    return true;
  } catch (error) {
    document.getElementById("faults").hidden = false;
    document.getElementById("faults").replaceChildren(...(error.faults ?? [{ text: error.error }]).map((f) => h("p", { className: "fault" }, f.text)));
    fails(error);
    if (!state.scene) { state.text = text; document.getElementById("tab-file").click(); } // it can be mended there
    return false;
  }
}

async function read(one) {
  if (one.type.startsWith("image/")) { changed({ photo: one }); return; }
  if (one.size > 8_000_000) { say("the file is larger than 8 MB; no table needs that much", "error"); return; }
  const left = playing();
  if (!await load(await one.text(), null, true)) return;
  const wrong = state.faults.length, { name } = state.file;
  say([`${one.name} is open`, left && "Undo goes on with the Move phase", name && name !== one.name && `saving writes it over ${name}`,
    wrong && `${wrong === 1 ? "a fault keeps" : `${wrong} faults keep`} it from being asked anything`].filter(Boolean).join("; "), wrong ? "error" : "");
}

// Another page or an editor may have the file too: the file on disk is never overwritten without asking.
export async function keep(version = state.file.version) {
  try {
    await still();
    const data = state.data, actions = playing() ? state.play.actions : null, text = await written();
    if (!state.file.name) { save("table.toml", text, "application/toml"); stands(data, text, actions); return; }
    const reply = await fetch("/api/file", { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text, version }) });
    const body = await reply.json();
    if (reply.status === 409) { conflict(body); return; }
    if (!reply.ok) throw body;
    state.file.version = body.version;
    stands(data, text, actions);
    say(`${state.file.name} is saved`);
  } catch (error) { fails(error.error ? error : { error: "the server does not answer; download the table to keep it" }); }
}

function stands(data, text, actions) {
  if (actions) {
    if (state.play) state.play.saved = actions;
    state.saved = null; // the table without the record is in no file
  } else {
    state.saved = data;
    state.source = text;
  }
  changed("file");
}

const download = () => written().then((text) => save(state.file.name ?? "table.toml", text, "application/toml"), fails);

function conflict(body) {
  const dialog = document.getElementById("dialog");
  const leave = () => dialog.close();
  dialog.replaceChildren(h("h2", {}, `${state.file.name} was changed elsewhere`), h("p", {}, "Another page or program has written it since this page read it. Nothing has been overwritten."),
    h("div", { className: "row" },
      button("Open the other version", () => { leave(); state.file.version = body.version; load(body.text, body.text, true).then((open) => open && say("the other version is open; Undo goes back to yours")); }, { id: "take-theirs", title: "Yours stays one undo away" }),
      button("Write mine over it", () => { leave(); keep(body.version); }, { id: "keep-mine" }),
      button("Download mine", () => { leave(); download(); }), button("Leave it", leave)));
  dialog.showModal();
  say(`${state.file.name} was changed elsewhere; nothing has been overwritten`, "error");
}

async function outside() {
  if (!state.file.name || !state.scene) return;
  try {
    const body = await (await fetch("/api/file")).json();
    if (body.version === state.file.version) return;
    if (dirty()) say(`${state.file.name} was changed elsewhere; saving will ask`, "error");
    else { state.file.version = body.version; await load(body.text, body.text, playing()); say(`${state.file.name} was changed elsewhere and is read again`); }
  } catch { /* the connection reports that the server is away */ }
}

export function file() {
  return [
    h("h2", {}, state.file.name ?? "No file"),
    h("p", { className: "faint", id: "file-state" }, dirty() ? "There are changes that are not saved." : "All is saved."),
    h("div", { className: "row" },
      button(state.file.name ? "Save" : "Save by download", () => keep(), { id: "save" }), button("Download", download, { id: "download" }),
      h("label", {}, "Open ", h("input", { type: "file", id: "open-file", accept: ".toml,text/plain", onchange: (event) => event.target.files[0] && read(event.target.files[0]) })),
      button("New", () => load(NEW, null, true), { id: "new" })),
    h("h2", {}, "Pictures"),
    h("div", { className: "row" }, ...["svg", "png"].map((kind) => button(`${kind.toUpperCase()} of ${state.selected ? `where ${state.selected} can go` : "the table"}`, () => picture(kind), { id: `export-${kind}` })), button("SVG of what is shown", shown, {})),
    h("h2", {}, "As text"),
    h("textarea", { id: "text", rows: 18, spellcheck: false, value: state.text, "aria-label": "The scenario file", onchange: (event) => load(event.target.value, null, true) }),
  ];
}

async function picture(kind) {
  try {
    const question = state.selected ? { ask: "reach", model: state.selected } : null;
    const name = `${state.selected ?? "table"}.${kind}`;
    asking(`drawing ${name}…`);
    const reply = await link.ask("picture", { kind, question });
    const bytes = Uint8Array.from(atob(reply.bytes), (c) => c.charCodeAt(0));
    save(name, bytes, kind === "svg" ? "image/svg+xml" : "image/png");
    say(`${name} is drawn`);
  } catch (error) { fails(error); }
}

// The current view, with its style on the page written into it.
function shown() {
  const live = document.getElementById("table"), copy = live.cloneNode(true);
  const own = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-size", "font-style", "font-weight", "text-anchor", "dominant-baseline", "vector-effect", "paint-order"];
  const a = live.querySelectorAll("path, circle, rect, text, line"), b = copy.querySelectorAll("path, circle, rect, text, line");
  a.forEach((element, i) => { const style = getComputedStyle(element); for (const key of own) b[i].setAttribute(key, style.getPropertyValue(key)); });
  const box = live.parentElement.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `${box.width / 4} ${box.height / 4} ${box.width} ${box.height}`);
  copy.removeAttribute("style");
  copy.setAttribute("font-family", "sans-serif");
  save("view.svg", new XMLSerializer().serializeToString(copy), "image/svg+xml");
}
