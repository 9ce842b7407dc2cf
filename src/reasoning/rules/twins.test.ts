import { expect, it } from "vitest";
import { boxFromCentre } from "../../geometry/index.ts";
import type { Recall } from "../recall/recall.ts";
import type { Thing } from "../recall/thing.ts";
import { apart } from "./twins.ts";

const SIDE_M = 0.5;
const pillow = (id: string, x: number): Thing => ({
  state: { id } as Thing["state"],
  trackId: `track-${id}`,
  name: "pillow",
  category: "pillow",
  position: { x, y: 0, z: 0 },
  box: boxFromCentre({ x, y: 0, z: 0 }, { x: SIDE_M, y: SIDE_M, z: SIDE_M }),
  worldFromSubmap: undefined,
  roomId: undefined,
  fit: 1,
});

/** When each was seen, in seconds. */
const seen = (looks: Readonly<Record<string, readonly number[]>>): Recall => {
  const reader = {
    sightings: async ({ stateIds }: { stateIds: readonly string[] }) =>
      stateIds.flatMap((stateId) => (looks[stateId] ?? []).map((s) => ({ stateId, timeUs: s * 1e6 }))),
  };
  return { options: { reader } } as unknown as Recall;
};
const kept = async (things: readonly Thing[], recall: Recall) =>
  (await apart(things, recall)).map(({ state }) => state.id);

it("takes two at one place for one thing that was seen twice", async () => {
  const two = [pillow("a", 0), pillow("b", 0.2)];
  expect(await kept(two, seen({ a: [1], b: [2] }))).toEqual(["a"]);
});

it("knows two that were seen at one moment for two, unless they fill the same place", async () => {
  const together = seen({ a: [1, 5], b: [5] });
  expect(await kept([pillow("a", 0), pillow("b", 0.2)], together)).toEqual(["a", "b"]);
  expect(await kept([pillow("a", 0), pillow("b", 0.05)], together)).toEqual(["a"]);
});

it("leaves alone what stands apart", async () => {
  expect(await kept([pillow("a", 0), pillow("b", 1)], seen({}))).toEqual(["a", "b"]);
});
