import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteEngine } from "../../memory/index.ts";
import type { RecordingItem, RecordingReader } from "../../sensors/index.ts";
import { evaluateTracking, formatTrackingReport } from "./evaluate.ts";
import { matchedPairs } from "./experiments.ts";
import type { TrackingPipeline } from "./pipeline.ts";
import { f1Of, quantile, shareOf } from "./ratio.ts";
import { everyOther, shuffled } from "./recordings.ts";
import type { RememberedState } from "./remembered.ts";
import type { TrackingScore } from "./score.ts";
import { formatSummary, summarise } from "./summary.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-evaluate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ratio = (hits: number, total: number) => ({ hits, total });
const scores = (p: number, r: number) => ({ precision: ratio(p, 10), recall: ratio(r, 10), examples: [] });

function scoreOf(seed: string, rest: Partial<TrackingScore> = {}): TrackingScore {
  return {
    seed,
    hours: 0.1,
    frames: 100,
    things: 50,
    tracks: { ...scores(9, 8), duplicates: 1, invented: 0, mixed: 0, unseen: 0 },
    looks: { known: 100, unknown: 0 },
    identity: {
      switches: 1,
      overMoves: 0,
      strictSwitches: 3,
      objectHours: 10,
      purity: ratio(99, 100),
      examples: [],
    },
    places: {
      errorsM: [0.1, 0.2],
      boxIous: [0.5],
      category: ratio(1, 1),
      fluents: ratio(1, 2),
      colour: ratio(0, 0),
      examples: [],
    },
    twins: { rooms: ratio(1, 1), categories: ratio(3, 4), examples: [] },
    moves: {
      ...scores(0, 0),
      precision: ratio(0, 0),
      recall: ratio(0, 0),
      unverified: ratio(0, 0),
      checked: ratio(0, 0),
      ofTwins: ratio(0, 0),
    },
    absences: { ...scores(9, 9), falseOutOfView: 0, checked: ratio(9, 12) },
    rooms: { ...scores(10, 10), named: ratio(5, 10), ofThings: ratio(19, 20), ious: [0.9], examples: [] },
    ...rest,
  };
}

const figure = (list: readonly TrackingScore[], name: string) =>
  summarise(list).figures.find((one) => one.name === name)!;

describe("the summary", () => {
  it("adds counts up before dividing, and says whether the target is met", () => {
    const list = [
      scoreOf("1"),
      scoreOf("2", { tracks: { ...scoreOf("2").tracks, precision: ratio(90, 90) } }),
    ];
    expect(figure(list, "track precision").estimate?.value).toBeCloseTo(99 / 100);
    expect(figure(list, "track precision").isMet).toBe(true);
    expect(figure(list, "track recall")).toMatchObject({ counted: 20, isMet: false });
    expect(figure(list, "id switches per object-hour").estimate?.value).toBeCloseTo(0.1);
    expect(figure(list, "place error, median (m)").estimate?.value).toBe(0.1);
  });

  it("has no value for what was not counted", () => {
    const summary = summarise([scoreOf("1")]);
    const colour = summary.figures.find(({ name }) => name === "colour")!;
    expect(colour.estimate).toBeNull();
    expect(formatSummary(summary)).toMatch(/colour +–/);
    expect(JSON.stringify(summary)).not.toContain("NaN");
  });

  it("draws intervals over recordings", () => {
    const list = [0.1, 0.2, 0.9].map((errorM, n) =>
      scoreOf(String(n), { places: { ...scoreOf("").places, errorsM: [errorM] } }),
    );
    const { estimate } = figure(list, "place error, median (m)");
    expect([estimate?.low, estimate?.value, estimate?.high]).toEqual([0.1, 0.2, 0.9]);
  });
});

describe("ratios", () => {
  it("know nothing of nothing", () => {
    expect(shareOf(ratio(0, 0))).toBeNaN();
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([3, 1, 2], 0.9)).toBe(3);
    expect(f1Of({ precision: ratio(0, 5), recall: ratio(0, 5) })).toBe(0);
    expect(f1Of({ precision: ratio(1, 2), recall: ratio(2, 2) })).toBeCloseTo(2 / 3);
  });
});

