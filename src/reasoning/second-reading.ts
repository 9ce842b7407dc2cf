import type { Finding } from "./finding.ts";
import type { Asks, Need } from "./need.ts";
import { otherReadings, type ParseContext } from "./parse/parse-question.ts";
import { isThingWord } from "./rules/purposes/match.ts";

/** So many other readings are tried. */
const MOST_TRIED = 3;
/** Nobody asks a question this long; what is longer is not read twice. */
const MOST_CHARS = 400;
/** An answer to a question that was read at the second attempt is less sure. */
const LESS_SURE = 0.8;

export interface Answered {
  readonly need: Need;
  readonly finding: Finding;
}

/**
 * Reads a question again where nothing was found: of the ways to read it, the one whose things are in the memory is
 * the likelier one. "What is the location of the mug?" is not about a location. Undefined where the first stands:
 * a thing that was never seen is not looked for under other names.
 */
export async function secondReading(
  question: string,
  context: ParseContext,
  first: readonly Answered[],
  answer: (need: Need) => Promise<Finding>,
): Promise<Answered[] | undefined> {
  if (question.length > MOST_CHARS) return undefined;
  if (!first.every(({ finding }) => isLacking(finding) || finding.status === "looked-absent"))
    return undefined;
  const taken = first.map(({ need }) => need);
  const { plausible, readings } = otherReadings(question, context, taken);
  const isFirm = taken.some(({ asks }) => asks === "function" || asks === "implicit");
  if (plausible && (isFirm || first.some(({ finding }) => finding.status === "looked-absent")))
    return undefined;
  const named = taken.flatMap(headsOf).filter(isThingWord);
  for (const needs of readings.slice(0, MOST_TRIED)) {
    if (plausible && !needs.every(isOfThings)) continue;
    // What is a thing by its name stays asked about, seen or not.
    const heads = needs.flatMap(headsOf);
    if (!named.every((head) => heads.includes(head))) continue;
    const answered: Answered[] = [];
    for (const need of needs) answered.push({ need, finding: await answer(need) });
    if (answered.every(({ finding }) => finding.status === "answered"))
      return answered.map(({ need, finding }) => ({
        need,
        finding: { ...finding, confidence: finding.confidence * LESS_SURE },
      }));
  }
  return undefined;
}

/** The names of all things that a need speaks of. */
function headsOf({ subgoals, compare }: Need): string[] {
  return [
    ...subgoals.flatMap(({ target, relations }) => [
      target,
      ...relations.flatMap(({ anchor, anchor2 }) => [anchor, anchor2]),
    ]),
    compare?.to,
  ].flatMap((one) => (one === undefined || one.head === "object" ? [] : [one.head]));
}

function isLacking({ status }: Finding): boolean {
  return status === "not-seen" || status === "insufficient";
}

/** What can be said of anything, known or not. */
const OF_ANYTHING: ReadonlySet<Asks> = new Set([
  "describe",
  "room",
  "ego",
  "function",
  "implicit",
  "change",
  "order",
]);

/** Whether a reading speaks of things by their names: then it can only answer where these are known. */
function isOfThings({ asks, subgoals }: Need): boolean {
  return (
    !OF_ANYTHING.has(asks) &&
    subgoals.length > 0 &&
    subgoals.every(
      ({ target, relations }) =>
        target.head !== "object" || relations.some(({ anchor }) => anchor !== undefined),
    )
  );
}
