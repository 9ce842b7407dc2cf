import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromYaw, type Transform } from "../../geometry/index.ts";
import { EmbeddedEngine, type MemoryReader, type ReaderOptions } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/embedder.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import { blobRefOf, type RecordInput, type SightingInput } from "../../schema/core.ts";
import type { SearchForest } from "../forest/search-forest.ts";

/** A small flat for tests: a kitchen west, a bedroom east, two visits ten minutes apart, a mug that moved. */
export interface TestMemory {
  readonly reader: MemoryReader;
  readonly embedder: TextEmbedder;
  readonly forest: SearchForest;
  readonly nowUs: number;
  readonly pose: Transform;
  readonly readerAsOf: (view: Pick<ReaderOptions, "asOfWorldUs" | "asOfMemoryUs">) => Promise<MemoryReader>;
  close(): Promise<void>;
}

const S = 1_000_000;
export const NOW_US = 1_000 * S;
const always = { validFromUs: 0, validToUs: null };
const at = (x: number, y: number, z = 0) => ({ anchor: { submap: "world", p: { x, y, z } } });
const box = (x: number, y: number, z: number, side: number) => ({
  ...at(x, y, z),
  extent: { x: side, y: side, z: side },
});
const THUMB = new TextEncoder().encode("thumb");

function thing(id: string, category: string, text: string, place: object, rest: object = {}): RecordInput[] {
  const trackId = `t-${id}`;
  return [
    { kind: "track", id: trackId, name: category, category, ...always },
    {
      kind: "state",
      id,
      trackId,
      name: category,
      category,
      text: [text],
      ...always,
      ...place,
      ...rest,
    } as RecordInput,
  ];
}

const records: RecordInput[] = [
  ...thing("stove", "stove", "white stove", box(1, 1, 0.5, 0.8), { regionId: "kitchen" }),
  ...thing("fridge", "fridge", "tall grey fridge", box(1.9, 1, 1, 0.9), { regionId: "kitchen" }),
  ...thing("table", "table", "round wooden table", box(3, 3, 0.4, 1), { regionId: "kitchen" }),
  ...thing("bed", "bed", "large bed with pillows", box(8, 1, 0.3, 2), { regionId: "bedroom", yawRad: 0 }),
  ...thing("lamp", "lamp", "green reading lamp", box(9.4, 1, 0.9, 0.3), { regionId: "bedroom" }),
  ...thing("mug1", "mug", "red mug", box(3, 3, 0.95, 0.1), {
    regionId: "kitchen",
    validToUs: 500 * S,
    supportedBy: "table",
  }),
  {
    kind: "state",
    id: "mug2",
    trackId: "t-mug1",
    name: "mug",
    category: "mug",
    text: ["red mug"],
    ...box(9.4, 0.5, 0.6, 0.1),
    validFromUs: 600 * S,
    validToUs: null,
    regionId: "bedroom",
  },
  ...thing("blue", "mug", "blue mug", box(3.2, 3, 0.95, 0.1), {
    regionId: "kitchen",
    attributes: { colour: { value: "blue", p: 0.9, support: 3, lastUs: 10 } },
  }),
  ...visit("a", 0),
  ...visit("b", 600),
  {
    kind: "view",
    id: "v1",
    observationId: "o1",
    thumb: blobRefOf(THUMB),
    ...at(2, 2),
    validFromUs: 1 * S,
    validToUs: 1 * S + 1,
    visible: [{ stateId: "stove", bbox: [0, 0, 9, 9], depthM: 1, fraction: 1 }],
  },
  { kind: "observation", id: "o1", sensorId: "camera", validFromUs: 1 * S, validToUs: 1 * S + 1 },
  {
    kind: "place",
    id: "p1",
    yawRad: 0,
    ...at(2, 2),
    captions: ["kitchen-a"],
    text: ["by the stove"],
    regionId: "kitchen",
    ...always,
  },
  {
    kind: "place",
    id: "p2",
    yawRad: 0,
    ...at(8, 2),
    captions: ["bedroom-a"],
    text: ["by the bed"],
    regionId: "bedroom",
    ...always,
  },
  region("kitchen", "kitchen with stove, fridge and table", 2, 2, ["p1"]),
  region("bedroom", "bedroom with bed and lamp", 8, 2, ["p2"]),
  {
    ...region("flat", "a flat: kitchen and bedroom", 5, 2, ["kitchen", "bedroom"]),
    type: "site",
    level: 2,
  } as RecordInput,
  {
    kind: "event",
    id: "moved",
    type: "move",
    who: ["t-mug1"],
    detail: { trackId: "t-mug1", from: "mug1", to: "mug2" },
    text: ["the red mug was moved"],
    validFromUs: 550 * S,
    validToUs: 550 * S + 1,
  },
];

