import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeIO } from "@gltf-transform/core";
import fc from "fast-check";
import { validateBytes } from "gltf-validator";
import { load as loadYaml } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, enuFromGeodetic, polygonArea } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import { contentDigest, SqliteEngine } from "../memory/index.ts";
import { hydraSource, parseWithLongIntegers } from "../sensors/text/hydra.ts";
import { exportReader, formatOf } from "./export.ts";
import { EXPORT_FORMATS } from "./formats/format.ts";
import { importJsonl } from "./jsonl.ts";
import {
  HOUSE_ON_EARTH,
  openTestHouse,
  SECRET,
  START_US,
  type TestHouse,
  WORLD_FROM_HOUSE,
} from "./testing/small-house.ts";
import { readCloud } from "./world/cloud.ts";
import { readWorld } from "./world/read-world.ts";
import { triangulate } from "./world/triangulate.ts";

const ENDINGS = {
  jsonl: "jsonl",
  mcap: "mcap",
  glb: "glb",
  ply: "ply",
  geojson: "geojson",
  dsg: "dsg.json",
  rooms: "json",
  nav2: "yaml",
} as const;

let house: TestHouse;
let out: string;
beforeAll(async () => {
  house = await openTestHouse();
  out = mkdtempSync(join(tmpdir(), "loci-exported-"));
});
afterAll(async () => {
  await house?.close();
  rmSync(out, { recursive: true, force: true });
});

describe("the format", () => {
  it("is what the name ends in, the longest ending first", () => {
    for (const format of EXPORT_FORMATS) expect(formatOf(`a/House.${ENDINGS[format]}`)).toBe(format);
    expect(formatOf("MAP.PGM")).toBe("nav2");
    expect(() => formatOf("house.txt")).toThrow(/ends in none of/);
  });
});

