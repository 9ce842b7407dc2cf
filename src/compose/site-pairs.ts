import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Pairs } from "../reasoning/read/pairs/index.ts";
import { isLociError, LociError } from "../schema/index.ts";

/** What a memory's own file of pairs is called, in its folder. */
const FILE = "pairs.tsv";
const MOST_BYTES = 8_000_000;

const known = new Map<string, Pairs>();
const MOST_KNOWN = 32;

/**
 * The question forms that a site adds to the shipped ones: from the file that `LOCI_PAIRS` names and from `pairs.tsv`
 * in the memory's folder. Undefined if neither exists. A changed file is read again.
 */
export async function sitePairs(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Pairs | undefined> {
  const named = environment["LOCI_PAIRS"] || undefined;
  const files = [
    ...(named === undefined ? [] : [await fileAt(named, true)]),
    await fileAt(join(folder, FILE), false),
  ].filter((one) => one !== undefined);
  if (files.length === 0) return undefined;
  const key = files.map(({ path, changedMs, bytes }) => `${path} ${changedMs} ${bytes}`).join("\n");
  const read = known.get(key) ?? (await readAll(files.map(({ path }) => path)));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, read);
  return read;
}

async function fileAt(path: string, isNamed: boolean) {
  try {
    const { mtimeMs, size } = await stat(path);
    if (size > MOST_BYTES) throw new LociError("limit-exceeded", `${path} has more than ${MOST_BYTES} bytes`);
    return { path, changedMs: mtimeMs, bytes: size };
  } catch (cause) {
    if (isLociError(cause)) throw cause;
    if (!isNamed) return undefined;
    throw new LociError("invalid-input", `cannot read the pairs in ${path}: there is no such file`, {
      cause,
    });
  }
}

async function readAll(paths: readonly string[]): Promise<Pairs> {
  const { Pairs: OfQuestions } = await import("../reasoning/read/pairs/index.ts");
  let pairs = OfQuestions.shipped();
  for (const path of paths) {
    try {
      pairs = pairs.with(await readFile(path, "utf8"));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new LociError("invalid-input", `cannot read the pairs in ${path}: ${why}`, { cause });
    }
  }
  return pairs;
}
