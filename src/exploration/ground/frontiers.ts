import type { Box, Vec3 } from "../../geometry/index.ts";
import type { Stand } from "../../sensors/index.ts";
import type { Field, Terrain } from "./terrain.ts";

/** Behind a door lies a room; this much floor counts as a whole one. */
export const ROOM_M2 = 8;

/** The share of a room that a frontier shows: all of it behind a door, or up or down stairs. */
export function shareOfRoom(gainM2: number, isOpening = false): number {
  return isOpening ? 1 : Math.min(1, gainM2 / ROOM_M2);
}

/** A border of the known area beyond which more can be seen. */
export interface Frontier {
  readonly id: string;
  readonly middle: Vec3;
  readonly lengthM: number;
  /** Unknown floor within three metres, visible from its midpoint (docs/formulas.md#frontiers). */
  readonly gainM2: number;
  /** The same from the stand: what lies round the corner of a border is not visible from there. */
  readonly shownM2: number;
  /** Where to stand to see past it, set back and facing the unknown. */
  readonly stand: Stand;
  /** Path length to it; Infinity if unreachable. */
  readonly costM: number;
  /** It is as narrow as a door, with something solid on both sides: behind it lies another room. */
  readonly isOpening: boolean;
  /** It is a flight of stairs to another storey: not visited yet, or left before. */
  readonly flight?: { readonly box: Box; readonly isNew: boolean } | undefined;
  /** It is a closed door with nothing known behind it; unreachable. */
  readonly isClosedDoor?: true | undefined;
}

/** Smaller frontiers are noise, and less gain is not worth a drive. */
const MIN_CELLS = 5;
const MIN_GAIN_M2 = 0.8;
const RAYS = 36;
const RAY_M = 3;
/** How far in front of the border to stand, and the most it may be. */
const BACK_OFF_M = 0.7;
const FARTHEST_M = 2;
const OPENING_M = { least: 0.4, most: 1.5 } as const;
const JAMB_M = 0.35;
/** A frontier that moved less than this since the last step keeps its identity. */
const SAME_M = 0.9;
const MAX_FRONTIERS = 64;

/**
 * Finds frontiers step by step under stable names: one that shrank or moved a little keeps its identity, so that
 * goals and claims stay valid.
 */
export class FrontierBook {
  #known: readonly { readonly id: string; readonly middle: Vec3 }[] = [];
  #count = 0;

  /** All frontiers worth going to, the largest gain first; unreachable ones are included, with infinite cost. */
  find(terrain: Terrain, field: Field): Frontier[] {
    const found = clustersOf(terrain)
      .map((cells) => judged(terrain, field, cells))
      .filter((one) => one !== undefined)
      .sort((a, b) => b.gainM2 - a.gainM2)
      .slice(0, MAX_FRONTIERS);
    const free = new Set(this.#known);
    const named = found.map((one): Frontier => {
      let [same, nearest] = [undefined as { readonly id: string; readonly middle: Vec3 } | undefined, SAME_M];
      for (const old of free) {
        const apart = Math.hypot(old.middle.x - one.middle.x, old.middle.y - one.middle.y);
        if (apart < nearest) [same, nearest] = [old, apart];
      }
      if (same) free.delete(same);
      return { id: same?.id ?? `f${++this.#count}`, ...one };
    });
    this.#known = named.map(({ id, middle }) => ({ id, middle }));
    return named;
  }
}

/** Distance from the end of a flight to the stand in front of it. */
const BEFORE_STAIRS_M = 0.4;
const NEAR_STAIRS_M = 1;
/** Assumed floor area of an unobserved storey. */
const UNSEEN_STOREY_M2 = 40;

/** A flight of stairs as a frontier of this storey; undefined if no body can stand at either end. */
export function flightFrontier(
  terrain: Terrain,
  field: Field,
  { id, box, leftM2 }: { readonly id: string; readonly box: Box; readonly leftM2: number | undefined },
): Frontier | undefined {
  const { min, max } = box;
  const [x, y] = [(min.x + max.x) / 2, (min.y + max.y) / 2];
  const { floorZ: z } = terrain.raster;
  const isAlongX = max.x - min.x >= max.y - min.y;
  const ends: Vec3[] = isAlongX
    ? [
        { x: min.x - BEFORE_STAIRS_M, y, z },
        { x: max.x + BEFORE_STAIRS_M, y, z },
      ]
    : [
        { x, y: min.y - BEFORE_STAIRS_M, z },
        { x, y: max.y + BEFORE_STAIRS_M, z },
      ];
  const [stand] = ends
    .map((end) => terrain.nearestOpen(end, NEAR_STAIRS_M))
    .map((cell) => ({ cell, costM: field.metresTo(cell) }))
    .filter(({ costM }) => costM < Infinity)
    .sort((a, b) => a.costM - b.costM);
  if (stand === undefined) return undefined;
  const at = terrain.middleOf(stand.cell);
  return {
    id,
    middle: { x, y, z },
    lengthM: isAlongX ? max.y - min.y : max.x - min.x,
    gainM2: leftM2 ?? UNSEEN_STOREY_M2,
    shownM2: leftM2 ?? UNSEEN_STOREY_M2,
    stand: { positionInWorld: at, yawRad: Math.atan2(y - at.y, x - at.x) },
    costM: stand.costM + Math.hypot(max.x - min.x, max.y - min.y, max.z - min.z),
    isOpening: true,
    flight: { box, isNew: leftM2 === undefined },
  };
}

/** Connected free cells with an unknown neighbour. */
function clustersOf(terrain: Terrain): number[][] {
  const { width, height, state } = terrain.raster;
  const border = new Uint8Array(state.length);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const cell = y * width + x;
      if (state[cell] === 1 && touchesUnknown(terrain, cell)) border[cell] = 1;
    }
  // Cells on the rim of the raster border on undrawn space.
  for (let x = 0; x < width; x++)
    for (const y of [0, height - 1]) if (state[y * width + x] === 1) border[y * width + x] = 1;
  for (let y = 0; y < height; y++)
    for (const x of [0, width - 1]) if (state[y * width + x] === 1) border[y * width + x] = 1;
  const clusters: number[][] = [];
  for (let cell = 0; cell < border.length; cell++) {
    if (border[cell] !== 1) continue;
    const cells = [cell];
    border[cell] = 2;
    for (let i = 0; i < cells.length; i++)
      for (const near of neighbours(cells[i]!, width, height))
        if (border[near] === 1) {
          border[near] = 2;
          cells.push(near);
        }
    // Shadows behind furniture, where no body fits, are left to a nearer look and do not count as frontiers.
    const isWay = cells.some((one) => terrain.open[one] === 1);
    if (cells.length >= MIN_CELLS && isWay) clusters.push(...cut(cells, terrain));
  }
  return clusters;
}

