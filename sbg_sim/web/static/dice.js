// A die: thrown by hand and typed in, or thrown by the page.

import { results } from "./say.js";

const dialog = document.getElementById("dialog");

// Resolves to 1 .. 6, or to null if the move is cancelled.
export function rolled(model, needs) {
  return new Promise((resolve) => {
    const head = element("h2", `${model}: ${needs.what} (${needs.rule})`);
    const list = element("p", results(needs));
    const faces = document.createElement("div");
    faces.className = "row dice";
    let done = false;
    const end = (value) => { if (done) return; done = true; dialog.close(); resolve(value); };
    for (let n = 1; n <= 6; n++) {
      const button = element("button", "⚀⚁⚂⚃⚄⚅"[n - 1]);
      button.type = "button";
      button.ariaLabel = `I rolled ${n}`;
      button.dataset.roll = n;
      button.onclick = () => end(n);
      faces.append(button);
    }
    const roll = element("button", "Roll for me");
    roll.type = "button";
    roll.dataset.roll = "any";
    roll.onclick = () => end(fair());
    const leave = element("button", "Leave it");
    leave.type = "button";
    leave.onclick = () => end(null);
    const row = document.createElement("div");
    row.className = "row";
    row.append(roll, leave);
    dialog.replaceChildren(head, list, element("p", "What did you roll?"), faces, row);
    dialog.oncancel = (event) => { event.preventDefault(); end(null); };
    dialog.onkeydown = (event) => { if (/^[1-6]$/.test(event.key)) { event.preventDefault(); end(Number(event.key)); } };
    dialog.showModal();
    roll.focus();
  });
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

// Six does not divide 256: bytes beyond the last multiple are drawn again.
function fair() {
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte); while (byte[0] >= 252);
  return 1 + (byte[0] % 6);
}
