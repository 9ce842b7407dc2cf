import type { Interval } from "../../../geometry/index.ts";
import { wordsOf } from "../../../memory/lexical.ts";
import type { Stored } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";

/** Whether somebody was under a roof, from one time until another, by what captions speak of. */
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
/** The latest so many captions are read: an hour and more, at what a question may cost. */
const MOST = 600;

/** The times inside and outside, in order, as far as the captions of the memory tell. */
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
    // Somewhere between two captions one went through a door: in the middle, for want of better.
    const fromUs = last ? Math.round((last.toUs + record.validFromUs) / 2) : record.validFromUs;
    if (last) last.toUs = fromUs;
    spells.push({ inside, fromUs, toUs: record.validFromUs, records: [record] });
  }
  const last = spells.at(-1);
  if (last) last.toUs = Math.max(last.toUs, memory.nowUs);
  return spells;
}

/** By the words that are at home inside or outside; undefined where they are about even. */
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
