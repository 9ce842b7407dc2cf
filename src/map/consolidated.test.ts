import { describe, expect, it } from "vitest";
import { IDENTITY } from "../geometry/index.ts";
import type { MemoryReader, MemoryWriter } from "../memory/index.ts";
import { eachWithMemory } from "../memory/testing/each-with-memory.ts";
import type { Percept, Stored, TrackedFrame } from "../schema/core.ts";
import { decodeConsolidated, encodeConsolidated } from "./consolidated.ts";
import { SceneMap } from "./scene-map.ts";
import { tour, twoRooms } from "./testing/test-world.ts";

const NOTHING = { stateOf: [] } as unknown as TrackedFrame;
const APART_US = 60_000_000;
const LOOKS = tour(twoRooms());

let reader: MemoryReader;
let writer: MemoryWriter;

eachWithMemory((memory) => {
  ({ reader, writer } = memory);
});

const placed = (child: string, x = 0) => ({
  parent: "world",
  child,
  transform: { ...IDENTITY, p: { x, y: 0, z: 0 } },
  kind: "submap" as const,
});

/** The tour in three submaps, a minute apart: two are at rest at the end. */
async function walk(labelsOf: (piece: number) => string[] = () => []): Promise<SceneMap> {
  const pieceOf = (n: number) => Math.floor((n * 3) / LOOKS.length);
  await writer.write({ frames: [0, 1, 2].map((n) => placed(`sub-${n}`)) });
  let labels = labelsOf(0);
  let map = await SceneMap.open(reader, { labels });
  let lastUs = 0;
  for (const [n, percept] of LOOKS.entries()) {
    const piece = pieceOf(n);
    const timeUs = percept.timeUs + piece * APART_US;
    if (piece !== pieceOf(n - 1)) {
      await writer.write(await map.update([], timeUs));
      if (labelsOf(piece).join() !== labels.join()) {
        // Another writer continues the same map.
        await writer.write(map.finish());
        labels = labelsOf(piece);
        map = await SceneMap.open(reader, { labels });
      }
    }
    const moved: Percept = { ...percept, submap: `sub-${piece}`, labels, timeUs };
    await writer.write(map.observe(moved, NOTHING));
    lastUs = moved.timeUs;
  }
  await writer.write(await map.update([], lastUs));
  await writer.write(map.finish());
  return map;
}

const site = async () =>
  (await reader.search({ kinds: ["region"], where: { category: ["site"] } })).hits[0]!.record as Stored & {
    grid?: string;
  };

/** A reader of the same memory without the consolidated map. */
function without(ref: string): MemoryReader {
  return new Proxy(reader, {
    get: (target, key) => {
      if (key === "blob") return async (one: string) => (one === ref ? undefined : target.blob(one));
      const value = Reflect.get(target, key) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("a consolidated map", () => {
  it("holds the pieces at rest, and opens as the pieces themselves do", async () => {
    const map = await walk();
    const ref = (await site()).grid!;
    const { pieces, storeys } = decodeConsolidated((await reader.blob(ref))!);
    expect(pieces.map(({ frame }) => frame)).toEqual(["sub-0", "sub-1"]);
    expect(storeys).toHaveLength(1);
    const [quick, slow] = [await SceneMap.open(reader), await SceneMap.open(without(ref))];
    for (const opened of [quick, slow]) {
      expect(opened.floors()[0]!.state).toEqual(map.floors()[0]!.state);
      expect(opened.lookedAtUs({ x: 1, y: 1, z: 0.8 })).toBe(map.lookedAtUs({ x: 1, y: 1, z: 0.8 }));
      expect(opened.rooms().map(({ id }) => id)).toEqual(map.rooms().map(({ id }) => id));
    }
    // No submap has come to rest since: nothing is written again.
    const { written } = await writer.write(quick.finish());
    expect(written).toBe(0);
  });

  it("is not believed once a piece of it has moved", async () => {
    await walk();
    await writer.write({ frames: [0, 1, 2].map((n) => ({ ...placed(`sub-${n}`, 10), revision: 2 })) });
    const moved = await SceneMap.open(reader);
    expect(moved.floors()[0]!.originX).toBeGreaterThan(8);
    const { written } = await writer.write(moved.finish());
    expect(written).toBe(1);
    expect((await SceneMap.open(reader)).floors()[0]!.state).toEqual(moved.floors()[0]!.state);
  });

  it("is kept only where all who see the site may know of every piece", async () => {
    await walk(() => ["home"]);
    expect((await site()).labels).toEqual(["home"]);
    expect((await site()).grid).toBeDefined();
  });

  it("is given up when pieces with other labels come together, whichever came first", async () => {
    const map = await walk((piece) => (piece === 2 ? [] : ["private"]));
    const { labels, grid } = await site();
    expect([labels, grid]).toEqual([[], undefined]);
    const again = await SceneMap.open(reader);
    expect(again.floors()[0]!.state).toEqual(map.floors()[0]!.state);
  });

  it("is refused when damaged", async () => {
    await walk();
    const bytes = (await reader.blob((await site()).grid!))!;
    for (const damaged of [bytes.slice(0, 3), bytes.slice(0, 40), bytes.slice(0, -5), Uint8Array.of(1, 2, 3)])
      expect(() => decodeConsolidated(damaged)).toThrowError(/LGC1|LGR[12]/);
    expect(encodeConsolidated(decodeConsolidated(bytes))).toEqual(Buffer.from(bytes));
  });
});
