import type { Belief } from "../../belief/belief.ts";
import { stateAfter } from "../../belief/happening.ts";
import { missedAtUs } from "../../belief/presence.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance } from "../../geometry/index.ts";
import type { Diff, DiffThing, RecordOf, Stored } from "../../schema/core.ts";

/** A smaller difference is placing error, not a move (m). */
const MOVED_M = 0.3;
/** The most things at one time that are compared; the later ones beyond that are left out, with a note. */
const MOST_THINGS = 20_000;

/**
 * The differences between two times, the earlier first, as believed now: things that appeared, left, moved and changed.
 */
export async function diffOf(memory: Belief, oneUs: number, otherUs: number): Promise<Diff> {
  const [aUs, bUs] = [Math.min(oneUs, otherUs), Math.max(oneUs, otherUs)];
  const [{ things: before, ...first }, { things: after, ...second }] = [
    await thereAt(memory, aUs),
    await thereAt(memory, bUs),
  ];
  const [came, went] = [missingIn(before, after), missingIn(after, before)];
  const presence = await memory.presence([...came, ...went].map(({ state }) => state.id));
  const lookedBefore = ({ state }: KnownThing) => presence.get(state.id)?.lastAbsentBeforeUs != null;
  const isMissed = ({ state }: KnownThing) => missedAtUs(state, presence.get(state.id)) !== undefined;
  const tell = (things: readonly KnownThing[]) => Promise.all(things.map((thing) => told(thing, memory)));
  const moved: Diff["moved"] = [];
  let same = 0;
  for (const [track, now] of after) {
    const was = before.get(track);
    if (was === undefined) continue;
    const distanceM = was.position && now.position ? distance(was.position, now.position) : 0;
    if (was.state.id === now.state.id || distanceM < MOVED_M || !was.position) {
      same++;
      continue;
    }
    const { room } = await told(was, memory);
    moved.push({
      ...(await told(now, memory)),
      from: { position: was.position, ...(room && { room }) },
      distanceM,
    });
  }
  return {
    aUs,
    bUs,
    appeared: await tell(came.filter(lookedBefore)),
    found: await tell(came.filter((thing) => !lookedBefore(thing))),
    gone: await Promise.all(
      went.map(async (thing) => ({ ...(await told(thing, memory)), looked: isMissed(thing) })),
    ),
    moved,
    changed: await changedBetween(memory, aUs, bUs, after),
    same,
    isCut: first.isCut || second.isCut,
  };
}

/** Things by their identity, each as it was at the moment. */
type Things = ReadonlyMap<string, KnownThing>;

async function thereAt(memory: Belief, atUs: number): Promise<{ things: Things; isCut: boolean }> {
  const all = await memory.inventory(atUs);
  const things = new Map(all.slice(0, MOST_THINGS).map((thing) => [thing.trackId, thing]));
  return { things, isCut: all.length > MOST_THINGS };
}

function missingIn(there: Things, other: Things): KnownThing[] {
  return [...other].filter(([track]) => !there.has(track)).map(([, thing]) => thing);
}

async function told(thing: KnownThing, memory: Belief): Promise<DiffThing> {
  const { trackId, state, name, category, position } = thing;
  const room = await memory.roomOf(thing);
  return {
    id: trackId,
    stateId: state.id,
    name,
    category,
    ...(position && { position }),
    ...(room && { room: { id: room.id, name: room.name } }),
  };
}

/** Things that were opened, switched or filled between the two times and have another state at the second. */
async function changedBetween(
  memory: Belief,
  aUs: number,
  bUs: number,
  after: Things,
): Promise<Diff["changed"]> {
  const events = await memory.events(["state-change"], { fromUs: aUs, toUs: bUs + 1 });
  const byState = new Map(Array.from(after.values(), (thing) => [thing.state.id, thing]));
  const first = new Map<string, Stored<RecordOf<"event">>>();
  const last = new Map<string, Stored<RecordOf<"event">>>();
  for (const event of events) {
    const key = `${stateAfter(event)} ${String(event.detail["attribute"])}`;
    if (!first.has(key)) first.set(key, event);
    last.set(key, event);
  }
  const changed: Diff["changed"] = [];
  for (const [key, event] of last) {
    const thing = byState.get(stateAfter(event));
    const [from, to] = [first.get(key)!.detail["from"], event.detail["to"]];
    if (thing === undefined || from === to) continue;
    changed.push({
      ...(await told(thing, memory)),
      attribute: String(event.detail["attribute"]),
      from: from ?? null,
      to: to ?? null,
      atUs: event.validFromUs,
    });
  }
  return changed;
}
