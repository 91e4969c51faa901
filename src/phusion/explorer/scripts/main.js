// Everything together.

const maps = [...document.querySelectorAll(".lens")].map((section, lens) => new LensMap(section, lens));

listeners.push(what => {
  if (what.has("colours")) {
    recolour();
    for (const map of maps) map.setColours();
    showLegend();
  }
  if (what.has("design")) for (const map of maps) map.setDesign();
  if (what.has("picked")) showPicked();
  if (what.has("selected") || what.has("colours") || what.has("design")) { showNode(); showDown(); }
  for (const map of maps) map.redraw();
  if (["selected", "field", "design"].some(one => what.has(one))) remember();
});

lenses.forEach((lens, k) => {
  const menu = byId(`design-${lens.name}`);
  menu.addEventListener("change", () => { state.design[k] = Number(menu.value); changed("design"); });
  if (lens.designs.length < 2) menu.disabled = true;
});

function setMode(mode) {
  state.mode = mode;
  for (const one of ["move", "lasso"]) byId(one).setAttribute("aria-pressed", String(one === mode));
  for (const map of maps) map.box.classList.toggle("lassoing", mode === "lasso");
}
for (const mode of ["move", "lasso"]) byId(mode).addEventListener("click", () => setMode(mode));
byId("reset").addEventListener("click", () => { for (const map of maps) { map.view.reset(); map.redraw(); } });
document.addEventListener("keydown", event => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "l" || event.key === "L") setMode(state.mode === "lasso" ? "move" : "lasso");
  else if (event.key === "/") { event.preventDefault(); search.focus(); }
  else if (event.key === "Escape") {
    if (state.mode === "lasso") setMode("move");
    else if (state.selected >= 0) choose(-1);
    else if (state.picked.size) { state.picked.clear(); changed("picked"); }
  }
});

byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  changed("colours");
});
wanted.addEventListener("change", () => changed("colours"));

// The address keeps what is chosen, so that it can be sent to others together with the page.
function remember() {
  const kept = new URLSearchParams();
  if (state.selected >= 0) kept.set("node", ids[state.selected]);
  if (state.field !== USUAL) kept.set("colour", fields[state.field].name);
  lenses.forEach((lens, k) => { if (state.design[k]) kept.set(lens.name, lens.designs[state.design[k]].name); });
  try { history.replaceState(null, "", kept.size ? `#${kept}` : location.pathname + location.search); } catch { /* not everywhere */ }
}
function recall() {
  const kept = new URLSearchParams(location.hash.slice(1));
  state.selected = kept.has("node") ? ids.indexOf(kept.get("node")) : -1;
  if (state.selected >= n) state.selected = -1;
  const colour = fields.findIndex(field => field.name === kept.get("colour"));
  state.field = colour < 0 ? USUAL : colour;
  lenses.forEach((lens, k) => {
    state.design[k] = Math.max(0, lens.designs.findIndex(design => design.name === kept.get(lens.name)));
    byId(`design-${lens.name}`).value = String(state.design[k]);
  });
  colourMenu.value = String(state.field);
}
if (n <= ALL_NAMED) byId("key").append(" Names that have no room are left out; zoom in to see them.");
recall();
changed("colours", "design", "picked");
for (const map of maps) map.resize();
window.explorer = { state, ids, fields, maps, choose, pick, colourBy, isShown }; // for consoles and tests
