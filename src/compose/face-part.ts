import type { Principal } from "../memory/port.ts";
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
