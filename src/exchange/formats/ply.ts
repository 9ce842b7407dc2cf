import type { MemoryReader } from "../../memory/index.ts";
import { writeWhole } from "../whole-file.ts";
import { type CloudPoints, readCloud } from "../world/cloud.ts";
import type { ExportOptions, ExportReport } from "./format.ts";
import { MAX_POINTS } from "./format.ts";

const POINT_BYTES = 15;
const POINTS_PER_PIECE = 65_536;

/** The surface points with their colours: binary, little-endian, metres in the world frame. */
export async function exportPly(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const cloud = await readCloud(reader, await reader.frames(), { ...options, most: MAX_POINTS });
  const bytes = await writeWhole(path, plyPieces(cloud.points()), options.signal);
  return { bytes, counts: { points: cloud.count }, notes: [] };
}

function* plyPieces({ count, positions, colours }: CloudPoints): Generator<Uint8Array | string> {
  yield [
    "ply",
    "format binary_little_endian 1.0",
    "comment metres in the world frame of a Loci memory, z up",
    `element vertex ${count}`,
    "property float x",
    "property float y",
    "property float z",
    "property uchar red",
    "property uchar green",
    "property uchar blue",
    "end_header\n",
  ].join("\n");
  for (let from = 0; from < count; from += POINTS_PER_PIECE) {
    const to = Math.min(count, from + POINTS_PER_PIECE);
    const bytes = new Uint8Array((to - from) * POINT_BYTES);
    const view = new DataView(bytes.buffer);
    for (let i = from; i < to; i++) {
      const at = (i - from) * POINT_BYTES;
      for (let axis = 0; axis < 3; axis++) view.setFloat32(at + axis * 4, positions[i * 3 + axis]!, true);
      bytes.set(colours.subarray(i * 3, i * 3 + 3), at + 12);
    }
    yield bytes;
  }
}
