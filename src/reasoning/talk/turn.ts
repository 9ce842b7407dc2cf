import type { Expression } from "../../schema/index.ts";
import type { Value } from "../algebra/value.ts";

/** A question of a conversation with its readings and their results. */
export interface Turn {
  readonly question: string;
  readonly parts: readonly { readonly expression: Expression; readonly value: Value }[];
}
