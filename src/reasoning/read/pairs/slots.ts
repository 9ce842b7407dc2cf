import { attributesOf, longestName, roomKind, singularOf } from "../../../ontology/index.ts";
import type { Expression, Literal } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import { numberAt } from "../amounts.ts";
import { isFunctionWord } from "../function-words.ts";
import { relationsAt } from "../relations.ts";
import { timeAt } from "../times.ts";
import { written } from "../tokens.ts";
import { KIND, type SourceWord } from "../trained/source.ts";

/** The kinds of slots in a form of question. */
export type SlotKind =
  | "things"
  | "rooms"
  | "floors"
  | "time"
  | "text"
  | "name"
  | "agent"
  | "owner"
  | "value"
  | "number"
  | "phrase";

/** The content of a slot: the words up to `end`. */
export interface Filling {
  readonly end: number;
  /** 0 where the vocabulary confirms the kind. */
  readonly cost: number;
  readonly value: Expression | Literal;
  /** A plural: "lamps". */
  readonly isMany?: boolean | undefined;
}

/** A question's words, and their context. */
export interface Sentence {
  readonly words: readonly SourceWord[];
  readonly nowUs: number;
  /** Names of rooms, in lower case. */
  readonly rooms: ReadonlySet<string>;
}

/**
 * Costs of a name that is not in the vocabulary, after "the" and elsewhere, and of a thing described by its place:
 * other readings may be better.
 */
const UNKNOWN_AFTER_THE = 0.05;
const UNKNOWN_NAME = 0.2;
const BY_PLACE = 0.1;
/** Cost of a number or a code in the place of a name, and of each free word. */
const FREE = 0.05;
const EACH_FREE = 0.1;
const MOST_NAME = 3;
const MOST_PHRASE = 12;

/** The possible contents of a slot from a word on. `attribute` restricts a value to those of one attribute. */
export function fillingsAt(
  kind: SlotKind,
  said: Sentence,
  at: number,
  attribute?: string,
): readonly Filling[] {
  switch (kind) {
    case "things":
      return thingsAt(said, at);
    case "rooms":
      return roomsAt(said, at);
    case "floors":
      return floorsAt(said, at);
    case "time":
      return timesAt(said, at);
    case "text":
      return textsAt(said, at);
    case "name":
      return namesAt(said, at);
    case "agent":
      return agentsAt(said, at);
    case "owner":
      return isNamed(said.words[at]) ? [literal(said, at, at + 1, 0)] : [];
    case "value":
      return valuesAt(said, at, attribute);
    case "number": {
      const number = numberAt(wordsOf(said), at);
      return number ? [{ end: at + number.length, cost: 0, value: number.value }] : [];
    }
    case "phrase":
      return phrasesAt(said, at);
  }
}

const known = new WeakMap<Sentence, readonly string[]>();

function wordsOf(said: Sentence): readonly string[] {
  let words = known.get(said);
  if (!words) {
    words = said.words.map(({ word }) => word);
    known.set(said, words);
  }
  return words;
}

function literal(said: Sentence, at: number, end: number, cost: number): Filling {
  return { end, cost, value: written(wordsOf(said).slice(at, end)) };
}

function isNamed(word: SourceWord | undefined): boolean {
  return word !== undefined && (word.kinds & KIND.name) !== 0 && (word.kinds & KIND.function) === 0;
}

/** "robot-2", "bot3". */
const AGENT = /^(?:robot|bot|agent|unit)[-_]?[\p{L}\d]*\d$/u;

/** A code, as on labels and places in a warehouse: letters and digits, or quoted. */
export function isCode(word: SourceWord | undefined): boolean {
  if (word === undefined || AGENT.test(word.word)) return false;
  return (word.kinds & KIND.quoted) !== 0 || /^(?=.*\d)(?=.*\p{L})[\p{L}\d][\p{L}\d./-]*$/u.test(word.word);
}

/** Nouns that belong to a form: replacing them changes the question. */
const OF_FORM: ReadonlySet<string> = new Set(
  "floor ground wall corner ceiling thing object item stuff something anything everything person people room place house side".split(
    " ",
  ),
);

export function isOfForm(noun: string): boolean {
  return OF_FORM.has(singularOf(noun));
}

/** Options of `things` that adjectives give. */
const LOOKS: ReadonlySet<string> = new Set(
  "colour material pattern shape size openness power fill".split(" "),
);

const LOOKS_AND_STATES: ReadonlySet<string> = new Set([...LOOKS, "occupancy", "making"]);

/** A thing with its description: "old blue mug", "mug in the kitchen", "lamp on the desk", "Anna". */
function thingsAt(said: Sentence, at: number): readonly Filling[] {
  const bare = bareThingsAt(said, at);
  return bare.flatMap((one) => [one, ...placedAt(said, one)]);
}

function bareThingsAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  const first = said.words[at];
  if (first === undefined) return [];
  const found: Filling[] = [];
  if (isNamed(first) && !longestName(words as string[], at))
    found.push({ end: at + 1, cost: 0, value: node("things", [], { name: first.word }) });
  const looks: Record<string, Literal> = {};
  const others: string[] = [];
  for (let noun = at; noun < words.length && noun < at + MOST_NAME; noun++) {
    const word = words[noun]!;
    const name = isFunctionWord(word) ? undefined : longestName(words as string[], noun);
    if (
      name &&
      !isOfForm(words.slice(noun, noun + name.length).join(" ")) &&
      !isRoomWord(said.words[noun]!)
    ) {
      const end = noun + name.length;
      const options = {
        category: singularOf(words.slice(noun, end).join(" ")),
        ...looks,
        ...wordsOption(others),
      };
      found.push({ end, cost: 0, value: node("things", [], options), isMany: name.plural });
      break;
    }
    const [look] = attributesOf(word);
    if (look && LOOKS.has(look.attribute)) looks[look.attribute] = look.value;
    else if (/^(?:old|new|other|big|little)$/.test(word)) others.push(word);
    else break;
  }
  found.push(...onesAt(said, at));
  if (found.length === 0) found.push(...unknownThingsAt(said, at));
  return found;
}

/** "Blue one": an attribute, of whatever kind was mentioned. */
function onesAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  const looks: Record<string, Literal> = {};
  for (let end = at; end < words.length && end < at + MOST_NAME; end++) {
    const word = words[end]!;
    if (end > at && /^ones?$/.test(word))
      return [{ end: end + 1, cost: 0, value: node("things", [], looks), isMany: word === "ones" }];
    const [look] = attributesOf(word);
    if (!look || !LOOKS_AND_STATES.has(look.attribute)) return [];
    looks[look.attribute] = look.value;
  }
  return [];
}

function wordsOption(words: readonly string[]): { readonly words?: string[] } {
  return words.length > 0 ? { words: [...words] } : {};
}

/** A name that is not in the vocabulary: the words up to the next function word. */
function unknownThingsAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  let end = at;
  const isOwn = (n: number) =>
    !isFunctionWord(words[n]!) &&
    !isOfForm(words[n]!) &&
    !isNamed(said.words[n]) &&
    !isCode(said.words[n]) &&
    (said.words[n]!.kinds & (KIND.room | KIND.colour | KIND.number)) === 0 &&
    attributesOf(words[n]!).length === 0;
  const found: Filling[] = [];
  const cost = THE.test(words[at - 1] ?? "") ? UNKNOWN_AFTER_THE : UNKNOWN_NAME;
  while (end < words.length && end < at + MOST_NAME && isOwn(end)) {
    end++;
    const category = singularOf(words.slice(at, end).join(" "));
    const isMany = (said.words[end - 1]!.kinds & KIND.plural) !== 0;
    found.push({ end, cost, value: node("things", [], { category }), isMany });
  }
  return found;
}

const THE = /^(?:the|my|our|your|this|that)$/;

/** The same, narrowed by place: "in the kitchen", "upstairs", "on the desk". */
function placedAt(said: Sentence, bare: Filling): readonly Filling[] {
  const words = wordsOf(said);
  const set = bare.value as Expression;
  const at = bare.end;
  const found: Filling[] = [];
  const { isMany } = bare;
  for (const floor of floorsAt(said, at))
    found.push({
      isMany,
      end: floor.end,
      cost: BY_PLACE,
      value: node("in", [set, floor.value as Expression]),
    });
  for (const { relation, end } of relationsAt(words, at)) {
    const start = THE.test(words[end] ?? "") ? end + 1 : end;
    if (relation === "in")
      for (const room of roomsAt(said, start))
        found.push({
          isMany,
          end: room.end,
          cost: BY_PLACE + room.cost,
          value: node("in", [set, room.value as Expression]),
        });
    if (start === end) continue;
    for (const anchor of bareThingsAt(said, start)) {
      if (anchor.cost > 0) continue;
      const one = node("the", [anchor.value as Expression]);
      found.push({
        isMany,
        end: anchor.end,
        cost: BY_PLACE,
        value: node("relate", [set, one], { relation }),
      });
    }
  }
  return found;
}

/** Places named by a number or a code. */
const NUMBERED =
  /^(?:aisle|bay|dock|slot|rack|bin|gate|lane|zone|row|section|room|level|hall|station|cell|area|shelf)$/;

function roomsAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  const found: Filling[] = [];
  // "Upstairs" is a floor, unless it is part of a room's name: "the upstairs hallway".
  const floorEnd = floorsAt(said, at)[0]?.end;
  const room = (end: number, cost: number) =>
    found.push({ end, cost, value: node("rooms", [], { name: singularOf(written(words.slice(at, end))) }) });
  for (let length = Math.min(MOST_NAME, words.length - at); length > 0; length--) {
    const name = words.slice(at, at + length).join(" ");
    const isNumbered =
      length > 1 && isNumberedPlace(said, at, at + length) && !isCode(said.words[at + length - 1]);
    if ((at + length === floorEnd || isOfForm(name)) && !said.rooms.has(name)) continue;
    // "And in E?": the letter or number alone, where the previous question gives the noun.
    const isLetter = at > 0 && at === words.length - 1 && /^(?:\p{L}|\d+)$/u.test(name);
    if (isLetter) {
      room(at + 1, FREE);
      break;
    }
    if (
      isNumbered ||
      said.rooms.has(name) ||
      roomKind(name) ||
      (length === 1 && isRoomWord(said.words[at]!))
    ) {
      room(at + length, 0);
      break;
    }
  }
  return found;
}

