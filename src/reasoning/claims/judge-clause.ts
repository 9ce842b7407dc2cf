import { lookup } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { agrees, isExclusive } from "./agrees.ts";
import { amountIn, isNear } from "./amounts.ts";
import { asQuestion } from "./as-question.ts";
import { type Clause, predicatesOf } from "./clauses.ts";
import { clockIn } from "./clocks.ts";
import { type Account, isCalled, unaccounted, unanswered } from "./coverage.ts";
import type { Grounds, Reach, Told } from "./grounds.ts";
import type { ClaimVerdict, Judged } from "./judged.ts";
import { inFull } from "./short-answers.ts";

/** A less certain truth decides nothing. */
const LEAST_SURE = 0.5;
/** The tolerance of a stated moment: a minute, in microseconds. */
const SEEN_US = 60_000_000;
/** Operators over everything: uncited things count too. */
const OF_ALL = /\b(?:count|all|none|most|least|unusual|sum|average|changes|doings|carried|happenings|nth)\(/;
const NARROW: readonly Reach[] = ["cited", "shown", "memory"];

/** The records' result for a statement; certain where all of the statement was read and the space observed. */
interface Outcome {
  readonly verdict: ClaimVerdict;
  readonly isSure: boolean;
  readonly instead?: string | undefined;
  readonly refs: readonly string[];
}
const UNTOLD: Outcome = { verdict: "cannot-tell", isSure: false, refs: [] };

/**
 * Checks one clause of an answer against the records: as a question where possible, otherwise as an answer to the
 * original question. A verdict holds only where a reading covers the whole clause, and no other such reading
 * contradicts it.
 */
export async function judgeClause(clause: Clause, question: string, grounds: Grounds): Promise<Judged> {
  // "there are two" counts the things asked for.
  const short = /^there (?:is|are|was|were) (?:only |just |exactly )?([\w-]+)$/i.exec(clause.plain)?.[1];
  if (short !== undefined) return judgeClause({ said: clause.said, plain: short }, question, grounds);
  const own = asQuestion(clause.plain);
  const [category] = grounds.categories();
  const name = category === undefined ? undefined : `the ${category}`;
  const full = own ? [clause.plain] : inFull(clause.plain, question, name);
  const [looks, ...more] = own ? [] : predicatesOf(full[0] ?? "");
  if (looks !== undefined && more.length > 0)
    return judgedBy(clause, [await judgeEach([looks, ...more], question, grounds)]);
  const ways: Outcome[] = [];
  for (const statement of full.flatMap((one) => [one, ...byItsName(one, grounds)]))
    ways.push(await judgeStatement(statement, question, grounds));
  // The question itself, answered from the same records, says it in another way.
  return judgedBy(clause, [anyOf(ways), await judgeAsAnswer(clause.plain, question, grounds)]);
}

/** Of several readings of a statement, one supported reading is enough; it is contradicted only if all are. */
function anyOf(ways: readonly Outcome[]): Outcome {
  const so = ways.find(({ verdict, isSure }) => verdict === "supported" && isSure);
  if (so) return so;
  const mayBe = ways.some(({ verdict }) => verdict === "supported");
  const denied = ways.find(({ verdict, isSure }) => verdict === "contradicted" && isSure);
  return mayBe ? UNTOLD : (denied ?? UNTOLD);
}

function judgedBy({ said }: Clause, outcomes: readonly Outcome[]): Judged {
  const sure = outcomes.filter(({ isSure, verdict }) => isSure && verdict !== "cannot-tell");
  const [first] = sure;
  const isAgreed = first !== undefined && sure.every(({ verdict }) => verdict === first.verdict);
  if (!isAgreed) return { claim: said, verdict: "cannot-tell", support: "none", refs: [] };
  const { verdict, refs, instead } = first;
  return { claim: said, verdict, support: "fields", refs, ...(instead !== undefined && { instead }) };
}

/** "grey leather" is two claims: all must hold. */
async function judgeEach(
  statements: readonly string[],
  question: string,
  grounds: Grounds,
): Promise<Outcome> {
  const outcomes = await Promise.all(statements.map((one) => judgeStatement(one, question, grounds)));
  const denied = outcomes.find(({ verdict, isSure }) => verdict === "contradicted" && isSure);
  if (denied) return denied;
  const isSure = outcomes.every((one) => one.verdict === "supported" && one.isSure);
  return isSure ? { verdict: "supported", isSure, refs: outcomes.flatMap(({ refs }) => refs) } : UNTOLD;
}

/** The same with the cited record's own name: "a plant" for a monstera. */
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
        // A more specific name, "armchair" for a chair, would be weakened by the record's.
        if (!isOther || !isCalled(name, category)) continue;
        return [[...words.slice(0, at), category, ...words.slice(at + length)].join(" ")];
      }
    return [];
  });
}

