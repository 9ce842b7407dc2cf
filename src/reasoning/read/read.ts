import { type Expression, inSlices } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { type Addressed, addressedTo, askedOf, robotsNamed, spokenTo } from "./addressed.ts";
import { calledAfterColour } from "./after-colour.ts";
import { betweenRobots } from "./between-robots.ts";
import { bySays, byUnknownSays } from "./by-says.ts";
import { isLong, readDescription } from "./description.ts";
import { isGoingOn, spokenOf } from "./history.ts";
import { neglected } from "./neglected.ts";
import { namedBy } from "./options.ts";
import { byPairs, isPunctuation, type Pairs } from "./pairs/index.ts";
import { goesOn } from "./placeholders.ts";
import { withApostrophes } from "./possessive.ts";
import type { Reading } from "./reading.ts";
import { withRoomNames } from "./room-names.ts";
import { distinct, questionsOf } from "./several.ts";
import { mended } from "./spell.ts";
import { withCodes } from "./spoken-codes.ts";
import { titled } from "./titled.ts";
import { sentencesOf, type Written } from "./tokens.ts";
import { type ProposeContext, type Proposed, proposed as proposedBy } from "./trained/index.ts";
import { type SourceWord, sourceOf } from "./trained/source.ts";
import { asMeant } from "./usage.ts";

/** Context for reading a question. */
export interface Asked {
  readonly nowUs: number;
  /** The names in this memory: things, rooms, people. */
  readonly names: () => Promise<readonly string[]>;
  /** Names of people and pets, in lower case. */
  readonly people?: ReadonlySet<string> | undefined;
  /** Names of rooms, in lower case. */
  readonly rooms?: ReadonlySet<string> | undefined;
  readonly options?: readonly string[] | undefined;
  /** A picture was shown, to which "this" refers. */
  readonly shown?: boolean | undefined;
  /** The earlier questions, the latest last. */
  readonly history?: readonly string[] | undefined;
  /** Forms of questions that are read without the network; default: the shipped ones. */
  readonly pairs?: Pairs | undefined;
}

/** Proposals with a lower probability are noise; long expressions if their mean probability per step is lower. */
const NOISE = { whole: 0.04, step: 0.9, least: 0.002 };
/** Above this probability no other way of reading is tried. */
const SURE = 0.5;
/** Cost per −ln p, and of a refusal where another reading would answer. */
const UNLIKELY = 0.3;
const REFUSED = 0.25;
/** Cost of a description by mentions, which is read loosely. */
const DESCRIBED = 0.1;
/** Extra cost of the network's readings beside an exact form: more than another reading may cost to be tried. */
const BESIDE_EXACT = 0.35;
/** Of exact forms the nearer one is likelier, by at most this. */
const LEAST_APART = 0.1;
/** Cost of a search by the words of a question, the last resort. */
const BY_WORDS = 4;

/** Cost of leaving out a remark before a question. */
const REMARK = 0.1;

/** The most questions in one, and the cost of reading them separately. */
const MOST_QUESTIONS = 4;
const ONE_BY_ONE = 0.05;

/** A reading with a higher cost is no better than the operator with the nearest description. */
const UNSURE = 0.6;

/** A command to send a robot to a thing, without more, is a "where" question. */
const GO_TO = /(?<=^\s*(?:please\s+)?)go to (?=the\b(?:(?!\band\b)[^,;])*$)/i;

/** What options name, found out only where a reading asks for it: then it is made once more, with that. */
class These {
  readonly #find: () => Promise<Expression | undefined>;
  #named: Promise<Expression | undefined> | undefined;

  constructor(find: () => Promise<Expression | undefined>) {
    this.#find = find;
  }