function isRoomWord({ word, kinds }: SourceWord): boolean {
  return (kinds & KIND.room) !== 0 && (kinds & KIND.thing) === 0 && !isFunctionWord(word);
}

function isNumberedPlace(said: Sentence, at: number, end: number): boolean {
  const last = said.words[end - 1]!;
  const noun = said.words[end - 2]!.word;
  const isNumber = (last.kinds & KIND.number) !== 0 || isCode(last) || /^\p{L}$/u.test(last.word);
  const isPlace = NUMBERED.test(noun) || roomKind(noun) !== undefined;
  return isNumber && isPlace && said.words.slice(at, end - 2).every(({ word }) => !isFunctionWord(word));
}

function floorsAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  const [first = "", second = ""] = [words[at], words[at + 1]];
  const floor = (name: string, end: number) => [{ end, cost: 0, value: node("floors", [], { name }) }];
  if (/^(?:upstairs|downstairs)$/.test(first)) return floor(first, at + 1);
  if (
    /^(?:ground|first|second|third|top|upper|lower)$/.test(first) &&
    /^(?:floor|storey|level)$/.test(second)
  )
    return floor(first, at + 2);
  return [];
}

function timesAt(said: Sentence, at: number): readonly Filling[] {
  const found = timeAt(wordsOf(said), at, said.nowUs);
  return found ? [{ end: at + found.length, cost: 0, value: found.value }] : [];
}

function textsAt(said: Sentence, at: number): readonly Filling[] {
  const word = said.words[at];
  if (isCode(word)) return [literal(said, at, at + 1, 0)];
  if (word && (word.kinds & KIND.number) !== 0) return [literal(said, at, at + 1, FREE)];
  return phrasesAt(said, at)
    .filter(({ end }) => end <= at + MOST_NAME)
    .map((one) => ({ ...one, cost: UNKNOWN_NAME }));
}

/** A code, or a place named by one: "B-03-1", "dock 2", "slot B-03-1". */
function namesAt(said: Sentence, at: number): readonly Filling[] {
  const last = Math.min(MOST_NAME, said.words.length - at);
  for (let length = last; length > 1; length--)
    if (isNumberedPlace(said, at, at + length)) {
      const isCoded = isCode(said.words[at + length - 1]);
      return [literal(said, isCoded ? at + length - 1 : at, at + length, 0)];
    }
  return isCode(said.words[at]) ? [literal(said, at, at + 1, 0)] : [];
}

const ORDINAL = /^(?:first|second|third|fourth)$/;
/** Words after which "the first robot" is the first of those that did something, or "first, robot 1" no name. */
const SELECTS = /^(?:to|that|which|who|in|on|at|with|one|two|three|\d+)$/;

/** "Robot 2", "robot-2", "robot two", "the second robot", "the other robot". */
export function agentsAt(said: Sentence, at: number): readonly Filling[] {
  const words = wordsOf(said);
  const word = words[at] ?? "";
  if (AGENT.test(word)) return [literal(said, at, at + 1, 0)];
  if (/^(?:robot|bot)$/.test(words[at + 1] ?? "") && /^other$/.test(word))
    return [literal(said, at, at + 2, 0)];
  const isNth = ORDINAL.test(word) && /^(?:robot|bot)$/.test(words[at + 1] ?? "");
  // "The first robot to see it" is not called so.
  if (isNth && !SELECTS.test(words[at + 2] ?? "")) return [literal(said, at, at + 2, 0)];
  if (word === "the" && (words[at + 1] === "other" || ORDINAL.test(words[at + 1] ?? "")))
    return agentsAt(said, at + 1);
  if (!/^(?:robot|bot|agent|unit)$/.test(word)) return [];
  const number = numberAt(words, at + 1);
  if (number) return [{ end: at + 2, cost: 0, value: `${word} ${number.value}` }];
  return /^[\p{L}]$/u.test(words[at + 1] ?? "") ? [literal(said, at, at + 2, 0)] : [];
}

function valuesAt(said: Sentence, at: number, attribute: string | undefined): readonly Filling[] {
  const found = attributesOf(wordsOf(said)[at] ?? "").find((one) => one.attribute === attribute);
  return found ? [{ end: at + 1, cost: 0, value: found.value }] : [];
}

function phrasesAt(said: Sentence, at: number): readonly Filling[] {
  const found: Filling[] = [];
  for (let end = at + 1; end <= said.words.length && end <= at + MOST_PHRASE; end++)
    found.push(literal(said, at, end, EACH_FREE * (end - at)));
  return found;
}
