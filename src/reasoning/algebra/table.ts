import { LociError } from "../../schema/index.ts";
import type { Operator } from "./operator.ts";
import { counting } from "./operators/counting.ts";
import { habits } from "./operators/habits.ts";
import { purposes } from "./operators/purposes.ts";
import { refusing } from "./operators/refusing.ts";
import { roomLeft } from "./operators/room-left.ts";
import { ways } from "./operators/ways.ts";

/** Every operator; a new one is a file and a row here. */
const OPERATORS: readonly Operator[] = [
  ...counting,
  ...purposes,
  ...roomLeft,
  ...ways,
  ...refusing,
  ...habits,
];

const BY_NAME: ReadonlyMap<string, Operator> = new Map(OPERATORS.map((one) => [one.name, one]));

/** All operators, in the order of the table. */
export function operators(): readonly Operator[] {
  return OPERATORS;
}

export function operatorNamed(name: string): Operator {
  const operator = BY_NAME.get(name);
  if (operator) return operator;
  throw new LociError(
    "invalid-input",
    `there is no operator ${name}; there are ${[...BY_NAME.keys()].join(", ")}`,
  );
}
