import { z } from "zod";
import { type Cone, type Direction, directionCone, fromYaw, type Vec3, yawOf } from "../../geometry/index.ts";
import type { SearchRequest } from "../../memory/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LociError, type RecordKind, WORLD_FRAME } from "../../schema/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { defineTool, HITS, intervalOf, intervalOrNow, MOST_HITS, moment, words } from "./tool.ts";

const limit = z.int().min(1).max(MOST_HITS).default(HITS);
const coordinate = z.number().min(-1e8).max(1e8);
const KINDS: Readonly<Record<string, readonly RecordKind[]>> = {
  captions: ["caption"],
  events: ["event"],
  places: ["place", "region"],
};
const TALKING: readonly RecordKind[] = ["caption", "event", "region"];

/** Where and when, as several tools take it. */
const scope = {
  room: words.optional().describe("name of a room or region"),
  from: moment.optional().describe("clock time in UTC, or seconds before now"),
  to: moment.optional().describe("clock time in UTC, or seconds before now"),
};

export const searchText = defineTool(
  "search_text",
  "Captions, events and regions that speak of something.",
  z.object({
    text: words,
    kind: z.enum(["captions", "objects", "events", "places"]).optional(),
    ...scope,
    limit,
  }),
  async ({ text, kind, limit: most, ...where }, memory) => ({
    items:
      kind === "objects"
        ? await objectsLike(text, where, most, memory)
        : await memory.search(
            {
              kinds: kind === undefined ? TALKING : KINDS[kind]!,
              time: { overlaps: intervalOf(memory, where) },
              limit: most,
              ...(await inRoom(memory, where.room)),
            },
            text,
          ),
  }),
);

export const searchObjects = defineTool(
  "search_objects",
  "Things by what they are: each once, as it was last, with its place and times.",
  z.object({ text: words, ...scope, limit }),
  async ({ text, limit: most, ...where }, memory) => ({
    items: await objectsLike(text, where, most, memory),
  }),
);

/** Things like a text: with a room the same ones as without, those that are in it. */
async function objectsLike(
  text: string,
  { room, ...when }: { readonly room?: string | undefined } & Parameters<typeof intervalOf>[1],
  most: number,
  memory: LoopMemory,
): Promise<Evidence[]> {
  const overlaps = intervalOf(memory, when);
  const request = {
    kinds: ["state"] as const,
    time: { overlaps },
    limit: Math.min(MOST_HITS * 2, most * 3),
  };
  const inside = await inRoom(memory, room);
  const found = [await memory.search(request, text)];
  if (inside.where) found.push(await memory.search({ ...request, ...inside }, text));
  return (await memory.eachOnce(found.flat(), overlaps, inside.where?.regionId)).slice(0, most);
}

export const searchNear = defineTool(
  "search_near",
  'Things around a record, a point, or the robot (id "me"), nearest first; with a direction only those on that side.',
  z.object({
    id: z.string().max(80).optional().describe('id of a record, or "me"'),
    x: coordinate.optional(),
    y: coordinate.optional(),
    z: coordinate.optional(),
    radiusM: z.number().positive().max(10_000).default(2),
    direction: z.enum(["left", "right", "front", "behind", "above", "below"]).optional(),
    text: words.optional().describe("only such things"),
    from: scope.from,
    to: scope.to,
    limit,
  }),
  async ({ id, x, y, z: up, radiusM, direction, text, limit: most, ...when }, memory) => {
    const centre = x !== undefined && y !== undefined ? { x, y, z: up ?? 0 } : undefined;
    const anchor: Anchor = centre ? { point: centre } : await anchorOf(memory, id);
    const space: NonNullable<SearchRequest["space"]> =
      direction === undefined
        ? { type: "radius", centre: anchor.point, radiusM }
        : { type: "cone", ...coneOf(memory, anchor, direction, radiusM) };
    // Without a time it is about now: what was carried away does not lie near any more.
    const overlaps = intervalOrNow(memory, when);
    const items = await memory.search({ kinds: ["state"], space, time: { overlaps }, limit: most + 1 }, text);
    const others = items.filter((item) => item.id !== anchor.self);
    return { items: (await memory.eachOnce(others, overlaps)).slice(0, most) };
  },
);

export const searchTime = defineTool(
  "search_time",
  "What was so or happened between two times, earliest first.",
  z.object({ from: moment, to: moment.optional(), text: words.optional(), limit }),
  async ({ text, limit: most, ...when }, memory) => ({
    items: await memory.search(
      {
        kinds: ["caption", "event"],
        time: { overlaps: intervalOf(memory, when) },
        limit: most,
        ...(text === undefined && { rank: "earliest" as const }),
      },
      text,
    ),
  }),
);

/** The room as a condition; a name that no region has is told to the model. */
export async function inRoom(
  memory: LoopMemory,
  name: string | undefined,
): Promise<Pick<SearchRequest, "where">> {
  if (name === undefined) return {};
  const regions = await memory.regionsNamed(name);
  if (regions.length === 0) throw new LociError("unknown-id", `no region is called ${JSON.stringify(name)}`);
  return { where: { regionId: regions.map(({ id }) => id) } };
}

interface Anchor {
  readonly point: Vec3;
  /** Which way it faces, where it has a front. */
  readonly yawRad?: number | undefined;
  readonly self?: string;
}

async function anchorOf(memory: LoopMemory, id: string | undefined): Promise<Anchor> {
  const { pose } = memory.options;
  if (id === undefined || id === "me") {
    if (pose === undefined) throw new LociError("unknown-id", "it is not known where the robot is");
    return { point: pose.p, yawRad: yawOf(pose.q) };
  }
  const [item] = await memory.get([id]);
  if (item?.position === undefined)
    throw new LociError("unknown-id", `no record with a place has the id ${JSON.stringify(id)}`);
  const own = item.record.kind === "state" ? item.record.yawRad : undefined;
  if (own === undefined) return { point: item.position, self: item.id };
  const submap = item.record.anchor?.submap ?? WORLD_FRAME;
  const worldFromSubmap =
    submap === WORLD_FRAME ? undefined : (await memory.options.reader.frames()).resolve(WORLD_FRAME, submap);
  return {
    point: item.position,
    self: item.id,
    yawRad: own + (worldFromSubmap ? yawOf(worldFromSubmap.q) : 0),
  };
}

/** A thing with a front has its own left; of others it is that of the robot who looks at it (docs/formulas.md#directions). */
function coneOf(memory: LoopMemory, { point, yawRad }: Anchor, direction: Direction, rangeM: number): Cone {
  const from = memory.options.pose?.p;
  const facing = yawRad ?? (from && Math.atan2(point.y - from.y, point.x - from.x));
  if (facing === undefined) {
    throw new LociError(
      "unknown-id",
      "left and right need somebody who looks, and it is not known where the robot is",
    );
  }
  return directionCone(direction, { p: point, q: fromYaw(facing) }, rangeM);
}
