import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { MemoryReader, MemoryWriter } from "../port.ts";
import { SqliteEngine } from "../sqlite/engine.ts";

/**
 * For tests: each test of a file, or of a `describe`, gets an empty memory of its own, whose clock counts its readings.
 */
export function eachWithMemory(
  use: (memory: { engine: SqliteEngine; reader: MemoryReader; writer: MemoryWriter }) => void,
): void {
  let folder: string;
  let engine: SqliteEngine;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "loci-test-"));
    let clock = 0;
    engine = await SqliteEngine.open({ folder, nowUs: () => ++clock });
    use({ engine, reader: await engine.reader(), writer: await engine.writer() });
  });
  afterEach(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
}
