import { isMover } from "../../belief/mobility.ts";
import type { Standing } from "../../belief/presence.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { agoText, dayAndClock } from "./figures.ts";

/** A place with whether the thing is still there: "on the counter until 09:01, and no longer there at 09:05". */
export function placeWithStanding(
  place: string,
  { category }: Pick<KnownThing, "category">,
  { status, lastSeenUs, missedUs }: Standing,
  nowUs: number,
): string {
  if (status === "there") return place;
  if (isMover(category)) return `${place}, when last seen ${agoText(nowUs - lastSeenUs)}`;
  const until = `${place} until ${bare(lastSeenUs, nowUs)}`;
  if (status === "taken") return `carried off; it was ${until}`;
  return status === "gone" && missedUs !== undefined
    ? `gone: it was ${until}, and was not there ${dayAndClock(missedUs, nowUs)}`
    : `${until}; where it is now I do not know`;
}

function bare(us: number, nowUs: number): string {
  return dayAndClock(us, nowUs).replace(/^at /, "");
}
