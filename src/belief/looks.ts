import { distance, type Vec3 } from "../geometry/index.ts";
import type { SightingQuery } from "../memory/index.ts";
import { LIMITS, type Sighting } from "../schema/core.ts";
import type { MemorySearch } from "./memory-search.ts";
import { isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import type { RoomView } from "./room-names.ts";
import { LOOKS } from "./settings/looks.ts";
import type { Span } from "./span.ts";
import { lookKey, looksAt, straysOf } from "./strays.ts";
import type { KnownThing } from "./thing.ts";

/** The part of a belief that following a robot, person or thing needs. */
export interface Followed extends MemorySearch {
  stays(trackId: string): Promise<KnownThing[]>;
  recordsOf(thing: KnownThing): Promise<string[]>;
  roomAt(position: Vec3): Promise<RoomView | undefined>;
}

/** The position of a robot, person or thing at a time. */
export interface Step {
  readonly timeUs: number;
  readonly position: Vec3;
  /** The robot that made the observation, where several robots are asked at once. */
  readonly by?: string;
}

/**
 * The positions from which the robot asked observed in a span of time and shortly before it, earliest first; read once
 * per question.
 */
export async function ownSteps(
  { memory, agentId }: { readonly memory: Followed; readonly agentId?: string | undefined },
  { fromUs, toUs }: Span,
): Promise<Step[]> {
  const latest = await readOnce(memory, agentId);
  if (latest.length < LOOKS.mostSteps || latest[0]!.timeUs <= fromUs - LOOKS.beforeUs) return latest;
  return readOnce(memory, agentId, { fromUs: Math.max(fromUs - LOOKS.beforeUs, -LIMITS.timeUs), toUs });
}

function readOnce(memory: Followed, agentId: string | undefined, span?: Span): Promise<Step[]> {
  const key = `steps ${agentId} ${span?.fromUs} ${span?.toUs}`;
  return memory.once(key, () => readSteps(memory, agentId, span));
}

async function readSteps(memory: Followed, agentId: string | undefined, span?: Span): Promise<Step[]> {
  const hits = await memory.search({
    kinds: ["observation"],
    where: agentId === undefined ? {} : { author: [agentId] },
    time: { overlaps: span ?? { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 } },
    rank: "latest",
    limit: LOOKS.mostSteps,
  });
  return hits
    .flatMap(({ record, position }) =>
      position ? [{ timeUs: record.validFromUs, position, by: record.author }] : [],
    )
    .reverse();
}

/** The sightings of a thing, in any of its stays. */
export async function sightingsOf(
  thing: KnownThing,
  memory: Followed,
  request: Omit<SightingQuery, "stateIds" | "outcomes">,
): Promise<Sighting[]> {
  const stateIds = await memory.recordsOf(thing);
  const strays = await straysOf(thing, memory);
  const { limit } = request;
  const most = limit === undefined ? {} : { limit: limit + strays.size };
  const looks = await memory.options.reader.sightings({ stateIds, outcomes: ["seen"], ...request, ...most });
  return looks.filter((look) => !strays.has(lookKey(look))).slice(0, limit);
}

/** The positions of a thing in a span of time, sighting by sighting, earliest first; of one robot where it is named. */
export async function stepsOf(
  thing: KnownThing,
  memory: Followed,
  span: Span,
  { limit = LOOKS.mostSightings, by }: { readonly limit?: number; readonly by?: string | undefined } = {},
): Promise<Step[]> {
  const known = await looksAt(thing, memory);
  if (known)
    return known
      .filter(({ timeUs, agentId }) => isWithin(timeUs, span) && (by === undefined || agentId === by))
      .slice(-limit)
      .map(({ timeUs, position }) => ({ timeUs, position }));
  const stays = await memory.stays(thing.trackId);
  const frames = await memory.options.reader.frames();
  const all = await sightingsOf(thing, memory, { during: span, order: "latest", limit });
  const looks = by === undefined ? all : all.filter(({ agentId }) => agentId === by);
  // Of what moves by itself a look that tells no place tells nothing of where it was: its record has the last one.
  const isFollowed = isMover(thing.category) && looks.some(({ anchor }) => anchor !== undefined);
  const placed = isFollowed ? [] : [...stays, thing];
  const byState = new Map(placed.map((stay) => [stay.state.id, stay.position]));
  return looks
    .flatMap(({ anchor, timeUs, stateId }) => {
      const position = (anchor && inWorld(frames, anchor)) ?? byState.get(stateId);
      return position ? [{ timeUs, position }] : [];
    })
    .toSorted((a, b) => a.timeUs - b.timeUs);
}

function isWithin(timeUs: number, { fromUs, toUs }: Span): boolean {
  return timeUs >= fromUs && timeUs < toUs;
}

/** A stay of a robot or person in a room. */
export interface Visit extends Span {
  readonly room: RoomView;
}

const VISITS = new WeakMap<readonly Step[], Promise<Visit[]>>();

/** The rooms that a robot or person was in, in order. */
export function visitsOf(steps: readonly Step[], memory: Followed): Promise<Visit[]> {
  const visits = VISITS.get(steps) ?? visitsOfEach(steps, memory);
  VISITS.set(steps, visits);
  return visits;
}

/** Several robots asked as one were each in rooms of their own. */
async function visitsOfEach(steps: readonly Step[], memory: Followed): Promise<Visit[]> {
  const each = [...Map.groupBy(steps, ({ by }) => by).values()];
  const visits = await Promise.all(each.map((own) => makeVisits(own, memory)));
  return visits.flat().sort((a, b) => a.fromUs - b.fromUs);
}

async function makeVisits(steps: readonly Step[], memory: Followed): Promise<Visit[]> {
  // A person seen twice in one room, and nowhere between, is assumed to have stayed. A robot's own positions are known,
  // so gaps end its stay.
  const gap = steps[0]?.by === undefined ? Infinity : gapUs(steps);
  const runs: { room: RoomView; fromUs: number; toUs: number }[] = [];
  let known: { readonly at: Vec3; readonly room: RoomView | undefined } | undefined;
  for (const [n, { timeUs, position }] of steps.entries()) {
    if (!known || distance(known.at, position) > LOOKS.sameSpotM)
      known = { at: position, room: await memory.roomAt(position) };
    const { room } = known;
    if (!room) continue;
    const toUs = Math.max(timeUs + 1, Math.min(timeUs + LOOKS.lookUs, steps[n + 1]?.timeUs ?? Infinity));
    const last = runs.at(-1);
    if (last?.room.id === room.id && timeUs - last.toUs <= gap) last.toUs = toUs;
    else runs.push({ room, fromUs: timeUs, toUs });
  }
  const visits: { room: RoomView; fromUs: number; toUs: number }[] = [];
  const isSeen = steps[0]?.by === undefined;
  for (const [n, run] of runs.entries()) {
    const next = runs[n + 1];
    // A person lost from sight in a room went into it, however short the sighting.
    const isLost = isSeen && (next === undefined || next.fromUs - run.toUs > LOOKS.backUs);
    if (run.toUs - run.fromUs < LOOKS.leastVisitUs && !isLost) continue;
    const last = visits.at(-1);
    if (last?.room.id === run.room.id && run.fromUs - last.toUs <= LOOKS.backUs) last.toUs = run.toUs;
    else visits.push(run);
  }
  return visits;
}

/** Sightings up to this far apart belong to one stay; more where they come only every few seconds. */
function gapUs(steps: readonly Step[]): number {
  const [first, last] = [steps[0], steps.at(-1)];
  const mean = first && last && steps.length > 1 ? (last.timeUs - first.timeUs) / (steps.length - 1) : 0;
  return Math.max(LOOKS.backUs, Math.min(30_000_000, 3 * mean));
}
