import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { distance, type Vec3 } from "../../geometry/index.ts";
import type { RecordInput } from "../../schema/index.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import { type WayOptions, wayBetween } from "./way.ts";

/** A corridor with two rooms beside it that open into it and into each other. */
const ROOMS: readonly RecordInput[] = [
  room("corridor", [100, 0], [102, 12]),
  room("canteen", [102, 0], [106, 4]),
  room("parlour", [102, 4], [106, 8]),
  ...door("canteen-corridor", [102, 1], [0.1, 0.9]),
  ...door("canteen-parlour", [104, 4], [0.9, 0.1]),
  ...door("parlour-corridor", [102, 6], [0.1, 0.9]),
];

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;
let memory: Belief;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-way-"));
  house = await smallHouse(folder);
  await addTo(house, ROOMS);
  memory = new Belief({ reader: await house.engine.reader(), embedder: house.embedder, nowUs: NOW_US });
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

/** A long path leads through the parlour; short ones are straight. */
const map: WayOptions["map"] = {
  nearestReachable: (to) => to,
  path: (from, to) => {
    const isFar = from.x > 102.1 && to.x < 101.9 && to.y > 5;
    const points = isFar ? [from, at(104, 4), at(102, 6), to] : [from, to];
    return { points, lengthM: points.slice(1).reduce((sum, p, n) => sum + distance(points[n]!, p), 0) };
  },
};

const names = async (to: Vec3, options: Partial<WayOptions> = {}) =>
  (await wayBetween(at(104, 2), to, { memory, map, ...options })).rooms.map(({ name }) => name);

it("goes through fewer rooms where that is hardly longer", async () => {
  expect(await names(at(101, 5.5))).toEqual(["canteen", "corridor"]);
});

it("takes the shorter way where the other is much longer, and where its door must not be used", async () => {
  const far: WayOptions["map"] = {
    ...map,
    path: (from, to) => {
      const way = map.path(from, to)!;
      return to.y < 1.5 ? { ...way, lengthM: 20 } : way;
    },
  };
  expect(await names(at(101, 8), { map: far })).toEqual(["canteen", "parlour", "corridor"]);
  const without = new Set(["track-canteen-corridor"]);
  expect(await names(at(101, 8), { without })).toEqual(["canteen", "parlour", "corridor"]);
});

function at(x: number, y: number): Vec3 {
  return { x, y, z: 0 };
}

function room(
  name: string,
  [west, south]: readonly [number, number],
  [east, north]: readonly [number, number],
): RecordInput {
  return {
    kind: "region",
    id: name,
    type: "room",
    level: 2,
    name,
    text: [name],
    validFromUs: NOW_US - 600_000_000,
    validToUs: null,
    coverage: 1,
    anchor: { submap: "world", p: at((west + east) / 2, (south + north) / 2) },
    hull: [at(west, south), at(east, south), at(east, north), at(west, north)],
  };
}

function door(
  id: string,
  [x, y]: readonly [number, number],
  [width, depth]: readonly [number, number],
): RecordInput[] {
  const common = { name: "door", category: "door", validFromUs: NOW_US - 500_000_000, validToUs: null };
  return [
    { ...common, kind: "track", id: `track-${id}`, type: "object" },
    {
      ...common,
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      text: ["door"],
      anchor: { submap: "world", p: { x, y, z: 1 } },
      extent: { x: width, y: depth, z: 2 },
    },
  ];
}
