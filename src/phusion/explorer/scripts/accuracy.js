// How near an approximate design is to the exact one: a sentence, and behind it what was measured.

function accuracyOf(design) {
  const { accuracy } = design;
  if (!accuracy) return [];
  const mark = accuracy.missed ? "⚠ " : "";
  const kind = `small accuracy${accuracy.missed ? " note missed" : ""}`;
  if (!accuracy.lines.length) return [make("p", { class: kind }, mark + accuracy.sentence)];
  const head = make("tr", {}, ...accuracy.head.map(cell => make("th", { scope: "col" }, cell)));
  const row = ([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map(cell => make("td", {}, cell)));
  return [make("details", { class: kind, open: accuracy.missed },
    make("summary", {}, mark + accuracy.sentence),
    make("div", { class: "measured" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...accuracy.lines.map(row)))),
    make("p", {}, accuracy.foot))];
}
