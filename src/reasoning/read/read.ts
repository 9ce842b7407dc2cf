import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { addressedTo, askedOf, spokenTo } from "./addressed.ts";
import { calledAfterColour } from "./after-colour.ts";
import { bySays } from "./by-says.ts";
import { isLong, readDescription } from "./description.ts";
import { isGoingOn, spokenOf } from "./history.ts";
import { neglected } from "./neglected.ts";
import { namedBy } from "./options.ts";
import { byPairs, isPunctuation, type Pairs } from "./pairs/index.ts";
import { goesOn } from "./placeholders.ts";
import { withApostrophes } from "./possessive.ts";
import type { Reading } from "./reading.ts";
import { withRoomNames } from "./room-names.ts";
import { questionsOf } from "./several.ts";
import { mended } from "./spell.ts";
import { sentencesOf, type Written } from "./tokens.ts";
import { type Proposed, proposed } from "./trained/index.ts";
import { type SourceWord, sourceOf } from "./trained/source.ts";
import { asMeant } from "./usage.ts";

/** What is known beside the words of a question. */
export interface Asked {
  readonly nowUs: number;
  /** Names that this memory holds: things, rooms, people. */
  readonly names: () => Promise<readonly string[]>;
  /** Names of people and pets, in small letters. */
  readonly people?: ReadonlySet<string> | undefined;
  /** Names of rooms, in small letters. */
  readonly rooms?: ReadonlySet<string> | undefined;
  readonly options?: readonly string[] | undefined;
  /** A picture was shown: what "this" is. */
  readonly shown?: boolean | undefined;
  /** The questions before this one, the latest last. */
  readonly history?: readonly string[] | undefined;
  /** Forms of question that are read without a fit; default: those that are shipped. */
  readonly pairs?: Pairs | undefined;
}

/** What the network finds no likelier than this is noise; long expressions, if it was no surer than so at each step. */
const NOISE = { whole: 0.04, step: 0.9, least: 0.002 };
/** What it finds likelier is not read in another way too. */
const SURE = 0.5;
/** What it costs to be unlikely (times −ln p), and to refuse what another reading would answer. */
const UNLIKELY = 0.3;
const REFUSED = 0.25;
/** A description by all that it mentions is read loosely. */
const DESCRIBED = 0.1;
/** What the network makes of a question that is a pair's own costs so much more: more than another reading may cost to be tried. */
const BESIDE_EXACT = 0.35;
/** To search by the words of a question is the last resort. */
const BY_WORDS = 4;

/** What it costs to leave out what is told before a question. */
const REMARK = 0.1;

/** So many questions may be asked in one; to read them apart costs so much. */
const MOST_QUESTIONS = 4;
const ONE_BY_ONE = 0.05;

/** A reading that costs more is no better than the operator whose line is nearest. */
const UNSURE = 0.6;

/** Who sends a robot to a thing, and wants no more, asks where it is. */
const GO_TO = /(?<=^\s*(?:please\s+)?)go to (?=the\b(?:(?!\band\b)[^,;])*$)/i;

/** Reads a question: the ways to understand it, the likeliest first. Always at least one, if only to search by its words. */
export async function read(question: string, asked: Asked): Promise<readonly Reading[]> {
  const { nowUs, people, rooms = new Set(), options, shown, history = [] } = asked;
  const names = await asked.names();
  const called = addressedTo(sentencesOf(question));
  if (called) return askedOfOne(await read(called.question, asked), called.agent);
  const goal = question.replace(GO_TO, "navigate to ");
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
    earlier: spokenOf(history.map((one) => withRoomNames(mended(sentencesOf(one), names).sentences, rooms))),
    isShown: shown,
    leastP: NOISE.least,
    these: () => namedBy(options ?? [], { nowUs, people }),
  };
  const proposals = proposed(sentences, { ...context, hasOptions: options !== undefined });
  // Options may be answers to a question that does not speak of them: "How many rooms have a rug?"
  if (options !== undefined && (proposals[0]?.p ?? 0) < SURE) proposals.push(...proposed(sentences, context));
  const paired = byPairs(sentences, {
    nowUs,
    people,
    rooms,
    pairs: asked.pairs,
    isGoingOn: history.length > 0,
  });
  const besides = paired.some(({ isExact }) => isExact) ? BESIDE_EXACT : 0;
  const readingsOf = (some: readonly Proposed[], extra: number): Reading[] =>
    some
      .filter(({ p, steps }) => p > Math.max(NOISE.least, Math.min(NOISE.whole, NOISE.step ** steps)))
      .map(({ parts, p }) => ({ parts: parts.map((part) => calledAfterColour(words, part)), p }))
      .map(({ parts, p }) => ({
        parts,
        p,
        cost: extra + costOf(words, parts, p),
        notes,
        goesOn: parts.some(goesOn),
      }));
  const readings = readingsOf(proposals, besides);
  const asking = besides > 0 ? [] : askedAfter(sentences);
  // What is told before a question may be a need, or nothing to it: "I need to sit down. What's on the bench?"
  if (asking.length > 0 && !isPlain(proposals[0]))
    readings.push(...readingsOf(proposed(asking, context), REMARK));
  const exactly = paired.map(({ parts, p, isExact, goesOn: goes }) => ({
    parts,
    p,
    cost: isExact ? 0 : costOf(words, parts, p),
    notes,
    goesOn: goes,
  }));
  const spoken = besides > 0 ? undefined : spokenTo(said);
  if (spoken) return askedOfOne(await read(spoken.question, asked), spoken.agent);
  const best = [...exactly, ...readings].sort((a, b) => a.cost - b.cost)[0];
  const understood = best && best.p >= SURE ? best.parts.length : 0;
  const several = await oneByOne(questionsOf(sentences), understood, asked);
  const suggested = isUnsure(best)
    ? bySays({ words: wordsOf(sentences, people), nowUs, rooms }).map(({ parts, p }) => ({
        parts,
        p,
        cost: costOf(words, parts, p),
        notes,
      }))
    : [];
  const ranked = [
    ...(byMentions ? [byMentions] : []),
    ...exactly,
    ...several,
    ...readings,
    ...suggested,
  ].sort((a, b) => a.cost - b.cost);
  return asMeant([...ranked, byWords], question, nowUs);
}

/** The questions of several sentences of which the others only tell something; none where they need those to be understood. */
function askedAfter(sentences: readonly Written[]): readonly Written[] {
  const asking = sentences.filter(({ end }) => end === "?");
  return asking.length < sentences.length && !isGoingOn(asking) ? asking : [];
}

/** Whether it is surely read, as something else than a need. */
function isPlain(best: Proposed | undefined): boolean {
  const isNeed = best?.parts.some((part) => nodesCalled("serves", part).length > 0);
  return best !== undefined && best.p >= SURE && !isNeed;
}

/** Readings of a question to one robot of several. */
function askedOfOne(readings: readonly Reading[], agent: string): readonly Reading[] {
  return readings.map((one) => ({ ...one, parts: one.parts.map((part) => askedOf(part, agent)) }));
}

/** Several questions in one, where as many were not surely understood: each by itself, after those before it. */
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
      parts: each.flatMap(({ parts }) => parts),
      p: each.reduce((product, { p }) => product * p, 1),
      cost: each.reduce((sum, { cost }) => sum + cost, ONE_BY_ONE),
      notes: [...new Set(each.flatMap(({ notes }) => notes))],
    },
  ];
}

/** Whether neither network nor pairs are sure what is meant, or that anything is. */
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
