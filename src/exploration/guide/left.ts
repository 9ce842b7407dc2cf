import { lookingRangeM, sightOf } from "../ground/attention.ts";
import { placesOf } from "./places.ts";
import type { Moment } from "./recollection.ts";

/** Most frontiers listed individually; the rest are only counted. */
const MOST_BORDERS = 6;

/**
 * How far the place is known: the observed share of each room, and where unknown areas are left. From a memory alone
 * a model cannot tell whether "not seen" means "not there".
 */
export function leftText({ survey, explorer }: Pick<Moment, "survey" | "explorer">): string {
  if (survey === undefined) return "nothing is known of the place yet";
  const sight = sightOf(lookingRangeM(undefined, explorer.body.model), false);
  const rooms = survey.rooms.map((room) => {
    const share = Math.min(1, survey.share(room, sight));
    return `${room.name}: ${Math.round(100 * share)} % looked at`;
  });
  const reachable = survey.reachable.toSorted((a, b) => b.gainM2 - a.gainM2);
  const borders = placesOf(
    reachable.slice(0, MOST_BORDERS).map(({ id, stand, costM }) => ({
      goal: { kind: "explore", stand, target: id, reason: "" },
      value: 0,
      costM,
    })),
    survey,
    explorer,
  ).map(({ what }) => `unknown: ${what}`);
  const more = reachable.length - borders.length;
  const barred = survey.frontiers.filter(({ costM }) => costM === Infinity).length;
  return [
    ...rooms,
    ...borders,
    ...(more > 0 ? [`unknown: ${more} more places`] : []),
    ...(barred > 0 ? [`unknown, and no way leads there: ${barred} places`] : []),
    ...(reachable.length === 0 ? ["nothing that can be reached is left to look at"] : []),
  ].join("\n");
}
