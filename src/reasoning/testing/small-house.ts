import { join } from "node:path";
import { SqliteEngine } from "../../memory/index.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import type { RecordInput, SightingInput } from "../../schema/index.ts";

/** A quarter past nine, in microseconds. */
export const NOW_US = 1_767_604_500_000_000;
const second = 1_000_000;
const START_US = NOW_US - 600 * second;
const at = (s: number) => START_US + s * second;

interface ThingSpec {
  readonly id: string;
  readonly category: string;
  readonly name?: string;
  readonly at: readonly [number, number, number];
  readonly size: readonly [number, number, number];
  readonly room?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly on?: string;
  readonly track?: string;
  /** Seconds after the start when it was first and last seen. */
  readonly seen: readonly [number, number];
  readonly goneS?: number;
}

const THINGS: readonly ThingSpec[] = [
  {
    id: "table",
    category: "dining table",
    at: [2, 2, 0.4],
    size: [1.6, 0.9, 0.8],
    room: "kitchen",
    attributes: { colour: "brown", material: "wood" },
    seen: [10, 500],
  },
  {
    id: "fridge",
    category: "fridge",
    at: [4.5, 0.4, 0.9],
    size: [0.6, 0.6, 1.8],
    room: "kitchen",
    attributes: { colour: "white", openness: "closed" },
    seen: [12, 500],
  },
  {
    id: "mug",
    category: "mug",
    name: "red ceramic mug",
    at: [2, 2, 0.85],
    size: [0.1, 0.1, 0.1],
    room: "kitchen",
    attributes: { colour: "red", material: "ceramic" },
    on: "table",
    seen: [20, 480],
  },
  {
    id: "bowl",
    category: "bowl",
    at: [2.4, 2.2, 0.85],
    size: [0.2, 0.2, 0.1],
    room: "kitchen",
    attributes: { colour: "blue" },
    on: "table",
    seen: [21, 481],
  },
  {
    id: "box",
    category: "cardboard box",
    name: "brown cardboard moving box that says “BOOKS”",
    at: [0.5, 4.4, 0.2],
    size: [0.5, 0.4, 0.4],
    room: "kitchen",
    attributes: { colour: "brown", material: "cardboard", fill: "full" },
    seen: [25, 470],
  },
  {
    id: "radiator",
    category: "radiator",
    at: [0.1, 2.5, 0.4],
    size: [0.1, 1, 0.6],
    room: "kitchen",
    attributes: { colour: "white", power: "off" },
    seen: [15, 480],
  },
  {
    id: "chair-1",
    category: "chair",
    at: [1, 2, 0.45],
    size: [0.4, 0.4, 0.9],
    room: "kitchen",
    attributes: { colour: "black", occupancy: "free" },
    seen: [11, 480],
  },
  {
    id: "chair-2",
    category: "chair",
    at: [3.2, 2, 0.45],
    size: [0.4, 0.4, 0.9],
    room: "kitchen",
    attributes: { colour: "black", occupancy: "occupied" },
    seen: [11, 480],
  },
  {
    id: "sofa",
    category: "sofa",
    name: "grey two-seat sofa",
    at: [8, 1, 0.4],
    size: [1.6, 0.8, 0.8],
    room: "living",
    attributes: { colour: "grey", occupancy: "free" },
    seen: [100, 590],
  },
  {
    id: "lamp",
    category: "floor lamp",
    at: [6.5, 1, 1.2],
    size: [0.3, 0.3, 0.8],
    room: "living",
    attributes: { colour: "white", power: "on" },
    seen: [101, 590],
  },
  {
    id: "shelf",
    category: "bookcase",
    at: [9.8, 3, 1],
    size: [0.3, 1.2, 2],
    room: "living",
    attributes: { colour: "brown" },
    seen: [105, 590],
  },
  {
    id: "tv",
    category: "television",
    name: "black flat-screen tv",
    at: [8, 4.8, 1.2],
    size: [1.2, 0.1, 0.7],
    room: "living",
    attributes: { colour: "black", power: "off" },
    seen: [110, 590],
  },
  {
    id: "bed",
    category: "bed",
    name: "white double bed",
    at: [13, 2, 0.3],
    size: [1.6, 2, 0.6],
    room: "bedroom",
    attributes: { colour: "white", making: "unmade" },
    seen: [200, 300],
  },
  {
    id: "vase-1",
    category: "vase",
    at: [9.8, 3, 2.1],
    size: [0.15, 0.15, 0.2],
    room: "living",
    attributes: { colour: "green" },
    on: "shelf",
    track: "vase",
    seen: [105, 130],
    goneS: 240,
  },
  {
    id: "vase-2",
    category: "vase",
    at: [13, 1, 0.7],
    size: [0.15, 0.15, 0.2],
    room: "bedroom",
    attributes: { colour: "green" },
    on: "bed",
    track: "vase",
    seen: [250, 300],
  },
  {
    id: "anna",
    category: "person",
    name: "Anna",
    at: [8, 3, 0.9],
    size: [0.5, 0.5, 1.7],
    attributes: {},
    seen: [500, 512],
    goneS: 520,
  },
];

