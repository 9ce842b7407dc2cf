import {
  BoxGeometry,
  type BufferGeometry,
  DynamicDrawUsage,
  EdgesGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LineSegments,
  Mesh,
  ShaderMaterial,
} from "three";
import { classColour } from "../data/colours.ts";
import { OPEN, type Row } from "../data/rows.ts";
import type { Shared } from "./uniforms.ts";

/** 0 nothing, 1 lit by an answer, 2 selected, 3 under the pointer. */
export type Mark = 0 | 1 | 2 | 3;

const COMMON = /* glsl */ `
uniform float uTime, uAgeSpan, uHasLit, uIsDark;
uniform int uColouring;
uniform vec2 uStorey;
uniform vec3 uInk, uPaper, uAccent, uSelect;
attribute vec4 place;   // middle, yaw
attribute vec3 extent;
attribute vec4 before;  // where it was before, and when it was last seen there
attribute vec4 times;   // from, shown to, last seen, absent from
attribute vec2 ends;    // ghost to, mark
attribute vec4 look;    // colour, confidence
varying vec4 vColour;
varying float vState;   // 1 at rest, 2 on its way, 3 ghost
varying float vMark;

vec3 ramp(float s) {
  vec3 fresh = vec3(0.16, 0.62, 0.48), middle = vec3(0.87, 0.68, 0.24), old = vec3(0.72, 0.33, 0.30);
  return s < 0.5 ? mix(fresh, middle, s * 2.0) : mix(middle, old, s * 2.0 - 1.0);
}

bool stand(out vec3 world, vec3 corner) {
  vState = 0.0;
  if (uTime >= times.x && uTime < times.y) vState = 1.0;
  else if (uTime >= before.w && uTime < times.x) vState = 2.0;
  else if (uTime >= times.w && uTime < ends.x && uTime >= times.x) vState = 3.0;
  vec3 middle = place.xyz;
  if (vState == 2.0) {
    float s = smoothstep(before.w, times.x, uTime);
    middle = mix(before.xyz, place.xyz, s);
    middle.z += sin(3.1415927 * s) * 0.35;
  }
  vMark = ends.y;
  float c = cos(place.w), n = sin(place.w);
  vec3 arm = corner * extent;
  world = middle + vec3(c * arm.x - n * arm.y, n * arm.x + c * arm.y, arm.z);
  float age = clamp((uTime - times.z) / uAgeSpan, 0.0, 1.0);
  vec3 tint = uColouring == 0 ? look.rgb : uColouring == 1 ? ramp(sqrt(age)) : ramp(1.0 - look.w);
  float sure = mix(0.35, 1.0, look.w) * mix(1.0, 0.55, sqrt(age));
  vColour = vec4(tint, sure);
  return vState > 0.0 && middle.z >= uStorey.x && middle.z <= uStorey.y;
}`;

const FILL_VERTEX = `${COMMON}
varying vec3 vNormal;
void main() {
  vec3 world;
  bool shows = stand(world, position);
  float c = cos(place.w), n = sin(place.w);
  vNormal = vec3(c * normal.x - n * normal.y, n * normal.x + c * normal.y, normal.z);
  gl_Position = shows ? projectionMatrix * viewMatrix * vec4(world, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FILL_FRAGMENT = /* glsl */ `
