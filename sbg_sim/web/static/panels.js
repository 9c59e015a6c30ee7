// The panels beside the table: the chosen model, questions, rulings, display.

import { state, link, edit, put, on } from "./state.js";
import { h, button, check, choice, save } from "./h.js";
import { model, short, states, table, grid, zones, label } from "./draw.js";
import * as over from "./over.js";
import { say, asking, judged, fails, percent, results } from "./say.js";
import { choose } from "./hand.js";
import { look } from "./look.js";
import { build } from "./build.js";
import { play } from "./play.js";
import { file } from "./keep.js";
import { sides, safeGround } from "./sides.js";
import { photo } from "./photo.js";

const pane = document.getElementById("pane");
let tab = "model";
const drawers = { model: aboutModel, ask, build, rules, sides: () => sides(redraw), play, view, file };

export function begin() {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  for (const one of tabs) {
    one.onclick = () => show(one.dataset.tab);
    one.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = tabs[(tabs.indexOf(one) + step + tabs.length) % tabs.length];
      next.focus();
      show(next.dataset.tab);
    };
  }
  on((what) => {
    if (what === "table" || what === "choice") faults();
    const wants = { table: true, choice: ["model", "build", "play", "file"].includes(tab), near: tab === "model", outline: tab === "model", history: tab === "play" || tab === "file", file: tab === "file" };
    if (wants[what]) redraw();
  });
}

export function show(name) {
  tab = name;
  for (const one of document.querySelectorAll("[data-tab]")) {
    const chosen = one.dataset.tab === name;
    one.setAttribute("aria-selected", String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    if (chosen) pane.setAttribute("aria-labelledby", one.id);
  }
  redraw();
}

// The focused element is found again in a panel drawn anew: by its key, or by its text.
const named = (element) => element.dataset.key ?? (element.id || element.textContent);

let queued = false;
let drawn = null; // the panel and the model shown in the pane
let typing = null; // the field with text not yet sent: it is left alone until then
let waiting = false;

pane.addEventListener("input", ({ target }) => { if (target.type === "text") typing = target; });
for (const end of ["change", "focusout"]) {
  pane.addEventListener(end, ({ target }) => {
    if (target !== typing) return;
    typing = null;
    if (waiting) redraw();
  });
}

function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => {
    queued = false;
    if (!state.scene && tab !== "file") return;
    const subject = JSON.stringify([tab, state.selected]);
    waiting = typing?.isConnected && subject === drawn;
    if (waiting) return;
    typing = null;
    drawn = subject;
    const held = pane.contains(document.activeElement) ? document.activeElement : null;
    const marked = held?.type === "text" && held.value ? [held.selectionStart / held.value.length, held.selectionEnd / held.value.length] : null;
    const focus = held && named(held);
    const scroll = pane.scrollTop;
    pane.replaceChildren(...[drawers[tab]()].flat(3).filter(Boolean));
    pane.scrollTop = scroll;
    if (!held) return;
    const found = [...pane.querySelectorAll("button, input, select, textarea, [data-key], [id]")].find((e) => named(e) === focus && !e.disabled);
    if (!found) { pane.focus({ preventScroll: true }); return; } // who goes by keys goes on from here, not from the top of the page
    found.focus();
    if (marked && found.type === "text") found.setSelectionRange(...marked.map((share) => Math.round(share * found.value.length)));
  });
}

function faults() {
  const box = document.getElementById("faults");
  box.hidden = !state.faults.length;
  box.replaceChildren(...state.faults.slice(0, 30).map((f) => h("p", { class: "fault", "data-fault": f.key }, `${f.key ? f.key + ": " : ""}${f.reason}`)));
}

