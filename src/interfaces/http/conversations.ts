import { randomUUID } from "node:crypto";
import type { Talk } from "../../compose.ts";
import { LociError } from "../../schema/core.ts";
import type { Caller } from "./access.ts";
import type { ServerLimits } from "./limits.ts";

interface Kept {
  readonly owner: string;
  readonly talk: Talk;
  readonly release: () => void;
  usedMs: number;
}

/**
 * Conversations in progress. Each belongs to the caller that began it and does not exist for others. At the limit, the
 * least recently used one is dropped, first of the caller's own.
 */
export class Conversations {
  readonly #limits: ServerLimits;
  readonly #kept = new Map<string, Kept>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  begin(caller: Caller, talk: Talk, release: () => void): string {
    const id = randomUUID();
    this.#makeRoom(caller);
    this.#kept.set(id, { owner: ownerOf(caller), talk, release, usedMs: Date.now() });
    this.#trim();
    return id;
  }

  talkOf(caller: Caller, id: string): Talk {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.owner !== ownerOf(caller))
      throw new LociError("unknown-id", "there is no such conversation; it may have been too long ago");
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    kept.usedMs = Date.now();
    return kept.talk;
  }

  end(caller: Caller, id: string): void {
    this.talkOf(caller, id);
    this.#drop(id);
  }

  /** A caller beyond its share loses one of its own. */
  #makeRoom(caller: Caller): void {
    const own = [...this.#kept].filter(([, { owner }]) => owner === ownerOf(caller));
    if (own.length >= this.#limits.conversationsOfOne) this.#drop(own[0]![0]);
  }

  #trim(): void {
    for (const [id, { usedMs }] of this.#kept) {
      const isOld = Date.now() - usedMs > this.#limits.conversationMs;
      if (!isOld && this.#kept.size <= this.#limits.conversations) return;
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    this.#kept.get(id)?.release();
    this.#kept.delete(id);
  }
}

/** A token that was removed and made anew with other labels is a different owner. */
function ownerOf({ actor }: Caller): string {
  return JSON.stringify(actor);
}