function visit(name: string, fromS: number): RecordInput[] {
  const caption = (
    room: string,
    offset: number,
    x: number,
    lines: string[],
    states: string[],
  ): RecordInput => ({
    kind: "caption",
    id: `${room}-${name}`,
    source: "template",
    text: lines,
    ...at(x, 2),
    validFromUs: (fromS + offset) * S,
    validToUs: (fromS + offset + 3) * S,
    states,
    views: name === "a" && room === "kitchen" ? ["v1"] : [],
  });
  return [
    caption(
      "kitchen",
      0,
      2,
      ["A white stove stands beside a tall grey fridge.", "A round table with mugs."],
      name === "a" ? ["stove", "fridge", "table", "mug1", "blue"] : ["stove", "fridge", "table", "blue"],
    ),
    caption(
      "bedroom",
      30,
      8,
      ["A large bed with pillows.", "A green lamp."],
      name === "a" ? ["bed", "lamp"] : ["bed", "lamp", "mug2"],
    ),
  ];
}

function region(id: string, text: string, x: number, y: number, children: string[]): RecordInput {
  const hull = [
    { x: x - 2, y: y - 2, z: 0 },
    { x: x + 2, y: y - 2, z: 0 },
    { x: x + 2, y: y + 2, z: 0 },
    { x: x - 2, y: y + 2, z: 0 },
  ];
  return {
    kind: "region",
    id,
    type: "room",
    level: 1,
    name: id,
    children,
    leaves: children.length,
    text: [id, text],
    hull,
    ...box(x, y, 1, 4),
    ...always,
  };
}

function sightingsOf(): SightingInput[] {
  const seen: [string, number[]][] = [
    ["stove", [1, 2, 600]],
    ["fridge", [1, 601]],
    ["table", [2, 601]],
    ["mug1", [2]],
    ["mug2", [631]],
    ["blue", [2, 602]],
    ["bed", [30, 630]],
    ["lamp", [31, 632]],
  ];
  return seen.flatMap(([stateId, times]) =>
    times.map((t) => ({ stateId, timeUs: t * S, outcome: "seen" as const })),
  );
}

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  flat: ["kitchen", "bedroom"],
  kitchen: ["p1"],
  bedroom: ["p2"],
};
const PARENT: Readonly<Record<string, string>> = {
  kitchen: "flat",
  bedroom: "flat",
  p1: "kitchen",
  p2: "bedroom",
};
const forest: SearchForest = {
  roots: ["flat"],
  children: (id) => CHILDREN[id] ?? [],
  parent: (id) => PARENT[id],
  text: (id) => [id],
  centroid: () => undefined,
  leafCount: (id) => (id === "flat" ? 2 : id in CHILDREN || id in PARENT ? 1 : 0),
};

export async function openTestMemory(more: readonly RecordInput[] = []): Promise<TestMemory> {
  const folder = mkdtempSync(join(tmpdir(), "loci-retrieval-"));
  const engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  const embedder = openHashing(128);
  const writer = await engine.writer();
  await writer.setEmbedder("text", embedder.info);
  const all = [...records, ...more];
  const lines = [...new Set(all.flatMap(({ text }) => text ?? []))];
  const vectors = (await embedder.embed(lines)).flatMap((vector, i) =>
    vector ? [{ text: lines[i]!, vector }] : [],
  );
  await writer.write({ records: all, vectors, blobs: [THUMB], sightings: sightingsOf() });
  const opened: MemoryReader[] = [await engine.reader()];
  return {
    reader: opened[0]!,
    embedder,
    forest,
    nowUs: NOW_US,
    // In the kitchen, facing east: the bedroom is ahead.
    pose: { p: { x: 2, y: 2, z: 0.5 }, q: fromYaw(0) },
    readerAsOf: async (view) => {
      const reader = await engine.reader(view);
      opened.push(reader);
      return reader;
    },
    close: async () => {
      for (const reader of opened) await reader.close();
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}