describe("jsonl", () => {
  it("makes an equal memory again", async () => {
    const path = join(out, "whole.jsonl");
    await exportReader(house.reader, path);
    const folder = mkdtempSync(join(tmpdir(), "loci-imported-"));
    const engine = await SqliteEngine.open({ folder, nowUs: () => 1, create: true });
    try {
      await importJsonl(await engine.writer(), path);
      const [before, after] = [await contentDigest(house.reader), await contentDigest(await engine.reader())];
      expect(after).toEqual(before);
      expect(before.rows).toBeGreaterThan(50);
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("has no moment and no scene", async () => {
    await expect(exportReader(house.reader, join(out, "x.jsonl"), { atUs: 5 })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});

describe("glb", () => {
  it("is valid, and each thing stands where the memory has it", async () => {
    const path = join(out, "house.glb");
    const { counts } = await exportReader(house.reader, path);
    const bytes = readFileSync(path);
    const { issues } = await validateBytes(bytes);
    expect(issues.messages).toEqual([]);
    const model = await new NodeIO().readBinary(bytes);
    const nodes = model.getRoot().listNodes();
    const world = await readWorld(house.reader);
    expect(counts).toMatchObject({ rooms: 2, things: world.things.length });
    for (const thing of world.things) {
      const node = nodes.find((each) => each.getExtras()["id"] === thing.id)!;
      expect(node.getName()).toBe(thing.name);
      // Up is y in glTF: (x, y, z) of the world is (x, z, -y) there.
      const { x, y, z } = thing.worldFromBox.p;
      const [gx, gy, gz] = node.getWorldTranslation();
      expect([gx, gy, gz].map((v) => v.toFixed(4))).toEqual([x, z, -y].map((v) => v.toFixed(4)));
      expect(node.getScale()).toEqual([thing.sizeM.x, thing.sizeM.y, thing.sizeM.z]);
    }
    expect(nodes.map((node) => node.getExtras()["kind"])).toEqual(
      expect.arrayContaining(["room", "walls", "surface", "thing"]),
    );
  });
});

describe("ply", () => {
  it("has the points of the memory with their colours", async () => {
    const path = join(out, "house.ply");
    await exportReader(house.reader, path);
    const bytes = readFileSync(path);
    const head = /^ply\n[\s\S]*?end_header\n/.exec(bytes.subarray(0, 1_000).toString("latin1"))![0];
    const count = Number(/element vertex (\d+)/.exec(head)![1]);
    expect(bytes.length).toBe(head.length + count * 15);
    const { positions, colours } = (
      await readCloud(house.reader, await house.reader.frames(), { most: 1e6 })
    ).points();
    expect(count).toBe(positions.length / 3);
    expect(count).toBeGreaterThan(1_000);
    for (let i = 0; i < count; i++) {
      const at = head.length + i * 15;
      expect(bytes.readFloatLE(at)).toBe(positions[i * 3]);
      expect(bytes.readFloatLE(at + 8)).toBe(positions[i * 3 + 2]);
      expect(bytes[at + 12]).toBe(colours[i * 3]);
    }
  });

  it("stays within a number of points by taking wider voxels", async () => {
    const cloud = await readCloud(house.reader, await house.reader.frames(), { most: 500 });
    expect(cloud.count).toBeLessThanOrEqual(500);
    expect(cloud.count).toBeGreaterThan(50);
    expect(cloud.voxelM).toBeGreaterThan(0.06);
  });
});

interface Feature {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: number[][][] };
  readonly properties: { readonly kind: string; readonly name?: string };
}

describe("geojson", () => {
  const readFeatures = (path: string) =>
    JSON.parse(readFileSync(path, "utf8")) as { loci: { coordinates: string }; features: Feature[] };

  it("says that it is in metres where nobody knows where on Earth it is", async () => {
    const path = join(out, "house.geojson");
    const { notes } = await exportReader(house.reader, path);
    expect(notes.join()).toContain("local metres");
    const { loci, features } = readFeatures(path);
    expect(loci.coordinates).toContain("local metres");
    const world = await readWorld(house.reader);
    for (const room of world.rooms) {
      const [ring] = features.find(({ id }) => id === room.id)!.geometry.coordinates;
      expect(ring![0]).toEqual(ring!.at(-1));
      expect(polygonArea({ points: ring!.map(([x, y]) => ({ x: x!, y: y! })) })).toBeCloseTo(room.areaM2, 2);
    }
    expect(features.filter(({ properties }) => properties.kind === "thing")).toHaveLength(
      world.things.length,
    );
    expect(features.filter(({ properties }) => properties.kind === "place")).toHaveLength(
      world.places.length,
    );
  });

  it("is in degrees where the frame graph is anchored", async () => {
    const onEarth = await openTestHouse({ onEarth: true });
    try {
      const path = join(out, "earth.geojson");
      expect((await exportReader(onEarth.reader, path)).notes).toEqual([]);
      const world = await readWorld(onEarth.reader);
      const { features } = readFeatures(path);
      const bed = world.things.find(({ name }) => name === "bed")!;
      const [ring] = features.find(({ id }) => id === bed.id)!.geometry.coordinates;
      const corners = ring!.slice(0, 4).map(([longitudeDeg, latitudeDeg, altitudeM]) =>
        enuFromGeodetic(HOUSE_ON_EARTH, {
          longitudeDeg: longitudeDeg!,
          latitudeDeg: latitudeDeg!,
          altitudeM: altitudeM!,
        }),
      );
      const mean = (axis: "x" | "y") => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4;
      expect(mean("x")).toBeCloseTo(bed.worldFromBox.p.x, 3);
      expect(mean("y")).toBeCloseTo(bed.worldFromBox.p.y, 3);
    } finally {
      await onEarth.close();
    }
  });
});

describe("a scene graph", () => {
  it("is read back by our own reader of Hydra's files", async () => {
    const path = join(out, "house.dsg.json");
    const { counts } = await exportReader(house.reader, path);
    const source = hydraSource(path, parseWithLongIntegers(readFileSync(path, "utf8")), {});
    const [item] = await gathered(source.items());
    if (item?.kind !== "graph") throw new Error("expected a graph");
    const { objects, places, rooms } = item.graph;
    const world = await readWorld(house.reader);
    expect([objects.length, places.length, rooms.length]).toEqual([
      world.things.length,
      world.places.length,
      world.rooms.length,
    ]);
    expect(counts["edges"]).toBeGreaterThan(world.things.length);
    const bed = objects.find(({ name }) => name === "bed")!;
    const known = world.things.find(({ name }) => name === "bed")!;
    const nameOf = (id: string | undefined) => world.rooms.find((room) => room.id === id)!.name;
    expect(bed.category).toBe("bed");
    expect(bed.position.x).toBeCloseTo(known.worldFromBox.p.x);
    expect(bed.room).toBe(rooms.find(({ name }) => name === nameOf(known.roomId))!.id);
    expect(rooms.map(({ name }) => name).sort()).toEqual(world.rooms.map(({ name }) => name).sort());
  });
});

async function gathered<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

describe("rooms with their things", () => {
  it("put every thing into its room, at the moment asked for", async () => {
    const path = join(out, "house.json");
    await exportReader(house.reader, path);
    const world = await readWorld(house.reader);
    const told = JSON.parse(readFileSync(path, "utf8")) as {
      rooms: { id: string; things: { name: string }[] }[];
    };
    for (const { id, things } of told.rooms) {
      const inside = world.things.filter(({ roomId }) => roomId === id).map(({ name }) => name);
      expect(things.map(({ name }) => name)).toEqual(inside);
      expect(inside.length).toBeGreaterThan(0);
    }
    const namesAt = async (second: number) => {
      await exportReader(house.reader, path, { atUs: START_US + second * 1e6 });
      const { rooms, elsewhere } = JSON.parse(readFileSync(path, "utf8")) as {
        rooms: { things: { id: string }[] }[];
        elsewhere: { id: string }[];
      };
      return [...rooms.flatMap(({ things }) => things), ...elsewhere].map(({ id }) => id).sort();
    };
    expect(await namesAt(5)).toContain("mug-before");
    expect(await namesAt(11)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^mug/)]));
    expect(await namesAt(13)).toContain("mug-after");
  });
});

describe("a map for Nav2", () => {
  it("has rows from the top, and an origin and a resolution that put each cell where it is", async () => {
    const path = join(out, "house.yaml");
    const { beside } = await exportReader(house.reader, path, { resolutionM: 0.1 });
    expect(beside).toEqual([join(out, "house.pgm")]);
    const about = loadYaml(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect(about).toMatchObject({ image: "house.pgm", mode: "trinary", negate: 0, resolution: 0.1 });
    const bytes = readFileSync(join(out, "house.pgm"));
    const [head, width, height] = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.subarray(0, 40).toString("latin1"))!;
    const [w, h] = [Number(width), Number(height)];
    const pixels = bytes.subarray(head!.length);
    expect(pixels.length).toBe(w * h);
    const [originX, originY] = about["origin"] as [number, number];
    // As map_server reads it.
    const cellAt = ({ x, y }: { x: number; y: number }) => {
      const [column, row] = [Math.floor((x - originX) / 0.1), Math.floor((y - originY) / 0.1)];
      const occupancy = (255 - pixels[(h - 1 - row) * w + column]!) / 255;
      if (occupancy > (about["occupied_thresh"] as number)) return "occupied";
      return occupancy < (about["free_thresh"] as number) ? "free" : "unknown";
    };
    const inHouse = (x: number, y: number) => cellAt(apply(WORLD_FROM_HOUSE, { x, y, z: 0 }));
    expect(inHouse(2, 1.5)).toBe("free");
    expect(inHouse(4.05, 1.95)).toBe("free");
    expect(inHouse(4.05, 0.75)).toBe("occupied");
    expect(inHouse(1.85, 2.6)).toBe("occupied");
    const [raster] = (await SceneMap.open(house.reader)).floors();
    const names = ["unknown", "free", "occupied"];
    for (let row = 0; row < h; row++)
      for (let column = 0; column < w; column++)
        expect(
          cellAt({ x: raster!.originX + (column + 0.5) * 0.1, y: raster!.originY + (row + 0.5) * 0.1 }),
        ).toBe(names[raster!.state[row * w + column]!]);
  });

  it("is written at Nav2's usual 0.05 m and any other resolution, each pixel as bad as its worst cell", async () => {
    const [raster] = (await SceneMap.open(house.reader)).floors();
    const written = async (resolutionM?: number) => {
      const path = join(out, `at-${resolutionM}.yaml`);
      await exportReader(house.reader, path, resolutionM === undefined ? {} : { resolutionM });
      const { resolution } = loadYaml(readFileSync(path, "utf8")) as { resolution: number };
      const bytes = readFileSync(path.replace("yaml", "pgm"));
      const [head, w, h] = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.subarray(0, 40).toString("latin1"))!;
      const [width, height] = [Number(w), Number(h)];
      const pixel = (x: number, y: number) => bytes[head!.length + (height - 1 - y) * width + x];
      return { resolution, width, height, pixel };
    };
    const { width, height, state } = raster!;
    const values = [205, 254, 0];
    const fine = await written();
    expect(fine).toMatchObject({ resolution: 0.05, width: 2 * width, height: 2 * height });
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (const [dx, dy] of [
          [0, 0],
          [1, 1],
        ] as const)
          expect(fine.pixel(2 * x + dx, 2 * y + dy)).toBe(values[state[y * width + x]!]);
    const coarse = await written(0.2);
    expect(coarse).toMatchObject({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
    for (let y = 0; y < coarse.height; y++)
      for (let x = 0; x < coarse.width; x++) {
        const under = [0, 1].flatMap((dy) =>
          [0, 1].flatMap((dx) => {
            const [column, row] = [2 * x + dx, 2 * y + dy];
            return column < width && row < height ? [values[state[row * width + column]!]!] : [];
          }),
        );
        expect(coarse.pixel(x, y)).toBe(Math.min(...under));
      }
    await expect(written(0)).rejects.toThrow("expected a resolution from 0.01 to 1");
  });

  it("refuses a storey that is not there, and a memory without a map", async () => {
    await expect(exportReader(house.reader, join(out, "x.yaml"), { floor: 3 })).rejects.toThrow(
      /floor from 0 to 0/,
    );
    await expect(exportReader(house.reader, join(out, "x.yaml"), { sceneId: "moon" })).rejects.toThrow(
      /no map/,
    );
  });
});

describe("every format", () => {
  it("shows only what the reader may see, and only as of then", async () => {
    const guest = await house.engine.reader({ principal: { id: "guest", labels: [] } });
    const past = await house.engine.reader({ asOfMemoryUs: 1 });
    for (const format of EXPORT_FORMATS.filter((each) => each !== "mcap")) {
      const path = join(out, `guest.${ENDINGS[format]}`);
      await exportReader(guest, path);
      expect(readFileSync(path).includes(SECRET), format).toBe(false);
      if (format === "nav2") continue;
      const whole = join(out, `owner.${ENDINGS[format]}`);
      await exportReader(house.reader, whole);
      if (format !== "ply") expect(readFileSync(whole).includes(SECRET), format).toBe(true);
      const before = join(out, `before.${ENDINGS[format]}`);
      await exportReader(past, before);
      expect(readFileSync(before).includes("mug-after"), format).toBe(false);
    }
    await guest.close();
    await past.close();
  });

  it("is a whole file of an empty memory too, but for a map", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-empty-"));
    const engine = await SqliteEngine.open({ folder, nowUs: () => 1, create: true });
    try {
      const reader = await engine.reader();
      for (const format of EXPORT_FORMATS.filter((each) => each !== "nav2"))
        await exportReader(reader, join(out, `empty.${ENDINGS[format]}`));
      const { issues } = await validateBytes(readFileSync(join(out, "empty.glb")));
      expect(issues.messages).toEqual([]);
      expect(JSON.parse(readFileSync(join(out, "empty.geojson"), "utf8"))).toMatchObject({ features: [] });
      expect(JSON.parse(readFileSync(join(out, "empty.json"), "utf8"))).toMatchObject({ rooms: [] });
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("leaves nothing behind when it is stopped, and what was there before", async () => {
    const stop = new AbortController();
    stop.abort();
    for (const format of EXPORT_FORMATS) {
      const path = join(out, `kept.${ENDINGS[format]}`);
      writeFileSync(path, "before");
      await expect(exportReader(house.reader, path, { signal: stop.signal }), format).rejects.toMatchObject({
        code: "aborted",
      });
      expect(readFileSync(path, "utf8")).toBe("before");
    }
    expect(readdirSync(out).filter((name) => name.endsWith(".partial"))).toEqual([]);
    await expect(exportReader(house.reader, join(out, "no/such/house.ply"))).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});

describe("triangles of a ring", () => {
  it("cover it exactly once, whatever way it goes round", () => {
    const teeth = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(teeth, fc.boolean(), (heights, isReversed) => {
        // A comb with as many teeth as a room's outline allows.
        const ring = [
          { x: 0, y: 0 },
          { x: heights.length, y: 0 },
          ...heights.flatMap(([height], n) => {
            const x = heights.length - n;
            return [
              { x, y: height },
              { x: x - 1, y: height },
            ];
          }),
        ];
        const points = isReversed ? ring.toReversed() : ring;
        const corners = triangulate(points);
        let area = 0;
        for (let i = 0; i < corners.length; i += 3) {
          const part = polygonArea({ points: corners.slice(i, i + 3).map((corner) => points[corner]!) });
          expect(part).toBeGreaterThanOrEqual(0);
          area += part;
        }
        expect(area).toBeCloseTo(Math.abs(polygonArea({ points: ring })), 6);
      }),
    );
  });
});
