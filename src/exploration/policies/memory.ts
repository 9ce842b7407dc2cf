import type { Frontier } from "../ground/frontiers.ts";
import { chosen, type Outlook, type Policy } from "./policy.ts";
import { earliestTour, MAX_STOPS } from "./tour.ts";

/** A frontier beyond which what is needed is so unlikely is left, while a better one is there. */
const UNLIKELY = 0.2;
const LIKELY = 0.3;
/** Semantics lead where the best stands out from the middle one by this; else they are noise, and geometry decides. */
const CUE = 0.2;
/** Within this of the best they are equally good. */
const AS_GOOD = 0.12;
/** What lies behind a door is a room; what is left of this one is a corner. */
const ROOM_M2 = 8;
/** More floor in sight than this says no more about what it holds. */
const MOST_GAIN_M2 = 6;

/**
 * Ours. Scores only discard: frontiers where what is needed is unlikely, while others are left. Over the rest a tour that
 * brings much new floor early decides, so that no small change of a score turns the agent round. Doors count as the room
 * behind them, and come before corners of a room in which nothing is expected.
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
    const best = Math.max(0, ...kept.map(of));
    if (best >= LIKELY)
      discard(
        (one) => of(one) < UNLIKELY,
        (one) => `what is needed is unlikely there (${of(one).toFixed(2)})`,
      );
    const middle = kept.map(of).sort((a, b) => a - b)[kept.length >> 1] ?? 0;
    const isCue = best - middle >= CUE;
    if (isCue)
      discard(
        (one) => of(one) < best - AS_GOOD,
        (one) => `${best.toFixed(2)} is likelier than ${of(one).toFixed(2)}`,
      );
    const order = tourOver(kept, outlook);
    return chosen(
      order[0],
      isCue ? "first of a tour over the likeliest" : "first of a tour over all that are left",
      frontiers,
      (one) => ({ likely: of(one), gainM2: one.gainM2, costM: one.costM, stop: order.indexOf(one) + 1 }),
      discarded,
    );
  },
};

function tourOver(kept: readonly Frontier[], { terrain }: Outlook): Frontier[] {
  const stops = kept.toSorted((a, b) => a.costM - b.costM).slice(0, MAX_STOPS);
  if (stops.length < 2) return stops;
  const cells = stops.map(({ stand }) => terrain.cellAt(stand.positionInWorld));
  const distance = stops.map(({ stand }) => {
    const field = terrain.field(stand.positionInWorld);
    return cells.map((cell) => field.metresTo(cell));
  });
  const weights = stops.map(({ gainM2, isOpening }) =>
    isOpening ? ROOM_M2 : Math.min(gainM2, MOST_GAIN_M2),
  );
  const order = earliestTour(
    stops.map(({ costM }) => costM),
    distance,
    weights,
  );
  return order.map((n) => stops[n]!);
}
