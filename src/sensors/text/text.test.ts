import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeSource, openRecording } from "../open.ts";
import type { ReadOptions } from "../options.ts";
import { parseCsv } from "./csv.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-text-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(name: string, text: string, options: ReadOptions = {}) {
  const path = join(folder, name);
  await writeFile(path, text);
  const reader = await openRecording(path, options);
  const items = [];
  for await (const item of reader.items()) items.push(item);
  await reader.close();
  return items;
}

const rows = [
  { caption: "A red door, open.", time: 1673884187.139271, position: [1, 2, 0.5], theta: 3.14 },
  { caption: "unknown", time: 1673884190, position: [1, 2, 0.5] },
  {
    caption: "Two bikes",
    start_time: 1673884191.5,
    end_time: 1673884194.5,
    time: 1673884193,
    position: [4, 5, 6],
  },
];

test("captions are the same from JSON, JSON lines and a table", async () => {
  const asJson = await read("a.json", JSON.stringify(rows));
  const asLines = await read("b.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
  const table = [
    "caption,time,start_time,end_time,position,theta",
    '"A red door, open.",1673884187.139271,,,"[1, 2, 0.5]",3.14',
    "unknown,1673884190,,,,",
    'Two bikes,1673884193,1673884191.5,1673884194.5,"(4 5 6)",',
  ];
  const asTable = await read("c.csv", table.join("\r\n"));
  expect(asJson).toEqual([
    {
      kind: "caption",
      caption: {
        index: 0,
        text: "A red door, open.",
        timeUs: 1_673_884_187_139_271,
        endUs: 1_673_884_190_139_271,
        agentId: "robot",
        mapFrame: "world",
        position: { x: 1, y: 2, z: 0.5 },
        yawRad: 3.14,
      },
    },
    {
      kind: "caption",
      caption: {
        index: 1,
        text: "Two bikes",
        timeUs: 1_673_884_191_500_000,
        endUs: 1_673_884_194_500_000,
        agentId: "robot",
        mapFrame: "world",
        position: { x: 4, y: 5, z: 6 },
      },
    },
  ]);
  expect(asLines).toEqual(asJson);
  expect(asTable).toEqual(asJson);
  expect((await describeSource(join(folder, "a.json"))).missing).toEqual([
    "1 row has no caption and is left out.",
  ]);
});

test("a caption without a time that can be read is refused with its row", async () => {
  await expect(read("a.json", JSON.stringify([{ caption: "x", time: "yesterday" }]))).rejects.toThrow(
    /row 1.*time/,
  );
});

test("tables with quotes, line breaks in cells and a quote that never closes", () => {
  expect(parseCsv('a,"b ""c""\nd"\r\n\r\n1,\n')).toEqual([
    ["a", 'b "c"\nd'],
    ["1", ""],
  ]);
  expect(() => parseCsv('a,"b')).toThrow(/never closed/);
});

test("a Hydra graph keeps ids beyond 2^53 apart and says who is where", async () => {
  const symbol = (letter: string, n: bigint) => (BigInt(letter.charCodeAt(0)) << 56n) + n;
  const node = (id: bigint, layer: number, type: string, position: number[], more: object = {}) =>
    `{"id":${id},"layer":${layer},"attributes":${JSON.stringify({ type, position, ...more })}}`;
  const link = (a: bigint, b: bigint, weight = 0) =>
    `{"source":${a},"target":${b},"info":{"weight":${weight}}}`;
  const [mug, near, far, room, house, robot] = [
    symbol("O", 1n),
    symbol("p", 6n),
    symbol("p", 7n),
    symbol("R", 0n),
    symbol("B", 0n),
    symbol("a", 0n),
  ];
  const box = { type: "AABB", min: [0, 0, 0], max: [1, 1, 1] };
  const nodes = [
    node(mug, 2, "ObjectNodeAttributes", [0.5, 0.5, 0.5], {
      name: "O(1)",
      semantic_label: 5,
      bounding_box: box,
    }),
    node(near, 3, "PlaceNodeAttributes", [0, 0, 1], { distance: 0.8 }),
    node(far, 3, "PlaceNodeAttributes", [3, 4, 1]),
    node(room, 4, "RoomNodeAttributes", [1, 1, 1], { name: "R(0)" }),
    node(house, 5, "SemanticNodeAttributes", [1, 1, 1], { name: "B(0)" }),
    `{"timestamp":3000000,${node(robot, 2, "AgentNodeAttributes", [1, 0, 0], { world_R_body: { w: 1, x: 0, y: 0, z: 0 } }).slice(1)}`,
  ];
  const edges = [
    link(near, far),
    link(near, mug),
    link(room, near),
    link(room, far),
    link(house, room),
    link(near, robot),
  ];
  const text = `{"layer_ids":[2,3,4,5],"nodes":[${nodes}],"edges":[${edges}]}`;
  const [item] = await read("graph.json", text, { startUs: 1_000 });
  expect(item).toEqual({
    kind: "graph",
    graph: {
      timeUs: 4_000,
      agentId: "robot",
      mapFrame: "world",
      objects: [
        {
          id: "O1",
          name: "O(1)",
          category: "label 5",
          position: { x: 0.5, y: 0.5, z: 0.5 },
          box: { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } },
          room: "R0",
          place: "p6",
        },
      ],
      places: [
        {
          id: "p6",
          position: { x: 0, y: 0, z: 1 },
          neighbours: [{ to: "p7", costM: 5 }],
          clearanceM: 0.8,
          room: "R0",
        },
        { id: "p7", position: { x: 3, y: 4, z: 1 }, neighbours: [{ to: "p6", costM: 5 }], room: "R0" },
      ],
      rooms: [{ id: "R0", name: "R(0)", position: { x: 1, y: 1, z: 1 }, places: ["p6", "p7"], parent: "B0" }],
      path: [{ timeUs: 4_000, worldFromBody: { p: { x: 1, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } } }],
    },
  });
});

test("JSON that is nothing of ours is refused with what was expected", async () => {
  await expect(read("a.json", '{"hello": 1}')).rejects.toThrow(/captions.*scene graph.*hello/);
  await expect(read("b.json", "{")).rejects.toThrow(/expected JSON/);
});
