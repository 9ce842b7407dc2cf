import { type FrameGraph, IDENTITY, type Transform, toMatrix } from "../../geometry/index.ts";
import { decodeSurface, type SurfacePoints } from "../../map/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import { type Anchor, WORLD_FRAME } from "../../schema/core.ts";
import { LruBytes } from "./lru.ts";

/** The surface of one submap as a reader may see it, with its pose. */
export interface SurfaceRef {
  /** Its blob. */
  readonly surface: string;
  /** Its map: "world", or the root of a map that is not joined to it yet. */
  readonly map: string;
  readonly mapFromSubmap: Transform;
  readonly fromUs: number;
  readonly agent: string;
}

/** Side of a chunk. With sixteen metres a house is a handful of chunks, and two million points are fewer than fifty. */
export const CHUNK_M = 16;
/** Cache of decoded surfaces: some sixty submaps. */
const SURFACE_BYTES = 67_108_864;
/** Footprints are small and never stale; this many are cached. */
const MAX_FOOTPRINTS = 20_000;

/** The map of an anchored frame, and the frame's pose in it. */
export function placeIn(
  frames: FrameGraph,
  { submap }: Pick<Anchor, "submap">,
): { readonly map: string; readonly mapFromSubmap: Transform } | undefined {
  if (submap === WORLD_FRAME) return { map: WORLD_FRAME, mapFromSubmap: IDENTITY };
  const map = frames.topOf(submap);
  const mapFromSubmap = map === submap ? IDENTITY : frames.resolve(map, submap);
  return mapFromSubmap && { map, mapFromSubmap };
}

/**
 * Every surface that a reader may see, oldest first. A submap's surface has the labels of all frames that contributed
 * to it.
 */
export async function surfacesOf(reader: MemoryReader, sceneId?: string): Promise<SurfaceRef[]> {
  const frames = await reader.frames();
  const found: SurfaceRef[] = [];
  const where = { category: ["map"], ...(sceneId !== undefined && { sceneId: [sceneId] }) };
  for await (const { record } of eachHit(reader, "region", { where })) {
    const { surface, anchor, validToUs, validFromUs, author } = record;
    const place = anchor && placeIn(frames, anchor);
    if (surface === undefined || place === undefined || validToUs !== null) continue;
    found.push({ surface, ...place, fromUs: validFromUs, agent: author });
  }
  return found.sort((a, b) => a.fromUs - b.fromUs || (a.surface < b.surface ? -1 : 1));
}

/** The part of a surface in each square of its map; squares by "x:y". */
export type Footprint = ReadonlyMap<string, { readonly points: number; readonly lowestZ: number }>;

/**
 * Surfaces read from the memory, and the squares they cover at their pose. Both caches are keyed by content and pose,
 * so that entries are never stale for any reader.
 */
export class SurfaceStore {
  readonly #surfaces = new LruBytes<SurfacePoints>(SURFACE_BYTES);
  readonly #footprints = new Map<string, Footprint>();

  async points(reader: MemoryReader, ref: string): Promise<SurfacePoints | undefined> {
    const known = this.#surfaces.get(ref);
    if (known !== undefined) return known;
    const bytes = await reader.blob(ref);
    if (bytes === undefined) return undefined;
    const points = decodeSurface(bytes);
    this.#surfaces.set(ref, points, points.positions.byteLength + points.colours.byteLength);
    return points;
  }

  async footprint(reader: MemoryReader, piece: SurfaceRef): Promise<Footprint> {
    const key = `${piece.surface}@${poseKey(piece.mapFromSubmap)}`;
    const known = this.#footprints.get(key);
    if (known !== undefined) return known;
    const points = await this.points(reader, piece.surface);
    const made: Footprint = points === undefined ? new Map() : footprintOf(points, piece.mapFromSubmap);
    if (this.#footprints.size >= MAX_FOOTPRINTS) this.#footprints.clear();
    this.#footprints.set(key, made);
    return made;
  }
}

/** A submap's pose to a tenth of a millimetre: the part of a chunk's name that changes with poses. */
export function poseKey({ p, q }: Transform): string {
  return [p.x, p.y, p.z, q.w, q.x, q.y, q.z].map((n) => Math.round(n * 1e4)).join();
}

/** Calls back with each point in map coordinates, in metres. */
export function eachPoint(
  { count, positions, unitM }: SurfacePoints,
  { p, q }: Transform,
  take: (x: number, y: number, z: number, n: number) => void,
): void {
  const m = toMatrix(q).map((value) => value * unitM);
  for (let n = 0; n < count; n++) {
    const [x, y, z] = [positions[n * 3]!, positions[n * 3 + 1]!, positions[n * 3 + 2]!];
    take(
      m[0]! * x + m[1]! * y + m[2]! * z + p.x,
      m[3]! * x + m[4]! * y + m[5]! * z + p.y,
      m[6]! * x + m[7]! * y + m[8]! * z + p.z,
      n,
    );
  }
}

function footprintOf(points: SurfacePoints, mapFromSubmap: Transform): Footprint {
  const squares = new Map<number, { points: number; lowestZ: number }>();
  const span = 65_536;
  eachPoint(points, mapFromSubmap, (x, y, z) => {
    const key = (Math.floor(x / CHUNK_M) + span / 2) * span + Math.floor(y / CHUNK_M) + span / 2;
    const square = squares.get(key);
    if (square === undefined) {
      squares.set(key, { points: 1, lowestZ: z });
      return;
    }
    square.points++;
    if (z < square.lowestZ) square.lowestZ = z;
  });
  return new Map(
    Array.from(squares, ([key, square]) => [
      `${Math.floor(key / span) - span / 2}:${(key % span) - span / 2}`,
      square,
    ]),
  );
}
