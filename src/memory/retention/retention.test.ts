import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { blobRefOf, type RecordInput, type SightingInput } from "../../schema/core.ts";
import type { MemoryReader, MemoryWriter } from "../port.ts";
import type { SqliteEngine } from "../sqlite/engine.ts";
import { eachWithMemory } from "../testing/each-with-memory.ts";
import { applyRetention, explainPlan, keepWithin, planRetention, type RetentionPolicy } from "./index.ts";

const SECOND_US = 1_000_000;
const DAY_US = 24 * 3600 * SECOND_US;
const NOW_US = 1_000 * SECOND_US;

let engine: SqliteEngine;
let reader: MemoryReader;
let writer: MemoryWriter;

eachWithMemory((memory) => {
  ({ engine, reader, writer } = memory);
});

const at = (second: number) => ({ validFromUs: second * SECOND_US, validToUs: second * SECOND_US + 1 });
const anchor = (x: number, y = 0) => ({ submap: "world", p: { x, y, z: 1 } });

/** A mug that is there all the time. */
const mugOf = (text: readonly string[]): RecordInput[] => {
  const mug = { name: "mug", category: "mug", validFromUs: 0, validToUs: null };
  return [
    { kind: "track", id: "track-0", ...mug },
    { kind: "state", id: "state-0", trackId: "track-0", text: [...text], anchor: anchor(0), ...mug },
  ];
};

function picture(seed: string, bytes = 20_000): Uint8Array {
  const random = new Random(seed);
  return Uint8Array.from({ length: bytes }, () => random.int(0, 256));
}

interface Look {
  readonly second: number;
  readonly x: number;
  readonly states: readonly number[];
  readonly labels?: string[];
}

/** Things in a row, and looks at them: each an observation, a view with a picture, and detections. */
async function remember(looks: readonly Look[], states: number, extra: RecordInput[] = []): Promise<void> {
  const records: RecordInput[] = [];
  const sightings: SightingInput[] = [];
  const blobs: Uint8Array[] = [];
  for (let n = 0; n < states; n++) {
    records.push(
      { kind: "track", id: `track-${n}`, name: "mug", category: "mug", validFromUs: 0, validToUs: null },
      {
        kind: "state",
        id: `state-${n}`,
        trackId: `track-${n}`,
        name: "mug",
        category: "mug",
        anchor: anchor(n),
        validFromUs: 0,
        validToUs: null,
      },
    );
  }
  for (const { second, x, states: seen, labels = [] } of looks) {
    const thumb = picture(`thumb-${second}`);
    blobs.push(thumb);
    const observationId = `obs-${second}`;
    records.push(
      { kind: "observation", id: observationId, sensorId: "camera", anchor: anchor(x), ...at(second) },
      {
        kind: "view",
        id: `view-${second}`,
        observationId,
        thumb: blobRefOf(thumb),
        anchor: anchor(x),
        labels,
        visible: seen.map((n) => ({ stateId: `state-${n}`, bbox: [0, 0, 9, 9], depthM: 1, fraction: 1 })),
        ...at(second),
      },
    );
    for (const n of seen) {
      const detectionId = `det-${second}-${n}`;
      records.push({
        kind: "detection",
        id: detectionId,
        observationId,
        stateId: `state-${n}`,
        score: 1,
        ...at(second),
      });
      sightings.push({
        stateId: `state-${n}`,
        timeUs: second * SECOND_US,
        outcome: "seen",
        observationId,
        detectionId,
      });
    }
  }
  await writer.write({ records: [...records, ...extra], sightings, blobs });
}

const looksInARow = (count: number): Look[] =>
  Array.from({ length: count }, (_, second) => ({ second, x: 0, states: [0, 1] }));

const idsOf = async (kind: "view" | "caption" | "detection" | "observation") =>
  (await reader.search({ kinds: [kind], limit: 1_000, rank: "id" })).hits.map(({ record }) => record.id);

