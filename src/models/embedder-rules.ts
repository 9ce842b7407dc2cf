import { type EmbedderInfo, inSlices, LociError, throwIfAborted } from "../schema/core.ts";
import {
  type Background,
  EMBED_LIMITS,
  type EmbedOptions,
  type EncodedImage,
  type ImageEmbedder,
  type TextEmbedder,
} from "./embedder.ts";

/** A model without the port's rules: texts with meaning, at most `batchSize` of them, to raw rows. */
export interface TextModel {
  readonly info: EmbedderInfo;
  readonly batchSize: number;
  readonly background?: Background;
  /** A row of any non-zero length; null if the model finds no meaning. */
  embedBatch(texts: readonly string[], options: EmbedOptions): Promise<readonly (Row | null)[]>;
  close(): Promise<void>;
}

export interface ImageModel {
  readonly info: EmbedderInfo;
  readonly imageBatchSize: number;
  readonly textBatchSize: number;
  embedImages(images: readonly Uint8Array[], options: EmbedOptions): Promise<readonly Row[]>;
  embedTexts?(texts: readonly string[], options: EmbedOptions): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** One vector as a model gives it. */
export type Row = Float32Array | readonly number[];

/** Adds the port's rules (limits, blank lines, batches, unit length, abort, close) to a model. */
export function textEmbedder(model: TextModel): TextEmbedder {
  const door = doorOf(model.info.id, () => model.close());
  return {
    info: model.info,
    batchSize: model.batchSize,
    ...(model.background === undefined ? {} : { background: model.background }),
    async embed(lines, options = {}) {
      door.enter(options.signal);
      checkTexts(lines);
      const run = (batch: readonly string[]) => model.embedBatch(batch, options);
      return embedSome(lines, isBlank, model.batchSize, model.info, options, run);
    },
    close: door.close,
  };
}

/** The same for pictures. */
export function imageEmbedder(model: ImageModel): ImageEmbedder {
  const door = doorOf(model.info.id, () => model.close());
  const embedTexts = model.embedTexts?.bind(model);
  const embedder: ImageEmbedder = {
    info: model.info,
    async embed(images, options = {}) {
      door.enter(options.signal);
      checkImages(images);
      const run = (batch: readonly EncodedImage[]) =>
        model.embedImages(
          batch.map((image) => image.bytes),
          options,
        );
      const empty = (image: EncodedImage) => image.bytes.length === 0;
      return embedSome(images, empty, model.imageBatchSize, model.info, options, run);
    },
    close: door.close,
  };
  if (embedTexts === undefined) return embedder;
  return {
    ...embedder,
    async embedText(lines, options = {}) {
      door.enter(options.signal);
      checkTexts(lines);
      const run = (batch: readonly string[]) => embedTexts(batch, options);
      return embedSome(lines, isBlank, model.textBatchSize, model.info, options, run);
    },
  };
}

/** No letter, digit or symbol (emoji are symbols): nothing with a meaning. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{S}]/u.test(text);
}

/** Refuses a call past the port's limits before any work. */
export function checkTexts(lines: readonly string[]): void {
  atMost(lines.length, EMBED_LIMITS.textsPerCall, "texts in one call");
  for (const line of lines) atMost(line.length, EMBED_LIMITS.charsPerText, "characters in one text");
}

/** The row as our own unit vector. The sum uses double precision, so the scale is the same everywhere. */
export function unitRow(row: Row, info: EmbedderInfo): Float32Array {
  if (row.length !== info.dim) {
    throw new LociError(
      "embedder-mismatch",
      `${info.id}: expected vectors of ${info.dim} numbers, got ${row.length}; was the model behind it changed?`,
    );
  }
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i]! * row[i]!;
  if (!Number.isFinite(sum) || sum === 0) {
    throw new LociError(
      "model-failed",
      `${info.id}: expected finite numbers that are not all zero in a vector`,
    );
  }
  const scale = 1 / Math.sqrt(sum);
  const unit = new Float32Array(info.dim);
  for (let i = 0; i < unit.length; i++) unit[i] = row[i]! * scale;
  return unit;
}

function checkImages(images: readonly EncodedImage[]): void {
  atMost(images.length, EMBED_LIMITS.imagesPerCall, "images in one call");
  images.forEach(({ bytes }, index) => {
    atMost(bytes.length, EMBED_LIMITS.bytesPerImage, "bytes in one image");
    if (bytes.length > 0 && !isPng(bytes) && !isJpeg(bytes)) {
      throw new LociError("invalid-input", `image ${index}: expected PNG or JPEG bytes`);
    }
  });
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const isPng = (bytes: Uint8Array) => PNG_SIGNATURE.every((value, index) => bytes[index] === value);
const isJpeg = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

function atMost(got: number, limit: number, what: string): void {
  if (got > limit) throw new LociError("limit-exceeded", `expected at most ${limit} ${what}, got ${got}`);
}

async function embedSome<T>(
  items: readonly T[],
  isEmpty: (item: T) => boolean,
  batchSize: number,
  info: EmbedderInfo,
  options: EmbedOptions,
  run: (batch: readonly T[]) => Promise<readonly (Row | null)[]>,
): Promise<(Float32Array | null)[]> {
  const vectors = new Array<Float32Array | null>(items.length).fill(null);
  const indexes = [...items.keys()].filter((index) => !isEmpty(items[index]!));
  // Without it, batches that each stay below a slice would together block the thread.
  const othersFirst = inSlices();
  for (let start = 0; start < indexes.length; start += batchSize) {
    await othersFirst();
    throwIfAborted(options.signal);
    const chunk = indexes.slice(start, start + batchSize);
    const rows = await run(chunk.map((index) => items[index]!));
    if (rows.length !== chunk.length) {
      throw new LociError("model-failed", `${info.id}: expected ${chunk.length} vectors, got ${rows.length}`);
    }
    rows.forEach((row, i) => {
      vectors[chunk[i]!] = row === null ? null : unitRow(row, info);
    });
  }
  throwIfAborted(options.signal);
  return vectors;
}

function doorOf(id: string, closeModel: () => Promise<void>) {
  let closing: Promise<void> | null = null;
  return {
    enter(signal: AbortSignal | undefined): void {
      if (closing) throw new LociError("model-unavailable", `${id}: this embedder is closed`);
      throwIfAborted(signal);
    },
    close: (): Promise<void> => {
      closing ??= closeModel();
      return closing;
    },
  };
}
