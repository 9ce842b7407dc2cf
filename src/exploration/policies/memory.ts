import type { Frontier } from "../ground/frontiers.ts";
import { chosen, type Outlook, type Policy } from "./policy.ts";
import { earliestTour, MAX_STOPS } from "./tour.ts";

/** A frontier beyond which what is needed is so unlikely is left, while a better one is there. */
const UNLIKELY = 0.2;
const LIKELY = 0.3;
/** Borders nearer to each other than this are one stop: from one the other is seen as well. */
const SAME_STOP_M = 1.5;
/** Looking round at a stop takes as long as driving so far. */
const LOOK_M = 1;
/** Behind a door lies more than is in sight of it. */
const DOOR = 1.5;
/** How likely all of it has to be gone through before it is over. */
const TO_THE_END = 0.1;

/**
 * Ours. Frontiers where what is needed is unlikely are discarded while others are left, and stairs while this storey is
 * not done. Over the rest the tour decides on which what is needed is expected after the fewest metres: a stop counts by
 * how likely what is needed is there and by how much floor is seen from it. Its goal is kept, so that no small change turns it round.
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

/** The stops of most promise for their way, in the order that is expected to be over soonest. */
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
