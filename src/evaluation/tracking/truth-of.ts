import type { Drawing } from "../../exchange/picture/index.ts";
import { distance } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/index.ts";
import { readTruth, type Truth } from "./truth.ts";
import { truthDrawing } from "./truth-drawing.ts";

/** Number of the newest observations compared. */
const LOOKS = 200;
/** Tolerance of a camera's position against the truth, for drift and motion between two frames. */
const SAME_PLACE_M = 1;
/** Robots' clocks are off by less. */
const SAME_TIME_US = 2_000_000;

/**
 * Refuses the truth of another house: its cameras were elsewhere at the times of this memory's observations. Two
 * recordings of one house are told apart too, since only one of them was remembered.
 */
async function checkTruthOf(reader: MemoryReader, truth: Truth): Promise<void> {
  const { hits } = await reader.search({ kinds: ["observation"], rank: "latest", limit: LOOKS });
  const apart = hits.flatMap(({ record, position }) => {
    if (position === undefined) return [];
    const then = truth.frames.filter(({ trueUs }) => Math.abs(trueUs - record.validFromUs) < SAME_TIME_US);
    const ways = then.map(({ worldFromCamera }) => distance(worldFromCamera.p, position));
    return [Math.min(Infinity, ...ways)];
  });
  const elsewhere = apart.filter((way) => way > SAME_PLACE_M).length;
  if (2 * elsewhere <= apart.length) return;
  const { seed } = truth.document.settings;
  throw new LociError(
    "invalid-input",
    `this truth (seed ${seed}) is not of what the memory holds: its cameras were elsewhere at those times`,
  );
}

/** A truth.json of the simulator, drawn to stand beside the memory of its recording. */
export async function truthBeside(reader: MemoryReader, path: string, atUs?: number): Promise<Drawing> {
  const truth = await readTruth(path);
  await checkTruthOf(reader, truth);
  return truthDrawing(truth, atUs);
}
