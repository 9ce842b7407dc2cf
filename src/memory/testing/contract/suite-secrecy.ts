import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FrameEdgeInput, RecordInput, SightingInput } from "../../../schema/index.ts";
import { blobRefOf } from "../../../schema/index.ts";
import type { MemoryReader, ReaderOptions, WriteBatch } from "../../port.ts";
import type { SearchRequest } from "../../request.ts";
import {
  outcome,
  type Probe,
  probeChanges,
  probeCount,
  probeDump,
  probeHistory,
  probeRecords,
  probeSearch,
  probeStats,
} from "./compare.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import { at, bytesOf, DIM, idsOf, record, vectorOf, vectorsFor, withRig } from "./fixtures.ts";
import type { RecordDraft } from "./generate.ts";
import {
  BARE_DRAFT,
  BLOB_REFS,
  blobsFor,
  framesAt,
  recordDraft,
  sightingDraft,
  toRecords,
  toSightings,
  vectorsOf,
} from "./generate.ts";
import { readerDraft, searchRequest, toReader } from "./generate-search.ts";
import { ALL_IDS, BOUNDS, RUNS } from "./suite-properties.ts";

/**
 * Secrecy is shown by difference: `full` holds everything, `bare` was never given the labelled records. A reader
 * without the label must get the same answer from both, word for word.
 */
interface Twins {
  readonly full: Side;
  readonly bare: Side;
}

interface Side {
  readonly rig: Rig;
  /** Only the commits that put something public are numbered: another time that shows up is a leak. */
  readonly names: Map<number, number>;
  readonly times: number[];
}

async function withTwins(open: OpenEngine, test: (twins: Twins) => Promise<void>): Promise<void> {
  await withRig(open, async (full) => {
    await withRig(open, async (bare) => {
      const side = (rig: Rig): Side => ({ rig, names: new Map(), times: [] });
      await test({ full: side(full), bare: side(bare) });
    });
  });
}

interface Scene {
  readonly records: readonly RecordInput[];
  readonly sightings?: readonly SightingInput[];
  readonly frames?: readonly FrameEdgeInput[];
}

/** Writes a batch whole on one side and without its secrets on the other. */
async function writeBoth(
  { full, bare }: Twins,
  scene: Scene,
  isSecret: (id: string) => boolean,
): Promise<void> {
  const open: Scene = {
    ...scene,
    records: scene.records.filter((row) => !isSecret(row.id)),
    sightings: (scene.sightings ?? []).filter((s) => !isSecret(s.stateId) && (s.labels ?? []).length === 0),
  };
  const some = open.records.length + open.sightings!.length + (open.frames?.length ?? 0) > 0;
  const batchOf = (part: Scene): WriteBatch => ({
    ...part,
    vectors: vectorsOf(part.records),
    ...blobsFor(part.records),
  });
  const whole = await full.rig.writer.write(batchOf(scene));
  if (!some) return;
  const commit = await bare.rig.writer.write(batchOf(open));
  full.names.set(whole.commitUs, full.times.push(whole.commitUs));
  bare.names.set(commit.commitUs, bare.times.push(commit.commitUs));
}

/** Everything that a reader can be asked, errors included. */
async function answers(
  reader: MemoryReader,
  probe: Probe,
  requests: readonly SearchRequest[],
  head: boolean,
): Promise<Record<string, unknown>> {
  const stateIds = ALL_IDS.filter((id) => id.startsWith("state-"));
  const secret: SearchRequest[] = ALL_IDS.map((id) => ({ where: { ids: [id] } }));
  const told = {
    searches: await Promise.all(
      [...requests, ...secret].map((request) => probeSearch(reader, request, probe)),
    ),
    ids: await Promise.all(requests.map((request) => outcome(() => reader.searchIds(request), true))),
    counts: await Promise.all([...requests, {}].map((request) => probeCount(reader, request, probe))),
    records: await probeRecords(reader, ALL_IDS, probe),
    history: await probeHistory(reader, ALL_IDS, probe),
    sightings: await reader.sightings({}),
    lastSightings: await reader.sightings({ stateIds, order: "latest", limit: 3 }),
    presence: await reader.presence(stateIds),
    blobs: await Promise.all(BLOB_REFS.map(async (ref) => (await reader.blob(ref))?.length ?? null)),
    stats: await probeStats(reader, probe, true),
    frames: (await reader.frames()).frames(),
    changes: head ? await probeChanges(reader, probe) : null,
    dump: head ? await probeDump(reader, probe) : null,
    refused: await outcome(() => reader.search({ meaning: { vector: new Float32Array(DIM + 1) } }), true),
  };
  return JSON.parse(JSON.stringify(told)) as Record<string, unknown>;
}

