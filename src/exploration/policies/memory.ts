import type { Frontier } from "../ground/frontiers.ts";
import { chosen, type Outlook, type Policy } from "./policy.ts";
import { earliestTour, MAX_STOPS } from "./tour.ts";

/** A frontier with a lower likelihood is discarded while a better one exists. */
const UNLIKELY = 0.2;
const LIKELY = 0.3;
/** Frontiers nearer to each other than this are one stop: from one the other is visible too. */
const SAME_STOP_M = 1.5;
/** Looking round at a stop takes as long as driving this far. */
const LOOK_M = 1;
/** More lies behind a door than is visible of it. */
const DOOR = 1.5;
/** Probability that everything must be visited before the search is over. */
const TO_THE_END = 0.1;

/**
 * Ours. Unlikely frontiers are discarded while others are left, and stairs while this storey is unfinished. The rest
 * are ordered by the tour that is expected to find the target after the fewest metres; a stop's weight is its
 * likelihood and the floor visible from it. The goal is kept, so that no small change reverses it.
 */
export const memory: Policy = {
  name: "memory",
  commits: true,
  recalls: true,
  choose(outlook) {
    const { frontiers, likely } = outlook;
    const worth = new Map(frontiers.map((one) => [one.id, likely(one)]));
    const of = (one: Frontier): number => worth.get(one.id)!;
    const discarded = new Map<string, string>();
    let kept = [...frontiers];
    const discard = (isOut: (one: Frontier) => boolean, why: (one: Frontier) => string): void => {
      const rest = kept.filter((one) => !isOut(one));
      if (rest.length === 0 || rest.length === kept.length) return;
      for (const one of kept) if (isOut(one)) discarded.set(one.id, why(one));
      kept = rest;
    };
    discard(
      ({ flight }) => flight?.isNew === false,
      () => "this storey first",
    );
    if (Math.max(0, ...kept.map(of)) >= LIKELY)
      discard(
        (one) => of(one) < UNLIKELY,
        (one) => `what is needed is unlikely there (${of(one).toFixed(2)})`,
      );
    discard(
      ({ flight }) => flight !== undefined,
      () => "this storey first",
    );
    const showing = (one: Frontier): number => of(one) * one.shownM2 * (one.isOpening ? DOOR : 1);
    const order = tourOver(kept, outlook, showing);
    return chosen(
      order[0],
      "first of a tour over all that are left",
      frontiers,
      (one) => ({
        showing: showing(one),
        shownM2: one.shownM2,
        costM: one.costM,
        stop: order.indexOf(one) + 1,
      }),
      discarded,
    );
  },
};

/** The most promising stops for their path length, in the order expected to finish soonest. */
function tourOver(
  kept: readonly Frontier[],
  { terrain }: Outlook,
  showing: (one: Frontier) => number,
): Frontier[] {
  const promise = (one: Frontier): number => showing(one) / (LOOK_M + one.costM);
  const stops: Frontier[] = [];
  for (const one of kept.toSorted((a, b) => promise(b) - promise(a))) {
    const isSeen = stops.some(
      ({ middle: { x, y } }) => Math.hypot(x - one.middle.x, y - one.middle.y) < SAME_STOP_M,
    );
    if (!isSeen && stops.length < MAX_STOPS) stops.push(one);
  }
  if (stops.length < 2) return stops;
  const ways = terrain.between(stops.map(({ stand }) => stand.positionInWorld));
  const order = earliestTour(
    stops.map(({ costM }) => LOOK_M + costM),
    ways.map((row) => row.map((metres) => LOOK_M + metres)),
    stops.map(showing),
    TO_THE_END,
  );
  return order.map((n) => stops[n]!);
}
