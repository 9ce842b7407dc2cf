import { attributesOf, lookup, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { isFunctionWord } from "./function-words.ts";
import { isKnownWord } from "./spell.ts";

/** To leave "bigger" or "nearest" out: nobody says these for nothing. */
const UNGRADED = 0.4;
/** Nor the name of a thing, a room, a colour, or "besides"; but some stand in what is told around a question. */
const UNUSED = 0.15;
const MOST = 0.45;
/** Who asks where something is does not ask how many there are, though none would be an answer. */
const UNPLACED = 1;

/** Words that compare. */
const GRADED: ReadonlySet<string> = new Set(
  `bigger biggest larger largest huger hugest roomier roomiest greater greatest smaller smallest littler littlest tinier
   tiniest taller tallest shorter shortest higher highest lower lowest wider widest broader broadest narrower narrowest
   slimmer slimmest longer longest deeper deepest shallower shallowest thicker thickest thinner thinnest closer closest
   nearer nearest farther farthest further furthest topmost lowermost latest`.split(/\s+/),
);

/** And those that no measure tells: what somebody likes. */
const LIKED: ReadonlySet<string> = new Set(
  `coolest nicest prettiest loveliest cutest ugliest fanciest funniest silliest scariest sweetest classiest trendiest
   dreamiest handsomest tastiest yummiest`.split(/\s+/),
);

const EXCEPTS: ReadonlySet<string> = new Set(["besides", "except", "excluding"]);

/** Who says "each" wants to hear of each. */
const EACH = /\beach (?!other\b|time\b)|\bper (?!cent\b)|\brespectively\b|\bone by one\b/;
const EACHES: ReadonlySet<string> = new Set(
  "each all filter mean ratio minus refuse recall serves".split(" "),
);

/** Nor when it was. */
const TIMES =
  /\b(?:first|second|last) time\b|\bat first\b|\bto begin with\b|\bearlier on\b|\bago\b|\byesterday\b/;

/** The whole place is named for nothing all the time. */
const ANYWHERE: ReadonlySet<string> = new Set(
  "room rooms house home place flat apartment dwelling building upstairs downstairs".split(" "),
);

/** What it costs a reading that words of the question that always mean something leave no trace in it. */
export function neglected(words: readonly string[], parts: readonly Expression[]): number {
  const graded = words.some((word) => GRADED.has(word));
  const ungraded = graded && !parts.some((part) => uses(part, COMPARING)) ? UNGRADED : 0;
  const measured = words.some((word) => LIKED.has(word)) && parts.some((part) => uses(part, MEASURING));
  const said = words.join(" ");
  const lumped = EACH.test(said) && !parts.some((part) => uses(part, EACHES)) ? UNGRADED : 0;
  const text = JSON.stringify(parts).toLowerCase();
  const unused = new Set(
    telling(words)
      .filter((said) => !said.some((one) => text.includes(one)))
      .map(String),
  );
  const unexcepted = words.some((word) => EXCEPTS.has(word)) && !parts.some((part) => uses(part, EXCEPTING));
  const untimed = TIMES.test(said) && !parts.some((part) => uses(part, TIMING));
  const uncalled = words[0] === "where" && parts[0]?.op === "count" ? UNPLACED : 0;
  const unnamed = words.some((word) => isName(word) && !text.includes(word)) ? UNGRADED : 0;
  return (
    ungraded +
    lumped +
    (measured ? UNGRADED : 0) +
    unnamed +
    uncalled +
    Math.min(MOST, UNUSED * (unused.size + (unexcepted ? 1 : 0) + (untimed ? 1 : 0)))
  );
}

/** What is no word of English is a name, and a name is what a question is about. */
function isName(word: string): boolean {
  return /^[a-z]{5,}$/.test(word) && !isKnownWord(word);
}

/** Rooms, colours and things that are named, each by what a reading may call it. */
function telling(words: readonly string[]): string[][] {
  return words.flatMap((word, n) => {
    const pair = `${words[n - 1] ?? ""} ${word}`;
    if (n > 0 && roomKind(pair)) return [[pair, singularOf(pair)]];
    if (!ANYWHERE.has(word) && roomKind(word)) return [[word, singularOf(word)]];
    const colour = attributesOf(word).find(({ attribute }) => attribute === "colour");
    if (colour) return [[word, colour.value]];
    const thing = isFunctionWord(word) ? undefined : lookup(word);
    return thing ? [[word, singularOf(word), thing.name]] : [];
  });
}

/** Operators by which one thing is told from others by a measure, or asked how it compares. */
const COMPARING: ReadonlySet<string> = new Set(
  "most least greater less nth refuse recall serves fits same largest smallest difference ratio".split(" "),
);
/** Those of them that take the one that has most of something. */
const MEASURING: ReadonlySet<string> = new Set("most least nth largest smallest".split(" "));
/** And those by which something is left out. */
const EXCEPTING: ReadonlySet<string> = new Set(
  "minus none not never filter route reachable refuse recall serves".split(" "),
);

/** And those that speak of a time. */
const TIMING: ReadonlySet<string> = new Set(
  "at when seen nth changes history before after between duration doings stay often ever never always said moment usual likely refuse recall".split(
    " ",
  ),
);

function uses({ op, of }: Expression, operators: ReadonlySet<string>): boolean {
  return operators.has(op) || of.some((one) => uses(one, operators));
}
