// The same in another language: node conformance/run.js [PROGRAM ARGUMENTS...], by default `sbg-sim check FILE --json`.
const fs = require("fs"), path = require("path"), os = require("os"), { spawnSync } = require("child_process");
const program = process.argv.length > 2 ? process.argv.slice(2) : ["sbg-sim", "check", "{file}", "--json"];
const merge = (d, c) => c === null || typeof c !== "object" || Array.isArray(c) ? c : Object.entries(c).reduce(
  (o, [k, v]) => (v === null ? delete o[k] : (o[k] = merge(o[k] ?? {}, v)), o), { ...d });
const toml = (v) => Array.isArray(v) ? `[${v.map(toml)}]` : v && typeof v === "object"
  ? `{ ${Object.entries(v).map(([k, w]) => `${JSON.stringify(k)} = ${toml(w)}`)} }` : JSON.stringify(v);
const { sqrt, hypot, acos, asin, atan2, sin, cos, tan, PI: pi } = Math, near = { needed: 1e-6, inches: 1e-6, area: 1e-3, used: 1e-6, climbed: 1e-6 };
const fits = (got, [key, want]) => key === "at" ? got.at && want.every((w, i) => Math.abs(got.at[i] - eval(w)) <= near.used)
  : key in near ? got[key] !== null && Math.abs(got[key] - eval(want)) <= near[key]
  : key === "rules" ? want.every((r) => (got.rules ?? []).includes(r))
  : key === "needed_above" ? got.needed === null || got.needed > +want : JSON.stringify(got[key]) === JSON.stringify(want);
const paired = (one) => one.pairing.map((fight) => [...fight].sort()).sort();
const atTheEnd = (r) => ({ ...r.steps?.at(-1), legal: r.legal, pairings: r.pairings, fights: r.fights?.map(paired).sort(),
  chosen: r.fights?.filter((one) => one.chosen).map(paired)[0], due: Object.fromEntries(r.due?.map((d) => [d.model, d.bonus]) ?? []) });
let count = 0, bad = 0, file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "positions-")), "position.toml");
for (const chapter of fs.readdirSync(path.join(__dirname, "positions"))) {
  for (const one of JSON.parse(fs.readFileSync(path.join(__dirname, "positions", chapter)))) {
    const { ask = {}, ...change } = one.change;
    for (const [t, a, e] of [[one.table, one.ask, one.expect], [merge(one.table, change), merge(one.ask ?? {}, ask), one.mirror]]) {
      const asked = one.ask ? { ...t, questions: { q: a } } : t, word = (p) => (p === "check" && !one.ask ? "replay" : p);
      fs.writeFileSync(file, Object.entries(asked).map(([k, v]) => `${k} = ${toml(v)}\n`).join(""));
      const ran = spawnSync(program[0], program.slice(1).map((p) => word(p).replace("{file}", file)));
      if (ran.error) console.error(`${program[0]}: cannot be run: ${ran.error.code}`), process.exit(2);
      const told = ran.stdout.toString();
      const got = one.ask ? JSON.parse(told || "[{}]")[0] : atTheEnd(JSON.parse(told));
      const wrong = Object.entries(e).filter((pair) => !fits(got, pair));
      count++, wrong.length && (bad++, console.log(one.id, JSON.stringify(wrong), JSON.stringify(got)));
    }
  }
}
console.log(`${count} answers, ${bad} not as expected`), process.exit(bad ? 1 : 0);