const ROOMS = [
  { id: "kitchen", name: "kitchen", x: [0, 5] },
  { id: "living", name: "living room", x: [6, 10] },
  { id: "bedroom", name: "bedroom", x: [11, 15] },
] as const;

/** Where the agent was, every two seconds: kitchen to 100 s, living room to 200 s, bedroom to 300 s, living room after. */
function poseAt(s: number): { readonly x: number; readonly y: number; readonly yawRad: number } {
  if (s < 100) return { x: 2.5, y: 3.5, yawRad: -Math.PI / 2 };
  if (s < 200) return { x: 8, y: 2.5, yawRad: 0 };
  // Turning to the left in the bedroom.
  if (s < 300) return { x: 13, y: 3.8, yawRad: ((s - 200) / 4) % (2 * Math.PI) };
  return { x: 8, y: 2.5, yawRad: 0 };
}

/**
 * A house of three rooms in a real memory, for tests: its contents, the moves and switches, the people walking, and the
 * agent's actions, in ten minutes.
 */
export async function smallHouse(folder: string) {
  const engine = await SqliteEngine.open({ folder: join(folder, "memory"), nowUs: () => NOW_US });
  const embedder = openHashing(64);
  const records: RecordInput[] = [
    region("ground", "floor", "ground floor", [0, 15], undefined),
    ...ROOMS.map(({ id, name, x }) => region(id, "room", name, x, "ground")),
    ...THINGS.flatMap((thing) => [track(thing), state(thing)]),
    ...Array.from({ length: 300 }, (_, n) => observation(n * 2)),
    ...LAST_PICTURE.map(detection),
    event("moved", "move", 240, { trackId: "track-vase" }, ["vase-1", "vase-2"]),
    event("switched", "state-change", 400, { attribute: "power", from: "on", to: "off" }, ["tv"]),
    event("entered", "enter", 100, { agentId: "robot" }, [], "living"),
  ];
  const tracks = new Map(records.flatMap((record) => (record.kind === "track" ? [[record.id, record]] : [])));
  const unique = records.filter((record) => record.kind !== "track" || tracks.get(record.id) === record);
  const writer = await engine.writer();
  await writer.setEmbedder("text", embedder.info);
  await writer.close();
  await addTo({ engine, embedder }, unique, THINGS.flatMap(sightingsOf));
  return { engine, embedder, reader: await engine.reader() };
}

/** More records in the memory of a house, with the vectors of their words. */
export async function addTo(
  { engine, embedder }: Pick<Awaited<ReturnType<typeof smallHouse>>, "engine" | "embedder">,
  records: readonly RecordInput[],
  sightings: readonly SightingInput[] = [],
): Promise<void> {
  const texts = [...new Set(records.flatMap(({ text }) => text ?? []))];
  const vectors = await embedder.embed(texts);
  const writer = await engine.writer();
  await writer.write({
    records,
    sightings,
    vectors: texts.map((text, n) => ({ text, vector: vectors[n]! })),
  });
  await writer.close();
}

function nameOf({ name, category, attributes }: ThingSpec): string {
  return (
    name ??
    [attributes?.["colour"], attributes?.["material"], category]
      .filter((word) => word !== undefined)
      .join(" ")
  );
}

function track(thing: ThingSpec): RecordInput {
  return {
    kind: "track",
    id: `track-${thing.track ?? thing.id}`,
    type: thing.category === "person" ? "person" : "object",
    name: nameOf(thing),
    category: thing.category,
    validFromUs: at(thing.seen[0]),
    validToUs: null,
  };
}

