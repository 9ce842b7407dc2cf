import type { Expression } from "../../schema/index.ts";
import type { Value } from "../algebra/value.ts";

/** A question of a conversation with what it was taken for and what that came to. */
export interface Turn {
  readonly question: string;
  readonly parts: readonly { readonly expression: Expression; readonly value: Value }[];
}
