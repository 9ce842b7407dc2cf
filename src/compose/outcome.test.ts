import { expect, test } from "vitest";
import type { SourcePlan, SourceStream } from "../sensors/index.ts";
import { outcomeOf } from "./outcome.ts";

const plan = (uses: readonly SourceStream["use"][], more: Partial<SourcePlan> = {}): SourcePlan => ({
  path: "room",
  format: "images",
  streams: uses.map((use) => ({ name: use, type: "image files", count: 90, rateHz: 1, use })),
  frames: 90,
  captions: 0,
  graphs: 0,
  startUs: 0,
  endUs: 90e6,
  poses: uses.includes("poses") ? { from: "poses.txt", count: 90 } : null,
  conventions: [],
  missing: [],
  ...more,
});

test.each([
  [["colour", "depth", "poses"], "eyes", "recorded", "Things with places, rooms and ways between them."],
  [
    ["colour", "depth"],
    "eyes",
    "icp",
    "Things with places, rooms and ways between them, in a map of its own that drifts.",
  ],
  [["colour", "depth", "poses"], "none", "recorded", "Surfaces, rooms and ways between them."],
  [
    ["colour", "poses"],
    "none",
    "recorded",
    "Pictures that know where the camera stood, with no things (no detector is chosen) in them; nothing else has a place, because there is no depth.",
  ],
  [
    ["colour"],
    "coco",
    "none",
    "Pictures and what is seen in them, found by text and time; nothing has a place, because there are no poses.",
  ],
] as const)("of %j with %s and poses %s", (uses, detector, odometry, said) => {
  expect(outcomeOf(plan(uses), { detector, odometry })).toBe(said);
});

test("tells of wrong places and of long work, and nothing where only reading tells", () => {
  const given = { detector: "eyes", odometry: "recorded" };
  const misfit = plan(["colour", "depth", "poses"], { isMisfit: true, frames: 10_000 });
  expect(outcomeOf(misfit, given)).toMatch(
    /wrong places until .* fit each other .*; after some 42 minutes on two cores\.$/,
  );
  expect(outcomeOf(plan(["frames"], { format: "folder" }), given)).toBeUndefined();
  expect(outcomeOf(plan([], { frames: 0, captions: 4 }), given)).toBe(
    "What is told, found by text, time and place.",
  );
});
