import { LociError } from "../../schema/index.ts";
import type { Operator } from "./operator.ts";
import { counting } from "./operators/counting.ts";
import { times } from "./operators/times.ts";

/** Every operator; a new one is a file and a row here. */
const OPERATORS: readonly Operator[] = [...counting, ...times];

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
