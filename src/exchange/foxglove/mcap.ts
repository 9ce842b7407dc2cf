import type { MemoryReader } from "../../memory/index.ts";
import type { ExportOptions, ExportReport } from "../formats/format.ts";
export async function exportMcap(_r: MemoryReader, _p: string, _o: ExportOptions): Promise<ExportReport> {
  throw new Error("soon");
}
