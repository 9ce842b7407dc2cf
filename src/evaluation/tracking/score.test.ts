import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteEngine } from "../../memory/index.ts";
import type { RecordInput, SightingInput } from "../../schema/index.ts";
import {
  type FixtureMemory,
  perfectMemory,
  smallTruth,
  stampOf,
  stateIdOf,
} from "../testing/tracked-house.ts";
import type { Assignments } from "./looks.ts";
import { f1Of, quantile, shareOf } from "./ratio.ts";
import { scoreMemory, type TrackingScore } from "./score.ts";
import type { Truth } from "./truth.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-score-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Change = (record: RecordInput) => RecordInput | undefined;

/** Scores the perfect memory after a change to some of its records. */
async function scoreOf(
  change: Change = (record) => record,
  rest: {
    truth?: Truth;
    extra?: RecordInput[];
    sightings?: (all: SightingInput[]) => SightingInput[];
    assignments?: Assignments;
  } = {},
): Promise<TrackingScore> {
  const truth = rest.truth ?? smallTruth();
  const memory: FixtureMemory = perfectMemory(smallTruth());
  const engine = await SqliteEngine.open({ folder, nowUs: () => 1 });
  try {
    const writer = await engine.writer();
    await writer.write({
      records: [...memory.records.flatMap((record) => change(record) ?? []), ...(rest.extra ?? [])],
      sightings: rest.sightings?.(memory.sightings) ?? memory.sightings,
    });
    return await scoreMemory(await engine.reader(), truth, rest.assignments);
  } finally {
    await engine.close();
  }
}

const only =
  (kind: RecordInput["kind"], id: string, change: object): Change =>
  (record) =>
    record.kind === kind && record.id === id ? ({ ...record, ...change } as RecordInput) : record;

describe("a perfect memory", () => {
  it("has no fault in any figure", async () => {
    const score = await scoreOf();
    expect(score.looks.unknown).toBe(0);
    expect(score.looks.known).toBe(180);
    for (const figure of [score.tracks, score.moves, score.absences, score.rooms]) {
      expect(f1Of(figure)).toBe(1);
      expect(figure.examples).toEqual([]);
    }
    expect(score.tracks.recall.total).toBe(5);
    expect(score.moves.recall.total).toBe(1);
    expect(score.absences.recall.total).toBe(2);
    expect(score.rooms.recall.total).toBe(2);
    expect(score.identity).toMatchObject({ switches: 0, strictSwitches: 0 });
    // Four things over 59 s, the vase over 19 s, as the truth has them.
    expect(score.identity.objectHours).toBeCloseTo((3 * 59 + 39 + 19) / 3600, 6);
    expect(quantile(score.places.errorsM, 1)).toBeLessThan(1e-9);
    expect(shareOf(score.places.fluents)).toBe(1);
    expect(shareOf(score.places.colour)).toBe(1);
    expect(score.twins.rooms).toEqual({ hits: 1, total: 1 });
    expect(score.rooms.ofThings).toEqual({ hits: 5, total: 5 });
    expect(shareOf(score.rooms.named)).toBe(1);
  });

  it("is scored the same from assignments or from sightings that name their detection", async () => {
    const byRecords = await scoreOf();
    await rm(folder, { recursive: true });
    const assignments: { frame: number; segment: number; stateId: string }[] = [];
    const truth = smallTruth();
    for (const frame of truth.frames) {
      frame.segments.forEach((thing, n) => {
        const stay = truth.staysOf(thing!).findIndex(({ looks }) => looks.includes(frame));
        assignments.push({ frame: frame.index, segment: n + 1, stateId: stateIdOf(thing!, stay) });
      });
    }
    const withoutDetections: Change = (record) => (record.kind === "detection" ? undefined : record);
    expect(await scoreOf(withoutDetections, { assignments })).toEqual(byRecords);
  });
});

const isLamp = (record: RecordInput) =>
  record.id.includes("lamp") || (record.kind === "detection" && record.stateId === "state-lamp-1-0");

