import { z } from "zod";
import { changesIn } from "../../belief/changes.ts";
import type { EncodedImage } from "../../models/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LociError } from "../../schema/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, intervalOf, intervalOrNow, MOST_HITS, moment, words } from "./tool.ts";
import { inRoom } from "./tools-search.ts";

const id = z.string().min(1).max(80);
const DIFF_EVENTS = 200;
const ANY_CHANGE = ["moved", "new", "gone", "state"];
const HISTORY = 32;
const PICTURES = 2;
const PICTURE_BYTES = 4_194_304;

export const getRecord = defineTool(
  "get_record",
  "One record in full: what it says, where and when, and of a thing all the places it was at.",
  z.object({ id }),
  async (input, memory) => {
    const item = await recordOf(memory, input.id);
    const { record } = item;
    const isThing = record.kind === "state" || record.kind === "track";
    const thing = isThing ? await memory.belief.thingById(record.id) : undefined;
    const stays = thing ? await memory.staysOf(thing, HISTORY) : [];
    return { items: [item, ...stays.filter((stay) => stay.id !== item.id)] };
  },
);

export const getView = defineTool(
  "get_view",
  "The picture of a view, or the best picture of a thing or of the moment of a caption.",
  z.object({ id }),
  async (input, memory) => {
    const item = await recordOf(memory, input.id);
    const { items, images } = await picturesOf(memory, [item], PICTURES);
    if (images.length === 0) throw new LociError("unknown-id", `there is no picture of ${input.id}`);
    return { items, images, facts: { pictures: items.map((view) => view.id) } };
  },
);

/** The pictures that show these records best, with their views; as many as allowed. */
export async function picturesOf(
  memory: LoopMemory,
  of: readonly Evidence[],
  most: number,
): Promise<{ items: Evidence[]; images: EncodedImage[] }> {
  const ids = new Set<string>();
  for (const item of of) {
    const { record } = item;
    if (record.kind === "view") ids.add(record.id);
    else if (record.kind === "state" || record.kind === "caption" || record.kind === "place") {
      for (const view of record.views.slice(0, most)) ids.add(view);
    }
    if (ids.size >= most) break;
  }
  const items: Evidence[] = [];
  const images: EncodedImage[] = [];
  for (const view of await memory.get([...ids].slice(0, most))) {
    if (view.record.kind !== "view") continue;
    const bytes = await memory.options.reader.blob(view.record.thumb);
    if (bytes === undefined || bytes.length === 0 || bytes.length > PICTURE_BYTES) continue;
    items.push(view);
    images.push({ bytes });
  }
  return { items, images };
}

export const describeRegion = defineTool(
  "describe_region",
  "What a room or region is like and which things are in it now; without a name, which regions there are.",
  z.object({ room: words.optional() }),
  async ({ room }, memory) => {
    if (room === undefined) {
      const names = [...(await memory.regions()).values()].map(({ name, type }) => `${name} (${type})`);
      return { facts: { regions: names.slice(0, MOST_HITS) } };
    }
    const { where } = await inRoom(memory, room);
    const during = intervalOrNow(memory, {});
    const things = await memory.things({ during, rooms: where?.regionId });
    const regions = await memory.get(where?.regionId ?? []);
    return { items: [...regions, ...things.slice(0, MOST_HITS)], facts: { contents: tally(things) } };
  },
);

export const count = defineTool(
  "count",
  "How many different things there are of a kind, by the exact name of the kind; with the records counted.",
  z.object({ category: words, room: words.optional(), from: moment.optional(), to: moment.optional() }),
  async ({ category, room, ...when }, memory) => {
    const { where } = await inRoom(memory, room);
    const asked = category.toLowerCase();
    const categories = [...new Set([asked, asked.replace(/s$/, "")])];
    const during = intervalOrNow(memory, when);
    const things = await memory.things({ during, categories, rooms: where?.regionId });
    return { items: things.slice(0, MOST_HITS), facts: { count: things.length }, count: things.length };
  },
);

export const path = defineTool(
  "path",
  "How long the way is for the robot, from where it is or from a record, to a record.",
  z.object({ to: id, from: id.optional() }),
  async ({ to, from }, memory) => {
    const items = await memory.get(from === undefined || from === "me" ? [to] : [to, from]);
    const placeOf = async (end: string) =>
      (await memory.belief.thingById(end))?.position ?? items.find((item) => item.id === end)?.position;
    const goal = await placeOf(to);
    const start = from === undefined || from === "me" ? memory.options.pose?.p : await placeOf(from);
    if (goal === undefined || start === undefined)
      throw new LociError("unknown-id", "a way needs two places that are known");
    const map = await memory.options.map?.();
    const near = map?.nearestReachable(goal, start);
    const way = near && map?.path(start, near);
    const straightM = Math.hypot(goal.x - start.x, goal.y - start.y, goal.z - start.z);
    return { items, facts: { straightM: round(straightM), pathM: way ? round(way.lengthM) : null } };
  },
);

export const diff = defineTool(
  "diff",
  "What changed between two times: appeared, disappeared, moved or changed, with the records.",
  z.object({ from: moment, to: moment.optional(), room: words.optional() }),
  async ({ room, ...when }, memory) => {
    const { where } = await inRoom(memory, room);
    const { fromUs, toUs } = intervalOf(memory, when);
    const span = { fromUs, toUs: toUs ?? memory.nowUs + 1 };
    const happenings = await changesIn(span, { kinds: ANY_CHANGE }, memory.belief);
    const changes: Record<string, number> = {};
    const ids: string[] = [];
    for (const { event, thing } of happenings) {
      const roomId = where && thing && (await memory.belief.roomOf(thing))?.id;
      if (where && !where.regionId?.includes(roomId ?? event.regionId ?? "")) continue;
      changes[event.type] = (changes[event.type] ?? 0) + 1;
      ids.push(event.id);
    }
    return { items: await memory.get(ids.slice(0, DIFF_EVENTS)), facts: { changes } };
  },
);

async function recordOf(memory: LoopMemory, id: string): Promise<Evidence> {
  const [item] = await memory.get([id]);
  if (item === undefined) throw new LociError("unknown-id", `no record has the id ${JSON.stringify(id)}`);
  return item;
}

/** Kinds with how many of each, most first. */
function tally(things: readonly Evidence[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { record } of things) {
    if (record.kind === "state") counts.set(record.category, (counts.get(record.category) ?? 0) + 1);
  }
  return Object.fromEntries(
    [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MOST_HITS),
  );
}

const round = (metres: number) => Math.round(metres * 100) / 100;
