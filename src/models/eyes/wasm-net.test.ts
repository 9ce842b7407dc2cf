import { describe, expect, it } from "vitest";
import { findPackage } from "../optional-package.ts";
import { TOP } from "./likeliest.ts";
import { NATIVE_PACKAGE, NativeNet } from "./native-net.ts";
import { referenceRun, tinyNet } from "./testing/reference-net.ts";
import { WasmNet } from "./wasm-net.ts";
import type { Net } from "./weight-file.ts";

const SIZES = [
  [40, 24],
  [37, 29],
  [64, 48],
] as const;

function filled(net: Net): { wasm: WasmNet; input: Float64Array } {
  const wasm = new WasmNet(net);
  const { channels, width, height, stride, numbers } = wasm.input;
  const input = new Float64Array(channels * width * height);
  for (let c = 0; c < channels; c++)
    for (let i = 0; i < width * height; i++) {
      numbers[c * stride + i] = Math.sin((c * width * height + i) * 0.37);
      input[c * width * height + i] = numbers[c * stride + i]!;
    }
  return { wasm, input };
}

/** The largest difference of an output from what it should be. */
function worst(wasm: WasmNet, name: "shape" | "category", should: Float64Array): number {
  const { channels, width, height, stride, numbers } = wasm.output(name);
  expect(should.length).toBe(channels * width * height);
  return should.reduce((most, v, at) => {
    const [c, i] = [Math.floor(at / (width * height)), at % (width * height)];
    return Math.max(most, Math.abs(numbers[c * stride + i]! - v));
  }, 0);
}

describe("the eyes' kernels", () => {
  it.each(SIZES)("agree with plain loops on a net of every kind of step, %i×%i", (width, height) => {
    const net = tinyNet(width, height);
    const { wasm, input } = filled(net);
    const should = referenceRun(net, input);
    wasm.run();
    for (const name of ["shape", "category"] as const) {
      expect(Math.max(...should.get(name)!.map(Math.abs))).toBeGreaterThan(0.1);
      expect(worst(wasm, name, should.get(name)!)).toBeLessThan(1e-4);
    }
  });

  it("give the same bits every time, and probabilities when finished", () => {
    const net = tinyNet(37, 29);
    const { wasm } = filled(net);
    const looks = [0, 1].map(() => {
      wasm.run();
      const logits = wasm.output("shape").numbers.slice();
      wasm.finish();
      return { logits, shape: wasm.output("shape") };
    });
    expect(looks[0]!.logits).toEqual(looks[1]!.logits);
    const { shape } = looks[1]!;
    const sumAt = (of: typeof shape, planes: number, i: number) =>
      Array.from({ length: planes }, (_, c) => of.numbers[c * of.stride + i]!).reduce((a, b) => a + b, 0);
    for (const i of [0, 17, 200]) {
      expect(sumAt(shape, 3, i)).toBeCloseTo(1, 5);
      const raw = looks[1]!.logits[3 * shape.stride + i]!;
      expect(shape.numbers[3 * shape.stride + i]).toBeCloseTo(1 / (1 + Math.exp(-raw)), 5);
      expect(shape.numbers[5 * shape.stride + i]).toBeCloseTo(
        32 * looks[1]!.logits[5 * shape.stride + i]!,
        3,
      );
    }
  });

  it.each(SIZES)("find the likeliest names as plain loops over all of them do, %i×%i", (width, height) => {
    const net = tinyNet(width, height);
    const { wasm } = filled(net);
    wasm.run();
    const { numbers, stride } = wasm.output("category");
    // Of equal ones the first comes first.
    numbers.copyWithin(2 * stride, stride, 2 * stride);
    const count = net.categories.length;
    const area = wasm.output("category").width * wasm.output("category").height;
    const { names, odds } = wasm.likeliest("category");
    for (let at = 0; at < area; at++) {
      const logits = Array.from({ length: count }, (_, c) => numbers[c * stride + at]! / net.temperature);
      const sum = logits.reduce((total, v) => total + Math.exp(v), 0);
      const best = logits
        .map((v, name) => ({ name, p: Math.exp(v) / sum }))
        .sort((a, b) => b.p - a.p || a.name - b.name)
        .slice(0, TOP);
      best.forEach(({ name, p }, k) => {
        const isTold = p >= 0.03;
        expect(odds[TOP * at + k]).toBeCloseTo(isTold ? p : 0, 5);
        if (isTold) expect(names[TOP * at + k]).toBe(name);
      });
    }
  });

  const packagesFrom = process.env["LOCI_PACKAGES"];
  it.skipIf(findPackage(NATIVE_PACKAGE, packagesFrom) === null)(
    "agree with onnxruntime-node (skipped where it is not installed)",
    async () => {
      const net = tinyNet(37, 29);
      const { wasm, input } = filled(net);
      await (await NativeNet.open(net, packagesFrom)).run(wasm);
      const should = referenceRun(net, input);
      for (const name of ["shape", "category"] as const)
        expect(worst(wasm, name, should.get(name)!)).toBeLessThan(1e-4);
    },
  );
});
