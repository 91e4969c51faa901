// Finding a node by its id.

const search = byId("search"), found = byId("found");
const lowered = ids.slice(0, n).map(id => id.toLowerCase());
let matches = [], active = -1;

// Those that are the text, then those that begin with it, then those that hold it.
function matching(text, most = 12) {
  const same = [], begin = [], hold = [];
  for (let i = 0; i < n; i++) {
    const at = lowered[i].indexOf(text);
    if (at === 0) (lowered[i].length === text.length ? same : begin.length < most ? begin : hold).push(i);
    else if (at > 0 && hold.length < most) hold.push(i);
  }
  return [...same, ...begin, ...hold].slice(0, most);
}
function suggestNodes() {
  const text = search.value.trim().toLowerCase();
  matches = text ? matching(text) : [];
  active = matches.length ? 0 : -1;
  found.replaceChildren(...matches.map((i, k) => make("li", { id: `found-${k}`, role: "option", pointerdown: event => { event.preventDefault(); take(k); } }, make("bdi", {}, ids[i]))));
  if (text && !matches.length) found.append(make("li", { class: "none", role: "option", "aria-disabled": "true" }, "no node has such an id"));
  open(Boolean(text));
}
function open(whether) {
  found.hidden = !whether;
  search.setAttribute("aria-expanded", String(whether));
  [...found.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === active)));
  if (whether && active >= 0) {
    search.setAttribute("aria-activedescendant", `found-${active}`);
    found.children[active].scrollIntoView({ block: "nearest" });
  } else search.removeAttribute("aria-activedescendant");
}
function take(k) {
  choose(matches[k]);
  for (const map of maps) map.show(matches[k]);
  search.value = ids[matches[k]];
  open(false);
  maps[0].box.focus({ preventScroll: true }); // so that keys are the map's again
}
search.addEventListener("input", suggestNodes);
search.addEventListener("focus", () => { if (search.value) { search.select(); } });
search.addEventListener("blur", () => open(false));
search.addEventListener("keydown", event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    if (found.hidden) suggestNodes();
    else if (matches.length) active = (active + step + matches.length) % matches.length;
    open(!found.hidden);
  } else if (event.key === "Enter") { if (found.hidden) suggestNodes(); if (active >= 0) take(active); }
  else if (event.key === "Escape") { if (found.hidden) { search.value = ""; search.blur(); } open(false); event.stopPropagation(); }
  else return;
  event.preventDefault();
});
