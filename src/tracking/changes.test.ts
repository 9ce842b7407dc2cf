import { describe, expect, it } from "vitest";
import { type Vec3, vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { AbsenceEvidence } from "./absence-evidence.ts";
import type { RecordInputOf } from "./journal.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { BACKGROUND, look, type ToyLook, type ToyThing, thing } from "./toy-room.ts";
import { Tracker, type TrackerStep } from "./tracker.ts";

const EMPTY = {
  search: async () => ({ hits: [] }),
  get: async () => [],
  presence: async () => [],
} as unknown as MemoryReader;

const TABLE = thing("table", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" });
const SOFA = thing("sofa", "sofa", [5, 0.7, 0.4], [0.7, 1, 0.8], { colour: "grey" });
const MUG = thing("mug", "mug", [3, 0.2, 0.9], [0.2, 0.2, 0.2], { colour: "red" });
const EMPTY_TABLE = [TABLE, SOFA];
const WITH_MUG = [...EMPTY_TABLE, MUG];
const AROUND: readonly Vec3[] = [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].map((y) => vec3(1 + y * y * 0.2, y, 1.6));

/** A tracker that is shown one room after another, half a second a frame. */
async function watching() {
  const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
  const records = new Map<string, TrackerStep["records"][number]>();
  let timeS = 0;
  const take = ({ records: news }: TrackerStep) => {
    for (const record of news) records.set(record.id, record);
  };
  return {
    async see(things: readonly ToyThing[], options: Partial<ToyLook> & { eyes?: readonly Vec3[] } = {}) {
      const { eyes = AROUND, ...rest } = options;
      for (const from of eyes) {
        timeS += 0.5;
        take(await tracker.observe(look({ timeS, from, at: vec3(3, 0, 0.7), things, ...rest })));
      }
      timeS += 20;
    },
    of<K extends "state" | "event">(kind: K): RecordInputOf<K>[] {
      return [...records.values()].filter((record) => record.kind === kind) as RecordInputOf<K>[];
    },
  };
}

describe("what moved, what is gone", () => {
  it("knows that a thing is gone when another stands in its place", async () => {
    const room = await watching();
    await room.see(WITH_MUG);
    const jar = { ...MUG, id: "jar", category: "jar", attributes: { colour: "green" } };
    await room.see([...EMPTY_TABLE, jar]);
    await room.see([...EMPTY_TABLE, jar]);
    const [mug] = room.of("state").filter(({ category }) => category === "mug");
    expect(mug!.validToUs).not.toBeNull();
    const gone = room.of("event").filter(({ type }) => type === "disappear");
    expect(gone.map(({ detail }) => detail?.["outcome"])).toEqual(["replaced"]);
    const [other] = room.of("state").filter(({ category }) => category === "jar");
    expect(other!.validToUs).toBeNull();
  });

  it("says that a thing is back, and not that it was moved", async () => {
    const room = await watching();
    await room.see(WITH_MUG);
    await room.see(EMPTY_TABLE);
    await room.see(WITH_MUG);
    const events = room.of("event").filter(({ type }) => type !== "disappear");
    expect(events.filter(({ type }) => type === "move")).toEqual([]);
    expect(JSON.stringify(events)).toContain("is back");
  });

  it("takes no evidence from afar", async () => {
    const room = await watching();
    await room.see(WITH_MUG);
    const far = AROUND.map(({ y }) => vec3(-3, y, 1.6));
    await room.see(EMPTY_TABLE, { eyes: far });
    expect(room.of("event").filter(({ type }) => type === "disappear")).toEqual([]);
    await room.see(EMPTY_TABLE);
    expect(room.of("event").filter(({ type }) => type === "disappear")).toHaveLength(1);
  });
});

describe("AbsenceEvidence", () => {
  const { presence } = DEFAULT_SETTINGS;
  const sides = [vec3(1, 0, 0), vec3(0, 1, 0)];
  const vote = (n: number, says: "absent" | "present", missedOdds = 0) => ({
    timeUs: n * 500_000,
    direction: sides[n % 2]!,
    says,
    missedOdds,
  });

  it("wants three frames over a second from two sides", () => {
    const evidence = new AbsenceEvidence();
    for (const n of [0, 1]) evidence.add(vote(n, "absent"));
    expect(evidence.confirmedUs(presence, 1)).toBeUndefined();
    evidence.add(vote(2, "absent"));
    expect(evidence.confirmedUs(presence, 1)).toBe(0);
    evidence.clear(2_000_000);
    expect([evidence.looksSince(0), evidence.looksSince(3_000_000)]).toEqual([1, 0]);
    expect(evidence.confirmedUs(presence, 1)).toBeUndefined();
  });

  it("is outweighed by frames that found something there", () => {
    const evidence = new AbsenceEvidence();
    for (const n of [0, 1, 2]) evidence.add(vote(n, "present"));
    for (const n of [3, 4, 5]) evidence.add(vote(n, "absent"));
    expect(evidence.confirmedUs(presence, 1)).toBeUndefined();
  });

  it("believes a detector that fails to report only when it is very unlikely to", () => {
    const evidence = new AbsenceEvidence();
    // From two sides: the first look from each counts in full, every further one by half.
    for (let n = 0; n < 11; n++) evidence.add(vote(n, "present", 1));
    expect(evidence.confirmedUs(presence, 1)).toBeUndefined();
    evidence.add(vote(11, "present", 1));
    expect(evidence.confirmedUs(presence, 1)).toBe(11 * 500_000);
  });
});
