import { describe, expect, it } from "vitest";
import { boxFromCentre } from "../geometry/index.ts";
import { redacted } from "./redact.ts";
import { levelCamera, syntheticFrame } from "./testing/synthetic-frame.ts";

const CAMERA = levelCamera({ x: 0, y: 0, z: 1 }, { width: 64, height: 48, focalPx: 40 });
const box = (name: string, x: number, colour: [number, number, number]) => ({
  ...boxFromCentre({ x, y: 2, z: 1 }, { x: 0.6, y: 0.2, z: 0.8 }),
  name,
  colour,
});
const scene = syntheticFrame(CAMERA, [
  box("Person", -0.6, [250, 10, 10]),
  box("mug", 0.6, [10, 10, 250]),
  { ...boxFromCentre({ x: 0, y: 4, z: 1 }, { x: 20, y: 0.1, z: 20 }), colour: [90, 90, 90] },
]);
const frame = {
  ...scene,
  receivedAtUs: 7,
  detections: scene.detections!.map((one) =>
    one.label === "Person" ? { ...one, text: "yellow fabric Anna" } : one,
  ),
  captions: [
    "This is a hall. A person stands there. A mug is blue.",
    "Anna waves",
    "People walk by. It is noon.",
  ],
};

const redPixels = (data: Uint8Array) => {
  let count = 0;
  for (let at = 0; at < data.length; at += 3) if (data[at]! > 200) count++;
  return count;
};
const at = (column: number, row: number) => row * 64 + column;

describe("redaction", () => {
  it("drops the class: detection, colour, depth, mask and every sentence about it", () => {
    const out = redacted(frame, ["person"], "drop");
    expect(out.detections!.map(({ label }) => label)).toEqual(["mug"]);
    expect(redPixels(frame.rgb!.data)).toBeGreaterThan(100);
    expect(redPixels(out.rgb!.data)).toBe(0);
    const middle = at(20, 24);
    expect([...out.rgb!.data.subarray(3 * middle, 3 * middle + 3)]).toEqual([0, 0, 0]);
    expect([out.depth!.data[middle], out.masks!.data[middle]]).toEqual([0, 0]);
    expect(out.captions).toEqual(["This is a hall. A mug is blue.", "It is noon."]);
    expect(out.receivedAtUs).toBe(7);
  });

  it("leaves the rest as it was", () => {
    const out = redacted(frame, ["person"], "drop");
    const other = at(44, 24);
    expect([...out.rgb!.data.subarray(3 * other, 3 * other + 3)]).toEqual([10, 10, 250]);
    expect(out.depth!.data[other]).toBe(frame.depth!.data[other]);
    expect(redacted(frame, ["cat"], "drop")).toEqual(frame);
    expect(frame.rgb!.data).not.toEqual(out.rgb!.data);
  });

  it("blurs beyond the mask, and keeps the depth", () => {
    // One bright stripe inside the person: a feature that must not survive.
    const data = Uint8Array.from(frame.rgb!.data);
    for (let row = 20; row < 28; row++) data.set([10, 250, 10], 3 * at(20, row));
    const out = redacted({ ...frame, rgb: { ...frame.rgb!, data } }, ["PERSON "], "blur");
    let most = 0;
    for (let n = 0; n < out.rgb!.data.length; n += 3) most = Math.max(most, out.rgb!.data[n + 1]!);
    expect(most).toBeLessThan(120);
    const edge = out.rgb!.data[3 * at(11, 24)]!;
    expect(frame.masks!.data[at(11, 24)]).toBe(0);
    expect(edge).not.toBe(frame.rgb!.data[3 * at(11, 24)]);
    expect(out.depth).toBe(frame.depth);
    expect(out.detections!).toHaveLength(1);
  });

  it("hides the whole box when there is no mask", () => {
    const { masks: _masks, ...boxed } = frame;
    const out = redacted(boxed, ["person"], "drop");
    expect(redPixels(out.rgb!.data)).toBe(0);
  });

  it("hides in colour that is finer than the masks", () => {
    const fine = new Uint8Array(128 * 96 * 3);
    for (let row = 0; row < 96; row++) {
      for (let column = 0; column < 128; column++) {
        const from = 3 * at(column >> 1, row >> 1);
        fine.set(frame.rgb!.data.subarray(from, from + 3), 3 * (row * 128 + column));
      }
    }
    const out = redacted({ ...frame, rgb: { width: 128, height: 96, data: fine } }, ["person"], "drop");
    expect(redPixels(out.rgb!.data)).toBe(0);
  });
});
