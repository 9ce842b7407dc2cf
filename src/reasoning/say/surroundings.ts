import type { Recall } from "../recall/recall.ts";
import type { Thing } from "../recall/thing.ts";
import type { Surroundings } from "./naming.ts";

/** Where things are, as a memory knows it. */
export function surroundingsOf(recall: Recall): Surroundings {
  return {
    roomOf: (thing) => recall.roomOf(thing),
    async holderOf({ state: { insideOf, supportedBy } }: Thing) {
      const id = insideOf ?? supportedBy;
      const [record] = id === undefined ? [] : await recall.options.reader.get([id]);
      if (record?.kind !== "state") return undefined;
      return `${insideOf === undefined ? "on" : "in"} the ${record.category}`;
    },
  };
}
