import { middleOf, type RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance, type Vec3 } from "../../geometry/index.ts";
import { type Way, wayBetween } from "../ways/way.ts";
import type { Scope } from "./operator.ts";
import type { Value } from "./value.ts";

/** A possible start or end of a route. */
export interface End {
  readonly point: Vec3;
  readonly thing?: KnownThing | undefined;
  readonly room?: RoomView | undefined;
}

/** Of many ends only the nearest by straight line are tried. */
const MOST_ENDS = 4;

/** Beside each of the things, in the middle of each of the rooms. */
export async function endsOf(value: Value, { memory }: Scope): Promise<End[]> {
  switch (value.kind) {
    case "self":
      return [{ point: value.position }];
    case "things":
      return value.things.flatMap((thing) => (thing.position ? [{ point: thing.position, thing }] : []));
    case "rooms":
      return value.rooms.map((room) => ({ point: middleOf(room), room }));
    case "floors":
      return (await memory.rooms())
        .filter(({ storey }) => value.storeys.includes(storey))
        .map((room) => ({ point: middleOf(room), room }));
    default:
      return [];
  }
}

/** The shortest of the routes to the ends, of which there is at least one; a known route goes before a guess. */
export async function bestWay(
  from: Vec3,
  ends: readonly End[],
  { memory, agentId, map }: Scope,
  without?: ReadonlySet<string>,
): Promise<{ readonly way: Way; readonly to: End }> {
  const options = { memory, agentId, map: await map?.(), without };
  const nearest = ends.toSorted((a, b) => distance(a.point, from) - distance(b.point, from));
  let best: { readonly way: Way; readonly to: End } | undefined;
  for (const to of nearest.slice(0, MOST_ENDS)) {
    const way = await wayBetween(from, to.point, options);
    if (!best || rank(way) < rank(best.way)) best = { way, to };
  }
  return best!;
}

function rank({ by, lengthM }: Way): number {
  return lengthM + (by === "straight" ? 1e6 : 0);
}
