import type { FrameGraph, Transform } from "../../geometry/index.ts";
import { toMatrix4 } from "../../geometry/index.ts";
import { decodeSurface } from "../../map/codec.ts";
import type { SurfacePoints } from "../../map/surface.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import { WORLD_FRAME } from "../../schema/core.ts";
import type { WorldOptions } from "./world.ts";

const VOXEL_M = 0.06;
const FIRST_SLOTS = 1 << 14;

/** Coloured points in the world. */
export interface CloudPoints {
  readonly count: number;
  /** x, y, z in metres. */
  readonly positions: Float32Array;
  /** r, g, b from 0 to 255. */
  readonly colours: Uint8Array;
}

/** The surface of one submap, the time since when it is known, and its pose. */
export interface CloudPiece {
  readonly id: string;
  readonly timeUs: number;
  readonly worldFromSubmap: Transform;
  readonly points: SurfacePoints;
}

/** The surfaces seen up to a moment, oldest first, one at a time. */
export async function* cloudPieces(
  reader: MemoryReader,
  graph: FrameGraph,
  { atUs, sceneId, ids }: WorldOptions & { readonly ids?: readonly string[] } = {},
): AsyncGenerator<CloudPiece> {
  const where = {
    category: ["map"],
    ...(sceneId !== undefined && { sceneId: [sceneId] }),
    ...(ids !== undefined && { ids }),
  };
  for await (const { record } of eachHit(reader, "region", { where })) {
    if (atUs !== undefined && record.validFromUs > atUs) return;
    const worldFromSubmap = record.anchor && graph.resolve(WORLD_FRAME, record.anchor.submap);
    const bytes = record.surface === undefined ? undefined : await reader.blob(record.surface);
    if (worldFromSubmap === undefined || bytes === undefined) continue;
    yield { id: record.id, timeUs: record.validFromUs, worldFromSubmap, points: decodeSurface(bytes) };
  }
}

/**
 * The merged points of many submaps: one per voxel, the newest. Beyond `most` points the voxel size doubles until
 * they fit, so that memory use is bounded for any building.
 */
export class Cloud {
  readonly #most: number;
  #voxelM = VOXEL_M;
  #count = 0;
  #positions = new Float32Array((FIRST_SLOTS / 2) * 3);
  #colours = new Uint8Array((FIRST_SLOTS / 2) * 3);
  /** Open addressing: the number of a point plus one, by its voxel. */
  #slots = new Int32Array(FIRST_SLOTS);

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** The current voxel size. */
  get voxelM(): number {
    return this.#voxelM;
  }

  lay({ worldFromSubmap, points }: Pick<CloudPiece, "worldFromSubmap" | "points">): void {
    const m = toMatrix4(worldFromSubmap);
    const { positions, colours, unitM } = points;
    for (let i = 0; i < points.count; i++) {
      const x = positions[i * 3]! * unitM;
      const y = positions[i * 3 + 1]! * unitM;
      const z = positions[i * 3 + 2]! * unitM;
      this.#put(
        Math.fround(m[0]! * x + m[1]! * y + m[2]! * z + m[3]!),
        Math.fround(m[4]! * x + m[5]! * y + m[6]! * z + m[7]!),
        Math.fround(m[8]! * x + m[9]! * y + m[10]! * z + m[11]!),
        colours,
        i * 3,
      );
    }
  }

  points(): CloudPoints {
    return {
      count: this.#count,
      positions: this.#positions.subarray(0, this.#count * 3),
      colours: this.#colours.subarray(0, this.#count * 3),
    };
  }

  #put(x: number, y: number, z: number, colours: Uint8Array, from: number): void {
    const slot = this.#find(x, y, z);
    let at = this.#slots[slot]! - 1;
    if (at < 0) {
      at = this.#count++;
      this.#slots[slot] = at + 1;
    }
    this.#positions[at * 3] = x;
    this.#positions[at * 3 + 1] = y;
    this.#positions[at * 3 + 2] = z;
    for (let c = 0; c < 3; c++) this.#colours[at * 3 + c] = colours[from + c]!;
    if (this.#count > this.#most) this.#rebuild(this.#voxelM * 2, this.#slots.length);
    else if (this.#count * 2 >= this.#slots.length) this.#rebuild(this.#voxelM, this.#slots.length * 2);
  }

  #find(x: number, y: number, z: number): number {
    const voxel = (metres: number) => Math.floor(metres / this.#voxelM);
    const [vx, vy, vz] = [voxel(x), voxel(y), voxel(z)];
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(vx, 73_856_093) ^ Math.imul(vy, 19_349_663) ^ Math.imul(vz, 83_492_791)) & mask;
    for (;;) {
      const held = (this.#slots[slot]! - 1) * 3;
      const p = this.#positions;
      if (held < 0) return slot;
      if (voxel(p[held]!) === vx && voxel(p[held + 1]!) === vy && voxel(p[held + 2]!) === vz) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #rebuild(voxelM: number, slots: number): void {
    const [count, positions, colours] = [this.#count, this.#positions, this.#colours];
    this.#voxelM = voxelM;
    this.#count = 0;
    this.#slots = new Int32Array(slots);
    this.#positions = new Float32Array((slots / 2) * 3);
    this.#colours = new Uint8Array((slots / 2) * 3);
    for (let i = 0; i < count; i++)
      this.#put(positions[i * 3]!, positions[i * 3 + 1]!, positions[i * 3 + 2]!, colours, i * 3);
  }
}

/** All surfaces up to a moment, merged. */
export async function readCloud(
  reader: MemoryReader,
  graph: FrameGraph,
  options: WorldOptions & { readonly most: number },
): Promise<Cloud> {
  const cloud = new Cloud(options.most);
  for await (const piece of cloudPieces(reader, graph, options)) cloud.lay(piece);
  return cloud;
}
