import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { hitLine, type QueryOptions, queryOf } from "../query.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends MemoryOptions, ReadAs, QueryOptions {
  readonly limit: number;
  readonly explain?: boolean;
}

export async function run(options: Options, terminal: Terminal): Promise<void> {
  const { hits, plan } = await withMemory(options, { create: false }, (memory) =>
    queryOf(memory.as(readerOptions(options)), options).explain(options.limit, { signal: terminal.signal }),
  );
  terminal.result({ hits, plan }, () => {
    const lines = hits.map((hit, i) => `${i + 1}. ${hitLine(hit)}`);
    if (hits.length === 0) lines.push("nothing found");
    if (options.explain) {
      lines.push(`plan: ${plan.engine}, driven by ${plan.driver}, ranked by ${plan.rank}`);
      for (const { step, left } of plan.steps) lines.push(`   ${step}: ${left.toLocaleString("en")} left`);
    }
    return lines.join("\n");
  });
}
