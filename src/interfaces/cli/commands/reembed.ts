import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export async function run(
  options: MemoryOptions & { readonly to: string },
  terminal: Terminal,
): Promise<void> {
  const report = await withMemory(options, { create: false }, (memory) =>
    memory.reembed(options.to, {
      signal: terminal.signal,
      onProgress: (done, total) => terminal.progress(`${done} of ${total} texts`),
    }),
  );
  terminal.result(
    report,
    () =>
      `embedded ${countOf(report.embedded, "text")} by ${options.to}${report.resumedFrom ? " (went on where it had stopped)" : ""}; ${report.withoutMeaning} without meaning`,
  );
}
