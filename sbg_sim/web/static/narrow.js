// Places for the names of narrow pieces: a name stands along a wall or a hedge or beside it, never across.

const HIGH = 12; // pixels: height of a line of type
const ALONG = [0, -0.2, 0.2, -0.4, 0.4]; // offsets from the middle, shares of the room along a piece
const NEAR = 16, FAR = 70; // pixels from the middle of a piece to its name: from NEAR on with a leader line, at most FAR

// The straight stretches of a piece that is everywhere narrower than a line of type, pixels.
export function narrow(piece, k) {
  const strips = piece.strips.map(([x0, y0, x1, y1, broad]) => {
    const long = Math.hypot(x1 - x0, y1 - y0) * k || 1e-9;
    return { mid: [(x0 + x1) / 2 * k, -(y0 + y1) / 2 * k], way: [(x1 - x0) * k / long, (y0 - y1) * k / long], long, broad: broad * k };
  });
  return strips.every((strip) => strip.broad < HIGH) ? strips : [];
}

// Boxes along a stretch: their length, breadth and distance from the middle line in pixels, `by` from its middle.
export function along({ mid, way }, long, broad, off, by = 0) {
  const count = Math.max(1, Math.ceil(long / 6)), half = broad / 2;
  return Array.from({ length: count }, (_, i) => {
    const t = by + long * ((i + 0.5) / count - 0.5), x = mid[0] + way[0] * t - way[1] * off, y = mid[1] + way[1] * t + way[0] * off;
    return [x - half, y - half, x + half, y + half];
  });
}

// A place for a name of some width: along a stretch that is long enough, else level beside it, with a line if far off.
export function besideStrips(strips, wide, free) {
  for (const strip of strips) {
    if (strip.long < wide) continue;
    const away = strip.broad / 2 + HIGH / 2 + 1;
    for (const off of [-away, away]) for (const share of ALONG) {
      const by = share * (strip.long - wide), boxes = along(strip, wide, HIGH, off, by);
      if (!boxes.every((box) => free(box, null, strip))) continue;
      const { mid, way } = strip, turned = Math.atan2(way[1], way[0]) * 180 / Math.PI;
      const at = [mid[0] + way[0] * by - way[1] * off, mid[1] + way[1] * by + way[0] * off];
      return { at, boxes, turned: turned > 89.999 ? turned - 180 : turned < -90.001 ? turned + 180 : turned };
    }
  }
  const [x, y] = strips[0].mid;
  for (let far = strips[0].broad / 2 + 3; far <= FAR; far += 5) for (let n = 0; n < 16; n++) {
    const cos = Math.cos(n * Math.PI / 8 + Math.PI / 2), sin = Math.sin(n * Math.PI / 8 + Math.PI / 2);
    const at = [x + cos * (far + wide / 2), y + sin * (far + HIGH / 2)];
    const box = [at[0] - wide / 2, at[1] - HIGH / 2, at[0] + wide / 2, at[1] + HIGH / 2];
    const end = [Math.min(Math.max(x, box[0] + 2), box[2] - 2), Math.min(Math.max(y, box[1] + 2), box[3] - 2)];
    if (free(box, null) && (far < NEAR || clearTo([x, y], end, free, strips[0]))) return { at, boxes: [box], lead: far < NEAR ? null : [[x, y], end] };
  }
  return null;
}

function clearTo(start, end, free, own) {
  const count = Math.ceil(Math.hypot(end[0] - start[0], end[1] - start[1]) / 4);
  for (let i = 1; i < count; i++) {
    const [x, y] = [0, 1].map((axis) => start[axis] + (end[axis] - start[axis]) * i / count);
    if (!free([x - 1, y - 1, x + 1, y + 1], null, own)) return false;
  }
  return true;
}
