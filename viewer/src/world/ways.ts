import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  Group,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { WaysBlock } from "../../../src/exchange/feed/decode.ts";
import { robotsOf } from "../data/robots.ts";
import type { Row } from "../data/rows.ts";
import { type Loaded, shownMap } from "../data/store.ts";
import type { Shared } from "./uniforms.ts";

const VERTEX = /* glsl */ `
attribute vec3 tint;
attribute float at;
uniform float uTime;
varying vec3 vTint;
varying float vAge;
varying float vZ;
void main() {
  vTint = tint;
  vAge = uTime - at;
  vZ = position.z;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform float uFade, uLeast, uHasLit;
uniform vec2 uStorey;
varying vec3 vTint;
varying float vAge, vZ;
void main() {
  if (vAge < 0.0 || vZ < uStorey.x || vZ > uStorey.y) discard;
  gl_FragColor = vec4(vTint, max(exp(-vAge / uFade), uLeast) * (uHasLit > 0.5 ? 0.45 : 1.0));
}`;

/** A robot or person: its position at a time, for its mark and its name. */
export interface Walker {
  readonly id: string;
  readonly name: string;
  readonly type: "agent" | "person" | "mover";
  readonly colour: string;
  readonly mark: Group;
  readonly times: readonly number[];
  readonly places: readonly Vector3[];
  readonly turns: readonly (Quaternion | null)[];
}

/** A robot's mark is shown only while it observes, and shortly after. */
const LINGER_S = 20;
/** Two trajectory points farther apart in time than this are not connected. */
const BREAK_S = 60;
/** Camera height when following a robot: high enough to look into the rooms. */
const BEHIND_M = 5;
const ABOVE_M = 5.5;
const AHEAD_M = 1.2;
/** Cameras are at eye height; trajectories are drawn on the ground. */
const EYE_M = 1.5;

/**
 * The trajectories of robots and people in one draw call, the arcs of moved things in another, and a mark for each
 * walker.
 */
export class Ways {
  readonly object = new Group();
  walkers: readonly Walker[] = [];
  readonly #lines: LineSegments;
  readonly #arcs: LineSegments;
  readonly #marks = new Group();

