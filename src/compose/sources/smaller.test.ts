import { expect, it } from "vitest";
import type { Frame } from "../../sensors/index.ts";
import { smallerFrame } from "./smaller.ts";

it("a frame made smaller shows the same directions, with colours averaged and depths as they were", () => {
  const [width, height] = [8, 4];
  const frame: Frame = {
    index: 0,
    timeUs: 1,
    agentId: "robot",
    sensorId: "camera",
    mapFrame: "world",
    intrinsics: { fx: 8, fy: 8, cx: 4, cy: 2, width, height },
    rgb: {
      width,
      height,
      data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i % 2 ? 100 : 50)),
    },
    depth: {
      width,
      height,
      unitM: 0.001,
      data: Uint16Array.from({ length: width * height }, (_, i) => 1_000 + i),
    },
    detections: [{ bbox: [2, 0, 7, 4], score: 1, label: "cup" }],
  };
  const small = smallerFrame(frame, 4);
  expect(small.intrinsics).toEqual({ fx: 4, fy: 4, cx: 2, cy: 1, width: 4, height: 2 });
  expect([...small.rgb!.data]).toEqual(Array(4 * 2 * 3).fill(75));
  expect(small.depth).toMatchObject({ width: 4, height: 2, unitM: 0.001 });
  expect([...small.depth!.data].every((value) => frame.depth!.data.includes(value))).toBe(true);
  expect(small.detections![0]!.bbox).toEqual([1, 0, 4, 2]);
  expect(smallerFrame(frame, 8)).toBe(frame);
});
