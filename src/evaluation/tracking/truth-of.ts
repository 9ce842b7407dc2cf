import { distance } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/index.ts";
import type { Truth } from "./truth.ts";

/** So many of the newest looks are compared. */
const LOOKS = 200;
/** A camera is where the truth has one at that moment but for drift, and moves so far between two frames. */
const SAME_PLACE_M = 1;
/** Clocks of robots are off by less. */
const SAME_TIME_US = 2_000_000;

/**
 * Refuses the truth of another house: its cameras were elsewhere at the times at which this memory's were looking.
 * Two recordings of one house are told apart too, since only one of them is what was remembered.
 */
export async function checkTruthOf(reader: MemoryReader, truth: Truth): Promise<void> {
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
