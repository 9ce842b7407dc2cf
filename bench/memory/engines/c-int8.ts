import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import type { BenchRow, QueryArgs, QueryKind } from "../workload.ts";
import { bytesOf, folderBytes } from "./shared.ts";

const SOURCE = fileURLToPath(new URL("./c-int8.c", import.meta.url));

/** A plain C scan of int8 rows, compiled here for this processor: what no engine can be much faster than. */
export const adapter: EngineAdapter = {
  async missing() {
    const found = spawnSync("cc", ["--version"], { stdio: "ignore" });
    return found.status === 0 ? null : "no C compiler (cc) on this machine";
  },
  async open(context) {
    mkdirSync(context.folder, { recursive: true });
    return new CInt8Bench(context);
  },
  sharedBetweenProcesses: false,
};

class CInt8Bench implements BenchEngine {
  readonly bulkRows = 10_000;
  readonly #context: EngineContext;
  readonly #data: string;
  readonly #scales: number[] = [];
  #file: number | undefined;
  #scan: { child: ChildProcess; lines: AsyncIterator<string>; reader: Interface } | undefined;
  #lastMs = 0;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#data = join(context.folder, "rows.i8");
  }

  /** One scale a row: the greatest number becomes 127, as in Loci's resident vectors. */
  async load(rows: readonly BenchRow[]): Promise<void> {
    this.#file ??= openSync(this.#data, "w");
    for (const { vector } of rows) {
      const { bytes, scale } = int8Of(vector);
      writeSync(this.#file, bytes);
      this.#scales.push(scale);
    }
  }

  async finishLoad(): Promise<void> {
    writeSync(this.#file!, bytesOf(Float32Array.from(this.#scales)));
    closeSync(this.#file!);
    const made = spawnSync("cc", ["-O3", "-march=native", "-o", this.#program(), SOURCE], {
      encoding: "utf8",
    });
    if (made.status !== 0) throw new Error(`cc could not compile ${SOURCE}: ${made.stderr}`);
  }

  async write(): Promise<void> {
    throw new Error("the C scan is read only");
  }

  plans(kind: QueryKind): readonly string[] | { cannot: string } {
    return kind === "semantic" ? ["int8 scan, not reranked"] : { cannot: "a scan of vectors only" };
  }

  async query(_kind: QueryKind, args: QueryArgs): Promise<number[]> {
    this.#scan ??= this.#start();
    this.#scan.child.stdin!.write(int8Of(args.vector!).bytes);
    const { value } = await this.#scan.lines.next();
    const [ns, ...rows] = String(value).split(" ").map(Number);
    this.#lastMs = ns! / 1e6;
    return rows;
  }

  selfTimedMs(): number {
    return this.#lastMs;
  }

  diskBytes(): Promise<number> {
    return folderBytes(this.#context.folder);
  }

  async rssBytes(): Promise<number> {
    return this.#context.n * (this.#context.dim + 4);
  }

  async close(): Promise<void> {
    this.#scan?.child.stdin?.end();
    this.#scan?.reader.close();
  }

  #program(): string {
    return join(this.#context.folder, "c-int8");
  }

  #start() {
    const { n, dim } = this.#context;
    if (!existsSync(this.#program())) throw new Error("the C scan was not loaded");
    const child = spawn(this.#program(), [this.#data, String(n), String(dim)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const reader = createInterface({ input: child.stdout! });
    return { child, reader, lines: reader[Symbol.asyncIterator]() };
  }
}

function int8Of(vector: Float32Array): { bytes: Int8Array; scale: number } {
  let greatest = 0;
  for (const value of vector) greatest = Math.max(greatest, Math.abs(value));
  const scale = greatest / 127 || 1;
  return { bytes: Int8Array.from(vector, (value) => Math.round(value / scale)), scale };
}
