// Inches and pixels: pan, zoom, and what must be placed anew when they change.

export const view = { k: 20, x: 0, y: 0, width: 24, depth: 24 };

let svg, world, names, moved = () => {};

export function begin(element, onmoved) {
  svg = element;
  moved = onmoved;
  world = svg.querySelector("#world");
  names = svg.querySelector("#names");
  svg.addEventListener("wheel", wheel, { passive: false });
  new ResizeObserver(() => { if (!touched) fit(); else apply(); }).observe(svg);
}

let touched = false;
let pending = 0;

export function apply(zoomed = true) {
  if (pending) { pending |= zoomed ? 2 : 1; return; }
  pending = zoomed ? 2 : 1;
  requestAnimationFrame(() => {
    world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
    names.setAttribute("transform", `translate(${view.x} ${view.y})`);
    const level = pending > 1;
    pending = 0;
    moved(level);
  });
}

export function fit() {
  const box = svg.getBoundingClientRect();
  if (!box.width || !box.height) return;
  const room = Math.min(34, box.width / 14);
  view.k = Math.max(1, Math.min((box.width - 2 * room) / view.width, (box.height - 2 * room) / view.depth));
  view.x = (box.width - view.k * view.width) / 2;
  view.y = (box.height + view.k * view.depth) / 2;
  touched = false;
  apply();
}

export function size(width, depth) {
  if (width === view.width && depth === view.depth) return;
  view.width = width; view.depth = depth;
  fit();
}

export function inches(event) {
  const box = svg.getBoundingClientRect();
  return [(event.clientX - box.left - view.x) / view.k, (view.y - (event.clientY - box.top)) / view.k];
}

export const screen = ([x, y]) => [x * view.k, -y * view.k];

export function pan(dx, dy) { touched = true; view.x += dx; view.y += dy; apply(false); }

export function zoom(factor, at) {
  const box = svg.getBoundingClientRect();
  const [cx, cy] = at ?? [box.width / 2, box.height / 2];
  const k = Math.min(600, Math.max(2, view.k * factor));
  view.x = cx - (cx - view.x) * k / view.k;
  view.y = cy - (cy - view.y) * k / view.k;
  view.k = k;
  touched = true;
  apply();
}

export function centre([x, y]) {
  const box = svg.getBoundingClientRect();
  const sx = view.x + x * view.k, sy = view.y - y * view.k;
  if (sx > 20 && sy > 20 && sx < box.width - 20 && sy < box.height - 20) return;
  view.x = box.width / 2 - x * view.k;
  view.y = box.height / 2 + y * view.k;
  touched = true;
  apply();
}

function wheel(event) {
  event.preventDefault();
  const box = svg.getBoundingClientRect();
  const step = event.deltaMode ? event.deltaY * 30 : event.deltaY;
  zoom(Math.exp(-step * 0.0015), [event.clientX - box.left, event.clientY - box.top]);
}
