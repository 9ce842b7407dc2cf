import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Token } from "./tokens.ts";

/** A sentence without what says when, how usually and from where, and what that was. */
export interface Bare {
  readonly tokens: readonly Token[];
  readonly wrap: (expression: Expression) => Expression;
  readonly cost: number;
  readonly hasTime: boolean;
  /** What a clause that was taken out speaks of: "when you last saw the lamp, was it on?" */
  readonly antecedent?: Expression | undefined;
}

const NOW = new Set(["moment"]);

export function at(times: Expression): (expression: Expression) => Expression {
  // "Now" says nothing that is not so anyway.
  if (NOW.has(times.op) && Object.keys(times.with).length === 0) return (one) => one;
  return (one) =>
    one.op === "likely" ? node("likely", [one.of[0]!, times]) : node("at", [nextRoom(one, times), times]);
}

/** "Where did you go after the kitchen" asks for the next room, not for all that followed. */
function nextRoom(expression: Expression, { op }: Expression): Expression {
  const [room] = expression.of;
  const [doings] = room?.of ?? [];
  if (
    expression.op !== "name" ||
    room?.op !== "room" ||
    doings?.op !== "doings" ||
    doings.with["verb"] !== "enter" ||
    !/^(?:after|before)$/.test(op)
  )
    return expression;
  const visits = { ...doings, with: { ...doings.with, verb: "visit" } };
  const order = node("seen", [node("it")], { which: "first" });
  return node("name", [node("room", [node("nth", [visits, order], { n: op === "after" ? 1 : -1 })])]);
}

export function without(tokens: readonly Token[], from: number, length: number): Token[] {
  const rest = [...tokens.slice(0, from), ...tokens.slice(from + length)];
  const next = rest[from];
  if (next && tokens[from]?.parted) rest[from] = { ...next, parted: true };
  return rest;
}
