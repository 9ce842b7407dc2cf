import { COLOURS, MATERIALS, NUMBERS, PART_WORDS, SIZES, STATES } from "../lexicon.ts";
import { isParticiple, isRoom, plain } from "../noun-phrase.ts";
import { isPlural } from "../nouns.ts";
import { NEVER_NAMED, ONLY_BEFORE_NOUNS } from "./common-words.ts";
import { familyAt } from "./families.ts";

/** What a piece of a question is: a word of a family, or one of the things that fill its places. */
export type ChunkKind =
  | "word"
  | "thing" // "the red mug in the kitchen"
  | "kind" // "a mug", "mugs", "chair": any of them
  | "room"
  | "name" // somebody
  | "quote"
  | "state" // open, on, full
  | "side" // left, right
  | "when" // at 10:15, two minutes ago
  | "since" // since 10:15, in the last hour
  | "span" // an hour
  | "pause";

/** A piece of a question, with its place in the text. */
export interface Chunk {
  readonly kind: ChunkKind;
  /** The family of a word, or what stands for it. */
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
}

interface Token {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

const AMOUNT =
  "(?:\\d+(?:\\.\\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|a few|a couple of|half an?|(?:a )?quarter of an)";
const UNIT = "(?:seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?)";
const CLOCK = "\\d{1,2}(?::\\d{2}){1,2}(?: ?(?:am|pm|o'clock))?|\\d{1,2} ?(?:am|pm|o'clock)|noon|midnight";
const DAY = "(?:yesterday|this (?:morning|afternoon|evening)|last night|today)";
/** Times, as they fill the places for them; tried in order. */
const TIMES: readonly (readonly [Chunk["kind"], RegExp])[] = [
  [
    "when",
    new RegExp(
      `\\b(?:about |around |roughly )?${AMOUNT} ?${UNIT}(?:,? (?:and )?${AMOUNT} ?${UNIT})? (?:ago|earlier|before now|back)\\b`,
      "g",
    ),
  ],
  [
    "since",
    new RegExp(
      `\\b(?:since|after|from) (?:about )?(?:${CLOCK}|${DAY})(?: (?:on|onwards|at noon))?(?=$|[\\s,.?:])|\\b(?:(?:in|over|during|within|for|throughout|across|from|of) )?(?:about )?(?:the|these) (?:(?:very )?(?:last|past|previous|preceding|latest|most recent)(?: (?:span|stretch|period) of)? (?:${AMOUNT} ?)?${UNIT}(?! time)|(?:${AMOUNT} ?)?${UNIT} (?:(?:just )?(?:gone|past|passed)|gone by|leading up to now|up to now))\\b`,
      "g",
    ),
  ],
  [
    "when",
    new RegExp(
      `\\b(?:(?:at|around|by|as of|before|until) (?:about |around |exactly )?)(?:${CLOCK})(?=$|[\\s,.?:])|\\b${DAY}\\b`,
      "g",
    ),
  ],
  [
    "span",
    new RegExp(
      `\\b(?:in|within|after|for|by|over|another) (?:about |roughly |around )?(?:another |(?:the|about the) (?:next|coming|following) )?(?:${AMOUNT} ?${UNIT})(?:' time|'s time|s' time| time| from now| hence)?\\b`,
      "g",
    ),
  ],
  ["span", new RegExp(`\\b${AMOUNT} ?${UNIT} (?:from now|hence|later on|into the future|ahead)\\b`, "g")],
  ["quote", /"\s*[^"\s][^"]*"/g],
];

const ARTICLES = new Set(
  "the a an my your our their his her its this that these those some any every each both all no another".split(
    " ",
  ),
);
const HOUSE_HEADS = new Set(
  "house home apartment flat building scene environment place household premises property".split(" "),
);
const PEOPLE = new Set("person man woman child boy girl lady guy visitor guest".split(" "));
/** Nouns that end in a word of a family. */
const COMPOUND =
  /(?:^|\s)(?:(?:tv|plant|night|umbrella|music|coat|hat|cake|television|flower|lamp|monitor|laptop|media|shoe|book) stand|(?:bed|duvet|cushion|pillow|seat|dust|drain|switch|outlet|book|sofa|chair|mattress|quilt|pool|pan|pot) covers?|(?:car|toilet|window|high|booster) seat|(?:lamp|window|sun|roller|desk) shades?|(?:trash|soda|garbage|tin|beer|watering|paint|rubbish|waste) cans?|(?:paper|toilet|towel|tissue) rolls?|(?:counter|table|desk|stove) top|(?:[a-z']*[a-rt-z]|[a-z]+'s?|guests|kids|boys|girls) room|(?:foot|arm|head|book) rest|(?:tv|tea|tool|chess|dinner|drum|play|train) set|(?:art|framed) print|storage [a-z]+|(?:exercise|yoga|play|bath|door|prayer) mats?|(?:cutting|chopping|ironing|bread|notice|key|white) boards?|(?:drying|clothes|towel|shoe|wine|dish|spice|dumbbell) racks?|(?:sewing|washing|coffee|exercise) machines?|work (?:bench|bench|station|table|desk)|(?:dining|reading|watch|drinks?|play|work|picnic) (?:table|chair|lamp|nook|cabinet|pen|set)s?|drinking glass(?:es)?|painting easel|(?:coat|clothes) hanger|sleeping bag|measuring (?:cup|tape)|welcome sign|step stool|picture house|doll house|bird house|side table|reading (?:lamp|chair|light)|front door|back door)$/;

/** Cuts a normalised question into the words that make it a question and the phrases that fill its places. */
export function chunksOf(text: string, names: ReadonlySet<string> = new Set()): Chunk[] {
  const taken = timesIn(text);
  const tokens: Token[] = [];
  for (const match of text.matchAll(/[a-z0-9][a-z0-9'’:-]*(?<![:'’-])|[,.;:?!]/g)) {
    const [from, to] = [match.index, match.index + match[0].length];
    if (!taken.some((chunk) => from < chunk.to && to > chunk.from)) tokens.push({ word: match[0], from, to });
  }
  const words = tokens.map(({ word }) => word);
  const chunks: Chunk[] = [...taken];
  // Nothing that stands between two words as a time may be read across.
  const joined = (a: number, b: number) =>
    !taken.some((chunk) => chunk.from >= tokens[a]!.to && chunk.to <= tokens[b]!.from);
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    if (/^[,.;:?!]$/.test(token.word)) {
      chunks.push({ kind: "pause", symbol: token.word === "," ? "," : ".", from: token.from, to: token.to });
      at++;
      continue;
    }
    const end = nameEnd(words, at, joined, names);
    if (end !== undefined) {
      const chunk = nameChunk(text, tokens, at, end, names);
      chunks.push(chunk);
      at = end;
      continue;
    }
    const state = STATES[token.word];
    if (
      /^(?:left|right)$/.test(token.word) &&
      !(
        token.word === "right" &&
        /^(?:now|after|beside|by|next|that|in|behind|away)$/.test(words[at + 1] ?? "")
      )
    ) {
      chunks.push({ kind: "side", symbol: "SIDE", from: token.from, to: token.to });
      at++;
      continue;
    }
    if (state && !isPlaceOn(words, at) && (familyAt(words, at)?.length ?? 1) === 1) {
      chunks.push({ kind: "state", symbol: "STATE", from: token.from, to: token.to });
      at++;
      continue;
    }
    const family = familyAt(words, at);
    const length = family?.length ?? 1;
    if (!/^(?:the|a|an)$/.test(token.word) || length > 1) {
      const symbol = family?.family ?? (COLOURS.has(token.word) ? "COLOUR" : "?");
      if (symbol !== "the")
        chunks.push({ kind: "word", symbol, from: token.from, to: tokens[at + length - 1]!.to });
    }
    at += length;
  }
  return attached(
    text,
    chunks.toSorted((a, b) => a.from - b.from),
  );
}

