import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { throwIfAborted } from "../../schema/index.ts";
import {
  FINISH_REASONS,
  type Generated,
  type GenerateRequest,
  type LanguageModel,
} from "./language-model.ts";

export interface ResponseCacheOptions {
  readonly folder: string;
  /** Beyond it the least recently used answers are deleted; default 64 MiB. */
  readonly maxBytes?: number;
}

const DEFAULT_BYTES = 67_108_864;

const storedSchema = z.object({
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
  finish: z.enum(FINISH_REASONS),
});

interface Entry {
  readonly bytes: number;
}

/**
 * Caches a model's answers in a folder: one file per request, named by the hash of the model's id and the whole
 * request. So a run repeats exactly, and at no cost. The file holds the answer alone: no question, no picture, no
 * key. A damaged file is requested again; an unwritable folder does not affect the answer.
 */
export async function cachedModel(
  model: LanguageModel,
  { folder, maxBytes = DEFAULT_BYTES }: ResponseCacheOptions,
): Promise<LanguageModel> {
  const entries = await listEntries(folder);
  let total = [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);

  const read = async (key: string): Promise<Generated | undefined> => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    const path = join(folder, `${key}.json`);
    try {
      const stored = storedSchema.parse(JSON.parse(await readFile(path, "utf8")));
      // The map's order is that of use; the file time passes it on to the next process.
      entries.delete(key);
      entries.set(key, entry);
      const { mtime } = await stat(path);
      await utimes(path, new Date(), mtime).catch(() => undefined);
      return { ...stored, usage: { ...stored.usage, costUsd: 0 } };
    } catch {
      entries.delete(key);
      total -= entry.bytes;
      return undefined;
    }
  };

  const write = async (key: string, { text, toolCalls, usage, finish }: Generated): Promise<void> => {
    const { inputTokens, outputTokens } = usage;
    const body = JSON.stringify({ text, toolCalls, usage: { inputTokens, outputTokens }, finish });
    const bytes = Buffer.byteLength(body);
    if (bytes > maxBytes) return;
    const path = join(folder, `${key}.json`);
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.${process.pid}`, body, { mode: 0o600 });
    await rename(`${path}.${process.pid}`, path);
    total += bytes - (entries.get(key)?.bytes ?? 0);
    entries.delete(key);
    entries.set(key, { bytes });
    for (const [oldest, entry] of entries) {
      if (total <= maxBytes) break;
      entries.delete(oldest);
      total -= entry.bytes;
      await rm(join(folder, `${oldest}.json`), { force: true });
    }
  };

  return {
    id: model.id,
    capabilities: model.capabilities,
    parallel: model.parallel,
    async generate(request, options = {}) {
      throwIfAborted(options.signal);
      const key = keyOf(model.id, request);
      const known = await read(key);
      if (known !== undefined) {
        if (known.text !== "") options.onText?.(known.text);
        return known;
      }
      const generated = await model.generate(request, options);
      // A truncated or refused answer is not cached: a retry may be better.
      if (generated.finish === "stop" || generated.finish === "tool-calls")
        await write(key, generated).catch(() => undefined);
      return generated;
    },
    close: () => model.close(),
  };
}

/** Pictures are included by their hash, so that the key stays small. */
function keyOf(id: string, request: GenerateRequest): string {
  const plain = JSON.stringify({ id, request }, (_name, value: unknown) =>
    value instanceof Uint8Array ? createHash("sha256").update(value).digest("hex") : value,
  );
  return createHash("sha256").update(plain).digest("hex");
}

/** The existing files, least recently used first. */
async function listEntries(folder: string): Promise<Map<string, Entry>> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
      .map(async (name) => {
        const about = await stat(join(folder, name)).catch(() => undefined);
        return (
          about && {
            key: name.slice(0, 64),
            bytes: about.size,
            usedMs: Math.max(about.atimeMs, about.mtimeMs),
          }
        );
      }),
  );
  const sorted = found
    .filter((entry) => entry !== undefined)
    .sort((a, b) => a.usedMs - b.usedMs || (a.key < b.key ? -1 : 1));
  return new Map(sorted.map(({ key, bytes }) => [key, { bytes }]));
}
