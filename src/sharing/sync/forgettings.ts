import { createHash } from "node:crypto";
import type { MemoryLog } from "../../memory/index.ts";

/** One id that is not to come back, and why it went. */
export interface Forgetting {
  readonly id: string;
  readonly reason: string;
}

/** What retention gave up was dropped for lack of space only, and is welcome in another memory. */
const ROOM = "retention";

/**
 * The largest share of a memory's records, 0 to 1, that another memory's forgettings may remove without the owner's
 * consent: people ask to have a few things forgotten, and a memory that lists everything is broken or hostile.
 */
const FORGET_SHARE = 0.05;
/** So few records may always go: in a small memory one thing with its states is a large share. */
const FORGET_ALWAYS = 32;

/** Whether this many of a memory's records are too many to be removed on another memory's word. */
export function isTooMuch(gone: number, records: number, share = FORGET_SHARE): boolean {
  return gone > Math.max(FORGET_ALWAYS, share * records);
}

/** All that was forgotten for good in one memory, by id. */
export class Forgettings {
  readonly byId: ReadonlyMap<string, string>;
  /** Two memories with the same forgot the same. */
  readonly digest: string;

  constructor(list: Iterable<Forgetting>) {
    const byId = new Map<string, string>();
    for (const { id, reason } of list) if (reason !== ROOM && !byId.has(id)) byId.set(id, reason);
    this.byId = byId;
    this.digest = createHash("sha256")
      .update([...byId.keys()].sort().join("\n"))
      .digest("hex");
  }

  static async of(log: Pick<MemoryLog, "forgotten">): Promise<Forgettings> {
    return new Forgettings(await log.forgotten());
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  list(): Forgetting[] {
    return Array.from(this.byId, ([id, reason]) => ({ id, reason }));
  }

  /** Ids that were forgotten here and not there. */
  without(other: Forgettings): Forgetting[] {
    return this.list().filter(({ id }) => !other.has(id));
  }
}
