import type { DatabaseSync } from "node:sqlite";

/** Less than this is not worth copying the rest for: later writes use the freed pages again. */
const MIN_BYTES = 32 * 1024;
const MIN_SHARE = 0.05;
/** Up to here copying takes no time worth saving, and a budget of bytes is kept to the letter. */
const SMALL_BYTES = 64 * 1024 * 1024;
const MIN_SHARE_IF_SMALL = 0.01;
/** The log and, in addition, SQLite's sort space. */
const COPIES = 2.2;

/**
 * After something was forgotten: gives the freed pages back to the disk, once they are a twentieth of the file, or a
 * hundredth of a small one. That copies the rest through the log, so it is only tried where the disk has room for both
 * copies; otherwise the file stays as large as it was and the pages serve later writes. Row numbers do not change, so
 * an index over them stays right. Returns whether the file was copied.
 *
 * "small", for budgets: a small file is always copied, since scattered deletions leave pages half empty that no list
 * counts as free. "all", for content that must be erased: always copied.
 */
export function giveBackPages(
  db: DatabaseSync,
  roomBytes: number,
  which: "worth it" | "small" | "all",
): boolean {
  const free = pragma(db, "freelist_count");
  const [pageBytes, pages] = [pragma(db, "page_size"), pragma(db, "page_count")];
  const isSmall = pages * pageBytes <= SMALL_BYTES;
  const isWorthIt =
    free * pageBytes >= MIN_BYTES && free >= (isSmall ? MIN_SHARE_IF_SMALL : MIN_SHARE) * pages;
  if (!isWorthIt && !(which === "all" || (which === "small" && isSmall))) return false;
  if (roomBytes < COPIES * (pages - free) * pageBytes) return false;
  try {
    db.exec("VACUUM");
    return true;
  } catch {
    // Other files took the room: the file stays as it was.
    return false;
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
