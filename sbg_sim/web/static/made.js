// The table after a move, or after a model was put somewhere.

import { state, link, edit, put, playDo, field } from "./state.js";
import { base, stand, model } from "./draw.js";
import * as over from "./over.js";
import { say, fails } from "./say.js";
import { rolled } from "./dice.js";
import { look } from "./look.js";

// An action that failed leaves the model at its place.
export function restore(id) { if (base(id) && model(id)) stand(base(id), [model(id).x, model(id).y]); }

export async function perform(record, words = "", answer = "yes") {
  const rolls = [];
  for (;;) {
    const move = { ...record, rolls };
    const reply = state.play ? await playDo({ move }) : await link.ask("drop", { move });
    if (reply.refused) {
      const [first] = reply.refused;
      restore(record.model);
      say(`${record.model}: ${first.reason} (${first.rule})`, "no");
      return false;
    }
    if (reply.needs) {
      const die = await rolled(record.model, reply.needs);
      if (die === null) { restore(record.model); over.clear("way", "ghosts"); say("the move is not made"); return false; }
      rolls.push(die);
      continue;
    }
    over.clear("way", "ghosts");
    if (!state.play) await apply(reply.changes);
    const step = state.play ? reply.steps.at(-1) : reply.step;
    if (state.play) look();
    say(step ? `${step.reason} [${step.rules.join(", ")}]` : words, answer);
    return true;
  }
}

async function apply(changes) {
  let data = state.data;
  for (const [id, fields] of Object.entries(changes)) {
    for (const [key, value] of Object.entries(fields)) {
      if (value == null && field(id, key) === undefined) continue;
      data = put(data, ["models", id, key], value ?? (key === "on" ? undefined : emptied(key)));
    }
  }
  await edit(data);
  look();
}

const emptied = (key) => ({ prone: false, climbed: 0, engaged: [] })[key];

// While building, a model stands wherever it is put; its former contacts are removed.
export async function settle(id, at, onto, name = "") {
  const spot = at.map((n) => Math.round(n * 1e6) / 1e6);
  let data = put(state.data, ["models", id, "at"], spot);
  if ((onto ?? null) !== (field(id, "on") ?? null)) data = put(data, ["models", id, "on"], onto ?? undefined);
  data = parted(data, id);
  try { await edit(data, name); look(); } catch (error) { restore(id); fails(error); }
}

function parted(data, id) {
  for (const [other, fields] of Object.entries(data.models)) {
    const met = fields.engaged ?? [];
    if (other === id && met.length) data = put(data, ["models", id, "engaged"], undefined);
    else if (met.includes(id)) data = put(data, ["models", other, "engaged"], met.filter((n) => n !== id));
  }
  return data;
}
