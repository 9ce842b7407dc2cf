import { lookup, nameFit } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { agrees, standsIn } from "./agrees.ts";
import { amountIn, isNear } from "./amounts.ts";
import { asQuestion } from "./as-question.ts";
import { type Clause, predicatesOf } from "./clauses.ts";
import { clockIn } from "./clocks.ts";
import type { Grounds, Reach, Told } from "./grounds.ts";
import type { ClaimVerdict, Judged } from "./judged.ts";
import { inFull } from "./short-answers.ts";

/** A name that fits a category so well may stand for it. */
const KIN = 0.6;
/** A truth less sure than this decides nothing. */
const LEAST_SURE = 0.5;
/** A stated moment may be off by a minute, in microseconds. */
const SEEN_US = 60_000_000;
/** Operators that speak of all there is: what was not cited counts too. */
const OF_ALL = /\b(?:count|all|none|most|least|unusual|sum|average|changes|doings|carried|happenings|nth)\(/;
const NARROW: readonly Reach[] = ["cited", "shown", "memory"];

/** Holds one clause of an answer against the records: as a question, where it can be read as one, else as an answer to what was asked. */
export async function judgeClause(clause: Clause, question: string, grounds: Grounds): Promise<Judged> {
  // "there are two" says how many of what was asked for.
  const short = /^there (?:is|are|was|were) (?:only |just |exactly )?([\w-]+)$/i.exec(clause.plain)?.[1];
  if (short !== undefined) return judgeClause({ said: clause.said, plain: short }, question, grounds);
  const own = asQuestion(clause.plain);
  const [category] = grounds.categories();
  const name = category === undefined ? undefined : `the ${category}`;
  const full = own ? [clause.plain] : inFull(clause.plain, question, name);
  const [looks, ...more] = own ? [] : predicatesOf(full[0] ?? "");
  if (looks !== undefined && more.length > 0) return judgeEach(clause, [looks, ...more], grounds);
  const whole = full.flatMap((statement) => [statement, ...byItsName(statement, grounds)]);
  let best: Outcome | undefined;
  for (const statement of whole) {
    const outcome = await judgeStatement(statement, grounds);
    if (outcome.verdict === "supported") return judged(clause, outcome);
    if (!best || (best.verdict === "cannot-tell" && outcome.verdict !== "cannot-tell")) best = outcome;
  }
  // The question itself, answered from the same records, says it in another way; of a short answer that is the nearer one.
  if (best?.verdict !== "contradicted" || own === undefined) {
    const same = await judgeAsAnswer(clause.plain, question, grounds);
    const decides = own === undefined && best?.verdict !== "contradicted" && same.verdict !== "cannot-tell";
    if (decides || same.verdict === "supported") best = same;
  }
  return judged(clause, best ?? UNTOLD);
}

/** "grey leather" is two claims: all must hold. */
async function judgeEach(clause: Clause, statements: readonly string[], grounds: Grounds): Promise<Judged> {
  const outcomes = await Promise.all(statements.map((one) => judgeStatement(one, grounds)));
  const worst =
    outcomes.find(({ verdict }) => verdict === "contradicted") ??
    outcomes.find(({ verdict }) => verdict === "cannot-tell");
  return judged(clause, worst ?? { verdict: "supported", refs: outcomes.flatMap(({ refs }) => refs) });
}

interface Outcome {
  readonly verdict: ClaimVerdict;
  readonly instead?: string | undefined;
  readonly refs: readonly string[];
}
const UNTOLD: Outcome = { verdict: "cannot-tell", refs: [] };

function judged({ said }: Clause, { verdict, instead, refs }: Outcome): Judged {
  const support = verdict === "cannot-tell" ? "none" : "fields";
  return { claim: said, verdict, support, refs, ...(instead !== undefined && { instead }) };
}

/** The same of what was cited by the name that its record has: "a plant" for a monstera. */
export function byItsName(statement: string, grounds: Grounds): string[] {
  return grounds.categories().flatMap((category) => {
    const words = statement.split(" ");
    for (const length of [2, 1])
      for (let at = 0; at + length <= words.length; at++) {
        const name = words
          .slice(at, at + length)
          .join(" ")
          .toLowerCase();
        const isOther = name !== category && !category.includes(name) && lookup(name) !== undefined;
        if (!isOther || nameFit(name, category) < KIN) continue;
        return [[...words.slice(0, at), category, ...words.slice(at + length)].join(" ")];
      }
    return [];
  });
}

/** A whole statement, as the question that it answers with yes. */
export async function judgeStatement(statement: string, grounds: Grounds): Promise<Outcome> {
  const yesNo = asQuestion(statement);
  if (!yesNo) return UNTOLD;
  return judgeTruth(yesNo.question, !yesNo.negated, grounds);
}

/** A question that is to be answered with yes, or with no. */
export async function judgeTruth(question: string, expected: boolean, grounds: Grounds): Promise<Outcome> {
  const timed = await judgeSeen(question, expected, grounds);
  if (timed) return timed;
  for (const reach of NARROW) {
    const told = await grounds.ask(question, reach);
    if (reach !== "memory" && isOfAll(told, expected)) continue;
    const outcome =
      (await byAmount(question, expected, told, reach, grounds)) ??
      throughWall(question, told, expected, grounds) ??
      byTruth(told, expected);
    if (outcome.verdict === "cannot-tell" || !rests(outcome, told, reach, grounds)) continue;
    // What was not read was not looked at: "moved from the bed" is not borne out by its having moved.
    if (outcome.verdict === "supported" && !standsIn(question, notationOf(told.answer))) continue;
    return outcome;
  }
  return UNTOLD;
}

/** "last seen at 09:04" names a moment: that of the last look, and not any look about then. */
async function judgeSeen(
  question: string,
  expected: boolean,
  grounds: Grounds,
): Promise<Outcome | undefined> {
  const found = /\b(last|first) (?:seen|see|saw|spotted)\b|\b(?:seen|see|spotted)\b.*\b(last|first)\b/i.exec(
    question,
  );
  const clock = clockIn(question, grounds.nowUs);
  if (!found || clock === undefined) return undefined;
  const times = grounds.seen((found[1] ?? found[2])!.toLowerCase() as "first" | "last");
  if (times.length === 0) return undefined;
  const hit = times.find(({ atUs }) => Math.abs(atUs - clock) <= SEEN_US);
  const refs = times.map(({ id }) => id);
  if ((hit !== undefined) === expected) return { verdict: "supported", refs };
  const instead = `${found[1] ?? found[2]} seen at ${new Date(Math.floor(times[0]!.atUs / 1_000)).toISOString().slice(11, 19)}`;
  return { verdict: "contradicted", refs, instead };
}

/** What stands on the other side of a wall is near, and not beside. */
function throughWall(
  question: string,
  { answer, refs }: Told,
  expected: boolean,
  grounds: Grounds,
): Outcome | undefined {
  if (!answer.binary || !/relation: "(?:beside|near)"/.test(notationOf(answer))) return undefined;
  const rooms = grounds.rooms(refs, question.toLowerCase());
  if (rooms.length < 2) return undefined;
  return {
    verdict: expected ? "contradicted" : "supported",
    instead: `one is in the ${rooms.join(", one in the ")}`,
    refs: [...refs],
  };
}

/** Whether something that was cited takes part, where the whole memory was asked. */
function rests({ verdict }: Outcome, told: Told, reach: Reach, grounds: Grounds): boolean {
  if (reach !== "memory" || verdict === "contradicted" || isOfAll(told, true)) return true;
  const cited = grounds.cited();
  return [...told.refs].some((ref) => cited.has(ref));
}

function byTruth({ answer, refs }: Told, expected: boolean): Outcome {
  if (answer.type !== "binary" || answer.binary === undefined) return UNTOLD;
  // That a search found none may be the fault of its words.
  if (expected && !answer.binary && isExistence(answer)) return UNTOLD;
  if (answer.status !== "answered" || answer.confidence < LEAST_SURE) return UNTOLD;
  const verdict = answer.binary === expected ? "supported" : "contradicted";
  return { verdict, refs: [...refs], ...(verdict === "contradicted" && { instead: answer.text }) };
}

/** Whether all of a memory must be looked at: for counts and extremes, and before it is said that there is none. */
function isOfAll({ answer }: Told, expected: boolean): boolean {
  const notation = notationOf(answer);
  if (OF_ALL.test(notation)) return true;
  return isExistence(answer) && (answer.binary !== true || !expected);
}

function isExistence(answer: Told["answer"]): boolean {
  return /^(?:at\()?exists\((?!changes)/.test(notationOf(answer));
}

/** "about 2 m wide" is near, not equal: what is measured is asked for and compared. */
async function byAmount(
  question: string,
  expected: boolean,
  { answer }: Told,
  reach: Reach,
  grounds: Grounds,
): Promise<Outcome | undefined> {
  const [root] = expressionsOf(answer);
  if (root === undefined || !["equal", "greater", "less"].includes(root.op)) return undefined;
  if (/\b(?:more|less|fewer|over|under|than|at least|at most|above|below)\b/i.test(question))
    return undefined;
  const stated = amountIn(question);
  const [measured, value] = root.of;
  if (!stated || measured === undefined || value?.op !== "value") return undefined;
  const told = await grounds.ask(question, reach, measured);
  const found = told.answer.quantity?.value ?? told.answer.durationS ?? told.answer.count;
  if (found === undefined) return UNTOLD;
  const same = isNear(found, stated, told.answer.count !== undefined);
  const verdict = same === expected ? "supported" : "contradicted";
  return { verdict, refs: [...told.refs], ...(verdict === "contradicted" && { instead: told.answer.text }) };
}

const ASKS_WHEN = /^(?:and |so )?(?:when|(?:at )?what time|how long ago)\b(?!.*\b(?:first|last)\b)/i;

/** A time that is said of something that happened, against the events cited for it: another such event says nothing against it. */
function judgeHappened(said: string, question: string, grounds: Grounds): Outcome | undefined {
  if (!ASKS_WHEN.test(question)) return undefined;
  const amount = /\bago\b/i.test(said) ? amountIn(said) : undefined;
  const statedUs =
    clockIn(said, grounds.nowUs) ?? (amount?.unit === "s" ? grounds.nowUs - amount.value * 1e6 : undefined);
  if (statedUs === undefined) return undefined;
  const hits = grounds.happened().filter(({ atUs }) => Math.abs(atUs - statedUs) <= SEEN_US);
  return hits.length === 0 ? undefined : { verdict: "supported", refs: hits.map(({ id }) => id) };
}

/** A short answer against what the same question comes to within the records. */
async function judgeAsAnswer(said: string, question: string, grounds: Grounds): Promise<Outcome> {
  const happened = judgeHappened(said, question, grounds);
  if (happened) return happened;
  for (const reach of NARROW) {
    const told = await grounds.ask(question, reach);
    if (reach !== "memory" && isOfAll(told, true)) continue;
    if (told.answer.status !== "answered" || told.answer.confidence < LEAST_SURE) continue;
    const same = agrees(said, told.answer);
    if (same === undefined || !rests(UNTOLD, told, reach, grounds)) continue;
    return same
      ? { verdict: "supported", refs: [...told.refs] }
      : { verdict: "contradicted", instead: told.answer.text, refs: [...told.refs] };
  }
  return UNTOLD;
}

function expressionsOf(answer: Told["answer"]): readonly Expression[] {
  const plan = answer.trace.plan as { readonly expressions?: readonly Expression[] } | undefined;
  return plan?.expressions ?? [];
}

function notationOf(answer: Told["answer"]): string {
  const plan = answer.trace.plan as { readonly notation?: readonly string[] } | undefined;
  return plan?.notation?.[0] ?? "";
}
