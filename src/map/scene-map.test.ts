import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Box, fromYaw, IDENTITY, polygonArea, type Transform } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { SqliteEngine } from "../memory/index.ts";
import type { Percept, RecordInput, TrackedFrame } from "../schema/core.ts";
import { recordSchema } from "../schema/index.ts";
import { loadForest, type MapThing, SceneMap } from "./index.ts";
import { type FloorRaster, FREE, OCCUPIED, UNKNOWN } from "./raster.ts";
import { cameraAt, furniture, lookAt, tour, twoRooms } from "./testing/test-world.ts";

const NOTHING: TrackedFrame = { stateOf: [], changed: [] };
const EMPTY = {
  frames: async () => ({ resolve: () => undefined }),
  search: async () => ({ hits: [] }),
  get: async (ids: readonly string[]) => ids.map(() => undefined),
  blob: async () => undefined,
} as unknown as MemoryReader;

const BED = furniture(1, 3.2, { x: 2, y: 1.4, z: 0.5 });
const STOVE = furniture(7.6, 3.6, { x: 0.6, y: 0.6, z: 0.9 });
const THINGS: MapThing[] = [
  { id: "bed-state", category: "bed", box: BED },
  { id: "stove-state", category: "stove", box: STOVE },
];
const WORLD = [...twoRooms(), BED, STOVE];

let walk: Percept[];
let walked: { map: SceneMap; records: RecordInput[] };
beforeAll(async () => {
  walk = tour(WORLD);
  walked = await mapped();
});

async function mapped(
  percepts: readonly Percept[] = walk,
): Promise<{ map: SceneMap; records: RecordInput[] }> {
  const map = await SceneMap.open(EMPTY);
  const records = percepts.flatMap((percept) => map.observe(percept, NOTHING).records);
  records.push(...(await map.update(THINGS, percepts.at(-1)!.timeUs)).records, ...map.finish().records);
  return { map, records };
}

