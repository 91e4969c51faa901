// Drawing the points: by WebGL, or on a plain canvas where there is none.

const MANY = 2000; // points from which single discs are slow

// Points have their class's colour alone, whatever is below; a thin rim tells large ones apart that overlap.
function rimOf(radius) { return radius > 4 ? 1 : 0; }
// While they are few, those with more neighbours lie above others.
const upwards = n <= MANY ? Array.from({ length: n }, (_, i) => i).sort((a, b) => edges.count[a] - edges.count[b] || a - b) : [];

const VERTEX = `
attribute vec2 place; attribute vec4 colour;
uniform vec2 scale, offset; uniform mediump float size;
varying vec4 tint;
void main() {
  gl_Position = vec4(place * scale + offset, 0.0, 1.0);
  gl_PointSize = colour.a > 0.0 ? size : 0.0;
  tint = colour;
}`;
const FRAGMENT = `
precision mediump float;
varying vec4 tint; uniform float size, rim; uniform vec3 paper;
void main() {
  if (tint.a == 0.0) discard;
  float far = length(gl_PointCoord - 0.5) * size;
  float cover = clamp(size * 0.5 - far, 0.0, 1.0), inside = clamp(size * 0.5 - rim - far, 0.0, 1.0);
  gl_FragColor = vec4(mix(paper, tint.rgb, inside) * cover, cover);
}`;

class GlPoints {
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error("the shaders do not work here");
    gl.useProgram(program);
    this.at = Object.fromEntries(["scale", "offset", "size", "rim", "paper"].map(name => [name, gl.getUniformLocation(program, name)]));
    this.buffers = [["place", 2, gl.UNSIGNED_SHORT], ["colour", 4, gl.UNSIGNED_BYTE]].map(([name, width, kind]) => {
      const buffer = gl.createBuffer(), place = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, kind, true, 0, 0);
      return buffer;
    });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
  load(which, values) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[which]);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  }
  setPlaces(points) { this.load(0, points); }
  setColours() { this.load(1, colours); }
  draw(view, ratio, radius) {
    const { gl, canvas } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const across = 2 * view.factor / view.width, up = 2 * view.factor / view.height;
    gl.uniform2f(this.at.scale, across, up);
    gl.uniform2f(this.at.offset, -view.x * across, -view.y * up);
    gl.uniform1f(this.at.size, 2 * radius * ratio + 1);
    gl.uniform1f(this.at.rim, rimOf(radius) * ratio);
    gl.uniform3f(this.at.paper, ...rgb(ink().halo).map(value => value / 255));
    if (n <= MANY) for (const i of upwards) gl.drawArrays(gl.POINTS, i, 1);
    else gl.drawArrays(gl.POINTS, 0, n);
  }
}

// Without WebGL: discs while they are few, and the bytes of the picture itself when they are many.
class PlainPoints {
  constructor(canvas) { this.canvas = canvas; this.context = canvas.getContext("2d"); }
  setPlaces(points) { this.points = points; }
  setColours() {}
  draw(view, ratio, radius) {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    if (n <= MANY) this.drawDiscs(view, ratio, radius); else this.drawBytes(view, ratio, radius);
  }
  drawDiscs(view, ratio, radius) {
    const { context, canvas, points } = this;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.scale(ratio, ratio);
    context.strokeStyle = ink().halo;
    context.lineWidth = rimOf(radius);
    for (const i of upwards) {
      if (!isShown(i)) continue;
      context.fillStyle = colourOf(i);
      context.beginPath();
      context.arc(...view.onScreen(points[2 * i] / 65535, points[2 * i + 1] / 65535), radius, 0, 7);
      context.fill();
      if (rimOf(radius)) context.stroke();
    }
  }
  drawBytes(view, ratio, radius) {
    const { context, canvas, points } = this, { width, height } = canvas;
    if (this.image?.width !== width || this.image?.height !== height) this.image = context.createImageData(width, height);
    const pixels = new Uint32Array(this.image.data.buffer), tints = new Uint32Array(colours.buffer);
    pixels.fill(0);
    const reach = Math.max(1, Math.round(radius * ratio)), spans = [];
    for (let row = -reach; row <= reach; row++) spans.push([row, Math.floor(Math.sqrt((reach + 0.3) ** 2 - row * row))]);
    const factor = (view.factor * ratio) / 65535, left = width / 2 - view.x * view.factor * ratio, low = height / 2 + view.y * view.factor * ratio;
    for (let i = 0; i < n; i++) {
      const tint = tints[i];
      if (tint >>> 24 === 0) continue; // red is the lowest byte, whether it is shown the highest
      const x = Math.round(left + points[2 * i] * factor), y = Math.round(low - points[2 * i + 1] * factor);
      if (x < reach || y < reach || x >= width - reach || y >= height - reach) continue;
      const colour = ((tint & 0xffffff) | 0xff000000) >>> 0;
      for (const [row, half] of spans) {
        const middle = (y + row) * width + x;
        for (let at = middle - half; at <= middle + half; at++) pixels[at] = colour;
      }
    }
    context.putImageData(this.image, 0, 0);
  }
}

// WebGL that only imitates a graphics card is slower than none.
function pointsOn(canvas) {
  const gl = canvas.getContext("webgl", { antialias: false, premultipliedAlpha: true, failIfMajorPerformanceCaveat: true });
  if (gl) {
    try { return new GlPoints(canvas, gl); } catch { // a canvas that had one kind of context never gets another
      const fresh = canvas.cloneNode();
      canvas.replaceWith(fresh);
      return new PlainPoints(fresh);
    }
  }
  return new PlainPoints(canvas);
}
