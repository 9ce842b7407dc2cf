import { placeSaid } from "../../../belief/captioned.ts";
import { attributesOf, longestName, roomKind } from "../../../ontology/index.ts";
import { numberAt } from "../../read/amounts.ts";
import { relationsAt } from "../../read/relations.ts";
import { sentencesOf, type Token } from "../../read/tokens.ts";

/** One thing as a sentence states it: "two closed blue boxes on the shelf". */
export interface Statement {
  /** Its kind; "person" for a personal name. */
  readonly category: string;
  /** A name of its own: "Olga". */
  readonly name?: string | undefined;
  /** Colour, material, openness and the like, by the names that records have. */
  readonly attributes: Record<string, string>;
  /** The text on it. */
  text?: string | undefined;
  readonly count: number;
  /** The support or container given for it, by its position among the statements of the sentence. */
  readonly holder?: { readonly by: "on" | "in"; readonly at: number } | undefined;
}

/** The content of one sentence: its room, and its things in order. */
export interface Stated {
  readonly room: string | undefined;
  readonly things: readonly Statement[];
}

/** "several cups" are at least so many, "cups" so many. */
const SEVERAL = 3;
const MANY = 2;
const ARTICLES = new Set(["a", "an", "the", "another", "one"]);
const VAGUE = new Set(["several", "some", "many", "various", "multiple", "few"]);
const IS = new Set(["is", "are", "was", "were", "stands", "lies"]);
/** Words that end a phrase about a thing. */
const BETWEEN = new Set([...IS, "and", "or", "with", "that", "which", "there", "has", "have", "says", "of"]);
/** An unknown word for a thing has at most so many words before its end. */
const MOST_WORDS = 4;

/**
 * The statements about things in a line of text, sentence by sentence. Identity is not resolved here: that is left to
 * the caller.
 */
export function statementsIn(line: string): Stated[] {
  return sentencesOf(line).map(({ tokens }) => ({
    room: placeSaid(line),
    things: new Sentence(tokens).things(),
  }));
}

