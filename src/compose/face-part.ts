import type { Principal } from "../memory/port.ts";
import { LociError } from "../schema/core.ts";
import type { Eyes } from "./ingest-eyes.ts";
import type { Memory } from "./memory.ts";

/**
 * The acting principal. Reads are filtered by its labels. Writes are stamped with `scene` and `agent` where they are
 * set; an actor without every label ("*") may only attach labels that it holds.
 */
export interface Actor extends Principal {
  readonly scene?: string;
  readonly agent?: string;
  /** The grant it acts under; watches and conversations belong to the grant and end with it. */
  readonly grant?: string;
}

/** What every part of the local face is built from. */
export interface FacePart {
  /** The whole memory: writes go here. */
  readonly memory: Memory;
  /** The memory as the actor may see it: reads go here. */
  readonly seen: Memory;
  readonly actor: Actor;
  /** What finds things in frames that come without detections. */
  readonly eyes: Eyes | undefined;
}

/**
 * The marks of an actor's writes. Ids made for an actor without every label contain its own name, so that it can
 * neither overwrite nor probe for records that it cannot see.
 */
export function stampOf({ actor }: FacePart) {
  const { labels: held, scene } = actor;
  const own = scene === undefined ? [] : [`scene:${scene}`];
  return {
    scene,
    author: actor.agent,
    /** Part of every id that is made for this actor. */
    space: held === "*" ? [] : [actor.id],
    labels: (given: readonly string[] = []): string[] => {
      if (held !== "*" && given.some((label) => !held.includes(label)))
        throw new LociError("access-denied", "a label that the writer does not hold cannot be given");
      return [...new Set([...given, ...own])].sort();
    },
  };
}
