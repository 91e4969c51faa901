// Which colour each node has, and whether it is shown at all.

const LISTED = 40; // classes that the legend names; those after them are "other"
const PALETTE = ["#2f78c4", "#e07b28", "#3a9b62", "#c4488a", "#8467c9", "#a88a1e", "#2a9db0", "#d1483f", "#7a8f3a", "#96603c"];
const RAMP = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];
const colours = new Uint8Array(4 * n); // red, green, blue and whether it is shown
const wanted = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : wanted.matches;
}
function ink() {
  return isDark()
    ? { text: "#e4e8ef", halo: "#10141a", line: "rgba(160,171,187,.28)", positional: "#4fd1d9", structural: "#f08be0", none: [92, 102, 117] }
    : { text: "#1c2330", halo: "#fbfcfd", line: "rgba(70,80,95,.22)", positional: "#007a87", structural: "#a8219b", none: [186, 193, 203] };
}
function rgb(hex) { return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)); }
function css([red, green, blue]) { return `rgb(${red},${green},${blue})`; }

// The colour of a class: chosen ones first, then hues at golden angles.
function classColour(code, field) {
  if (code < 0 || code >= LISTED) return ink().none;
  if (code === field.several) return [136, 142, 152]; // no class of its own, and often the largest
  if (field.classes.length <= PALETTE.length) return rgb(PALETTE[code]);
  const hue = (code * 137.508) % 360, light = (isDark() ? [0.6, 0.5, 0.72] : [0.5, 0.38, 0.62])[code % 3];
  const spread = 0.62 * Math.min(light, 1 - light);
  return [0, 8, 4].map(shift => {
    const k = (shift + hue / 30) % 12;
    return Math.round(255 * (light - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

// Whether a field has the same for all nodes, so that its colours tell nothing.
function isEven({ kind, low, high, values }) {
  return kind === "number" ? !(high - low > 1e-9 * Math.abs(high)) : values.every(value => value === values[0]);
}
// What nodes are coloured by until something is chosen: the first field, or another one where that tells nothing.
const USUAL = isEven(fields[0]) ? Math.max(0, fields.findIndex(field => !isEven(field) && !(field.classes?.length > LISTED))) : 0;

// The colour of a number between 0 and 1; the end that would vanish in the background is left out.
function rampColour(share) {
  const at = (isDark() ? 0.18 + 0.82 * share : 0.9 * share) * (RAMP.length - 1);
  const low = Math.min(RAMP.length - 2, Math.floor(at)), part = at - low;
  const [from, to] = [rgb(RAMP[low]), rgb(RAMP[low + 1])];
  return from.map((value, k) => Math.round(value + part * (to[k] - value)));
}
function shareOf(field, value) {
  const { low, high, log } = field;
  if (isEven(field)) return 0.5;
  return log ? Math.log1p(value - low) / Math.log1p(high - low) : (value - low) / (high - low);
}
function valueAt(field, share) {
  const { low, high, log } = field;
  return log ? low + Math.expm1(share * Math.log1p(high - low)) : low + share * (high - low);
}

// Of a class: its place in the legend, from 0; −1 for none. Classes beyond the legend share one place.
function placeOf(field, i) { return Math.min(field.values[i] - 1, LISTED); }

function recolour() {
  const field = fields[state.field], none = ink().none;
  if (field.kind === "number") {
    const [low, high] = state.range ?? [-Infinity, Infinity];
    for (let i = 0; i < n; i++) {
      const value = field.values[i], known = Number.isFinite(value);
      colours.set(known ? rampColour(shareOf(field, value)) : none, 4 * i);
      colours[4 * i + 3] = (known ? value >= low && value <= high : !state.range) ? 255 : 0;
    }
    return;
  }
  const palette = new Map();
  for (let i = 0; i < n; i++) {
    const place = placeOf(field, i);
    if (!palette.has(place)) palette.set(place, classColour(place, field));
    colours.set(palette.get(place), 4 * i);
    colours[4 * i + 3] = state.hidden.has(place) ? 0 : 255;
  }
}
function isShown(i) { return colours[4 * i + 3] > 0; }
function colourOf(i) { return css(colours.subarray(4 * i, 4 * i + 3)); }
