import { z } from "zod";
import { ANY_CHANGE, changesIn } from "../../belief/changes.ts";
import {
  type Cone,
  type Direction,
  directionCone,
  fromYaw,
  type Interval,
  type Vec3,
  yawOf,
} from "../../geometry/index.ts";
import type { SearchRequest } from "../../memory/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LociError, type RecordKind, WORLD_FRAME } from "../../schema/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { CHANGE_EVENTS } from "./record-lines.ts";
import {
  defineTool,
  HITS,
  intervalOf,
  intervalOrNow,
  type MemoryTool,
  MOST_HITS,
  moment,
  type ToolFinding,
  words,
} from "./tool.ts";
import { viewerIn } from "./viewer-in.ts";

const limit = z.int().min(1).max(MOST_HITS).default(HITS);
const coordinate = z.number().min(-1e8).max(1e8);
const SIDES = ["left", "right", "front", "behind", "above", "below"] as const;
const KINDS = {
  captions: ["caption"],
  events: ["event"],
  places: ["place", "region"],
} as const satisfies Readonly<Record<string, readonly RecordKind[]>>;
const TALKING: readonly RecordKind[] = ["caption", "event", "region"];

/** Rooms that one search may name. */
const MOST_ROOMS = 4;
/** Where and when, as several tools take it. */
const scope = {
  room: z.union([words, z.array(words).max(MOST_ROOMS)]).optional(),
  from: moment.optional(),
  to: moment.optional(),
};

export const search = defineTool(
  "search",
  "Things by words; kind captions or events; in a room; from, to: clock times; near an id, words or me; side left, right, front, behind, above, below.",
  z.object({
    text: words.optional(),
    kind: z.enum(["captions", "events"]).optional(),
    ...scope,
    near: words.optional(),
    side: z.enum(SIDES).optional(),
  }),
  async ({ text, kind, near, side, ...where }, memory) => {
    if (near !== undefined || side !== undefined) return thingsAround({ near, side, text, ...where }, memory);
    if (kind !== undefined || text === undefined) {
      const request = {
        kinds: kind === undefined ? TALKING : KINDS[kind],
        time: { overlaps: intervalOf(memory, where) },
        limit: MOST_FOUND,
        ...(text === undefined && { rank: "earliest" as const }),
        ...(await inRoom(memory, where.room)),
      };
      const items = await memory.search(request, text);
      return { items: await believed(items, request.time.overlaps, memory) };
    }
    const own = await memory.thingBy(text);
    if (own) return { items: await memory.get([own.state.id]) };
    return { items: await objectsLike(text, where, MOST_FOUND, memory) };
  },
);

/** Without the changes that are not believed: of comings and goings most are second sight. */
async function believed(items: readonly Evidence[], span: Interval, memory: LoopMemory): Promise<Evidence[]> {
  const isChange = ({ record }: Evidence) => record.kind === "event" && CHANGE_EVENTS.has(record.type);
  if (!items.some(isChange)) return [...items];
  const during = { fromUs: span.fromUs, toUs: span.toUs ?? memory.nowUs + 1 };
  const changes = await changesIn(during, { kinds: ANY_CHANGE }, memory.belief);
  const ids = new Set(changes.map(({ event }) => event.id));
  return items.filter((item) => !isChange(item) || ids.has(item.id));
}

/** The most records of a search; those that do not fit are counted. */
const MOST_FOUND = 16;
/** The radius around a thing without a side; to a side it is larger (m). */
const AROUND_M = 2;
const SIDE_M = 4;

interface Around {
  readonly near?: string | undefined;
  readonly side?: Direction | undefined;
  readonly text?: string | undefined;
  readonly room?: Rooms;
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
}

/** Things around a thing that is named by its id or by words, nearest first; with a side only those there. */
async function thingsAround(
  { near, side, text, room, ...when }: Around,
  memory: LoopMemory,
): Promise<ToolFinding> {
  const found = await anchorOf(memory, await idNear(near, memory));
  const { anchor, says } = side === undefined ? { anchor: found } : await facing(found, memory);
  const radiusM = side === undefined ? AROUND_M : SIDE_M;
  const space: NonNullable<SearchRequest["space"]> =
    side === undefined
      ? { type: "radius", centre: anchor.point, radiusM }
      : { type: "cone", ...coneOf(memory, anchor, side, radiusM) };
  const overlaps = intervalOrNow(memory, when);
  const request = { kinds: ["state"] as const, space, time: { overlaps }, limit: MOST_HITS };
  const items = await memory.search(request, text);
  // Things behind a wall are beside a thing and not in its room.
  const inside = (await inRoom(memory, room)).where?.regionId ?? (await roomIdsOf(anchor.point, memory));
  const others = items.filter(({ id }) => id !== anchor.self);
  return {
    items: (await memory.eachOnce(others, overlaps, inside)).slice(0, MOST_FOUND),
    ...(says !== undefined && { facts: { sides: says, withinM: radiusM } }),
  };
}