async function expectNoDifference(
  twins: Twins,
  options: (side: Side) => ReaderOptions,
  requests: readonly SearchRequest[],
): Promise<void> {
  const ask = async (side: Side) => {
    const given = options(side);
    const reader = await side.rig.as(given);
    const probe: Probe = { names: side.names, asOfUs: given.asOfMemoryUs, messages: true };
    return answers(
      reader,
      probe,
      requests,
      given.asOfMemoryUs === undefined && given.asOfWorldUs === undefined,
    );
  };
  const [full, bare] = [await ask(twins.full), await ask(twins.bare)];
  for (const key of Object.keys(bare)) expect(full[key], key).toEqual(bare[key]);
}

const isOdd = (id: string): boolean => Number(id.at(-1)) % 2 === 1;
/** Odd slots are alice's. Public records name only public ones: the writer decides what a record mentions. */
const labelled = (draft: RecordDraft): RecordDraft => ({
  ...draft,
  labels: draft.slot % 2 === 1 ? ["alice"] : [],
});

/** A principal without a label learns nothing of a labelled record. */
export function secrecySuite(open: OpenEngine): void {
  describe("secrecy", () => {
    const secret = { labels: ["private"] };
    const scene = (rig: Rig) =>
      rig.put(
        [
          record("track", "t1"),
          record("state", "s1", { text: ["red mug"], ...at(0) }),
          record("state", "s2", {
            text: ["red mug diary"],
            image: blobRefOf(bytesOf("photo")),
            ...at(1),
            ...secret,
          }),
          record("caption", "c", { text: ["diary"], ...at(1), ...secret }),
        ],
        {
          sightings: [
            { stateId: "s1", timeUs: 5, outcome: "seen" },
            { stateId: "s1", timeUs: 9, outcome: "seen", labels: ["private"] },
            { stateId: "s2", timeUs: 7, outcome: "seen" },
          ],
          blobs: [bytesOf("photo")],
        },
      );

    it("shows a record only to who holds all of its labels", () =>
      withRig(open, async (rig) => {
        await rig.put([
          record("caption", "open"),
          record("caption", "a", { labels: ["a"] }),
          record("caption", "ab", { labels: ["a", "b"] }),
        ]);
        const seen = async (labels: readonly string[]) =>
          idsOf(await (await rig.holding(labels)).search({ rank: "id" }));
        expect(await seen([])).toEqual(["open"]);
        expect(await seen(["a"])).toEqual(["a", "open"]);
        expect(await seen(["b"])).toEqual(["open"]);
        expect(await seen(["b", "a", "c"])).toEqual(["a", "ab", "open"]);
        expect(await seen(["*"])).toEqual(["open"]);
        expect(idsOf(await rig.reader.search({ rank: "id" }))).toEqual(["a", "ab", "open"]);
      }));

    it("hides it from get, history, search, count, sightings, presence, blobs and statistics", () =>
      withRig(open, async (rig) => {
        await scene(rig);
        const reader = await rig.holding([]);
        expect((await reader.get(["s2", "c"])).filter((row) => row !== undefined)).toEqual([]);
        expect(await reader.history("s2")).toEqual([]);
        expect(await reader.count({ meaning: { words: "diary" } })).toBe(0);
        expect(await reader.count({ meaning: { vector: vectorOf("diary") } })).toBe(1);
        expect(
          idsOf(await reader.search({ space: { type: "nearest", point: { x: 1, y: 0, z: 0 } } })),
        ).toEqual(["s1"]);
        expect(await reader.count({ where: { ids: ["s2"] } })).toBe(0);
        expect((await reader.sightings({})).map((s) => s.timeUs)).toEqual([5]);
        expect((await reader.presence(["s1"]))[0]).toMatchObject({ lastSeenUs: 5, seenCount: 1 });
        expect((await reader.presence(["s2"]))[0]).toMatchObject({ lastSeenUs: null, seenCount: 0 });
        expect(await reader.blob(blobRefOf(bytesOf("photo")))).toBeUndefined();
        const stats = await reader.stats();
        expect(stats).toMatchObject({ versions: 2, sightings: 1, texts: 1, vectors: 1, blobs: 0 });
        expect(stats.records).toMatchObject({ state: 1, caption: 0 });
        const holder = await rig.holding(["private"]);
        expect(await holder.count({})).toBe(4);
        expect(await holder.blob(blobRefOf(bytesOf("photo")))).toEqual(bytesOf("photo"));
      }));

    it("computes word weights over what the reader sees", () =>
      withRig(open, async (rig) => {
        await scene(rig);
        const request = { meaning: { words: "mug" } };
        const scoreFor = async (labels: readonly string[]) =>
          (await (await rig.holding(labels)).search(request)).hits[0]!.score;
        expect(await scoreFor([])).not.toBe(await scoreFor(["private"]));
      }));

    it("hides a record from the version that labels it on, and shows as-of before it as it was", () =>
      withRig(open, async (rig) => {
        const look = { stateId: "s1", timeUs: 5, outcome: "seen" } as const;
        const t1 = await rig.put(
          [record("caption", "c", { text: ["plain"] }), record("track", "t1"), record("state", "s1")],
          { sightings: [look] },
        );
        await rig.put([
          record("caption", "c", { text: ["sensitive"], ...secret }),
          record("state", "s1", secret),
        ]);
        const now = await rig.holding([]);
        expect(await now.get(["c"])).toEqual([undefined]);
        expect(await now.count({})).toBe(1);
        expect(await now.sightings({})).toEqual([]);
        expect((await now.presence(["s1"]))[0]!.seenCount).toBe(0);
        expect((await now.stats()).sightings).toBe(0);
        expect((await now.history("c")).map((row) => row.text)).toEqual([["plain"]]);
        const then = await rig.holding([], { asOfMemoryUs: t1 });
        expect((await then.get(["c"]))[0]!.text).toEqual(["plain"]);
        expect((await then.sightings({})).map((s) => s.timeUs)).toEqual([5]);
        expect((await then.stats()).sightings).toBe(1);
      }));

    it("tells no principal of a forgotten record that it could not see", () =>
      withRig(open, async (rig) => {
        await scene(rig);
        await rig.writer.forget({ ids: ["s2"], reason: "private matter" });
        const reader = await rig.holding([]);
        const rows: unknown[] = [];
        for await (const change of reader.changes({ live: false })) rows.push(change);
        for await (const row of reader.dump()) rows.push(row);
        expect(JSON.stringify(rows)).not.toMatch(/s2|private|diary/);
      }));

    it("does not let labelled records move a calibration", () =>
      withTwins(open, async (twins) => {
        const records = Array.from({ length: 24 }, (_, i) =>
          record("caption", `caption-${i}`, {
            text: [i % 2 ? `secret ${i}` : `open ${i}`],
            labels: i % 2 ? ["alice"] : [],
          }),
        );
        for (const [{ rig }, part] of [
          [twins.full, records],
          [twins.bare, records.filter((_, i) => i % 2 === 0)],
        ] as const) {
          await rig.writer.write({ records: part, vectors: vectorsFor(part) });
        }
        const [full, bare] = [
          await twins.full.rig.writer.calibrate("text"),
          await twins.bare.rig.writer.calibrate("text"),
        ];
        expect(full).toEqual(bare);
      }));

    it("answers as a memory that never had the labelled records, whatever is asked", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              drafts: fc.array(recordDraft.map(labelled), { maxLength: 14 }),
              sightings: fc.array(sightingDraft, { maxLength: 6 }),
            }),
            { minLength: 2, maxLength: 5 },
          ),
          fc.boolean(),
          fc.array(readerDraft, { minLength: 3, maxLength: 3 }),
          fc.array(searchRequest, { minLength: 8, maxLength: 8 }),
          async (batches, forgets, readers, requests) => {
            await withTwins(open, async (twins) => {
              const known = new Set<string>();
              const taken = new Set<number>();
              const names = (id: string, from: string) => isOdd(from) || !isOdd(id);
              const base = ["observation", "track"].flatMap((kind) =>
                [0, 1].map((slot) => labelled({ ...BARE_DRAFT, kind: kind as "track", slot })),
              );
              const steps = [{ drafts: base, sightings: [] }, ...batches];
              for (const [i, { drafts, sightings }] of steps.entries()) {
                const records = toRecords(drafts, known, names);
                for (const row of records) known.add(row.id);
                const looks = toSightings(sightings, known, taken);
                const frames = i < 3 ? framesAt(i) : [];
                await writeBoth(twins, { records, sightings: looks, frames }, isOdd);
              }
              const gone = [...known].find(isOdd);
              if (forgets && gone) await twins.full.rig.writer.forget({ ids: [gone], reason: "asked to" });
              const draft = { asOfCommit: undefined, asOfWorldUs: undefined, mapRevision: undefined };
              for (const reader of [draft, ...readers]) {
                const as = { ...reader, labels: ["carol"] };
                await expectNoDifference(twins, (side) => toReader(as, side.times), requests);
              }
            });
          },
        ),
        { ...BOUNDS, numRuns: Math.ceil(RUNS / 2) },
      );
    }, 60_000);
  });
}
