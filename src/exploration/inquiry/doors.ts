import { isLiveAt } from "../../belief/thing.ts";
import type { Box } from "../../geometry/index.ts";
import { isKindOf } from "../../ontology/index.ts";
import { type AskOptions, scopeOf } from "../../reasoning/ask.ts";
import { evaluate } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";

/** A remembered door that may be closed, judging by its observations. */
export interface Door {
  readonly id: string;
  readonly box: Box;
  /** It was seen closed so long ago that it may be open by now. */
  readonly isStale: boolean;
}

const DOORS: Expression = { op: "things", of: [], with: { category: "door" } };
/** Doors whose names say that they lead outdoors, not to a room. */
const LEADING_OUT = ["front door", "back door", "garage door", "dock door"] as const;
/** A lower one is a cupboard door. */
const LEAST_HEIGHT_M = 1.5;

/** The doors that were not seen open and do not lead outdoors; whether they close anything is for the map to decide. */
export async function shutDoorsSeen(asked: AskOptions, staleUs: number): Promise<Door[]> {
  const scope = await scopeOf({ ...asked, navigate: false });
  const doors = await evaluate(DOORS, scope);
  if (doors.kind !== "things") return [];
  const { nowUs } = scope.memory;
  return doors.things.flatMap((thing): Door[] => {
    const { state, box, category } = thing;
    const isOut = LEADING_OUT.some((kind) => isKindOf(category, kind));
    const openness = state.attributes["openness"];
    if (box === undefined || isOut || openness?.value === "open" || !isLiveAt(thing, nowUs)) return [];
    if (box.max.z - box.min.z < LEAST_HEIGHT_M) return [];
    return [{ id: state.id, box, isStale: nowUs - (openness?.lastUs ?? nowUs) > staleUs }];
  });
}