/**
 * A border as long as a room is several goals: it is halved across its longer side until each part can be seen from
 * one stand.
 */
const LONGEST_CELLS = 30;
function cut(cells: number[], terrain: Terrain): number[][] {
  if (cells.length <= LONGEST_CELLS) return [cells];
  const { width } = terrain.raster;
  const xs = cells.map((cell) => cell % width);
  const ys = cells.map((cell) => Math.floor(cell / width));
  const isWide = Math.max(...xs) - Math.min(...xs) >= Math.max(...ys) - Math.min(...ys);
  const key = (cell: number): number => (isWide ? cell % width : Math.floor(cell / width));
  const sorted = [...cells].sort((a, b) => key(a) - key(b) || a - b);
  const half = sorted.length >> 1;
  return [...cut(sorted.slice(0, half), terrain), ...cut(sorted.slice(half), terrain)];
}

function touchesUnknown({ raster: { width, state } }: Terrain, cell: number): boolean {
  return (
    state[cell - 1] === 0 ||
    state[cell + 1] === 0 ||
    state[cell - width] === 0 ||
    state[cell + width] === 0 ||
    state[cell - width - 1] === 0 ||
    state[cell - width + 1] === 0 ||
    state[cell + width - 1] === 0 ||
    state[cell + width + 1] === 0
  );
}

function* neighbours(cell: number, width: number, height: number): Generator<number> {
  const x = cell % width;
  const y = (cell - x) / width;
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++)
      if (u !== x || v !== y) yield v * width + u;
}

function judged(terrain: Terrain, field: Field, cells: readonly number[]): Omit<Frontier, "id"> | undefined {
  const { cellM } = terrain.raster;
  const centre = centroid(terrain, cells);
  // The member nearest to the mean: the mean of a bent border may lie in a wall.
  const middleCell = nearestTo(terrain, cells, centre);
  const middle = terrain.middleOf(middleCell);
  const gain = gainOf(terrain, middle);
  if (gain.m2 < MIN_GAIN_M2) return undefined;
  const { cell, costM } = standFor(terrain, field, middle);
  const at = cell < 0 ? middle : terrain.middleOf(cell);
  const yawRad = Math.atan2(gain.y - at.y, gain.x - at.x);
  const lengthM = spanOf(terrain, cells);
  return {
    middle,
    lengthM,
    gainM2: gain.m2,
    shownM2: cell < 0 ? 0 : gainOf(terrain, at).m2,
    stand: { positionInWorld: at, yawRad },
    costM: cell < 0 ? Infinity : costM,
    isOpening: lengthM >= OPENING_M.least && lengthM <= OPENING_M.most && hasJambs(terrain, cells, cellM),
  };
}

