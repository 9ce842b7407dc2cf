import { describe, expect, it } from "vitest";
import { type Vec3, vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordInputOf } from "../records/journal.ts";
import { BACKGROUND, look, type ToyThing, thing } from "../testing/toy-room.ts";
import { Tracker, type TrackerStep } from "../tracker.ts";

const EMPTY = {
  search: async () => ({ hits: [] }),
  get: async () => [],
  presence: async () => [],
} as unknown as MemoryReader;

const HERE = thing("here", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" });
const THERE = thing("there", "desk", [-3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "black" });
const SHELF = thing("shelf", "bench", [-5, 0.7, 0.4], [0.7, 1, 0.8], { colour: "grey" });
const SOFA = thing("sofa", "sofa", [5, 0.7, 0.4], [0.7, 1, 0.8], { colour: "grey" });
const ROOM = [HERE, THERE, SHELF, SOFA];
const cup = (id: string, x: number, colour = "red", category = "cup") =>
  thing(id, category, [x, 0.2, 0.9], [0.2, 0.2, 0.2], { colour });
const SIDES = [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2];

/** Observations of one of the two tables, some time after the last one. */
async function watching() {
  const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
  const records = new Map<string, TrackerStep["records"][number]>();
  let timeS = 0;
  return {
    async see(side: "here" | "there", things: readonly ToyThing[]) {
      const sign = side === "here" ? 1 : -1;
      timeS += 30;
      for (const y of SIDES) {
        timeS += 0.5;
        const from: Vec3 = vec3(sign * (1 + y * y * 0.2), y, 1.6);
        const percept = look({ timeS, from, at: vec3(sign * 3, 0, 0.7), things: [...ROOM, ...things] });
        for (const record of (await tracker.observe(percept)).records) records.set(record.id, record);
      }
    },
    cups(category = "cup"): RecordInputOf<"state">[] {
      return [...records.values()].filter(
        (record) => record.kind === "state" && record.category === category,
      ) as RecordInputOf<"state">[];
    },
    /** The final track of each stay. */
    trackOf(state: RecordInputOf<"state">): string {
      let at = state.trackId;
      for (;;) {
        const record = records.get(at);
        if (record?.kind !== "track" || record.mergedInto === undefined) return at;
        at = record.mergedInto;
      }
    },
  };
}

describe("a thing whose old place nobody has seen again", () => {
  it("is taken for the only one like it where none had been", async () => {
    const room = await watching();
    await room.see("there", []);
    await room.see("there", []);
    await room.see("here", [cup("a", 3)]);
    await room.see("there", [cup("a", -3)]);
    const [old, now] = room.cups();
    expect(now!.movedFrom?.stateId).toBe(old!.id);
    expect(now!.movedFrom?.p).toBeLessThan(0.96);
    expect(old!.validToUs).not.toBeNull();
    expect(room.trackOf(now!)).toBe(room.trackOf(old!));
  });

  it("is nobody's where nothing has a name: two white things are two", async () => {
    const room = await watching();
    await room.see("there", []);
    await room.see("there", []);
    await room.see("here", [cup("a", 3, "white", "thing")]);
    await room.see("there", [cup("b", -3, "white", "thing")]);
    const [old, now] = room.cups("thing");
    expect(now!.movedFrom).toBeUndefined();
    expect(old!.validToUs).toBeNull();
  });

  it.each([
    ["cup", true],
    ["thing", false],
  ])("is %s elsewhere after it was seen to have gone: the same one, %s", async (category, isSame) => {
    const room = await watching();
    await room.see("there", []);
    for (let n = 0; n < 2; n++) await room.see("here", [cup("a", 3, "white", category)]);
    for (let n = 0; n < 2; n++) await room.see("here", []);
    await room.see("there", [cup("b", -3, "white", category)]);
    const [old, now] = room.cups(category);
    expect(old!.validToUs).not.toBeNull();
    expect(now!.movedFrom?.stateId === old!.id).toBe(isSame);
  });

  it("is another after all when the first is seen where it was, which then never left", async () => {
    const room = await watching();
    await room.see("there", []);
    await room.see("there", []);
    await room.see("here", [cup("a", 3)]);
    await room.see("there", [cup("b", -3)]);
    await room.see("here", [cup("a", 3), cup("b", -3)]);
    const [old, now] = room.cups();
    expect([old!.validToUs, now!.validToUs]).toEqual([null, null]);
    expect(now!.movedFrom).toBeUndefined();
    expect(room.trackOf(now!)).not.toBe(room.trackOf(old!));
  });

  it.each([
    ["its place may have held it all the while", false, [cup("a", 3)]],
    ["it might be either of two", true, [cup("a", 2.8), cup("c", 3.4)]],
    ["the known one is of another colour", true, [cup("a", 3, "blue")]],
  ])("stays another one where %s", async (_, isPlaceKnown, before) => {
    const room = await watching();
    for (const _ of isPlaceKnown ? [1, 2] : []) await room.see("there", []);
    await room.see("here", before);
    await room.see("there", [cup("b", -3)]);
    expect(room.cups().filter(({ movedFrom }) => movedFrom)).toEqual([]);
    expect(room.cups().filter(({ validToUs }) => validToUs !== null)).toEqual([]);
  });
});
