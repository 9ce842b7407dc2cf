import type { Interval } from "../../../geometry/index.ts";
import { wordsOf } from "../../../memory/lexical.ts";
import type { Stored } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";

/** Whether the robot was indoors in a time span, according to captions. */
export interface Indoors extends Interval {
  readonly inside: boolean;
  readonly toUs: number;
  /** The captions that say so, earliest first. */
  readonly records: readonly Stored[];
}

const INSIDE = new Set(
  wordsOf(
    "hallway corridor indoor indoors interior lobby ceiling elevator atrium lounge classroom cafeteria fluorescent carpet tile tiled foyer stairwell room kitchen office aisle shelves warehouse",
  ),
);
const OUTSIDE = new Set(
  wordsOf(
    "sidewalk street road pathway walkway outdoor outdoors tree trees sky sunlight sunny lawn grass parking courtyard hedge bushes leaves shade lamp bicycle bike vehicle car truck curb pavement plaza garden branches campus",
  ),
);
/** The most captions read, the latest ones: an hour and more, within the effort of a question. */
const MOST = 600;

/** The times indoors and outdoors, in order, as far as the captions tell. */
export async function indoorsOf({ memory }: Pick<Scope, "memory">): Promise<Indoors[]> {
  const hits = await memory.search({ kinds: ["caption"], rank: "latest", limit: MOST });
  const told = hits
    .map(({ record }) => ({ record, inside: isInside(record) }))
    .filter((one): one is { record: Stored; inside: boolean } => one.inside !== undefined)
    .sort((a, b) => a.record.validFromUs - b.record.validFromUs);
  const spells: { inside: boolean; fromUs: number; toUs: number; records: Stored[] }[] = [];
  for (const { record, inside } of told) {
    const last = spells.at(-1);
    if (last?.inside === inside) {
      last.records.push(record);
      last.toUs = record.validFromUs;
      continue;
    }
    // The door was passed somewhere between two captions: the middle is the best estimate.
    const fromUs = last ? Math.round((last.toUs + record.validFromUs) / 2) : record.validFromUs;
    if (last) last.toUs = fromUs;
    spells.push({ inside, fromUs, toUs: record.validFromUs, records: [record] });
  }
  const last = spells.at(-1);
  if (last) last.toUs = Math.max(last.toUs, memory.nowUs);
  return spells;
}

/** By words typical of indoors or outdoors; undefined where they are about even. */
function isInside({ text }: Stored): boolean | undefined {
  let inside = 0;
  let outside = 0;
  for (const line of text) {
    const words = new Set(wordsOf(line));
    for (const word of words) {
      if (INSIDE.has(word)) inside++;
      if (OUTSIDE.has(word)) outside++;
    }
  }
  const margin = (inside - outside) / Math.max(1, inside + outside);
  return inside + outside < 2 || Math.abs(margin) < 0.2 ? undefined : margin > 0;
}