function aboutModel() {
  const m = state.selected && model(state.selected);
  if (!m) {
    return [h("h2", {}, state.scene.title || "The table"), h("p", { className: "faint" }, "Choose a model: click it, or reach it with Tab. Drag it, or move it with the arrow keys (0.1 in; with Shift 0.01), then Enter."),
      h("ul", {}, state.scene.models.map((one) => h("li", {}, button(one.id, () => choose(one.id), { "data-key": `go-${one.id}` }), ` ${one.side}${one.off ? " (not on the table)" : ""}`)))];
  }
  const found = state.outline?.model === m.id ? state.outline : null;
  const near = (state.near ?? []);
  const denied = state.options.denies && state.denied ? state.denied.filter((e) => e.denied > 0) : [];
  return [
    h("h2", {}, m.id),
    h("p", { className: "faint" }, [m.side || "no side", m.move != null && `Move ${short(m.move)} in`, m.height != null && `${short(m.height)} in high`, `base ${Math.round(m.r * 508) / 10} mm`, `at ${short(m.x)}, ${short(m.y)}`, ...m.keywords, ...states(m)].filter(Boolean).join(" · ")),
    found && h("p", {}, `Can certainly end on ${short(found.area)} sq in.`, ...grown(found).map((r) => ` With a chance of ${r.chance}: ${short(r.area)} sq in.`), ...(found.platforms ?? []).filter((r) => r.chance === "1/1").map((r) => ` On ${r.on || "the ground"} certainly on ${short(r.area)} sq in.`)),
    near.length > 0 && h("h2", {}, "Whom it can charge"),
    near.length === 0 && state.looking && h("p", { className: "faint", id: "still-asking" }, "Whom it can charge is being asked."),
    near.length > 0 && h("table", {}, h("tr", {}, ...["enemy", "", "needs", "chance"].map((t) => h("th", {}, t))),
      near.map((e) => h("tr", { "data-charge": e.target }, h("td", {}, e.target), h("td", { className: "whole" }, h("span", { className: e.verdict.answer }, e.verdict.answer)),
        h("td", {}, e.verdict.needed == null ? "" : e.verdict.needed.toFixed(2)),
        h("td", {}, e.verdict.answer === "no" ? e.violations[0]?.rule ?? "" : e.verdict.chance, " ", button("way", () => { over.way(e); say(judged(e), e.verdict.answer); }, { ariaLabel: `The way to ${e.target}` }))))),
    ...near.filter((e) => e.verdict.answer === "no").map((e) => h("p", { className: "faint" }, e.verdict.reason)),
    denied.length > 0 && h("h2", {}, "What takes away most"),
    denied.length > 0 && h("table", {}, denied.map((e) => h("tr", {}, h("td", {}, e.enemy), h("td", {}, `${short(e.denied)} sq in`)))),
    h("div", { className: "row" }, button("Where is it safe next turn?", () => safeGround(m.id), { id: "safe-ground" })),
    check("Cost contours, inch by inch", state.options.contours, option("contours"), { id: "show-contours" }),
    check("What takes away most", state.options.denies, option("denies"), { id: "show-denies" }),
  ];
}

// Of the areas by chance, the surest first, those larger than the one before: the others add only lines.
function grown(found) {
  let most = found.area;
  return [...(found.regions ?? [])].reverse().filter((r) => { const more = r.area > most + 0.0005; most = Math.max(most, r.area); return more; });
}

const option = (name, act = () => look()) => (value) => { state.options[name] = value; act(); };

// -- questions -----------------------------------------------------------------------------------------------------

const KINDS = ["charge", "move", "reach", "sight", "measure", "gap"];
let drafted = { ask: "charge" };

// Fill the fields with the question of a link.
export function draft({ ask: kind, ...rest }) {
  if (!KINDS.includes(kind)) return;
  drafted = { ask: kind, ...rest };
  if (kind === "move") { drafted.place = [rest.to].flat().join(", "); delete drafted.to; }
  if (kind === "gap") [drafted.one, drafted.two] = [rest.between].flat();
  if (kind === "charge") [drafted.target, ...drafted.also] = [rest.target].flat();
  show("ask");
}

// The initial values of fields: the chosen model, and another one, an enemy if there is one.
function first(key, list) {
  if (key === "model" || key === "from" || key === "one") return (list.includes(state.selected) && state.selected) || list[0];
  const mine = drafted.model ?? drafted.from;
  const others = list.filter((id) => id !== mine && id !== drafted.one);
  const side = model(mine)?.side;
  return others.find((id) => model(id)?.side && model(id).side !== side) ?? others[0] ?? list[0];
}

