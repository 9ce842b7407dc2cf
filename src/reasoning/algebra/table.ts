import { LociError } from "../../schema/index.ts";
import type { Operator } from "./operator.ts";
import { arithmetic } from "./operators/arithmetic.ts";
import { byAgent } from "./operators/by-agent.ts";
import { called } from "./operators/called.ts";
import { causes } from "./operators/causes.ts";
import { changes } from "./operators/changes.ts";
import { choosing } from "./operators/choosing.ts";
import { comparing } from "./operators/comparing.ts";
import { counting } from "./operators/counting.ts";
import { described } from "./operators/described.ts";
import { describing } from "./operators/describing.ts";
import { doings } from "./operators/doings.ts";
import { ever } from "./operators/ever.ts";
import { grounds } from "./operators/grounds.ts";
import { habits } from "./operators/habits.ts";
import { measures } from "./operators/measures.ts";
import { movement } from "./operators/movement.ts";
import { placing } from "./operators/placing.ts";
import { purposes } from "./operators/purposes.ts";
import { recalling } from "./operators/recall.ts";
import { refusing } from "./operators/refusing.ts";
import { regions } from "./operators/regions.ts";
import { relating } from "./operators/relating.ts";
import { roomLeft } from "./operators/room-left.ts";
import { sets } from "./operators/sets.ts";
import { sources } from "./operators/sources.ts";
import { times } from "./operators/times.ts";
import { truth } from "./operators/truth.ts";
import { ways } from "./operators/ways.ts";
import { when } from "./operators/when.ts";
import { wording } from "./operators/wording.ts";

/** Every operator; a new one is a file and a row here. */
const OPERATORS: readonly Operator[] = [
  ...sources,
  ...sets,
  ...relating,
  ...described,
  ...choosing,
  ...regions,
  ...truth,
  ...comparing,
  ...arithmetic,
  ...placing,
  ...counting,
  ...measures,
  ...wording,
  ...times,
  ...when,
  ...ever,
  ...changes,
  ...causes,
  ...doings,
  ...movement,
  ...recalling,
  ...purposes,
  ...roomLeft,
  ...ways,
  ...describing,
  ...habits,
  ...refusing,
  ...called,
  ...byAgent,
  ...grounds,
];

const BY_NAME: Map<string, Operator> = new Map(OPERATORS.map((one) => [one.name, one]));

/** All operators, including those added by a program. */
export function operators(): readonly Operator[] {
  return [...BY_NAME.values()];
}

/** Adds a program's own operator; returns a function that removes it. Only pairs that name it use it. */
export function addOperator(operator: Operator): () => void {
  if (BY_NAME.has(operator.name))
    throw new LociError("invalid-input", `there is an operator ${operator.name} already`);
  BY_NAME.set(operator.name, operator);
  return () => {
    BY_NAME.delete(operator.name);
  };
}

export function operatorNamed(name: string): Operator {
  const operator = BY_NAME.get(name);
  if (operator) return operator;
  throw new LociError(
    "invalid-input",
    `there is no operator ${name}; there are ${[...BY_NAME.keys()].join(", ")}`,
  );
}
