import { holderText } from "../algebra/things/place.ts";
import type { MemoryView } from "../memory-view/memory-view.ts";
import type { Surroundings } from "./naming.ts";

/** Where things are, as a memory knows it. */
export function surroundingsOf(memory: MemoryView): Surroundings {
  return {
    roomOf: (thing) => memory.roomOf(thing),
    holderOf: (thing) => holderText(thing, memory),
  };
}
