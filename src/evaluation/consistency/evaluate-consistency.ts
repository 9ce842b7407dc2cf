import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestRecording } from "../../compose/ingest.ts";
import { openMemory } from "../../compose/memory.ts";
import { throwIfAborted } from "../../schema/index.ts";
import { recordHouse } from "../../world/recorder/index.ts";
import { type CheckOptions, type ConsistencyReport, checkMemory } from "./check-memory.ts";

export interface ConsistencyRequest {
  /** An existing memory; else one is made per seed. */
  readonly memory?: string | undefined;
  readonly seeds?: readonly number[] | undefined;
  readonly family?: "house" | "warehouse" | "campus" | undefined;
  readonly agents?: number | undefined;
  readonly people?: number | undefined;
  readonly minutes?: number | undefined;
  readonly fps?: number | undefined;
  readonly noise?: number | undefined;
  readonly rate?: number | undefined;
  /** Serves a memory, so that HTTP and MCP are tested too. */
  readonly serve?: CheckOptions["serve"];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface ConsistencyOf extends ConsistencyReport {
  readonly name: string;
}

/** Whether all faces of memories agree: of a given one, or of one per seed. */
export async function evaluateConsistency(
  request: ConsistencyRequest,
): Promise<{ readonly reports: readonly ConsistencyOf[]; readonly text: string }> {
  const reports: ConsistencyOf[] = [];
  if (request.memory !== undefined) reports.push(await ofCopy(request.memory, request));
  else for (const seed of request.seeds ?? []) reports.push(await ofSeed(seed, request));
  return { reports, text: reports.map(textOf).join("\n") };
}

/** A memory is tested as a copy, since notes are written into it. */
async function ofCopy(memory: string, request: ConsistencyRequest): Promise<ConsistencyOf> {
  const folder = await mkdtemp(join(tmpdir(), "loci-consistency-"));
  try {
    await cp(memory, folder, { recursive: true });
    return await checked(folder, memory, request);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two robots among two people who move forty things an hour, where faces are likeliest to disagree. */
async function ofSeed(seed: number, request: ConsistencyRequest): Promise<ConsistencyOf> {
  const { family = "house", agents = 2, people = 2, minutes = 4, fps = 2, noise = 0.5, rate = 40 } = request;
  const folder = await mkdtemp(join(tmpdir(), "loci-consistency-"));
  try {
    throwIfAborted(request.signal);
    request.onProgress?.(`${family} ${seed}: recording`);
    const out = join(folder, "tour");
    await recordHouse({ family, seed, agents, people, minutes, fps, noise, rate, out });
    const memory = await openMemory(join(folder, "memory"));
    request.onProgress?.(`${family} ${seed}: taking in`);
    await ingestRecording(memory, out, {}, request.signal ? { signal: request.signal } : {});
    await memory.close();
    return await checked(join(folder, "memory"), `${family} ${seed}`, request);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checked(
  folder: string,
  name: string,
  { signal, onProgress, serve }: ConsistencyRequest,
): Promise<ConsistencyOf> {
  onProgress?.(`${name}: asking`);
  const memory = await openMemory(folder, { create: false });
  try {
    return { name, ...(await checkMemory(memory, { signal, serve, isCopy: true })) };
  } finally {
    await memory.close();
  }
}

function textOf({ name, subjects, claims, contradictions }: ConsistencyOf): string {
  return [
    `${name}: ${contradictions.length} contradictions in ${claims} claims about ${subjects} things and rooms`,
    ...contradictions.map(
      ({ subject, aspect, said }) =>
        `  ${subject}, ${aspect}: ${Object.entries(said)
          .map(([face, value]) => `${face} ${value}`)
          .join("; ")}`,
    ),
  ].join("\n");
}
