// What colours mean, and which nodes are shown.

const colourMenu = byId("colour"), legend = byId("legend");
fields.forEach((field, k) => colourMenu.append(make("option", { value: k }, field.name)));
colourMenu.addEventListener("change", () => colourBy(Number(colourMenu.value)));

function colourBy(which) {
  Object.assign(state, { field: which, range: null });
  state.hidden.clear();
  colourMenu.value = String(which);
  changed("colours", "field");
}

function dot(colour) { return drawn("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("circle", { cx: 5, cy: 5, r: 5, fill: colour })); }

function classLegend(field) {
  const sizes = new Map();
  for (let i = 0; i < n; i++) sizes.set(placeOf(field, i), (sizes.get(placeOf(field, i)) ?? 0) + 1);
  const rest = field.classes.length - LISTED;
  const name = place => (place < 0 ? `no ${field.name.split(":")[0]}` : place >= LISTED ? `${rest.toLocaleString("en")} others` : field.classes[place]);
  const places = [...sizes.keys()].sort((a, b) => (a < 0) - (b < 0) || a - b);
  const list = make("ul");
  for (const place of places) {
    const on = !state.hidden.has(place);
    list.append(make("li", {}, make("button", {
      type: "button", "aria-pressed": String(on), "data-place": place, title: "Show or hide; with Shift, show only these",
      click: event => toggleClass(place, places, event.shiftKey),
    }, dot(css(classColour(place, field))), make("bdi", {}, name(place)), make("span", { class: "count" }, sizes.get(place).toLocaleString("en")))));
  }
  if (state.hidden.size) list.append(make("li", {}, make("button", { type: "button", class: "all", click: () => { state.hidden.clear(); changed("colours"); } }, "show all")));
  return [list];
}
function toggleClass(place, places, only) {
  const { hidden } = state;
  if (only) { hidden.clear(); for (const other of places) if (other !== place) hidden.add(other); }
  else if (!hidden.delete(place)) hidden.add(place);
  changed("colours");
}

// Of equal numbers there is one colour, and no range.
function evenLegend(field) {
  const known = field.values.reduce((sum, value) => sum + Number.isFinite(value), 0);
  const who = known && known < n ? counted(known, "node") : "all nodes";
  return [make("div", { class: "ramp" }, make("span", {}, dot(css(known ? rampColour(0.5) : ink().none)), ` ${who}: ${field.name} ${known ? shown(field.high) : "none"}`))];
}
function numberLegend(field) {
  if (isEven(field)) return evenLegend(field);
  const strip = drawn("svg", { viewBox: "0 0 60 1", preserveAspectRatio: "none", role: "img", "aria-label": `colours from ${shown(field.low)} to ${shown(field.high)}` });
  for (let k = 0; k < 60; k++) strip.append(drawn("rect", { x: k, y: 0, width: 1.05, height: 1, fill: css(rampColour(k / 59)) }));
  const bound = (which, label) => make("input", {
    type: "number", step: "any", value: state.range ? state.range[which] : [field.low, field.high][which], "aria-label": `${label} ${field.name} shown`,
    change: event => {
      const range = state.range ?? [field.low, field.high], value = event.target.valueAsNumber;
      range[which] = Number.isNaN(value) ? [field.low, field.high][which] : value;
      state.range = range[0] <= field.low && range[1] >= field.high ? null : range;
      changed("colours");
    },
  });
  const marks = [0, 0.5, 1].map(share => make("span", {}, shown(valueAt(field, share)))); // below the colours they stand for
  return [make("div", { class: "ramp" }, make("div", { class: "scale", title: field.log ? "a logarithmic scale" : null }, strip, ...marks),
    make("label", {}, "show from ", bound(0, "smallest")), make("label", {}, "to ", bound(1, "largest")))];
}

function showLegend() {
  const field = fields[state.field], focused = document.activeElement?.dataset?.place;
  legend.replaceChildren(...(field.kind === "number" ? numberLegend(field) : classLegend(field)));
  if (focused !== undefined) legend.querySelector(`[data-place="${focused}"]`)?.focus();
}