function timesIn(text: string): Chunk[] {
  const taken: Chunk[] = [];
  for (const [kind, pattern] of TIMES) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (taken.some((chunk) => from < chunk.to && to > chunk.from)) continue;
      // "after two minutes" asks about a time to come; "how long after" does not.
      taken.push({ kind, symbol: kind.toUpperCase(), from, to });
    }
  }
  return taken;
}

/** "on" before a name is a place; alone it is a state. */
function isPlaceOn(words: readonly string[], at: number): boolean {
  const word = words[at]!;
  const next = words[at + 1];
  if (word === "left") return true;
  if (word !== "on" && word !== "off") return false;
  if (next === undefined) return false;
  if (next === "the") return !/^(?:last|first|previous|moment)$/.test(words[at + 2] ?? "");
  return !/^(?:[,.;:?!]|or|and|when|if|while|since|right|at|now|in|currently|then|before|during|by|as|rather|just|last|still)$/.test(
    next,
  );
}

const isOpen = (words: readonly string[], at: number): boolean => {
  const word = words[at];
  return (
    word !== undefined &&
    /^[a-z0-9]/.test(word) &&
    familyAt(words, at) === undefined &&
    STATES[word] === undefined &&
    !ARTICLES.has(word) &&
    !NEVER_NAMED.has(word) &&
    !(
      word === "bear" &&
      !/^(?:teddy|toy|stuffed|polar|plush|a|the|brown|black|white)$/.test(words[at - 1] ?? "")
    ) &&
    !(
      (ONLY_BEFORE_NOUNS.has(word) || isParticiple(word)) &&
      !isOpen(words, at + 1) &&
      !startsCompound(words, at + 1)
    ) &&
    !/^(?:left|right)$/.test(word)
  );
};

