import { distance, type Vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { LIMITS, type Sighting } from "../schema/core.ts";
import { isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import type { KnownThing } from "./thing.ts";

/** The part of a memory that the looks at a person need. */
interface Watched {
  readonly nowUs: number;
  readonly options: { readonly reader: Pick<MemoryReader, "frames" | "sightings"> };
  recordsOf(thing: KnownThing): Promise<string[]>;
  roomAt(position: Vec3): Promise<{ readonly id: string; readonly storey: number } | undefined>;
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** The most looks at one person that are put in order, the latest: eight minutes in view at two pictures a second. */
const MOST_LOOKS = 1_000;
/**
 * A robot that sees a person sees them in more than one picture: a look without another this long before and after it is alone (µs). In
 * simulated houses 20852, 21072 and 23102 at noise .5, two pictures a second, all four that were alone in a room of their own were of
 * nobody.
 */
const ALONE_US = 5_000_000;
/** Nobody was on one storey this soon (µs) before or after being on another, if they were seen there only once. */
const STAIRS_US = 10_000_000;
/** Nobody walks faster than this (m/s); positions of looks are this far off (m). */
const FASTEST_MPS = 2.5;
const OFF_M = 1.5;

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

interface Followed {
  readonly strays: ReadonlySet<string>;
  readonly lastUs?: number | undefined;
}

const NOT_FOLLOWED: Followed = { strays: new Set() };

function followed(thing: KnownThing, memory: Watched): Promise<Followed> {
  if (!isMover(thing.category) || thing.agentId !== undefined) return Promise.resolve(NOT_FOLLOWED);
  return memory.once(`strays ${thing.trackId}`, () => follow(thing, memory));
}

interface Look {
  readonly key: string;
  readonly timeUs: number;
  readonly position: Vec3;
  readonly room: { readonly id: string; readonly storey: number } | undefined;
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
    limit: MOST_LOOKS,
  };
  const looks: Look[] = [];
  for (const { anchor, ...look } of await reader.sightings(request)) {
    const position = anchor && inWorld(frames, anchor);
    if (!position) continue;
    looks.push({ key: lookKey(look), timeUs: look.timeUs, position, room: await memory.roomAt(position) });
  }
  looks.sort((a, b) => a.timeUs - b.timeUs);
  const strays = new Set(looks.flatMap((look, n) => (isStray(look, looks, n) ? [look.key] : [])));
  const last = looks.findLast(({ key }) => !strays.has(key));
  return { strays, lastUs: last === looks.at(-1) ? undefined : last?.timeUs };
}

function isStray(look: Look, looks: readonly Look[], n: number): boolean {
  const [before, after] = [looks[n - 1], looks[n + 1]];
  if (before && after && isOutOfReach(look, before) && isOutOfReach(look, after)) return true;
  // The only look at somebody is all that is known.
  const others = [before, after].filter((one) => one !== undefined);
  if (others.length === 0 || others.some((one) => apartUs(one, look) <= ALONE_US)) return false;
  const isOnOtherFloor = (one: Look) => one.room?.storey !== look.room?.storey;
  if (others.some((one) => apartUs(one, look) <= STAIRS_US && isOnOtherFloor(one))) return true;
  // Between two rooms it may have been in passing.
  if (before && after && before.room?.id !== after.room?.id) return false;
  return look.room?.id !== (before ?? after)?.room?.id;
}

function apartUs(a: Look, b: Look): number {
  return Math.abs(a.timeUs - b.timeUs);
}

/** Whether nobody could have walked from one to the other. */
function isOutOfReach(a: Look, b: Look): boolean {
  return distance(a.position, b.position) > OFF_M + (FASTEST_MPS * apartUs(a, b)) / 1e6;
}
