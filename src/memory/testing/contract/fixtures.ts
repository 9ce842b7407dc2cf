import { expect } from "vitest";
import { Random } from "../../../geometry/index.ts";
import type { ErrorCode, RecordInput, RecordKind } from "../../../schema/index.ts";
import { blobRefOf, isLociError } from "../../../schema/index.ts";
import type { MemoryEngine, MemoryReader, MemoryWriter, ReaderOptions, WriteBatch } from "../../port.ts";

/** The input of a suite: how to open an empty engine. */
export type OpenEngine = (options: { dim: number }) => Promise<OpenedEngine>;

export interface OpenedEngine {
  readonly engine: MemoryEngine;
  /** Closes and opens the same memory again; absent where the engine is not persistent. */
  readonly reopen?: () => Promise<MemoryEngine>;
  readonly cleanUp: () => Promise<void>;
}

/** Short vectors keep failures readable; engines must not assume a length. */
export const DIM = 8;
export const EMBEDDER = { id: "test-text", dim: DIM };
export const IMAGE_EMBEDDER = { id: "test-image", dim: DIM };

/** An engine with its one writer and a reader of everything, both embedders declared. */
export interface Rig {
  readonly engine: MemoryEngine;
  readonly writer: MemoryWriter;
  readonly reader: MemoryReader;
  readonly opened: OpenedEngine;
  as(options: ReaderOptions): Promise<MemoryReader>;
  /** For a principal that holds these labels. */
  holding(labels: readonly string[], options?: ReaderOptions): Promise<MemoryReader>;
  /** Writes records with a vector for every line. */
  put(records: readonly RecordInput[], rest?: Omit<WriteBatch, "records">): Promise<number>;
}

export async function withRig(open: OpenEngine, test: (rig: Rig) => Promise<void>): Promise<void> {
  const opened = await open({ dim: DIM });
  try {
    await test(await rigOf(opened));
  } finally {
    await opened.cleanUp();
  }
}

export async function rigOf(opened: OpenedEngine): Promise<Rig> {
  const { engine } = opened;
  const writer = await engine.writer();
  await writer.setEmbedder("text", EMBEDDER);
  await writer.setEmbedder("image", IMAGE_EMBEDDER);
  return {
    engine,
    writer,
    opened,
    reader: await engine.reader(),
    as: (options) => engine.reader(options),
    holding: (labels, options) => engine.reader({ ...options, principal: { id: "someone", labels } }),
    put: async (records, rest) => {
      const commit = await writer.write({ ...rest, records, vectors: vectorsFor(records) });
      return commit.commitUs;
    },
  };
}

export function vectorsFor(records: readonly RecordInput[]): { text: string; vector: Float32Array }[] {
  const lines = new Set(records.flatMap((record) => record.text ?? []));
  return [...lines].map((text) => ({ text, vector: vectorOf(text) }));
}

/** The same text has the same unit-length vector everywhere. */
export function vectorOf(text: string, dim = DIM): Float32Array {
  const random = new Random(text);
  return Float32Array.from({ length: dim }, () => random.normal());
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const THUMB = bytesOf("thumb");
export const THUMB_REF = blobRefOf(THUMB);

/** A minimal valid record of a kind; whatever it must refer to has the id given here. */
export function record<K extends RecordKind>(
  kind: K,
  id: string,
  rest: Partial<Extract<RecordInput, { kind: K }>> = {},
): RecordInput {
  const common = { id, validFromUs: 0, validToUs: null };
  return { ...common, ...(REQUIRED[kind] as object), kind, ...rest } as RecordInput;
}

const REQUIRED: { [K in RecordKind]: Partial<Extract<RecordInput, { kind: K }>> } = {
  observation: { sensorId: "camera" },
  detection: { observationId: "o1", score: 0.5 },
  track: { name: "mug", category: "mug" },
  state: { trackId: "t1", name: "mug", category: "mug" },
  view: { observationId: "o1", thumb: THUMB_REF },
  caption: { source: "template" },
  place: { yawRad: 0 },
  region: { type: "room", level: 1, name: "kitchen" },
  relation: { subject: "s1", predicate: "on", object: "s2" },
  event: { type: "appear" },
  agent: { name: "robot", bodyFrame: "base" },
};

/** At a point of the world. */
export const at = (x: number, y = 0, z = 0, submap = "world") => ({ anchor: { submap, p: { x, y, z } } });

/** A rejection with this code (or one of these) and a message to read. */
export async function refuses(
  code: ErrorCode | readonly ErrorCode[],
  act: () => Promise<unknown>,
): Promise<void> {
  const error = await act().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const codes: readonly string[] = typeof code === "string" ? [code] : code;
  expect(isLociError(error), `expected a LociError ${codes.join(" or ")}, got ${String(error)}`).toBe(true);
  if (!isLociError(error)) return;
  expect(codes).toContain(error.code);
  expect(error.message.length).toBeGreaterThan(0);
}

export const idsOf = (result: { hits: readonly { record: { id: string } }[] }): string[] =>
  result.hits.map((hit) => hit.record.id);

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
