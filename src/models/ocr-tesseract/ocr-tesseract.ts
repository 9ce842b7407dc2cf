import { dirname, join } from "node:path";
import sharp from "sharp";
import { LociError, type RgbImage, throwIfAborted } from "../../schema/index.ts";
import { findPackage, importOptional } from "../optional-package.ts";
import type { FoundText, TextReader } from "../text-reader.ts";

const ID = "tesseract-7-eng";
const LANGUAGE = "@tesseract.js-data/eng";
const INSTALL = "npm install tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0";
/** Letters below about twenty pixels are not read, so small pictures are enlarged to this width. */
const WIDTH_PX = 1_280;
/** Shadows and edges are read as short words with low confidence. */
const MIN_CONFIDENCE = 80;
const MIN_LETTERS = 3;
const MAX_LINES = 64;
const TIMEOUT_MS = 60_000;
/** Single lines anywhere, in no order: a sign is not a page. */
const SPARSE_TEXT = "11";

interface Word {
  readonly text: string;
  readonly confidence: number;
  readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
}

interface Page {
  readonly blocks?:
    | readonly { paragraphs: readonly { lines: readonly { words: readonly Word[] }[] }[] }[]
    | null;
}

interface Tesseract {
  createWorker(
    language: string,
    engine: number,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    setParameters(parameters: Readonly<Record<string, string>>): Promise<unknown>;
    recognize(image: Uint8Array, options: object, output: object): Promise<{ data: Page }>;
    terminate(): Promise<unknown>;
  }>;
}

/** The folder of its English data; throws an error that says what to install. */
export function findTesseract(packagesFrom: string | undefined): string {
  const language = findPackage(LANGUAGE, packagesFrom);
  if (findPackage("tesseract.js", packagesFrom) === null || language === null)
    throw new LociError(
      "model-unavailable",
      `reading signs needs tesseract.js and its English data; run: ${INSTALL}`,
    );
  return language;
}

/**
 * Tesseract (Apache-2.0) as WebAssembly in a thread of its own, English, from self-contained npm packages: no
 * network. It reads print that is sharp and nearly level; a blurred or slanted sign is skipped rather than misread.
 */
export async function openTesseract(packagesFrom: string | undefined): Promise<TextReader> {
  const language = findTesseract(packagesFrom);
  const { createWorker } = await importOptional<Tesseract>("tesseract.js", "7.0.0", packagesFrom);
  const worker = await createWorker("eng", 1, {
    langPath: join(dirname(language), "4.0.0_best_int"),
    gzip: true,
    cacheMethod: "none",
  }).catch((cause: unknown) => {
    throw new LociError("model-failed", `tesseract does not start: ${String(cause).slice(0, 200)}`, {
      cause,
    });
  });
  await worker.setParameters({ tessedit_pageseg_mode: SPARSE_TEXT });
  return {
    id: ID,
    frames: true,
    async read(picture, { signal } = {}) {
      throwIfAborted(signal);
      const { width, height, data } = picture;
      const scale = Math.max(1, WIDTH_PX / width);
      const png = await sharp(data, { raw: { width, height, channels: 3 } })
        .resize(Math.round(width * scale), Math.round(height * scale))
        .greyscale()
        .png({ compressionLevel: 1 })
        .toBuffer();
      const { data: page } = await within(worker.recognize(png, {}, { blocks: true, text: false }));
      throwIfAborted(signal);
      return linesOf(page, picture, scale);
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

/** The lines whose every word is certain, in pixels of the picture. */
function linesOf({ blocks }: Page, { width, height }: RgbImage, scale: number): FoundText[] {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) =>
    paragraphs.flatMap((paragraph) => paragraph.lines),
  );
  return lines
    .flatMap(({ words }): FoundText[] => {
      const sure = words.filter(
        ({ confidence, text }) => confidence >= MIN_CONFIDENCE && /[\p{L}\d]/u.test(text),
      );
      const text = sure.map((word) => word.text).join(" ");
      if (text.replace(/[^\p{L}\d]/gu, "").length < MIN_LETTERS) return [];
      const side = (pick: (word: Word) => number, choose: (...all: number[]) => number, most: number) =>
        Math.max(0, Math.min(most, choose(...sure.map(pick)) / scale));
      return [
        {
          text,
          bbox: [
            side(({ bbox }) => bbox.x0, Math.min, width),
            side(({ bbox }) => bbox.y0, Math.min, height),
            side(({ bbox }) => bbox.x1, Math.max, width),
            side(({ bbox }) => bbox.y1, Math.max, height),
          ],
          score: Math.min(...sure.map(({ confidence }) => confidence)) / 100,
        },
      ];
    })
    .slice(0, MAX_LINES);
}

/** A picture not read in time is an error; the thread ends when the reader is closed. */
async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new LociError("model-failed", `${ID}: no answer within ${TIMEOUT_MS} ms`)),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
