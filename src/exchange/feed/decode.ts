import { type Block, broken, decodeBlock, numbersOf, type TextColumn, textsOf } from "./block.ts";

/**
 * Decoders of the feed's blocks for clients that draw them (docs/feed.md). Shared by the viewer and the tests; uses
 * nothing of Node. Times in columns are seconds after the block's origin; OPEN means "still true" or "not yet".
 */
export const FEED_FORMAT = 1;

/** The largest finite float32, so that shaders need not handle infinities. */
export const OPEN = 3.402_823_466_385_288_6e38;

/** No table entry, in u16 columns: no room. */
export const NONE = 0xffff;

interface Vec {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Flat {
  readonly x: number;
  readonly y: number;
}

/** Coloured surface points of one square of the map. */
export interface PointsBlock {
  readonly count: number;
  /** Added to every position, metres in the world. */
  readonly origin: Vec;
  readonly unitM: number;
  /** x, y, z in units from the origin. */
  readonly position: Int16Array;
  /** r, g, b. */
  readonly colour: Uint8Array;
  /** The index in `pieces` of a point's submap: its time, and the agent that saw it. */
  readonly piece: Uint16Array;
  readonly pieces: readonly { readonly fromUs: number; readonly agent: string }[];
  /** The first `points` points have one point per cube of `cubeM`: coarse first, the last level is everything. */
  readonly levels: readonly { readonly cubeM: number; readonly points: number }[];
  /** Number of points with every level. */
  readonly total: number;
}

export function readPoints(bytes: Uint8Array | ArrayBuffer): PointsBlock {
  const block = opened(bytes, "points");
  const count = countOf(block);
  return {
    count,
    origin: vec(block, "origin"),
    unitM: number(block, "unitM"),
    total: number(block, "total"),
    pieces: list(block, "pieces"),
    levels: list(block, "levels"),
    position: numbersOf(block, "position", "i16", 3 * count),
    colour: numbersOf(block, "colour", "u8", 3 * count),
    piece: numbersOf(block, "piece", "u16", count),
  };
}

/** The type of a track, by the number in the column `type`. */
export const THING_TYPES = ["object", "mover", "person", "agent", "stuff", "part"] as const;

/** Bits of the column `flags`. */
export const STATE_FLAGS = {
  /** It was somewhere else before: see the row of the same track that ends before this one begins. */
  moved: 1,
  /** It has no size of its own; it is drawn as a small symbol. */
  point: 2,
} as const;

/** One row for each state that was believed at some time. */
export interface StatesBlock {
  readonly count: number;
  /** For an update: its revision, to be sent with the next request. */
  readonly revision: string | null;
  /** The cursor for the next page, or null at the end. */
  readonly next: string | null;
  /** States whose rows a client must drop: forgotten, merged away, or hidden. */
  readonly gone: readonly string[];
  /** Whether rows replace the client's rows with the same id; otherwise they are new. */
  readonly isUpdate: boolean;
  /** Too much has changed for an update: the client must reload. */
  readonly reload: boolean;
  /** World time of 0 in `from`, `to`, `lastSeen`, `absent`. */
  readonly timeOriginUs: number;
  /** Memory time of 0 in `believedFrom`, `believedTo`. */
  readonly memoryOriginUs: number;
  readonly origin: Vec;
  /** The maps of the rows; the first is the world, others are not joined to it yet. */
  readonly maps: readonly string[];
  readonly id: TextColumn;
  readonly tracks: TextColumn;
  readonly names: TextColumn;
  readonly classes: TextColumn;
  readonly rooms: TextColumn;
  readonly agents: TextColumn;
  readonly track: Uint32Array;
  readonly name: Uint32Array;
  readonly class: Uint16Array;
  readonly room: Uint16Array;
  readonly agent: Uint16Array;
  readonly map: Uint16Array;
  readonly type: Uint8Array;
  readonly flags: Uint8Array;
  /** The centre of its box, metres from the origin. */
  readonly position: Float32Array;
  readonly size: Float32Array;
  /** Rotation of the box, radians. */
  readonly yaw: Float32Array;
  readonly from: Float32Array;
  readonly to: Float32Array;
  readonly lastSeen: Float32Array;
  /** Since when it has been observed to be absent; OPEN if never. */
  readonly absent: Float32Array;
  readonly believedFrom: Float32Array;
  readonly believedTo: Float32Array;
  /** How often it was seen. */
  readonly seen: Uint32Array;
  readonly confidence: Float32Array;
}

export function readStates(bytes: Uint8Array | ArrayBuffer): StatesBlock {
  const block = opened(bytes, "states");
  const count = countOf(block);
  const f32 = (name: string, width = 1) => numbersOf(block, name, "f32", width * count);
  const u16 = (name: string) => numbersOf(block, name, "u16", count);
  const { next, revision, isUpdate, reload } = block.header;
  const tables = {
    tracks: textsOf(block, "tracks"),
    names: textsOf(block, "names"),
    classes: textsOf(block, "classes"),
    rooms: textsOf(block, "rooms"),
    agents: textsOf(block, "agents"),
  };
  return {
    count,
    revision: textOrNull(revision),
    next: textOrNull(next),
    gone: list(block, "gone"),
    isUpdate: isUpdate === true,
    reload: reload === true,
    timeOriginUs: number(block, "timeOriginUs"),
    memoryOriginUs: number(block, "memoryOriginUs"),
    origin: vec(block, "origin"),
    maps: list(block, "maps"),
    id: textsOf(block, "id", count),
    ...tables,
    track: indexes(numbersOf(block, "track", "u32", count), tables.tracks),
    name: indexes(numbersOf(block, "name", "u32", count), tables.names),
    class: indexes(u16("class"), tables.classes),
    room: indexes(u16("room"), tables.rooms),
    agent: indexes(u16("agent"), tables.agents),
    map: u16("map"),
    type: numbersOf(block, "type", "u8", count),
    flags: numbersOf(block, "flags", "u8", count),
    position: f32("position", 3),
    size: f32("size", 3),
    yaw: f32("yaw"),
    from: f32("from"),
    to: f32("to"),
    lastSeen: f32("lastSeen"),
    absent: f32("absent"),
    believedFrom: f32("believedFrom"),
    believedTo: f32("believedTo"),
    seen: numbersOf(block, "seen", "u32", count),
    confidence: f32("confidence"),
  };
}

/** Trajectories of agents and people: points in order of time, grouped by trajectory. */
export interface WaysBlock {
  readonly count: number;
  readonly next: string | null;
  readonly timeOriginUs: number;
  readonly origin: Vec;
  readonly maps: readonly string[];
  /** The owner of the trajectory: an agent, or the track of a mover. */
  readonly ways: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: "agent" | "person" | "mover";
    /** Index of its first point, and the number of points. */
    readonly first: number;
    readonly points: number;
    /** The camera's horizontal and vertical field of view, radians; agents only. */
    readonly view?: { readonly across: number; readonly down: number };
  }[];
  readonly map: Uint16Array;
  readonly time: Float32Array;
  readonly position: Float32Array;
  /** The camera's orientation: worldFromCamera as x, y, z, w; all zero if unknown. */
  readonly rotation: Float32Array;
}

