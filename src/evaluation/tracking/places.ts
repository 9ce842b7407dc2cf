import { distance, iou } from "../../geometry/index.ts";
import type { Matching } from "./identity.ts";
import type { Look } from "./looks.ts";
import { NO_RATIO, type Ratio } from "./ratio.ts";
import type { Remembered, RememberedState, RememberedTrack } from "./remembered.ts";
import { boundsOf, type Truth } from "./truth.ts";

export interface PlaceScore {
  /** Of each matched thing, in metres. */
  readonly errorsM: readonly number[];
  /** Overlap of the remembered box with the true bounds. */
  readonly boxIous: readonly number[];
  /** Category of the track right. */
  readonly category: Ratio;
  readonly fluents: Ratio;
  readonly colour: Ratio;
  readonly examples: readonly string[];
}

/** What is further off is worth looking at. */
const FAR_M = 0.3;

/** A track's current state: the open one that began last, else the last one. */
export function currentState({ states }: RememberedTrack): RememberedState | undefined {
  return states.findLast(({ record }) => record.validToUs === null) ?? states.at(-1);
}

/** When each state was last looked at, in true time. */
export function lastLooks(looks: readonly Look[]): Map<string, number> {
  return new Map(looks.map(({ stateId, frame }) => [stateId, frame.trueUs]));
}

/**
 * For each countable thing with a match, except people: position, box, category, colour and fluents of the track's
 * current state against the truth at the state's last observation (a thing may have gone unseen since). The position
 * of a thing being carried at that moment is skipped.
 */
export function scorePlaces(
  truth: Truth,
  remembered: Remembered,
  matching: Matching,
  looks: readonly Look[],
): PlaceScore {
  const errors: { thing: string; errorM: number }[] = [];
  const boxIous: number[] = [];
  let [category, fluents, colour] = [NO_RATIO, NO_RATIO, NO_RATIO];
  const lastUs = lastLooks(looks);
  for (const [trackId, thingId] of matching.thingOf) {
    const thing = truth.thing(thingId)!;
    if (thing.type === "person" || !truth.isCountable(thingId)) continue;
    const track = remembered.tracks.get(trackId)!;
    const state = currentState(track);
    const atUs = state && lastUs.get(state.id);
    if (state === undefined || atUs === undefined) continue;
    category = counted(category, state.record.category === thing.category);
    fluents = thing.fluents.reduce(
      (sum, name) => countedValue(sum, attributeOf(state, name), truth.fluentAt(thingId, name, atUs)),
      fluents,
    );
    colour = countedValue(colour, attributeOf(state, "colour"), thing.colour);
    const where = truth.placementAt(thingId, atUs);
    if (!where?.isResting || where.placement.hidden) continue;
    if (state.position === undefined) continue;
    errors.push({ thing: thingId, errorM: distance(state.position, where.placement.centre) });
    if (state.box) boxIous.push(iou(state.box, boundsOf(where.placement)));
  }
  const worst = errors.filter(({ errorM }) => errorM > FAR_M).sort((a, b) => b.errorM - a.errorM);
  return {
    errorsM: errors.map(({ errorM }) => errorM),
    boxIous,
    category,
    fluents,
    colour,
    examples: worst.map(({ thing, errorM }) => `${thing}: ${errorM.toFixed(2)} m off`),
  };
}

function attributeOf({ record }: RememberedState, name: string): string | undefined {
  const value = record.attributes[name]?.value;
  return value === undefined ? undefined : String(value);
}

function counted({ hits, total }: Ratio, isRight: boolean): Ratio {
  return { hits: hits + (isRight ? 1 : 0), total: total + 1 };
}

/** Attributes that the thing lacks, or that the memory does not claim to know, are not counted. */
function countedValue(sum: Ratio, remembered: string | undefined, real: string | undefined): Ratio {
  return remembered === undefined || real === undefined ? sum : counted(sum, remembered === real);
}
