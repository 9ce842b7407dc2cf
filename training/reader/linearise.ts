/** Expressions → the tokens that the trained reader writes, the inverse of src/reasoning/read/trained/target.ts. */
import { numberAt } from "../../src/reasoning/read/amounts.ts";
import { isClosed, placesOf, placesOfRobot } from "../../src/reasoning/read/pairs/places.ts";
import type { SourceWord } from "../../src/reasoning/read/trained/source.ts";
import type { TargetToken } from "../../src/reasoning/read/trained/target.ts";
import type { Expression, Literal } from "../../src/schema/index.ts";

export function tokensOf(parts: readonly Expression[], source: readonly SourceWord[]): TargetToken[] {
  return parts.flatMap((part, n) => [...(n === 0 ? [] : [";;"]), ...tokens(part, source)]);
}

function tokens({ op, of, with: options }: Expression, source: readonly SourceWord[]): TargetToken[] {
  return [
    `${op}(`,
    ...of.flatMap((one) => tokens(one, source)),
    ...Object.entries(options).flatMap(([name, value]) => [`${name}:`, ...literal(op, name, value, source)]),
    ")",
  ];
}

function literal(op: string, name: string, value: Literal, source: readonly SourceWord[]): TargetToken[] {
  if (Array.isArray(value)) {
    const items = value.map((one) => scalar(op, name, one as string, source));
    return ["[", ...items.flatMap((one, n) => (n === 0 ? one : ["|", ...one])), "]"];
  }
  return scalar(op, name, value as string | number | boolean, source);
}

function scalar(
  op: string,
  name: string,
  value: string | number | boolean,
  source: readonly SourceWord[],
): TargetToken[] {
  if (typeof value === "number") {
    // "One" is seldom a number: "the first one".
    const at = source.findIndex(
      ({ word }) => word === String(value) || (value > 1 && numberAt([word], 0)?.value === value),
    );
    if (at >= 0) return [`@${at}`];
  }
  if (typeof value !== "string" || isClosed(op, name, value)) return [`=${JSON.stringify(value)}`];
  const places = name === "agent" ? placesOfRobot(value, source) : placesOf(value, source);
  return places?.map((at) => `@${at}`) ?? [`=${JSON.stringify(value)}`];
}
