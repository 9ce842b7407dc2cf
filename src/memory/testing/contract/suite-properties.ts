import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RECORD_KINDS } from "../../../schema/index.ts";
import { ArrayMemory } from "../../array/array-memory.ts";
import type { WriteBatch } from "../../port.ts";
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
import { collect, DIM, rigOf, withRig } from "./fixtures.ts";
import type { RecordDraft, SightingDraft } from "./generate.ts";
import {
  BARE_DRAFT,
  blobsFor,
  framesAt,
  idOf,
  recordDraft,
  SLOTS,
  sightingDraft,
  toRecords,
  toSightings,
  vectorsOf,
} from "./generate.ts";
import { readerDraft, searchRequest, toReader } from "./generate-search.ts";

/** LOCI_FC_SEED and LOCI_FC_RUNS repeat or lengthen a run; fast-check prints the seed and the smallest failure. */
export const SEED = Number(process.env["LOCI_FC_SEED"] ?? 20_250_115);
export const RUNS = Number(process.env["LOCI_FC_RUNS"] ?? 60);
export const BOUNDS = { seed: SEED, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false };

export const ALL_IDS = RECORD_KINDS.flatMap((kind) => Array.from({ length: SLOTS }, (_, n) => idOf(kind, n)));

export type Command =
  | {
      readonly type: "write";
      readonly drafts: readonly RecordDraft[];
      readonly sightings: readonly SightingDraft[];
      readonly moveMaps: boolean;
    }
  | { readonly type: "repeat" }
  | { readonly type: "refused"; readonly fault: number }
  | { readonly type: "forget"; readonly picks: readonly number[] };

const writeCommand = fc.record({
  type: fc.constant("write" as const),
  drafts: fc.array(recordDraft, { maxLength: 16 }),
  sightings: fc.array(sightingDraft, { maxLength: 6 }),
  moveMaps: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: writeCommand },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("repeat" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("refused" as const), fault: fc.nat({ max: 40 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("forget" as const),
      picks: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 2 }),
    }),
  },
);

/** An engine and the oracle, given the same commands; commits are counted, since their clocks differ. */
class Pair {
  readonly rig: Rig;
  readonly oracle: Rig;
  readonly memory: ArrayMemory;
  readonly names = { rig: new Map<number, number>(), oracle: new Map<number, number>() };
  readonly times = { rig: [] as number[], oracle: [] as number[] };
  #last: WriteBatch = {};
  #revision = 0;
  readonly #sightingTimes = new Set<number>();

  constructor(rig: Rig, oracle: Rig, memory: ArrayMemory) {
    this.rig = rig;
    this.oracle = oracle;
    this.memory = memory;
  }

  async start(): Promise<void> {
    const base = (["observation", "track"] as const).flatMap((kind) =>
      [0, 1].map((slot): RecordDraft => ({ ...BARE_DRAFT, kind, slot })),
    );
    await this.#write({ records: toRecords(base, []), frames: framesAt(0) });
  }

  async run(command: Command): Promise<void> {
    if (command.type === "write") {
      const records = toRecords(command.drafts, this.memory.knownIds());
      const known = new Set([...this.memory.knownIds(), ...records.map((record) => record.id)]);
      const moves = command.moveMaps && this.#revision < 2;
      await this.#write({
        records,
        sightings: toSightings(command.sightings, known, this.#sightingTimes),
        vectors: vectorsOf(records),
        ...blobsFor(records),
        ...(moves ? { frames: framesAt(++this.#revision) } : {}),
      });
    } else if (command.type === "repeat") {
      await this.#write({ records: this.#last.records ?? [] });
    } else if (command.type === "refused") {
      const fault = FAULTS[command.fault % FAULTS.length]!(this.memory.knownIds());
      const [got, expected] = await this.#both((rig) => outcome(() => rig.writer.write(fault)));
      expect(got).toEqual(expected);
      expect(got).toHaveProperty("refused");
    } else {
      await this.#forget(command.picks);
    }
  }

  /** The oracle takes the engine's calibration: which pairs an engine samples is its own affair. */
  async calibrate(): Promise<void> {
    for (const space of ["text", "image"] as const) {
      const calibration = await this.rig.writer.calibrate(space);
      if (calibration.pairs === 0) this.memory.state.calibrations.delete(space);
      else this.memory.state.calibrations.set(space, calibration);
    }
  }

  async #write(batch: WriteBatch): Promise<void> {
    const unknown = new Set(this.memory.knownIds());
    const [got, expected] = await this.#both((rig) => rig.writer.write(batch));
    expect({ ...got, commitUs: 0 }).toEqual({ ...expected, commitUs: 0 });
    this.#named(got.commitUs, expected.commitUs);
    if ((batch.records ?? []).some((record) => !unknown.has(record.id))) this.#last = batch;
  }

  async #forget(picks: readonly number[]): Promise<void> {
    const known = this.memory.knownIds();
    if (known.length === 0) return;
    const ids = [...new Set(picks.map((pick) => known[pick % known.length]!))];
    const [got, expected] = await this.#both(async (rig) => {
      const report = await rig.writer.forget({ ids, reason: "asked to" });
      const byId = <T extends { id: string }>(rows: readonly T[]): T[] =>
        [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
      const rewritten = report.rewritten.map((row) => ({ ...row, fields: [...row.fields].sort() }));
      const wiped = report.wiped === rig.engine.capabilities.erasesFiles;
      return { ...report, wiped, forgotten: byId(report.forgotten), rewritten: byId(rewritten) };
    });
    expect(got).toEqual(expected);
    const [gotAt, expectedAt] = await this.#both(async (rig) => {
      const changes = await collect(rig.reader.changes({ live: false }));
      return changes.findLast((change) => change.forgotten.includes(ids[0]!))!.commitUs;
    });
    this.#named(gotAt, expectedAt);
    this.#last = {};
  }

  #named(gotUs: number, expectedUs: number): void {
    for (const [side, timeUs] of [
      ["rig", gotUs],
      ["oracle", expectedUs],
    ] as const) {
      const last = this.times[side].at(-1) ?? Number.NEGATIVE_INFINITY;
      expect(timeUs, "memory time goes strictly upwards").toBeGreaterThan(last);
      this.names[side].set(timeUs, this.times[side].length);
      this.times[side].push(timeUs);
    }
  }

  async #both<T>(act: (rig: Rig) => Promise<T>): Promise<[T, T]> {
    return [await act(this.rig), await act(this.oracle)];
  }
}

