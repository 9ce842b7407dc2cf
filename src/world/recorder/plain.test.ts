import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distance } from "../../geometry/index.ts";
import { describeSource, type Frame, framesOf, openRecording, type SourcePlan } from "../../sensors/index.ts";
import { recordHouse } from "./index.ts";
import { PLAIN_FOV_DEG, PLAIN_TILT_DEG } from "./plain.ts";

let folder: string;
let plan: SourcePlan;
let plain: Frame[];
let straight: Frame[];
const same = {
  family: "house",
  ...{ seed: 5, minutes: 0.05, fps: 2, size: "160x120", rooms: 4, objects: 60 },
  ...{ horizontalFovDeg: PLAIN_FOV_DEG, tiltDeg: PLAIN_TILT_DEG, workers: 0 },
} as const;

async function framesAt(path: string): Promise<Frame[]> {
  const reader = await openRecording(path);
  const frames: Frame[] = [];
  for await (const frame of framesOf(reader)) frames.push(frame);
  await reader.close();
  return frames;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-plain-"));
  await recordHouse({ ...same, format: "mcap", plain: true, out: join(folder, "plain") });
  await recordHouse({ ...same, out: join(folder, "straight") });
  plan = await describeSource(join(folder, "plain"));
  plain = await framesAt(join(folder, "plain"));
  straight = await framesAt(join(folder, "straight"));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("its streams are a RealSense's and a robot's, and nothing in it was told by the simulator", () => {
  expect(plan.streams.map(({ name }) => name)).toEqual([
    "/camera/aligned_depth_to_color/camera_info",
    "/camera/aligned_depth_to_color/image_raw",
    "/camera/color/camera_info",
    "/camera/color/image_raw/compressed",
    "/odom",
    "/tf",
    "/tf_static",
  ]);
  expect(plan).toMatchObject({ missing: [], poses: { from: "TF from map to camera_color_optical_frame" } });
  expect(plan.conventions.join(" ")).toMatch(/lens distortion of .* is removed \(plumb_bob\)/);
  for (const { masks, detections, captions } of plain)
    expect([masks, detections, captions]).toEqual([undefined, undefined, undefined]);
});

test("read again, it is the same house from the same places: poses to 5 mm, depths to a pixel's neighbour", () => {
  expect(plain).toHaveLength(straight.length);
  expect(plain.length).toBeGreaterThan(4);
  for (const [i, frame] of plain.entries()) {
    const truth = straight[i]!;
    expect(Math.abs(frame.timeUs - truth.timeUs)).toBeLessThanOrEqual(2_000);
    expect(distance(frame.worldFromCamera!.p, truth.worldFromCamera!.p)).toBeLessThan(0.005);
    expect(frame.intrinsics.fx).toBeCloseTo(truth.intrinsics.fx, 6);
    const { width, height } = truth.intrinsics;
    let [seen, agreeing] = [0, 0];
    for (let y = 1; y < height - 1; y++)
      for (let x = 1; x < width - 1; x++) {
        const mm = frame.depth!.data[y * width + x]!;
        if (mm === 0) continue;
        seen++;
        // Two roundings to the nearest pixel: one of the neighbours has this depth, to one per cent.
        const near = [-1, 0, 1].flatMap((dy) =>
          [-1, 0, 1].map((dx) => truth.depth!.data[(y + dy) * width + x + dx]!),
        );
        if (near.some((other) => Math.abs(other - mm) <= 0.01 * mm + 2)) agreeing++;
      }
    expect(seen).toBeGreaterThan(0.9 * width * height);
    expect(agreeing / seen).toBeGreaterThan(0.99);
  }
});

test("only one robot's bag can be plain, and only as MCAP", async () => {
  await expect(recordHouse({ ...same, plain: true, out: join(folder, "no") })).rejects.toThrow(
    /--format mcap --agents 1/,
  );
});
