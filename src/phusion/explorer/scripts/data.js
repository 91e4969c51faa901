// What the page carries, decoded; what is chosen; and the few ways to make elements.

const words = JSON.parse(document.getElementById("words").textContent);
const bytes = decoded(document.getElementById("numbers"));

function decoded(element) {
  const text = element.textContent.trim();
  element.remove(); // megabytes that nobody reads again
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
  return found.buffer;
}

// The array that a reference {type, at, length} stands for.
function unpacked(reference) {
  const { type, at, length } = reference;
  if (type === "b16") { // the upper halves of floats
    const halves = new Uint16Array(bytes, at, length), whole = new Uint32Array(length);
    for (let i = 0; i < length; i++) whole[i] = halves[i] << 16;
    return new Float32Array(whole.buffer);
  }
  const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };
  return new kinds[type](bytes, at, length);
}

const n = words.nodes, ids = words.ids, fields = words.fields;
for (const field of fields) {
  field.values = unpacked(field.values);
  if (field.all) Object.assign(field.all, { start: unpacked(field.all.start), index: unpacked(field.all.index) });
}
const edges = Object.fromEntries(Object.entries(words.edges).map(([name, reference]) => [name, unpacked(reference)]));
const lenses = words.lenses;
const isolated = Array.from({ length: n }, (_, i) => i).filter(isIsolated);
for (const lens of lenses) for (const design of lens.designs) {
  const points = unpacked(design.points); // as few bytes as they need, but drawn from two each
  design.points = points instanceof Uint16Array ? points : Uint16Array.from(points);
  design.near.index = unpacked(design.near.index);
  design.near.distance = unpacked(design.near.distance);
  const profile = design.profile;
  if (profile) for (const part of ["index", "largest", "curve"]) profile[part] = unpacked(profile[part]);
}

// What is chosen. Whoever changes it says so by changed(); whoever shows it listens.
const state = {
  selected: -1, // the chosen node
  hovered: -1, // the node pointed at
  picked: new Set(), // the set of nodes
  field: 0, // what colours mean
  hidden: new Set(), // classes that are switched off
  range: null, // [low, high] of numbers that are shown
  design: lenses.map(() => 0), // of each lens
  mode: "move", // or "lasso": what dragging does
};
const listeners = [];
function changed(...what) { for (const listener of listeners) listener(new Set(what)); }

function make(tag, attributes = {}, ...children) { return filled(document.createElement(tag), attributes, children); }
function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}
// Children are elements or words; words are never read as tags.
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function byId(name) { return document.getElementById(name); }
function counted(number, noun) { return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`; }
function shown(value) {
  if (!Number.isFinite(value)) return "none";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
function say(text) { byId("said").textContent = text; }

// The classes of a node in words, all of them where it has several.
function valueOf(field, i) {
  if (field.kind === "number") return shown(field.values[i]);
  if (field.all) {
    const own = field.all.index.subarray(field.all.start[i], field.all.start[i + 1]);
    return own.length ? listed([...own].map(one => field.all.names[one])) : "none";
  }
  const code = field.values[i];
  return code ? field.classes[code - 1] : "none";
}
function summary(i) {
  const label = fields[0].name === "label" ? `\n${valueOf(fields[0], i)}` : "";
  return `${ids[i]}${label}\n${neighboursInWords(i)}`;
}
function neighboursInWords(i) { return isIsolated(i) && !hasLoop(i) ? "no edges" : counted(edges.count[i], "neighbour") + (hasLoop(i) ? " and an edge to itself" : ""); }
function hasLoop(i) { return Boolean(edges.loop?.[i]); }
function isIsolated(i) { return !edges.count[i]; } // but for an edge to itself
// Such a node is near none, wherever the positional map has to put it.
function isNowhere(lens, i) { return lenses[lens].name === "positional" && isIsolated(i); }
function neighboursOf(i) { return edges.index.subarray(edges.start[i], edges.start[i + 1]); }
function nearOf(lens, i) {
  const { near } = lenses[lens].designs[state.design[lens]];
  if (isNowhere(lens, i)) return [];
  return [...near.index.subarray(i * near.k, (i + 1) * near.k)];
}
function choose(i) {
  state.selected = i;
  changed("selected");
  if (i >= 0) say(`Chosen: ${summary(i).replaceAll("\n", ", ")}`);
}
function pick(some, how = "add") {
  if (how === "replace") state.picked.clear();
  for (const i of some) if (how === "toggle" && state.picked.has(i)) state.picked.delete(i); else state.picked.add(i);
  changed("picked");
  say(`${counted(state.picked.size, "node")} in the set`);
}
