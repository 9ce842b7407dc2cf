import { type ExportRequest, exportMemory } from "../../../compose.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export interface ExportCommandOptions extends MemoryOptions, ReadAs {
  readonly format?: NonNullable<ExportRequest["format"]>;
  readonly at?: number;
  readonly scene?: string;
  readonly floor?: number;
  readonly resolution?: number;
}

export async function run(options: ExportCommandOptions, terminal: Terminal, file: string): Promise<void> {
  const { counts, ...report } = await withMemory(options, { create: false }, (memory) =>
    exportMemory(memory.as(readerOptions(options)), file, {
      ...(options.format !== undefined && { format: options.format }),
      ...(options.at !== undefined && { atUs: options.at }),
      ...(options.scene !== undefined && { sceneId: options.scene }),
      ...(options.floor !== undefined && { floor: options.floor }),
      ...(options.resolution !== undefined && { resolutionM: options.resolution }),
      signal: terminal.signal,
      onProgress: (done) => terminal.progress(done),
    }),
  );
  for (const note of report.notes) terminal.note(`note: ${note}`);
  terminal.result({ file, ...report, ...counts }, () => {
    const held = Object.entries(counts).map(([name, n]) =>
      name.endsWith("s") ? countOf(n, name.slice(0, -1)) : `${name} ${n}`,
    );
    return `wrote ${held.join(", ")} to ${file} (${report.format}, ${Math.ceil(report.bytes / 1000)} kB)`;
  });
}
