// Playing a Move phase: the turn, the models that may move, dice, undo, reinforcements, fights; the record is [[moves]].

import { state, playBegin, playDo, playEnd } from "./state.js";
import { h, button, choice, save } from "./h.js";
import { choose } from "./hand.js";
import { look, back, whose } from "./look.js";
import { perform } from "./made.js";
import { say, fails } from "./say.js";
import { waitFor } from "./tape.js";
import { model } from "./draw.js";

let first = null;

export function play() {
  if (!state.play?.state) {
    const sides = state.scene.sides;
    if (!sides.length) return [h("p", {}, "Nobody is on a side: give the models sides to play a Move phase.")];
    first = sides.includes(first) ? first : state.data.phase?.priority ?? sides[0];
    const kept = state.data.moves?.length || state.data.turns?.length;
    return [h("p", { className: "faint" }, "The side with Priority moves its models one by one, then the other side. Drag a model to move it; drop it against an enemy to charge."),
      kept && h("p", {}, "The file keeps the record of a game. One that is begun anew takes its place when you keep it."),
      kept && button("Go on where the record ends", () => begin(null, true), { id: "play-resume" }),
      choice("priority", first, sides, (v) => { first = v; }, { id: "priority" }), button(kept ? "Begin anew" : "Begin the Move phase", () => begin(first, false), { id: "play-begin" })];
  }
  const now = state.play.state;
  const m = state.selected && model(state.selected);
  return [
    h("h2", { id: "turn-of" }, now.number > 1 && `Turn ${now.number}: `, whose(now)),
    !now.over && h("p", {}, now.movable.length ? "Can still move: " : "Nobody is left to move.", ...now.movable.map((id) => button(id, () => choose(id), { "data-movable": id }))),
    ...(now.reinforcing ? now.waiting : []).map((id) => button(`Bring on ${id}`, () => arrive(id), { "data-arrive": id })),
    m && !now.over && h("div", { className: "row" }, now.movable.includes(m.id) && ways(m), button("Remove", () => act({ slay: m.id }), { title: "Slain or taken away" })),
    h("div", { className: "row" }, button(`End ${now.reinforcing ? "the reinforcements" : "the turn"}`, () => act({ end: true }), { id: "play-end", disabled: now.over }), button("Undo", back, { disabled: !state.play.actions.length }), button("Keep the record", keep, { id: "play-keep" }), button("Download it", () => save("moves.toml", state.play.state.text, "application/toml")), button("Leave", leave, { id: "play-leave" })),
    now.steps.length > 0 && h("h2", {}, "What has happened"),
    h("ol", { id: "steps" }, now.steps.map((s) => h("li", {}, s.reason, s.rolls.length ? ` (rolled ${s.rolls.join(", ")})` : ""))),
    (now.forced.length > 0 || Object.keys(now.choices).length > 0) && h("h2", {}, "Who fights whom"),
    h("ul", { id: "fights" }, now.forced.map(([good, evil]) => h("li", {}, `${good.join(", ")} against ${evil.join(", ")}`)), Object.entries(now.choices).map(([id, sets]) => h("li", {}, `${now.priority} chooses: ${id} fights ${sets.map((s) => s.join(" and ")).join(" or ")}`))),
    ...(now.over && now.pairings > 1 ? pairings(now) : []),
    now.over && h("div", { className: "row" }, "Next turn, Priority: ", ...state.scene.sides.map((side) => button(side, () => act({ next: side }), { "data-next": side }))),
  ];
}

// The options of a model other than moving somewhere.
const ways = (m) => [
  ...(m.prone ? [button("Stand up", () => perform({ model: m.id, stand: true }).catch(fails)), button("Crawl…", () => crawl(m.id))] : [button("Lie down", () => perform({ model: m.id, lie: true }).catch(fails))]),
  button("Stay", () => perform({ model: m.id, to: [m.x, m.y], ...(m.on ? { on: m.on } : {}) }).catch(fails)),
];

// The ways to pair off from which the player with Priority may choose.
function pairings(now) {
  const same = (way) => now.chosen.length > 0 && JSON.stringify([...way].map((f) => [...f].sort()).sort()) === JSON.stringify(now.chosen.map((f) => [...f].sort()).sort());
  return [h("h2", {}, `${now.priority} chooses the fights`),
    ...now.ways.map((way, i) => h("div", { className: "row" }, button(way.map((f) => f.join(", ")).join(" | "), () => act({ choose: way }), { "data-way": i + 1, "aria-pressed": String(same(way)) }))),
    now.pairings > now.ways.length && h("p", { className: "faint" }, `${now.pairings} ways in all; the first ${now.ways.length} are shown`)];
}

async function begin(priority, resume) {
  try {
    await playBegin(priority, resume);
    say(whose(state.play.state));
    look();
  } catch (error) { fails(error); }
}

async function act(action) {
  try {
    const reply = await playDo(action);
    if (reply.refused) say(reply.refused.map((v) => `${v.reason} (${v.rule})`).join("; "), "no"); else say(whose(reply));
    look();
  } catch (error) { fails(error); }
}

function crawl(id) {
  say("click where it shall crawl, an inch at most, or go there with the arrow keys and press Enter");
  waitFor((at) => { perform({ model: id, crawl: at }).catch(fails); return false; }, undefined, [model(id).x, model(id).y]);
}

// Put a reinforcement at a place: it enters where its warband did, else at the nearest point of the edge.
function arrive(id) {
  say(`click where ${id} shall stand, or go there with the arrow keys (Shift: an inch) and press Enter`);
  waitFor(([x, y]) => {
    const { width, depth } = state.scene;
    const edges = [[0, y], [width, y], [x, 0], [x, depth]].map(([a, b]) => [Math.min(Math.max(a, 0), width), Math.min(Math.max(b, 0), depth)]);
    const edge = state.play.state.entries[id] ?? edges.reduce((best, e) => (Math.hypot(e[0] - x, e[1] - y) < Math.hypot(best[0] - x, best[1] - y) ? e : best));
    perform({ model: id, arrive: edge, to: [x, y] }).catch(fails);
    return false;
  });
}

async function leave() {
  const played = state.play.actions.length > 0;
  try { await playEnd(false); look(); if (played) say("the Move phase is left; Undo goes on with it"); } catch (error) { fails(error); }
}

async function keep() {
  try { await playEnd(true); say("the record stands in the file as [[moves]]"); look(); } catch (error) { fails(error); }
}
