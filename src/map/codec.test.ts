import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLociError } from "../schema/core.ts";
import { BANDS, FLOOR_BAND, HEAD_BAND } from "./bands.ts";
import { decodeGrid, decodeSurface, encodeGrid, encodeSurface } from "./codec.ts";
import { FloorFinder } from "./floor-height.ts";
import { Layer } from "./layer.ts";
import { SurfaceCloud } from "./surface.ts";
import { TileGrid } from "./tiles.ts";

function someLayer(): Layer {
  const layer = new Layer(0.25, TileGrid.startingAt(5_000_000_000));
  layer.stand(0.25);
  for (const [tx, ty] of [
    [3, -2],
    [0, 0],
  ] as const) {
    const tile = layer.grid.open(tx, ty)!;
    for (let i = 0; i < tile.odds.length; i += 7) tile.odds[i] = (i % 121) - 60;
    for (let i = 0; i < tile.looked.length; i += 5)
      tile.looked[i] = layer.grid.stampOf(5_000_000_000 + i * 100_000);
  }
  layer.countHigh(2.4);
  return layer;
}

describe("blobs of a piece of map", () => {
  it("hold a grid whole, whatever the order of its tiles", () => {
    const layer = someLayer();
    const blob = encodeGrid([layer]);
    const [read] = decodeGrid(blob);
    expect(read!.floorZ).toBe(0.25);
    expect(read!.frames).toBe(1);
    expect(read!.grid.epochUs).toBe(layer.grid.epochUs);
    expect(read!.highs).toEqual(layer.highs);
    for (const tile of layer.grid.tiles()) expect(read!.grid.at(tile.tx, tile.ty)).toEqual(tile);
    const other = new Layer(0.25, new TileGrid(layer.grid.epochUs), 1, layer.highs.slice());
    for (const tile of [...layer.grid.tiles()].reverse()) other.grid.put(tile);
    expect(encodeGrid([other])).toEqual(blob);
    expect(read!.grid.lookedUs(0, 0, 0)).toBe(5_000_000_000);
    expect(read!.grid.odds(0, 0, FLOOR_BAND)).toBe(-60);
    expect(BANDS).toBe(HEAD_BAND + 1);
  });

  it("are read as older memories have them", () => {
    const layer = someLayer();
    const [tile, other] = [...layer.grid.tiles()];
    const head = Buffer.alloc(4 + 28);
    head.writeUInt32LE(1, 0);
    head.writeDoubleLE(layer.floorZ, 4);
    head.writeDoubleLE(layer.grid.epochUs, 12);
    head.writeUInt32LE(layer.frames, 20);
    head.writeUInt32LE(2, 24);
    head.writeUInt32LE(layer.highs.length, 28);
    const parts = [tile!, other!].flatMap(({ tx, ty, odds, looked }) => [
      Int32Array.of(tx, ty),
      odds,
      looked,
    ]);
    const content = [head, layer.highs, ...parts].map((part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
    const blob = Buffer.concat([Buffer.from("LGR1"), deflateRawSync(Buffer.concat(content))]);
    expect(encodeGrid(decodeGrid(blob))).toEqual(encodeGrid([layer]));
  });

  it("hold a surface whole", () => {
    const cloud = new SurfaceCloud();
    for (let i = 0; i < 9_000; i++)
      cloud.add(Math.sin(i) * 20, Math.cos(i * 1.7) * 20, (i % 30) / 10, 2, i & 255, 7, 9);
    const read = decodeSurface(encodeSurface(cloud.points()));
    expect(read).toEqual(cloud.points());
    expect(new SurfaceCloud(read).points()).toEqual(cloud.points());
  });

  it("are refused when damaged", () => {
    const grid = encodeGrid([someLayer()]);
    const surface = encodeSurface(new SurfaceCloud().points());
    fc.assert(
      fc.property(fc.nat(grid.length - 1), fc.nat(255), (at, byte) => {
        const bad = Uint8Array.from(grid);
        bad[at] = byte;
        try {
          decodeGrid(bad);
        } catch (error) {
          expect(isLociError(error, "memory-corrupt")).toBe(true);
        }
        expect(() => decodeGrid(grid.subarray(0, at))).toThrowError(/expected|damaged/);
      }),
      { numRuns: 50 },
    );
    expect(() => decodeSurface(grid)).toThrowError(/expected a "LSP1"/);
    expect(() => decodeGrid(surface)).toThrowError(/expected a "LGR2"/);
  });
});

describe("surface points", () => {
  it("are one a voxel, and none of what is far", () => {
    const cloud = new SurfaceCloud();
    for (let i = 0; i < 100; i++) cloud.add(1.001, 1.001, 1.001 + i * 0.0001, 2, 1, 2, 3);
    cloud.add(1.5, 1, 1, 2, 9, 9, 9);
    cloud.add(3, 1, 1, 50, 9, 9, 9);
    cloud.add(1_000, 1, 1, 2, 9, 9, 9);
    expect(cloud.count).toBe(2);
    expect([...cloud.points().positions]).toEqual([100, 100, 100, 150, 100, 100]);
  });
});

describe("the floor under the camera", () => {
  const see = (finder: FloorFinder, heights: readonly (readonly [number, number])[]): number | undefined => {
    finder.begin();
    for (const [belowM, count] of heights) for (let i = 0; i < count; i++) finder.add(belowM, 1);
    return finder.heightM("camera");
  };

  it("is the lowest that many points lie on", () => {
    const finder = new FloorFinder();
    expect(see(finder, [])).toBeUndefined();
    expect(
      see(finder, [
        [0.75, 60],
        [1.5, 40],
        [1.9, 2],
      ]),
    ).toBeCloseTo(1.5, 2);
  });

  it("stays one's own when a stairwell opens", () => {
    const finder = new FloorFinder();
    for (let i = 0; i < 8; i++) see(finder, [[1.5, 100]]);
    expect(
      see(finder, [
        [1.5, 20],
        [2.4, 80],
      ]),
    ).toBeCloseTo(1.5, 1);
    expect(see(finder, [])).toBeCloseTo(1.5, 1);
  });

  it("gives way when the first look was at a table", () => {
    const finder = new FloorFinder();
    expect(see(finder, [[0.75, 100]])).toBeCloseTo(0.75, 2);
    expect(
      see(finder, [
        [0.75, 30],
        [1.5, 70],
      ]),
    ).toBeCloseTo(1.5, 2);
  });
});
