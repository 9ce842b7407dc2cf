import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import type { SurfacePoints } from "../../map/index.ts";
import type { CallOptions, MemoryReader } from "../../memory/index.ts";
import { throwIfAborted } from "../../schema/core.ts";
import { encodeBlock } from "./block.ts";
import { CubeSet } from "./cubes.ts";
import { FEED_FORMAT, type PointsBlock, readPoints } from "./decode.ts";
import { LruBytes } from "./lru.ts";
import { CHUNK_M, eachPoint, poseKey, type SurfaceRef, SurfaceStore, surfacesOf } from "./pieces.ts";

/** One chunk of the map, as listed. */
export interface MapChunk {
  /** The map and the square: "world:0:-1". */
  readonly id: string;
  /** Changes whenever a point moves or is added: after corrections, joins and new surface. */
  readonly etag: string;
  readonly map: string;
  /** The lower corner of its square, whose side is CHUNK_M. */
  readonly x: number;
  readonly y: number;
  readonly sizeM: number;
  /** Upper bound of its points: overlapping surfaces are thinned to one point per cube when the chunk is built. */
  readonly points: number;
  /** When its first part was seen. */
  readonly fromUs: number;
}

interface SceneOptions extends CallOptions {
  readonly sceneId?: string | undefined;
}

/** The position unit: 4 mm, finer than the centimetres of the surfaces, and exact as a float. */
const UNIT_M = 1 / 256;
/** Range of an i16: 128 m above the lowest point. */
const MAX_UNITS = 32_767;
/** Cube sides of the levels of detail, coarse to fine; the last is the surface's own spacing. */
const CUBES_M = [0.48, 0.24, 0.12, 0.06] as const;
/** Most points of a chunk: some two million cubes fit into a square of sixteen metres, more than a viewer draws. */
const MAX_POINTS = 1_000_000;
/** Most surfaces of a chunk; beyond it the oldest are left out, which usually were observed again later. */
const MAX_PIECES = 1_024;
const MAX_CHUNKS = 4_096;
const MADE_BYTES = 67_108_864;
/** Cubes of a chunk along x and y, in the packed key. */
const KEY_SIDE = 512;

/**
 * The map as chunks: squares of the world, or of a separate map, each with the surfaces of all submaps that reach
 * into it, thinned to one point per cube. The oldest point is kept, so that each point has the time since when it is
 * known. Chunks are named by their content, so cached ones are never stale.
 */
export class MapChunks {
  readonly #store = new SurfaceStore();
  readonly #made = new LruBytes<Uint8Array<ArrayBuffer>>(MADE_BYTES);

