import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookup } from "../../ontology/index.ts";
import { findPackage } from "../optional-package.ts";
import type { Eyes, EyesInput, Look } from "./eyes.ts";
import { TOP } from "./likeliest.ts";
import { NATIVE_PACKAGE } from "./native-net.ts";
import { openEyes } from "./open-eyes.ts";
import { WasmNet } from "./wasm-net.ts";
import { readNet } from "./weight-file.ts";

const bytes = readFileSync(new URL("./eyes-v1.bin", import.meta.url));
const packagesFrom = process.env["LOCI_PACKAGES"];

/** A table in front of a wall, by formula: enough to get some output. */
function scene(width: number, height: number): EyesInput {
  const rgb = new Uint8Array(width * height * 3);
  const depth = new Float32Array(width * height);
  const f = width;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const low = (y + 0.5 - height / 2) / f;
      const table = y > 0.6 * height && x > 0.2 * width && x < 0.8 * width;
      depth[at] = Math.min(table ? 0.6 / low : low > 0 ? 1.3 / low : 9, 2.5);
      rgb.set(table ? [150, 100, 60] : [200, 200, 195], 3 * at);
    }
  const camera = { fx: f, fy: f, cx: width / 2, cy: height / 2 };
  return { width, height, rgb, depth, camera, up: [0, -1, 0], height0: 1.3 };
}

describe("eyes", () => {
  let eyes: Eyes;
  beforeAll(async () => {
    eyes = await openEyes({ runtime: "wasm" });
  });
  afterAll(() => eyes.close());

  it("have weights that give the numbers which PyTorch gives", () => {
    const should = readFileSync(new URL("./testing/logits.f32", import.meta.url));
    const wasm = new WasmNet(readNet(bytes));
    const { channels, width, height, stride, numbers } = wasm.input;
    for (let i = 0; i < channels * width * height; i++)
      numbers[Math.floor(i / (width * height)) * stride + (i % (width * height))] =
        0.5 * Math.sin(i * 0.0137);
    wasm.run();
    let [at, worst] = [0, 0];
    for (const out of [wasm.output("shape"), wasm.output("category"), wasm.output("kind")])
      for (let c = 0; c < out.channels; c++)
        for (let y = 4; y < out.height; y += 16)
          for (let x = 4; x < out.width; x += 16) {
            const difference =
              out.numbers[c * out.stride + y * out.width + x]! - should.readFloatLE(4 * at++);
            worst = Math.max(worst, Math.abs(difference));
          }
    expect(at).toBe(should.length / 4);
    expect(worst).toBeLessThan(1e-3);
  });

  it("name only what our ontology knows, and fit into the package", () => {
    const names = [...eyes.categories.slice(1), ...eyes.kinds!.slice(1)];
    const unknown = names.filter((name) => lookup(name) === undefined);
    expect(unknown).toEqual([]);
    expect(new Set(eyes.categories).size).toBe(eyes.categories.length);
    expect(bytes.length).toBeLessThan(6e6);
  });

  it("look at any size, the same every time, in probabilities", async () => {
    const [first, second, wide] = await Promise.all([
      eyes.look(scene(640, 480)),
      eyes.look(scene(640, 480)),
      eyes.look(scene(1280, 720)),
    ]);
    expect(first).toEqual(second);
    expect([first!.width, first!.height, first!.scale]).toEqual([160, 120, 0.25]);
    expect([wide!.width, wide!.height, wide!.scale]).toEqual([160, 90, 0.125]);
    for (const look of [first!, wide!]) {
      const area = look.width * look.height;
      expect(look.category.names.length).toBe(TOP * area);
      for (const at of [0, 77, area - 1]) {
        const sum = [0, 1, 2].reduce((total, plane) => total + look.surface[plane * area + at]!, 0);
        expect(sum).toBeCloseTo(1, 4);
      }
      expect(
        look.category.odds.every((p, n) => p >= 0 && p <= (n % TOP > 0 ? look.category.odds[n - 1]! : 1)),
      ).toBe(true);
      expect(look.category.names.every((name) => name < eyes.categories.length)).toBe(true);
      const { width, height, kind, state } = look.closer!;
      expect([width, height]).toEqual([look.width / 2, look.height / 2]);
      expect(kind.names.length).toBe(TOP * width * height);
      expect(state.every((p) => p >= 0 && p <= 1)).toBe(true);
    }
  });

  it("look without depth, at black and at an upside-down picture, without a number that is none", async () => {
    const black = {
      ...scene(320, 240),
      rgb: new Uint8Array(320 * 240 * 3),
      depth: undefined,
      height0: Number.NaN,
    };
    const looks: Look[] = [await eyes.look(black), await eyes.look({ ...scene(320, 240), up: [0, 1, 0] })];
    for (const { surface, boundary, centre, offset, category } of looks)
      for (const plane of [surface, boundary, centre, offset, category.odds])
        expect(plane.every(Number.isFinite)).toBe(true);
  });

  it("refuse what cannot be looked at in one line, and go on", async () => {
    await expect(eyes.look({ ...scene(64, 48), rgb: new Uint8Array(3) })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(eyes.look(scene(64, 48))).resolves.toMatchObject({ width: 160 });
  });

  it.skipIf(findPackage(NATIVE_PACKAGE, packagesFrom) === null)(
    "see the same with onnxruntime-node (skipped where it is not installed)",
    async () => {
      const native = await openEyes({ runtime: "native", packagesFrom });
      try {
        const [ours, theirs] = [await eyes.look(scene(640, 480)), await native.look(scene(640, 480))];
        const planesOf = ({ surface, boundary, centre, category }: Look) => [
          surface,
          boundary,
          centre,
          category.odds,
        ];
        planesOf(ours).forEach((plane, n) => {
          const other = planesOf(theirs)[n]!;
          expect(plane.reduce((most, v, i) => Math.max(most, Math.abs(v - other[i]!)), 0)).toBeLessThan(1e-2);
        });
      } finally {
        await native.close();
      }
    },
  );

  it("say what is wrong with a damaged file", () => {
    const cut = bytes.subarray(0, bytes.length - 100);
    expect(() => readNet(cut)).toThrow(
      "the weights of the eyes are not usable: it ends within its weights; restore eyes-v1.bin",
    );
    expect(() => readNet(bytes.subarray(4))).toThrow("it is no file of eyes");
  });
});
