import type { MemoryView } from "../memory-view/memory-view.ts";
import type { KnownThing } from "../memory-view/thing.ts";
import type { Surroundings } from "./naming.ts";

/** Where things are, as a memory knows it. */
export function surroundingsOf(memory: MemoryView): Surroundings {
  return {
    roomOf: (thing) => memory.roomOf(thing),
    async holderOf({ state: { insideOf, supportedBy } }: KnownThing) {
      const id = insideOf ?? supportedBy;
      const [record] = id === undefined ? [] : await memory.options.reader.get([id]);
      if (record?.kind !== "state") return undefined;
      return `${insideOf === undefined ? "on" : "in"} the ${record.category}`;
    },
  };
}