const policy = (rest: Partial<RetentionPolicy> = {}): RetentionPolicy => ({ nowUs: NOW_US, ...rest });

describe("a byte budget", () => {
  it("holds, on disk, and leaves the memory whole", async () => {
    await remember(looksInARow(150), 2);
    const { bytes } = await reader.stats();
    const maxBytes = Math.round(bytes * 0.1);
    const report = await keepWithin(reader, writer, policy({ maxBytes }));
    expect(report.isWithinBudget).toBe(true);
    expect((await reader.stats()).bytes).toBeLessThanOrEqual(maxBytes);
    expect(report.bytesBefore).toBe(bytes);
    const verified = await engine.verify();
    expect(verified.problems).toEqual([]);
    expect((await reader.stats()).records.state).toBe(2);
    expect(await reader.presence(["state-0"])).toMatchObject([
      { firstSeenUs: 0, lastSeenUs: 149 * SECOND_US },
    ]);
  });

  it("says so when what is protected is more than the budget", async () => {
    await remember(looksInARow(5), 2);
    const report = await keepWithin(reader, writer, policy({ maxBytes: 1_000 }));
    expect(report.isWithinBudget).toBe(false);
    expect(report.plans.at(-1)!.bytesOver).toBeGreaterThan(0);
    expect(explainPlan(report.plans.at(-1)!)).toContain("stay over the budget");
  });

  it("gives up nothing where there is room, and nothing without a limit", async () => {
    await remember(looksInARow(5), 2);
    for (const limits of [{}, { maxBytes: 1e9 }]) {
      expect((await planRetention(reader, policy(limits))).evictions).toEqual([]);
    }
  });

  it("plans the same twice", async () => {
    await remember(looksInARow(40), 2);
    const [a, b] = [
      await planRetention(reader, policy({ maxBytes: 200_000 })),
      await planRetention(reader, policy({ maxBytes: 200_000 })),
    ];
    expect(a).toEqual(b);
    expect(a.evictions.length).toBeGreaterThan(10);
  });

  it("is kept for one kind alone", async () => {
    await remember(looksInARow(20), 2);
    const plan = await planRetention(reader, policy({ maxBytesOf: { view: 100_000 } }));
    expect(new Set(plan.evictions.map(({ kind }) => kind))).toEqual(new Set(["view"]));
    expect(plan.evictions.length).toBeGreaterThanOrEqual(15);
  });
});

describe("what goes first", () => {
  it("is evidence that lives on in sightings, then views that show what others show", async () => {
    // A row of views of the same two things, and one view of each of two other things.
    await remember(
      [...looksInARow(20), { second: 30, x: 8, states: [2] }, { second: 31, x: 12, states: [3] }],
      4,
    );
    const plan = await planRetention(reader, policy({ maxBytesOf: { view: 0 }, maxBytes: 0 }));
    const kinds = plan.evictions.map(({ kind }) => kind);
    expect(kinds.lastIndexOf("detection")).toBeGreaterThan(0);
    const gone = new Set(plan.evictions.map(({ id }) => id));
    expect(gone.has("view-30") || gone.has("view-31")).toBe(false);
    // Of twenty views of the same two things at least one is left.
    const left = looksInARow(20).filter(({ second }) => !gone.has(`view-${second}`));
    expect(left).toHaveLength(1);
  });

  it("is the one among equals that nobody names, the older before the newer", async () => {
    await remember(looksInARow(6), 2, [
      {
        kind: "place",
        id: "place-1",
        yawRad: 0,
        views: ["view-0"],
        anchor: anchor(0),
        validFromUs: 0,
        validToUs: null,
      },
    ]);
    const plan = await planRetention(
      reader,
      policy({ maxBytesOf: { view: 50_000 }, recencyUs: 1_000 * SECOND_US, nowUs: 6 * SECOND_US }),
    );
    const gone = plan.evictions.map(({ id }) => id);
    expect(gone).not.toContain("view-0");
    expect(gone[0]).toBe("view-1");
  });
});

