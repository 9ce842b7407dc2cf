import { LociError } from "../../schema/core.ts";
import { inSlices } from "../../schema/effort.ts";
import { backgroundOf, UNRELATED_TEXTS } from "../background.ts";
import type { TextEmbedder } from "../embedder.ts";
import { textEmbedder, unitRow } from "../embedder-rules.ts";

/** What the port needs of our own encoder (`loci-encoder/encoder.ts`). */
export interface StaticEncoder {
  readonly id: string;
  readonly dim: number;
  /** Null if no word of the text carries meaning. */
  encode(text: string): Float32Array | null;
}

/** At microseconds per text; after a few milliseconds, such as for one long text, it yields. */
const BATCH_SIZE = 256;

/**
 * The default embedder: our own encoder behind the port. It runs on the calling thread, because passing a text to
 * another thread would cost more than encoding it.
 */
export async function openLociText(encoder?: StaticEncoder): Promise<TextEmbedder> {
  const model = encoder ?? (await openShippedEncoder());
  const info = { id: model.id, dim: model.dim };
  const probes = UNRELATED_TEXTS.map((text) => model.encode(text));
  return textEmbedder({
    info,
    batchSize: BATCH_SIZE,
    background: backgroundOf(probes.map((row) => (row === null ? null : unitRow(row, info)))),
    async embedBatch(texts) {
      const rows: (Float32Array | null)[] = [];
      const othersFirst = inSlices();
      for (const text of texts) {
        rows.push(model.encode(text));
        await othersFirst();
      }
      return rows;
    },
    close: async () => {},
  });
}

async function openShippedEncoder(): Promise<StaticEncoder> {
  try {
    const { LociEncoder } = await import("../loci-encoder/encoder.ts");
    return LociEncoder.open();
  } catch (error) {
    if (error instanceof LociError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new LociError("model-unavailable", `the bundled text encoder cannot be opened: ${why}`, {
      cause: error,
    });
  }
}
