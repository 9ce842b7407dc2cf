import type { Box } from "../../geometry/index.ts";
import { isKindOf } from "../../ontology/index.ts";
import { type AskOptions, scopeOf } from "../../reasoning/ask.ts";
import { evaluate } from "../../reasoning/index.ts";
import { attributeOf, isLiveAt } from "../../reasoning/memory-view/thing.ts";
import type { Expression } from "../../schema/index.ts";

/** A door that is remembered and, by what was seen of it, may be closed. */
export interface Door {
  readonly id: string;
  readonly box: Box;
}

const DOORS: Expression = { op: "things", of: [], with: { category: "door" } };
/** Doors whose name says that the open air is behind them, and no room. */
const LEADING_OUT = ["front door", "back door", "garage door", "dock door"] as const;
/** Lower than this it is the door of a cupboard. */
const LEAST_HEIGHT_M = 1.5;

/** The doors that were not seen open and do not lead out of the house; whether they shut anything is for the map to say. */
export async function shutDoorsSeen(asked: AskOptions): Promise<Door[]> {
  const scope = await scopeOf({ ...asked, navigate: false });
  const doors = await evaluate(DOORS, scope);
  if (doors.kind !== "things") return [];
  return doors.things.flatMap((thing) => {
    const { state, box, category } = thing;
    const isOut = LEADING_OUT.some((kind) => isKindOf(category, kind));
    const isOpen = attributeOf(thing, "openness")?.value === "open";
    if (box === undefined || isOut || isOpen || !isLiveAt(thing, scope.memory.nowUs)) return [];
    return box.max.z - box.min.z < LEAST_HEIGHT_M ? [] : [{ id: state.id, box }];
  });
}
