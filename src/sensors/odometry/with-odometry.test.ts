import { expect, test } from "vitest";
import { fromAxisAngle, IDENTITY } from "../../geometry/index.ts";
import type { Slam } from "../../schema/index.ts";
import type { RecordingReader } from "../recording.ts";
import { withOdometry } from "./with-odometry.ts";

test("frames without a pose get one in a map of their own, level at the start; others stay as they are", async () => {
  const intrinsics = { fx: 36, fy: 36, cx: 48, cy: 36, width: 96, height: 72 };
  const frames = [0, 1, 2].map((index) => ({
    index,
    timeUs: index,
    agentId: "r",
    sensorId: "eye",
    intrinsics,
    mapFrame: "world",
  }));
  const known = { ...frames[0]!, worldFromCamera: IDENTITY };
  const reader: RecordingReader = {
    format: "images",
    info: { version: 1, frames: 4, edges: 0, startUs: 0, endUs: 2, agents: ["r"], source: "" },
    async *items() {
      yield { kind: "frame", frame: known };
      for (const frame of frames) yield { kind: "frame", frame };
    },
    close: async () => {},
  };
  // Moves along its optical axis by six centimetres per frame, and loses track in the third.
  const ahead: Slam = {
    track: async ({ timeUs }) => ({
      originFromCamera: {
        p: { x: 0, y: 0, z: 0.06 * timeUs },
        q: fromAxisAngle({ x: 0, y: 1, z: 0 }, 0),
      },
      covariance: new Float64Array(36),
      isTracked: timeUs < 2,
    }),
  };
  const seen = [];
  for await (const item of withOdometry(reader, () => ahead).items())
    if (item.kind === "frame") seen.push(item.frame);
  expect(seen[0]).toBe(known);
  expect(seen[1]).toMatchObject({ mapFrame: "r.eye.odom", worldFromCamera: { p: { x: 0, y: 0, z: 0 } } });
  expect(seen[2]!.worldFromCamera!.p.x).toBeCloseTo(0.06, 6);
  expect(seen[3]!.worldFromCamera).toBeUndefined();
});
