// The set of nodes, and how to take it away.

const MENTIONED = 100; // ids of the set that are listed

function ordered() { return [...state.picked].sort((a, b) => a - b); }
function quoted(text) { return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text; }
function asText() { return ordered().map(i => ids[i]).join("\n") + "\n"; }
function asTable() {
  const head = ["node", ...fields.map(field => field.name)];
  const rows = ordered().map(i => [ids[i], ...fields.map(field => (field.kind === "number" ? (Number.isFinite(field.values[i]) ? String(field.values[i]) : "") : field.values[i] ? valueOf(field, i) : ""))]);
  return [head, ...rows].map(row => row.map(quoted).join(",")).join("\r\n") + "\r\n";
}
function download(text, kind, suffix) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: `${kind};charset=utf-8` })), download: `nodes.${suffix}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch { // pages of files may not, in some browsers
    const area = make("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied");
}

function showPicked() {
  const box = byId("picked"), some = ordered(), has = some.length > 0;
  const act = (text, does) => make("button", { type: "button", click: does }, text);
  const held = box.contains(document.activeElement);
  if (has) byId("panel").prepend(box); else byId("help").before(box); // what is empty is explained after the node
  box.replaceChildren(
    make("h2", {}, has ? `Your set: ${counted(some.length, "node")}` : "Collect nodes"),
    has ? make("div", { class: "actions" }, act("Copy ids", () => copy(asText())), act("Download .txt", () => download(asText(), "text/plain", "txt")),
      act("Download .csv", () => download(asTable(), "text/csv", "csv")), act("Clear", () => { state.picked.clear(); changed("picked"); say("The set is empty"); }))
      : make("p", { class: "small" }, "Put nodes into a set, to copy or download their ids: draw around them with the lasso, or choose one and press “Add to set”.",
        make("span", { class: "by-mouse" }, " Shift and click does it too, and Space from the keyboard.")),
    make("ul", {}, ...some.slice(0, MENTIONED).map(i => make("li", {}, goTo(i)))),
    ...(some.length > MENTIONED ? [make("p", { class: "small" }, `and ${(some.length - MENTIONED).toLocaleString("en")} more; all of them are copied and downloaded`)] : []),
  );
  if (held) (box.querySelector("button") ?? byId("node")).focus({ preventScroll: true });
}