uniform vec3 uPaper, uAccent, uSelect, uInk;
uniform float uFill, uHasLit;
varying vec4 vColour;
varying float vState, vMark;
varying vec3 vNormal;
void main() {
  float light = 0.74 + 0.26 * dot(normalize(vNormal), normalize(vec3(0.35, -0.5, 0.8)));
  vec3 colour = vColour.rgb * light;
  float alpha = uFill * vColour.a;
  if (uHasLit > 0.5 && vMark < 0.5) alpha *= 0.35;
  if (vState > 1.5 && vState < 2.5) alpha *= 0.8;
  if (vState > 2.5) { colour = uInk; alpha = 0.05; }
  if (vMark > 0.5) { colour = mix(colour, uAccent * light, vMark < 1.5 ? 0.85 : 0.0); alpha = vState > 2.5 ? 0.22 : 0.82; }
  if (vMark > 1.5) { colour = mix(colour, uSelect * light, 0.55); alpha = vMark < 2.5 ? 0.72 : 0.55; }
  gl_FragColor = vec4(colour, alpha);
}`;

const LINE_VERTEX = `${COMMON}
varying float vAlong;
void main() {
  vec3 world;
  bool shows = stand(world, position);
  vAlong = dot(position, vec3(1.0)) * dot(extent, vec3(0.6));
  gl_Position = shows ? projectionMatrix * viewMatrix * vec4(world, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const LINE_FRAGMENT = /* glsl */ `
uniform vec3 uInk, uPaper, uAccent, uSelect;
uniform float uHasLit, uIsDark, uLine;
varying vec4 vColour;
varying float vState, vMark, vAlong;
void main() {
  vec3 colour = uIsDark > 0.5 ? mix(vColour.rgb, vec3(1.0), 0.25) : vColour.rgb * 0.55;
  float alpha = vColour.a * uLine * (uHasLit > 0.5 ? 0.4 : 0.9);
  if (vState > 2.5) {
    if (fract(vAlong * 14.0) > 0.55) discard;
    colour = uInk;
    alpha = 0.65;
  }
  if (vMark > 0.5) { colour = vMark < 1.5 ? uAccent : uSelect; alpha = 1.0; }
  gl_FragColor = vec4(colour, alpha);
}`;

/** Beyond so many changed rows the whole column is sent. */
const MOST_RANGES = 256;

const MOST_OUTLINED = 1_024;

const ATTRIBUTES = { place: 4, extent: 3, before: 4, times: 4, ends: 2, look: 4 } as const;
type Columns = Record<keyof typeof ATTRIBUTES, InstancedBufferAttribute>;

/** Every state of every thing, each once, in three draw calls; which of them show is a matter of one uniform, the time. */
export class Solids {
  readonly object = new Group();
  rows: readonly Row[] = [];
  readonly #fill: ShaderMaterial;
  readonly #line: ShaderMaterial;
  readonly #meshes: readonly (Mesh | LineSegments)[];
  readonly #through: LineSegments;
  #columns: Columns | null = null;
  #marked: number[] = [];
  /** Which rows a track has. */
  #numbers = new Map<string, number[]>();

  constructor(shared: Shared) {
    const common = { transparent: true, depthWrite: false };
    const fill = { ...shared, uFill: { value: 0.3 } };
    const line = { ...shared, uLine: { value: 1 } };
    this.#fill = new ShaderMaterial({
      uniforms: fill,
      vertexShader: FILL_VERTEX,
      fragmentShader: FILL_FRAGMENT,
      ...common,
    });
    this.#line = new ShaderMaterial({
      uniforms: line,
      vertexShader: LINE_VERTEX,
      fragmentShader: LINE_FRAGMENT,
      ...common,
    });
    // What is lit or selected is outlined through whatever stands before it.
    const through = new ShaderMaterial({
      ...common,
      uniforms: line,
      vertexShader: LINE_VERTEX,
      fragmentShader: LINE_FRAGMENT,
      depthTest: false,
    });
    const box = new BoxGeometry(1, 1, 1);
    this.#meshes = [
      new Mesh(instanced(box), this.#fill),
      new LineSegments(instanced(new EdgesGeometry(box)), this.#line),
    ];
    this.#through = new LineSegments(instanced(new EdgesGeometry(box)), through);
    for (const [order, mesh] of [...this.#meshes, this.#through].entries()) {
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.object.add(mesh);
    }
  }

  /** While the map moves on a slow machine boxes do without their edges, which cost most. */
  set hasEdges(value: boolean) {
    this.#meshes[1]!.visible = value;
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
    const columns = columnsOf(rows);
    this.#columns = columns;
    for (const mesh of this.#meshes) fill(mesh, columns, rows.length);
  }

  /** With the surfaces shown things are glass before them; without, they are solid. */
  asGlass(isGlass: boolean): void {
    this.#fill.uniforms["uFill"]!.value = isGlass ? 0.26 : 0.96;
    this.#fill.depthWrite = !isGlass;
    this.#line.uniforms["uLine"]!.value = isGlass ? 0.85 : 1;
  }

  /** Marks things by their tracks, and takes back the marks before; only what changed goes to the card. */
  mark(marks: ReadonlyMap<string, Mark>): void {
    const ends = this.#columns?.ends;
    if (!ends) return;
    const changed = [...this.#marked];
    for (const n of this.#marked) ends.setY(n, 0);
    this.#marked = [];
    for (const [track, mark] of marks) {
      for (const n of this.#numbers.get(track) ?? []) {
        ends.setY(n, mark);
        this.#marked.push(n);
      }
    }
    changed.push(...this.#marked);
    if (changed.length <= MOST_RANGES) for (const n of changed) ends.addUpdateRange(2 * n, 2);
    ends.needsUpdate = changed.length > 0;
    this.#outline(marks);
  }

  /** The few that are marked, once more by themselves. */
  #outline(marks: ReadonlyMap<string, Mark>): void {
    const rows = this.#marked.slice(0, MOST_OUTLINED).map((n) => this.rows[n]!);
    const columns = columnsOf(rows);
    for (const [n, { track }] of rows.entries()) columns.ends.setY(n, marks.get(track) ?? 0);
    fill(this.#through, columns, rows.length);
  }
}

function fill(mesh: Mesh | LineSegments, columns: Columns, count: number): void {
  const bare = mesh.geometry as InstancedBufferGeometry;
  const geometry = instanced(bare);
  for (const [name, column] of Object.entries(columns)) geometry.setAttribute(name, column);
  geometry.instanceCount = count;
  bare.dispose();
  mesh.geometry = geometry;
}

function instanced(from: BufferGeometry): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(from.getIndex());
  for (const name of ["position", "normal"]) {
    const attribute = from.getAttribute(name);
    if (attribute) geometry.setAttribute(name, attribute);
  }
  geometry.instanceCount = 0;
  return geometry;
}

function columnsOf(rows: readonly Row[]): Columns {
  const columns = Object.fromEntries(
    Object.entries(ATTRIBUTES).map(([name, width]) => [
      name,
      new InstancedBufferAttribute(new Float32Array(rows.length * width), width),
    ]),
  ) as Columns;
  columns.ends.setUsage(DynamicDrawUsage);
  const colours = new Map<string, [number, number, number]>();
  for (const [n, row] of rows.entries()) {
    let colour = colours.get(row.category);
    if (colour === undefined) {
      colour = row.type === "person" ? [0.93, 0.42, 0.45] : classColour(row.category);
      colours.set(row.category, colour);
    }
    columns.place.setXYZW(n, row.x, row.y, row.z, row.yaw);
    columns.extent.setXYZ(n, ...row.size);
    const { x, y, z } = row.before ?? row;
    columns.before.setXYZW(n, x, y, z, row.before ? row.departs : OPEN);
    columns.times.setXYZW(n, row.from, row.shownTo, row.lastSeen, row.absent);
    columns.ends.setXY(n, row.ghostTo, 0);
    columns.look.setXYZW(n, ...colour, row.confidence);
  }
  return columns;
}
