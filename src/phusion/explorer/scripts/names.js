// Names beside points: each where it covers neither a point nor another name, the most important first.

const ALL_NAMED = 40; // nodes up to which every one may have its name beside it
const LONGEST = 32; // letters of a name on a map
const HIGH = 15; // pixels of a line
const CROWDED = 300; // points around a name of which no more need be looked at

// Several names in one line; they may have commas of their own.
function listed(names) { return (names.some(name => name.includes("·")) ? names.map(name => `“${name}”`) : names).join(" · "); }
function shortened(name) { return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name; }
// The names of nodes at one place, as many as fit.
function nameOf(some) {
  const names = some.map(i => shortened(ids[i]));
  let count = names.length;
  while (count > 1 && listed(names.slice(0, count)).length > LONGEST) count--;
  return listed(names.slice(0, count)) + (count < names.length ? ` and ${names.length - count} more` : "");
}

// What is taken on a map: discs of points, whose sizes are told, and boxes of names.
class Room {
  constructor(map, sizeOf) { Object.assign(this, { map, sizeOf, width: map.view.width, height: map.view.height, boxes: [] }); }
  discsNear(x, y, wide) {
    const { view, design: { points } } = this.map, found = [], [west, north] = view.fromScreen(x - wide - 60, y - 60), [east, south] = view.fromScreen(x + wide + 60, y + 60);
    for (let i = 0; i < n; i++) {
      const across = points[2 * i] / 65535, up = points[2 * i + 1] / 65535;
      if (across > west && across < east && up > south && up < north && isShown(i)) found.push([...view.onScreen(across, up), this.sizeOf(i)]);
    }
    const step = Math.ceil(found.length / CROWDED);
    return step > 1 ? found.filter((_, k) => k % step === 0) : found;
  }
  // Boxes beside a point, the best first: right, left, aslant, above, below; then the same further away.
  *around(x, y, out, wide, gaps) {
    for (const gap of gaps) {
      const far = out + gap, slant = 0.75 * far;
      for (const [left, middle] of [[x + far, y], [x - far - wide, y]]) yield { left, top: middle - HIGH / 2, wide, gap };
      for (const up of [-1, 1]) for (const left of [x + slant, x - slant - wide]) yield { left, top: y + up * (slant + HIGH / 4) - HIGH / 2, wide, gap };
      const left = Math.max(3, Math.min(x - wide / 2, this.width - wide - 3));
      for (const top of [y - far - HIGH, y + far]) yield { left, top, wide, gap };
    }
  }
  // How many points and names a box would cover, or be nearer to than to its own; one that leaves the map has too many.
  hits(box, own, discs) {
    const { left, top, wide } = box, right = left + wide, bottom = top + HIGH;
    if (left < 2 || top < 2 || right > this.width - 2 || bottom > this.height - 2) return 1000;
    const away = ([x, y, radius]) => Math.hypot(x - Math.max(left, Math.min(x, right)), y - Math.max(top, Math.min(y, bottom))) - radius;
    const one = 1.8 * this.map.radius, heap = ([x, y]) => Math.hypot(x - own[0], y - own[1]) < one; // as good as at its place
    const least = Math.max(2, away(own) - 0.5), covers = disc => away(disc) < (heap(disc) ? 2 : least);
    const meets = other => left < other.left + other.wide + 3 && other.left < right + 3 && top < other.top + HIGH && other.top < bottom;
    return discs.filter(covers).length + 2 * this.boxes.filter(meets).length;
  }
  // A box that covers nothing; null where there is none, or for what must be named the one that covers least.
  take(x, y, out, wide, must) {
    const near = this.discsNear(x, y, wide);
    let best = null;
    for (const box of this.around(x, y, out, wide, must ? [4, 10, 20] : [4, 10])) {
      box.hits = this.hits(box, [x, y, out], near);
      const cost = one => (one.hits ? one.hits + one.gap / 5 : 0); // in a crowd, a far name is not known to be the point's
      if (!best || cost(box) < cost(best)) best = box;
      if (!best.hits) break;
    }
    if (best.hits && !must) return null;
    this.boxes.push(best);
    return best;
  }
}

// Which nodes have a name on a map, those at one place together; the chosen one first, then its nearest, then by degree.
function namedNodes(map, ringed) {
  const { selected, hovered } = state, alone = [selected, hovered].filter(i => i >= 0);
  if (n > ALL_NAMED) return [...new Set(alone)].map(i => [i]);
  const groups = [];
  for (let i = 0; i < n; i++) {
    const here = map.grid.same(i);
    if (here[0] === i) groups.push(here);
    else if (!here.length && alone.includes(i)) groups.push([i]); // hidden by the legend, but looked at
  }
  const weight = here => Math.max(...here.map(i => (i === selected ? 3e9 : ringed.has(i) ? 2e9 : 0) + edges.count[i]));
  const front = here => [...alone.filter(i => here.includes(i)), ...here].filter((i, at, all) => all.indexOf(i) === at);
  return groups.sort((a, b) => weight(b) - weight(a)).map(front);
}

function drawNames(map, pen, tint) {
  const chosen = state.selected, ringed = new Set(chosen < 0 ? [] : lenses.flatMap((_, lens) => nearOf(lens, chosen)));
  const sizeOf = i => map.radius + (i === chosen ? 4.5 : ringed.has(i) ? 6.5 : state.picked.has(i) ? 2 : 0.5);
  const room = new Room(map, sizeOf);
  const strong = here => here.includes(chosen) || here.includes(state.hovered);
  map.written = [];
  for (const here of namedNodes(map, ringed)) {
    const words = nameOf(here), [x, y] = map.place(here[0]), out = Math.max(...here.map(sizeOf));
    pen.font = "600 12px system-ui, sans-serif"; // room for the wider letters, so that nothing moves when they come
    const box = room.take(x, y, out, pen.measureText(words).width, strong(here));
    if (box) { write(pen, tint, words, box, strong(here)); map.written.push({ words, ...box }); }
  }
}
function write(pen, tint, words, box, strong) {
  const { left, top } = box;
  Object.assign(pen, { font: `${strong ? "600 " : ""}12px system-ui, sans-serif`, textBaseline: "middle", textAlign: "left", lineJoin: "round" });
  Object.assign(pen, { lineWidth: 3, strokeStyle: tint.halo, fillStyle: tint.text });
  pen.globalAlpha = box.hits ? 0.8 : 1; // what must be covered can be guessed
  pen.strokeText(words, left, top + HIGH / 2);
  pen.globalAlpha = 1;
  pen.fillText(words, left, top + HIGH / 2);
}
