import { lookup, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { inTurn, looking, otherOf } from "./picked.ts";
import type { Wants } from "./score.ts";
import { nodeOf, pronounIn, type Spoken } from "./spoken.ts";

/** Words that refer to something mentioned. */
export interface Mention {
  readonly form: RegExp;
  readonly words: string;
  readonly before: string;
  readonly wants: Wants;
  /** It stands for a place. */
  readonly isPlace?: boolean | undefined;
  /** Some of several are asked for: "which ones". */
  readonly isAmong?: boolean | undefined;
  /** What is picked out of all that was mentioned: the second one, the red one, the other one. */
  readonly picked?: readonly Referent[] | undefined;
  /** The words for the referent, by its name; none where a name cannot replace it. */
  readonly say: ((name: string) => string) | undefined;
}

/** Something that may be meant, and the expression that gives it. */
export interface Referent {
  readonly meant: Spoken;
  readonly node: Expression;
}

interface Form {
  readonly form: RegExp;
  readonly wants?: Wants | ((found: RegExpExecArray) => Wants | undefined);
  readonly isPlace?: boolean;
  readonly isAmong?: boolean;
  readonly isNameless?: boolean;
  readonly picks?: (all: readonly Spoken[], found: RegExpExecArray) => readonly Referent[];
  readonly say?: (name: string) => string;
}

/** Names of people and places that have a code take no article: "Anna", "aisle B". */
const called = (name: string) => (/^\p{Lu}|\s(?:\d+|\p{L})$/u.test(name) ? name : `the ${name}`);
const asReferents = (all: readonly Spoken[]) => all.map((meant) => ({ meant, node: nodeOf(meant) }));
/** Before the end of a phrase. */
const ENDS = String.raw`(?=\s*(?:[?.!,]|$|(?:is|was|are|were|then|in|on|there|has|have|had|do|does|did)\b))`;
const ends = (form: string) => new RegExp(form + ENDS, "iu");

/** The forms of mentions; where two share words, the first counts. */
const FORMS: readonly Form[] = [
  {
    form: ends(String.raw`\b(?:those|these|the) (?:two |three |four )?rooms\b`),
    wants: { sort: "room", several: true },
  },
  {
    form: /\b(?:that|this|the same) (?:room|aisle|area|hall|hallway|corridor|kitchen|bedroom|bathroom|office|garage)\b/i,
    wants: { sort: "room", several: false },
    isPlace: true,
  },
  {
    form: ends(String.raw`\b(?:this|that|the same|these|those) (\p{L}{3,})\b`),
    wants(found) {
      const word = found[1]!.toLowerCase();
      const kind = lookup(word) ? word : singularOf(word);
      return lookup(kind) ? { kind, several: kind !== word } : undefined;
    },
  },
  {
    form: new RegExp(
      String.raw`\b(?:the|that|this) (first|second|third|fourth|last|former|latter)(?: (?:one|thing)\b| of (?:them|those|these|the)\b|${ENDS})`,
      "iu",
    ),
    picks: (all, [, which = ""]) => asReferents(inTurn(all, which.toLowerCase())),
  },
  {
    form: /\bthe (\p{L}+) one\b(?! (?:in|on|at|of|with|from)\b)/iu,
    picks: (all, [, word = ""]) => asReferents(looking(all, word.toLowerCase())),
  },
  {
    form: /\bthe other(?: one)?\b(?! (?:ones|side|end|way|day|two|robot|rooms?|things?))/i,
    picks(all) {
      const found = otherOf(all);
      return found ? [{ meant: found.one, node: found.other }] : [];
    },
  },
  {
    form: /\b(?:he|she|him|her(?=\s*(?:[?.!,]|$|(?:in|on|at|by|up|down|out|last|first|again|before|there|too|then|now|with|from|to)\b)))\b/i,
    wants: ([word]) => ({ sort: "person", several: false, pronoun: pronounIn(word) }),
  },
  {
    form: /\b(?:his|hers?)\b/i,
    wants: ([word]) => ({ sort: "person", several: false, pronoun: pronounIn(word) }),
    say: (name) => `${called(name)}'s`,
  },
  {
    form: /^(?:(?:and|so|but|then) )?which ones?\b(?! of\b)/i,
    wants: { several: true },
    isAmong: true,
    isNameless: true,
  },
  {
    form: /(?<=\b(?:which|what|any|some|all|none|either|neither|each|both|one|two|three|many|most) (?:one )?of )(?:them|those|these|that)\b/i,
    wants: { several: true },
    isAmong: true,
  },
  {
    form: /\b(?:they|them|their|both|(?:those|these|the) (?:two|three|four)(?= (?:is|are|was|were|do|does|did|has|have)\b|\s*[?.!]*$)|(?:those|these)(?=\s*[?.!]*$))\b/i,
    wants: { several: true },
  },
  { form: /\bits\b/i, wants: { sort: "thing", several: false }, say: (name) => `${called(name)}'s` },
  {
    form: /(?<=\b(on|in|inside|into|on top of) )(?:it|that)\b/i,
    wants: ([, where = ""]) => ({ sort: "thing", several: false, holds: /on/i.test(where) ? "on" : "in" }),
    isPlace: true,
  },
  {
    form: /\b(?:it|(?:that|this) one|the thing(?! (?:that|which|in|on)\b)|(?<!\b(?:before|after|was|like|than|about|of) )that(?=\s*[?.!]*$))\b/i,
    wants: { sort: "thing", several: false },
  },
  {
    // "There" as a place: not "is there a".
    form: /\b(?:in|over|up|down) there\b|\b(?<!\b(?:is|are|was|were|be) )there\b(?! (?:is|are|was|were|a|an|any|some|another|no|many|more)\b)|\bthere(?=\s*[?.!]*$)/i,
    wants: { sort: "room", several: false },
    isPlace: true,
    say: (name) => `in ${called(name)}`,
  },
];

/** The mentions of a question, in the order of their forms; none overlaps another. */
export function mentionsIn(text: string, all: readonly Spoken[]): readonly Mention[] {
  const found: (Mention & { readonly at: number })[] = [];
  for (const { form, wants, picks, isPlace, isAmong, isNameless, say = called } of FORMS) {
    const match = form.exec(text);
    if (!match) continue;
    const [words] = match;
    const at = match.index;
    if (found.some((one) => at < one.at + one.words.length && one.at < at + words.length)) continue;
    const wanted = typeof wants === "function" ? wants(match) : (wants ?? {});
    const picked = picks?.(all, match);
    if (wanted === undefined || picked?.length === 0) continue;
    found.push({
      form,
      words,
      at,
      before: text.slice(0, at),
      wants: wanted,
      isPlace,
      isAmong,
      picked,
      say: isNameless ? undefined : say,
    });
  }
  return found;
}