/** Unknown floor visible from a place, and its centre: rays of three metres that end at occupied cells. */
export function gainOf(
  terrain: Terrain,
  from: Vec3,
  sector: { readonly yawRad: number; readonly fovRad: number } = { yawRad: 0, fovRad: 2 * Math.PI },
): { m2: number; x: number; y: number } {
  const { cellM, originX, originY, width, height } = terrain.raster;
  const seen = new Set<number>();
  let [sumX, sumY] = [0, 0];
  for (let ray = 0; ray < RAYS; ray++) {
    const angle = sector.yawRad + ((ray + 0.5) / RAYS - 0.5) * sector.fovRad;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    for (let r = cellM; r <= RAY_M; r += cellM) {
      const [x, y] = [from.x + dx * r, from.y + dy * r];
      const [u, v] = [Math.floor((x - originX) / cellM), Math.floor((y - originY) / cellM)];
      const isOutside = u < 0 || v < 0 || u >= width || v >= height;
      const cell = v * width + u;
      if (!isOutside && terrain.isOccupied(cell)) break;
      if (!isOutside && !terrain.isUnknown(cell)) continue;
      const key = (v + 65_536) * 262_144 + u + 65_536;
      if (seen.has(key)) continue;
      seen.add(key);
      sumX += x;
      sumY += y;
    }
  }
  const count = Math.max(1, seen.size);
  return { m2: seen.size * cellM * cellM, x: sumX / count, y: sumY / count };
}

/**
 * A reachable place in front of the border from which it is visible, set back by about the distance needed to see
 * over it.
 */
function standFor(terrain: Terrain, field: Field, middle: Vec3): { cell: number; costM: number } {
  const { cellM, width, height } = terrain.raster;
  const at = terrain.cellAt(middle);
  const [x, y] = [at % width, Math.floor(at / width)];
  const reach = Math.round(FARTHEST_M / cellM);
  let [best, least, bestCost] = [-1, Infinity, Infinity];
  for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
      const cell = v * width + u;
      if (terrain.open[cell] !== 1) continue;
      const costM = field.metresTo(cell);
      const awayM = Math.hypot(u - x, v - y) * cellM;
      if (costM === Infinity || awayM > FARTHEST_M) continue;
      const worth = Math.abs(awayM - BACK_OFF_M) + 0.3 * costM;
      if (worth >= least || !terrain.isClear(cell, at)) continue;
      [best, least, bestCost] = [cell, worth, costM];
    }
  }
  return { cell: best, costM: bestCost };
}

/** Whether a border is visible from a stand that is still free. */
export function isOverlooked(
  terrain: Terrain,
  { middle }: Frontier,
  { positionInWorld: at }: Stand,
): boolean {
  const cell = terrain.cellAt(at);
  if (cell < 0 || terrain.open[cell] !== 1) return false;
  return (
    Math.hypot(at.x - middle.x, at.y - middle.y) <= FARTHEST_M &&
    terrain.isClear(cell, terrain.cellAt(middle))
  );
}

function centroid(terrain: Terrain, cells: readonly number[]): Vec3 {
  const points = cells.map((cell) => terrain.middleOf(cell));
  const mean = (key: "x" | "y") => points.reduce((sum, point) => sum + point[key], 0) / points.length;
  return { x: mean("x"), y: mean("y"), z: terrain.raster.floorZ };
}

function nearestTo(terrain: Terrain, cells: readonly number[], place: Vec3): number {
  let [best, nearest] = [cells[0]!, Infinity];
  for (const cell of cells) {
    const { x, y } = terrain.middleOf(cell);
    const squared = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (squared < nearest) [best, nearest] = [cell, squared];
  }
  return best;
}

function spanOf(terrain: Terrain, cells: readonly number[]): number {
  const points = cells.map((cell) => terrain.middleOf(cell));
  const span = (key: "x" | "y") =>
    Math.max(...points.map((point) => point[key])) - Math.min(...points.map((point) => point[key]));
  return Math.hypot(span("x"), span("y")) + terrain.raster.cellM;
}

/** Whether something solid lies close to both ends of the border. */
function hasJambs(terrain: Terrain, cells: readonly number[], cellM: number): boolean {
  const points = cells.map((cell) => ({ cell, ...terrain.middleOf(cell) }));
  const isWide =
    Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x)) >=
    Math.max(...points.map(({ y }) => y)) - Math.min(...points.map(({ y }) => y));
  const sorted = points.sort((a, b) => (isWide ? a.x - b.x : a.y - b.y));
  const near = JAMB_M / cellM;
  return [sorted[0]!, sorted.at(-1)!].every(({ cell }) => terrain.clearance[cell]! <= near);
}
