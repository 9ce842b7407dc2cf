import { z } from "zod";
import { LociError } from "../../schema/index.ts";
import { EMBED_LIMITS } from "../embedder.ts";

const BASE64_CHARS = Math.ceil((EMBED_LIMITS.dim * 4) / 3) * 4;

const replySchema = z.object({
  data: z.array(
    z.object({
      // Some servers omit it and answer in order.
      index: z.int().min(0).optional(),
      embedding: z.union([
        z.array(z.number()).min(1).max(EMBED_LIMITS.dim),
        z.base64().min(1).max(BASE64_CHARS),
      ]),
    }),
  ),
});

/** The vectors of an answer, in the order of the texts. */
export function parseReply(json: unknown, count: number, id: string): (Float32Array | number[])[] {
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.map(String).join(".") || "the top";
    throw new LociError(
      "model-failed",
      `${id}: expected an embeddings answer, got ${issue?.message} at ${where}`,
    );
  }
  const rows = new Array<Float32Array | number[] | undefined>(count);
  parsed.data.data.forEach(({ index, embedding }, place) => {
    const at = index ?? place;
    if (at >= count || rows[at] !== undefined) {
      throw new LociError(
        "model-failed",
        `${id}: expected each of ${count} texts once, got number ${at} again or beyond`,
      );
    }
    rows[at] = typeof embedding === "string" ? floatsOf(embedding, id) : embedding;
  });
  const missing = rows.indexOf(undefined);
  if (missing >= 0)
    throw new LociError("model-failed", `${id}: expected ${count} vectors, got none for text ${missing}`);
  return rows.filter((row) => row !== undefined);
}

/** Little-endian float32, as in OpenAI's base64, whatever this machine's byte order. */
function floatsOf(base64: string, id: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length % 4 !== 0)
    throw new LociError("model-failed", `${id}: expected float32 in base64, got ${bytes.length} bytes`);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
