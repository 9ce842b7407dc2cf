import { Belief } from "../belief/belief.ts";
import { changesIn } from "../belief/changes.ts";
import { observedSpan } from "../belief/span.ts";
import type { Memory } from "./memory.ts";

/** What happened to the known things of a place that a recording returned to. */
export interface ReturnReport {
  /** Seen again in the same place. */
  readonly again: number;
  /** Places that were not observed this time. */
  readonly notLookedAt: number;
  /** Seen in places not observed before. */
  readonly firstSeen: number;
  /** Names of things that were moved, are gone, or are new in places observed before. */
  readonly moved: readonly string[];
  readonly gone: readonly string[];
  readonly new: readonly string[];
}

/** Compares what is known after a recording with what was known before its first frame. */
export async function returnedTo(memory: Memory, sceneId: string, sinceUs: number): Promise<ReturnReport> {
  const reader = await memory.reader();
  const nowUs = (await observedSpan(reader))?.toUs ?? sinceUs;
  const now = new Belief({ reader, nowUs, sceneId });
  const before = await now.inventory(sinceUs - 1);
  const known = new Set(before.map(({ trackId }) => trackId));
  const told = { moved: new Set<string>(), gone: new Set<string>(), new: new Set<string>() };
  const names = { moved: [] as string[], gone: [] as string[], new: [] as string[] };
  const kinds = ["moved", "new", "gone"] as const;
  for (const { event, thing } of await changesIn({ fromUs: sinceUs, toUs: nowUs + 1 }, { kinds }, now)) {
    const kind = event.type === "move" ? "moved" : event.type === "appear" ? "new" : "gone";
    if (thing === undefined || told[kind].has(thing.trackId)) continue;
    told[kind].add(thing.trackId);
    names[kind].push(thing.name);
  }
  let [again, notLookedAt] = [0, 0];
  for (const thing of before) {
    if (told.moved.has(thing.trackId) || told.gone.has(thing.trackId)) continue;
    const { status, lastSeenUs } = await now.standing(thing);
    if (status === "gone" || status === "taken") {
      told.gone.add(thing.trackId);
      names.gone.push(thing.name);
    } else if (lastSeenUs >= sinceUs) again++;
    else notLookedAt++;
  }
  const after = await now.inventory();
  const firstSeen = after.filter(({ trackId }) => {
    return !known.has(trackId) && !told.new.has(trackId) && !told.moved.has(trackId);
  }).length;
  return { again, notLookedAt, firstSeen, ...names };
}
