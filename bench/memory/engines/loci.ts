import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type {
  MemoryEngine,
  MemoryReader,
  MemoryWriter,
  SearchRequest,
  WriteBatch,
} from "../../../src/memory/index.ts";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import { type BenchRow, FUSED_POOL, indexOf, type QueryArgs, type QueryKind } from "../workload.ts";
import { openLociEngine } from "./loci-factory.ts";
import { folderBytes, fuse } from "./shared.ts";

/** Loci through its public port, by the call that answers with ids and scores. */
export const adapter: EngineAdapter = {
  missing: async () => null,
  open: (context) => LociBench.open(context),
  sharedBetweenProcesses: true,
};

/** Rows of the workload as Loci takes them. */
export function batchOf(rows: readonly BenchRow[]): WriteBatch {
  return {
    records: rows.map(({ id, x, y, z, fromUs, toUs, text }) => ({
      kind: "caption",
      id,
      source: "vlm",
      validFromUs: fromUs,
      validToUs: toUs,
      anchor: { submap: "world", p: { x, y, z } },
      text: [text],
    })),
    vectors: rows.map(({ text, vector }) => ({ text, vector })),
  };
}

/** How Loci is opened, and what belongs to loading it beside writing. */
export interface LociWays {
  openEngine(folder: string): Promise<MemoryEngine>;
  afterLoad?(folder: string): Promise<void>;
  /** Where its bytes are not in the folder. */
  diskBytes?(): Promise<number>;
}

/** Loci by whichever way it is opened. */
export class LociBench implements BenchEngine {
  readonly bulkRows = 5_000;
  readonly #folder: string;
  readonly #ways: LociWays;
  readonly #engine: MemoryEngine;
  readonly #writer: MemoryWriter | undefined;
  readonly #reader: MemoryReader;

  private constructor(
    folder: string,
    ways: LociWays,
    engine: MemoryEngine,
    reader: MemoryReader,
    writer: MemoryWriter | undefined,
  ) {
    this.#folder = folder;
    this.#ways = ways;
    this.#engine = engine;
    this.#reader = reader;
    this.#writer = writer;
  }

  static async open(
    { folder, dim, phase }: EngineContext,
    ways: LociWays = { openEngine: openLociEngine },
  ): Promise<LociBench> {
    const home = join(folder, "memory");
    mkdirSync(folder, { recursive: true });
    const engine = await ways.openEngine(home);
    const writes = phase === "load" || phase === "ingest";
    const writer = writes ? await engine.writer() : undefined;
    if (phase === "load") await writer!.setEmbedder("text", { id: "bench", dim });
    return new LociBench(home, ways, engine, await engine.reader(), writer);
  }

  async load(rows: readonly BenchRow[]): Promise<void> {
    await this.write(rows);
  }

  async finishLoad(): Promise<void> {
    await this.#writer!.close();
    await this.#ways.afterLoad?.(this.#folder);
  }

  async write(rows: readonly BenchRow[]): Promise<void> {
    await this.#writer!.write(batchOf(rows));
  }

  plans(): readonly string[] {
    return ["planner"];
  }

  async query(_kind: QueryKind, args: QueryArgs): Promise<number[]> {
    const { vector, words, ...rest } = args;
    if (vector === undefined || words === undefined) return this.#ids(args);
    // The peers can only fuse by rank, so the question is that, and two searches answer it here too.
    const pool = { ...rest, limit: FUSED_POOL };
    return fuse([await this.#ids({ ...pool, words }), await this.#ids({ ...pool, vector })], args.limit);
  }

  async #ids(args: QueryArgs): Promise<number[]> {
    return (await this.#reader.searchIds(requestOf(args))).map(({ id }) => indexOf(id));
  }

  diskBytes(): Promise<number> {
    return this.#ways.diskBytes?.() ?? folderBytes(this.#folder);
  }

  async rssBytes(): Promise<number> {
    return process.memoryUsage.rss();
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}

function requestOf({
  vector,
  words,
  point,
  radiusM,
  minCosine,
  box,
  window,
  limit,
}: QueryArgs): SearchRequest {
  return {
    ...(vector || words
      ? {
          meaning: {
            ...(vector ? { vector } : {}),
            ...(words ? { words: words.join(" ") } : {}),
            ...(minCosine === undefined ? {} : { minCosine }),
          },
        }
      : {}),
    ...(box ? { space: { type: "box", min: vec3(box.min), max: vec3(box.max) } } : {}),
    ...(point
      ? {
          space:
            radiusM === undefined
              ? { type: "nearest", point: vec3(point), metric: "centre" }
              : { type: "radius", centre: vec3(point), radiusM, metric: "centre" },
        }
      : {}),
    ...(window ? { time: { overlaps: window } } : {}),
    ...(window && !vector && !words ? { rank: "latest" } : {}),
    limit,
  };
}

function vec3([x, y, z]: readonly [number, number, number]) {
  return { x, y, z };
}
