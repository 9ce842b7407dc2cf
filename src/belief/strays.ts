import { distance, type Vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { LIMITS, type Sighting } from "../schema/core.ts";
import { isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import { STRAYS } from "./settings/presence.ts";
import type { KnownThing } from "./thing.ts";

/** The part of a memory that the looks at a person need. */
interface Watched {
  readonly nowUs: number;
  readonly options: { readonly reader: Pick<MemoryReader, "frames" | "sightings"> };
  recordsOf(thing: KnownThing): Promise<string[]>;
  roomAt(position: Vec3): Promise<{ readonly id: string; readonly storey: number } | undefined>;
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** The identity of one look. */
export function lookKey({ timeUs, agentId }: Pick<Sighting, "timeUs" | "agentId">): string {
  return `${timeUs} ${agentId}`;
}

/**
 * The looks at a person or vehicle that were something else: one alone, in a room where it was seen neither before nor after. It would have
 * had to go there and back, or away for good, in view of a robot that saw it once.
 */
export async function straysOf(thing: KnownThing, memory: Watched): Promise<ReadonlySet<string>> {
  return (await followed(thing, memory)).strays;
}

/** When somebody was last seen for certain; undefined where the last look was no stray. */
export async function lastBeforeStray(thing: KnownThing, memory: Watched): Promise<number | undefined> {
  return (await followed(thing, memory)).lastUs;
}

/** One look at a person or vehicle that tells where it was. */
export interface LookAt {
  readonly key: string;
  readonly timeUs: number;
  readonly agentId: string;
  readonly position: Vec3;
}

interface Followed {
  readonly strays: ReadonlySet<string>;
  readonly lastUs?: number | undefined;
  /** The looks that are no strays, earliest first; undefined where there are too many to be read, or none tells a place. */
  readonly looks?: readonly LookAt[] | undefined;
}

/** All looks at a person or vehicle, strays left out; undefined where they are not all known. */
export async function looksAt(thing: KnownThing, memory: Watched): Promise<readonly LookAt[] | undefined> {
  return (await followed(thing, memory)).looks;
}

const NOT_FOLLOWED: Followed = { strays: new Set() };

function followed(thing: KnownThing, memory: Watched): Promise<Followed> {
  if (!isMover(thing.category) || thing.agentId !== undefined) return Promise.resolve(NOT_FOLLOWED);
  return memory.once(`strays ${thing.trackId}`, () => follow(thing, memory));
}

async function follow(thing: KnownThing, memory: Watched): Promise<Followed> {
  const { reader } = memory.options;
  const [frames, stateIds] = [await reader.frames(), await memory.recordsOf(thing)];
  const during = { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  const request = {
    stateIds,
    outcomes: ["seen" as const],
    during,
    order: "latest" as const,
    limit: STRAYS.mostLooks,
  };
  const read = await reader.sightings(request);
  const looks = read.flatMap(({ anchor, timeUs, agentId }) => {
    const position = anchor && inWorld(frames, anchor);
    return position ? [{ key: lookKey({ timeUs, agentId }), timeUs, agentId, position }] : [];
  });
  looks.sort((a, b) => a.timeUs - b.timeUs);
  const strays = new Set<string>();
  for (const [n, look] of looks.entries()) if (await isStray(look, looks, n, memory)) strays.add(look.key);
  const kept = strays.size === 0 ? looks : looks.filter(({ key }) => !strays.has(key));
  const last = kept.at(-1);
  return {
    strays,
    lastUs: last === looks.at(-1) ? undefined : last?.timeUs,
    looks: looks.length > 0 && read.length < STRAYS.mostLooks ? kept : undefined,
  };
}

async function isStray(look: LookAt, looks: readonly LookAt[], n: number, memory: Watched): Promise<boolean> {
  const [before, after] = [looks[n - 1], looks[n + 1]];
  if (before && after && isOutOfReach(look, before) && isOutOfReach(look, after)) return true;
  // The only look at somebody is all that is known.
  const others = [before, after].filter((one) => one !== undefined);
  if (others.length === 0 || others.some((one) => apartUs(one, look) <= STRAYS.aloneUs)) return false;
  const room = await memory.roomAt(look.position);
  const rooms = await Promise.all(others.map(({ position }) => memory.roomAt(position)));
  if (others.some((one, i) => apartUs(one, look) <= STRAYS.stairsUs && rooms[i]?.storey !== room?.storey))
    return true;
  // Between two rooms it may have been in passing.
  if (before && after && rooms[0]?.id !== rooms[1]?.id) return false;
  return room?.id !== rooms[0]?.id;
}

function apartUs(a: LookAt, b: LookAt): number {
  return Math.abs(a.timeUs - b.timeUs);
}

/** Whether nobody could have walked from one to the other. */
function isOutOfReach(a: LookAt, b: LookAt): boolean {
  return distance(a.position, b.position) > STRAYS.offM + (STRAYS.fastestMps * apartUs(a, b)) / 1e6;
}
