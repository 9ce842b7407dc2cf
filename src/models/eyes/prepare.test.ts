import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EyesInput } from "./eyes.ts";
import { coveredBy, Preparer } from "./prepare.ts";

const [W, H, CHANNELS] = [320, 240, 12];
const planes = () => ({
  channels: CHANNELS,
  width: W,
  height: H,
  stride: W * H,
  numbers: new Float32Array(CHANNELS * W * H),
});

/** The picture that training/eyes/export.py computes in `channels_fixture`. */
function known(): EyesInput {
  const rgb = new Uint8Array(W * H * 3);
  const depth = new Float32Array(W * H);
  for (let i = 0; i < W * H; i++) {
    [0.011, 0.017, 0.023].forEach((k, c) => {
      rgb[3 * i + c] = Math.floor(Math.sin(i * k) * 127 + 128);
    });
    const [x, y] = [i % W, Math.floor(i / W)];
    depth[i] = i % 13 === 0 ? 0 : 2 + 0.004 * x - 0.003 * y + (x > 150 ? 0.4 : 0);
  }
  return {
    width: W,
    height: H,
    rgb,
    depth,
    camera: { fx: 290, fy: 285, cx: 158, cy: 121.5 },
    up: [0.1, -0.9, -0.35],
    height0: 1.3,
  };
}

describe("what the eyes are given", () => {
  it("is what the net was trained on", () => {
    const bytes = readFileSync(new URL("./testing/channels.f32", import.meta.url));
    const into = planes();
    new Preparer(W, H).prepare(known(), into);
    let at = 0;
    const worst = new Float64Array(CHANNELS);
    for (let c = 0; c < CHANNELS; c++)
      for (let y = 4; y < H; y += 16)
        for (let x = 4; x < W; x += 16) {
          const difference = Math.abs(into.numbers[c * W * H + y * W + x]! - bytes.readFloatLE(4 * at++));
          worst[c] = Math.max(worst[c]!, difference);
        }
    expect(at).toBe(bytes.length / 4);
    // Normals are quotients of small differences of 32-bit numbers; all else is exact to rounding.
    worst.forEach((value, c) => {
      expect(value, `channel ${c}`).toBeLessThan(c >= 6 && c <= 8 ? 2e-3 : 1e-5);
    });
  });

  it("says that a floor is level and at height 0, whatever was looked at before", () => {
    const [height0, pitch] = [1.4, 0.6];
    const up = [0, -Math.cos(pitch), -Math.sin(pitch)] as const;
    const camera = { fx: 500, fy: 500, cx: 320, cy: 240 };
    const depth = new Float32Array(640 * 480);
    for (let y = 0; y < 480; y++)
      for (let x = 0; x < 640; x++) {
        const rise = up[1] * ((y + 0.5 - camera.cy) / camera.fy) + up[2];
        depth[y * 640 + x] = rise < -0.15 ? -height0 / rise : 0;
      }
    const into = planes();
    const preparer = new Preparer(W, H);
    preparer.prepare(known(), into);
    preparer.prepare(
      { width: 640, height: 480, rgb: new Uint8Array(640 * 480 * 3), depth, camera, up, height0 },
      into,
    );
    const at = 180 * W + 160;
    expect(into.numbers[4 * W * H + at]).toBe(1);
    expect(Math.abs(into.numbers[5 * W * H + at]!)).toBeLessThan(0.01);
    expect(into.numbers[8 * W * H + at]).toBeGreaterThan(0.99);
    // Inverse depth read and that of the floor along the ray are one.
    expect(into.numbers[11 * W * H + at]).toBeCloseTo(into.numbers[3 * W * H + at]!, 2);
    expect(into.numbers[at]).toBe(-0.5);
  });

  it("keeps the shape of a picture and leaves the rest without depth", () => {
    expect(coveredBy({ width: 1280, height: 720 }, W, H)).toEqual({ width: 320, height: 180, scale: 0.25 });
    expect(coveredBy({ width: 480, height: 640 }, W, H)).toEqual({ width: 180, height: 240, scale: 0.375 });
    const into = planes();
    const input = {
      ...known(),
      width: 64,
      height: 32,
      rgb: new Uint8Array(64 * 32 * 3).fill(255),
      depth: new Float32Array(64 * 32).fill(1),
    };
    new Preparer(W, H).prepare(input, into);
    expect(into.numbers[0]).toBe(0.5);
    expect(into.numbers[200 * W]).toBe(0);
    expect(into.numbers[4 * W * H + 100]).toBe(1);
    expect(into.numbers[4 * W * H + 200 * W]).toBe(0);
  });

  it("takes what is no number for no reading", () => {
    const depth = new Float32Array(W * H).fill(Number.NaN);
    const into = planes();
    new Preparer(W, H).prepare({ ...known(), depth, height0: Number.NaN }, into);
    expect(into.numbers.every(Number.isFinite)).toBe(true);
    expect(into.numbers.subarray(4 * W * H, 10 * W * H).every((v) => v === 0)).toBe(true);
  });

  it.each([
    ["too few bytes", { rgb: new Uint8Array(5) }],
    ["too few readings", { depth: new Float32Array(7) }],
    ["no focal length", { camera: { fx: 0, fy: 1, cx: 0, cy: 0 } }],
    ["no up", { up: [0, 0, 0] as const }],
    ["a line", { height: 2 }],
  ])("refuses %s in one line", (_, wrong) => {
    expect(() => new Preparer(W, H).prepare({ ...known(), ...wrong }, planes())).toThrow(
      /^the eyes cannot look at this: expected [^\n]*$/,
    );
  });
});
