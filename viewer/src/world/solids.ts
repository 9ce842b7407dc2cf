import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  Group,
  Mesh,
  NearestFilter,
  Points,
  RedFormat,
  RGBAFormat,
  ShaderMaterial,
  Sphere,
  UnsignedByteType,
} from "three";
import { classColour } from "../data/colours.ts";
import { OPEN, type Row } from "../data/rows.ts";
import type { Shared } from "./uniforms.ts";

/** 0 nothing, 1 lit by an answer, 2 selected, 3 under the pointer. */
export type Mark = 0 | 1 | 2 | 3;

/** Boxes in a line of the textures, and values of one: see VERTEX. */
const BOXES_A_LINE = 400;
const TEXELS = 5;

/**
 * A box shows at most three of its sides: seven corners, selected by the viewing direction for each box. A side that
 * still faces away (the eye is between its planes) is discarded. Edges are drawn by a pixel's distance to one, not as
 * lines. A box's data is read from a texture by the vertex number: software renderers take as long for an instance as
 * for a draw call.
 */
const VERTEX = /* glsl */ `
uniform float uTime, uAgeSpan, uScale;
uniform int uColouring;
uniform vec2 uStorey;
uniform vec3 uEye;
uniform highp sampler2D uBoxes; // see rowOf
uniform sampler2D uMarks;
varying vec3 vLocal;
flat varying vec4 vColour;
flat varying vec4 vSide;  // which axis it faces along, and how much light falls on it; no light: it looks away
flat varying vec2 vState; // 1 at rest, 2 on its way, 3 ghost; mark

vec3 ramp(float s) {
  vec3 fresh = vec3(0.16, 0.62, 0.48), middle = vec3(0.87, 0.68, 0.24), old = vec3(0.72, 0.33, 0.30);
  return s < 0.5 ? mix(fresh, middle, s * 2.0) : mix(middle, old, s * 2.0 - 1.0);
}

void main() {
  int box = gl_VertexID >> 3, corner = gl_VertexID & 7;
  ivec2 at = ivec2((box % ${BOXES_A_LINE}) * ${TEXELS}, box / ${BOXES_A_LINE});
  vec4 times = texelFetch(uBoxes, at, 0);                  // from, shown to, last seen, absent from
  vec4 before = texelFetch(uBoxes, at + ivec2(1, 0), 0);   // where it was before, and when it left
  vec4 look = texelFetch(uBoxes, at + ivec2(2, 0), 0);     // ghost to, colour, confidence
  float state = 0.0;
  if (uTime >= times.x && uTime < times.y) state = 1.0;
  else if (uTime >= before.w && uTime < times.x) state = 2.0;
  else if (uTime >= times.w && uTime < look.x && uTime >= times.x) state = 3.0;
  vec4 place = texelFetch(uBoxes, at + ivec2(3, 0), 0);    // middle, cosine of its turn
  vec3 middle = place.xyz;
  if (state == 2.0) {
    float s = smoothstep(before.w, times.x, uTime);
    middle = mix(before.xyz, place.xyz, s);
    middle.z += sin(3.1415927 * s) * 0.35;
  }
  vState = vec2(state, floor(texelFetch(uMarks, ivec2(box % ${BOXES_A_LINE}, box / ${BOXES_A_LINE}), 0).x * 255.0 + 0.5));
  if (state == 0.0 || middle.z < uStorey.x || middle.z > uStorey.y) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec4 extent = texelFetch(uBoxes, at + ivec2(4, 0), 0);   // half of its size, sine of its turn
  vec3 bits = vec3(corner & 1, (corner >> 1) & 1, corner >> 2);
  vec3 normal_ = 1.0 - bits;
  float age = sqrt(clamp((uTime - times.z) / uAgeSpan, 0.0, 1.0));
  int rgb = int(look.y);
  vec3 tint = uColouring == 0 ? vec3(rgb >> 16, (rgb >> 8) & 255, rgb & 255) / 255.0 : uColouring == 1 ? ramp(age) : ramp(1.0 - look.z);
  vColour = vec4(tint, mix(0.35, 1.0, look.z) * mix(1.0, 0.55, age));
#ifdef AS_POINT
  vec4 view = viewMatrix * vec4(middle, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = clamp(1.5 * max(extent.x, max(extent.y, extent.z)) * uScale / max(-view.z, 0.1), 1.5, 24.0);
  return;
#endif
  float c = place.w, n = extent.w;
  vec3 out_ = uEye - middle;
  vec3 eye = vec3(c * out_.x + n * out_.y, c * out_.y - n * out_.x, out_.z);
  vec3 side = vec3(eye.x < 0.0 ? -1.0 : 1.0, eye.y < 0.0 ? -1.0 : 1.0, eye.z < 0.0 ? -1.0 : 1.0);
  vLocal = (1.0 - 2.0 * bits) * side;
  vec3 arm = vLocal * extent.xyz;
  vec3 world = middle + vec3(c * arm.x - n * arm.y, n * arm.x + c * arm.y, arm.z);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
  vec3 facing = normal_ * side;
  vec3 turned = vec3(c * facing.x - n * facing.y, n * facing.x + c * facing.y, facing.z);
  float light = 0.74 + 0.26 * dot(turned, vec3(0.348, -0.497, 0.795));
  vSide = vec4(normal_, dot(facing, eye) > dot(normal_, extent.xyz) ? light : 0.0);
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uInk, uAccent, uSelect;
uniform float uFill, uLine, uHasLit, uIsDark;
varying vec3 vLocal;
flat varying vec4 vColour, vSide;
flat varying vec2 vState;
void main() {
#ifdef AS_POINT
  gl_FragColor = vec4(vState.y > 1.5 ? uSelect : vState.y > 0.5 ? uAccent : vColour.rgb, vState.x > 2.5 ? 0.1 : min(1.0, 1.6 * uFill) * vColour.a);
  return;
#endif
  if (vSide.w == 0.0) discard;
  bool isGhost = vState.x > 2.5;
  float mark = vState.y;
  // Pixels to the nearest edge of this side; of a side a few pixels wide nothing but edge would be left, so it fades there.
  vec3 slope = max(fwidth(vLocal), 1e-6);
  vec3 far = (1.0 - abs(vLocal)) / slope + vSide.xyz * 1e4;
  float near = min(far.x, min(far.y, far.z));
  vec3 across = 2.0 / slope + vSide.xyz * 1e4;
  float width = mark > 0.5 ? 1.2 : 0.4;
  float line = (1.0 - smoothstep(width, width + 1.0, near)) * (mark > 0.5 ? 1.0 : smoothstep(2.0, 9.0, min(across.x, min(across.y, across.z))));
  vec3 lineColour = uIsDark > 0.5 ? mix(vColour.rgb, vec3(1.0), 0.25) : vColour.rgb * 0.55;
  float lineAlpha = vColour.a * uLine * (uHasLit > 0.5 ? 0.4 : 0.85);
  vec3 colour = vColour.rgb * vSide.w;
  float alpha = uFill * vColour.a;
  if (uHasLit > 0.5 && mark < 0.5) alpha *= 0.35;
  if (vState.x > 1.5) alpha *= 0.8;
  if (isGhost) {
    colour = lineColour = uInk;
    alpha = 0.05;
    lineAlpha = 0.65;
    line *= step(fract(dot(vLocal, vec3(4.0))), 0.55);
  }
  if (mark > 1.5) { colour = mix(colour, uSelect * vSide.w, 0.55); alpha = mark < 2.5 ? 0.72 : 0.55; lineColour = uSelect; lineAlpha = 1.0; }
  else if (mark > 0.5) { colour = mix(colour, uAccent * vSide.w, 0.85); alpha = isGhost ? 0.22 : 0.82; lineColour = uAccent; lineAlpha = 1.0; }
  // Without a fill of its own this is an outline through whatever stands before it.
  alpha = uFill == 0.0 ? 0.0 : alpha;
  gl_FragColor = vec4(mix(colour, lineColour, line), max(alpha, line * lineAlpha));
}`;

