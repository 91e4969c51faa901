// The surroundings of a node: itself, its neighbours, and the edges among them.

const CROWD = 60; // neighbours that are drawn
const NAMED = 14; // neighbours up to which all are named

function surroundings(chosen) {
  const all = [...neighboursOf(chosen)];
  const some = all.sort((a, b) => edges.count[b] - edges.count[a] || a - b).slice(0, CROWD);
  const nodes = [chosen, ...some], place = new Map(nodes.map((i, at) => [i, at]));
  const links = [];
  nodes.forEach((i, at) => {
    for (let k = edges.start[i]; k < edges.start[i + 1]; k++) {
      const other = place.get(edges.index[k]);
      if (other !== undefined && (at < other || !joins(edges.index[k], i))) links.push([at, other, edges.negative ? edges.negative[k] : 0]);
    }
  });
  return { nodes, links, missing: edges.count[chosen] - some.length };
}
// Whether the list of one node names another; lists of crowded pages are not complete.
function joins(from, to) { return neighboursOf(from).includes(to); }

// Places in a circle of radius 1, by springs along edges and repulsion between all; always the same for the same graph.
function settled(count, links) {
  const x = new Float64Array(count), y = new Float64Array(count);
  for (let i = 1; i < count; i++) {
    x[i] = Math.cos((2 * Math.PI * i) / (count - 1));
    y[i] = Math.sin((2 * Math.PI * i) / (count - 1));
  }
  const ideal = 1.1 / Math.sqrt(count);
  for (let step = 0; step < 150; step++) {
    const dx = new Float64Array(count), dy = new Float64Array(count), most = 0.12 * (1 - step / 150);
    for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) {
      const across = x[a] - x[b], down = y[a] - y[b], square = across * across + down * down + 1e-4, push = (ideal * ideal) / square;
      dx[a] += across * push; dy[a] += down * push; dx[b] -= across * push; dy[b] -= down * push;
    }
    for (const [a, b] of links) {
      const across = x[a] - x[b], down = y[a] - y[b], pull = (a && b ? 0.25 : 0.12) * Math.hypot(across, down) / ideal * 0.3;
      dx[a] -= across * pull; dy[a] -= down * pull; dx[b] += across * pull; dy[b] += down * pull;
    }
    for (let i = 1; i < count; i++) { // the chosen node stays in the middle
      const size = Math.hypot(dx[i], dy[i]) || 1, go = Math.min(size, most) / size;
      x[i] += dx[i] * go; y[i] += dy[i] * go;
    }
  }
  const far = Math.max(1e-9, ...Array.from(x, (value, i) => Math.hypot(value, y[i])));
  return Array.from(x, (value, i) => [value / far, y[i] / far]);
}

function surroundingsPicture(chosen) {
  const { nodes, links, missing } = surroundings(chosen);
  const size = 320, half = size / 2, reach = half - 34;
  const places = settled(nodes.length, links).map(([x, y]) => [half + x * reach, half + y * reach]);
  const top = Math.min(...places.map(([, y]) => y)) - 24, bottom = Math.max(...places.map(([, y]) => y)) + 24;
  const picture = drawn("svg", { viewBox: `0 ${top} ${size} ${bottom - top}`, role: "group", "aria-label": `${ids[chosen]} and ${counted(nodes.length - 1, "neighbour")}` });
  for (const [a, b, negative] of links)
    picture.append(drawn("line", { x1: places[a][0], y1: places[a][1], x2: places[b][0], y2: places[b][1], class: `edge${a === 0 ? " own" : ""}${negative ? " negative" : ""}` }));
  nodes.forEach((i, at) => { // self-loops
    if (hasLoop(i)) picture.append(drawn("circle", { cx: places[at][0] - 7, cy: places[at][1] - 7, r: 7, class: `edge loop${at ? "" : " own"}` }));
  });
  nodes.map((i, at) => [i, at]).reverse().forEach(([i, at]) => {
    const [x, y] = places[at];
    picture.append(drawn("circle", { cx: x, cy: y, r: at ? 5 : 8, fill: colourOf(i), class: `node${at ? "" : " centre"}`, click: () => choose(i) },
      drawn("title", {}, summary(i).replaceAll("\n", ", "))));
    if (nodes.length <= NAMED + 1 && at) {
      const text = ids[i].length > 14 ? `${ids[i].slice(0, 13)}…` : ids[i];
      picture.append(drawn("text", { x, y: y + (y < half ? -9 : 17), "text-anchor": x < 60 ? "start" : x > size - 60 ? "end" : "middle" }, text));
    }
  });
  return { picture, shown: nodes.length - 1, missing };
}
