import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/core.ts";

/** How far somebody knows a memory: the last commit he saw, and which revision of the map places are by. */
export interface Revision {
  readonly commitUs: number;
  readonly map: number;
}

/** The same as one word, such as 1794797765883000.16; whoever gets it hands it back as it is. */
export function revisionText({ commitUs, map }: Revision): string {
  return `${commitUs}.${map}`;
}

export function parseRevision(text: string): Revision {
  const [, commitUs, map] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  if (commitUs === undefined || map === undefined)
    throw new LociError("invalid-input", `"${text.slice(0, 60)}" is not a revision that the feed gave`);
  return { commitUs: Number(commitUs), map: Number(map) };
}

/** Where a reader is now. */
export async function revisionOf(reader: MemoryReader): Promise<Revision> {
  const { lastCommitUs, mapRevision } = await reader.stats();
  return { commitUs: lastCommitUs ?? 0, map: mapRevision };
}
