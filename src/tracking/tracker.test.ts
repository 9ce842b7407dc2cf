import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transform, Vec3 } from "../geometry/index.ts";
import { apply, distance, IDENTITY, vec3 } from "../geometry/index.ts";
import { type MemoryReader, SqliteEngine } from "../memory/index.ts";
import {
  LociError,
  type Percept,
  recordSchema,
  type SightingInput,
  sightingSchema,
} from "../schema/index.ts";
import type { RecordInputOf } from "./records/journal.ts";
import type { Proposal } from "./state/adjudicator.ts";
import { BACKGROUND, drifted, look, type ToyLook, type ToyThing, thing } from "./testing/toy-room.ts";
import { Tracker, type TrackerOptions, type TrackerStep } from "./tracker.ts";

/** An empty memory: the start of most of these tests. */
const EMPTY = {
  search: async () => ({ hits: [] }),
  get: async () => [],
  presence: async () => [],
} as unknown as MemoryReader;

const open = (options: Partial<TrackerOptions> = {}) =>
  Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND, ...options });

const TABLE = thing("table", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" });
const MUG = thing("mug", "mug", [3, 0.2, 0.9], [0.2, 0.2, 0.2], { colour: "red" });
const SOFA = thing("sofa", "sofa", [5, 0.7, 0.4], [0.7, 1, 0.8], { colour: "grey" });
const SHELF = thing("shelf", "shelf", [4.8, -0.7, 0.6], [0.4, 0.7, 1.2], { colour: "white" });
const ROOM: readonly ToyThing[] = [TABLE, MUG, SOFA, SHELF];
/** Half a circle around the table, all of it in view. */
const AROUND: readonly Vec3[] = [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].map((y) => vec3(1 + y * y * 0.2, y, 1.6));

/** Runs frames and keeps the latest version of each record, as a memory would. */
class Run {
  readonly records = new Map<string, TrackerStep["records"][number]>();
  readonly sightings: SightingInput[] = [];
  readonly steps: TrackerStep[] = [];
  versions = 0;
  #timeS: number;
  readonly tracker: Tracker;

  constructor(tracker: Tracker, timeS = 0) {
    this.tracker = tracker;
    this.#timeS = timeS;
  }

  take(step: TrackerStep): TrackerStep {
    for (const record of step.records) {
      recordSchema.parse(record);
      this.records.set(record.id, record);
      this.versions++;
    }
    for (const sighting of step.sightings) sightingSchema.parse(sighting);
    this.sightings.push(...step.sightings);
    this.steps.push(step);
    return step;
  }

  async see(things: readonly ToyThing[], options: Partial<ToyLook> & { eyes?: readonly Vec3[] } = {}) {
    const { eyes = AROUND, ...rest } = options;
    for (const from of eyes) {
      this.#timeS += 0.5;
      const percept = look({ timeS: this.#timeS, from, at: vec3(3, 0, 0.7), things, ...rest });
      this.take(await this.tracker.observe(percept));
    }
  }

  async correct(places: (submap: string) => Transform | undefined) {
    this.take(await this.tracker.correct(places, this.#nowUs()));
  }

  async finish() {
    this.take(await this.tracker.finish(this.#nowUs()));
  }

  wait(seconds: number) {
    this.#timeS += seconds;
  }

  of<K extends "track" | "state" | "event">(kind: K): RecordInputOf<K>[] {
    return [...this.records.values()].filter((record) => record.kind === kind) as RecordInputOf<K>[];
  }

  tracks(category?: string) {
    return this.of("track").filter(
      (track) => track.mergedInto === undefined && (category === undefined || track.category === category),
    );
  }

  states(category: string) {
    return this.of("state").filter((state) => state.category === category);
  }

  events(type: string) {
    return this.of("event").filter((event) => event.type === type);
  }

  #nowUs(): number {
    return 1_000_000_000 + Math.round(this.#timeS * 1e6);
  }
}

const without = (id: string) => ROOM.filter((one) => one.id !== id);
const moved = (one: ToyThing, x: number, y: number, z: number): ToyThing => ({
  ...one,
  centre: vec3(x, y, z),
});

describe("Tracker", () => {
  it("makes one track of each thing, at the middle of its whole box", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    await run.see(ROOM, { eyes: [vec3(3, -1.8, 1.6), vec3(4, 0, 2.4), vec3(3.4, 1.9, 1.6)] });
    await run.finish();
    expect(
      run
        .tracks()
        .map(({ category }) => category)
        .sort(),
    ).toEqual(["mug", "shelf", "sofa", "table"]);
    for (const one of [TABLE, MUG]) {
      const [state] = run.states(one.category);
      expect(distance(state!.anchor!.p, one.centre)).toBeLessThan(0.06);
      expect(state!.extent!.x).toBeCloseTo(one.extent.x, 0);
    }
    expect(run.states("mug")[0]!.supportedBy).toBe(run.states("table")[0]!.id);
    expect(run.events("disappear")).toEqual([]);
  });

  it("writes versions at boundaries, not frames, and looks at most once a second", async () => {
    const run = new Run(await open());
    for (let round = 0; round < 5; round++) await run.see(ROOM);
    await run.finish();
    expect(run.versions).toBeLessThan(4 * 2 * 4);
    const mug = run.states("mug")[0]!.id;
    const rows = run.sightings.filter(({ stateId }) => stateId === mug);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThanOrEqual(18);
    const times = rows.map(({ timeUs }) => timeUs);
    expect(Math.min(...times)).toBe(1_000_500_000);
    expect(Math.max(...times)).toBe(1_015_000_000);
  });

  it("does not believe a detection that no other look repeats", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    await run.see([...ROOM, thing("ghost", "bottle", [3, -0.3, 0.95], [0.15, 0.15, 0.3])], {
      eyes: [AROUND[2]!],
    });
    await run.see(ROOM);
    await run.finish();
    expect(run.tracks("bottle")).toEqual([]);
  });

  it("believes what shows well in two frames from one place, and asks more of what is small", async () => {
    const believed = async (sideM: number) => {
      const run = new Run(await open());
      const vase = thing("vase", "vase", [3, 0, 0.5], [sideM, sideM, sideM]);
      await run.see([vase], { eyes: [AROUND[2]!, AROUND[2]!] });
      return run.tracks("vase").length;
    };
    expect(await believed(0.5)).toBe(1);
    expect(await believed(0.12)).toBe(0);
  });

  it("keeps twins apart over visits and drift", async () => {
    const twins = [0, 1, 2].map((n) =>
      thing(`cup-${n}`, "cup", [2.7, n * 0.25 - 0.25, 0.88], [0.12, 0.12, 0.16]),
    );
    const others = [
      thing("plant", "plant", [3.3, -0.2, 0.95], [0.2, 0.2, 0.3], { colour: "green" }),
      thing("lamp", "lamp", [3.4, 0.25, 1], [0.2, 0.2, 0.4], { colour: "yellow" }),
    ];
    const things = [...without("mug"), ...others, ...twins];
    const run = new Run(await open());
    await run.see(things, { submap: "one" });
    for (const [submap, dx, dy] of [
      ["two", 0.25, 0.1],
      ["three", -0.2, 0.2],
    ] as const) {
      run.wait(30);
      await run.see(things, { submap, worldFromSubmap: drifted(dx, dy) });
    }
    await run.finish();
    expect(run.tracks("cup")).toHaveLength(3);
    expect(run.tracks()).toHaveLength(8);
  });

  it("survives confused labels", async () => {
    const run = new Run(await open());
    for (let round = 0; round < 4; round++) {
      await run.see(ROOM, { eyes: AROUND.slice(0, 4) });
      await run.see(ROOM, { eyes: AROUND.slice(4, 5), misread: { mug: { category: "jar" } } });
    }
    await run.finish();
    expect(run.tracks("mug")).toHaveLength(1);
    expect(run.tracks("jar")).toHaveLength(0);
  });

  it("says that a thing is gone only after looking at its empty place", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    const away = AROUND.map((from) => vec3(from.x, from.y, 1.5));
    run.wait(60);
    await run.see([], { eyes: away, at: vec3(-5, 0, 0.5) });
    expect(run.events("disappear")).toEqual([]);
    await run.see(without("mug"));
    await run.finish();
    const [gone] = run.events("disappear");
    const [state] = run.states("mug");
    expect(run.events("disappear")).toHaveLength(1);
    expect(gone!.who).toEqual([state!.id]);
    expect(state!.validToUs).toBeGreaterThan(1_060_000_000);
    expect(gone!.validFromUs).toBe(1_003_000_000);
    expect(gone!.validToUs).toBe(state!.validToUs);
    expect(run.sightings.some(({ stateId, outcome }) => stateId === state!.id && outcome === "absent")).toBe(
      true,
    );
    expect(run.states("table")[0]!.validToUs).toBeNull();
  });

  it("takes no evidence from what is hidden or merely unreported for a moment", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    const screen: ToyThing = { ...thing("wall", "wall", [1.6, 0, 1], [0.1, 3, 2]), isWall: true };
    await run.see([...without("mug"), screen]);
    await run.see(ROOM, { unreported: ["mug"], eyes: AROUND.slice(0, 3) });
    expect(run.events("disappear")).toEqual([]);
    expect(run.states("mug")[0]!.validToUs).toBeNull();
  });

  it("links a thing that was moved, in whichever order it is noticed", async () => {
    const elsewhere = moved(MUG, 4.8, -0.8, 1.3);
    const atShelf = [-1.6, -1.2, -0.8, -0.5].map((y) => vec3(3.2, y, 1.9));
    for (const oldPlaceFirst of [true, false]) {
      const run = new Run(await open());
      await run.see(ROOM);
      await run.see(ROOM, { eyes: atShelf, at: SHELF.centre });
      run.wait(30);
      const things = [...without("mug"), elsewhere];
      const looks = [
        () => run.see(things),
        () => run.see(things, { eyes: atShelf, at: vec3(4.8, -0.8, 1.2) }),
      ];
      for (const one of oldPlaceFirst ? looks : looks.reverse()) await one();
      await run.finish();
      expect(run.tracks("mug")).toHaveLength(1);
      const states = run.states("mug").filter(({ validToUs, validFromUs }) => validToUs !== validFromUs + 1);
      expect(states).toHaveLength(2);
      const [before, after] = states.sort((a, b) => a.validFromUs - b.validFromUs);
      expect(before!.validToUs).not.toBeNull();
      expect(after!.movedFrom?.stateId).toBe(before!.id);
      expect(after!.trackId).toBe(before!.trackId);
      expect(run.events("move")[0]!.who).toEqual([before!.id, after!.id]);
    }
  });

  it("notices a twin of another colour in a thing's place", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    run.wait(20);
    await run.see([...without("mug"), { ...MUG, id: "other", attributes: { colour: "blue" } }]);
    await run.finish();
    const states = run.states("mug").sort((a, b) => a.validFromUs - b.validFromUs);
    expect(states.map(({ attributes }) => attributes?.["colour"]?.value)).toEqual(["red", "blue"]);
    expect(states[0]!.validToUs).not.toBeNull();
    expect(run.tracks("mug")).toHaveLength(2);
  });

  it("believes a changed state after two looks, and not after one", async () => {
    const lamp = { ...MUG, id: "lamp", category: "lamp", attributes: { power: "off" } };
    const things = [...without("mug"), lamp];
    const run = new Run(await open());
    await run.see(things);
    await run.see(things, { eyes: [AROUND[0]!], misread: { lamp: { attributes: { power: "on" } } } });
    await run.see(things);
    expect(run.events("state-change")).toEqual([]);
    await run.see([...without("mug"), { ...lamp, attributes: { power: "on" } }]);
    await run.finish();
    const [change] = run.events("state-change");
    expect(change!.detail).toEqual({ attribute: "power", from: "off", to: "on" });
    expect(run.states("lamp")[0]!.attributes?.["power"]?.value).toBe("on");
    expect(run.tracks("lamp")).toHaveLength(1);
  });

  it("follows people and never says that they vanished", async () => {
    const run = new Run(await open());
    for (let n = 0; n < 8; n++) {
      const person = thing("anna", "person", [3, -1.5 + n * 0.4, 0.9], [0.4, 0.4, 1.8], { colour: "green" });
      await run.see([SOFA, SHELF, person], { eyes: [vec3(-2, 0, 1.5)] });
    }
    await run.see([SOFA, SHELF]);
    await run.finish();
    const [track] = run.tracks("person");
    expect(track!.type).toBe("person");
    expect(run.tracks("person")).toHaveLength(1);
    const trail = run.sightings.filter(({ anchor }) => anchor !== undefined);
    expect(trail.at(-1)!.anchor!.p.y - trail[0]!.anchor!.p.y).toBeGreaterThan(2);
    expect(run.events("disappear")).toEqual([]);
    expect(run.tracker.isMover(run.states("person")[0]!.id)).toBe(true);
  });

  it("knows people by their names, however far they went and whoever stands in their place", async () => {
    const run = new Run(await open());
    const called = (name: string, x: number, y: number) =>
      thing(name, "person", [x, y, 0.9], [0.4, 0.4, 1.8], { colour: name });
    const eyes = [vec3(-2, 0, 1.5)];
    for (let n = 0; n < 4; n++) await run.see([SOFA, SHELF, called("Anna", 3, -1.5)], { eyes });
    for (let n = 0; n < 4; n++)
      await run.see([SOFA, SHELF, called("Elif", 3, -1.5), called("Anna", 3, 2)], { eyes });
    await run.finish();
    const names = run
      .tracks("person")
      .filter(({ mergedInto }) => mergedInto === undefined)
      .map(({ name }) => name);
    expect(names.sort()).toEqual(["Anna person", "Elif person"]);
  });

  it("does not look for somebody on a table top that was once called by a name", async () => {
    const run = new Run(await open());
    for (const isThere of [true, true, true, true, false]) {
      const anna = isThere
        ? thing("anna", "person", [3, 0, 0.9], [0.4, 0.4, 1.8])
        : thing("anna", "person", [3, 1.2, 0.9], [0.4, 0.4, 0.05]);
      await run.see([SOFA, SHELF, anna], { eyes: [vec3(-2, 0, 1.5)] });
    }
    await run.finish();
    const trail = run.sightings.filter(({ anchor }) => anchor !== undefined);
    expect(Math.max(...trail.map(({ anchor }) => anchor!.p.y))).toBeLessThan(0.5);
    expect(run.tracks("person")).toHaveLength(1);
  });

  it("takes looks that call somebody a thing for looks at them, unless a thing stands beside them", async () => {
    const wardrobes = async (isAnna: boolean) => {
      const run = new Run(await open());
      const clothes = { colour: "blue", material: "fabric" };
      const anna = thing("anna", "person", [3, 0, 0.9], [0.4, 0.4, 1.8], clothes);
      const other = thing("wardrobe", "wardrobe", [3, 0.6, 0.9], [0.4, 0.4, 1.8], clothes);
      for (let n = 0; n < 9; n++) {
        const isCalledSo = n >= 5 && n !== 7;
        const things = [SOFA, SHELF, anna, ...(isCalledSo && !isAnna ? [other] : [])];
        const misread = isCalledSo && isAnna ? { anna: { category: "wardrobe" } } : {};
        await run.see(things, { eyes: [vec3(-2, 0, 1.5)], misread });
      }
      await run.finish();
      expect(run.tracks("person")).toHaveLength(1);
      return run.tracks("wardrobe").length;
    };
    expect(await wardrobes(true)).toBe(0);
    expect(await wardrobes(false)).toBe(1);
  });

  it("takes somebody whose clothes were misread for the one who stood there, and somebody elsewhere for another", async () => {
    const people = async (y: number) => {
      const run = new Run(await open());
      for (const colour of ["green", "green", "green", "green", "grey", "grey", "grey", "green"]) {
        const at = colour === "grey" ? y : 0;
        const person = thing("anna", "person", [3, at, 0.9], [0.4, 0.4, 1.8], { colour });
        await run.see([SOFA, SHELF, person], { eyes: [vec3(-2, 0, 1.5)] });
      }
      await run.finish();
      return run.tracks("person").length;
    };
    expect(await people(0.1)).toBe(1);
    expect(await people(1.5)).toBe(2);
  });

  it("merges what a loop closure brings together", async () => {
    const run = new Run(await open());
    await run.see([MUG, TABLE], { submap: "one" });
    run.wait(60);
    await run.see([MUG, TABLE], { submap: "two", worldFromSubmap: drifted(3, 2) });
    expect(run.tracks()).toHaveLength(4);
    await run.correct(() => IDENTITY);
    expect(run.tracks()).toHaveLength(2);
    const present = run.of("state").filter(({ validToUs }) => validToUs === null);
    expect(present).toHaveLength(2);
    for (const state of present) {
      const one = state.category === "mug" ? MUG : TABLE;
      expect(distance(apply(IDENTITY, state.anchor!.p), one.centre)).toBeLessThan(0.25);
    }
  });

  it("goes on from a memory: the same things keep their tracks", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-tracking-"));
    try {
      const engine = await SqliteEngine.open({ folder });
      const writer = await engine.writer();
      const reader = await engine.reader();
      const options = { sceneId: "toy", background: BACKGROUND };
      const first = new Run(await Tracker.open(reader, options));
      await first.see(ROOM);
      await first.finish();
      await writer.write({ records: [...first.records.values()], sightings: first.sightings });
      const second = new Run(await Tracker.open(reader, options), 600);
      await second.see(ROOM, { agentId: "other-robot" });
      second.wait(5);
      await second.see(without("mug"), { agentId: "other-robot" });
      await second.finish();
      const known = new Set(first.of("state").map(({ id }) => id));
      expect(second.of("state").every(({ id }) => known.has(id))).toBe(true);
      expect(second.sightings.length).toBeGreaterThan(4);
      expect(second.events("disappear")).toHaveLength(1);
      await writer.write({ records: [...second.records.values()], sightings: second.sightings });
      await engine.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("lets nobody learn of a thing through a percept they may not see", async () => {
    const run = new Run(await open());
    await run.see(ROOM);
    await run.see([...ROOM, thing("safe", "safe", [3, -0.35, 0.95], [0.3, 0.2, 0.3])], {
      labels: ["private"],
    });
    await run.see([...ROOM, thing("safe", "safe", [3, -0.35, 0.95], [0.3, 0.2, 0.3])]);
    await run.finish();
    const safes = run.states("safe");
    expect(safes.map(({ labels }) => labels).sort()).toEqual([[], ["private"]]);
    expect(run.states("mug")).toHaveLength(1);
    expect(run.states("mug")[0]!.labels).toEqual([]);
    const mug = run.states("mug")[0]!.id;
    expect(
      run.sightings.filter(({ stateId, labels }) => stateId === mug && labels?.length === 1),
    ).not.toEqual([]);
  });

  it("asks the adjudicator about every proposal in paper mode", async () => {
    const asked: Proposal[] = [];
    const adjudicator = {
      decide: async (proposals: readonly Proposal[]) => {
        asked.push(...proposals);
        return proposals.map(({ place }) => place > 0.5);
      },
    };
    const run = new Run(await open({ mode: "paper", adjudicator }));
    await run.see([MUG, SOFA], { eyes: AROUND.slice(0, 3) });
    expect(run.tracks("mug")).toHaveLength(1);
    expect(asked.filter(({ known }) => known.category === "mug").length).toBeGreaterThanOrEqual(2);
  });

  it("gives the same records for the same percepts", async () => {
    const [a, b] = [new Run(await open()), new Run(await open())];
    for (const run of [a, b]) {
      await run.see(ROOM);
      await run.see(without("mug"));
      await run.finish();
    }
    expect(JSON.stringify([...b.records], null, 1)).toBe(JSON.stringify([...a.records], null, 1));
    expect(b.sightings).toEqual(a.sightings);
  });

  it("refuses what it cannot use, and takes frames without depth, things or place", async () => {
    const tracker = await open();
    const percept = look({ timeS: 1, from: AROUND[0]!, at: vec3(3, 0, 0.7), things: ROOM });
    const broken: Percept = { ...percept, worldFromSubmap: { p: vec3(Number.NaN, 0, 0), q: IDENTITY.q } };
    await expect(tracker.observe(broken)).rejects.toThrow(LociError);
    await expect(tracker.observe({ ...percept, sceneId: "other" })).rejects.toThrow(/scene/);
    await expect(tracker.observe({ ...percept, timeUs: 0.5 })).rejects.toThrow(/time/);
    const empty = await tracker.observe({ ...percept, detections: [], depth: undefined });
    expect(empty.records).toEqual([]);
    const black = await tracker.observe({ ...percept, restricted: true });
    expect(black.tracked.stateOf).toEqual(ROOM.map(() => undefined));
    const flat = percept.detections.map((one) => ({ ...one, solid: undefined }));
    expect((await tracker.observe({ ...percept, detections: flat })).counts.created).toBe(0);
    await expect(
      Tracker.open(EMPTY, { sceneId: "toy", background: { mean: Number.NaN, sd: 1 } }),
    ).rejects.toThrow(LociError);
  });
});
