import { expect, it } from "vitest";
import type { SceneMap } from "../map/index.ts";
import { navGoalOf } from "./nav-goal.ts";
import type { Said } from "./say/said.ts";

const map = {
  nearestReachable: ({ x, y }: { x: number; y: number }) => ({ x: x + 0.1, y, z: 0 }),
  path: () => ({ lengthM: 3 }),
} as unknown as SceneMap;
const room: Said = {
  status: "answered",
  type: "text",
  text: "the kitchen",
  evidence: [],
  goalPlace: { x: 2, y: 2, z: 0 },
};

it("leads into a room that was asked for", async () => {
  const pose = {
    agentId: "robot",
    timeUs: 0,
    position: { x: 0, y: 2, z: 0 },
    yawRad: 0,
    observationId: "o",
  };
  expect(await navGoalOf(room, pose, async () => map)).toMatchObject({
    position: { x: 2.1, y: 2, z: 0 },
    yawRad: 0,
    reachable: true,
    pathM: 3,
  });
});

it("leads into a place that a person named, not to where it is seen from", async () => {
  const position = { x: 5, y: 1, z: 0 };
  const box = { min: position, max: { x: 6, y: 2, z: 2 } };
  const goal = { position, box, trackId: "dock", spot: { id: "dock" } } as unknown as NonNullable<
    Said["goal"]
  >;
  const { goalPlace: _, ...said } = room;
  expect(await navGoalOf({ ...said, goal }, undefined, async () => map)).toMatchObject({
    position: { x: 5.1, y: 1, z: 0 },
  });
});

it("leads nowhere without a map, a place or an answer", async () => {
  expect(await navGoalOf(room, undefined, undefined)).toBeUndefined();
  expect(await navGoalOf({ ...room, status: "not-seen" }, undefined, async () => map)).toBeUndefined();
  const { goalPlace: _, ...placeless } = room;
  expect(await navGoalOf(placeless, undefined, async () => map)).toBeUndefined();
});
