import type { Description } from "../belief/description.ts";
import { isDoubtful, kindP, NAMES } from "../belief/names.ts";
import { RESEMBLING, type Resembling, resembling } from "../belief/resembling.ts";
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

/** A name more likely wrong than right is no reason for a yes. */
const EVEN = 0.5;

/**
 * Instead of "I have not seen a backpack": the things without a sure name that could be one, with their probabilities.
 * Undefined where something has the name, or nothing resembles what is asked for.
 */
export async function couldBe(
  asked: Expression,
  value: Value,
  scope: Scope,
): Promise<UnknownValue | undefined> {
  const shown = guessesIn(asked, value);
  if (shown.length > 0) {
    const { phrase } = kindsIn(asked)[0]!;
    return sumOf(shown) >= RESEMBLING.leastP ? offered(phrase, shown, scope) : hardly(phrase, shown);
  }
  if (!isUnseen(asked, value)) return undefined;
  for (const description of kindsIn(asked)) {
    if ((await scope.memory.things(description)).length > 0) continue;
    const found = await resembling(description, scope.memory, !ASKS_WHETHER.has(rootOf(asked).op));
    if (found.length > 0) return offered(description.phrase, found, scope);
  }
  return undefined;
}

/**
 * The condition under which an answer about a thing holds, where the name of the thing is not sure: "if what I
 * saw is a printer"; undefined where it is.
 */
export function conditionOf(asked: Expression, thing: KnownThing | undefined): string | undefined {
  if (!thing || !wasGuessed(thing)) return undefined;
  for (const { head, phrase } of kindsIn(asked)) {
    const p = kindP(head, thing.state);
    if (p > 0 && p < NAMES.sureP) return `if what I saw is ${withArticle(phrase)} (${percent(p)})`;
  }
  return undefined;
}

/**
 * Instead of an answer about a thing that is hardly of the kind asked for: the likeliest ones, that thing among them.
 * Undefined where its name may be said with "perhaps".
 */
export async function hardlyIt(
  asked: Expression,
  thing: KnownThing | undefined,
  scope: Scope,
): Promise<UnknownValue | undefined> {
  if (!thing || !wasGuessed(thing)) return undefined;
  for (const description of kindsIn(asked)) {
    const p = kindP(description.head, thing.state);
    if (p === 0 || p >= NAMES.perhapsP) continue;
    const found = await resembling(description, scope.memory);
    return found.length > 0
      ? offered(description.phrase, found, scope)
      : hardly(description.phrase, [{ thing, p }]);
  }
  return undefined;
}

/** The kinds of things that a question names. */
function kindsIn(asked: Expression): Description[] {
  return nodesCalled("things", asked)
    .map((things) => describedBy(thingOptions.parse(things.with)))
    .filter(({ head }) => head !== "object");
}

/** The things behind a yes, where none of them is as likely as not what was asked for. */
function guessesIn(asked: Expression, value: Value): Resembling[] {
  const [kind] = kindsIn(asked);
  const isYes = value.kind === "truth" && value.truth && rootOf(asked).op === "exists";
  if (!kind || !isYes || value.shown?.kind !== "things" || value.shown.things.some(({ spot }) => spot))
    return [];
  const found = value.shown.things.map((thing) => ({ thing, p: kindP(kind.head, thing.state) }));
  return found.every(({ p }) => p > 0 && p < EVEN) ? found.slice(0, RESEMBLING.most) : [];
}

function wasGuessed({ state, spot }: KnownThing): boolean {
  return spot === undefined && isDoubtful(state);
}

/** Operators that do not presuppose that there is such a thing. */
const ASKS_WHETHER: ReadonlySet<string> = new Set(["exists", "ever", "none", "count"]);

/** Whether an answer is only that nothing of the name is known. */
function isUnseen(asked: Expression, value: Value): boolean {
  const { op } = rootOf(asked);
  if (value.kind === "truth") return op === "exists" && !value.truth;
  if (value.kind === "number") return op === "count" && value.value === 0;
  return value.kind === "unknown" && (value.reason === "never-seen" || value.reason === "not-yet");
}

/** Nothing that was seen is likely enough to be offered. */
function hardly(phrase: string, shown: readonly Resembling[]): UnknownValue {
  const evidence = shown.map(({ thing, p }) => ({ ...evidenceOf(thing, thing.name), score: p }));
  return unknownValue("never-seen", `I have not seen ${withArticle(phrase)}`, { evidence });
}

function sumOf(found: readonly Resembling[]): number {
  return found.reduce((sum, { p }) => sum + p, 0);
}

function percent(p: number): string {
  return `${Math.round(100 * p)} %`;
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
      return [inFull(thing), place, `(${percent(p)})`].filter(Boolean).join(" ");
    }),
  );
  const what = found.length > 1 ? `these ${numberWord(found.length)} could be` : "this could be";
  return unknownValue(
    "ambiguous",
    `I do not know which thing is ${withArticle(phrase)}; ${what}: ${list(lines)}`,
    {
      p: sumOf(found),
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
