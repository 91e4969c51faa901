// What is known of the chosen node.

const SHORT = 14; // letters of names that stand side by side

// A node's name that leads to it; nodes that are not on the page have a name only.
function goTo(i, aside = "", name = null) {
  const inside = [make("bdi", {}, name ?? ids[i]), make("span", { class: "far" }, aside)];
  if (i >= n) return make("span", { class: "go", title: "not among the nodes shown" }, ...inside);
  return make("button", {
    type: "button", class: "go", title: ids[i], click: () => { choose(i); byId("node").focus({ preventScroll: true }); },
    pointerenter: () => { state.hovered = i; changed("hovered"); }, pointerleave: () => { state.hovered = -1; changed("hovered"); },
  }, ...inside);
}

function nearList(lens, chosen) {
  const design = lenses[lens].designs[state.design[lens]], { near } = design, some = nearOf(lens, chosen);
  const list = make("ol", { class: some.some(i => ids[i].length > SHORT) ? "near long" : "near" });
  const told = words => make("p", { class: "small" }, words);
  some.forEach((i, k) => list.append(make("li", {}, goTo(i, shown(near.distance[chosen * near.k + k])))));
  const title = lenses[lens].name === "positional" ? "Nearest" : "Most alike";
  return [make("h3", { class: lenses[lens].name }, `${title}: ${lenses[lens].name}, ${design.name}`), isNowhere(lens, chosen) ? told("This node has no edges to others, so it is near none. Where it is on the positional map means nothing.") : near.k ? list : told("There is no other node.")];
}

function factsOf(i) {
  const facts = make("dl");
  for (const field of fields) {
    if (field.name.startsWith("cluster: ") && !lenses.some((lens, k) => field.name === `cluster: ${lens.designs[state.design[k]].name}`)) continue;
    facts.append(make("dt", {}, field.name), make("dd", {}, make("bdi", {}, valueOf(field, i)), field.loops && hasLoop(i) ? " (with its self-loop)" : ""));
  }
  return facts;
}

function showNode() {
  const box = byId("node"), i = state.selected;
  if (i < 0) {
    const told = ["what is around it", ...lenses.map(lens => lens.name === "positional" ? "who is nearest by place" : "who is most alike by role")];
    const all = `${told.slice(0, -1).join(", ")} and ${told.at(-1)}.`;
    box.replaceChildren(
      make("p", { class: "hint by-mouse" }, `Point at a node to see its name. Click it to see ${all}`),
      make("p", { class: "hint by-finger" }, `Tap a node to see ${all}`));
    return;
  }
  const { picture, shown: some, missing } = surroundingsPicture(i);
  const count = edges.count[i], own = hasLoop(i) ? " and an edge to itself" : "";
  const told = missing > 0 ? `${counted(some, "neighbour")} of ${count.toLocaleString("en")}; ${missing.toLocaleString("en")} left out` : counted(count, "neighbour");
  const kinds = lenses.map((lens, k) => [lens, k]).filter(([, k]) => nearOf(k, i).length);
  const add = (text, some) => make("button", { type: "button", click: () => pick(some()) }, text);
  box.replaceChildren(
    make("h2", {}, make("bdi", {}, ids[i])),
    factsOf(i),
    make("div", { class: "actions" },
      add("Add to set", () => [i]), ...(count ? [add("Add neighbours", () => neighboursOf(i))] : []), ...kinds.map(([lens, k]) => add(lens.name === "positional" ? "Add nearest" : "Add most alike", () => nearOf(k, i))),
      make("button", { type: "button", click: () => choose(-1) }, "Close")),
    ...lenses.flatMap((_, lens) => nearList(lens, i)),
    ...(kinds.length > 1 ? [make("p", { class: "small" }, "The numbers are distances. Compare them within a list, not between the two lists.")] : []),
    make("h3", {}, `Surroundings: ${isIsolated(i) && !hasLoop(i) ? "no edges" : told + own}`),
    picture,
    ...lenses.flatMap((_, lens) => profileOf(lens, i)),
  );
}

// Where details are below the maps: a button that leads to them.
const down = byId("down");
function showDown() {
  const i = state.selected;
  down.hidden = i < 0;
  if (down.hidden) return;
  const some = isIsolated(i) && !hasLoop(i) ? "no edges" : counted(edges.count[i], "neighbour"); // short: the name needs the room
  down.replaceChildren(make("bdi", {}, ids[i]), make("span", {}, `${some}: details ↓`));
}
down.addEventListener("click", () => byId("node").scrollIntoView({ block: "start" }));
