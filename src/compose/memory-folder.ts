import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describePlace, isPostgresUrl, parsePostgresUrl } from "../memory/postgres/url.ts";
import { memoryExists as folderHasMemory } from "../memory/sqlite/files.ts";

/**
 * The folder that belongs to a memory: its own, or, for one on PostgreSQL, this machine's for what is no part of a memory
 * (tokens, watches, the log of who asked): LOCI_STATE, then ~/.local/state/loci, and in it one by the URL.
 */
export function memoryFolder(
  place: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (!isPostgresUrl(place)) return place;
  const base = environment["LOCI_STATE"] ?? join(homedir(), ".local", "state", "loci");
  // The password is no part of which memory it is, and must not be guessed from a folder's name.
  const bare = place.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1@");
  return join(base, `postgres-${createHash("sha256").update(bare).digest("hex").slice(0, 16)}`);
}

/** A memory's place as people may read it: without its password. */
export function placeName(place: string): string {
  return isPostgresUrl(place) ? describePlace(parsePostgresUrl(place)) : place;
}

/** Whether there is a memory in a folder; of one on PostgreSQL only the server knows. */
export function memoryExists(place: string): boolean {
  return isPostgresUrl(place) ? existsSync(memoryFolder(place)) : folderHasMemory(place);
}