/** A whole statement, as the question to which it answers yes. */
async function judgeStatement(statement: string, asked: string, grounds: Grounds): Promise<Outcome> {
  const yesNo = asQuestion(statement);
  if (!yesNo) return UNTOLD;
  return judgeTruth(yesNo.question, !yesNo.negated, asked, grounds);
}

/** A yes or a no to the question, also with the records' own names. */
export async function judgeYesNo(question: string, isYes: boolean, grounds: Grounds): Promise<Judged> {
  const plain = question.replace(/[?\s]+$/, "");
  const outcomes: Outcome[] = [];
  for (const one of [question, ...byItsName(plain, grounds).map((named) => `${named}?`)])
    outcomes.push(await judgeTruth(one, isYes, one, grounds));
  return judgedBy({ said: isYes ? "yes" : "no", plain }, [anyOf(outcomes)]);
}

/** A question with the expected answer yes or no. */
async function judgeTruth(
  question: string,
  expected: boolean,
  asked: string,
  grounds: Grounds,
): Promise<Outcome> {
  const timed = judgeSeen(question, expected, asked, grounds);
  if (timed) return timed;
  let partial = UNTOLD;
  for (const reach of NARROW) {
    const told = await grounds.ask(question, reach);
    if (reach !== "memory" && isOfAll(told, expected)) continue;
    const numbers: number[] = [];
    const outcome =
      (await byAmount(question, expected, told, reach, grounds, numbers)) ??
      throughWall(question, told, expected, grounds) ??
      byTruth(told, expected);
    if (outcome.verdict === "cannot-tell" || !rests(outcome, told, reach, grounds)) continue;
    const isBorneOut = outcome.verdict === "supported";
    const account = { ...accountOf(told, grounds), numbers, isBorneOut };
    const isSure = isCovered(question, asked, account) && isOfItsTime(question, told, outcome, grounds);
    if (isSure) return { ...outcome, isSure };
    if (partial.verdict === "cannot-tell") partial = outcome;
  }
  return partial;
}

function accountOf({ answer, named: own }: Told, grounds: Grounds): Account {
  const [named, looks] = [[...grounds.names(), ...own], grounds.looks()];
  return { parts: expressionsOf(answer), named, looks, nowUs: grounds.nowUs };
}

/** Whether a reading covers the whole statement, and the question. */
function isCovered(said: string, asked: string, account: Account): boolean {
  if (unaccounted(said, account).length > 0) return false;
  const words = said.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  return unanswered(asked, { ...account, named: [...account.named, ...words] }).length === 0;
}

