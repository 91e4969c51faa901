// Where one looks, and which points are there.

class View {
  constructor() { this.width = this.height = this.wide = this.high = 1; this.reset(); }
  reset() { this.x = this.y = 0.5; this.zoom = 1; }
  // How much of the square, in whose middle they are, the points take.
  fit(points) {
    const low = [1, 1], high = [0, 0];
    for (let k = 0; k < points.length; k++) {
      low[k % 2] = Math.min(low[k % 2], points[k] / 65535);
      high[k % 2] = Math.max(high[k % 2], points[k] / 65535);
    }
    [this.wide, this.high] = [0, 1].map(axis => Math.max(0.05, high[axis] - low[axis]));
  }
  // pixels for the side of the square
  get factor() { return Math.max(40, Math.min((this.width - 60) / this.wide, (this.height - 44) / this.high)) * this.zoom; }
  onScreen(x, y) { return [this.width / 2 + (x - this.x) * this.factor, this.height / 2 - (y - this.y) * this.factor]; }
  fromScreen(x, y) { return [this.x + (x - this.width / 2) / this.factor, this.y - (y - this.height / 2) / this.factor]; }
  move(across, down) { this.x -= across / this.factor; this.y += down / this.factor; this.bound(); }
  bound() { this.x = Math.min(1.1, Math.max(-0.1, this.x)); this.y = Math.min(1.1, Math.max(-0.1, this.y)); }
  zoomAt(x, y, times) {
    const [fixedX, fixedY] = this.fromScreen(x, y);
    this.zoom = Math.min(60, Math.max(0.6, this.zoom * times));
    const [nowX, nowY] = this.fromScreen(x, y);
    this.x += fixedX - nowX;
    this.y += fixedY - nowY;
    this.bound();
  }
  // Move only if a point is not to be seen; below `seen` pixels something covers the map.
  show(x, y, seen) {
    const [left, top] = this.onScreen(x, y), edge = 12; // less than is left around the whole map
    if (left < edge || left > this.width - edge) this.x = x;
    if (top < edge || top > this.height - edge) this.y = y - (this.height - seen) / 2 / this.factor;
    else if (top > seen - edge) this.y -= (top - seen + 2 * edge) / this.factor;
  }
}

// Points sorted into squares, so that those near a place are found without looking at all.
class Grid {
  constructor(points) {
    this.points = points;
    this.side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(n / 2))));
    this.start = new Uint32Array(this.side ** 2 + 1);
    this.order = new Uint32Array(n);
    const cell = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      cell[i] = this.line(points[2 * i + 1] / 65535) * this.side + this.line(points[2 * i] / 65535);
      this.start[cell[i] + 1]++;
    }
    for (let k = 0; k < this.side ** 2; k++) this.start[k + 1] += this.start[k];
    const next = this.start.slice();
    for (let i = 0; i < n; i++) this.order[next[cell[i]]++] = i;
  }
  line(value) { return Math.max(0, Math.min(this.side - 1, Math.floor(value * this.side))); }
  // The shown node nearest to a place, within a distance; the last of equal ones. −1 if there is none.
  nearest(x, y, within) {
    let best = -1, least = within * within;
    for (let row = this.line(y - within); row <= this.line(y + within); row++) {
      const from = this.start[row * this.side + this.line(x - within)], to = this.start[row * this.side + this.line(x + within) + 1];
      for (let k = from; k < to; k++) {
        const i = this.order[k];
        if (!isShown(i)) continue;
        const far = (this.points[2 * i] / 65535 - x) ** 2 + (this.points[2 * i + 1] / 65535 - y) ** 2;
        if (far < least || (far === least && i > best)) [best, least] = [i, far];
      }
    }
    return best;
  }
  // Shown nodes within a distance of a node: itself, and the others by their distance.
  around(i, within) {
    const x = this.points[2 * i] / 65535, y = this.points[2 * i + 1] / 65535, found = [];
    for (let row = this.line(y - within); row <= this.line(y + within); row++) {
      const from = this.start[row * this.side + this.line(x - within)], to = this.start[row * this.side + this.line(x + within) + 1];
      for (let k = from; k < to; k++) {
        const other = this.order[k], far = Math.hypot(this.points[2 * other] / 65535 - x, this.points[2 * other + 1] / 65535 - y);
        if (other !== i && far <= within && isShown(other)) found.push([far, other]);
      }
    }
    return [i, ...found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, other]) => other)];
  }
  // All shown nodes at the very place of a node, itself included.
  same(i) {
    const { points } = this, found = [], x = points[2 * i], y = points[2 * i + 1];
    const cell = this.line(y / 65535) * this.side + this.line(x / 65535);
    for (let k = this.start[cell]; k < this.start[cell + 1]; k++) {
      const other = this.order[k];
      if (points[2 * other] === x && points[2 * other + 1] === y && isShown(other)) found.push(other);
    }
    return found;
  }
  // The nearest shown node in a direction; one straight ahead is preferred to a nearer one aside.
  towards(i, across, up) {
    const { points } = this;
    let best = -1, least = Infinity;
    for (let other = 0; other < n; other++) {
      const x = points[2 * other] - points[2 * i], y = points[2 * other + 1] - points[2 * i + 1];
      const ahead = x * across + y * up, aside = Math.abs(x * up - y * across);
      if (ahead <= 0 || aside > 1.5 * ahead || !isShown(other)) continue;
      const cost = ahead + 2 * aside;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }
  // Shown nodes inside a polygon, by how often a ray from each crosses it.
  inside(polygon) {
    const found = [];
    for (let i = 0; i < n; i++) {
      if (!isShown(i)) continue;
      const x = this.points[2 * i] / 65535, y = this.points[2 * i + 1] / 65535;
      let within = false;
      for (let a = 0, b = polygon.length - 1; a < polygon.length; b = a++) {
        const [fromX, fromY] = polygon[a], [toX, toY] = polygon[b];
        if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) within = !within;
      }
      if (within) found.push(i);
    }
    return found;
  }
}
