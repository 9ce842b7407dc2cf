import type { ExportFormat, ExportOptions, ExportReport } from "../exchange/formats/format.ts";
import type { Memory } from "./memory.ts";

export type ExportRequest = ExportOptions & { readonly format?: ExportFormat };

/**
 * Writes a memory as a file for other tools: the format is the one its name ends in, or the one given. It shows what
 * the memory's view may see (`memory.as(…)`), and is there under its name only when it is whole.
 */
export async function exportMemory(
  memory: Memory,
  path: string,
  request: ExportRequest = {},
): Promise<ExportReport & { readonly format: ExportFormat }> {
  const { exportReader } = await import("../exchange/export.ts");
  return exportReader(await memory.reader(), path, request);
}