const PAST = /\b(?:was|were|did|had|used to|has been|have been)\b/i;
const TIMED = /\b(?:at|ever|when|changes|seen|doings|duration|stay|before|after)\(/;

/** The present does not contradict the past, and an ended stay does not support the present. */
function isOfItsTime(said: string, { answer }: Told, { verdict }: Outcome, grounds: Grounds): boolean {
  const isTimed = TIMED.test(notationOf(answer));
  if (PAST.test(said)) return isTimed || verdict === "supported";
  return isTimed || !grounds.isPast;
}

/** "last seen at 09:04" means the moment of the last sighting, not any sighting at about that time. */
function judgeSeen(
  question: string,
  expected: boolean,
  asked: string,
  grounds: Grounds,
): Outcome | undefined {
  const found = /\b(last|first) (?:seen|see|saw|spotted)\b|\b(?:seen|see|spotted)\b.*\b(last|first)\b/i.exec(
    question,
  );
  const clock = clockIn(question, grounds.nowUs);
  if (!found || clock === undefined) return undefined;
  const which = (found[1] ?? found[2])!.toLowerCase() as "first" | "last";
  const times = grounds.seen(which, question);
  if (times.length === 0) return undefined;
  const hit = times.find(({ atUs }) => Math.abs(atUs - clock) <= SEEN_US);
  const refs = times.map(({ id }) => id);
  const parts = [node("when", [], { which })];
  const account = {
    parts,
    isBorneOut: true,
    named: grounds.names(),
    looks: grounds.looks(),
    timesUs: [clock],
    nowUs: grounds.nowUs,
  };
  const isSure = isCovered(question, asked, account);
  if ((hit !== undefined) === expected) return { verdict: "supported", isSure, refs };
  const instead = `${which} seen at ${new Date(Math.floor(times[0]!.atUs / 1_000)).toISOString().slice(11, 19)}`;
  return { verdict: "contradicted", isSure, refs, instead };
}

/** Things on the other side of a wall are near, and not beside. */
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
    isSure: false,
    instead: `one is in the ${rooms.join(", one in the ")}`,
    refs: [...refs],
  };
}

/** Whether a cited record is involved, where the whole memory was asked. */
function rests({ verdict }: Outcome, told: Told, reach: Reach, grounds: Grounds): boolean {
  if (reach !== "memory" || verdict === "contradicted" || isOfAll(told, true)) return true;
  const cited = grounds.cited();
  return [...told.refs].some((ref) => cited.has(ref));
}

