import type { Expression } from "../../../schema/index.ts";

/** R⁴'s keys: what a thing is, where it is, when it was so. */
export interface Keys {
  readonly meaning: boolean;
  readonly space: boolean;
  readonly time: boolean;
}
type Key = keyof Keys;

/** Conditions that a search under a key puts on its first argument: without the key they fall away. */
const CONDITIONS: Readonly<Record<string, Key>> = {
  in: "space",
  relate: "space",
  from: "space",
  at: "time",
  ever: "time",
  always: "time",
  never: "time",
  usual: "time",
  likely: "time",
};

/** What is told of the dimension that a key opens: without it nobody knows. */
const TOLD: Readonly<Record<Key, ReadonlySet<string>>> = {
  meaning: new Set(
    "name attribute is serves action recall alike describe cause belongs shown owner".split(" "),
  ),
  space: new Set(
    "room floor rooms floors house neighbours place direction distance elevation size route reachable within contents capacity fits belongs self motion moving approaches speed travelled".split(
      " ",
    ),
  ),
  time: new Set(
    "when before after between moment duration stay often history carrier carried changes doings seen unusual affected motion moving approaches speed travelled".split(
      " ",
    ),
  ),
};

/** Measures of `same` that are about where things are; the others are about what they are. */
const PLACES = new Set(["room", "floor", "support", "size", "height"]);
/** Sets that a number or a truth of each member narrows: without that they are as wide as before. */
const NARROWED = new Set(["most", "least", "nth", "filter"]);

/**
 * An expression as it can be carried out when some keys are not there: a condition under a missing key is not
 * applied, and what is asked of that dimension is not known (null).
 */
export function withoutKeys(expression: Expression, keys: Keys): Expression | null {
  const { op, of } = expression;
  const condition = CONDITIONS[op];
  if (condition && !keys[condition]) return of[0] ? withoutKeys(of[0], keys) : null;
  if (isTold(expression, keys)) return null;
  const [first, ...others] = of.map((argument) => withoutKeys(argument, keys));
  if (first === null) return null;
  if (NARROWED.has(op) && others.includes(null)) return first ?? null;
  if (others.includes(null)) return null;
  const kept = first === undefined ? [] : [first, ...(others as Expression[])];
  return { op, of: kept, with: op === "things" && !keys.meaning ? {} : expression.with };
}

function isTold({ op, with: options }: Expression, keys: Keys): boolean {
  if (op === "same") return !keys[PLACES.has(String(options["measure"])) ? "space" : "meaning"];
  return (Object.keys(TOLD) as Key[]).some((key) => !keys[key] && TOLD[key].has(op));
}
