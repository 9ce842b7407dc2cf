import { z } from "zod";
import { parseOrThrow } from "../../schema/index.ts";
import { backgroundOf, UNRELATED_TEXTS } from "../background.ts";
import { EMBED_LIMITS, type TextEmbedder } from "../embedder.ts";
import { textEmbedder, unitRow } from "../embedder-rules.ts";

const BATCH_SIZE = 1_024;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** A whole word outweighs its pieces, so that "mug" is nearer to "red mug" than to "muggy". */
const WORD_WEIGHT = 1;
const GRAM_WEIGHT = 0.5;

/**
 * Spelling, not meaning: words and their character 3- to 5-grams hashed into signed buckets
 * (docs/formulas.md#hashing). Deterministic, instant and without weights; it finds equal and similar spellings, never
 * synonyms, so it is for tests that need speed.
 */
export function openHashing(dim = 256): TextEmbedder {
  parseOrThrow(z.int().min(2).max(EMBED_LIMITS.dim), dim, "the hashing embedder's dimension");
  const info = { id: `hashing-v1-${dim}`, dim };
  const rowOf = (text: string) => hashText(text, dim);
  const probes = UNRELATED_TEXTS.map((text) => unitRow(rowOf(text) ?? [], info));
  return textEmbedder({
    info,
    batchSize: BATCH_SIZE,
    background: backgroundOf(probes),
    embedBatch: async (texts) => texts.map(rowOf),
    close: async () => {},
  });
}

function hashText(text: string, dim: number): Float32Array | null {
  const row = new Float32Array(dim);
  // Compatibility forms and case make no difference. A symbol (an emoji) is a word of its own.
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+|\p{S}/gu) ?? [];
  for (const word of words) {
    add(row, word, WORD_WEIGHT);
    const letters = [...`<${word}>`];
    for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) {
      for (let start = 0; start + size <= letters.length; start++) {
        add(row, letters.slice(start, start + size).join(""), GRAM_WEIGHT);
      }
    }
  }
  // Signed buckets can cancel out; then nothing is left to compare.
  return row.some((value) => value !== 0) ? row : null;
}

function add(row: Float32Array, token: string, weight: number): void {
  const hash = fnv1a(token);
  const bucket = (hash >>> 1) % row.length;
  row[bucket] = row[bucket]! + (hash & 1 ? weight : -weight);
}

/** FNV-1a over UTF-16 units, with a final mix: its lowest bit, our sign, is weak on its own. */
function fnv1a(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