describe("a faulty memory", () => {
  it("loses recall for a thing without a track", async () => {
    const score = await scoreOf((record) => (isLamp(record) ? undefined : record), {
      sightings: (all) => all.filter(({ stateId }) => !stateId.includes("lamp")),
    });
    expect(score.tracks.recall).toEqual({ hits: 4, total: 5 });
    expect(score.tracks.precision).toEqual({ hits: 4, total: 4 });
    expect(score.tracks.examples[0]).toContain("missed: lamp-1");
  });

  it("loses precision for a second track of one thing, and counts the switch", async () => {
    // The mug gets another track from second 40 on.
    const late = (record: RecordInput) =>
      record.kind === "detection" && record.validFromUs >= stampOf(40) && record.stateId === "state-mug-1-0";
    const copies = (await perfectMemory(smallTruth())).records
      .filter(({ id }) => id === "track-mug-1" || id === "state-mug-1-0")
      .map((record) => ({ ...record, id: `${record.id}-again` }) as RecordInput)
      .map((record) => (record.kind === "state" ? { ...record, trackId: "track-mug-1-again" } : record));
    const score = await scoreOf(
      (record) => (late(record) ? ({ ...record, stateId: "state-mug-1-0-again" } as RecordInput) : record),
      { extra: copies },
    );
    expect(score.tracks.precision).toEqual({ hits: 5, total: 6 });
    expect(score.tracks.duplicates).toBe(1);
    expect(score.identity).toMatchObject({ switches: 1, overMoves: 0, strictSwitches: 1 });
    expect(score.twins.rooms).toEqual({ hits: 0, total: 1 });
  });

  it("counts a single stray look only strictly", async () => {
    const score = await scoreOf((record) =>
      record.kind === "detection" && record.validFromUs === stampOf(5) && record.stateId === "state-mug-1-0"
        ? { ...record, stateId: "state-mug-2-0" }
        : record,
    );
    expect(score.identity).toMatchObject({ switches: 0, strictSwitches: 2 });
  });

  it("follows merged tracks", async () => {
    const extra: RecordInput = {
      kind: "track",
      id: "track-early",
      name: "mug",
      category: "mug",
      mergedInto: "track-mug-1",
      validFromUs: stampOf(0),
      validToUs: null,
    };
    const score = await scoreOf(only("state", "state-mug-1-0", { trackId: "track-early" }), {
      extra: [extra],
    });
    expect(f1Of(score.tracks)).toBe(1);
  });

  it("measures how far a place is off, a wrong name and a wrong state", async () => {
    const score = await scoreOf(
      only("state", "state-lamp-1-0", {
        category: "vase",
        anchor: { submap: "world", p: { x: 2, y: 3.4, z: 1 } },
        attributes: { power: { value: "off", p: 1, support: 2, lastUs: 1 } },
      }),
    );
    expect(quantile(score.places.errorsM, 1)).toBeCloseTo(0.4);
    expect(score.places.category).toEqual({ hits: 4, total: 5 });
    expect(score.places.fluents).toEqual({ hits: 0, total: 1 });
    expect(score.places.examples[0]).toContain("lamp-1");
  });

  it("misses a move whose places are two tracks, and does not take it for a link", async () => {
    const score = await scoreOf(only("state", "state-book-1-1", { trackId: "track-vase-1" }));
    expect(score.moves.recall).toEqual({ hits: 0, total: 1 });
    expect(score.moves.precision).toEqual({ hits: 0, total: 1 });
    expect(score.moves.examples).toHaveLength(2);
  });

  it("asks for no move whose old place nobody looked at again, and counts it apart", async () => {
    const away = { x: 8, y: 1, z: 1.5 };
    const truth = smallTruth((document) => ({
      ...document,
      frames: document.frames
        .slice(0, 40)
        .map((frame, second) =>
          second < 20 ? frame : { ...frame, worldFromCamera: { ...frame.worldFromCamera, p: away } },
        ),
    }));
    const { moves } = await scoreOf((record) => record, { truth });
    expect(moves.recall.total).toBe(0);
    expect(moves.unverified).toEqual({ hits: 1, total: 1 });
  });

  it("counts a thing in the wall in the room that the memory says", async () => {
    const inWall = { p: { x: 4.05, y: 3, z: 1 }, submap: "world" };
    const { twins } = await scoreOf(only("state", stateIdOf("mug-1", 0), { anchor: inWall }));
    expect(twins.rooms).toEqual({ hits: 1, total: 1 });
  });

  it("misses an absence that was looked at", async () => {
    const score = await scoreOf(only("state", "state-vase-1-0", { validToUs: null }), {
      sightings: (all) =>
        all.filter(({ stateId, outcome }) => outcome === "seen" || stateId !== "state-vase-1-0"),
    });
    expect(score.absences.recall).toEqual({ hits: 1, total: 2 });
    expect(score.absences.examples[0]).toContain("missed: vase-1");
    expect(score.twins.examples).toEqual([]);
  });

  it("blames a thing called gone while it merely was out of view", async () => {
    const score = await scoreOf(only("state", "state-mug-1-0", { validToUs: stampOf(30) }));
    expect(score.absences.precision).toEqual({ hits: 2, total: 3 });
    expect(score.absences.falseOutOfView).toBe(1);
    await rm(folder, { recursive: true });
    const inView = await scoreOf(only("state", "state-mug-2-0", { validToUs: stampOf(50) }));
    expect(inView.absences.precision).toEqual({ hits: 2, total: 3 });
    expect(inView.absences.falseOutOfView).toBe(0);
  });

  it("does not take an ended state for an absence where the track stands open beside it", async () => {
    const again = (await perfectMemory(smallTruth())).records.find(({ id }) => id === "state-mug-1-0")!;
    const score = await scoreOf(only("state", "state-mug-1-0", { validToUs: stampOf(30) }), {
      extra: [{ ...again, id: "state-mug-1-later" } as RecordInput],
    });
    expect(score.absences.precision.total).toBe(2);
  });

  it("wants rooms of the right shape", async () => {
    const hull = [
      { x: 0, y: 0, z: 0 },
      { x: 1.5, y: 0, z: 0 },
      { x: 1.5, y: 4, z: 0 },
      { x: 0, y: 4, z: 0 },
    ];
    const score = await scoreOf(only("region", "room-kitchen-1", { hull }));
    expect(score.rooms.recall).toEqual({ hits: 1, total: 2 });
    expect(score.rooms.precision).toEqual({ hits: 1, total: 2 });
    expect(score.rooms.examples).toHaveLength(2);
  });

  it("finds a thing in the wrong room", async () => {
    const score = await scoreOf(only("state", "state-lamp-1-0", { regionId: "room-office-1" }));
    expect(score.rooms.ofThings).toEqual({ hits: 4, total: 5 });
  });
});

describe("what counts", () => {
  it("leaves out things with too few looks", async () => {
    const truth = smallTruth((document) => ({
      ...document,
      frames: document.frames.map((frame) => ({
        ...frame,
        visible: frame.visible.map((one) => (one.thing === "mug-1" ? { ...one, pixels: 59 } : one)),
      })),
    }));
    const score = await scoreOf(undefined, { truth });
    expect(score.tracks.recall).toEqual({ hits: 4, total: 4 });
    // Its track is still one of a real thing.
    expect(score.tracks.precision).toEqual({ hits: 5, total: 5 });
    expect(score.twins.rooms.total).toBe(0);
  });

  it("leaves out agents with a map of their own", async () => {
    const truth = smallTruth((document) => ({
      ...document,
      agents: [{ ...document.agents[0]!, mapFrame: "robot-1.map" }],
    }));
    const score = await scoreOf(undefined, { truth });
    expect(score.looks).toEqual({ known: 0, unknown: 0 });
  });

  it("refuses a document that is not a truth", () => {
    expect(() => smallTruth((document) => ({ ...document, version: 2 as 1 }))).toThrow(/version/);
  });
});
