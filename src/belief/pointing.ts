import type { Hit } from "../memory/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { LOOKS } from "./settings/looks.ts";
import type { KnownThing } from "./thing.ts";

/** Left, top, right, bottom in pixels of the camera that took the picture. */
type PixelBox = readonly [number, number, number, number];

/**
 * What a speaker means by "this": a place in the picture that an agent took at a time (a box, or one pixel as a box
 * without size), or states that were recognised in a picture from elsewhere, with how sure that is.
 */
export type Pointing =
  | { readonly agentId?: string | undefined; readonly timeUs: number; readonly bbox: PixelBox }
  | { readonly states: readonly { readonly stateId: string; readonly score: number }[] };

type DetectionHit = Hit & { readonly record: Stored<RecordOf<"detection">> };

/** The thing that is pointed at, with how sure that is as its fit; undefined when no known thing is there. */
export async function pointedThing(memory: Belief, pointing: Pointing): Promise<KnownThing | undefined> {
  if ("states" in pointing) {
    const [best] = pointing.states.toSorted((a, b) => b.score - a.score);
    return best && memory.thingOfState(best.stateId, Math.min(1, Math.max(0, best.score)));
  }
  const look = await lookAt(memory, pointing);
  if (!look) return undefined;
  const { record, position } = look.hit;
  if (record.stateId !== undefined) {
    const thing = await memory.thingOfState(record.stateId, look.fit);
    if (thing) return thing;
  }
  if (!position) return undefined;
  const near = await memory.around({ type: "radius", centre: position, radiusM: LOOKS.samePlaceM });
  const alike = near.filter(({ category }) => category === record.category);
  const thing = alike[0] ?? near[0];
  return thing && { ...thing, fit: look.fit * 0.8 };
}

/** The detection at a place of a picture: by how its box fits, and how near to the moment named it was made. */
async function lookAt(
  memory: Belief,
  { agentId, timeUs, bbox }: Extract<Pointing, { timeUs: number }>,
): Promise<{ readonly hit: DetectionHit; readonly fit: number } | undefined> {
  const hits = (await memory.search({
    kinds: ["detection"],
    where: agentId === undefined ? {} : { author: [agentId] },
    time: { overlaps: { fromUs: timeUs - LOOKS.pointedNearUs, toUs: timeUs + LOOKS.pointedNearUs } },
    rank: "latest",
    limit: LOOKS.mostDetections,
  })) as DetectionHit[];
  const late = ({ record }: DetectionHit) =>
    (LOOKS.offByASecond * Math.abs(record.validFromUs - timeUs)) / LOOKS.pointedNearUs;
  return hits
    .flatMap((hit) => (hit.record.bbox ? [{ hit, fit: overlap(hit.record.bbox, bbox) }] : []))
    .filter(({ fit }) => fit >= LOOKS.leastOverlap)
    .sort(
      (a, b) => b.fit - late(b.hit) - (a.fit - late(a.hit)) || (a.hit.record.id < b.hit.record.id ? -1 : 1),
    )[0];
}

/** Intersection over union of two boxes; of a pixel, how tightly a box lies around it. */
function overlap(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width < 0 || height < 0) return 0;
  const [own, other] = [areaOf(a), areaOf(b)];
  // Of several boxes around a pixel the smallest is meant: the mug, not the table behind it.
  if (other === 0) return 0.5 + 0.5 / (1 + own / 1_000);
  return (width * height) / (own + other - width * height);
}

function areaOf([left, top, right, bottom]: PixelBox): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}