/** The direction of an anchor without a front of its own: away from a viewer in its room. */
async function facing(anchor: Anchor, memory: LoopMemory): Promise<{ anchor: Anchor; says: string }> {
  const { pose } = memory.options;
  if (anchor.yawRad !== undefined)
    return { anchor, says: anchor.self ? "by its own front" : "as the robot stands and looks now" };
  const room = await memory.belief.roomAt(anchor.point);
  const { viewer, says } = room
    ? await viewerIn(room, memory)
    : { viewer: pose && { position: pose.p }, says: "as the robot sees it from where it is" };
  if (!viewer) throw new LociError("unknown-id", says);
  const { x, y } = viewer.position;
  return { anchor: { ...anchor, yawRad: Math.atan2(anchor.point.y - y, anchor.point.x - x) }, says };
}

async function roomIdsOf(point: Vec3, { belief }: LoopMemory): Promise<string[] | undefined> {
  const room = await belief.roomAt(point);
  return room && [room.id];
}

/** The id of the record for an id, or of the thing that matches words best. */
async function idNear(near: string | undefined, memory: LoopMemory): Promise<string | undefined> {
  if (near === undefined || /^(?:me|self|robot|you)$/i.test(near)) return undefined;
  if ((await memory.get([near])).length > 0) return near;
  const [thing] = await objectsLike(near, {}, 1, memory);
  if (thing) return thing.id;
  throw new LociError("unknown-id", `no thing is called ${JSON.stringify(near)}, and no record has that id`);
}

/** Things like a text: with a room the same ones as without, those that are in it. */
async function objectsLike(
  text: string,
  { room, ...when }: { readonly room?: Rooms } & Parameters<typeof intervalOf>[1],
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

/** The searches of R⁴'s keys: run by the loop itself, with a number of hits and a radius; not offered to models. */
export const keySearches: readonly MemoryTool[] = [
  defineTool(
    "search_text",
    "captions, events and regions that speak of something",
    z.object({ text: words, ...scope, limit }),
    async ({ text, limit: most, ...where }, memory) => {
      const time = { overlaps: intervalOf(memory, where) };
      const request = { kinds: TALKING, time, limit: most, ...(await inRoom(memory, where.room)) };
      return { items: await memory.search(request, text) };
    },
  ),
  defineTool(
    "search_objects",
    "things by what they are: each once, as it was last",
    z.object({ text: words, ...scope, limit }),
    async ({ text, limit: most, ...where }, memory) => ({
      items: await objectsLike(text, where, most, memory),
    }),
  ),
  defineTool(
    "search_near",
    "things around a record, a point, or the robot, nearest first",
    z.object({
      id: z.string().max(80).optional(),
      x: coordinate.optional(),
      y: coordinate.optional(),
      z: coordinate.optional(),
      radiusM: z.number().positive().max(10_000).default(2),
      direction: z.enum(SIDES).optional(),
      text: words.optional(),
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
      // Without a time it is about now: things carried away are no longer near.
      const overlaps = intervalOrNow(memory, when);
      const request = { kinds: ["state"] as const, space, time: { overlaps }, limit: most + 1 };
      const items = await memory.search(request, text);
      const others = items.filter((item) => item.id !== anchor.self);
      return { items: (await memory.eachOnce(others, overlaps)).slice(0, most) };
    },
  ),
  defineTool(
    "search_time",
    "what was so or happened between two times, earliest first",
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
  ),
];

/** A room by its name, or several. */
type Rooms = string | readonly string[] | undefined;

/** The rooms as a condition; a name that no region has is told to the model. */
export async function inRoom(memory: LoopMemory, said: Rooms): Promise<Pick<SearchRequest, "where">> {
  if (said === undefined) return {};
  const regionId: string[] = [];
  for (const name of typeof said === "string" ? [said] : said) {
    const regions = await memory.regionsNamed(name);
    if (regions.length === 0) {
      const names = [...new Set([...(await memory.belief.rooms())].map((room) => room.name))];
      const others = names.length > 0 ? `; there are ${names.slice(0, MOST_HITS).join(", ")}` : "";
      throw new LociError("unknown-id", `no room is called ${JSON.stringify(name)}${others}`);
    }
    regionId.push(...regions.map(({ id }) => id));
  }
  return { where: { regionId: [...new Set(regionId)] } };
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

/**
 * A thing with a front has its own left; for others it is that of a robot looking at it (docs/formulas.md#directions).
 */
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
