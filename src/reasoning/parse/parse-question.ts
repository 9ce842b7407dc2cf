import { LIMITS, LociError } from "../../schema/index.ts";
import { looksEnglish } from "../english.ts";
import type { Description, Need, Subgoal } from "../need.ts";
import { type Draft, readFrame } from "./ask-kinds.ts";
import { normalise, partsOf, withoutLeadIn } from "./normalise.ts";
import { plain, readPhrase } from "./noun-phrase.ts";
import { isPlausible } from "./plausible.ts";
import { formOf, type Reading, readByForm, readingsByForm } from "./reading/read.ts";
import type { Form } from "./reading/roles.ts";
import { withoutRemarks } from "./remarks.ts";
import { optionThings, readAmong } from "./rules-among.ts";
import { readCommand } from "./rules-command.ts";
import { readHow } from "./rules-how.ts";
import { readGap, readSetForm } from "./rules-set-forms.ts";
import { readWhat } from "./rules-what.ts";
import { readWhere } from "./rules-where.ts";
import { readYesNo } from "./rules-yes-no.ts";
import { readTimes } from "./times.ts";

export interface ParseContext {
  readonly nowUs: number;
  /** The choices of a multiple-choice question. */
  readonly options?: readonly string[] | undefined;
}

const PRONOUN = /^(?:it|they|them|this|that|he|she|one|these|those)$/;

/**
 * A question into what it needs, one for each thing asked (SPEC §10.1). Rules read the closed class of words that
 * English questions are built with; the names between them are taken as they come. Where they do not seem to have
 * read it right, the question is taken for the kind that its form is likest to. What is not understood either way is
 * searched for as a whole, and says so. Never throws on a text within the limit.
 */
export function parseQuestion(question: string, context: ParseContext): Need[] {
  if (question.length > LIMITS.queryChars) {
    throw new LociError(
      "limit-exceeded",
      `a question has at most ${LIMITS.queryChars} characters, got ${question.length}`,
    );
  }
  const needs = readByRules(question, context);
  if (!looksEnglish(question)) return needs;
  const form = formOf(question);
  const reading = readByForm(form, { nowUs: context.nowUs, among: optionThings(context.options) });
  return reading && isBetter(reading, needs, form)
    ? reading.drafts.map((made) => needOf(made, reading.plain, reading.plain, [], context))
    : needs;
}

export interface OtherReadings {
  /** Whether the first reading looked right from outside. */
  readonly plausible: boolean;
  readonly readings: readonly (readonly Need[])[];
}

/** Other ways to read a question than the one taken, the likeliest first: for when nothing is found by that. */
export function otherReadings(
  question: string,
  context: ParseContext,
  taken: readonly Need[],
): OtherReadings {
  if (!looksEnglish(question)) return { plausible: true, readings: [] };
  const form = formOf(question);
  const among = optionThings(context.options);
  const byForm = readingsByForm(form, { nowUs: context.nowUs, among }).map(({ drafts, plain }) =>
    drafts.map((made) => needOf(made, plain, plain, [], context)),
  );
  const known = new Set([meaningOf(taken)]);
  // What is asked of a time is not answered by what holds at another.
  const isTimed = taken.some(hasMoment);
  const plausible = isPlausible(taken, form);
  const readings = [...byForm, readByRules(question, context)].filter((needs) => {
    const meaning = meaningOf(needs);
    if (known.has(meaning) || needs.some(({ fallback }) => fallback !== undefined)) return false;
    if (isTimed && !needs.some(hasMoment)) return false;
    // Whatever the question names is in a reading of it, or it is none.
    if (!isPlausible(needs, form)) return false;
    // What was never seen is neither counted nor dated by asking otherwise.
    if (plausible && isOfSame(taken, needs)) return false;
    known.add(meaning);
    return true;
  });
  return { plausible, readings };
}

/** Kinds of need that end when the thing was not seen. */
const OF_ONE_SEEN: ReadonlySet<Need["asks"]> = new Set(["count", "exist", "when", "locate", "frequency"]);

/** Whether both only ask what was seen of the same things. */
function isOfSame(taken: readonly Need[], needs: readonly Need[]): boolean {
  const heads = (list: readonly Need[]) =>
    list.flatMap(({ subgoals }) => subgoals.map(({ target }) => target.head)).join("|");
  return (
    [...taken, ...needs].every(({ asks }) => OF_ONE_SEEN.has(asks)) &&
    heads(taken) !== "" &&
    heads(taken) === heads(needs)
  );
}

