import type { Box } from "../../geometry/index.ts";
import { type AskOptions, scopeOf } from "../../reasoning/ask.ts";
import { evaluate } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";
import { candidatesIn } from "./part.ts";

/** A remembered flight of stairs: the path to another storey. */
export interface Flight {
  readonly id: string;
  readonly box: Box;
}

const STAIRS: Expression = { op: "things", of: [], with: { category: "staircase" } };
/** A lower one is a step, or a false detection. */
const LEAST_RISE_M = 0.8;

/** The stairs seen so far, queried from the memory like any other thing. */
export async function flightsSeen(asked: AskOptions): Promise<Flight[]> {
  const scope = await scopeOf({ ...asked, navigate: false });
  return candidatesIn(await evaluate(STAIRS, scope)).flatMap(({ stateId, box }) =>
    box.max.z - box.min.z < LEAST_RISE_M ? [] : [{ id: stateId, box }],
  );
}
