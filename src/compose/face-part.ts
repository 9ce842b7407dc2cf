import type { Principal } from "../memory/port.ts";
import { LociError } from "../schema/core.ts";
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
}

/** What an actor's writes are marked with. */
export function stampOf({ actor }: FacePart) {
  const own = [
    ...(actor.scene === undefined ? [] : [`scene:${actor.scene}`]),
    ...(actor.agent === undefined ? [] : [`agent:${actor.agent}`]),
  ];
  return {
    scene: actor.scene,
    author: actor.agent,
    labels: (given: readonly string[] = []): string[] => {
      const { labels } = actor;
      const foreign = labels === "*" ? undefined : given.find((label) => !labels.includes(label));
      if (foreign !== undefined)
        throw new LociError("access-denied", "a label that the writer does not hold cannot be given");
      return [...new Set([...given, ...own.filter((label) => labels === "*" || labels.includes(label))])];
    },
  };
}