const hasMoment = ({ times }: Need): boolean =>
  times.some(({ fromUs, event }) => fromUs !== undefined || event !== undefined);

/** What of needs makes them different questions. */
function meaningOf(needs: readonly Need[]): string {
  return JSON.stringify(
    needs.map(({ asks, subgoals, compare, times, verb }) => [
      asks,
      subgoals.map(({ target, region, relations, property }) => [
        target.head,
        region?.head,
        relations.map(({ predicate, anchor }) => [predicate, anchor?.head]),
        property,
      ]),
      compare,
      times,
      verb,
    ]),
  );
}

/** How likely a kind must be, and how much likelier than that the rules read it best, to be taken before the rules. */
const BEFORE_RULES = {
  plausible: { share: 0.15, odds: 2 },
  odd: { share: 0.04, odds: 0.35 },
  none: { share: 0.02, odds: 0.1 },
} as const;

/** Rules read more of a question than its form tells, as far as they seem to have read it right. */
function isBetter({ share, forRules, drafts }: Reading, needs: readonly Need[], form: Form): boolean {
  const unread = needs.some(({ fallback }) => fallback !== undefined);
  const plausible = !unread && isPlausible(needs, form);
  // Where both ask whether something was there, the rules keep the question's own words for it.
  if (plausible && needs.length === 1 && needs[0]!.asks === "exist" && drafts[0]?.asks === "exist")
    return false;
  const least = BEFORE_RULES[unread ? "none" : plausible ? "plausible" : "odd"];
  return share > least.share && share > least.odds * forRules;
}

function readByRules(question: string, context: ParseContext): Need[] {
  const whole = normalise(question);
  const { context: said, parts } = partsOf(withoutRemarks(whole));
  const background = said === "" ? undefined : subjectOf(said);
  const needs: Need[] = [];
  for (const part of parts.slice(0, 4)) {
    const previous = needs.at(-1)?.subgoals[0]?.target ?? background;
    needs.push(withWish(parsePart(part, whole, previous, context), said));
  }
  return needs;
}

function parsePart(
  part: string,
  whole: string,
  previous: Description | undefined,
  context: ParseContext,
): Need {
  const led = withoutLeadIn(part);
  const bare = lastLookLast(
    inQuestionOrder(led.text.replace(ADVERBS, "").replace(FROM_HERE, ""), led.indirect),
  );
  // What is asked between two sights is no time of its own.
  const gap = readGap(bare);
  const timed = gap ? { text: bare, times: [] } : readTimes(bare, context.nowUs);
  const framed = readFrame(timed.text.replace(/^[\s,]+/, ""));
  const text = framed.text.replace(/[\s,]+(?:now|please|again|exactly)$/, "").replace(/[\s,]+$/, "");
  const made =
    gap ??
    readAmong(text, context.options) ??
    readSetForm(text) ??
    readCommand(text) ??
    readWhere(text) ??
    readHow(text) ??
    readWhat(text) ??
    readYesNo(text) ??
    statement(text);
  const options = context.options === undefined ? {} : { options: [...context.options] };
  if (made === undefined) {
    return {
      text: whole,
      asks: "recognise",
      answer: context.options ? "choice" : "text",
      quantifier: "one",
      subgoals: [{ target: plain("object", whole.slice(0, LIMITS.nameChars)), relations: [] }],
      times: timed.times,
      cues: [whole],
      level: "explicit",
      alternatives: [],
      negated: false,
      ...options,
      fallback: "no rule reads this question",
    };
  }
  const subgoals = (made.subgoals ?? []).map((subgoal) => withPrevious(subgoal, previous));
  const frame = made.frame ?? framed.frame;
  return needOf({ ...made, subgoals, ...(frame && { frame }) }, whole, text, timed.times, context);
}

/** A need with everything that a rule leaves to be filled in. */
function needOf(made: Draft, whole: string, text: string, times: Need["times"], context: ParseContext): Need {
  const subgoals = made.subgoals ?? [];
  return {
    text: whole,
    asks: made.asks,
    answer: context.options ? "choice" : made.answer,
    quantifier: made.quantifier ?? (subgoals.some(({ target }) => target.plural) ? "all" : "one"),
    subgoals,
    ...(made.compare && { compare: made.compare }),
    times: [...times, ...(made.times ?? [])],
    cues: cuesOf(made, subgoals, text),
    level: made.level ?? "explicit",
    ...(made.frame && { frame: made.frame }),
    ...(made.verb !== undefined && { verb: made.verb.slice(0, LIMITS.nameChars) }),
    ...(context.options && { options: [...context.options] }),
    alternatives: made.alternatives ?? [],
    negated: made.negated ?? false,
  };
}

