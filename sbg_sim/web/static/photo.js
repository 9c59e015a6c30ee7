// A photo under the table: its four corners are clicked, and it is rectified to inches.

import { state, on, changed } from "./state.js";
import { h, button, field } from "./h.js";
import { layer, make } from "./draw.js";
import { say } from "./say.js";

let picture = null, opacity = 0.6;

on((what) => { if (what?.photo) corners(what.photo); });

export function photo() {
  return [h("h2", {}, "Photo underneath"),
    h("label", {}, "Pick a picture ", h("input", { type: "file", accept: "image/*", id: "photo-file", onchange: (event) => event.target.files[0] && corners(event.target.files[0]) })),
    picture && field("opacity", opacity, (v) => { opacity = Number(v) || 0; lay(); }, { type: "range", min: 0, max: 1, step: 0.05, "data-key": "opacity" }),
    picture && button("Take it away", () => { picture = null; lay(); changed("table"); })];
}

async function corners(blob) {
  const dialog = document.getElementById("dialog");
  let bitmap;
  try { bitmap = await createImageBitmap(blob); } catch { say("this picture cannot be read", "error"); return; }
  const scale = Math.min(1, 400 / bitmap.width, (innerHeight * 0.6) / bitmap.height, (innerWidth * 0.85) / bitmap.width);
  const canvas = h("canvas", { width: bitmap.width * scale, height: bitmap.height * scale, id: "photo-corners", tabIndex: 0 });
  const pen = canvas.getContext("2d");
  const names = ["lower left", "lower right", "upper right", "upper left"];
  const words = h("p", { id: "photo-words", ariaLive: "polite" });
  const spots = [];
  const cross = [canvas.width / 2, canvas.height / 2];
  const draw = () => {
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#D55E00";
    for (const [x, y] of spots) pen.fillRect(x * scale - 3, y * scale - 3, 6, 6);
    if (document.activeElement === canvas) for (const [w, d] of [[17, 1], [1, 17]]) pen.fillRect(cross[0] - w / 2, cross[1] - d / 2, w, d);
    words.textContent = spots.length < 4 ? `Click the ${names[spots.length]} corner of the table, or go there with the arrow keys (Shift: by one) and press Enter.` : "Setting it straight…";
  };
  const corner = (x, y) => {
    if (spots.length < 4) spots.push([x / scale, y / scale]);
    draw();
    if (spots.length === 4) setTimeout(() => { dialog.close(); straight(bitmap, spots); }, 30);
  };
  canvas.onfocus = canvas.onblur = draw;
  canvas.onclick = (event) => corner(event.offsetX, event.offsetY);
  canvas.onkeydown = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    if (!step) { corner(...cross); return; }
    for (const i of [0, 1]) cross[i] = Math.min(Math.max(cross[i] + step[i] * (event.shiftKey ? 1 : 8), 0), i ? canvas.height : canvas.width);
    draw();
  };
  draw();
  const whole = button("The whole picture is the table", () => { dialog.close(); straight(bitmap, [[0, bitmap.height], [bitmap.width, bitmap.height], [bitmap.width, 0], [0, 0]]); }, { id: "photo-whole" });
  dialog.replaceChildren(h("h2", {}, "Where is the table in the picture?"), words, canvas, h("div", { className: "row" }, whole, button("Leave it", () => dialog.close())));
  dialog.showModal();
}

// The map from table to picture that takes four corners to four corners (a homography: eight linear equations).
function homography(from, to) {
  const rows = [];
  for (let i = 0; i < 4; i++) {
    const [x, y] = from[i], [u, v] = to[i];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  for (let i = 0; i < 8; i++) {
    let best = i;
    for (let r = i + 1; r < 8; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[best][i])) best = r;
    [rows[i], rows[best]] = [rows[best], rows[i]];
    if (Math.abs(rows[i][i]) < 1e-12) return null;
    for (let r = 0; r < 8; r++) {
      if (r === i) continue;
      const f = rows[r][i] / rows[i][i];
      for (let c = i; c < 9; c++) rows[r][c] -= f * rows[i][c];
    }
  }
  return rows.map((row, i) => row[8] / row[i]).concat(1);
}

function straight(bitmap, spots) {
  const { width, depth } = state.scene;
  const fine = Math.min(40, 2000 / Math.max(width, depth)); // pixels per inch
  const w = Math.round(width * fine), d = Math.round(depth * fine);
  const m = homography([[0, d], [w, d], [w, 0], [0, 0]], spots);
  if (!m) { say("these four corners are no table; try again", "error"); return; }
  const source = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
  source.drawImage(bitmap, 0, 0);
  const from = new Uint32Array(source.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  const canvas = h("canvas", { width: w, height: d });
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(w, d), into = new Uint32Array(image.data.buffer);
  for (let y = 0; y < d; y++) {
    for (let x = 0; x < w; x++) {
      const z = m[6] * x + m[7] * y + 1;
      const u = Math.round((m[0] * x + m[1] * y + m[2]) / z), v = Math.round((m[3] * x + m[4] * y + m[5]) / z);
      if (u >= 0 && v >= 0 && u < bitmap.width && v < bitmap.height) into[y * w + x] = from[v * bitmap.width + u];
    }
  }
  pen.putImageData(image, 0, 0);
  canvas.toBlob((blob) => {
    if (picture) URL.revokeObjectURL(picture);
    picture = URL.createObjectURL(blob);
    lay();
    changed("table");
    say("the photo lies under the table; place bases over it");
  });
}

export function lay() {
  layer.photo.replaceChildren();
  layer.ground.classList.toggle("seen-through", Boolean(picture));
  if (!picture) return;
  const { width, depth } = state.scene;
  make("image", { href: picture, x: 0, y: -depth, width, height: depth, opacity, preserveAspectRatio: "none" }, layer.photo);
}
