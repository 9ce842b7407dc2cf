import type { Description, Relation } from "../need.ts";
import {
  AUXILIARIES,
  COLOUR_NAMES,
  COLOURS,
  COMPARATIVES,
  CONJUNCTIONS,
  DETERMINERS,
  GENERIC,
  MATERIAL_NAMES,
  MATERIALS,
  ORDINALS,
  PART_WORDS,
  PLACE_VERBS,
  PRONOUNS,
  RELATION_PHRASES,
  ROOM_WORDS,
  SIZES,
  STATES,
} from "./lexicon.ts";
import { isPlural, singularOf } from "./nouns.ts";

/** A thing with where it is said to be, and what of the text was used. */
export interface Phrase {
  readonly description: Description;
  readonly relations: Relation[];
  readonly region?: Description | undefined;
  /** What came after it. */
  readonly rest: string;
}

const MOST_RELATIONS = 6;
const STATE_NAMES: ReadonlySet<string> = new Set(Object.values(STATES).map(({ attribute }) => attribute));
const RELATIVE = /^(?:that|which|who|,)\s+(?:is|are|was|were|has|have|'s)?\s*(?:currently\s+|now\s+)?/;
/** Words that are never in a name. */
const BOUNDARY = new Set([...AUXILIARIES, ...CONJUNCTIONS, ...PRONOUNS].filter((word) => word !== "one"));

/**
 * Reads one noun phrase from the start of a lower-case text: determiner, modifiers, head, then relations to other
 * things ("on the table next to the window"). Unknown words are taken for names, since what people ask about is
 * open-ended while the words around it are not. Undefined when the text does not start with one.
 */
export function readPhrase(text: string, depth = 0): Phrase | undefined {
  const start = readName(text);
  if (start === undefined) return undefined;
  let { rest, description } = start;
  const relations: Relation[] = [];
  let region: Description | undefined;
  for (let steps = 0; steps < MOST_RELATIONS && depth < 4; steps++) {
    const quality = readQuality(rest);
    if (quality) {
      description = { ...description, attributes: { ...description.attributes, ...quality.attributes } };
      rest = quality.rest;
      continue;
    }
    const step = readRelation(rest, depth);
    if (step === undefined) break;
    rest = step.rest;
    if (step.region) region ??= step.region;
    // "a lamp in the study that is on": the lamp is.
    if (step.attributes)
      description = { ...description, attributes: { ...description.attributes, ...step.attributes } };
    if (step.relation) relations.push(step.relation);
  }
  // "the top of the fridge": the part says where, the whole is the thing.
  const whole = relations.findIndex(({ predicate, anchor }) => predicate === "with" && anchor !== undefined);
  if (PART_WORDS.has(description.head) && whole >= 0) {
    const { anchor } = relations.splice(whole, 1)[0]!;
    return { description: anchor!, relations, region, rest };
  }
  return { description, relations, region, rest };
}

const QUOTED =
  /^[\s,]*(?:that |which |with |and )?(?:(?:is |are |was )?(?:says?|saying|reads?|reading|labell?ed|marked|titled|named|inscribed|printed with|bearing|has|having|carries|shows|the (?:words?|text|label|inscription|writing|title))\s*(?:the (?:words?|text|label|inscription|writing|title)\s*)?)"(\s*[^"\s][^"]*)"(?:\s+(?:written|printed|on it|on them)\b)*\s*/;
const IS_SO =
  /^[\s,]*(?:that|which) (?:is|are|was|were) (?:currently |now |still |switched |turned )?([a-z]+)\b\s*/;

/** What is said of a thing right behind its name: what is written on it, or how it is. */
function readQuality(text: string): { attributes: Record<string, string>; rest: string } | undefined {
  const quoted = QUOTED.exec(text);
  if (quoted) return { attributes: { text: quoted[1]!.trim() }, rest: text.slice(quoted[0].length) };
  const so = IS_SO.exec(text);
  if (!so) return undefined;
  const word = so[1]!;
  const state = STATES[word];
  const rest = text.slice(so[0].length);
  // "that is on the table" is a place.
  if (state && !(/^(?:on|off)$/.test(word) && /^(?:the|a|an|top|my|your)\b/.test(rest)))
    return { attributes: { [state.attribute]: state.value }, rest };
  return COLOURS.has(word) ? { attributes: { colour: word }, rest } : undefined;
}

/** One relation phrase and what it relates to. */
function readRelation(
  text: string,
  depth: number,
):
  | { relation?: Relation; region?: Description; attributes?: Record<string, string>; rest: string }
  | undefined {
  let at = text.replace(/^[\s,(]+/, "");
  const relative = RELATIVE.exec(at);
  if (relative) at = at.slice(relative[0].length);
  const verb = /^([a-z]+)\s+/.exec(at);
  if (
    verb &&
    !startsWithRelation(at) &&
    (PLACE_VERBS.has(verb[1]!) || isParticiple(verb[1]!)) &&
    startsWithRelation(at.slice(verb[0].length))
  )
    at = at.slice(verb[0].length);
  const says =
    /^(?:that |which |with the )?(?:says?|reads?|saying|reading|labelled|labeled|marked|text|words?)\s+["“']?([^"”']+?)["”']?(?=$|\s+(?:in|on|at|near|is|was)\b)/.exec(
      at,
    );
  if (says && !/^(?:the|a|an)\b/.test(says[1]!)) {
    const said = says[1]!.trim();
    return { relation: { predicate: "with", anchor: plain(said, said) }, rest: at.slice(says[0].length) };
  }
  const side =
    /^(?:on|to|at) (?:my|your|the) (left|right|front|back)(?:[- ]hand)?(?: side)?\b(?! (?:of|from))\s*/.exec(
      at,
    );
  if (side) {
    const predicate = side[1] === "back" ? "behind" : (side[1] as "left" | "right" | "front");
    return { relation: { predicate, frame: { kind: "ego" } }, rest: at.slice(side[0].length) };
  }
  const found = startsWithRelation(at);
  if (!found) return undefined;
  const [words, predicate] = found;
  const after = at.slice(words.length).replace(/^\s+/, "");
  const within = /^(\d+(?:\.\d+)?)\s*(?:m|metres?|meters?)\s+(?:of|from|around)\s+/.exec(after);
  if (predicate === "in" && within) {
    const anchor = readPhrase(after.slice(within[0].length), depth + 1);
    if (!anchor) return undefined;
    return {
      relation: { predicate: "near", anchor: anchor.description, withinM: Number(within[1]) },
      rest: anchor.rest,
    };
  }
  if (predicate === "between") return readBetween(after, depth);
  const ego = /^(?:me|myself|you|us)\b\s*/.exec(after);
  if (ego && predicate !== "with") {
    return { relation: { predicate, frame: { kind: "ego" } }, rest: after.slice(ego[0].length) };
  }
  const anchor = readPhrase(after, depth + 1);
  if (!anchor) return undefined;
  if (isRoom(anchor.description) && ["in", "on", "near", "with"].includes(predicate)) {
    // "in the laundry on your right": the side is that of the thing.
    const side = anchor.relations.find((relation) => relation.anchor === undefined);
    const { attributes } = anchor.description;
    const states = Object.fromEntries(Object.entries(attributes).filter(([name]) => STATE_NAMES.has(name)));
    return {
      region: {
        ...anchor.description,
        attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !STATE_NAMES.has(name))),
      },
      ...(Object.keys(states).length > 0 && { attributes: states }),
      ...(side && { relation: side }),
      rest: anchor.rest,
    };
  }
  const nested = anchor.region === undefined ? {} : { region: anchor.region };
  return { relation: { predicate, anchor: anchor.description }, ...nested, rest: anchor.rest };
}