/** Operators for relations between things. */
const RELATES = /\b(?:relate|related|relation)\(|\brelation: "/;

function byTruth({ answer, refs }: Told, expected: boolean): Outcome {
  if (answer.type !== "binary" || answer.binary === undefined) return UNTOLD;
  // An empty search result may be due to its words.
  if (expected && !answer.binary && isExistence(answer)) return UNTOLD;
  // A relation that was not recorded is not contradicted.
  if (expected && !answer.binary && RELATES.test(notationOf(answer))) return UNTOLD;
  if (answer.status !== "answered" || answer.confidence < LEAST_SURE) return UNTOLD;
  const verdict = answer.binary === expected ? "supported" : "contradicted";
  return {
    verdict,
    isSure: false,
    refs: [...refs],
    ...(verdict === "contradicted" && { instead: answer.text }),
  };
}

/** Whether a memory must be completely observed: for counts and extremes, and before absence is claimed. */
function isOfAll({ answer }: Told, expected: boolean): boolean {
  const notation = notationOf(answer);
  if (OF_ALL.test(notation)) return true;
  return isExistence(answer) && (answer.binary !== true || !expected);
}

function isExistence(answer: Told["answer"]): boolean {
  return /^(?:at\()?exists\((?!changes)/.test(notationOf(answer));
}

/** "about 2 m wide" is near, not equal: the measured value is read and compared. */
async function byAmount(
  question: string,
  expected: boolean,
  { answer }: Told,
  reach: Reach,
  grounds: Grounds,
  /** Receives the numbers that were compared. */
  compared: number[],
): Promise<Outcome | undefined> {
  const [root] = expressionsOf(answer);
  if (root === undefined || !["equal", "greater", "less"].includes(root.op)) return undefined;
  if (/\b(?:more|less|fewer|over|under|than|at least|at most|above|below)\b/i.test(question))
    return undefined;
  const [measured, value] = root.of;
  if (measured === undefined || value?.op !== "value") return undefined;
  const stated = amountIn(question, measured.op === "count" ? "any" : "measure");
  if (!stated) return undefined;
  const told = await grounds.ask(question, reach, measured);
  const found = told.answer.quantity?.value ?? told.answer.durationS ?? told.answer.count;
  if (found === undefined) return UNTOLD;
  const same = isNear(found, stated, told.answer.count !== undefined);
  const verdict = same === expected ? "supported" : "contradicted";
  compared.push(...stated.said);
  return {
    verdict,
    isSure: false,
    refs: [...told.refs],
    ...(verdict === "contradicted" && { instead: told.answer.text }),
  };
}

const ASKS_WHEN = /^(?:and |so )?(?:when|(?:at )?what time|how long ago)\b(?!.*\b(?:first|last)\b)/i;

/** Compares a short answer with the result of the same question within the records. */
async function judgeAsAnswer(said: string, question: string, grounds: Grounds): Promise<Outcome> {
  let partial = UNTOLD;
  for (const reach of NARROW) {
    const told = await grounds.ask(question, reach);
    if (reach !== "memory" && isOfAll(told, true)) continue;
    const { answer } = told;
    if (answer.status !== "answered" || answer.confidence < LEAST_SURE || isGuess(answer)) continue;
    const same = agrees(said, answer) ?? agrees(withoutSubject(said, question), answer);
    if (same === undefined || !rests(UNTOLD, told, reach, grounds)) continue;
    const outcome: Outcome = same
      ? { verdict: "supported", isSure: false, refs: [...told.refs] }
      : { verdict: "contradicted", isSure: false, instead: answer.text, refs: [...told.refs] };
    // It may have happened at other times too, and a thing may have other names.
    const isOther = !same && (ASKS_WHEN.test(question) || !(hasAmount(answer) || isExclusive(said)));
    if (!isOther && isAnswered(said, question, same, told, grounds)) return { ...outcome, isSure: true };
    if (partial.verdict === "cannot-tell") partial = outcome;
  }
  return partial;
}

/** The usual material of a kind was not observed for this thing. */
const isGuess = ({ text }: Told["answer"]) => /^probably\b/.test(text);

/** "the vase was on the bookcase" without the vase that was asked for. */
function withoutSubject(said: string, question: string): string {
  const asked = new Set(question.toLowerCase().match(/[\p{L}\p{N}'-]+/gu));
  return said
    .split(" ")
    .filter((word) => !asked.has(word.toLowerCase()))
    .join(" ");
}

function hasAmount({ type, quantity, durationS, count }: Told["answer"]): boolean {
  return type !== "text" && (quantity?.value ?? durationS ?? count) !== undefined;
}

/** Whether all of a short answer was compared, and all of its question read. */
function isAnswered(
  said: string,
  question: string,
  isBorneOut: boolean,
  told: Told,
  grounds: Grounds,
): boolean {
  const { answer } = told;
  const account = accountOf(told, grounds);
  const amount = amountIn(said, answer.count === undefined ? "measure" : "any");
  const clock = answer.time && clockIn(said, grounds.nowUs);
  const words = answer.text.match(/[\p{L}\p{N}'-]+/gu) ?? [];
  const pairs = words.slice(1).map((word, n) => `${words[n]} ${word}`);
  const isOfLooks = /name: "(?:colour|material)"/.test(notationOf(answer));
  const compared = {
    ...account,
    isBorneOut,
    named: [...account.named, ...words, ...pairs],
    looks: isOfLooks ? words : [],
    numbers: amount?.said ?? [],
    timesUs: clock === undefined ? [] : [clock],
  };
  return unaccounted(said, compared).length === 0 && unaccounted(question, account).length === 0;
}

function expressionsOf(answer: Told["answer"]): readonly Expression[] {
  const plan = answer.trace.plan as { readonly expressions?: readonly Expression[] } | undefined;
  return plan?.expressions ?? [];
}

function notationOf(answer: Told["answer"]): string {
  const plan = answer.trace.plan as { readonly notation?: readonly string[] } | undefined;
  return plan?.notation?.[0] ?? "";
}