describe("what never goes", () => {
  const nothing = policy({ maxBytes: 0 });

  it("is when things were first and last seen; by which look is kept while other things can go", async () => {
    await remember(looksInARow(10), 2);
    await applyRetention(writer, await planRetention(reader, policy({ maxAgeUs: { detection: 0 } })));
    expect(await idsOf("detection")).toEqual(["det-0-0", "det-0-1", "det-9-0", "det-9-1"]);
    const plan = await planRetention(reader, nothing);
    expect(plan.evictions.filter(({ kind }) => kind === "detection")).toHaveLength(4);
    await applyRetention(writer, plan);
    expect(await reader.presence(["state-0", "state-1"])).toMatchObject([
      { firstSeenUs: 0, lastSeenUs: 9 * SECOND_US },
      { firstSeenUs: 0, lastSeenUs: 9 * SECOND_US },
    ]);
  });

  it("is the last view of a track", async () => {
    await remember(looksInARow(10), 2);
    await applyRetention(writer, await planRetention(reader, nothing));
    expect(await idsOf("view")).toHaveLength(1);
  });

  it("is what people said, and what is on hold", async () => {
    const caption = { kind: "caption" as const, ...at(3), anchor: anchor(0) };
    await remember([...looksInARow(3), { second: 3, x: 0, states: [0, 1], labels: ["hold"] }], 2, [
      { ...caption, id: "said", source: "human" },
      { ...caption, id: "made", source: "template" },
      { ...caption, id: "held", source: "template", labels: ["hold"] },
    ]);
    const plan = await planRetention(reader, nothing);
    expect(plan.kept).toMatchObject({ hold: 3, human: 1 });
    await applyRetention(writer, plan);
    expect(await idsOf("caption")).toEqual(["held", "said"]);
    expect(await idsOf("view")).toContain("view-3");
    expect(await idsOf("observation")).toContain("obs-3");
  });

  it("is the views at either side of a change", async () => {
    await remember(looksInARow(10), 2, [
      { kind: "event", id: "moved", type: "move", who: ["state-0"], ...at(5) },
    ]);
    const plan = await planRetention(reader, nothing);
    expect(plan.kept["change boundary"]).toBeGreaterThan(0);
    await applyRetention(writer, plan);
    expect(await idsOf("view")).toEqual(["view-4", "view-5"]);
  });
});

describe("age", () => {
  it("takes what is older than its kind may get", async () => {
    await remember(looksInARow(10), 2);
    const plan = await planRetention(
      reader,
      policy({ nowUs: DAY_US + 5 * SECOND_US, maxAgeUs: { detection: DAY_US } }),
    );
    // The first two are evidence of the first sighting.
    expect(plan.evictions.map(({ id }) => id).sort()).toEqual(
      [1, 2, 3, 4].flatMap((second) => [`det-${second}-0`, `det-${second}-1`]),
    );
    expect(plan.evictions[0]!.why).toBe("too old");
  });
});

