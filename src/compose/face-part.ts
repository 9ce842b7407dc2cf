import type { Principal } from "../memory/port.ts";
import { LociError } from "../schema/core.ts";
import type { Eyes } from "./ingest-eyes.ts";
import type { Memory } from "./memory.ts";

/**
 * Who acts. Reading shows what the principal's labels allow; writing is stamped with `scene` and `agent` where they are
 * set, and whoever does not hold every label may only give labels that he holds.
 */
export interface Actor extends Principal {
  readonly scene?: string;
  readonly agent?: string;
}

/** What every part of the local face is made from. */
export interface FacePart {
  /** The whole memory: writes go here. */
  readonly memory: Memory;
  /** As the actor may see it: reads go here. */
  readonly seen: Memory;
  readonly actor: Actor;
  /** What finds things in frames that come without detections. */
  readonly eyes: Eyes | undefined;
}

/**
 * What an actor's writes are marked with. Whoever does not hold every label gets names of his own for what he writes, so
 * that he can neither change nor guess at what he cannot see.
 */
export function stampOf({ actor }: FacePart) {
  const { labels: held, scene } = actor;
  const own = scene === undefined ? [] : [`scene:${scene}`];
  return {
    scene,
    author: actor.agent,
    /** Part of every id that is made for him. */
    space: held === "*" ? [] : [actor.id],
    labels: (given: readonly string[] = []): string[] => {
      if (held !== "*" && given.some((label) => !held.includes(label)))
        throw new LociError("access-denied", "a label that the writer does not hold cannot be given");
      return [...new Set([...given, ...own])].sort();
    },
  };
}
