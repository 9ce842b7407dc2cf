import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromYaw, type Vec3 } from "../../geometry/index.ts";
import { encodeSurface } from "../../map/codec.ts";
import { type MemoryReader, type MemoryWriter, SqliteEngine, type WriteBatch } from "../../memory/index.ts";
import { blobRefOf, type FrameEdgeInput, type RecordInput } from "../../schema/core.ts";

/** A real memory in its own folder, for the feed's tests. */
export interface TestMemory {
  readonly writer: MemoryWriter;
  readonly reader: MemoryReader;
  /** As a principal with these labels sees it. */
  holding(...labels: readonly string[]): Promise<MemoryReader>;
  write(batch: WriteBatch): Promise<number>;
  close(): Promise<void>;
}

export async function testMemory(): Promise<TestMemory> {
  const folder = mkdtempSync(join(tmpdir(), "loci-feed-"));
  let now = 1_000;
  const engine = await SqliteEngine.open({ folder, nowUs: () => now++, create: true });
  const writer = await engine.writer();
  return {
    writer,
    reader: await engine.reader(),
    holding: (...labels) => engine.reader({ principal: { id: "somebody", labels } }),
    write: async (batch) =>
      (await writer.write({ ...batch, records: withTracks(batch.records ?? []) })).commitUs,
    close: async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each state needs its track. */
function withTracks(records: readonly RecordInput[]): RecordInput[] {
  const there = new Set(records.map(({ id }) => id));
  const tracks = records.flatMap((record) =>
    record.kind === "state" && record.trackId === `track-${record.id}` && !there.has(record.trackId)
      ? [track(record.trackId, { labels: record.labels ?? [] })]
      : [],
  );
  return [...tracks, ...records];
}

/** A submap's pose in its parent. */
export function edge(
  child: string,
  { p, yawRad = 0 }: { p: Vec3; yawRad?: number },
  revision = 0,
): FrameEdgeInput {
  return { parent: "world", child, transform: { p, q: fromYaw(yawRad) }, kind: "submap", revision };
}

/** The map record of a submap with these points, in centimetres. */
export function piece(
  submap: string,
  centimetres: readonly (readonly [number, number, number])[],
  more: { readonly fromUs?: number; readonly labels?: string[]; readonly author?: string } = {},
): { readonly record: RecordInput; readonly blob: Uint8Array } {
  const positions = Int16Array.from(centimetres.flat());
  const colours = Uint8Array.from({ length: positions.length }, (_, n) => n % 256);
  const blob = encodeSurface({ count: centimetres.length, positions, colours, unitM: 0.01 });
  const record: RecordInput = {
    kind: "region",
    id: `map-${submap}`,
    type: "map",
    level: 0,
    name: `map of ${submap}`,
    author: more.author ?? "robot",
    labels: more.labels ?? [],
    validFromUs: more.fromUs ?? 0,
    validToUs: null,
    surface: blobRefOf(blob),
    anchor: { submap, p: { x: 0, y: 0, z: 0 } },
  };
  return { record, blob };
}

export function state(
  id: string,
  more: Partial<Extract<RecordInput, { kind: "state" }>> = {},
): Extract<RecordInput, { kind: "state" }> {
  return {
    kind: "state",
    id,
    trackId: `track-${id}`,
    name: `red ${id}`,
    category: "mug",
    validFromUs: 0,
    validToUs: null,
    anchor: { submap: "world", p: { x: 1, y: 2, z: 3 } },
    extent: { x: 0.1, y: 0.2, z: 0.3 },
    ...more,
  };
}

export function track(
  id: string,
  more: Partial<Extract<RecordInput, { kind: "track" }>> = {},
): Extract<RecordInput, { kind: "track" }> {
  return { kind: "track", id, name: id, category: "mug", validFromUs: 0, validToUs: null, ...more };
}
