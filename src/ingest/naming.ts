import { extentOf } from "../geometry/index.ts";
import type { Describer } from "../models/index.ts";
import { encodeJpeg } from "../perception/index.ts";
import type { TrackedThing, TrackerStep } from "../tracking/index.ts";
import type { Stages } from "./stages.ts";

/** Most things that a model names at the end of one recording; the largest first. */
const MOST = 200;
const SHEET_PX = 512;

/**
 * Asks a model once for the name, looks and text of each thing, from a sheet of its best views: things without a name, or
 * named by our own eyes alone. Things it named before are not asked again.
 */
export async function nameThings(
  { tracker, looks }: Stages,
  describer: Describer,
): Promise<Pick<TrackerStep, "records">> {
  const open = [...tracker.things()]
    .filter(
      ({ type, category, namedBy }) => type === "object" && (category === "thing" || namedBy === "eyes"),
    )
    .flatMap((thing) => {
      const sheet = looks?.sheetOf(thing.stateId);
      return sheet ? [{ thing, sheet }] : [];
    })
    .sort((a, b) => sizeOf(b.thing) - sizeOf(a.thing) || (a.thing.stateId < b.thing.stateId ? -1 : 1))
    .slice(0, MOST);
  const said = await describer.describe(
    open.map(({ thing, sheet }) => ({
      label: knownOf(thing),
      image: async () => ({ bytes: await encodeJpeg(sheet, SHEET_PX) }),
    })),
  );
  const records = open.flatMap(({ thing: { stateId } }, n) => {
    const seen = said[n];
    if (!seen) return [];
    const { kind: category, ...rest } = seen;
    return tracker.told(stateId, { ...rest, category, namedBy: describer.id }).records;
  });
  return { records };
}

/** Its geometry in words, for a model that sees only crops: "thing, 20 × 10 × 8 cm, on a counter". */
function knownOf({ name, boxInWorld, on }: TrackedThing): string {
  const { x, y, z } = extentOf(boxInWorld);
  const sizes = [Math.max(x, y), Math.min(x, y), z].map((side) => Math.round(100 * side));
  return `${name}, ${sizes.join(" × ")} cm${on === undefined ? "" : `, on a ${on}`}; several looks at it`;
}

function sizeOf({ boxInWorld }: TrackedThing): number {
  const { x, y, z } = extentOf(boxInWorld);
  return Math.max(x, y, z);
}
