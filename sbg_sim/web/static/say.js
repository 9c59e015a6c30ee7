// The verdict in words, where eyes and screen readers find it.

const place = document.getElementById("verdict");

export function say(words, answer = "") {
  place.textContent = words;
  place.dataset.verdict = answer ?? "";
  place.className = answer || "";
}

// Number of slow questions asked: an answer to an older one must not replace a newer message.
export let asked = 0;

export function asking(words) {
  asked += 1;
  say(words);
}

export const fails = (error) => say(told(error), "error");

export function told(error) {
  if (!error) return "";
  if (error.faults?.length) return error.faults.map((f) => [f.key, f.reason].filter(Boolean).join(": ")).join(" · ");
  return error.error ?? error.message ?? String(error);
}

// An answer in one sentence, with the rule that decided it and the place.
export function judged(reply) {
  const v = reply.verdict;
  let words = v.reason;
  const [first] = reply.violations ?? [];
  if (v.answer === "no" && first && !words.includes(`(${first.rule})`)) words += ` (${first.rule})`;
  if (v.answer === "no" && first?.place) words += ` at (${first.place.map((n) => n.toFixed(2)).join(", ")})`;
  if (v.answer === "no") return words + differing(v);
  if (reply.snap === "contact") words += " · snapped to base contact";
  if (reply.here != null) words += `, here at ${reply.here.toFixed(4)} in`;
  if (reply.snap === "zone") words += " · snapped to just outside the Control Zone";
  if (reply.snap === "far") words += " · snapped to as far as it goes";
  return words + differing(v);
}

const differing = (v) => (v.rulings?.length ? ` · would differ under ${v.rulings.join(", ")}` : "");

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

export const percent = (value) => (value == null ? "" : `${Math.round(value * 1000) / 10} %`);

// The effect of each result of a test, the lowest first.
export const results = (test) => Object.entries(test.results).sort(([a], [b]) => parseInt(a) - parseInt(b)).map((r) => r.join(": ")).join(" · ");
