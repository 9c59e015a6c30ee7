// Inches and pixels: pan, zoom, and the parts to be placed anew after them.

export const view = { k: 20, x: 0, y: 0, width: 24, depth: 24 };

let svg, stage, world, names, moved = () => {};
const shown = { k: 1, x: 0, y: 0 }; // the view drawn; while a full table is panned, its drawing is only shifted
const EDGE = 0.25; // share of its size drawn beyond the stage, so that a shift shows no blank
const FULL = 100; // things on a table beyond which it is not drawn anew for each frame

export function begin(element, onmoved) {
  svg = element;
  stage = svg.parentElement;
  moved = onmoved;
  world = svg.querySelector("#world");
  names = svg.querySelector("#names");
  svg.addEventListener("wheel", wheel, { passive: false });
  new ResizeObserver(() => { if (!touched) fit(); else draw(); }).observe(stage);
}

let touched = false;
let pending = false, rest = 0;

// Show the view: a full table that still moves is only shifted, others are drawn anew.
function apply() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    const scale = view.k / shown.k, [mx, my] = margin();
    const dx = view.x - scale * shown.x, dy = view.y - scale * shown.y;
    const far = Math.abs(view.x - shown.x) > mx || Math.abs(view.y - shown.y) > my;
    if (svg.querySelectorAll("#layer-bases > *, #layer-terrain > *").length > FULL && scale > 0.6 && scale < 1.7 && (!far || scale !== 1)) {
      svg.style.transform = `matrix(${scale}, 0, 0, ${scale}, ${dx + mx * (1 - scale)}, ${dy + my * (1 - scale)})`;
      clearTimeout(rest);
      rest = setTimeout(draw, 130);
    } else draw();
  });
}

const margin = () => [stage.clientWidth * EDGE, stage.clientHeight * EDGE];

export function draw() {
  clearTimeout(rest);
  const [mx, my] = margin(), zoomed = shown.k !== view.k;
  Object.assign(shown, { k: view.k, x: view.x, y: view.y });
  svg.style.transform = "";
  svg.style.setProperty("--inch", `${view.k}px`); // broad lines are thinner if bases are small
  world.setAttribute("transform", `translate(${view.x + mx} ${view.y + my}) scale(${view.k})`);
  names.setAttribute("transform", `translate(${view.x + mx} ${view.y + my})`);
  moved(zoomed);
}

// Pixels left free round a table that is shown whole.
export const beside = () => Math.min(34, stage.clientWidth / 14);

export function fit() {
  const box = stage.getBoundingClientRect();
  if (!box.width || !box.height) return;
  const room = beside();
  view.k = Math.max(1, Math.min((box.width - 2 * room) / view.width, (box.height - 2 * room) / view.depth));
  view.x = (box.width - view.k * view.width) / 2;
  view.y = (box.height + view.k * view.depth) / 2;
  touched = false;
  draw();
}

export function size(width, depth) {
  if (width === view.width && depth === view.depth) return;
  view.width = width; view.depth = depth;
  fit();
}

export function inches(event) {
  const box = stage.getBoundingClientRect();
  return [(event.clientX - box.left - view.x) / view.k, (view.y - (event.clientY - box.top)) / view.k];
}

export const screen = ([x, y]) => [x * view.k, -y * view.k];

export function pan(dx, dy) { touched = true; view.x += dx; view.y += dy; apply(); }

export function zoom(factor, at) {
  const box = stage.getBoundingClientRect();
  const [cx, cy] = at ?? [box.width / 2, box.height / 2];
  const k = Math.min(600, Math.max(2, view.k * factor));
  view.x = cx - (cx - view.x) * k / view.k;
  view.y = cy - (cy - view.y) * k / view.k;
  view.k = k;
  touched = true;
  apply();
}

export function centre([x, y]) {
  const box = stage.getBoundingClientRect();
  const sx = view.x + x * view.k, sy = view.y - y * view.k;
  if (sx > 20 && sy > 20 && sx < box.width - 20 && sy < box.height - 20) return;
  view.x = box.width / 2 - x * view.k;
  view.y = box.height / 2 + y * view.k;
  touched = true;
  draw();
}

function wheel(event) {
  event.preventDefault();
  const box = stage.getBoundingClientRect();
  const step = event.deltaMode ? event.deltaY * 30 : event.deltaY;
  zoom(Math.exp(-step * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
}