/** A sentence that is read from left to right. */
class Sentence {
  readonly #tokens: readonly Token[];
  readonly #words: readonly string[];
  readonly #things: Statement[] = [];
  /** The attributes before the next name. */
  #look: Record<string, string> = {};
  #count: number | undefined;
  #holds: "on" | "in" | undefined;
  /** Where the phrase began, and whether an article or a number opened it. */
  #from = 0;
  #isOpened = false;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#words = tokens.map(({ word }) => word);
  }

  things(): Statement[] {
    for (let at = 0; at < this.#words.length; ) at = this.#step(at);
    this.#closeUnknown(this.#words.length);
    return this.#things;
  }

  /** Parses one item at a word; returns the start of the next. */
  #step(at: number): number {
    const token = this.#tokens[at]!;
    const last = this.#things.at(-1);
    if (token.parted) this.#closeUnknown(at);
    if (token.quoted) {
      if (last) last.text = last.text === undefined ? token.raw : `${last.text} ${token.raw}`;
      return at + 1;
    }
    const { word } = token;
    if (ARTICLES.has(word) || VAGUE.has(word)) return this.#open(at, VAGUE.has(word) ? SEVERAL : 1, 1);
    // "box number 7" has its number on it.
    if (word === "number" && last && /^\d+$/.test(this.#words[at + 1] ?? "")) {
      last.text ??= this.#words[at + 1]!;
      return at + 2;
    }
    const number = numberAt(this.#words, at);
    if (number) return this.#open(at, Math.round(number.value), number.length);
    const related = (last && this.#relation(at)) ?? this.#beside(at);
    if (related) return related;
    if (IS.has(word) && last) return this.#predicate(at + 1, last);
    // "the child's bed" is a bed.
    if (word === "'s") {
      this.#things.pop();
      return at + 1;
    }
    if (BETWEEN.has(word)) {
      this.#closeUnknown(at);
      return at + 1;
    }
    return this.#adjective(at) ?? this.#name(at) ?? at + 1;
  }

  #open(at: number, count: number, length: number): number {
    if (this.#isOpened) this.#closeUnknown(at);
    this.#count = count;
    this.#isOpened = true;
    this.#from = at + length;
    return at + length;
  }

  /** "on the", "in a": the next thing supports or contains the last one. */
  #relation(at: number): number | undefined {
    for (const { relation, end } of relationsAt(this.#words, at)) {
      if (relation !== "on" && relation !== "in") continue;
      if (!ARTICLES.has(this.#words[end] ?? "")) continue;
      this.#closeUnknown(at);
      this.#holds = relation;
      return end;
    }
    return undefined;
  }

  /** "beside the", "next to": a phrase ends here, and the next thing is separate. */
  #beside(at: number): number | undefined {
    const found = relationsAt(this.#words, at).find(({ relation }) => relation !== "on" && relation !== "in");
    if (!found) return undefined;
    this.#closeUnknown(at);
    return found.end;
  }

  /** "is closed": a state of the last thing. */
  #predicate(at: number, last: Statement): number {
    this.#closeUnknown(at - 1);
    const related = this.#relation(at);
    if (related) return related;
    const [first] = attributesOf(this.#words[at] ?? "");
    if (!first) return at;
    last.attributes[first.attribute] ??= first.value;
    return at + 1;
  }

  /** An adjective, where a name or another one follows in the same phrase. */
  #adjective(at: number): number | undefined {
    const [first] = attributesOf(this.#words[at]!);
    if (!first) return undefined;
    const next = this.#tokens[at + 1];
    const isLast = next === undefined || next.parted || next.quoted || BETWEEN.has(next.word);
    if (isLast || relationsAt(this.#words, at + 1).length > 0) return undefined;
    this.#look[first.attribute] ??= first.value;
    return at + 1;
  }

  #name(at: number): number | undefined {
    const part = this.#partFrom(at);
    const room = roomAt(part);
    const found = longestName(part, 0);
    if (!found || (room !== undefined && room >= found.length)) {
      if (room === undefined) return undefined;
      this.#reset(at + room);
      return at + room;
    }
    const { entry, length, plural } = found;
    // "a wall cupboard door" is a door: the last name of a phrase is its head.
    const end = at + length;
    const goesOn = this.#tokens[end]?.parted === false && longestName(this.#words, end) !== undefined;
    if (goesOn) return end;
    this.#add({ category: entry.name, count: this.#count ?? (plural ? MANY : 1) }, end);
    return end;
  }

  /** The words from here to the next comma, colon or quotation. */
  #partFrom(at: number): string[] {
    const next = this.#tokens.findIndex(({ parted, quoted }, n) => n > at && (parted || quoted));
    return this.#words.slice(at, next < 0 ? undefined : next);
  }

  /** A phrase with an article whose words are not known still names a thing, by its last word. */
  #closeUnknown(at: number): void {
    const words = this.#tokens.slice(this.#from, at);
    const last = words.at(-1);
    const isWhole = this.#isOpened && words.length > 0 && words.length <= MOST_WORDS && last !== undefined;
    if (!isWhole) {
      this.#reset(at);
      return;
    }
    const isName = /^\p{Lu}/u.test(last.raw);
    this.#add(
      { category: isName ? "person" : last.word, count: this.#count ?? 1, ...(isName && { name: last.raw }) },
      at,
    );
  }

  #add(thing: Pick<Statement, "category" | "count" | "name">, end: number): void {
    const holder = this.#holds && this.#things.length > 0;
    const bears = holder ? this.#things.length - 1 : undefined;
    const attributes = this.#look;
    if (bears !== undefined) {
      const borne = this.#things[bears]!;
      this.#things[bears] = { ...borne, holder: { by: this.#holds!, at: this.#things.length } };
    }
    this.#things.push({ ...thing, attributes });
    this.#reset(end);
  }

  #reset(at: number): void {
    this.#look = {};
    this.#count = undefined;
    this.#holds = undefined;
    this.#from = at;
    this.#isOpened = false;
  }
}

/** How many of these words name a kind of room, from the first on. */
function roomAt(words: readonly string[]): number | undefined {
  const lengths = [3, 2, 1].filter((length) => length <= words.length);
  return lengths.find((length) => roomKind(words.slice(0, length).join(" "))?.isWhole === false);
}