/**
 * Corners by number: three bits say on which side of the box each lies, 0 being the nearest. Two triangles per side;
 * the last corner of each is that side's alone, and carries its flat attributes.
 */
const SIDES = [0, 4, 6, 2, 0, 6, 0, 1, 5, 4, 0, 5, 0, 2, 3, 1, 0, 3];

const MOST_OUTLINED = 1_024;

/** Every state of every thing, each once, in two draw calls; one uniform, the time, decides which are shown. */
export class Solids {
  readonly object = new Group();
  rows: readonly Row[] = [];
  readonly #boxes: Boxes;
  /** Highlighted or selected things are outlined through whatever is in front of them. */
  readonly #through: Boxes;
  #marked: number[] = [];
  /** Which rows a track has. */
  #numbers = new Map<string, number[]>();

  constructor(shared: Shared) {
    this.#boxes = new Boxes(shared, 0.3, true);
    this.#through = new Boxes(shared, 0, false);
    this.#through.mesh.renderOrder = 1;
    this.object.add(this.#boxes.dots, this.#boxes.mesh, this.#through.mesh);
  }

  set(rows: readonly Row[]): void {
    this.rows = rows;
    this.#marked = [];
    this.#numbers = new Map();
    for (const [n, { track }] of rows.entries()) {
      const numbers = this.#numbers.get(track);
      if (numbers) numbers.push(n);
      else this.#numbers.set(track, [n]);
    }
    this.#boxes.set(rows);
  }

  /** Draws this many of the largest as boxes and the others as dots of their size, for a slow machine; see `Pace`. */
  detail(boxes: number, pixelsAMetre: number): void {
    this.#boxes.detail(boxes, pixelsAMetre);
  }

  /** With surfaces, things in front of them are drawn as glass; without, they are solid. */
  asGlass(isGlass: boolean): void {
    const { material } = this.#boxes;
    material.uniforms["uFill"]!.value = isGlass ? 0.26 : 0.96;
    material.uniforms["uLine"]!.value = isGlass ? 0.85 : 1;
    material.depthWrite = !isGlass;
  }

  /** Marks things by their tracks, and removes earlier marks. */
  mark(marks: ReadonlyMap<string, Mark>): void {
    const had = this.#marked;
    this.#marked = [...marks.keys()].flatMap((track) => this.#numbers.get(track) ?? []);
    if (had.length === 0 && this.#marked.length === 0) return;
    for (const n of had) this.#boxes.mark(n, 0);
    for (const n of this.#marked) this.#boxes.mark(n, marks.get(this.rows[n]!.track)!);
    const rows = this.#marked.slice(0, MOST_OUTLINED).map((n) => this.rows[n]!);
    this.#through.set(rows);
    for (const [n, { track }] of rows.entries()) this.#through.mark(n, marks.get(track)!);
  }
}

/** Boxes of rows in one draw call, largest first; or the first of them, with dots for the others. */
class Boxes {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly dots: Points<BufferGeometry, ShaderMaterial>;
  readonly material: ShaderMaterial;
  #boxes = textureOf(new Float32Array(4 * TEXELS * BOXES_A_LINE), TEXELS, 1);
  #marks = textureOf(new Uint8Array(BOXES_A_LINE), 1, 1);
  /** Which box a row is. */
  #numbers = new Uint32Array();

  constructor(shared: Shared, fill: number, depthTest: boolean) {
    const uniforms = {
      ...shared,
      uFill: { value: fill },
      uLine: { value: 1 },
      uScale: { value: 1 },
      uBoxes: { value: null },
      uMarks: { value: null },
    };
    const drawn = {
      uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      depthTest,
      side: DoubleSide,
      forceSinglePass: true,
    } as const;
    this.material = new ShaderMaterial(drawn);
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.dots = new Points(
      new BufferGeometry(),
      new ShaderMaterial({ ...drawn, uniforms, defines: { AS_POINT: "" } }),
    );
    for (const object of [this.mesh, this.dots]) {
      object.frustumCulled = false;
      object.visible = false;
    }
  }

  set(rows: readonly Row[]): void {
    for (const held of [this.#boxes, this.#marks, this.mesh.geometry, this.dots.geometry]) held.dispose();
    const lines = Math.max(1, Math.ceil(rows.length / BOXES_A_LINE));
    const order = bySize(rows);
    this.#numbers = new Uint32Array(rows.length);
    for (const [box, row] of order.entries()) this.#numbers[row] = box;
    this.#boxes = textureOf(valuesOf(rows, order, lines), TEXELS, lines);
    this.#marks = textureOf(new Uint8Array(BOXES_A_LINE * lines), 1, lines);
    const { uniforms } = this.material;
    uniforms["uBoxes"]!.value = this.#boxes;
    uniforms["uMarks"]!.value = this.#marks;
    this.mesh.geometry = numbersOf(rows.length, SIDES);
    this.dots.geometry = numbersOf(rows.length, [0]);
    this.detail(Infinity, 1);
  }

  detail(boxes: number, pixelsAMetre: number): void {
    const all = this.#numbers.length;
    const first = Math.min(boxes, all);
    this.mesh.geometry.setDrawRange(0, SIDES.length * first);
    this.mesh.visible = first > 0;
    this.dots.geometry.setDrawRange(first, all - first);
    this.dots.visible = first < all;
    this.material.uniforms["uScale"]!.value = pixelsAMetre;
  }

  mark(row: number, mark: Mark): void {
    (this.#marks.image.data as Uint8Array)[this.#numbers[row]!] = mark;
    this.#marks.needsUpdate = true;
  }
}

function bySize(rows: readonly Row[]): Uint32Array {
  const bulk = Float32Array.from(rows, ({ size }) => size[0] * size[1] * size[2]);
  return Uint32Array.from(rows, (_, n) => n).sort((a, b) => bulk[b]! - bulk[a]!);
}

function textureOf(
  values: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>,
  texels: number,
  lines: number,
): DataTexture {
  const isBytes = values instanceof Uint8Array;
  const texture = new DataTexture(
    values,
    texels * BOXES_A_LINE,
    lines,
    isBytes ? RedFormat : RGBAFormat,
    isBytes ? UnsignedByteType : FloatType,
  );
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Vertex numbers only: eight per box, of which the given ones are drawn. */
function numbersOf(boxes: number, corners: readonly number[]): BufferGeometry {
  const index = new Uint32Array(corners.length * boxes);
  for (let box = 0, at = 0; box < boxes; box++) for (const corner of corners) index[at++] = 8 * box + corner;
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.boundingSphere = new Sphere();
  return geometry;
}

function valuesOf(rows: readonly Row[], order: Uint32Array, lines: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(4 * TEXELS * BOXES_A_LINE * lines);
  const colours = new Map<string, number>();
  for (let n = 0, at = 0; n < rows.length; n++, at += 4 * TEXELS) {
    const row = rows[order[n]!]!;
    let colour = colours.get(row.category);
    if (colour === undefined) {
      const [r, g, b] = row.type === "person" ? PERSON : classColour(row.category);
      colour = (Math.round(r * 255) << 16) | (Math.round(g * 255) << 8) | Math.round(b * 255);
      colours.set(row.category, colour);
    }
    const before = row.before ?? row;
    values[at] = row.from;
    values[at + 1] = row.shownTo;
    values[at + 2] = row.lastSeen;
    values[at + 3] = row.absent;
    values[at + 4] = before.x;
    values[at + 5] = before.y;
    values[at + 6] = before.z;
    values[at + 7] = row.before ? row.departs : OPEN;
    values[at + 8] = row.ghostTo;
    values[at + 9] = colour;
    values[at + 10] = row.confidence;
    values[at + 12] = row.x;
    values[at + 13] = row.y;
    values[at + 14] = row.z;
    values[at + 15] = Math.cos(row.yaw);
    values[at + 16] = row.size[0] / 2;
    values[at + 17] = row.size[1] / 2;
    values[at + 18] = row.size[2] / 2;
    values[at + 19] = Math.sin(row.yaw);
  }
  return values;
}

const PERSON = [0.93, 0.42, 0.45] as const;