  /** The chunks of the map that a reader may see, by id. */
  async list(reader: MemoryReader, options: SceneOptions = {}): Promise<MapChunk[]> {
    const chunks = await this.#gather(reader, options);
    return Array.from(chunks.values(), ({ chunk }) => chunk).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The points of a chunk up to a level of detail, or all; undefined if the reader may not see it. */
  async chunk(
    reader: MemoryReader,
    id: string,
    options: SceneOptions & { readonly level?: number | undefined } = {},
  ): Promise<{ readonly etag: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined> {
    const found = (await this.#gather(reader, options)).get(id);
    if (found === undefined) return undefined;
    const level = Math.min(options.level ?? CUBES_M.length - 1, CUBES_M.length - 1);
    const etag = `${found.chunk.etag}.${level}`;
    let whole = this.#made.get(found.chunk.etag);
    if (whole === undefined) {
      whole = await this.#make(reader, found, options.signal);
      this.#made.set(found.chunk.etag, whole, whole.byteLength);
    }
    return { etag, bytes: level === CUBES_M.length - 1 ? whole : firstLevels(whole, level) };
  }

  async #gather(reader: MemoryReader, { sceneId, signal }: SceneOptions): Promise<Map<string, Gathered>> {
    const byId = new Map<string, { pieces: SurfaceRef[]; points: number; lowestZ: number }>();
    for (const piece of await surfacesOf(reader, sceneId)) {
      throwIfAborted(signal);
      for (const [square, { points, lowestZ }] of await this.#store.footprint(reader, piece)) {
        const id = `${piece.map}:${square}`;
        const known = byId.get(id);
        if (known === undefined) {
          if (byId.size < MAX_CHUNKS) byId.set(id, { pieces: [piece], points, lowestZ });
          continue;
        }
        known.pieces.push(piece);
        known.points += points;
        known.lowestZ = Math.min(known.lowestZ, lowestZ);
      }
      // Footprints are mostly cached; computing one takes milliseconds.
      await breathe();
    }
    return new Map(Array.from(byId, ([id, all]) => [id, gathered(id, all)]));
  }

  async #make(
    reader: MemoryReader,
    { chunk, pieces, lowestZ }: Gathered,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const drawing = new Drawing(chunk, Math.floor(lowestZ));
    for (const [n, piece] of pieces.entries()) {
      throwIfAborted(signal);
      const points = await this.#store.points(reader, piece.surface);
      if (points !== undefined) drawing.add(points, piece, n);
      await breathe();
    }
    return drawing.encode(pieces);
  }
}

interface Gathered {
  readonly chunk: MapChunk;
  readonly pieces: readonly SurfaceRef[];
  readonly lowestZ: number;
}

function gathered(
  id: string,
  all: { readonly pieces: readonly SurfaceRef[]; readonly points: number; readonly lowestZ: number },
): Gathered {
  const pieces = all.pieces.slice(-MAX_PIECES);
  const [y, x] = id.split(":").reverse().map(Number);
  const hash = createHash("sha256").update(`${FEED_FORMAT} ${id}`);
  for (const { surface, mapFromSubmap, fromUs, agent } of pieces)
    hash.update(`\n${surface} ${poseKey(mapFromSubmap)} ${fromUs} ${agent}`);
  return {
    pieces,
    lowestZ: all.lowestZ,
    chunk: {
      id,
      etag: hash.digest("hex").slice(0, 24),
      map: pieces[0]!.map,
      x: x! * CHUNK_M,
      y: y! * CHUNK_M,
      sizeM: CHUNK_M,
      points: Math.min(all.points, MAX_POINTS),
      fromUs: pieces[0]!.fromUs,
    },
  };
}

/** The points of one chunk while it is assembled. */
class Drawing {
  readonly #origin: { readonly x: number; readonly y: number; readonly z: number };
  readonly #cubes = CUBES_M.map(() => new CubeSet());
  #positions = new Int16Array(3 * 4_096);
  #colours = new Uint8Array(3 * 4_096);
  #pieces = new Uint16Array(4_096);
  #levels = new Uint8Array(4_096);
  #count = 0;

  constructor({ x, y }: MapChunk, lowestZ: number) {
    this.#origin = { x, y, z: lowestZ };
  }