describe("pieces of map", () => {
  it("lose their surface points, and with them their past, before views and captions go", async () => {
    const blobs = [1, 2, 3, 4].map((n) => picture(`surface-${n}`, 300_000));
    const grid = picture("grid", 1_000);
    const piece = (surface: Uint8Array): RecordInput => ({
      kind: "region",
      id: "map-1",
      type: "map",
      level: 0,
      name: "map",
      grid: blobRefOf(grid),
      surface: blobRefOf(surface),
      anchor: anchor(0),
      validFromUs: 0,
      validToUs: null,
    });
    const together = picture("together", 100_000);
    const site: RecordInput = {
      kind: "region",
      id: "site-1",
      type: "site",
      level: 9,
      name: "everything",
      grid: blobRefOf(together),
      validFromUs: 0,
      validToUs: null,
    };
    await remember(looksInARow(5), 2);
    await writer.write({ records: [site], blobs: [together] });
    for (const surface of blobs) await writer.write({ records: [piece(surface)], blobs: [surface, grid] });
    const maxBytes = 360_000;
    const report = await keepWithin(reader, writer, policy({ maxBytes }));
    expect(report.isWithinBudget).toBe(true);
    const [kept] = await reader.get(["map-1"]);
    expect(kept).toMatchObject({ grid: blobRefOf(grid), version: 5 });
    expect(kept).not.toHaveProperty("surface");
    expect(await reader.blob(blobRefOf(grid))).toEqual(grid);
    expect(await reader.blob(blobRefOf(together))).toBeUndefined();
    expect((await reader.stats()).records.region).toBe(2);
    expect(await idsOf("view")).toHaveLength(5);
    expect((await engine.verify()).problems).toEqual([]);
  });
});