const startsCompound = (words: readonly string[], at: number): boolean =>
  COMPOUND.test(words.slice(at, at + 2).join(" "));

const MEASURES =
  /^(?:pair|box|cup|stack|can|bottle|set|bag|bowl|pot|jar|roll|bunch|pack|packet|carton|tin|tube|chest|bar|loaf|pile|row|basket|tray|vase|bucket|pieces?|glass|crate|sack)s?$/;

/** Families of nouns that may stand before another in a name: "the house door", "the surface cleaner". */
const NOUNS = new Set("house room surface furniture seat sleep walk text mood doing feeling".split(" "));

/** Where a name that begins at `at` ends; undefined where none begins. */
function nameEnd(
  words: readonly string[],
  at: number,
  joined: (a: number, b: number) => boolean,
  names: ReadonlySet<string>,
): number | undefined {
  let end = at;
  let led = false;
  // "that the door is open": the first "that" joins sentences.
  if (
    /^(?:that|this)$/.test(words[at] ?? "") &&
    (ARTICLES.has(words[at + 1] ?? "") || names.has(words[at + 1] ?? ""))
  )
    return undefined;
  while (ARTICLES.has(words[end] ?? "") && end - at < 2) {
    led = true;
    end++;
  }
  if (NUMBERS[words[end] ?? ""] !== undefined && words[end] !== "one" && (led || isOpen(words, end + 1)))
    end++;
  if (/^\d+$/.test(words[end] ?? "")) end++;
  const start = end;
  let open = 0;
  let nouns = 0;
  for (; end < words.length; end++) {
    const word = words[end]!;
    if (/^[,.;:?!]$/.test(word) || (end > at && !joined(end - 1, end))) break;
    // "the thing anna carries": somebody's name begins another.
    if (open > 0 && names.has(word)) break;
    const rest = words.slice(start, end + 1).join(" ");
    // "is the desk wooden": what it is made of is said of it.
    if (open > 0 && /^(?:wooden|metallic|woollen)$/.test(word) && !isOpen(words, end + 1)) break;
    // "is the door wood, metal or plastic"
    if (nouns > 0 && isStuff(word) && offersMore(words, end + 1)) break;
    if (isOpen(words, end)) {
      open++;
      if (!(COLOURS.has(word) || SIZES.has(word) || ONLY_BEFORE_NOUNS.has(word))) nouns++;
      continue;
    }
    if (word === "can" && led && nouns === 0 && words[end + 1] === "of") {
      open++;
      nouns++;
      continue;
    }
    if (word === "of" && end > start && MEASURES.test(words[end - 1]!) && isOpen(words, end + 1)) continue;
    if (end > start && COMPOUND.test(rest)) {
      open++;
      continue;
    }
    const modifies =
      (SIZES.has(word) ||
        STATES[word] !== undefined ||
        (/(?:ing|ed)$/.test(word) && !/thing$/.test(word)) ||
        MATERIALS.has(word) ||
        word === "storage" ||
        word === "new" ||
        word === "old" ||
        word === "front" ||
        word === "side" ||
        word === "other" ||
        NOUNS.has(familyAt([word], 0)?.family ?? "")) &&
      (led ||
        /^(?:reading|writing|dining|living|washing|ironing|sewing|cutting|cooking|drying)$/.test(word)) &&
      (isOpen(words, end + 1) || COMPOUND.test(words.slice(start, end + 2).join(" ")));
    if (modifies && nouns === 0) continue;
    break;
  }
  // "the small black object", "a quiet place": something described, whatever it is.
  if (led && open > 0 && /^(?:(?:object|thing|item|place)s?|spot|corner)$/.test(words[end] ?? "")) end++;
  if (open === 0) return undefined;
  // "what height does the armchair attain": the last word is the verb, unless one follows.
  if (
    led &&
    open > 1 &&
    /^(?:do|does|did)$/.test(words[at - 1] ?? "") &&
    !/^(?:i|you|we|they)$/.test(words[at - 2] ?? "") &&
    !isVerbal(words, end)
  )
    end--;
  // "show that plants are": one thing would be "that plant".
  if (words[at] === "that" && isPlural(words[end - 1]!)) return undefined;
  // A colour or a number on its own is no name, a colour after "the" and before one is.
  const last = words[end - 1]!;
  if (end - start === 1 && COLOURS.has(last) && !led) return undefined;
  return end;
}

