import { type Resembling, resembling } from "../belief/resembling.ts";
import type { KnownThing } from "../belief/thing.ts";
import { evidenceOf } from "../belief/trust.ts";
import { NAMELESS } from "../schema/core.ts";
import type { Expression } from "../schema/index.ts";
import type { Scope } from "./algebra/operator.ts";
import { describedBy, thingOptions } from "./algebra/things/description.ts";
import { type UnknownValue, unknownValue, type Value } from "./algebra/value.ts";
import { nodesCalled } from "./rival-values.ts";
import { list, numberWord, withArticle } from "./say/grammar.ts";
import { aThing, roomText } from "./say/naming.ts";
import { rootOf } from "./say/say.ts";
import { surroundingsOf } from "./say/surroundings.ts";

/**
 * Instead of "I have not seen a backpack": the things without a sure name that could be one, with their probabilities.
 * Undefined where something has the name, or nothing resembles what is asked for.
 */
export async function couldBe(
  asked: Expression,
  value: Value,
  scope: Scope,
): Promise<UnknownValue | undefined> {
  if (!isUnseen(asked, value)) return undefined;
  for (const things of nodesCalled("things", asked)) {
    const description = describedBy(thingOptions.parse(things.with));
    const isNamed = description.head !== "object" && (await scope.memory.things(description)).length > 0;
    if (description.head === "object" || isNamed) continue;
    const found = await resembling(description, scope.memory);
    if (found.length > 0) return offered(description.phrase, found, scope);
  }
  return undefined;
}

/** Whether an answer is only that nothing of the name is known. */
function isUnseen(asked: Expression, value: Value): boolean {
  const { op } = rootOf(asked);
  if (value.kind === "truth") return op === "exists" && !value.truth;
  if (value.kind === "number") return op === "count" && value.value === 0;
  return value.kind === "unknown" && (value.reason === "never-seen" || value.reason === "not-yet");
}

async function offered(
  phrase: string,
  found: readonly Resembling[],
  { memory }: Scope,
): Promise<UnknownValue> {
  const surroundings = surroundingsOf(memory);
  const lines = await Promise.all(
    found.map(async ({ thing, p }) => {
      const place = (await surroundings.holderOf(thing)) ?? (await roomText(thing, surroundings));
      return [inFull(thing), place, `(${Math.round(100 * p)} %)`].filter(Boolean).join(" ");
    }),
  );
  const what = found.length > 1 ? `these ${numberWord(found.length)} could be` : "this could be";
  return unknownValue(
    "ambiguous",
    `I do not know which thing is ${withArticle(phrase)}; ${what}: ${list(lines)}`,
    {
      p: found.reduce((sum, { p }) => sum + p, 0),
      choices: found.map(({ thing }) => thing),
      goal: found[0]!.thing,
      evidence: found.map(({ thing, p }) => ({ ...evidenceOf(thing, thing.name), score: p })),
    },
  );
}

/** By its look, where it has no name. */
function inFull(thing: KnownThing): string {
  return thing.category === NAMELESS ? withArticle(thing.name) : aThing(thing);
}