/** "between the desk and the couch", "between the two doors". */
function readBetween(
  text: string,
  depth: number,
): { relation: Relation; region?: Description; rest: string } | undefined {
  const first = readPhrase(text, depth + 1);
  if (!first) return undefined;
  const and = /^[\s,]*(?:and|&)\s+/.exec(first.rest) ?? /^\s*,\s*/.exec(first.rest);
  const second = and ? readPhrase(first.rest.slice(and[0].length), depth + 1) : undefined;
  return {
    relation: {
      predicate: "between",
      anchor: first.description,
      ...(second && { anchor2: second.description }),
    },
    ...(first.region && { region: first.region }),
    rest: second?.rest ?? first.rest,
  };
}

/** The longest relation phrase at the start, if any. */
export function startsWithRelation(text: string): readonly [string, Relation["predicate"]] | undefined {
  return RELATION_PHRASES.find(
    ([words]) =>
      text.startsWith(words) && (text.length === words.length || /[\s,.?(]/.test(text[words.length]!)),
  );
}

/** Determiner, modifiers and head. */
function readName(text: string): { description: Description; rest: string } | undefined {
  let rest = text.replace(/^[\s(]+/, "");
  let owner: string | undefined;
  let deixis: "this" | "that" | undefined;
  const taken: string[] = [];
  let quantity = false;
  let measured = false;
  for (;;) {
    const match = /^([a-z0-9][a-z0-9'’-]*)/.exec(rest);
    if (!match) break;
    const word = match[1]!;
    if (taken.length === 0 && DETERMINERS.has(word)) {
      if (POSSESSIVES.has(word)) owner = word;
      if (word === "this" || word === "these") deixis = "this";
      if (word === "that" || word === "those") deixis = "that";
      quantity ||= word === "both" || word === "all" || word === "every";
      rest = skip(rest, word);
      continue;
    }
    if (taken.length === 0 && /['’]s$/.test(word)) {
      owner = word.replace(/['’]s$/, "");
      rest = skip(rest, word);
      continue;
    }
    if (taken.length === 0 && /^(?:it|they|them|he|she|him|one)$/.test(word)) {
      rest = skip(rest, word);
      return { description: plain(word, word), rest };
    }
    const isCan =
      word === "can" &&
      (taken.length > 0
        ? !/^(?:i|you|we|one|be|it|they)\b/.test(skip(rest, word))
        : / of\b/.test(rest.slice(3, 6)));
    // "a pair of socks", "a box of cereal": one name, unless what is measured is a thing of its own.
    if (
      word === "of" &&
      MEASURES.has(singularOf(taken.at(-1) ?? "")) &&
      !/^of (?:the|a|an|my|your|this|these|those|that|all|any)\b/.test(rest)
    ) {
      measured = true;
      taken.push(word);
      rest = skip(rest, word);
      continue;
    }
    if (BOUNDARY.has(word) && !isCan && !(taken.length === 0 && GENERIC.has(word))) break;
    if (taken.length > 0 && endsName(word, skip(rest, word))) break;
    // "next" and "left" may be modifiers, but not where a relation begins.
    if (taken.length > 0 && startsWithRelation(rest)) break;
    if (taken.length > 0 && PLACE_VERBS.has(word) && startsWithRelation(skip(rest, word))) break;
    taken.push(word);
    rest = skip(rest, word);
    if (/^[,.?;:!)]/.test(rest)) break;
  }
  // "this house" is the house, there is no other.
  if (/^(?:house|home|flat|apartment|place|building)$/.test(taken.join(" "))) deixis = undefined;
  if (taken.length === 0) return deixis && { description: { ...plain("object", "object"), deixis }, rest };
  const own = taken.join(" ");
  const phrase = owner !== undefined && !POSSESSIVES.has(owner) ? `${owner}'s ${own}` : own;
  return {
    description: {
      ...plain(own, phrase),
      ...(measured && { plural: isPlural(taken[taken.indexOf("of") - 1]!) }),
      ...(owner && { owner }),
      ...(deixis && { deixis }),
      ...(quantity && { plural: true }),
    },
    rest,
  };
}

const POSSESSIVES: ReadonlySet<string> = new Set(["my", "your", "our", "his", "her", "their", "its"]);
/** Nouns that make one name with what they hold or count. */
const MEASURES: ReadonlySet<string> = new Set(
  "pair box cup stack can bottle set bag bowl pot jar roll bunch pack packet carton tin tube chest bar loaf bar pile row basket tray vase bucket".split(
    " ",
  ),
);
const MOVES =
  /^(?:move|moves|moving|moved|walk|walks|walking|walked|go|goes|going|run|running|approach|approaching|approached|head|heading|headed|turn|turning|turned|travel|travelling|traveling|come|coming)$/;

const PREDICATES =
  /^(?:turned|switched|plugged|set|featured|made|meant|needed|used|designed|visible|located|placed|closest|nearest|farthest|upstairs|downstairs|here|there|lately|right|now|before|after|that|which|who|yet|already|still|also|too|again|belong|belongs|fit|fits|called|like|anywhere|somewhere|someplace|exist|exists)$/;

/** Words that say something of the thing just named, rather than being part of its name. */
function endsName(word: string, after: string): boolean {
  if (DETERMINERS.has(word) || /^(?:and|or|not)$/.test(word)) return true;
  if (PREDICATES.test(word)) return true;
  if (
    MOVES.test(word) &&
    (after === "" ||
      startsWithRelation(after) !== undefined ||
      /^(?:away|left|right|fast|closer|the|or|and)\b/.test(after))
  )
    return true;
  const last =
    after === "" || /^(?:[,.?;!)]|(?:or|and|than|to|now|yet|at|on|in|right|enough|for|from)\b)/.test(after);
  // "is the plate housed by": what was done to it.
  if (last && isParticiple(word)) return true;
  // "is the door wood, metal or plastic"
  if ((COLOURS.has(word) || MATERIALS.has(word)) && /^(?:,|or\b)/.test(after)) return true;
  return (
    last &&
    (STATES[word] !== undefined || COMPARATIVES[word] !== undefined) &&
    !(word === "open" && /^(?:space|area)/.test(after))
  );
}

/** What was done to a thing ("housed", "directed") is no noun. */
export function isParticiple(word: string): boolean {
  return (
    /[a-z]{2}ed$/.test(word) &&
    !/(?:bed|shed|seed|weed|reed|sled|feed|moped|speed|breed|red|led|biped)$/.test(word)
  );
}

/** A description from the words of a name: the last is the head, known modifiers become attributes. */
export function plain(name: string, phrase: string): Description {
  const all = name.split(" ").filter((word) => word !== "");
  const attributes: Record<string, string> = {};
  const mods: string[] = [];
  let ordinal: number | undefined;
  const headStart = headAt(all);
  all.slice(0, headStart).forEach((word, n) => {
    const state = STATES[word];
    if (COLOURS.has(word)) attributes["colour"] = COLOUR_NAMES[word] ?? word;
    else if (MATERIALS.has(word)) attributes["material"] = MATERIAL_NAMES[word] ?? word;
    else if (state && word !== "on" && word !== "off") attributes[state.attribute] = state.value;
    else if (ORDINALS[word] !== undefined && n === 0) ordinal = ORDINALS[word];
    else if (SIZES.has(word) || !/^(?:of|more|other|same|different|exactly|very)$/.test(word))
      mods.push(word);
  });
  const head = all
    .slice(headStart)
    .join(" ")
    .replace(/['’]s$/, "");
  const single = singularOf(head);
  return {
    head: GENERIC.has(head) ? "object" : single,
    mods,
    attributes,
    ...(ordinal !== undefined && { ordinal }),
    plural: isPlural(head),
    phrase,
  };
}

/** Compounds of two words keep both: what comes before the last word is a modifier only if it describes. */
function headAt(all: readonly string[]): number {
  const of = all.indexOf("of");
  if (of > 0 && MEASURES.has(singularOf(all[of - 1]!))) return of - 1;
  let at = all.length - 1;
  const describes = (word: string) =>
    COLOURS.has(word) ||
    SIZES.has(word) ||
    STATES[word] !== undefined ||
    ORDINALS[word] !== undefined ||
    /^\d+$/.test(word) ||
    ADJECTIVE.test(word);
  while (at > 0 && all.length - at < 2 && !describes(all[at - 1]!) && !MATERIALS.has(all[at - 1]!)) at--;
  return at;
}
const ADJECTIVE =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|several|many|few|new|old|other|same|different|right|left|upper|lower|main|nearest|closest|current|single|double|bright|dark|light|empty|indoor|outdoor|small|nice|clear|certain|whole|entire|back|front|center|centre|middle|more|last|next)$/;

export function isRoom({ head }: Description): boolean {
  return (
    ROOM_WORDS.has(head) ||
    ROOM_WORDS.has(head.replace(/ /g, "-")) ||
    / room$/.test(head) ||
    (ROOM_WORDS.has(head.split(" ").at(-1)!) && !/(?:floor|place|area|storage|closet|entrance)$/.test(head))
  );
}

function skip(text: string, word: string): string {
  return text.slice(word.length).replace(/^\s+/, "");
}
