// One map: its points, what is marked on it, and what hands and keys do to it.

const REACH = 12; // pixels within which a node is pointed at
const FEW = 300; // lines to neighbours that are drawn

class LensMap {
  constructor(section, lens) {
    this.lens = lens;
    this.box = section.querySelector(".map");
    this.about = section.querySelector(".about");
    this.sure = section.querySelector(".sure");
    this.points = pointsOn(section.querySelector(".points"));
    this.marks = section.querySelector(".marks");
    this.view = new View();
    this.fingers = new Map();
    this.path = null; // of the lasso, in the map's own units
    this.setDesign();
    this.points.canvas.addEventListener("webglcontextlost", () => this.withoutWebGl());
    new ResizeObserver(() => this.resize()).observe(this.box);
    for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "wheel", "keydown"])
      this.box.addEventListener(name, event => this[name](event), { passive: false });
    this.box.addEventListener("blur", () => this.point(-1));
  }
  get design() { return lenses[this.lens].designs[state.design[this.lens]]; }
  get radius() { return Math.max(1.4, Math.min(7, 24 / n ** 0.28)) * Math.min(2.2, this.view.zoom ** 0.25); }

  setDesign() {
    const { design } = this;
    this.points.setPlaces(design.points);
    this.grid = new Grid(design.points);
    this.view.fit(design.points);
    this.stacks = this.stacked();
    this.about.replaceChildren(...captionOf(this.lens));
    this.sure.replaceChildren(...accuracyOf(design));
    this.redraw();
  }
  // Nodes at one place, where there are several; of many nodes the last drawn is seen.
  stacked() {
    const { points } = this.design, found = new Map();
    for (let i = 0; i < n && n <= MANY; i++) {
      const place = 65536 * points[2 * i] + points[2 * i + 1];
      found.set(place, [...(found.get(place) ?? []), i]);
    }
    return [...found.values()].filter(some => some.length > 1);
  }
  setColours() { this.points.setColours(); this.redraw(); }
  withoutWebGl() {
    const fresh = this.points.canvas.cloneNode();
    this.points.canvas.replaceWith(fresh);
    this.points = new PlainPoints(fresh);
    this.points.setPlaces(this.design.points);
    this.points.setColours();
    this.resize();
  }
  resize() {
    const { width, height } = this.box.getBoundingClientRect();
    this.ratio = Math.min(2, devicePixelRatio || 1);
    Object.assign(this.view, { width: Math.max(1, width), height: Math.max(1, height) });
    for (const canvas of [this.points.canvas, this.marks])
      Object.assign(canvas, { width: Math.max(1, Math.round(width * this.ratio)), height: Math.max(1, Math.round(height * this.ratio)) });
    this.draw();
  }
  redraw() {
    if (!this.due) this.due = requestAnimationFrame(() => this.draw());
  }
  place(i) { return this.view.onScreen(this.design.points[2 * i] / 65535, this.design.points[2 * i + 1] / 65535); }

  draw() {
    cancelAnimationFrame(this.due);
    this.due = 0;
    if (!this.ratio) return;
    this.points.draw(this.view, this.ratio, this.radius);
    const pen = this.marks.getContext("2d"), tint = ink();
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.view.width, this.view.height);
    for (const some of this.stacks) this.drawShares(pen, some.filter(isShown));
    this.drawHollow(pen, tint);
    pen.strokeStyle = tint.text;
    const crowded = state.picked.size > 100; // then rings must not hide what they are around
    pen.lineWidth = crowded ? 1 : 1.5;
    pen.globalAlpha = crowded ? 0.5 : 1;
    for (const i of state.picked) this.ring(pen, i, this.radius + 1);
    pen.globalAlpha = 1;
    if (state.selected >= 0) this.drawAround(pen, tint, state.selected);
    for (const i of new Set([state.selected, state.hovered])) if (i >= 0) this.drawMarked(pen, tint, i);
    drawNames(this, pen, tint);
    if (this.path) {
      pen.fillStyle = "rgba(128,128,128,.25)";
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (const point of this.path) pen.lineTo(...this.view.onScreen(...point));
      pen.closePath();
      pen.strokeStyle = tint.text;
      pen.setLineDash([5, 4]);
      pen.stroke();
      pen.setLineDash([]);
      pen.fill();
    }
  }
  ring(pen, i, radius) {
    pen.beginPath();
    pen.arc(...this.place(i), radius, 0, 7);
    pen.stroke();
  }
  drawAround(pen, tint, chosen) {
    const here = this.place(chosen);
    pen.strokeStyle = tint.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const i of neighboursOf(chosen).subarray(0, FEW)) { pen.moveTo(...here); pen.lineTo(...this.place(i)); }
    pen.stroke();
    lenses.forEach((lens, which) => {
      pen.strokeStyle = tint[lens.name];
      pen.lineWidth = 2;
      // the other space's nearest have a wider ring, so that both can be seen on one node
      for (const i of nearOf(which, chosen)) this.ring(pen, i, this.radius + (which === this.lens ? 2.5 : 5.5));
    });
  }
  disc(pen, i, radius, colour) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(...this.place(i), radius, 0, 7);
    pen.fill();
  }
  drawMarked(pen, tint, i) {
    this.disc(pen, i, this.radius + 3, colourOf(i));
    if (isNowhere(this.lens, i)) this.disc(pen, i, 0.55 * this.radius, tint.halo);
    pen.strokeStyle = tint.text;
    pen.lineWidth = i === state.selected ? 3 : 1.5;
    this.ring(pen, i, this.radius + 3);
  }
  // Nodes of several colours at one place: a slice for each colour, as large as its share.
  drawShares(pen, some) {
    const shares = Map.groupBy(some, colourOf);
    if (shares.size < 2) return;
    const [x, y] = this.place(some[0]);
    let angle = -Math.PI / 2;
    for (const [colour, own] of shares) {
      const next = angle + (2 * Math.PI * own.length) / some.length;
      pen.fillStyle = colour;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.arc(x, y, this.radius, angle, next);
      pen.fill();
      angle = next;
    }
  }
  drawHollow(pen, tint) {
    if (isolated.length > MANY || lenses[this.lens].name !== "positional") return;
    for (const i of isolated) if (isShown(i)) this.disc(pen, i, 0.55 * this.radius, tint.halo);
  }

  // hands

  at(event) {
    const { left, top } = this.box.getBoundingClientRect();
    return [event.clientX - left - this.box.clientLeft, event.clientY - top - this.box.clientTop];
  }
  // Shown nodes whose middle this node's disc covers, itself first: one of them is seen.
  heap(i) { return this.grid.around(i, this.radius / this.view.factor); }
  under(x, y) { return this.grid.nearest(...this.view.fromScreen(x, y), Math.max(REACH, this.radius + 3) / this.view.factor); }
  point(i, event) {
    if (i !== state.hovered) { state.hovered = i; changed("hovered"); }
    const tip = byId("tip");
    tip.hidden = i < 0 || !event;
    if (tip.hidden) return;
    const others = this.heap(i).length - 1;
    tip.textContent = summary(i) + (others ? `\nand ${counted(others, "other")} at this place; click again for the next` : "");
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4)}px`;
  }
  pointerdown(event) {
    if (event.button) return;
    this.box.focus({ preventScroll: true });
    try { this.box.setPointerCapture(event.pointerId); } catch { /* a finger that is gone already */ }
    this.fingers.set(event.pointerId, this.at(event));
    this.moved = 0;
    if (this.fingers.size > 1) this.path = null;
    else if (state.mode === "lasso") this.path = [this.view.fromScreen(...this.at(event))];
  }
  pointermove(event) {
    const now = this.at(event), before = this.fingers.get(event.pointerId);
    if (!before) { this.point(this.under(...now), event); return; }
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (this.fingers.size === 2) {
      const [other] = [...this.fingers].filter(([finger]) => finger !== event.pointerId).map(([, place]) => place);
      const spread = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
      this.view.zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, spread);
      this.view.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    } else if (this.path) this.path.push(this.view.fromScreen(...now));
    else if (this.moved > 3) { this.view.move(now[0] - before[0], now[1] - before[1]); this.box.classList.add("dragging"); }
    this.fingers.set(event.pointerId, now);
    if (this.moved > 3) this.point(-1);
    this.redraw();
  }
  pointerup(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    this.box.classList.remove("dragging");
    const { path } = this;
    this.path = null;
    if (path && path.length > 2 && this.moved > 8) pick(this.grid.inside(path), event.shiftKey ? "add" : "replace");
    else if (this.moved <= 4 && !this.fingers.size) this.click(this.under(...this.at(event)), event.shiftKey);
    this.redraw();
  }
  click(i, withShift) {
    if (i < 0) { if (!withShift) choose(-1); return; }
    if (withShift) { pick([i], "toggle"); return; }
    const here = this.heap(i), turn = i === this.clicked ? here.indexOf(state.selected) : -1;
    this.clicked = i;
    choose(here[(turn + 1) % here.length]);
  }
  pointercancel(event) { this.fingers.delete(event.pointerId); this.path = null; this.box.classList.remove("dragging"); this.redraw(); }
  pointerleave() { if (!this.fingers.size) this.point(-1); }
  wheel(event) {
    event.preventDefault();
    this.view.zoomAt(...this.at(event), Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 300));
    this.redraw();
  }

  // keys

  keydown(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const { view } = this, way = ways[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && event.shiftKey) view.move(-40 * way[0], 40 * way[1]);
    else if (way) this.walk(way);
    else if (event.key === "Enter" && state.hovered >= 0) this.click(state.hovered, false);
    else if (event.key === " " && Math.max(state.hovered, state.selected) >= 0) pick([state.hovered >= 0 ? state.hovered : state.selected], "toggle");
    else if (event.key === "+" || event.key === "=") view.zoomAt(...this.focusPoint(), 1.3);
    else if (event.key === "-") view.zoomAt(...this.focusPoint(), 1 / 1.3);
    else if (event.key === "0") view.reset();
    else return;
    event.preventDefault();
    this.redraw();
  }
  focusPoint() {
    const i = state.hovered >= 0 ? state.hovered : state.selected;
    return i >= 0 ? this.place(i) : [this.view.width / 2, this.view.height / 2];
  }
  walk(way) {
    const from = state.hovered >= 0 ? state.hovered : state.selected;
    const next = from >= 0 ? this.grid.towards(from, ...way) : this.grid.nearest(this.view.x, this.view.y, 2);
    if (next < 0) { say("No node further that way"); return; }
    this.show(next);
    this.point(next);
    say(summary(next).replaceAll("\n", ", "));
  }
  // Pixels from the top of the map down to the button that may cover the rest of it.
  get seen() {
    const over = down.getBoundingClientRect(), clear = over.top - this.box.getBoundingClientRect().top;
    return over.height && clear > 60 ? Math.min(clear, this.view.height) : this.view.height;
  }
  show(i) { this.view.show(this.design.points[2 * i] / 65535, this.design.points[2 * i + 1] / 65535, this.seen); this.redraw(); }
}