// Further targets of a charge: they are added one at a time; an empty choice removes one.
function also(ids) {
  const side = model(drafted.model)?.side;
  const free = ids.filter((id) => id !== drafted.model && id !== drafted.target && (!side || model(id).side !== side));
  drafted.also = [...new Set(drafted.also ?? [])].filter((id) => free.includes(id));
  const left = free.filter((id) => !drafted.also.includes(id));
  const taken = (at) => (value) => { drafted.also.splice(at, 1, ...(value ? [value] : [])); redraw(); };
  return [...drafted.also, ...(left.length ? [""] : [])].map((id, at) => choice("and at once", id, ["", ...(id ? [id] : []), ...left], taken(at), { "data-key": `draft-also-${at}` }));
}

function ask() {
  const ids = state.scene.models.filter((m) => !m.off).map((m) => m.id);
  const things = [...ids, ...state.scene.terrain.map((p) => p.id)];
  const fields = {
    charge: ["model", "target"], move: ["model", "to"], reach: ["model"], sight: ["model", "target"], measure: ["from", "to"], gap: ["model", "one", "two"],
  }[drafted.ask];
  for (const key of ["model", "target", "from", "to", "one", "two", "on"]) if (!things.includes(drafted[key])) delete drafted[key]; // renamed or removed
  const levels = state.scene.terrain.filter((p) => p.tags.includes("platform") || p.tags.includes("gap")).map((p) => p.id);
  const pick = (key, list) => choice(key, drafted[key] ??= first(key, list), list, (value) => { drafted[key] = value; if (drafted.ask === "charge") redraw(); }, { "data-key": `draft-${key}` });
  return [
    state.scene.questions.length > 0 && h("h2", {}, "Asked in the file"),
    state.scene.questions.length > 0 && h("ul", {}, state.scene.questions.map((q) => h("li", {}, button(q.name, () => answer(q.name), { "data-question": q.name }), ` ${q.words}`))),
    h("h2", {}, "Ask"),
    choice("question", drafted.ask, KINDS, (value) => { drafted = { ask: value }; show("ask"); }, { "data-key": "draft-ask" }),
    ...fields.map((key) => key === "to" && drafted.ask === "move"
      ? [h("label", {}, h("span", {}, "to x, y"), h("input", { value: drafted.place ?? "", placeholder: "10, 12", "data-key": "draft-place", onchange: (event) => { drafted.place = event.target.value; } })),
        levels.length > 0 && choice("on", drafted.on ?? "", ["", ...levels], (value) => { drafted.on = value || undefined; }, { "data-key": "draft-on" })]
      : pick(key, key === "model" || key === "target" ? ids : things)),
    drafted.ask === "charge" && also(ids),
    h("div", { className: "row" }, button("Ask", () => answer(question()), { id: "ask-now" }), button("Copy as TOML", () => copy(toml()), {}), button("Copy as link", copyLink, {}), button("Add to the file", add, {}), button("Report sheet", sheet, { id: "sheet", title: "One page about this question, to print or to send" })),
    h("div", { id: "answer" }),
  ];
}

function question() {
  const { ask: kind, one, two, place, ...rest } = drafted;
  const numbers = String(place ?? "").split(/[\s,]+/).filter(Boolean).map(Number);
  const made = { ask: kind };
  if (kind === "gap") { made.between = [one, two]; made.model = rest.model; return made; }
  if (kind === "measure") return { ask: kind, from: rest.from, to: rest.to };
  if (kind === "move") return { ask: kind, model: rest.model, to: numbers, ...(rest.on && { on: rest.on }) };
  if (kind === "reach") return { ask: kind, model: rest.model };
  return { ask: kind, model: rest.model, target: kind === "charge" && rest.also?.length ? [rest.target, ...rest.also] : rest.target };
}

// A JSON string is a TOML string too.
function toml(made = question()) {
  const value = (v) => (Array.isArray(v) ? `[${v.map(value).join(", ")}]` : JSON.stringify(v));
  return `[questions.${made.ask}-of-the-page]\n` + Object.entries(made).map(([key, v]) => `${key} = ${value(v)}\n`).join("");
}

