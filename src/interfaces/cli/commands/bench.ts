import { existsSync } from "node:fs";
import { LociError } from "../../../schema/core.ts";
import type { Terminal } from "../terminal.ts";

export interface BenchOptions {
  readonly json?: boolean;
  readonly n: number;
  readonly dim: number;
  readonly engines?: string[];
  readonly queries?: number;
  readonly budget?: number;
  readonly writers?: boolean;
  readonly growth?: boolean;
}

/** The part of bench/memory/run.ts that is used here; the bench is not in the published package. */
interface MemoryBench {
  runMemoryBench(options: object): Promise<unknown>;
  formatReport(report: unknown): string;
  readonly GROWTH_SIZES: readonly number[];
}

export async function run(options: BenchOptions, terminal: Terminal): Promise<void> {
  const file = new URL("../../../../bench/memory/run.ts", import.meta.url);
  if (!existsSync(file)) {
    throw new LociError(
      "not-supported",
      "the benchmarks are part of the source checkout; clone the repository to run them",
    );
  }
  const { runMemoryBench, formatReport, GROWTH_SIZES } = (await import(file.href)) as MemoryBench;
  try {
    const report = await runMemoryBench({
      n: options.n,
      dim: options.dim,
      ...(options.engines && { engines: options.engines }),
      ...(options.queries !== undefined && { queries: options.queries }),
      ...(options.budget !== undefined && { budgetS: options.budget }),
      ...(options.writers && { writers: true }),
      ...(options.growth && { growth: GROWTH_SIZES }),
      signal: terminal.signal,
      onProgress: (line: string) => terminal.note(line),
    });
    terminal.result(report, () => formatReport(report));
  } catch (error) {
    if (error instanceof RangeError) throw new LociError("invalid-input", error.message, { cause: error });
    throw error;
  }
}
