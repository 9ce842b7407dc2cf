import { z } from "zod";
import type { SearchRequest } from "../../memory/index.ts";
import type { EncodedImage } from "../../models/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LociError } from "../../schema/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, intervalOf, intervalOrNow, MOST_HITS, moment, words } from "./tool.ts";
import { inRoom, oncePerTrack } from "./tools-search.ts";

const id = z.string().min(1).max(80);
const COUNTED = 2_000;
const DIFF_EVENTS = 200;
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
    const owner = record.kind === "state" ? record.trackId : record.kind === "track" ? record.id : undefined;
    const stays =
      owner === undefined
        ? []
        : await memory.search({
            kinds: ["state"],
            where: { owner: [owner] },
            rank: "earliest",
            limit: HISTORY,
          });
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
    const things = await thingsAt(memory, where, {});
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
    const things = await thingsAt(memory, { ...where, category: categories }, when);
    return { items: things.slice(0, MOST_HITS), facts: { count: things.length }, count: things.length };
  },
);

export const path = defineTool(
  "path",
  "How long the way is for the robot, from where it is or from a record, to a record.",
  z.object({ to: id, from: id.optional() }),
  async ({ to, from }, memory) => {
    const items = await memory.get(from === undefined || from === "me" ? [to] : [to, from]);
    const goal = items.find((item) => item.id === to)?.position;
    const start =
      from === undefined || from === "me"
        ? memory.options.pose?.p
        : items.find((item) => item.id === from)?.position;
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
    const events = await memory.search({
      kinds: ["event"],
      where: { ...where, category: ["appear", "disappear", "move", "state-change"] },
      time: { overlaps: intervalOf(memory, when) },
      rank: "earliest",
      limit: DIFF_EVENTS,
    });
    const changes: Record<string, number> = {};
    for (const { record } of events) {
      if (record.kind === "event") changes[record.type] = (changes[record.type] ?? 0) + 1;
    }
    return { items: events, facts: { changes } };
  },
);

async function recordOf(memory: LoopMemory, id: string): Promise<Evidence> {
  const [item] = await memory.get([id]);
  if (item === undefined) throw new LociError("unknown-id", `no record has the id ${JSON.stringify(id)}`);
  return item;
}

/** The things that were there at a time, each once; now where none is said. */
async function thingsAt(
  memory: LoopMemory,
  where: SearchRequest["where"],
  when: Parameters<typeof intervalOrNow>[1],
): Promise<Evidence[]> {
  const time = { overlaps: intervalOrNow(memory, when) };
  const found = { kinds: ["state"] as const, time, rank: "latest" as const, limit: COUNTED };
  return oncePerTrack(await memory.search({ ...found, ...(where && { where }) }));
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