function stateAt(raster: FloorRaster, x: number, y: number): number | undefined {
  const u = Math.floor((x - raster.originX) / raster.cellM);
  const v = Math.floor((y - raster.originY) / raster.cellM);
  if (u < 0 || v < 0 || u >= raster.width || v >= raster.height) return UNKNOWN;
  return raster.state[v * raster.width + u];
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function openEngine(): Promise<SqliteEngine> {
  const folder = mkdtempSync(join(tmpdir(), "loci-map-"));
  folders.push(folder);
  let now = 1;
  return SqliteEngine.open({ folder, nowUs: () => now++, create: true });
}

describe("occupancy", () => {
  it("knows floor, walls, furniture, and nothing outside", async () => {
    const { map } = walked;
    const [floor] = map.floors();
    expect(map.floors()).toHaveLength(1);
    expect(floor!.floorZ).toBeCloseTo(0, 1);
    expect(stateAt(floor!, 2, 1.5)).toBe(FREE);
    expect(stateAt(floor!, 4.05, 1.95)).toBe(FREE);
    expect(stateAt(floor!, 4.05, 0.75)).toBe(OCCUPIED);
    expect(stateAt(floor!, 1.85, 2.6)).toBe(OCCUPIED);
    expect(stateAt(floor!, -2, 2)).toBe(UNKNOWN);
  });

  it("does not draw a person, and frees the way to them", async () => {
    const person: Box = furniture(2.5, 2, { x: 0.5, y: 0.5, z: 1.7 });
    const from = cameraAt(0.7, 2, 0);
    const seen = lookAt([...twoRooms(), person], from, 0, {
      detections: [
        {
          id: "d",
          bbox: [10, 0, 70, 60],
          areaPx: 100,
          score: 1,
          category: "person",
          phrase: "a person",
          attributes: {},
          vector: null,
          categoryVector: null,
          truncated: false,
          occludedFraction: 0,
          solid: {
            centroid: { x: 2.3, y: 2, z: 1 },
            box: person,
            sdM: 0.02,
            depthM: 1.6,
            count: 99,
            samples: new Float32Array(0),
          },
        },
      ],
    });
    const withPerson = await mapped(
      Array.from({ length: 3 }, (_, i) => ({ ...seen, index: i, observationId: `o${i}` })),
    );
    const raster = withPerson.map.floors()[0]!;
    expect(stateAt(raster, 2.25, 2)).not.toBe(OCCUPIED);
    expect(stateAt(raster, 1.5, 2)).toBe(FREE);
    const without = await mapped([{ ...seen, detections: [] }]);
    expect(stateAt(without.map.floors()[0]!, 2.25, 2)).toBe(OCCUPIED);
  });

  it("remembers when a place was looked at", async () => {
    const { map } = walked;
    const lookedUs = map.lookedAtUs({ x: 1, y: 1, z: 0.8 });
    expect(lookedUs).toBeGreaterThanOrEqual(walk[0]!.timeUs - 100_000);
    expect(lookedUs).toBeLessThanOrEqual(walk.at(-1)!.timeUs);
    expect(map.lookedAtUs({ x: -5, y: 1, z: 0.8 })).toBeUndefined();
    const room = {
      points: [
        { x: 0.2, y: 0.2 },
        { x: 3.8, y: 0.2 },
        { x: 3.8, y: 2.2 },
        { x: 0.2, y: 2.2 },
      ],
    };
    expect(map.lookedShare(room, walk[0]!.timeUs - 1_000_000)).toBeGreaterThan(0.95);
    expect(map.lookedShare(room, walk.at(-1)!.timeUs + 1_000_000)).toBe(0);
  });
});

describe("rooms", () => {
  it("parts the two rooms at the open door, types and names them", async () => {
    const { map, records } = walked;
    expect(
      map
        .rooms()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["bedroom", "kitchen"]);
    expect(map.roomAt({ x: 1, y: 1, z: 0.5 })?.name).toBe("bedroom");
    expect(map.roomAt({ x: 7, y: 1, z: 0.5 })?.name).toBe("kitchen");
    expect(map.roomOf("stove-state")).toBe(map.roomAt({ x: 7, y: 1, z: 0 })?.id);
    for (const { polygon } of map.rooms()) expect(polygonArea(polygon)).toBeGreaterThan(14.5);
    for (const { polygon } of map.rooms()) expect(polygonArea(polygon)).toBeLessThan(19);
    const types = records.flatMap((record) => (record.kind === "region" ? [record.type as string] : []));
    expect(types.filter((type) => type !== "cluster").sort()).toEqual([
      "floor",
      "map",
      "room",
      "room",
      "site",
    ]);
  });

  it("finds the narrow door also where nothing hangs above it", async () => {
    const { map } = await mapped(tour([...twoRooms({ lintel: false }), BED, STOVE]));
    expect(map.rooms()).toHaveLength(2);
  });

  it("is not fooled by a low ceiling", async () => {
    const { map } = await mapped(tour([...twoRooms({ ceilingM: 2.35 }), BED, STOVE]));
    expect(map.rooms()).toHaveLength(2);
  });

  it("follows a correction with the same ids", async () => {
    const map = await SceneMap.open(EMPTY);
    for (const percept of walk) map.observe(percept, NOTHING);
    await map.update(THINGS, 2_000_000_000);
    const before = map.rooms().map(({ id, polygon }) => ({ id, polygon }));
    const moved: Transform = { p: { x: 0.7, y: -0.4, z: 0 }, q: fromYaw(0) };
    map.correct(() => moved);
    expect(map.places()[0]!.positionInWorld.x).toBeCloseTo(1.7, 5);
    const things = THINGS.map(({ box, ...rest }) => ({ ...rest, box: shifted(box, 0.7, -0.4) }));
    const step = await map.update(things, 2_001_000_000);
    expect(
      map
        .rooms()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(before.map(({ id }) => id).sort());
    for (const { id, polygon } of before) {
      const after = map.rooms().find((room) => room.id === id)!.polygon;
      const low = (points: readonly { x: number }[]) => Math.min(...points.map(({ x }) => x));
      expect(low(after.points) - low(polygon.points)).toBeCloseTo(0.7, 0.5);
    }
    expect(step.records.filter((record) => record.kind === "region" && record.type === "room")).toHaveLength(
      2,
    );
  });
});

describe("ways", () => {
  it("leads through the door, and knows where one can stand", async () => {
    const { map } = walked;
    const [from, to] = [
      { x: 1, y: 1, z: 0 },
      { x: 7, y: 1, z: 0 },
    ];
    const path = map.path(from, to)!;
    expect(path.lengthM).toBeGreaterThan(6);
    expect(path.lengthM).toBeLessThan(7.2);
    const crossing = path.points.findIndex(({ x }) => x > 4.05);
    const [a, b] = [path.points[crossing - 1]!, path.points[crossing]!];
    const y = a.y + ((4.05 - a.x) / (b.x - a.x)) * (b.y - a.y);
    expect(y).toBeGreaterThan(1.5);
    expect(y).toBeLessThan(2.4);
    const field = map.distanceField(from);
    expect(field.at(to)).toBeGreaterThanOrEqual(path.lengthM - 0.3);
    expect(field.at({ x: 30, y: 0, z: 0 })).toBe(Infinity);
    const beside = map.nearestReachable({ x: 1, y: 3.2, z: 0 }, from)!;
    expect(field.at(beside)).toBeLessThan(Infinity);
    expect(map.nearestReachable({ x: 40, y: 0, z: 0 })).toBeUndefined();
  });

  it("finds places to see a thing from, none of them behind the wall", async () => {
    const { map } = walked;
    const views = map.viewpoints(BED, { from: { x: 7, y: 1, z: 0 } });
    expect(views.length).toBeGreaterThan(2);
    for (const { positionInWorld, visible, score } of views) {
      expect(positionInWorld.x).toBeLessThan(4);
      expect(visible).toBeGreaterThan(0);
      expect(score).toBeGreaterThan(0);
    }
    expect(views[0]!.score).toBeGreaterThanOrEqual(views.at(-1)!.score);
    // A picture on the thin wall between two rooms is seen from its own room, whichever is nearer to walk to.
    const picture: Box = { min: { x: 3.97, y: 0.5, z: 1.2 }, max: { x: 4.01, y: 1.1, z: 1.6 } };
    for (const side of [2, 6]) {
      const room = map.roomAt({ x: side, y: 2, z: 0.5 })!;
      const seen = map.viewpoints(picture, { from: { x: 7, y: 1, z: 0 }, roomId: room.id });
      expect(seen.map(({ positionInWorld }) => map.roomAt(positionInWorld)?.id)).toContain(room.id);
      expect(map.roomAt(seen[0]!.positionInWorld)?.id).toBe(room.id);
    }
  });

  it("ties what was seen and said to the place below the camera", async () => {
    const map = await SceneMap.open(EMPTY);
    map.observe(walk[0]!, NOTHING);
    const eye = walk[0]!.submapFromCamera.p;
    const id = map.note(eye, { view: "view-1", caption: "caption-1", lines: ["A bed by the wall."] });
    expect(id).toBe(map.places()[0]!.id);
    expect(map.note({ x: 50, y: 0, z: 0 }, { view: "view-2" })).toBeUndefined();
    const { records } = await map.update([], walk[0]!.timeUs);
    const place = records.find((record) => record.kind === "place");
    expect(place).toMatchObject({ views: ["view-1"], captions: ["caption-1"], text: ["A bed by the wall."] });
    expect(map.forest().leafOf("caption-1")).toBe(id);
  });

  it("joins places as they were walked, by doors between rooms", async () => {
    const { map } = walked;
    const places = map.places();
    for (const a of places)
      for (const b of places) {
        const apart = Math.hypot(
          a.positionInWorld.x - b.positionInWorld.x,
          a.positionInWorld.y - b.positionInWorld.y,
        );
        if (a !== b && a.regionId === b.regionId) expect(apart).toBeGreaterThan(0.7);
        for (const [to] of a.edges) expect(map.places().some(({ id }) => id === to)).toBe(true);
      }
    const types = new Set(places.flatMap(({ edges }) => Array.from(edges.values(), ({ type }) => type)));
    expect(types.has("door")).toBe(true);
    expect(types.has("traversed")).toBe(true);
  });
});

describe("submaps", () => {
  const shiftedBy = (x: number): Transform => ({ p: { x, y: 0, z: 0 }, q: IDENTITY.q });
  /** The first half of the walk in one submap, the second, a minute later, in another with its own origin. */
  const halves = (): Percept[] =>
    walk.map((percept, i) => {
      if (i < walk.length / 2) return percept;
      const { p, q } = percept.submapFromCamera;
      return {
        ...percept,
        timeUs: percept.timeUs + 60_000_000,
        submap: "sub-1",
        worldFromSubmap: shiftedBy(3),
        submapFromCamera: { p: { ...p, x: p.x - 3 }, q },
      };
    });

  it("come to rest, are woken by a late frame, and make the same map together", async () => {
    const map = await SceneMap.open(EMPTY);
    const frames = halves();
    const steps: RecordInput[] = [];
    for (const percept of frames) map.observe(percept, NOTHING);
    steps.push(...(await map.update(THINGS, frames.at(-1)!.timeUs)).records);
    const [rested] = map.floors();
    expect(steps.some((record) => record.kind === "region" && record.name === "map of sub-0")).toBe(true);
    expect(
      map
        .rooms()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["bedroom", "kitchen"]);
    expect(stateAt(rested!, 4.05, 0.75)).toBe(OCCUPIED);
    expect(stateAt(rested!, 2, 1.5)).toBe(FREE);
    map.observe({ ...frames[0]!, observationId: "late", timeUs: frames[0]!.timeUs + 1_000 }, NOTHING);
    const [woken] = map.floors();
    expect(stateAt(woken!, 2, 1.5)).toBe(FREE);
    expect(woken!.width).toBe(rested!.width);
    await map.update(THINGS, frames.at(-1)!.timeUs + 1);
    expect(map.rooms()).toHaveLength(2);
  });

  it("are laid anew when a correction moves them, those at rest too", async () => {
    const map = await SceneMap.open(EMPTY);
    const frames = halves();
    for (const percept of frames) map.observe(percept, NOTHING);
    await map.update(THINGS, frames.at(-1)!.timeUs);
    map.correct((submap) => shiftedBy(submap === "sub-0" ? 10 : 13));
    const [moved] = map.floors();
    expect(stateAt(moved!, 14.05, 0.75)).toBe(OCCUPIED);
    expect(stateAt(moved!, 12, 1.5)).toBe(FREE);
    expect(stateAt(moved!, 2, 1.5)).toBe(UNKNOWN);
    const things = THINGS.map(({ box, ...rest }) => ({ ...rest, box: shifted(box, 10, 0) }));
    await map.update(things, frames.at(-1)!.timeUs + 1);
    expect(map.roomAt({ x: 11, y: 1, z: 0.5 })?.name).toBe("bedroom");
    expect(map.roomAt({ x: 1, y: 1, z: 0.5 })).toBeUndefined();
  });
});

describe("in and out of a memory", () => {
  it("is the same map after opening it again, and writes nothing twice", async () => {
    const engine = await openEngine();
    const writer = await engine.writer();
    const reader = await engine.reader();
    const edge = { parent: "world", child: "sub-0", transform: IDENTITY, kind: "submap" as const };
    await writer.write({ frames: [edge] });
    const map = await SceneMap.open(reader);
    for (const percept of walk) await writer.write(map.observe(percept, NOTHING));
    const lastUs = walk.at(-1)!.timeUs;
    const update = await map.update(THINGS, lastUs);
    await writer.write(update);
    await writer.write(map.finish());
    const again = await SceneMap.open(reader);
    expect(again.floors()[0]!.state).toEqual(map.floors()[0]!.state);
    expect(again.rooms().map(({ id, name }) => `${id} ${name}`)).toEqual(
      map.rooms().map(({ id, name }) => `${id} ${name}`),
    );
    expect(again.places()).toEqual(map.places());
    expect(again.lookedAtUs({ x: 1, y: 1, z: 0.8 })).toBe(map.lookedAtUs({ x: 1, y: 1, z: 0.8 }));
    const { written } = await writer.write(await again.update(THINGS, lastUs));
    expect(written).toBe(0);
    let points = 0;
    for await (const piece of again.surfacePoints()) points += piece.points.count;
    expect(points).toBeGreaterThan(1_000);
    const forest = (await loadForest(reader))!;
    expect(forest.leaves).toBe(map.places().length);
    const rooms = forest.roots.flatMap((floor) => forest.children(floor));
    expect(rooms.map((id) => forest.text(id)[0]).sort()).toEqual(["bedroom", "kitchen"]);
    expect(forest.text(rooms[0]!)[1]).toMatch(/has an? (bed|stove)/);
    await engine.close();
  });

  it("shows what was begun by a moment, and nothing of what came later", async () => {
    const engine = await openEngine();
    const submapOf = (n: number) => (n < 18 ? "sub-0" : "sub-1");
    const parts = walk.map((percept, n) => ({ ...percept, submap: submapOf(n) }));
    const map = await SceneMap.open(await engine.reader());
    for (const percept of parts) map.observe(percept, NOTHING);
    const [update, rest] = [await map.update(THINGS, parts.at(-1)!.timeUs), map.finish()];
    const edge = (child: string) => ({
      parent: "world",
      child,
      transform: IDENTITY,
      kind: "submap" as const,
    });
    await (await engine.writer()).write({
      frames: [edge("sub-0"), edge("sub-1")],
      records: [...update.records, ...rest.records],
      blobs: [...update.blobs, ...rest.blobs],
    });
    const reader = await engine.reader();
    const [whole] = (await SceneMap.open(reader)).floors();
    const [early] = (await SceneMap.open(reader, { untilUs: parts[17]!.timeUs })).floors();
    expect([stateAt(whole!, 2, 1.5), stateAt(whole!, 4.6, 3.5)]).toEqual([FREE, FREE]);
    expect([stateAt(early!, 2, 1.5), stateAt(early!, 4.6, 3.5)]).toEqual([FREE, UNKNOWN]);
    await engine.close();
  });

  it("gives equal records for equal frames, all of them valid", async () => {
    const [first, second] = [walked, await mapped()];
    expect(second.records).toEqual(first.records);
    for (const record of first.records) expect(() => recordSchema.parse(record)).not.toThrow();
  });
});

describe("bad input", () => {
  it("refuses poses that are not finite and lives without depth", async () => {
    const map = await SceneMap.open(EMPTY);
    const lost = { p: { x: Number.NaN, y: 0, z: 1 }, q: IDENTITY.q };
    expect(() => map.observe(lookAt([], lost, 0), NOTHING)).toThrowError(/not finite/);
    const blind = { ...lookAt(WORLD, cameraAt(1, 1, 0), 1), depth: undefined };
    expect(map.observe(blind, NOTHING).records.map(({ kind }) => kind)).toEqual(["place"]);
    const step = await map.update(
      [{ id: "x", category: "lamp", box: { min: lost.p, max: lost.p } }],
      5_000_000_000,
    );
    expect(step.records.some((record) => record.kind === "region" && record.type === "site")).toBe(true);
    await expect(SceneMap.open(EMPTY, { placeSpacingM: 0 })).rejects.toThrowError(/spacing/);
  });
});

function shifted({ min, max }: Box, dx: number, dy: number): Box {
  return { min: { ...min, x: min.x + dx, y: min.y + dy }, max: { ...max, x: max.x + dx, y: max.y + dy } };
}
