import { z } from "zod";
import type { Transform } from "../geometry/index.ts";
import { LociError } from "../schema/core.ts";
import { decodeGrid, encodeGrid } from "./codec.ts";
import type { Layer } from "./layer.ts";
import type { LayerBounds } from "./submap.ts";

/**
 * The resting submaps composed into one blob: opening a map then costs time by the size of the place, not by the
 * length of the recording. "LGC1", u32 length of the list of submaps, that list as JSON, and a grid blob whose layers
 * are the storeys in the world. It can be rebuilt from the submaps at any time, and is used only while all of them
 * are unchanged.
 */
export interface Consolidated {
  readonly pieces: readonly Piece[];
  readonly storeys: readonly Layer[];
}

/** One submap as it was composed. */
export interface Piece {
  readonly frame: string;
  /** The blob that it was read from. */
  readonly grid: string;
  readonly transform: Transform;
  readonly lastUs: number;
  readonly bounds: readonly LayerBounds[];
}

const MAGIC = "LGC1";
const HEAD_BYTES = 8;
const MAX_LAYERS = 1_024;

const finite = z.number();
const listSchema = z
  .array(
    z.object({
      frame: z.string(),
      grid: z.string(),
      p: z.tuple([finite, finite, finite]),
      q: z.tuple([finite, finite, finite, finite]),
      lastUs: finite,
      /** Floor, frames, then the corners; an empty layer has none. */
      bounds: z.array(z.tuple([finite, finite, finite, finite, finite, finite])).max(MAX_LAYERS),
    }),
  )
  .max(1_000_000);

export function encodeConsolidated({ pieces, storeys }: Consolidated): Uint8Array {
  const list: z.infer<typeof listSchema> = pieces.map(
    ({ frame, grid, transform: { p, q }, lastUs, bounds }) => ({
      frame,
      grid,
      p: [p.x, p.y, p.z],
      q: [q.w, q.x, q.y, q.z],
      lastUs,
      bounds: bounds.map(({ floorZ, frames, minX, minY, maxX, maxY }) =>
        minX < maxX ? [floorZ, frames, minX, minY, maxX, maxY] : [floorZ, frames, 0, 0, 0, 0],
      ),
    }),
  );
  const text = Buffer.from(JSON.stringify(list), "utf8");
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, "latin1");
  head.writeUInt32LE(text.length, 4);
  return Buffer.concat([head, text, encodeGrid(storeys)]);
}

/** Throws `memory-corrupt` on anything but a consolidated map. */
export function decodeConsolidated(blob: Uint8Array): Consolidated {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.toString("latin1", 0, 4) !== MAGIC)
    throw new LociError("memory-corrupt", `expected a "${MAGIC}" blob`);
  const end = HEAD_BYTES + bytes.readUInt32LE(4);
  let list: z.infer<typeof listSchema>;
  try {
    list = listSchema.parse(JSON.parse(bytes.toString("utf8", HEAD_BYTES, end)));
  } catch (cause) {
    throw new LociError("memory-corrupt", `a "${MAGIC}" blob is cut short or damaged`, { cause });
  }
  return {
    pieces: list.map(({ frame, grid, p, q, lastUs, bounds }) => ({
      frame,
      grid,
      transform: { p: { x: p[0], y: p[1], z: p[2] }, q: { w: q[0], x: q[1], y: q[2], z: q[3] } },
      lastUs,
      bounds: bounds.map(([floorZ, frames, minX, minY, maxX, maxY]) => ({
        floorZ,
        frames,
        minX,
        minY,
        maxX,
        maxY,
      })),
    })),
    storeys: decodeGrid(bytes.subarray(end)),
  };
}