/** Batches with one thing wrong each, beside a record that would be fine. */
const FAULTS: readonly ((known: readonly string[]) => WriteBatch)[] = [
  () => faulty({ validFromUs: 5, validToUs: 5 }),
  () => faulty({ anchor: { submap: "world", p: { x: Number.NaN, y: 0, z: 0 } } }),
  () => faulty({ states: ["never-written"] }),
  () => faulty({ image: "0".repeat(64) }),
  () => faulty({ expectVersion: 77 }),
  () => faulty({ id: "refused-good" }),
  () => ({ ...faulty({}), sightings: [{ stateId: "never-written", timeUs: 1, outcome: "seen" }] }),
  () => ({ ...faulty({}), vectors: [{ text: "a line", vector: new Float32Array(DIM + 1).fill(1) }] }),
  () => ({ ...faulty({}), frames: [{ ...framesAt(0)[0]!, parent: "map-c", child: "map-b", revision: 9 }] }),
  (known) => ({ ...faulty({}), sightings: [{ stateId: known[0]!, timeUs: 1, outcome: "seen" }] }),
];

function faulty(change: Record<string, unknown>): WriteBatch {
  const good = {
    kind: "caption",
    id: "refused-good",
    source: "human",
    validFromUs: 0,
    validToUs: null,
  } as const;
  return { records: [good, { ...good, id: "refused-bad", ...change }] };
}

/** Commands and searches of every mixture, on an engine and on the oracle, compared to the last bit. */
export function propertySuite(open: OpenEngine): void {
  describe(`against the oracle (seed ${SEED}, ${RUNS} runs)`, () => {
    it("answers every mixture of keys as the oracle does, after any commands", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 3, maxLength: 9 }),
          fc.array(fc.tuple(readerDraft, fc.array(searchRequest, { minLength: 6, maxLength: 6 })), {
            minLength: 5,
            maxLength: 5,
          }),
          async (commands, asked) => {
            const memory = new ArrayMemory();
            const oracle = await rigOf({ engine: memory, cleanUp: () => memory.close() });
            await withRig(open, async (rig) => {
              const pair = new Pair(rig, oracle, memory);
              await pair.start();
              for (const step of commands) await pair.run(step);
              if (commands.length % 2 === 0) await pair.calibrate();
              await compareWhole(pair);
              for (const [draft, requests] of asked) await compareReader(pair, draft, requests);
            });
          },
        ),
        { ...BOUNDS, numRuns: RUNS },
      );
    }, 60_000);
  });
}

async function compareWhole({ rig, oracle, names }: Pair): Promise<void> {
  const [got, expected] = [{ names: names.rig }, { names: names.oracle }];
  expect(await probeChanges(rig.reader, got)).toEqual(await probeChanges(oracle.reader, expected));
  expect(await probeDump(rig.reader, got)).toEqual(await probeDump(oracle.reader, expected));
}

async function compareReader(
  pair: Pair,
  draft: Parameters<typeof toReader>[0],
  requests: Parameters<typeof probeSearch>[1][],
): Promise<void> {
  const answers = async (side: "rig" | "oracle"): Promise<Record<string, unknown>> => {
    const options = toReader(draft, pair.times[side]);
    const reader = await pair[side].as(options);
    const probe: Probe = { names: pair.names[side], asOfUs: options.asOfMemoryUs };
    const stateIds = ALL_IDS.filter((id) => id.startsWith("state-"));
    const head = options.asOfMemoryUs === undefined && options.asOfWorldUs === undefined;
    const found = {
      searches: await Promise.all(requests.map((request) => probeSearch(reader, request, probe))),
      many: await outcome(async () =>
        (await reader.searchMany(requests)).map((r) => r.hits.map((h) => h.record.id)),
      ),
      ids: await Promise.all(requests.map((request) => outcome(() => reader.searchIds(request)))),
      counts: await Promise.all(requests.map((request) => probeCount(reader, request, probe))),
      records: await probeRecords(reader, ALL_IDS, probe),
      history: await probeHistory(reader, ALL_IDS, probe),
      stats: head ? await probeStats(reader, probe) : null,
      changes: head ? await probeChanges(reader, probe, pair.times[side][1]) : null,
      sightings: await reader.sightings({ order: "latest", limit: 7 }),
      seen: await reader.sightings({ stateIds, outcomes: ["seen"], during: { fromUs: 0, toUs: 90_000 } }),
      presence: await reader.presence(stateIds),
    };
    await reader.close();
    return JSON.parse(JSON.stringify(found)) as Record<string, unknown>;
  };
  const [got, expected] = [await answers("rig"), await answers("oracle")];
  for (const key of Object.keys(expected)) expect(got[key], key).toEqual(expected[key]);
}
