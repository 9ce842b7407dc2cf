import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Memory, openMemory } from "../../compose/memory.ts";
import type { CaptionRecallRow, Ranker } from "./caption-recall.ts";
import type { ForestReport } from "./forest-report.ts";

/** How often the captions with an answer are found, key by key and plan by plan, on NaVQA's drives. */
export async function evaluateCaptionRecall(
  data: string,
  rankers: readonly string[] = ["words", "meaning", "fused", "flat-rag", "star", "auto"],
): Promise<{ rows: CaptionRecallRow[]; text: string }> {
  const { captionRecall, formatCaptionRecall, SCOPES } = await import("./caption-recall.ts");
  const { navqaDrives } = await import("./navqa-drives.ts");
  const folder = await mkdtemp(join(tmpdir(), "loci-eval-"));
  const opened: Memory[] = [];
  try {
    const drives = await navqaDrives(data, async (id) => {
      const memory = await openMemory(join(folder, id));
      opened.push(memory);
      return {
        reader: await memory.reader(),
        embedder: await memory.embedder(),
        write: (batch: Parameters<Memory["write"]>[0]) => memory.write(batch),
      };
    });
    const rows: CaptionRecallRow[] = [];
    for (const scope of SCOPES) rows.push(...(await captionRecall(drives, rankers as Ranker[], scope)));
    return { rows, text: formatCaptionRecall(rows) };
  } finally {
    for (const memory of opened) await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Our forest beside that of Embodied-RAG's authors, over their captioned places. */
export async function evaluateForest(data: string): Promise<{ report: ForestReport; text: string }> {
  const { compareForests, formatForestReport } = await import("./forest-report.ts");
  const { openEmbedder, parseEmbedderSpec } = await import("../../models/index.ts");
  const embedder = await openEmbedder(parseEmbedderSpec("loci", {}));
  try {
    const report = await compareForests(data, embedder);
    return { report, text: formatForestReport(report) };
  } finally {
    await embedder.close();
  }
}