  constructor(shared: Shared) {
    const material = (fade: number, least: number, more = {}) =>
      new ShaderMaterial({
        uniforms: { ...shared, uFade: { value: fade }, uLeast: { value: least }, ...more },
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthWrite: false,
      });
    this.#lines = new LineSegments(new BufferGeometry(), material(90, 0.22));
    this.#arcs = new LineSegments(new BufferGeometry(), material(600, 0.6, { uHasLit: { value: 0 } }));
    for (const lines of [this.#lines, this.#arcs]) lines.frustumCulled = false;
    this.object.add(this.#lines, this.#arcs, this.#marks);
  }

  set(found: Loaded): void {
    this.walkers = walkersOf(found);
    this.#marks.clear();
    for (const { mark } of this.walkers) this.#marks.add(mark);
    replace(this.#lines, linesOf(this.walkers));
    replace(this.#arcs, arcsOf(found.rows));
  }

  /** The camera position and target for following a walker: behind and above it. */
  behind(id: string, time: number): { eye: Vector3; target: Vector3 } | null {
    const walker = this.walkers.find((one) => one.id === id);
    const place = walker && placeOf(walker, time);
    if (!place?.turn) return null;
    const ahead = new Vector3(0, 0, 1).applyQuaternion(place.turn).setZ(0);
    if (ahead.lengthSq() < 1e-4) return null;
    ahead.normalize();
    return {
      eye: place.at
        .clone()
        .addScaledVector(ahead, -BEHIND_M)
        .add(new Vector3(0, 0, ABOVE_M)),
      target: place.at
        .clone()
        .addScaledVector(ahead, AHEAD_M)
        .setZ(place.at.z - 0.8),
    };
  }

  /** Moves every walker's mark to its position at a time. */
  moveTo(time: number, storey: readonly [number, number]): void {
    for (const walker of this.walkers) {
      const place = placeOf(walker, time);
      walker.mark.visible = place !== null && place.at.z >= storey[0] && place.at.z <= storey[1];
      if (place === null) continue;
      walker.mark.position.copy(place.at);
      const camera = walker.mark.children[1];
      if (camera) camera.visible = place.turn !== null;
      if (camera && place.turn) camera.quaternion.copy(place.turn);
    }
  }
}

function replace(lines: LineSegments, geometry: BufferGeometry): void {
  lines.geometry.dispose();
  lines.geometry = geometry;
}

function placeOf(
  { times, places, turns }: Walker,
  time: number,
): { at: Vector3; turn: Quaternion | null } | null {
  let n = upper(times, time) - 1;
  if (n < 0) return null;
  const next = times[n + 1];
  if (next === undefined || next - times[n]! > BREAK_S)
    return time - times[n]! > LINGER_S ? null : { at: places[n]!, turn: turns[n]! };
  const share = (time - times[n]!) / Math.max(next - times[n]!, 1e-6);
  const at = places[n]!.clone().lerp(places[n + 1]!, share);
  const [a, b] = [turns[n]!, turns[n + 1]!];
  n = share > 0.5 ? n + 1 : n;
  return { at, turn: a && b ? a.clone().slerp(b, share) : turns[n]! };
}

/** The number of times that are not later. */
function upper(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function walkersOf(found: Loaded): Walker[] {
  const byId = new Map<
    string,
    Omit<Walker, "mark" | "colour"> & { times: number[]; places: Vector3[]; turns: (Quaternion | null)[] }
  >();
  for (const block of found.ways) for (const way of block.ways) gather(block, way, found.originUs, byId);
  const robots = new Map(robotsOf(found).map(({ id, colour }) => [id, colour]));
  return Array.from(byId.values(), (walker) => {
    const colour = robots.get(walker.id) ?? "#d9596b";
    return { ...walker, colour, mark: markOf(walker.type, colour) };
  });
}

function gather(
  block: WaysBlock,
  { id, name, type, first, points }: WaysBlock["ways"][number],
  originUs: number,
  byId: Map<
    string,
    Omit<Walker, "mark" | "colour"> & { times: number[]; places: Vector3[]; turns: (Quaternion | null)[] }
  >,
): void {
  const shift = (block.timeOriginUs - originUs) / 1e6;
  const walker = byId.get(id) ?? { id, name, type, times: [], places: [], turns: [] };
  byId.set(id, walker);
  for (let n = first; n < first + points; n++) {
    if (block.maps[block.map[n]!] !== shownMap.peek()) continue;
    walker.times.push(block.time[n]! + shift);
    const at = [0, 1, 2].map((axis) => block.position[3 * n + axis]!) as [number, number, number];
    walker.places.push(new Vector3(at[0] + block.origin.x, at[1] + block.origin.y, at[2] + block.origin.z));
    const turn = new Quaternion(
      ...([0, 1, 2, 3].map((k) => block.rotation[4 * n + k]!) as [number, number, number, number]),
    );
    walker.turns.push(turn.lengthSq() > 0.5 ? turn : null);
  }
}

function linesOf(walkers: readonly Walker[]): BufferGeometry {
  const [position, tint, at]: [number[], number[], number[]] = [[], [], []];
  for (const { times, places, colour, type } of walkers) {
    const { r, g, b } = new Color(colour);
    // A robot's trajectory is drawn near the ground; its camera stays at its height.
    const drop = type === "agent" ? EYE_M - 0.06 : 0.5;
    for (let n = 1; n < times.length; n++) {
      if (times[n]! - times[n - 1]! > BREAK_S) continue;
      for (const k of [n - 1, n]) {
        const { x, y, z } = places[k]!;
        position.push(x, y, z - drop);
        tint.push(r, g, b);
        at.push(times[n]!);
      }
    }
  }
  return geometryOf(position, tint, at);
}

const ARC_STEPS = 14;
/** The latest moves; more would cover the map. */
const MOST_ARCS = 1_000;

/** From a thing's old place to its new one, once it has arrived there. */
function arcsOf(rows: readonly Row[]): BufferGeometry {
  const [position, tint, at]: [number[], number[], number[]] = [[], [], []];
  const { r, g, b } = new Color("#e58a12");
  const moved = rows.filter(({ before, type }) => before !== null && type !== "person" && type !== "mover");
  for (const row of moved.sort((a, b) => a.from - b.from).slice(-MOST_ARCS)) {
    const before = row.before!;
    const pointAt = (s: number) => [
      before.x + (row.x - before.x) * s,
      before.y + (row.y - before.y) * s,
      before.z + (row.z - before.z) * s + Math.sin(Math.PI * s) * 0.35,
    ];
    for (let n = 0; n < ARC_STEPS; n++) {
      position.push(...pointAt(n / ARC_STEPS), ...pointAt((n + 0.7) / ARC_STEPS));
      const when = row.departs + (row.from - row.departs) * (n / ARC_STEPS);
      at.push(when, when);
      tint.push(r, g, b, r, g, b);
    }
  }
  return geometryOf(position, tint, at);
}

function geometryOf(position: number[], tint: number[], at: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(position), 3));
  geometry.setAttribute("tint", new BufferAttribute(Float32Array.from(tint), 3));
  geometry.setAttribute("at", new BufferAttribute(Float32Array.from(at), 1));
  return geometry;
}

const ball = new SphereGeometry(0.11, 20, 14);
const cone = new ConeGeometry(0.34, 0.6, 4, 1, true, Math.PI / 4).rotateX(-Math.PI / 2).translate(0, 0, 0.3);

function markOf(type: Walker["type"], colour: string): Group {
  const mark = new Group();
  mark.add(new Mesh(ball, new MeshBasicMaterial({ color: colour })));
  // The camera's view opens from it along +z.
  if (type === "agent")
    mark.add(
      new Mesh(
        cone,
        new MeshBasicMaterial({
          color: colour,
          transparent: true,
          opacity: 0.28,
          depthWrite: false,
          side: 2,
        }),
      ),
    );
  return mark;
}
