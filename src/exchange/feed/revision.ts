import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/core.ts";

/** A client's state of knowledge: the last commit it saw, and the map revision of its positions. */
export interface Revision {
  readonly commitUs: number;
  readonly map: number;
}

/** The same as one word, such as 1794797765883000.16; clients return it unchanged. */
export function revisionText({ commitUs, map }: Revision): string {
  return `${commitUs}.${map}`;
}

export function parseRevision(text: string): Revision {
  const [, commitUs, map] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(text) ?? [];
  if (commitUs === undefined || map === undefined)
    throw new LociError("invalid-input", `"${text.slice(0, 60)}" is not a revision that the feed gave`);
  return { commitUs: Number(commitUs), map: Number(map) };
}

/** The reader's current revision. */
export async function revisionOf(reader: MemoryReader): Promise<Revision> {
  const { lastCommitUs, mapRevision } = await reader.stats();
  return { commitUs: lastCommitUs ?? 0, map: mapRevision };
}
