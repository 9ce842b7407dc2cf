import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  FrontSide,
  Group,
  LineSegments,
  Mesh,
  NearestFilter,
  PlaneGeometry,
  RGBAFormat,
  ShaderMaterial,
  Vector2,
} from "three";
import { GROUND_CELLS, type GroundBlock, OPEN } from "../../../src/exchange/feed/decode.ts";
import type { Loaded } from "../data/store.ts";
import type { Shared } from "./uniforms.ts";
import { type WallEdge, wallEdges, withoutOpenings } from "./walls.ts";

const FLOOR_VERTEX = /* glsl */ `
varying vec2 vCell;
varying vec3 vWorld;
uniform vec2 uCells;
uniform float uMargin;
void main() {
  vCell = uv * (uCells + 2.0 * uMargin) - uMargin;
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

/** Known ground is a floor; unobserved ground is fog: hatched paper that fades out. */
const FLOOR_FRAGMENT = /* glsl */ `
uniform sampler2D uGround; // cell, first known, last looked at
uniform vec2 uCells, uStorey;
uniform vec3 uPaper, uInk;
uniform float uTime, uAgeSpan, uIsDark, uStale, uMargin;
varying vec2 vCell;
varying vec3 vWorld;

vec3 ramp(float s) {
  vec3 fresh = vec3(0.16, 0.62, 0.48), middle = vec3(0.87, 0.68, 0.24), old = vec3(0.72, 0.33, 0.30);
  return s < 0.5 ? mix(fresh, middle, s * 2.0) : mix(middle, old, s * 2.0 - 1.0);
}

float knownAt(vec2 cell) {
  if (cell.x < 0.0 || cell.y < 0.0 || cell.x >= uCells.x || cell.y >= uCells.y) return 0.0;
  vec4 ground = texelFetch(uGround, ivec2(cell), 0);
  return ground.x > 0.5 && ground.y <= uTime ? 1.0 : 0.0;
}

