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
 * Conversations that are under way. Each belongs to who began it: to anybody else it is not there. The one that was used
 * longest ago gives way when there are too many, first of the caller's own.
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

  /** Whoever begins more than his share gives up his own. */
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

/** A token that was removed and made anew with other labels is somebody else. */
function ownerOf({ actor }: Caller): string {
  return JSON.stringify(actor);
}
