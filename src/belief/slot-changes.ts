import type { Belief } from "./belief.ts";
import { changesIn, type Wanted } from "./changes.ts";
import { type Happening, madeEvent } from "./happening.ts";
import { isWithin } from "./rack-place.ts";
import type { Span } from "./span.ts";
import type { KnownThing } from "./thing.ts";

/** The changes of a slot that a box brings about by coming, and by going. */
const FILLS: ReadonlySet<string> = new Set(["filled", "new", "moved", "state"]);
const EMPTIES: ReadonlySet<string> = new Set(["emptied", "gone", "moved", "state"]);

/** When slots, bays or racks were filled and emptied: by the boxes that came into them and left them. */
export async function slotChanges(
  places: readonly KnownThing[],
  span: Span,
  { kinds, to }: Wanted,
  memory: Belief,
): Promise<Happening[]> {
  const moves = await changesIn(span, { kinds: ["moved", "new", "gone"] }, memory);
  const before = await memory.staysById(moves.map(({ event }) => String(event.detail["from"] ?? "")));
  const isWanted = (fill: string, names: ReadonlySet<string>) =>
    (to === undefined || to === fill) && kinds.some((kind) => names.has(kind));
  return moves.flatMap(({ event, thing }) => {
    const isGone = event.type === "disappear";
    const left = isGone ? thing?.slot : before.get(String(event.detail["from"] ?? ""))?.slot;
    const changed = [
      { slot: isGone ? undefined : thing?.slot, from: "empty", to: "full", names: FILLS },
      { slot: left, from: "full", to: "empty", names: EMPTIES },
    ];
    return changed.flatMap(({ slot, from, to: fill, names }) => {
      const place = slot && places.find((one) => one.slot !== undefined && isWithin(slot, one.slot));
      if (!place || !isWanted(fill, names)) return [];
      const interval = { fromUs: event.validFromUs, toUs: event.validToUs };
      const detail = { trackId: place.trackId, attribute: "fill", from, to: fill };
      const made = madeEvent(`${place.trackId} ${event.id}`, "state-change", interval, {
        who: event.who,
        author: event.author,
        detail,
      });
      return [{ event: { ...made, p: event.p }, thing: place }];
    });
  });
}