  async in<T>(read: (these: () => Expression | undefined) => T): Promise<T> {
    const known = await this.#named;
    let isWanted = false;
    const made = read(() => {
      isWanted = true;
      return known;
    });
    if (!isWanted || this.#named) return made;
    this.#named = this.#find();
    const named = await this.#named;
    return read(() => named);
  }
}

/** Reads a question: its possible readings, the likeliest first. Always at least one, if only a search by its words. */
export async function read(question: string, asked: Asked): Promise<readonly Reading[]> {
  const { nowUs, people, rooms = new Set(), options, shown, history = [] } = asked;
  const names = await asked.names();
  const ofThem = betweenRobots(sentencesOf(question));
  if (ofThem !== undefined) return read(ofThem, asked);
  const called = addressedTo(sentencesOf(question));
  const pairing = { nowUs, people, rooms, pairs: asked.pairs, isGoingOn: history.length > 0 };
  // "And you, robot 2?" is read with the name.
  const isOwn = called && byPairs(sentencesOf(question), pairing).some((one) => one.isExact && one.goesOn);
  if (called && !isOwn) return askedOfOne(await read(called.question, asked), called);
  const goal = withCodes(question.replace(GO_TO, "navigate to "));
  const { sentences: said, notes } = mended(sentencesOf(withApostrophes(goal, people)), names);
  const sentences = withRoomNames(said, rooms);
  const described = readDescription(sentences);
  const byWords = { parts: [recalled(question)], p: 0, cost: BY_WORDS, notes };
  const byMentions = described && { parts: [described], p: 1, cost: DESCRIBED, notes };
  if (byMentions && isLong(sentences)) return [byMentions, byWords];
  const words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const context = {
    nowUs,
    people,
    question,
    earlier: spokenOf(
      history.map((one) => withRoomNames(mended(sentencesOf(withCodes(one)), names).sentences, rooms)),
    ),
    isShown: shown,
    leastP: NOISE.least,
  };
  // Each method takes some ten milliseconds: on a server other tasks run in between.
  const othersFirst = inSlices();
  const these = new These(() => namedBy(options ?? [], { nowUs, people }, othersFirst));
  const proposed = async (some: readonly Written[], more: Partial<ProposeContext> = {}) => {
    const made = await these.in((named) => proposedBy(some, { ...context, ...more, these: named }));
    await othersFirst();
    return made;
  };
  const proposals = await proposed(sentences, { hasOptions: options !== undefined });
  // Options may be answers to a question that does not mention them: "How many rooms have a rug?"
  if (options !== undefined && (proposals[0]?.p ?? 0) < SURE) proposals.push(...(await proposed(sentences)));
  const paired = byPairs(sentences, pairing);
  await othersFirst();
  const saying = { words: wordsOf(sentences, people), nowUs, rooms };
  const unknown = byUnknownSays(saying);
  const besides = unknown.length > 0 || paired.some(({ isExact }) => isExact) ? BESIDE_EXACT : 0;
  const readingsOf = (some: readonly Proposed[], extra: number): Reading[] =>
    some
      .filter(({ p, steps }) => p > Math.max(NOISE.least, Math.min(NOISE.whole, NOISE.step ** steps)))
      .filter(({ parts }) => parts.every(hasNames))
      .map(({ parts, p }) => ({ parts: distinct(parts.map((part) => calledAfterColour(words, part))), p }))
      .map(({ parts, p }) => ({
        parts,
        p,
        cost: extra + costOf(words, parts, p),
        notes,
        goesOn: parts.some(goesOn),
      }));
  const readings = readingsOf(proposals, besides);
  const asking = besides > 0 ? [] : askedAfter(sentences);
  // A sentence before a question may be a need, or unrelated: "I need to sit down. What's on the bench?"
  if (asking.length > 0 && !isPlain(proposals[0]))
    readings.push(...readingsOf(await proposed(asking), REMARK));
  const exactly = paired.map(({ parts, p, cost, isExact, goesOn: goes }) => ({
    parts,
    p,
    cost: isExact ? Math.min(cost, LEAST_APART) : besides + costOf(words, parts, p),
    notes,
    goesOn: goes,
    isExact,
  }));
  // "Where is robot 1 and where is robot 2?" is a question to each of them.
  const isToSeveral = questionsOf(said).length > 1 && robotsNamed(said) > 1;
  if (isToSeveral) {
    const each = await oneByOne(questionsOf(said), 0, asked);
    if (each.length > 0) return asMeant([...each, byWords], question, nowUs);
  }
  const spoken = besides > 0 ? undefined : spokenTo(said);
  if (spoken) return askedOfOne(await read(spoken.question, asked), spoken);
  const best: Reading | undefined = [...exactly, ...readings].sort((a, b) => a.cost - b.cost)[0];
  const understood = best && best.p >= SURE ? best.parts.length : 0;
  const several = await oneByOne(questionsOf(sentences), understood, asked);
  const suggested = [...unknown, ...(isUnsure(best) ? bySays(saying) : [])].map(({ parts, p }) => ({
    parts,
    p,
    cost: costOf(words, parts, p),
    notes,
  }));
  const ranked = [
    ...titled(best, people),
    ...(byMentions ? [byMentions] : []),
    ...exactly,
    ...several,
    ...readings,
    ...suggested,
  ].sort((a, b) => a.cost - b.cost);
  return asMeant([...ranked, byWords], question, nowUs);
}

/** The questions among several sentences of which the others are remarks; none where the questions need those. */
function askedAfter(sentences: readonly Written[]): readonly Written[] {
  const asking = sentences.filter(({ end }) => end === "?");
  return asking.length < sentences.length && !isGoingOn(asking) ? asking : [];
}

/** Whether it is certain, and not a need. */
function isPlain(best: Proposed | undefined): boolean {
  const isNeed = best?.parts.some((part) => nodesCalled("serves", part).length > 0);
  return best !== undefined && best.p >= SURE && !isNeed;
}

const NO_NAME = /^(?:[^\p{L}\d]*|is|are|was|were)$/u;

/** Whether no thing is called by a mark or a verb, as the network may where only "it" stands for one. */
function hasNames({ with: { category }, of }: Expression): boolean {
  return !(typeof category === "string" && NO_NAME.test(category)) && of.every(hasNames);
}

/** Readings of a question to one robot of several. */
function askedOfOne(readings: readonly Reading[], named: Addressed): readonly Reading[] {
  return readings.map((one) => ({ ...one, parts: one.parts.map((part) => askedOf(part, named)) }));
}

/**
 * Several questions in one, where the whole was not read with certainty: each separately, with the earlier ones as
 * context.
 */
async function oneByOne(questions: readonly string[], understood: number, asked: Asked): Promise<Reading[]> {
  if (questions.length < 2 || questions.length > MOST_QUESTIONS || understood >= questions.length) return [];
  const each: Reading[] = [];
  for (const [n, question] of questions.entries()) {
    const history = [...(asked.history ?? []), ...questions.slice(0, n)];
    const [best] = await read(question, { ...asked, history });
    if (!best || best.cost >= BY_WORDS) return [];
    each.push(best);
  }
  return [
    {
      parts: distinct(each.flatMap(({ parts }) => parts)),
      p: each.reduce((product, { p }) => product * p, 1),
      cost: each.reduce((sum, { cost }) => sum + cost, ONE_BY_ONE),
      notes: [...new Set(each.flatMap(({ notes }) => notes))],
    },
  ];
}

/** Whether neither the network nor the forms are certain. */
function isUnsure(best: Reading | undefined): boolean {
  return !best || best.cost > UNSURE || (best.p < SURE && best.parts.some(({ op }) => op === "recall"));
}

/** The words of a question without marks. */
function wordsOf(
  sentences: readonly Written[],
  people: ReadonlySet<string> | undefined,
): readonly SourceWord[] {
  return sourceOf(sentences, { people }).filter(({ word }) => !isPunctuation(word));
}

function costOf(words: readonly string[], parts: readonly Expression[], p: number): number {
  const refused = parts.some(({ op }) => op === "refuse") ? REFUSED : 0;
  return UNLIKELY * -Math.log(p) + refused + neglected(words, parts);
}

const MOST_RECALLED = 1_000;

function recalled(question: string): Expression {
  return node("recall", [], { text: question.slice(0, MOST_RECALLED) });
}
