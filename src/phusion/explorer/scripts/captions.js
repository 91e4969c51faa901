// What a map shows, in plain words; and how it was made, for those who ask.

const TITLES = { pca: "PCA", tsne: "t-SNE", umap: "UMAP" };
const SIDE_BY_SIDE = "the map puts nodes with similar numbers side by side. How far apart groups are means nothing";

function captionOf(lens) {
  const { name, designs } = lenses[lens], design = designs[state.design[lens]];
  const sentences = [readingOf(design), equalOf(design), ...(name === "positional" ? [unjoined()] : [acrossComponents(), whatPlacesMean()])];
  return [
    make("p", {}, make("span", { class: "which" }, `${name[0].toUpperCase()}${name.slice(1)} map. `), sentences.filter(Boolean).join(" ")),
    make("details", {}, make("summary", {}, "How it is made, and how to see an embedding of your own"), ...makingOf(design, name)),
  ];
}
function readingOf(design) {
  const long = design.stretch > 1.05 ? `. The vertical axis is stretched ${Number(design.stretch.toPrecision(2))} times` : "";
  const way = design.map === "pca" ? `the map shows the two directions in which nodes differ most${heldBy(design)}${long}` : SIDE_BY_SIDE;
  return `${design.name} describes each node by ${counted(design.dim, "number")}; ${way}.`;
}
// How much of the truth a map of two directions can show.
function heldBy({ held }) {
  if (held === null) return "";
  const percent = Math.round(100 * held);
  const share = held > 0.9995 ? "all" : percent === 100 ? "more than 99 %" : percent === 0 ? "less than 1 %" : `${percent} %`;
  return `, which hold ${share} of their differences (variance)`;
}
function equalOf(design) {
  if (n > ALL_NAMED) return "";
  const { points } = design, places = new Set(Array.from({ length: n }, (_, i) => `${points[2 * i]} ${points[2 * i + 1]}`)).size;
  return places < n ? `${counted(n, "node")} are at ${counted(places, "place")}: those with equal numbers lie on each other.` : "";
}
function acrossComponents() {
  const several = fields.find(field => field.name === "component").classes.length > 1;
  return several ? "Nodes of different components can lie on each other: their role is the same." : "";
}
// Labels need not follow roles.
function whatPlacesMean() {
  const degree = fields[1];
  return USUAL === 0 && fields[0].name === "label" && !isEven(degree) ? `Colouring by ${degree.name} often shows what the places mean.` : "";
}
function unjoined() {
  const { length } = isolated;
  if (!length) return "";
  return `${counted(length, "node")}${length > MANY ? "" : ", drawn hollow,"} ${length === 1 ? "has" : "have"} no edges to others: where ${length === 1 ? "it is" : "they are"} on this map means nothing.`;
}
function makingOf(design, name) {
  const columns = counted(design.dim, "column"), file = name === "positional" ? "near.npz" : "roles.npz";
  const other = lenses.flatMap(lens => lens.name === name ? [] : lens.designs.filter(one => one.named).map(one => ` --${lens.name} ${one.name}`));
  const parts = [make("p", { title: design.spec }, `Method: ${design.words}, ${columns}, drawn by ${TITLES[design.map]}. ${design.spec}`)];
  if (design.given) return [...parts, make("p", {}, `It was computed before, and is shown as it was given, with its ${columns}.`)];
  return [...parts, make("p", {}, `This page computed it by itself, with ${columns}. An embedding that you made with other columns has another map. To see that one, write it as .npz, .parquet, .zarr or .h5ad (a .csv does not keep the method), then `,
    make("code", {}, `phusion explore … --embedding ${file}${other.join("")}`))];
}