describe("what stays", () => {
  it("is the way of whoever looked, at a slower pace", async () => {
    const looks = Array.from({ length: 40 }, (_, n): RecordInput => {
      return { kind: "observation", id: `look-${n}`, sensorId: "camera", anchor: anchor(n), ...at(n) };
    });
    const caption = { kind: "caption" as const, source: "template" as const, anchor: anchor(0) };
    const said = Array.from({ length: 40 }, (_, n): RecordInput => {
      return { ...caption, id: `said-${n}`, text: [`${n} `.repeat(800)], ...at(n * 20) };
    });
    await remember([], 1, [...looks, ...said]);
    const maxBytes = Math.round((await reader.stats()).bytes * 0.75);
    await applyRetention(writer, await planRetention(reader, policy({ maxBytes, consolidate: false })));
    expect(await idsOf("observation")).toEqual(
      Array.from({ length: 5 }, (_, n) => `look-${n * 8}`).toSorted(),
    );
    expect((await idsOf("caption")).length).toBeLessThan(40);
  });

  it("is the last time that a thing was passed, in the words of the thing", async () => {
    const pass = (n: number): RecordInput => ({
      kind: "event",
      id: `pass-${n}`,
      type: "pass",
      who: ["state-0"],
      text: [`robot passed the mug for the ${n}th time`],
      ...at(n),
    });
    await remember([], 0, [
      ...mugOf(["red mug"]),
      pass(3),
      pass(1),
      pass(2),
      { kind: "event", id: "stopped", type: "stop", text: ["robot stopped"], ...at(9) },
    ]);
    const plan = await planRetention(reader, policy({ maxBytes: 0 }));
    expect(plan.passes.toSorted()).toEqual(["pass-1", "pass-2"]);
    await applyRetention(writer, plan);
    const { hits } = await reader.search({ kinds: ["event"], rank: "id", limit: 9 });
    expect(hits.map(({ record }) => [record.id, record.text])).toEqual([
      ["pass-3", ["red mug"]],
      ["stopped", ["robot stopped"]],
    ]);
    expect((await planRetention(reader, policy({ maxBytes: 0 }))).slimmed).toEqual([]);
  });

  it("is said in the words of what it shows, but for its longest sentence", async () => {
    const long = "A kitchen with a red mug on a long table.";
    const own = [...Array.from({ length: 12 }, (_, n) => `There are ${n} mugs.`), long, "This is a kitchen."];
    const caption = { kind: "caption" as const, anchor: anchor(0), states: ["state-0"] };
    await remember([], 0, [
      ...mugOf(["red mug", "the mug is full"]),
      { ...caption, id: "made", source: "template", text: own, ...at(1) },
      { ...caption, id: "said", source: "human", text: ["I had coffee.", "It was good."], ...at(100) },
    ]);
    const { bytes } = await reader.stats();
    const plan = await planRetention(reader, policy({ maxBytes: bytes - 100 }));
    expect(explainPlan(plan)).toContain("views and captions with less in them: 1");
    await applyRetention(writer, plan);
    const [made, said] = await reader.get(["made", "said"]);
    expect(made!.text).toEqual([long, "red mug"]);
    expect(said!.text).toHaveLength(2);
    expect((await reader.history("made")).length).toBe(1);
  });

  it("loses what is drawn into it before views go, and keeps its picture and its names", async () => {
    const drawn = Array.from({ length: 12 }, (_, n) => picture(`drawn-${n}`, 60_000));
    await remember(looksInARow(12), 2);
    const views = (await reader.search({ kinds: ["view"], limit: 100, rank: "id" })).hits.map(
      ({ record }) => record,
    );
    await writer.write({
      records: views.map(({ version: _v, recordedAtUs: _r, supersededAtUs: _s, ...view }, n) => ({
        ...view,
        overlay: blobRefOf(drawn[n]!),
      })) as RecordInput[],
      blobs: drawn,
    });
    const { bytes } = await reader.stats();
    const report = await keepWithin(reader, writer, policy({ maxBytes: Math.round(bytes * 0.5) }));
    expect(report.isWithinBudget).toBe(true);
    expect(await idsOf("view")).toHaveLength(12);
    const left = (await reader.search({ kinds: ["view"], limit: 100 })).hits.map(({ record }) => record);
    expect(left.some((view) => view.kind === "view" && view.overlay === undefined)).toBe(true);
    expect((await reader.history("view-0")).length).toBe(1);
    expect((await engine.verify()).problems).toEqual([]);
  });

  it("loses versions that changed nothing, and keeps those at a change", async () => {
    const lamp = (rest: object): RecordInput => ({
      kind: "state",
      id: "lamp",
      trackId: "track-0",
      name: "lamp",
      category: "lamp",
      validFromUs: 0,
      validToUs: null,
      ...rest,
    });
    const power = (value: string) => ({ attributes: { power: { value, p: 1, support: 2, lastUs: 5 } } });
    await remember([], 1);
    for (const rest of [
      { ...power("off"), anchor: anchor(1) },
      { ...power("off"), anchor: anchor(1.1) },
      { ...power("on"), anchor: anchor(1.1) },
      { ...power("on"), anchor: anchor(1.2) },
      { ...power("on"), anchor: anchor(1.3) },
    ])
      await writer.write({ records: [lamp(rest)] });
    const plan = await planRetention(reader, policy({ maxBytes: 0 }));
    expect(plan.past.map(({ version }) => version).sort()).toEqual([1, 3, 4]);
    await applyRetention(writer, plan);
    expect((await reader.history("lamp")).map(({ version }) => version)).toEqual([2, 5]);
    expect(explainPlan(plan)).toContain("past versions that changed nothing: 3");
  });

  it("keeps the first and last looks, those around another outcome, and the way of a mover", async () => {
    await remember([], 2);
    const look = (second: number, outcome: SightingInput["outcome"], more = {}): SightingInput => ({
      stateId: "state-0",
      timeUs: second * SECOND_US,
      outcome,
      ...more,
    });
    const still = [0, 1, 2, 3, 4, 30, 31, 32].map((second) => look(second, "seen"));
    const gone = [33, 34, 35, 36].map((second) => look(second, "absent"));
    const walk = [0, 1, 2].map((second) =>
      look(second, "seen", { stateId: "state-1", anchor: anchor(second) }),
    );
    await writer.write({ sightings: [...still, ...gone, ...walk] });
    const plan = await planRetention(reader, policy({ maxBytes: 0 }));
    await applyRetention(writer, plan);
    const left = await reader.sightings({ stateIds: ["state-0"], limit: 100 });
    expect(left.map(({ timeUs }) => timeUs / SECOND_US).sort((a, b) => a - b)).toEqual([
      0, 1, 4, 30, 32, 33, 35, 36,
    ]);
    expect(await reader.sightings({ stateIds: ["state-1"], limit: 100 })).toHaveLength(3);
    expect(await reader.presence(["state-0"])).toMatchObject([
      { firstSeenUs: 0, lastSeenUs: 32 * SECOND_US, firstAbsentAfterUs: 33 * SECOND_US },
    ]);
  });

  it("keeps the latest lines of a place", async () => {
    const text = Array.from({ length: 9 }, (_, n) => `line ${n}`);
    await remember([], 1, [
      { kind: "place", id: "here", yawRad: 0, text, anchor: anchor(0), validFromUs: 0, validToUs: null },
    ]);
    const plan = await planRetention(reader, policy({ maxBytes: 0 }));
    expect(explainPlan(plan)).toContain("places with fewer lines: 1");
    await applyRetention(writer, plan);
    expect((await reader.history("here")).map(({ text: lines }) => lines)).toEqual([text.slice(-1)]);
    expect((await planRetention(reader, policy({ maxBytes: 0 }))).slimmed).toEqual([]);
  });

  it("is not named any more once the budget needs the room", async () => {
    await remember(looksInARow(60), 2);
    await keepWithin(reader, writer, policy({ maxBytes: 0 }));
    const log = [];
    for await (const row of reader.dump()) if (row.type === "forgotten") log.push(row);
    expect(log).toEqual([]);
  });
});