export function readWays(bytes: Uint8Array | ArrayBuffer): WaysBlock {
  const block = opened(bytes, "ways");
  const count = countOf(block);
  return {
    count,
    next: textOrNull(block.header["next"]),
    timeOriginUs: number(block, "timeOriginUs"),
    origin: vec(block, "origin"),
    maps: list(block, "maps"),
    ways: list(block, "ways"),
    map: numbersOf(block, "map", "u16", count),
    time: numbersOf(block, "time", "f32", count),
    position: numbersOf(block, "position", "f32", 3 * count),
    rotation: numbersOf(block, "rotation", "f32", 4 * count),
  };
}

/** The types of ground cell. One can walk under a lintel. */
export const GROUND_CELLS = { unknown: 0, free: 1, occupied: 2, wall: 3, lintel: 4 } as const;

/** One floor from above, row-major from the lowest x and y: what is known of it, and when it was last observed. */
export interface GroundBlock {
  readonly map: string;
  readonly floor: number;
  readonly floorZ: number;
  readonly originX: number;
  readonly originY: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
  /** The passages in the outline of a room; the rest of it is wall. */
  readonly openings: readonly { readonly from: Flat; readonly to: Flat }[];
  /** GROUND_CELLS. */
  readonly cell: Uint8Array;
  readonly timeOriginUs: number;
  /** When each cell was last observed, at any height; -OPEN for never. */
  readonly looked: Float32Array;
}

export function readGround(bytes: Uint8Array | ArrayBuffer): GroundBlock {
  const block = opened(bytes, "ground");
  const [width, height] = [number(block, "width"), number(block, "height")];
  return {
    map: String(block.header["map"]),
    floor: number(block, "floor"),
    floorZ: number(block, "floorZ"),
    originX: number(block, "originX"),
    originY: number(block, "originY"),
    cellM: number(block, "cellM"),
    width,
    height,
    timeOriginUs: number(block, "timeOriginUs"),
    openings: list(block, "openings"),
    cell: numbersOf(block, "cell", "u8", width * height),
    looked: numbersOf(block, "looked", "f32", width * height),
  };
}

function opened(bytes: Uint8Array | ArrayBuffer, kind: string): Block {
  const block = decodeBlock(bytes, kind);
  if (block.header["format"] !== FEED_FORMAT)
    throw broken(`expected format ${FEED_FORMAT}, got ${String(block.header["format"])}`);
  return block;
}

function countOf(block: Block): number {
  const count = number(block, "count");
  if (!Number.isSafeInteger(count) || count < 0) throw broken("it has no count");
  return count;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number({ header }: Block, name: string): number {
  const value = header[name];
  if (typeof value !== "number") throw broken(`"${name}" is not a number`);
  return value;
}

function vec({ header }: Block, name: string): Vec {
  const { x, y, z } = (header[name] ?? {}) as Partial<Vec>;
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number")
    throw broken(`"${name}" is not a point`);
  return { x, y, z };
}

/** Lists in headers come from the encoder beside this file; their entries are not validated. */
function list<T>({ header }: Block, name: string): readonly T[] {
  const value = header[name];
  if (!Array.isArray(value)) throw broken(`"${name}" is not a list`);
  return value as readonly T[];
}

/** Checks that every index refers to a text of the table, or to none. */
function indexes<T extends Uint16Array | Uint32Array>(column: T, table: TextColumn): T {
  const none = column instanceof Uint16Array ? NONE : undefined;
  for (const n of column)
    if (n >= table.length && n !== none) throw broken(`a row names text ${n} of ${table.length}`);
  return column;
}
