import { describe, expect, it } from "vitest";
import { FrameGraph, fromEuler, fromYaw } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { inWorld, poseAt } from "./poses.ts";

const TURNED = { p: { x: 10, y: 0, z: 1 }, q: fromYaw(Math.PI / 2) };
const frames = new FrameGraph([
  { parent: "world", child: "piece", kind: "submap", revision: 1, stampUs: null, transform: TURNED },
]);

describe("anchored points and poses in the world", () => {
  it("go through the frame they are anchored in", () => {
    const { x, y, z } = inWorld(frames, { submap: "piece", p: { x: 2, y: 0, z: 0.5 } })!;
    expect([x, y, z].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([10, 2, 1.5]);
    expect(inWorld(frames, { submap: "world", p: { x: 1, y: 2, z: 3 } })).toEqual({ x: 1, y: 2, z: 3 });
  });

  it("are unknown where the frame hangs in the air", () => {
    expect(inWorld(frames, { submap: "nowhere", p: { x: 0, y: 0, z: 0 } })).toBeUndefined();
  });

  it("look where the camera looks: along its own z, turned with its piece of map", async () => {
    // A camera that looks along x of its submap: its z is forward, its y down.
    const q = fromEuler(-Math.PI / 2, 0, -Math.PI / 2);
    const record = {
      id: "look",
      author: "robot",
      validFromUs: 5,
      anchor: { submap: "piece", p: { x: 0, y: 0, z: 0 }, q },
    };
    const memory = {
      options: { reader: { frames: async () => frames } },
      search: async (_: SearchRequest) => [{ record, position: TURNED.p }] as unknown as Hit[],
    };
    const pose = await poseAt(memory, 0);
    expect(pose?.position).toEqual(TURNED.p);
    expect(pose?.yawRad).toBeCloseTo(Math.PI / 2, 6);
  });
});