const isStuff = (word: string): boolean => COLOURS.has(word) || MATERIALS.has(word);

/** "…, metal or plastic", "… or blue", "…, or what": other such words are offered. */
function offersMore(words: readonly string[], at: number): boolean {
  if (words[at] === "or") return true;
  return words[at] === "," && (words[at + 1] === "or" || isStuff(words[at + 1] ?? ""));
}

/** Whether what comes next may be the verb of the question. */
function isVerbal(words: readonly string[], at: number): boolean {
  const word = words[at];
  return !(word === undefined || /^(?:[.?!]|any|some|the|an?|no)$/.test(word));
}

function nameChunk(
  text: string,
  tokens: readonly Token[],
  at: number,
  end: number,
  names: ReadonlySet<string>,
): Chunk {
  const { from } = tokens[at]!;
  // "the vase's material" names the vase.
  const owner = /(?<=\w)'s?$/.exec(tokens[end - 1]!.word)?.[0] ?? "";
  const to = tokens[end - 1]!.to - owner.length;
  const words = tokens.slice(at, end).map(({ word }) => word);
  words.push(words.pop()!.slice(0, owner === "" ? undefined : -owner.length));
  const lead = /^(?:both|all)$/.test(words[0]!) && ARTICLES.has(words[1] ?? "") ? words[1]! : words[0]!;
  const own = words.filter((word, n) => !(n < 2 && ARTICLES.has(word))).join(" ");
  const description = plain(own, own);
  const of = (kind: ChunkKind, symbol: string): Chunk => ({ kind, symbol, from, to });
  if (description.head === "object") return of("word", "described");
  if (/^(?:place|spot|corner)$/.test(description.head.split(" ").at(-1)!) && !/^(?:the|this)$/.test(lead))
    return of("word", "place");
  if (HOUSE_HEADS.has(description.head)) return of("word", "house");
  if (PART_WORDS.has(description.head) && text.slice(to).startsWith(" of")) return of("word", "part");
  if (isRoom(description)) return of("room", "ROOM");
  if (PEOPLE.has(description.head.split(" ").at(-1)!)) return of("name", "NAME");
  if (names.has(words.at(-1)!) && words.length === 1) return of("name", "NAME");
  const many = isPlural(own);
  if (/^(?:the|my|your|our|their|his|her|its|this|that|these|those)$/.test(lead) && !many)
    return of("thing", "THING");
  if (!ARTICLES.has(lead) && !many) return of("name", "NAME");
  if (/^(?:the|my|your|our|these|those)$/.test(lead)) return of("kind", "KINDS");
  return of("kind", many ? "KINDS" : "KIND");
}

const SAYS =
  /^\s*(?:,\s*)?(?:(?:that|which) (?:says|reads|bears|has)|saying|reading|labelled|marked|with|bearing|that is labelled|with the (?:words?|text))\s*$/;

/** Things with what is said of them right behind: the words on them, the room they are in. */
function attached(text: string, chunks: readonly Chunk[]): Chunk[] {
  const out: Chunk[] = [];
  for (const chunk of chunks) {
    let thing = out.findLastIndex(({ kind }) => kind === "thing" || kind === "kind");
    const before = thing < 0 ? undefined : out[thing];
    const between = before ? text.slice(before.to, chunk.from) : "";
    if (before && chunk.kind === "quote" && SAYS.test(between)) {
      out.splice(thing, out.length, { ...before, to: chunk.to });
      continue;
    }
    thing = out.findLastIndex(({ kind }) => kind === "thing");
    if (
      thing >= 0 &&
      chunk.kind === "room" &&
      /^ (?:in|inside|within|from|out of) $/.test(text.slice(out[thing]!.to, chunk.from)) &&
      !/^ (?:from|out of) $/.test(text.slice(out[thing]!.to, chunk.from))
    ) {
      out.splice(thing, out.length, { ...out[thing]!, to: chunk.to });
      continue;
    }
    out.push(chunk);
  }
  return out;
}
