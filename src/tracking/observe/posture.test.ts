import { expect, it } from "vitest";
import { boxFromCentre, vec3 } from "../../geometry/index.ts";
import type { Candidate } from "../state/frame.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { postureIn } from "./posture.ts";

const SOFA = {
  isConfirmed: true,
  words: { category: "sofa" },
  worldBox: boxFromCentre(vec3(5, 0.7, 0.4), vec3(0.7, 1, 0.8)),
};
const SCENE = { things: { near: () => [SOFA] } } as unknown as Scene;
const ANNA = { type: "person", words: { category: "person" } } as unknown as Thing;

function look(x: number, z: number, heightM: number, truncated = false): Candidate {
  const centroid = vec3(x, 0.7, z);
  const box = boxFromCentre(centroid, vec3(0.4, 0.4, heightM));
  return { detection: { truncated }, solid: { centroid, box } } as unknown as Candidate;
}

it("says that who is over a seat and lower than people stand sits, and that others stand", () => {
  expect(postureIn(SCENE, ANNA, look(5, 0.95, 0.9))).toBe("sitting");
  expect(postureIn(SCENE, ANNA, look(5, 1.3, 0.9))).toBe("standing");
  expect(postureIn(SCENE, ANNA, look(4, 0.95, 0.9))).toBe("standing");
});

it("says nothing of what the image cuts off, nor of things", () => {
  expect(postureIn(SCENE, ANNA, look(5, 0.95, 0.9, true))).toBeUndefined();
  const mug = { type: "object", words: { category: "mug" } } as unknown as Thing;
  expect(postureIn(SCENE, mug, look(5, 0.95, 0.1))).toBeUndefined();
});
