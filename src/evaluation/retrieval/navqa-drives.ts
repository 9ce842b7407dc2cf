import type { MemoryReader, WriteBatch } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/embedder.ts";
import { loadDataset } from "../datasets/index.ts";
import { windowOf } from "../runner/suite.ts";
import type { CaptionDrive } from "./caption-recall.ts";

/** An empty memory that can be filled and asked. */
export interface DriveMemory {
  readonly reader: MemoryReader;
  readonly embedder: TextEmbedder;
  write(batch: WriteBatch): Promise<unknown>;
}

/**
 * NaVQA's drives with only the captions of their gold segments in memory. A question's gold captions are those of the
 * segments that it quotes; one whose answer lies outside its own time has no window.
 */
export async function navqaDrives(
  folder: string,
  make: (sceneId: string) => Promise<DriveMemory>,
): Promise<CaptionDrive[]> {
  const { scenes, excluded } = loadDataset("navqa", folder);
  const outside = new Set(excluded.map(({ questionId }) => questionId));
  const drives: CaptionDrive[] = [];
  for (const { id, records, questions } of scenes) {
    const captions = records.flatMap((record) =>
      record.kind === "caption" && record.id !== undefined ? [{ ...record, id: record.id }] : [],
    );
    const { reader, embedder, write } = await make(id);
    await write({ records: captions });
    const asked = questions.flatMap((question) => {
      const gold = captions.filter(({ validFromUs, validToUs }) =>
        question.evidenceTimesUs.some((t) => t >= validFromUs && (validToUs == null || t < validToUs)),
      );
      if (gold.length === 0) return [];
      return [
        {
          text: question.text,
          gold: gold.map((caption) => caption.id),
          askedAtUs: question.askedAtUs,
          ...(outside.has(question.id) ? {} : { window: windowOf(question) }),
        },
      ];
    });
    drives.push({ id, reader, embedder, questions: asked });
  }
  return drives;
}
