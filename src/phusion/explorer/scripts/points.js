// Drawing the points: by WebGL, or on a plain canvas where there is none.

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
varying vec4 tint; uniform float size;
void main() {
  if (tint.a == 0.0) discard;
  float far = length(gl_PointCoord - 0.5) * size;
  float cover = clamp(size * 0.5 - far, 0.0, 1.0) * 0.88;
  gl_FragColor = vec4(tint.rgb * cover, cover);
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
    this.at = Object.fromEntries(["scale", "offset", "size"].map(name => [name, gl.getUniformLocation(program, name)]));
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
    gl.drawArrays(gl.POINTS, 0, n);
  }
}

class PlainPoints {
  constructor(canvas) { this.canvas = canvas; this.context = canvas.getContext("2d"); }
  setPlaces(points) { this.points = points; }
  setColours() {
    this.groups = new Map(); // one change of colour for each group, not for each point
    for (let i = 0; i < n; i++) {
      if (!isShown(i)) continue;
      const colour = colourOf(i);
      if (!this.groups.has(colour)) this.groups.set(colour, []);
      this.groups.get(colour).push(i);
    }
  }
  draw(view, ratio, radius) {
    const { context, canvas, points } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = 0.88;
    const round = radius >= 2.5 && n <= 5000;
    for (const [colour, some] of this.groups) {
      context.fillStyle = colour;
      context.beginPath();
      for (const i of some) {
        const [x, y] = view.onScreen(points[2 * i] / 65535, points[2 * i + 1] / 65535);
        if (x < -9 || y < -9 || x > view.width + 9 || y > view.height + 9) continue;
        if (round) { context.moveTo(x + radius, y); context.arc(x, y, radius, 0, 7); }
        else context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      }
      context.fill();
    }
  }
}

function pointsOn(canvas) {
  const gl = canvas.getContext("webgl", { antialias: false, premultipliedAlpha: true });
  if (gl) {
    try { return new GlPoints(canvas, gl); } catch { // a canvas that had one kind of context never gets another
      const fresh = canvas.cloneNode();
      canvas.replaceWith(fresh);
      return new PlainPoints(fresh);
    }
  }
  return new PlainPoints(canvas);
}
