import type { Belief } from "../../belief/belief.ts";
import { isKindOf } from "../../ontology/index.ts";
import { holderText } from "../algebra/things/place.ts";
import { doorwaysOf } from "../ways/doorways.ts";
import type { Surroundings } from "./naming.ts";

/** The places of things, from a memory. */
export function surroundingsOf(memory: Belief): Surroundings {
  let doorways: ReturnType<typeof doorwaysOf> | undefined;
  return {
    roomOf: (thing) => memory.roomOf(thing),
    holderOf: (thing) => holderText(thing, memory),
    joinedBy: async (thing) => {
      if (!isKindOf(thing.category, "door")) return undefined;
      doorways ??= doorwaysOf(memory);
      const way = (await doorways).find(({ door }) => door?.trackId === thing.trackId);
      return way && [way.a, way.b];
    },
  };
}
