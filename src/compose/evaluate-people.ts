import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HouseSpec } from "../evaluation/people/index.ts";
import { commitName } from "./evaluate.ts";
import { ingestRecording } from "./ingest.ts";
import { type Memory, openMemory } from "./memory.ts";

/** Says that a memory was made to its end, and by which code. */
const DONE_FILE = "made-by";

/**
 * The memory of a house: recorded and taken in once, used again from `keep` afterwards. The recording depends on the
 * simulator alone; `madeBy` tells which commit took it in, because a memory does not change with later code.
 */
export async function memoryOf(
  house: HouseSpec,
  keep: string,
  hooks: { signal?: AbortSignal | undefined; onProgress?: ((line: string) => void) | undefined } = {},
): Promise<{ memory: Memory; madeBy: string }> {
  const { keyOf, recordingOf } = await import("../evaluation/people/index.ts");
  const { recordHouse } = await import("../world/recorder/index.ts");
  await mkdir(keep, { recursive: true });
  const recording = join(keep, `recording_${keyOf(house)}`);
  const path = join(keep, `memory_${keyOf(house)}`);
  const known = await readFile(join(path, DONE_FILE), "utf8").catch(() => undefined);
  if (known !== undefined) return { memory: await openMemory(path), madeBy: known.trim() };
  const { signal } = hooks;
  const isRecorded = await stat(recording).then(
    () => true,
    () => false,
  );
  if (!isRecorded) {
    hooks.onProgress?.(`house ${house.seed}: recording`);
    await recordHouse(recordingOf(house, recording), { signal });
  }
  hooks.onProgress?.(`house ${house.seed}: taking it in`);
  await rm(path, { recursive: true, force: true });
  const memory = await openMemory(path);
  await ingestRecording(memory, recording, {}, signal ? { signal } : {});
  const madeBy = await commitName();
  await writeFile(join(path, DONE_FILE), madeBy);
  return { memory, madeBy };
}
