import { describe, expect, it } from "vitest";
import { type Vec3, vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { SightingInput } from "../../schema/index.ts";
import { BACKGROUND, look, type ToyThing, thing } from "../testing/toy-room.ts";
import { Tracker, type TrackerStep } from "../tracker.ts";

const EMPTY = {
  search: async () => ({ hits: [] }),
  get: async () => [],
  presence: async () => [],
} as unknown as MemoryReader;

const TABLE = thing("table", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" });
/** Too flat for depth to separate it from the table: only detections show that it is there. */
const PLATE = thing("plate", "plate", [3, 0.2, 0.8125], [0.3, 0.3, 0.025], { colour: "red" });
/** A whole circle: enough sides to decide that an unreported thing is gone. */
const AROUND: readonly Vec3[] = Array.from({ length: 24 }, (_, n) => {
  const angle = (n / 24) * 2 * Math.PI;
  return vec3(3 + 2 * Math.cos(angle), 2 * Math.sin(angle), 1.6);
});

/** Observes the room from all around; `how` sets the detector's result for the plate in a frame. */
async function tour(
  tracker: Tracker,
  fromS: number,
  how: "sure" | "faint" | "unreported" | ((n: number) => "sure" | "faint" | "unreported"),
): Promise<{ steps: TrackerStep[]; sightings: SightingInput[] }> {
  const steps: TrackerStep[] = [];
  const things: readonly ToyThing[] = [TABLE, PLATE];
  for (const [n, from] of AROUND.entries()) {
    const said = typeof how === "string" ? how : how(n);
    const unreported = said === "unreported" ? ["plate"] : [];
    const percept = look({ timeS: fromS + n, from, at: vec3(3, 0, 0.7), things, unreported });
    const detections = percept.detections.map((one) =>
      said === "faint" && one.category === "plate" ? { ...one, faint: true } : one,
    );
    steps.push(await tracker.observe({ ...percept, detections }));
  }
  return { steps, sightings: steps.flatMap(({ sightings }) => sightings) };
}

const open = () => Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
const plates = (tracker: Tracker) => [...tracker.things()].filter(({ category }) => category === "plate");

describe("faint looks", () => {
  it("make nothing known, however many they are", async () => {
    const tracker = await open();
    const { steps } = await tour(tracker, 0, "faint");
    expect([...tracker.things()].map(({ category }) => category)).toEqual(["table"]);
    expect(steps.every(({ tracked }) => tracked.stateOf.filter((id) => id !== undefined).length <= 1)).toBe(
      true,
    );
  });

  it("keep what is known from being taken for gone, where silence would not", async () => {
    const silent = await open();
    await tour(silent, 0, "sure");
    await tour(silent, 100, "unreported");
    expect(plates(silent)).toEqual([]);

    const tracker = await open();
    await tour(tracker, 0, "sure");
    const [before] = plates(tracker);
    const { sightings } = await tour(tracker, 100, (n) => (n % 3 === 0 ? "faint" : "unreported"));
    expect(plates(tracker)).toEqual([before]);
    const seen = sightings.filter(
      ({ stateId, outcome }) => stateId === before!.stateId && outcome === "seen",
    );
    expect(seen.length).toBeGreaterThanOrEqual(6);
  });

  it("under another name are nothing", async () => {
    const tracker = await open();
    await tour(tracker, 0, "sure");
    const percept = look({
      timeS: 100,
      from: AROUND[0]!,
      at: vec3(3, 0, 0.7),
      things: [TABLE, PLATE],
      misread: { plate: { category: "lamp" } },
    });
    const detections = percept.detections.map((one) =>
      one.category === "lamp" ? { ...one, faint: true } : one,
    );
    const { tracked } = await tracker.observe({ ...percept, detections });
    expect(tracked.stateOf[detections.findIndex(({ category }) => category === "lamp")]).toBeUndefined();
  });
});
