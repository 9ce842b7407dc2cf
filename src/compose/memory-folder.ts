import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describePlace, isPostgresUrl, parsePostgresUrl } from "../memory/postgres/url.ts";
import { memoryExists as folderHasMemory } from "../memory/sqlite/files.ts";

/**
 * The folder that belongs to a memory: its own, or, for one on PostgreSQL, a local folder for what is not part of the
 * memory (tokens, watches, the audit log). That folder lies in LOCI_STATE, else ~/.local/state/loci, under a name
 * made from the URL.
 */
export function memoryFolder(
  place: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (!isPostgresUrl(place)) return place;
  const base = environment["LOCI_STATE"] ?? join(homedir(), ".local", "state", "loci");
  // The password does not identify a memory and must not be guessable from the folder name.
  const bare = place.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1@");
  return join(base, `postgres-${createHash("sha256").update(bare).digest("hex").slice(0, 16)}`);
}

/** A memory's location for display: without its password. */
export function placeName(place: string): string {
  return isPostgresUrl(place) ? describePlace(parsePostgresUrl(place)) : place;
}

/** Whether a folder contains a memory; for PostgreSQL only the server knows. */
export function memoryExists(place: string): boolean {
  return isPostgresUrl(place) ? existsSync(memoryFolder(place)) : folderHasMemory(place);
}
