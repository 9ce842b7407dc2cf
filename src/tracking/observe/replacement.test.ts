import { describe, expect, it } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordInput } from "../../schema/core.ts";
import type { Candidate } from "../state/frame.ts";
import { detectionOf, frameOf, KnownScene } from "../testing/known-scene.ts";
import { BACKGROUND, look, thing } from "../testing/toy-room.ts";
import { Tracker } from "../tracker.ts";
import { isReplaced, replace } from "./replacement.ts";

const percept = (timeS: number) =>
  look({
    timeS,
    from: vec3(0, 0, 1),
    at: vec3(2, 0, 0.5),
    things: [thing("v", "vase", [2, 0, 0.5], [0.3, 0.3, 0.6])],
  });

/** Whether a run of observations of a red vase's place, one every two seconds, ends in another vase. */
function run(known: KnownScene, colours: readonly string[], size = 0.6, part?: number): number | undefined {
  const vase = known.thing("vase", "vase", [2, 0, 0.5], [0.3, 0.3, size], { lastUs: 1 });
  for (const [n, colour] of colours.entries()) {
    const seen = percept(100 + 2 * n);
    const { solid } = frameOf(seen).candidates[0]!;
    const detection = { ...detectionOf("vase", colour), part };
    const candidate = { index: 0, detection, solid } as Candidate;
    if (n === 0) known.scene.mapParts.note({ ...seen, detections: [detection] }, new Map([[vase, 0]]));
    if (!isReplaced(known.scene, vase, candidate, seen)) continue;
    const other = replace(known.scene, vase, candidate, seen, known.journal);
    expect(vase.identity.endedUs).toBeDefined();
    expect(vase.words.attributes.get("colour")?.best()).toBe("red");
    expect(other.doubts.cameAfterUs).toBe(vase.evidence.lastSeenUs);
    return n + 1;
  }
  return undefined;
}

describe("a twin in a thing's place", () => {
  it("is believed after three looks that agree, and not after a misread one", () => {
    expect(run(new KnownScene(), ["blue", "blue", "blue", "blue"])).toBe(3);
    expect(run(new KnownScene(), ["blue", "red", "blue", "red"])).toBeUndefined();
  });

  it("is none where it is the same thing of a map, whose words differ from cut to cut", () => {
    expect(run(new KnownScene(), ["blue", "blue", "blue", "blue"], 0.6, 7)).toBeUndefined();
  });

  it("is believed although one of its looks was misread", () => {
    expect(run(new KnownScene(), ["blue", "blue", "green", "blue"])).toBe(4);
  });

  it("is believed when its looks say too much against the old one to be matched with it", async () => {
    const { records, seen } = await lookedAt([...Array(6).fill(RED), ...Array(6).fill(BLUE)]);
    const cups = records.filter((record) => record.kind === "state" && record.category === "cup");
    expect(cups.map(({ validToUs }) => validToUs === null)).toEqual([false, true]);
    // An observation is written once its thing is decided, for one of the two alone.
    expect(seen.get(cups[0]!.id)).toBe(6);
    expect(seen.get(cups[1]!.id)).toBe(6);
  });

  it("takes its looks along, however long they lay apart", async () => {
    const { records, seen } = await lookedAt([...Array(6).fill(RED), ...Array(3).fill(GREEN)], 20);
    const cups = records.filter((record) => record.kind === "state" && record.category === "cup");
    expect(cups.map(({ validToUs }) => validToUs === null)).toEqual([false, true]);
    expect(seen.get(cups[1]!.id)).toBe(3);
  });

  it("is not believed of what nobody carries", () => {
    expect(run(new KnownScene(), ["blue", "blue", "blue", "blue"], 1.5)).toBeUndefined();
  });
});

const TABLE = thing("table", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" });
const cup = (id: string, attributes: Readonly<Record<string, string>>) =>
  thing(id, "cup", [3, 0.1, 0.9], [0.2, 0.2, 0.2], { material: "clay", ...attributes });
const RED = cup("red", { colour: "red", shape: "round", pattern: "plain" });
const BLUE = cup("blue", { colour: "blue", shape: "square", pattern: "striped" });
const GREEN = cup("green", { colour: "green", shape: "round", pattern: "plain" });

/** The records of a table and of one cup after another in the same place, and how often each state was seen. */
async function lookedAt(cups: readonly ReturnType<typeof cup>[], apartS = 2) {
  const reader = { search: async () => ({ hits: [] }) } as unknown as MemoryReader;
  const tracker = await Tracker.open(reader, { sceneId: "toy", background: BACKGROUND });
  const records = new Map<string, RecordInput>();
  const seen = new Map<string, number>();
  const steps = cups.flatMap((one, n) => {
    const timeS = apartS * n;
    const from = vec3(1, (n % 3) - 1, 1.6);
    const there = look({ timeS, from, at: vec3(3, 0, 0.7), things: [TABLE, one] });
    // Looking away in between ends a run of observations.
    const away = look({ timeS: timeS + apartS / 2, from, at: vec3(-3, 0, 0.7), things: [TABLE, one] });
    return [there, away];
  });
  for (const percept of [...steps, undefined]) {
    const step = percept ? await tracker.observe(percept) : await tracker.finish(steps.at(-1)!.timeUs);
    for (const record of step.records) records.set(record.id, record);
    for (const { stateId, outcome } of step.sightings)
      if (outcome === "seen") seen.set(stateId, (seen.get(stateId) ?? 0) + 1);
  }
  return { records: [...records.values()], seen };
}
