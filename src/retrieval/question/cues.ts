import { expand, phrasesIn } from "../../ontology/index.ts";

/** One thing that a question asks for, with words that descriptions may use for it. */
export interface Concept {
  readonly words: string;
  /** Other words for the same. */
  readonly same: readonly string[];
  /** Kinds of things that match it, or serve the need. */
  readonly kinds: readonly string[];
}

/** The subject of a question, as far as its words show: the light analysis that retrieval needs. */
export interface Cues {
  /** The content words in their order: what is embedded. */
  readonly query: string;
  readonly concepts: readonly Concept[];
  /** Noun phrases, as cues for grouping things; most specific first. */
  readonly phrases: readonly string[];
  /** Asks for a thing, for what serves a need, or about the place as a whole. */
  readonly level: "explicit" | "implicit" | "global";
  /** Asks for a time, or for the first or last of several: other times of the same thing matter. */
  readonly temporal: boolean;
  readonly order?: "first" | "last";
  /** Asks for the nearest one. */
  readonly nearest: boolean;
}

const LIMITS = { chars: 2_000, concepts: 8, phrases: 4 } as const;

const FUNCTION_WORDS = new Set(
  (
    "a an the and or but of in on at to for with from by as into onto is are was were be been being am do did does " +
    "done have has had having you your yours i me my mine we us our they them their he she his her it its that this " +
    "these those there here where when what which who whom whose why how many much long often far ever any some all " +
    "each every not no can could would will shall should may might must please tell show find remember know think " +
    "see saw seen look looked looking notice noticed spot spotted observe observed find found pass passed over under " +
    "after before during while then than so if about also just currently right now ago since until first last next " +
    "again most recent recently closest nearest nearby near total color colour kind sort type side direction way time " +
    "times place spend spent stay stayed get got go went gone going come came coming off up down out one ones exactly approximately per"
  ).split(" "),
);
const GENERIC_PLACES = new Set([
  "building",
  "buildings",
  "room",
  "house",
  "place",
  "structure",
  "indoors",
  "outside",
  "inside",
]);
const EGO = /\b(you|we|i|robot)\b/;
const EXITING =
  /\b(leave|leaving|leaves|exit|exited|exiting|get out|got out|come out|came out|go out|went out|go outside|went outside)\b|\b(you|we|i) left\b/;
const ENTERING =
  /\b(enter|entered|entering|get in|got in|go in|went in|go into|went into|come in|came in|go inside|went inside)\b/;
const MOVING_WORDS = new Set(
  "leave leaving leaves left exit exited exiting enter entered entering".split(" "),
);
/** A stay lasts from one door to the next; for a named room, its own records give the time. */
const STAYING =
  /\bhow long\b.*\b(you|we|i|robot)\b.*\b(indoors|inside|in (the|that|this|a) (building|house|place|structure))\b/;
/** The asker's own motion is not visible to the asker: "the street you were driving on" is a street. */
const EGO_MOTION =
  /\b(?:you|we|i|robot)\s+(?:were |was |are |am |have been |had been )?((?:walk|driv|mov|go|travel|head|rid|roll|com|stand|wait)(?:ing|e|ed|n)?)\b|\b(?:were|was|are|am|did|do) (?:you|we|i|robot) (?:currently |just )?((?:walk|driv|mov|travel|head|rid|roll|stand|wait)(?:ing|e|ed|n)?)\b/g;

/** Where one passes from inside to outside: the objects seen when entering or leaving any building. */
const PASSAGE: Concept = {
  words: "entrance door doorway",
  same: ["threshold", "entering", "exit", "entryway"],
  kinds: ["lobby", "inside", "outside", "interior"],
};

const GLOBAL =
  /\b(overall|in general|generally|as a whole|whole (area|place|environment|building|campus|floor)|summar\w+|describe (the|this|your) (environment|surroundings|area|place|neighbou?rhood|campus|building|scene)|what kind of (place|area|environment|neighbou?rhood|building)|atmosphere|ambien[ct]e|layout|vibe|mood)\b/;
const NEED =
  /\b(place|somewhere|where|something|anything|spot) (can i|could i|to|i can|for)\b|\bi am (hungry|thirsty|tired|cold|hot|bored)\b|\bi'?m (hungry|thirsty|tired|cold|hot|bored)\b/;
const LAST = /\b(last|latest|most recent|most recently)\b/;
const FIRST = /\b(first|earliest)\b/;
const WHEN = /\b(when|what time|how long|how often|how many times|since|until|ago|duration)\b/;
const NEAREST = /\b(nearest|closest|close by|nearby|near me)\b/;

/**
 * What to search for, from a question. Question words, politeness and the asker drop out; each content word brings the
 * words that descriptions use for it. Asking when one entered or left is asking for a door.
 */
export function cuesOf(question: string): Cues {
  const text = question
    .slice(0, LIMITS.chars)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const tokens = text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
  const passing = EGO.test(text) && (EXITING.test(text) || ENTERING.test(text) || STAYING.test(text));
  const moving = new Set([...text.matchAll(EGO_MOTION)].map(([, after, before]) => after ?? before!));
  const isContent = (word: string) =>
    !FUNCTION_WORDS.has(word.replace(/['’]\w*$/, "")) &&
    !/^\d{1,2}$/.test(word) &&
    !moving.has(word) &&
    !(passing && (MOVING_WORDS.has(word) || GENERIC_PLACES.has(word)));
  const content = [...new Set(tokens.filter(isContent))];
  const stood = phrasesIn(text);
  const heads = [...new Set([...content, ...stood])].slice(0, LIMITS.concepts);
  const concepts = heads.map((words) => ({ words, ...expand(words) }));
  if (passing) concepts.unshift({ ...PASSAGE, same: [...PASSAGE.same], kinds: [...PASSAGE.kinds] });
  const query = concepts.map(({ words }) => words).join(" ");
  return {
    query: query === "" ? question.trim() : query,
    concepts,
    phrases: phrasesOf(tokens, isContent, passing),
    level: levelOf(text, content, stood),
    temporal: WHEN.test(text) || LAST.test(text) || FIRST.test(text),
    ...(LAST.test(text) ? { order: "last" as const } : FIRST.test(text) ? { order: "first" as const } : {}),
    nearest: NEAREST.test(text),
  };
}

/** Runs of content words: "the yellow police call pole next to a bench" gives "yellow police call pole", "bench". */
function phrasesOf(
  tokens: readonly string[],
  isContent: (word: string) => boolean,
  passing: boolean,
): string[] {
  const phrases: string[] = passing ? [PASSAGE.words] : [];
  let run: string[] = [];
  for (const token of [...tokens, ""]) {
    if (token !== "" && isContent(token)) run.push(token);
    else if (run.length > 0) {
      phrases.push(run.join(" "));
      run = [];
    }
  }
  const longest = [...new Set(phrases)].sort((a, b) => b.split(" ").length - a.split(" ").length);
  return longest.slice(0, LIMITS.phrases);
}

function levelOf(text: string, content: readonly string[], stood: readonly string[]): Cues["level"] {
  if (GLOBAL.test(text)) return "global";
  const needs = NEED.test(text) || stood.some((word) => expand(word).kinds.length > 0);
  return needs && content.length <= 4 ? "implicit" : "explicit";
}