async function copy(text) {
  try { await navigator.clipboard.writeText(text); say("copied"); } catch {
    const box = document.getElementById("answer");
    box.replaceChildren(h("p", {}, "Copy this:"), h("textarea", { value: text, rows: 6, readOnly: true }));
    box.lastChild.select();
  }
}

// The link holds the current table and the question, compressed, after the #: it is never sent to a server.
async function copyLink() {
  let table = state.text;
  try { if (state.play) table = (await link.ask("standing", {})).text; } catch (error) { fails(error); return; }
  const packed = new Blob([JSON.stringify({ table, question: question() })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  copy(`${location.origin}/#table=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
}

async function sheet() {
  asking("the sheet is being laid out");
  try {
    const reply = await link.ask("sheet", { question: question() });
    save("sheet.html", Uint8Array.from(atob(reply.bytes), (c) => c.charCodeAt(0)), "text/html");
    say("the sheet is downloaded");
  } catch (error) { fails(error); }
}

async function add() {
  const made = question();
  let n = 1;
  while (state.data.questions?.[`${made.ask}-${n}`]) n++;
  try { await edit(put(state.data, ["questions", `${made.ask}-${n}`], made)); say(`added as ${made.ask}-${n}`); } catch (error) { fails(error); }
}

export async function answer(asked) {
  try {
    const reply = await link.ask("ask", { question: asked });
    const v = reply.verdict;
    over.clear("marks", "ghosts");
    over.way(reply);
    if (v.ask === "reach") choose(typeof asked === "string" ? state.data.questions[asked].model : asked.model);
    for (const violation of reply.violations) if (violation.place) over.mark(violation.place, violation.rule);
    say(judged(reply), v.answer ?? "");
    const rows = [["answer", v.answer], ["needed", v.needed], ["proven", v.at_least == null ? null : `${v.at_least} to ${v.at_most ?? "?"}`], ["allowance", v.allowance], ["margin", v.margin],
      ["chance", v.chance && v.answer === "chance" ? `${v.chance} = ${percent(v.chance_value)}` : null], ["inches", v.inches], ["area", v.area], ["rules", v.rules.join(", ")], ["would differ under", v.rulings.join(", ")]];
    document.getElementById("answer")?.replaceChildren(h("h2", {}, typeof asked === "string" ? asked : v.ask), h("p", {}, v.reason),
      h("table", {}, rows.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => h("tr", {}, h("th", {}, name), h("td", {}, String(value))))),
      ...v.tests.map((t) => h("p", {}, `${t.kind} ${t.terrain}: ${results(t)}`)));
  } catch (error) { fails(error); }
}

// -- rulings ---------------------------------------------------------------------------------------------------------

function rules() {
  return [h("p", { className: "faint" }, "Where a rule can be read in two ways: which reading is played. A change shows its effect at once."),
    ...state.scene.rulings.map((ruling) => h("div", {}, h("label", {}, h("select", {
      "data-ruling": ruling.name, "aria-label": ruling.name, "data-key": `ruling-${ruling.name}`,
      onchange: async (event) => {
        const reading = event.target.value;
        const plain = reading === ruling.readings[0];
        try {
          await edit(put(state.data, ["rulings", ruling.name], plain ? undefined : reading));
          say(`${ruling.name} is "${reading}" (${ruling.rule})`);
          look(() => true);
        } catch (error) { fails(error); }
      },
    }, ruling.readings.map((r) => h("option", { value: r, selected: r === ruling.chosen }, r))), h("strong", {}, ruling.name)), h("p", { className: "faint" }, `${ruling.rule}: ${ruling.about}`)))];
}

// -- display, and whole sides ---------------------------------------------------------------------------------

function view() {
  return [
    h("h2", {}, "Show"),
    check("Control Zones", state.options.zones, option("zones", zones), { id: "show-zones" }),
    check("Names", state.options.names, option("names", label), { id: "show-names" }),
    check("Grid, an inch wide", state.options.grid, option("grid", grid), { id: "show-grid" }),
    check("What dice add to the reach", state.options.chances, option("chances"), { id: "show-chances" }),
    check("Snap to base contact, zones and the end of the move", state.options.snap, (v) => { state.options.snap = v; }, { id: "snap" }),
    ...photo(),
  ];
}
