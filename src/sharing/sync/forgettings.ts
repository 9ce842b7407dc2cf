import { createHash } from "node:crypto";
import type { MemoryLog } from "../../memory/index.ts";

/** One id that is not to come back, and why it went. */
export interface Forgetting {
  readonly id: string;
  readonly reason: string;
}

/** What retention gave up is gone from one memory for want of room, and welcome in another. */
const ROOM = "retention";

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

  /** What was forgotten here and not there. */
  without(other: Forgettings): Forgetting[] {
    return this.list().filter(({ id }) => !other.has(id));
  }
}