void main() {
  if (vWorld.z < uStorey.x - 0.3 || vWorld.z > uStorey.y) discard;
  vec2 at = vCell - 0.5, low = floor(at), part = at - low;
  float known = mix(
    mix(knownAt(low), knownAt(low + vec2(1.0, 0.0)), part.x),
    mix(knownAt(low + vec2(0.0, 1.0)), knownAt(low + vec2(1.0)), part.x), part.y);
  vec3 floorColour = mix(uPaper, uIsDark > 0.5 ? vec3(0.30, 0.34, 0.32) : vec3(1.0), uIsDark > 0.5 ? 0.5 : 0.85);
  if (uStale > 0.5 && known > 0.5) {
    float looked = texelFetch(uGround, ivec2(clamp(vCell, vec2(0.0), uCells - 1.0)), 0).z;
    floorColour = mix(floorColour, ramp(sqrt(clamp((uTime - looked) / uAgeSpan, 0.0, 1.0))), 0.75);
  }
  float edge = max(max(-vCell.x, vCell.x - uCells.x), max(-vCell.y, vCell.y - uCells.y)) / uMargin;
  float fade = 1.0 - smoothstep(0.0, 1.0, edge);
  float hatch = smoothstep(0.42, 0.5, abs(fract((vWorld.x + vWorld.y) * 1.6) - 0.5));
  vec3 fog = mix(uPaper, uInk, 0.05 * hatch + 0.015);
  vec3 colour = mix(fog, floorColour, smoothstep(0.35, 0.65, known));
  gl_FragColor = vec4(colour, max(known, fade));
}`;

const WALL_VERTEX = /* glsl */ `
attribute float since;
uniform float uTime;
varying float vHeight, vShows;
varying vec3 vWorld;
attribute float height;
void main() {
  vHeight = height;
  vWorld = position;
  vShows = since <= uTime ? 1.0 : 0.0;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const WALL_FRAGMENT = /* glsl */ `
uniform vec3 uInk, uPaper;
uniform vec2 uStorey;
uniform float uIsDark, uAlpha;
varying float vHeight, vShows;
varying vec3 vWorld;
void main() {
  if (vShows < 0.5 || vWorld.z < uStorey.x - 0.3 || vWorld.z > uStorey.y) discard;
  vec3 colour = mix(uPaper, uIsDark > 0.5 ? vec3(0.52, 0.58, 0.55) : vec3(0.80, 0.83, 0.80), 0.8);
  gl_FragColor = vec4(colour, uAlpha * mix(1.0, 0.45, vHeight));
}`;

const WALL_M = 2.2;
const FOOT_M = 0.02;
const MARGIN_CELLS = 14;

/** Floors, fog and walls. A wall is drawn from inside its room only, so that from outside one can look in. */
export class Ground {
  readonly object = new Group();
  /** Drawn before everything else, with depth. */
  readonly floors = new Group();
  readonly #shared: Shared;
  readonly #wall: ShaderMaterial;
  readonly #outline: ShaderMaterial;
  readonly #stale = { value: 0 };

  constructor(shared: Shared) {
    this.#shared = shared;
    const wall = {
      vertexShader: WALL_VERTEX,
      fragmentShader: WALL_FRAGMENT,
      transparent: true,
      depthWrite: false,
    };
    this.#wall = new ShaderMaterial({
      ...wall,
      uniforms: { ...shared, uAlpha: { value: 0.5 } },
      side: FrontSide,
    });
    this.#outline = new ShaderMaterial({ ...wall, uniforms: { ...shared, uAlpha: { value: 0.9 } } });
  }

  set isStale(value: boolean) {
    this.#stale.value = value ? 1 : 0;
  }

  /** With surface points the faces of walls are hidden; without them they are drawn. */
  asGlass(isGlass: boolean): void {
    this.#wall.uniforms["uAlpha"]!.value = isGlass ? 0.0 : 0.6;
  }

  set(found: Loaded): void {
    for (const group of [this.object, this.floors]) {
      for (const child of group.children) (child as Mesh).geometry.dispose();
      group.clear();
    }
    for (const ground of found.grounds) this.floors.add(this.#floorOf(ground, found));
    const edges = wallEdges(found.scene).flatMap((edge) => {
      const floor = nearestFloor(found.grounds, edge.z);
      return floor ? withoutOpenings(edge, floor.openings) : [edge];
    });
    const sinceOf = new Map(found.scene.regions.map(({ z, fromUs }) => [z, (fromUs - found.originUs) / 1e6]));
    if (edges.length === 0) return;
    this.object.add(wallsOf(edges, sinceOf, this.#wall));
    this.object.add(feetOf(edges, sinceOf, this.#outline));
  }

  #floorOf(ground: GroundBlock, found: Loaded): Mesh {
    const { width, height, cellM } = ground;
    const texture = new DataTexture(cellsOf(ground, found), width, height, RGBAFormat, FloatType);
    texture.minFilter = NearestFilter;
    texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    const plane = new PlaneGeometry((width + 2 * MARGIN_CELLS) * cellM, (height + 2 * MARGIN_CELLS) * cellM);
    const material = new ShaderMaterial({
      uniforms: {
        ...this.#shared,
        uGround: { value: texture },
        uCells: { value: new Vector2(width, height) },
        uMargin: { value: MARGIN_CELLS },
        uStale: this.#stale,
      },
      vertexShader: FLOOR_VERTEX,
      fragmentShader: FLOOR_FRAGMENT,
      transparent: true,
      side: DoubleSide,
    });
    const mesh = new Mesh(plane, material);
    mesh.position.set(
      ground.originX + (width * cellM) / 2,
      ground.originY + (height * cellM) / 2,
      ground.floorZ - 0.03,
    );
    return mesh;
  }
}

function nearestFloor(grounds: readonly GroundBlock[], z: number): GroundBlock | undefined {
  return grounds.toSorted((a, b) => Math.abs(a.floorZ - z) - Math.abs(b.floorZ - z))[0];
}

/**
 * Ground beyond every room is shown in connected pieces of at least this size; smaller ones were seen through a
 * window.
 */
const LEAST_OUTSIDE_M2 = 4;

/** Known cells; of those outside the storey's rooms only large pieces. */
function knownOf(ground: GroundBlock, { scene }: Loaded): Uint8Array {
  const { width, height, cellM, originX, originY, cell } = ground;
  const rooms = scene.regions.filter(
    ({ type, toUs, z }) => type === "room" && toUs === null && Math.abs(z - ground.floorZ) < 1,
  );
  const known = Uint8Array.from(cell, (one) => (one === GROUND_CELLS.unknown ? 0 : 1));
  if (rooms.length === 0) return known;
  const inside = new Uint8Array(width * height);
  for (const { outline } of rooms) {
    const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
    const at = (value: number, origin: number) => Math.floor((value - origin) / cellM);
    for (
      let y = Math.max(0, at(Math.min(...ys), originY));
      y <= Math.min(height - 1, at(Math.max(...ys), originY));
      y++
    )
      for (
        let x = Math.max(0, at(Math.min(...xs), originX));
        x <= Math.min(width - 1, at(Math.max(...xs), originX));
        x++
      )
        if (isIn(outline, originX + (x + 0.5) * cellM, originY + (y + 0.5) * cellM))
          inside[y * width + x] = 1;
  }
  const seen = Uint8Array.from(inside);
  for (let begin = 0; begin < known.length; begin++) {
    if (known[begin] === 0 || seen[begin] === 1) continue;
    const piece = [begin];
    seen[begin] = 1;
    for (let k = 0; k < piece.length; k++) {
      const n = piece[k]!;
      for (const next of [n % width > 0 ? n - 1 : n, n % width < width - 1 ? n + 1 : n, n - width, n + width])
        if (known[next] === 1 && seen[next] === 0) {
          seen[next] = 1;
          piece.push(next);
        }
    }
    if (piece.length * cellM ** 2 < LEAST_OUTSIDE_M2) for (const n of piece) known[n] = 0;
  }
  return known;
}

function isIn(outline: readonly { x: number; y: number }[], x: number, y: number): boolean {
  let isInside = false;
  for (let n = 0, last = outline.length - 1; n < outline.length; last = n++) {
    const [a, b] = [outline[n]!, outline[last]!];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
  }
  return isInside;
}

/** For each cell: its type, since when a point of the map lies over it, and when it was last observed. */
function cellsOf(ground: GroundBlock, found: Loaded): Float32Array<ArrayBuffer> {
  const { chunks, originUs } = found;
  const known = knownOf(ground, found);
  const { width, height, cellM, originX, originY } = ground;
  const shift = (ground.timeOriginUs - originUs) / 1e6;
  const cells = new Float32Array(4 * width * height);
  for (let n = 0; n < width * height; n++) {
    const looked = ground.looked[n]!;
    cells[4 * n] = known[n]!;
    cells[4 * n + 1] = looked <= -OPEN ? OPEN : looked + shift;
    cells[4 * n + 2] = looked <= -OPEN ? -OPEN : looked + shift;
  }
  for (const { block } of chunks.values()) {
    const times = block.pieces.map(({ fromUs }) => (fromUs - originUs) / 1e6);
    for (let n = 0; n < block.count; n++) {
      const x = Math.floor((block.origin.x + block.unitM * block.position[3 * n]! - originX) / cellM);
      const y = Math.floor((block.origin.y + block.unitM * block.position[3 * n + 1]! - originY) / cellM);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = 4 * (y * width + x) + 1;
      const since = times[block.piece[n]!]!;
      if (since < cells[at]!) cells[at] = since;
    }
  }
  return cells;
}

function wallsOf(
  edges: readonly WallEdge[],
  sinceOf: ReadonlyMap<number, number>,
  material: ShaderMaterial,
): Mesh {
  const position: number[] = [];
  const height: number[] = [];
  const since: number[] = [];
  for (const edge of edges) {
    const { ax, ay, bx, by, z, inX, inY } = edge;
    // Counter-clockwise seen from inside.
    const flip = (bx - ax) * inY - (by - ay) * inX < 0;
    const [px, py, qx, qy] = flip ? [bx, by, ax, ay] : [ax, ay, bx, by];
    const top = z + WALL_M;
    const quad = [px, py, z, qx, qy, z, qx, qy, top, px, py, z, qx, qy, top, px, py, top];
    position.push(...quad);
    height.push(0, 0, 1, 0, 1, 1);
    for (let n = 0; n < 6; n++) since.push(sinceOf.get(z) ?? 0);
  }
  return new Mesh(geometryOf(position, height, since), material);
}

function feetOf(
  edges: readonly WallEdge[],
  sinceOf: ReadonlyMap<number, number>,
  material: ShaderMaterial,
): LineSegments {
  const position = edges.flatMap(({ ax, ay, bx, by, z }) => [ax, ay, z + FOOT_M, bx, by, z + FOOT_M]);
  const since = edges.flatMap(({ z }) => [sinceOf.get(z) ?? 0, sinceOf.get(z) ?? 0]);
  return new LineSegments(geometryOf(position, new Array(since.length).fill(0), since), material);
}

function geometryOf(position: number[], height: number[], since: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(position), 3));
  geometry.setAttribute("height", new BufferAttribute(Float32Array.from(height), 1));
  geometry.setAttribute("since", new BufferAttribute(Float32Array.from(since), 1));
  return geometry;
}
