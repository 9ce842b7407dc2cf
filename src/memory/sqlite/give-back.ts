import type { DatabaseSync } from "node:sqlite";

/** Less than this is not worth copying the rest for: later writes use the freed pages again. */
const LEAST_BYTES = 64 * 1024;
const LEAST_SHARE = 0.05;

/**
 * After something was forgotten: gives the freed pages back to the disk, once they are a twentieth of the file. That
 * copies what is left, so it needs as much room again for a moment; without it the file stays as large as it was
 * and the pages serve later writes. Row numbers stay what they were, so an index over them stays right.
 */
export function giveBackPages(db: DatabaseSync): boolean {
  const free = pragma(db, "freelist_count");
  if (free * pragma(db, "page_size") < LEAST_BYTES || free < LEAST_SHARE * pragma(db, "page_count"))
    return false;
  try {
    db.exec("VACUUM");
    return true;
  } catch {
    return false;
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