/** "when you last saw the lamp, was it on" as it would be asked the other way round. */
function lastLookLast(text: string): string {
  const match =
    /^(?:(?:the )?last time|when) (?:that )?(?:i|you|we) (?:last )?(?:saw|noticed|looked at|passed|spotted) (.+?),? (is|was|were|are) (?:it|they) (.*)$/.exec(
      text,
    );
  return match ? `${match[2]} ${match[1]} ${match[3]} the last time you saw it` : text;
}

const ADVERBS =
  /[\s,]+(?:right now|currently|at the moment|at present|presently|as of now|at any (?:time|point)|at some point|at all)\b/g;

/** Where one stands is where the nearest is measured from anyway. */
const FROM_HERE =
  /(?<=\b(?:nearest|closest)\b.*?)[\s,]+(?:(?:from|to) (?:here|me|us|you|my (?:current )?(?:position|place|location)|where (?:i|you|we) (?:am|are|stand)(?: now| standing)?)|around here|nearby)\b/;

/** "whether the door has been opened" as it would be asked: "has the door been opened". */
function inQuestionOrder(text: string, indirect: boolean): string {
  if (!indirect) return text;
  const subject = /^(?:the|a|an|my|your|this|any)\b/.test(text) ? readPhrase(text) : undefined;
  const verb = subject ? /^\s*(is|are|was|were|has|have|had|can|will)\s+(.*)$/.exec(subject.rest) : null;
  if (!subject || !verb) return text;
  return `${verb[1]} ${text.slice(0, text.length - subject.rest.length).trim()} ${verb[2]}`;
}

/** "I am cold. What can I do?": the wish stands in the sentence before. */
function withWish(need: Need, said: string): Need {
  if (
    said === "" ||
    need.asks !== "function" ||
    !/^(?:(?:can|could|should|would|must) (?:i|we) )?(?:do|go|use|look|turn)?$/.test(need.verb ?? "")
  )
    return need;
  return { ...need, verb: said.slice(0, LIMITS.nameChars), cues: [said, ...need.cues].slice(0, 8) };
}

/** A bare name is a wish to find it: "red mug", "the charger". */
function statement(text: string): Draft | undefined {
  const words = text.split(" ");
  if (words.length > 6 || text === "") return undefined;
  const phrase = readPhrase(text);
  if (
    phrase?.rest.trim() !== "" ||
    /^(?:what|which|who|why|where|when|how|is|are|do|does|did|can)\b/.test(text)
  )
    return undefined;
  return {
    asks: "locate",
    answer: "position",
    subgoals: [
      {
        target: phrase.description,
        relations: phrase.relations,
        ...(phrase.region && { region: phrase.region }),
      },
    ],
  };
}

/** What a sentence before the question speaks of, for the pronoun in it. */
function subjectOf(said: string): Description | undefined {
  const there =
    /\bthere (?:is|are|was|were)\s+(?:no more |no |some )?(.*)$/.exec(said) ??
    /\b(?:have|has|had|got|see|saw|need|want|lost|use)\s+(?:a couple of |some |no more |lost )?(.*)$/.exec(
      said,
    );
  return readPhrase(there?.[1] ?? said)?.description;
}

function withPrevious(subgoal: Subgoal, previous: Description | undefined): Subgoal {
  if (previous === undefined) return subgoal;
  const { head, phrase } = subgoal.target;
  const empty = head === "object" && subgoal.relations.length === 0 && phrase === "object";
  return PRONOUN.test(head) || empty ? { ...subgoal, target: previous } : subgoal;
}

/** Short phrases to search by, best first: the things by their names, then what is wanted of them, then all of it. */
function cuesOf(made: Draft, subgoals: readonly Subgoal[], text: string): string[] {
  const cues = new Set<string>();
  const add = ({ head, phrase }: Description) => head !== "object" && cues.add(phrase);
  for (const { target } of subgoals) add(target);
  if (made.verb !== undefined && made.level === "implicit") cues.add(made.verb);
  for (const { relations, region } of subgoals) {
    for (const { anchor, anchor2 } of relations) {
      if (anchor) add(anchor);
      if (anchor2) add(anchor2);
    }
    if (region) add(region);
  }
  if (cues.size === 0) cues.add(text);
  return [...cues].slice(0, 8);
}
