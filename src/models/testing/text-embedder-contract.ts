import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idSchema } from "../../schema/index.ts";
import { EMBED_LIMITS, type TextEmbedder } from "../embedder.ts";

export interface ContractSubject {
  open(): Promise<TextEmbedder>;
  /** Why it cannot run here, or null. */
  readonly skip?: string | null;
  /** How far the cosine of one text with itself may be from 1 between batches: 0 for equal bits. */
  readonly tolerance?: number;
}

const LINES = [
  "red mug",
  "the parking garage is closed on Sundays",
  "Wo ist mein Schlüssel?",
  "キッチンのテーブル",
  "أين الكتاب",
  "e\u0301te\u0301 à la plage",
  "🙂 thumbs up 👍🏽",
  "half a pair \ud83d here",
  "null\u0000byte and\ttab\nand line",
  "7",
];
const BLANKS = ["", "   ", "\n\t", "...", "?!", "\u200b\u200d", "\u0301"];

/** The contract of every text embedder. */
export function describeTextEmbedder(name: string, subject: ContractSubject): void {
  const title = `${name}: the text embedder's contract`;
  const { skip = null, tolerance = 0 } = subject;
  if (skip !== null) {
    describe(title, () => it.skip(`not run: ${skip}`, () => {}));
    return;
  }

  describe(title, () => {
    let embedder: TextEmbedder;
    beforeAll(async () => {
      embedder = await subject.open();
    });
    afterAll(() => embedder?.close());

    function expectSame(got: (Float32Array | null)[], expected: (Float32Array | null)[]): void {
      expect(got.length).toBe(expected.length);
      got.forEach((vector, index) => {
        const other = expected[index];
        if (tolerance === 0 || !vector || !other) expect(vector).toEqual(other);
        else expect(cosine(vector, other)).toBeGreaterThan(1 - tolerance);
      });
    }

    it("says which model it is and how long its vectors are", () => {
      expect(idSchema.safeParse(embedder.info.id).success).toBe(true);
      expect(embedder.info.dim).toBeGreaterThan(1);
      expect(embedder.info.dim).toBeLessThanOrEqual(EMBED_LIMITS.dim);
      expect(Number.isInteger(embedder.info.dim)).toBe(true);
      expect(embedder.batchSize).toBeGreaterThan(0);
    });

    it("gives unit vectors, or null, for any script, emoji and broken surrogates", async () => {
      const vectors = await embedder.embed(LINES);
      expect(vectors.length).toBe(LINES.length);
      expect(vectors[0]).not.toBeNull();
      for (const vector of vectors) {
        if (vector === null) continue;
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector.length).toBe(embedder.info.dim);
        expect(Math.abs(Math.sqrt(cosine(vector, vector)) - 1)).toBeLessThan(1e-5);
      }
    });

    it("tells different texts apart", async () => {
      const [mug, garage] = await embedder.embed(["red mug", "the parking garage is closed on Sundays"]);
      expect(cosine(mug!, garage!)).toBeLessThan(0.99);
    });

    it("keeps the order, and a text's vector does not depend on its company", async () => {
      const together = await embedder.embed(LINES);
      for (const [index, line] of LINES.entries())
        expectSame(await embedder.embed([line]), [together[index]!]);
      expectSame(await embedder.embed(LINES.toReversed()), together.toReversed());
    });

    it("gives the same vectors when opened again", async () => {
      const again = await subject.open();
      try {
        expect(again.info).toEqual(embedder.info);
        expectSame(await again.embed(LINES), await embedder.embed(LINES));
      } finally {
        await again.close();
      }
    });

    it("answers null for lines without meaning, in their places", async () => {
      expect(await embedder.embed(BLANKS)).toEqual(BLANKS.map(() => null));
      const mixed = await embedder.embed(["", "red mug", " ", "red mug"]);
      expect(mixed.map((vector) => vector !== null)).toEqual([false, true, false, true]);
      expectSame([mixed[1]!], [mixed[3]!]);
      expect(await embedder.embed([])).toEqual([]);
    });

    it("splits more lines than a batch holds", async () => {
      const count = Math.min(2 * embedder.batchSize + 1, EMBED_LIMITS.textsPerCall);
      const lines = Array.from({ length: count }, (_, index) => `shelf ${index % 7}`);
      const vectors = await embedder.embed(lines);
      expectSame(vectors.slice(-3), await embedder.embed(lines.slice(-3)));
    });

    it("takes a text as long as the limit, and refuses one longer or too many", async () => {
      const long = "mug ".repeat(EMBED_LIMITS.charsPerText / 4);
      expect((await embedder.embed([long]))[0]?.length).toBe(embedder.info.dim);
      await expect(embedder.embed([`${long}!`])).rejects.toMatchObject({ code: "limit-exceeded" });
      const many = new Array<string>(EMBED_LIMITS.textsPerCall + 1).fill("mug");
      await expect(embedder.embed(many)).rejects.toMatchObject({ code: "limit-exceeded" });
    });

    it("stops when aborted, before and during, and works on afterwards", async () => {
      const signal = AbortSignal.abort();
      await expect(embedder.embed(["red mug"], { signal })).rejects.toMatchObject({ code: "aborted" });
      const controller = new AbortController();
      const lines = Array.from(
        { length: 3 * Math.min(embedder.batchSize, 64) },
        (_, index) => `box ${index}`,
      );
      const call = embedder.embed(lines, { signal: controller.signal });
      controller.abort();
      await expect(call).rejects.toMatchObject({ code: "aborted" });
      expect((await embedder.embed(["red mug"]))[0]).not.toBeNull();
    });

    it("answers calls made at the same time, each its own", async () => {
      const alone = await embedder.embed(LINES);
      const answers = await Promise.all(LINES.map((line) => embedder.embed([line])));
      expectSame(answers.flat(), alone);
    });

    it("hands out vectors that the caller may write into", async () => {
      const [first] = await embedder.embed(["red mug"]);
      const kept = first!.slice();
      first!.fill(Number.NaN);
      expectSame(await embedder.embed(["red mug"]), [kept]);
    });

    it("has a background that thresholds can stand on, if it has one", () => {
      const { background } = embedder;
      if (!background) return;
      expect(background.sd).toBeGreaterThan(0);
      expect(background.sd).toBeLessThan(1);
      expect(background.mean).toBeGreaterThan(-1);
      expect(background.mean).toBeLessThan(1);
    });

    it("closes more than once, and answers no more", async () => {
      const other = await subject.open();
      await Promise.all([other.close(), other.close()]);
      await other.close();
      await expect(other.embed(["red mug"])).rejects.toMatchObject({ code: "model-unavailable" });
    });
  });
}

/** In double precision, as in the engines' scores. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
