// The same in another language: node conformance/run.js [PROGRAM ARGUMENTS...], by default `sbg-sim check FILE --json`.
const fs = require("fs"), path = require("path"), os = require("os"), { spawnSync } = require("child_process");
const program = process.argv.length > 2 ? process.argv.slice(2) : ["sbg-sim", "check", "{file}", "--json"];
const merge = (d, c) => c === null || typeof c !== "object" || Array.isArray(c) ? c : Object.entries(c).reduce(
  (o, [k, v]) => (v === null ? delete o[k] : (o[k] = merge(o[k] ?? {}, v)), o), { ...d });
const toml = (v) => Array.isArray(v) ? `[${v.map(toml)}]` : v && typeof v === "object"
  ? `{ ${Object.entries(v).map(([k, w]) => `${JSON.stringify(k)} = ${toml(w)}`)} }` : JSON.stringify(v);
const { sqrt, hypot, acos, asin, atan2, sin, cos, tan, PI: pi } = Math, near = { needed: 1e-6, inches: 1e-6, area: 1e-3 };
const fits = (got, [key, want]) => key in near ? got[key] !== null && Math.abs(got[key] - eval(want)) <= near[key]
  : key === "rules" ? want.every((r) => (got.rules ?? []).includes(r))
  : key === "needed_above" ? got.needed === null || got.needed > +want : got[key] === want;
let count = 0, bad = 0, file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "positions-")), "position.toml");
for (const chapter of fs.readdirSync(path.join(__dirname, "positions"))) {
  for (const one of JSON.parse(fs.readFileSync(path.join(__dirname, "positions", chapter)))) {
    const { ask = {}, ...change } = one.change;
    for (const [t, a, e] of [[one.table, one.ask, one.expect], [merge(one.table, change), merge(one.ask, ask), one.mirror]]) {
      fs.writeFileSync(file, Object.entries({ ...t, questions: { q: a } }).map(([k, v]) => `${k} = ${toml(v)}\n`).join(""));
      const got = JSON.parse(spawnSync(program[0], program.slice(1).map((p) => p.replace("{file}", file))).stdout.toString() || "[{}]")[0];
      const wrong = Object.entries(e).filter((pair) => !fits(got, pair));
      count++, wrong.length && (bad++, console.log(one.id, JSON.stringify(wrong), JSON.stringify(got)));
    }
  }
}
console.log(`${count} answers, ${bad} not as expected`), process.exit(bad ? 1 : 0);