  add(points: SurfacePoints, { mapFromSubmap }: SurfaceRef, piece: number): void {
    const { x: ox, y: oy, z: oz } = this.#origin;
    const [column, row] = [ox / CHUNK_M, oy / CHUNK_M];
    eachPoint(points, mapFromSubmap, (px, py, pz, n) => {
      // The same rule as in the list, so that a point at an edge is in exactly one chunk.
      if (Math.floor(px / CHUNK_M) !== column || Math.floor(py / CHUNK_M) !== row) return;
      const [x, y] = [
        Math.max(0, Math.round((px - ox) / UNIT_M)),
        Math.max(0, Math.round((py - oy) / UNIT_M)),
      ];
      const z = Math.round((pz - oz) / UNIT_M);
      if (z > MAX_UNITS || this.#count >= MAX_POINTS) return;
      const level = this.#levelOf(x, y, z);
      if (level >= 0) this.#put(x, y, z, points.colours, n, piece, level);
    });
  }

  /** The coarsest level in which a point is the first of its cube; -1 if even the finest level has one already. */
  #levelOf(x: number, y: number, z: number): number {
    const finest = CUBES_M.length - 1;
    if (!this.#cubes[finest]!.add(keyOf(x, y, z, CUBES_M[finest]!))) return -1;
    let level = finest;
    for (let k = finest - 1; k >= 0; k--) if (this.#cubes[k]!.add(keyOf(x, y, z, CUBES_M[k]!))) level = k;
    return level;
  }

  #put(x: number, y: number, z: number, colours: Uint8Array, n: number, piece: number, level: number): void {
    if (this.#count === this.#pieces.length) this.#grow();
    const at = this.#count++;
    this.#positions[at * 3] = x;
    this.#positions[at * 3 + 1] = y;
    this.#positions[at * 3 + 2] = z;
    for (let i = 0; i < 3; i++) this.#colours[at * 3 + i] = colours[n * 3 + i]!;
    this.#pieces[at] = piece;
    this.#levels[at] = level;
  }

  #grow(): void {
    const room = this.#pieces.length * 2;
    const wider = <T extends Int16Array | Uint8Array | Uint16Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#positions = wider(this.#positions, new Int16Array(room * 3));
    this.#colours = wider(this.#colours, new Uint8Array(room * 3));
    this.#pieces = wider(this.#pieces, new Uint16Array(room));
    this.#levels = wider(this.#levels, new Uint8Array(room));
  }

  /** Coarse levels first, so that a client can draw a prefix of the points. */
  encode(refs: readonly SurfaceRef[]): Uint8Array<ArrayBuffer> {
    const starts = new Uint32Array(CUBES_M.length + 1);
    for (let n = 0; n < this.#count; n++) starts[this.#levels[n]! + 1]!++;
    for (let k = 0; k < CUBES_M.length; k++) starts[k + 1]! += starts[k]!;
    const position = new Int16Array(this.#count * 3);
    const colour = new Uint8Array(this.#count * 3);
    const piece = new Uint16Array(this.#count);
    const next = starts.slice();
    for (let n = 0; n < this.#count; n++) {
      const to = next[this.#levels[n]!]!++;
      for (let i = 0; i < 3; i++) {
        position[to * 3 + i] = this.#positions[n * 3 + i]!;
        colour[to * 3 + i] = this.#colours[n * 3 + i]!;
      }
      piece[to] = this.#pieces[n]!;
    }
    return encodePoints({
      count: this.#count,
      total: this.#count,
      origin: this.#origin,
      unitM: UNIT_M,
      levels: CUBES_M.map((cubeM, k) => ({ cubeM, points: starts[k + 1]! })),
      pieces: refs.map(({ fromUs, agent }) => ({ fromUs, agent })),
      position,
      colour,
      piece,
    });
  }
}

/** A chunk without its finer levels. */
function firstLevels(whole: Uint8Array<ArrayBuffer>, level: number): Uint8Array<ArrayBuffer> {
  const points = readPoints(whole);
  const levels = points.levels.slice(0, level + 1);
  const count = levels.at(-1)!.points;
  return encodePoints({
    ...points,
    count,
    levels,
    position: points.position.subarray(0, count * 3),
    colour: points.colour.subarray(0, count * 3),
    piece: points.piece.subarray(0, count),
  });
}

function encodePoints({ position, colour, piece, ...header }: PointsBlock): Uint8Array<ArrayBuffer> {
  return encodeBlock("points", { format: FEED_FORMAT, ...header }, { position, colour, piece });
}

/** The cube of a point (in units) as one number; at the finest level 267 per side and 2,134 in height. */
function keyOf(x: number, y: number, z: number, cubeM: number): number {
  const scale = UNIT_M / cubeM;
  return (Math.floor(z * scale) * KEY_SIDE + Math.floor(y * scale)) * KEY_SIDE + Math.floor(x * scale);
}
