import type { Belief } from "../../belief/belief.ts";
import { stateAfter } from "../../belief/happening.ts";
import { distance } from "../../geometry/index.ts";
import { eachHit, type HitOf } from "../../memory/index.ts";
import type { Diff, DiffThing, RecordOf, Stored } from "../../schema/core.ts";

/** Less than this is how well a place is known, not a move. */
const MOVED_M = 0.3;
/** A state that was over at once is what a merge left behind. */
const MERGED_US = 1;
/** Things at one time that are compared; of more the later ones are left out, and it is said. */
const MOST_THINGS = 20_000;

type There = HitOf<"state">;

/** What differs between two times, the earlier first, as it is believed now: what came, went, moved and changed. */
export async function diffOf(memory: Belief, oneUs: number, otherUs: number): Promise<Diff> {
  const [aUs, bUs] = [Math.min(oneUs, otherUs), Math.max(oneUs, otherUs)];
  const [before, after] = [await thereAt(memory, aUs), await thereAt(memory, bUs)];
  const [came, went] = [missingIn(before, after), missingIn(after, before)];
  const presence = await memory.presence([...came, ...went].map(({ record }) => record.id));
  const lookedBefore = ({ record }: There) => presence.get(record.id)?.lastAbsentBeforeUs != null;
  const lookedAfter = ({ record }: There) => presence.get(record.id)?.firstAbsentAfterUs != null;
  const tell = (hits: readonly There[]) => Promise.all(hits.map((hit) => told(hit, memory)));
  const moved: Diff["moved"] = [];
  let same = 0;
  for (const [track, now] of after.states) {
    const was = before.states.get(track);
    if (was === undefined) continue;
    const distanceM = was.position && now.position ? distance(was.position, now.position) : 0;
    if (was.record.id === now.record.id || distanceM < MOVED_M || !was.position) {
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
    found: await tell(came.filter((hit) => !lookedBefore(hit))),
    gone: await Promise.all(
      went.map(async (hit) => ({ ...(await told(hit, memory)), looked: lookedAfter(hit) })),
    ),
    moved,
    changed: await changedBetween(memory, aUs, bUs, after),
    same,
    isCut: before.isCut || after.isCut,
  };
}

interface Things {
  /** By track, merges followed; of states that overlap the later one. */
  readonly states: ReadonlyMap<string, There>;
  readonly isCut: boolean;
}

async function thereAt(memory: Belief, atUs: number): Promise<Things> {
  const { reader, sceneId } = memory.options;
  const hits: There[] = [];
  const conditions = {
    time: { overlaps: { fromUs: atUs, toUs: atUs + 1 } },
    ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
  };
  let isCut = false;
  for await (const hit of eachHit(reader, "state", conditions)) {
    const { validFromUs, validToUs } = hit.record;
    if (validToUs !== null && validToUs - validFromUs <= MERGED_US) continue;
    if (hits.length >= MOST_THINGS) {
      isCut = true;
      break;
    }
    hits.push(hit);
  }
  const ids = [...new Set(hits.map(({ record }) => record.trackId))];
  const into = new Map<string, string>();
  for (const record of await reader.get(ids))
    if (record?.kind === "track" && record.mergedInto !== undefined) into.set(record.id, record.mergedInto);
  return {
    states: new Map(hits.map((hit) => [into.get(hit.record.trackId) ?? hit.record.trackId, hit])),
    isCut,
  };
}

function missingIn(there: Things, other: Things): There[] {
  return [...other.states].filter(([track]) => !there.states.has(track)).map(([, hit]) => hit);
}

async function told({ record, position }: There, memory: Belief): Promise<DiffThing> {
  const room = await memory.roomOf({ roomId: record.regionId, position });
  return {
    id: record.trackId,
    stateId: record.id,
    name: record.name,
    category: record.category,
    ...(position && { position }),
    ...(room && { room: { id: room.id, name: room.name } }),
  };
}

/** What was opened, switched or filled between the two times and is otherwise at the second. */
async function changedBetween(
  memory: Belief,
  aUs: number,
  bUs: number,
  after: Things,
): Promise<Diff["changed"]> {
  const events = await memory.events(["state-change"], { fromUs: aUs, toUs: bUs + 1 });
  const byState = new Map(Array.from(after.states.values(), (hit) => [hit.record.id, hit]));
  const first = new Map<string, Stored<RecordOf<"event">>>();
  const last = new Map<string, Stored<RecordOf<"event">>>();
  for (const event of events) {
    const key = `${stateAfter(event)} ${String(event.detail["attribute"])}`;
    if (!first.has(key)) first.set(key, event);
    last.set(key, event);
  }
  const changed: Diff["changed"] = [];
  for (const [key, event] of last) {
    const hit = byState.get(stateAfter(event));
    const [from, to] = [first.get(key)!.detail["from"], event.detail["to"]];
    if (hit === undefined || from === to) continue;
    changed.push({
      ...(await told(hit, memory)),
      attribute: String(event.detail["attribute"]),
      from: from ?? null,
      to: to ?? null,
      atUs: event.validFromUs,
    });
  }
  return changed;
}