function state(thing: ThingSpec): RecordInput {
  const [x, y, z] = thing.at;
  const [width, depth, height] = thing.size;
  return {
    kind: "state",
    id: thing.id,
    trackId: `track-${thing.track ?? thing.id}`,
    author: "robot",
    name: nameOf(thing),
    category: thing.category,
    text: [nameOf(thing)],
    validFromUs: at(thing.seen[0]),
    validToUs: thing.goneS === undefined ? null : at(thing.goneS),
    anchor: { submap: "world", p: { x, y, z } },
    extent: { x: width, y: depth, z: height },
    attributes: Object.fromEntries(
      Object.entries(thing.attributes ?? {}).map(([name, value]) => [
        name,
        { value, p: 0.95, support: 10, lastUs: at(thing.seen[1]) },
      ]),
    ),
    ...(thing.room !== undefined && { regionId: thing.room }),
    ...(thing.on !== undefined && { supportedBy: thing.on }),
  };
}

function sightingsOf(thing: ThingSpec): SightingInput[] {
  const [from, to] = thing.seen;
  const step = thing.category === "person" ? 1 : Math.max(1, (to - from) / 10);
  const sightings: SightingInput[] = [];
  for (let s = from; s <= to; s += step)
    sightings.push({
      stateId: thing.id,
      timeUs: at(s),
      outcome: "seen",
      agentId: "robot",
      // Anna walks towards the television at half a metre a second.
      ...(thing.category === "person" && {
        anchor: { submap: "world", p: { x: 8, y: 1 + (s - from) * 0.3, z: 0.9 } },
      }),
    });
  return sightings;
}

function observation(s: number): RecordInput {
  const { x, y, yawRad } = poseAt(s);
  // The optical axis is +z of the camera: yaw about the world's z of a camera that looks along x.
  const [c, d] = [Math.cos(yawRad / 2), Math.sin(yawRad / 2)];
  return {
    kind: "observation",
    id: `look-${s}`,
    author: "robot",
    sensorId: "camera",
    validFromUs: at(s),
    validToUs: at(s) + 1,
    anchor: {
      submap: "world",
      p: { x, y, z: 1.5 },
      q: { w: 0.5 * (c + d), x: -0.5 * (c + d), y: 0.5 * (c - d), z: 0.5 * (d - c) },
    },
  };
}

/** The boxes in the last picture: left, top, right, bottom. */
const LAST_PICTURE: readonly (readonly [string, readonly [number, number, number, number]])[] = [
  ["table", [20, 40, 120, 110]],
  ["mug", [60, 45, 70, 58]],
  ["chair-1", [2, 50, 30, 110]],
  ["vase-2", [130, 20, 140, 40]],
];

/** When the last picture was taken. */
export const LAST_PICTURE_US = at(598);

function detection([stateId, bbox]: (typeof LAST_PICTURE)[number]): RecordInput {
  return {
    kind: "detection",
    id: `seen-${stateId}`,
    author: "robot",
    observationId: "look-598",
    stateId,
    bbox: [...bbox],
    score: 0.9,
    validFromUs: LAST_PICTURE_US,
    validToUs: LAST_PICTURE_US + 1,
  };
}

function region(
  id: string,
  type: "room" | "floor",
  name: string,
  [from, to]: readonly [number, number],
  parent: string | undefined,
): RecordInput {
  return {
    kind: "region",
    id,
    type,
    level: type === "room" ? 2 : 3,
    name,
    text: [name],
    validFromUs: START_US,
    validToUs: null,
    coverage: 1,
    anchor: { submap: "world", p: { x: (from + to) / 2, y: 2.5, z: 0 } },
    hull: [
      { x: from, y: 0, z: 0 },
      { x: to, y: 0, z: 0 },
      { x: to, y: 5, z: 0 },
      { x: from, y: 5, z: 0 },
    ],
    ...(parent !== undefined && { parent }),
  };
}

function event(
  id: string,
  type: "move" | "state-change" | "enter",
  s: number,
  detail: Record<string, string>,
  who: string[],
  regionId?: string,
): RecordInput {
  return {
    kind: "event",
    id,
    type,
    author: "robot",
    validFromUs: at(s),
    validToUs: at(s) + second,
    text: [id],
    detail,
    who,
    ...(regionId !== undefined && { regionId }),
  };
}
