import { z } from "zod";
import { ANY_CHANGE, changesIn } from "../../belief/changes.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { type Vec3, volumeOf } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { roomCard } from "../evidence/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, intervalOf, moment, type ToolFinding, words } from "./tool.ts";
import { inRoom } from "./tools-search.ts";
import { sideText, viewerIn } from "./viewer-in.ts";

const DIFF_EVENTS = 200;

export const room = defineTool(
  "room",
  "One room: its things, on which side each is, doors, visits. Without a name: every room with its area, doors and visits.",
  z.object({ room: words.optional() }),
  async ({ room: name }, memory) => {
    const meant = name === undefined ? await memory.belief.rooms() : await roomsCalled(name, memory);
    const lines: string[] = [];
    for (const each of meant) lines.push(await roomCard(each, memory.evidence));
    return name === undefined ? { facts: { rooms: lines } } : thingsOf(meant, lines, memory);
  },
);

/** The things of rooms now, the largest first; of one room on which side each is. */
async function thingsOf(
  meant: readonly RoomView[],
  lines: readonly string[],
  memory: LoopMemory,
): Promise<ToolFinding> {
  const things = await memory.things({
    during: { fromUs: memory.nowUs, toUs: memory.nowUs + 1 },
    rooms: meant.map(({ id }) => id),
  });
  const known = await memory.stays(things.map(({ id }) => id));
  const sorted = things.toSorted((a, b) => sizeOf(known.get(b.id)) - sizeOf(known.get(a.id)));
  const one = meant.length === 1 ? meant[0] : undefined;
  const viewed = one && (await viewerIn(one, memory));
  const notes = new Map<string, string>();
  for (const { id } of sorted) {
    const at = known.get(id)?.position;
    if (viewed?.viewer && at) notes.set(id, sideText(viewed.viewer, at));
  }
  return {
    items: sorted,
    notes,
    facts: { rooms: lines, ...(viewed && { sides: viewed.says }), contents: tally([...known.values()]) },
    count: things.length,
  };
}

export const changes = defineTool(
  "changes",
  "What changed, witnessed or not.",
  z.object({ from: moment.optional(), to: moment.optional(), room: words.optional() }),
  async ({ room: name, ...when }, memory) => {
    const meant = name === undefined ? undefined : await roomsCalled(name, memory);
    const { fromUs, toUs } = intervalOf(memory, when);
    const span = { fromUs, toUs: toUs ?? memory.nowUs + 1 };
    const counts: Record<string, number> = {};
    const ids: string[] = [];
    for (const { event, thing } of await changesIn(span, { kinds: ANY_CHANGE }, memory.belief)) {
      const roomId = meant && ((thing && (await memory.belief.roomOf(thing))?.id) ?? event.regionId);
      if (meant && !meant.some(({ id }) => id === roomId)) continue;
      counts[event.type] = (counts[event.type] ?? 0) + 1;
      ids.push(event.id);
    }
    const items = await memory.get(ids.slice(0, DIFF_EVENTS));
    return {
      items: items.sort((a, b) => a.record.validFromUs - b.record.validFromUs),
      facts: { changes: counts },
    };
  },
);

export const route = defineTool(
  "route",
  "Metres to a thing or room.",
  z.object({ to: words, from: words.optional() }),
  async ({ to, from }, memory) => {
    const goal = await placeOf(to, memory);
    const start = await placeOf(from ?? "me", memory);
    const map = await memory.options.map?.();
    const near = map?.nearestReachable(goal.at, start.at);
    const way = near && map?.path(start.at, near);
    const straightM = Math.hypot(goal.at.x - start.at.x, goal.at.y - start.at.y, goal.at.z - start.at.z);
    const items = [start, goal].flatMap(({ id }) => id ?? []);
    return {
      items: await memory.get(items),
      facts: { straightM: round(straightM), pathM: way ? round(way.lengthM) : null },
    };
  },
);

/** Where an end of a way is; a room is meant by its middle. */
async function placeOf(
  said: string,
  memory: LoopMemory,
): Promise<{ readonly at: Vec3; readonly id?: string }> {
  if (/^(?:me|here|robot|self)$/i.test(said)) {
    const { pose } = memory.options;
    if (!pose) throw new LociError("unknown-id", "it is not known where the robot is; say from where");
    return { at: pose.p };
  }
  const thing = await memory.thingBy(said);
  if (thing?.position) return { at: thing.position, id: thing.state.id };
  const [one] = await roomsCalled(said, memory).catch(() => []);
  if (one?.centre) return { at: one.centre, id: one.id };
  const [item] = await memory.get([said]);
  if (item?.position) return { at: item.position, id: item.id };
  throw new LociError("unknown-id", `no thing, room or record with a place is ${JSON.stringify(said)}`);
}

/** The rooms of a name or of a short id; none is an error that names those that there are. */
async function roomsCalled(said: string, memory: LoopMemory): Promise<RoomView[]> {
  const { where } = await inRoom(memory, said);
  const all = await memory.belief.rooms();
  const found = all.filter(({ id }) => where?.regionId?.includes(id));
  if (found.length > 0) return found;
  throw new LociError(
    "unknown-id",
    `no room is called ${JSON.stringify(said)}; there are ${all.map(({ name }) => name).join(", ")}`,
  );
}

function sizeOf(thing: KnownThing | undefined): number {
  return thing?.box ? volumeOf(thing.box) : 0;
}

/** Kinds with how many of each, most first. */
function tally(things: readonly KnownThing[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { category } of things) counts.set(category, (counts.get(category) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

function round(m: number): number {
  return Math.round(m * 100) / 100;
}