describe("consolidation", () => {
  const caption = (n: number, states: string[], rest: object = {}): RecordInput => ({
    kind: "caption",
    id: `caption-${n}`,
    source: "template",
    text: [`line ${n % 2}`],
    anchor: anchor(n * 0.1),
    states,
    validFromUs: n * 3 * SECOND_US,
    validToUs: (n + 1) * 3 * SECOND_US,
    ...rest,
  });

  it("makes one caption of a row that says the same of the same place", async () => {
    const both = ["state-0", "state-1"];
    await remember([], 3, [
      ...[0, 1, 2].map((n) => caption(n, both)),
      caption(3, ["state-2"]),
      caption(4, both, { anchor: anchor(50) }),
    ]);
    const plan = await planRetention(reader, policy());
    expect(plan.merges.map(({ forgotten }) => forgotten)).toEqual([["caption-1", "caption-2"]]);
    await applyRetention(writer, plan);
    expect(await idsOf("caption")).toEqual(["caption-0", "caption-3", "caption-4"]);
    const [one] = await reader.get(["caption-0"]);
    expect(one).toMatchObject({
      validFromUs: 0,
      validToUs: 9 * SECOND_US,
      text: ["line 0", "line 1"],
      version: 2,
    });
    // Merging again finds nothing more to do.
    expect((await planRetention(reader, policy())).merges).toEqual([]);
  });

  it("leaves apart what differs in labels, source or time, and can be switched off", async () => {
    const both = ["state-0", "state-1"];
    await remember([], 2, [
      caption(0, both),
      caption(1, both, { labels: ["private"] }),
      caption(2, both, { source: "vlm" }),
      caption(9, both),
    ]);
    expect((await planRetention(reader, policy())).merges).toEqual([]);
    expect((await planRetention(reader, policy({ consolidate: false }))).merges).toEqual([]);
  });
});

describe("bad input", () => {
  it.each([{ maxBytes: -1 }, { maxBytes: Number.NaN }, { maxAgeUs: { view: -5 } }, { nowUs: 0.5 }])(
    "%j is refused",
    async (limits) => {
      await expect(planRetention(reader, policy(limits))).rejects.toMatchObject({ code: "invalid-input" });
    },
  );

  it("an empty memory needs nothing", async () => {
    const report = await keepWithin(reader, writer, policy({ maxBytes: 1e9 }));
    expect(report).toMatchObject({ forgotten: 0, merged: 0, isWithinBudget: true });
  });
});