describe("other ways to play a recording", () => {
  const items: RecordingItem[] = [
    { kind: "edge", edge: {} as never },
    ...Array.from({ length: 20 }, (_, index) => ({ kind: "frame" as const, frame: { index } as never })),
    { kind: "edge", edge: {} as never },
  ];
  const recording = {
    format: "folder",
    info: {},
    async *items() {
      yield* items;
    },
    close: async () => {},
  } as unknown as RecordingReader;
  const play = async (reader: RecordingReader) => {
    const order: (number | "edge")[] = [];
    for await (const item of reader.items()) order.push(item.kind === "frame" ? item.frame.index : "edge");
    return order;
  };

  it("even then odd frames are all frames, each once", async () => {
    const even = await play(everyOther(recording, "even"));
    const odd = await play(everyOther(recording, "odd"));
    expect(even.filter((one) => one === "edge")).toHaveLength(2);
    expect(odd).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    expect(even.length + odd.length).toBe(items.length);
  });

  it("shuffled frames come after all corrections, in the same disorder for the same seed", async () => {
    const once = await play(shuffled(recording, "1"));
    expect(once.slice(0, 2)).toEqual(["edge", "edge"]);
    expect(once).toEqual(await play(shuffled(recording, "1")));
    expect(once).not.toEqual(await play(shuffled(recording, "2")));
    expect([...once.slice(2)].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
  });
});

describe("matching the tracks of two runs", () => {
  const at = (x: number, category = "mug") =>
    ({ position: { x, y: 0, z: 0 }, record: { category } }) as unknown as RememberedState;

  it("pairs each once, near and of one name", () => {
    expect(matchedPairs([at(0), at(0.1)], [at(0.05), at(0.15)])).toBe(2);
    expect(matchedPairs([at(0), at(0.1)], [at(0.05)])).toBe(1);
    expect(matchedPairs([at(0)], [at(0.25)])).toBe(0);
    expect(matchedPairs([at(0)], [at(0, "plate")])).toBe(0);
    expect(matchedPairs([], [at(0)])).toBe(0);
  });
});

describe("evaluating seeds", () => {
  /** Stores only that a frame came: enough to see that all parts connect. */
  function emptyPipeline(seen: string[]): TrackingPipeline {
    return {
      ingest: async (recording, memory) => {
        const engine = await SqliteEngine.open({ folder: memory, nowUs: () => 1 });
        let frames = 0;
        for await (const item of recording.items()) if (item.kind === "frame") frames++;
        seen.push(`${frames} frames`);
        await engine.close();
      },
      open: async (memory) => {
        const engine = await SqliteEngine.open({ folder: memory, nowUs: () => 1 });
        return { reader: await engine.reader(), writer: () => engine.writer(), close: () => engine.close() };
      },
    };
  }
  const small = { minutes: 0.1, fps: 1, noise: 0 };

  it("simulates, ingests, scores and experiments, and goes on where it was stopped", async () => {
    const seen: string[] = [];
    const options = { pipeline: emptyPipeline(seen), seeds: [1], ...small, experiments: 1, out: folder };
    const first = await evaluateTracking(options);
    // In order; with nothing happening even, odd, in order, shuffled; without drift.
    expect(seen).toEqual(["6 frames", "3 frames", "3 frames", "6 frames", "6 frames", "6 frames"]);
    expect(first.scores[0]!.tracks.recall.hits).toBe(0);
    expect(first.scores[0]!.tracks.recall.total).toBeGreaterThan(0);
    expect(first.experiments[0]).toMatchObject({
      seed: "1",
      growth: { before: 0, after: 0 },
      order: { matched: 0 },
    });
    expect(await readdir(folder)).toHaveLength(1);
    const lines: string[] = [];
    const again = await evaluateTracking({ ...options, onProgress: (line) => lines.push(line) });
    expect(seen).toHaveLength(6);
    expect(lines[0]).toContain("seed 1 (1/1)");
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    expect(formatTrackingReport(first)).toContain("track precision");
    expect(formatTrackingReport(first)).toContain("even frames, then odd");
  });

  it("stops when told to", async () => {
    const signal = AbortSignal.abort();
    const run = evaluateTracking({ pipeline: emptyPipeline([]), seeds: [1], ...small, signal });
    await expect(run).rejects.toMatchObject({ code: "aborted" });
  });
});
