import type { Subgoal } from "../need.ts";
import { type Draft, draft, goal } from "./ask-kinds.ts";
import { COMPARATIVES } from "./lexicon.ts";
import { isRoom, readPhrase, startsWithRelation } from "./noun-phrase.ts";

const THESE =
  /^(?:(?:of|from|among|out of) (?:these|the following|them|those)(?: [a-z]+)?[\s,]+)?(?:which|what)(?: (?:one|ones))?(?: of (?:these|the following|them|those|the options))?(?: (things?|objects?|items?|rooms?|places?))?\b\s*(.*)$/;

/** Questions whose answer is one of the options: each option is a thing to measure or to relate. */
export function readAmong(text: string, options: readonly string[] | undefined): Draft | undefined {
  const things = optionThings(options);
  const match = THESE.exec(text);
  if (!match || things.length === 0) return undefined;
  const rest = match[2]!.replace(/^(?:is|are|was|were|has|have|does|do|would be|can be)\s+/, "");
  const same =
    /\b(?:same|identical|matching) ([a-z]+)\b.*?\b(?:as|to|with)\s+(.*)$/.exec(rest) ??
    /\bshares? (?:a|an|the|its|the same) ([a-z]+) with\s+(.*)$/.exec(rest) ??
    /\bmatch(?:es)? (?:the )?([a-z]+) of\s+(.*)$/.exec(rest) ??
    swapped(/\b(?:match(?:es)?|like|as)\s+(.+?) in (colou?r|material)$/.exec(rest)) ??
    swapped(/\b(?:together with|alongside)\s+(.+?) in (?:one|the same|a) (room)$/.exec(rest));
  const anchor = same ? readPhrase(same[2]!) : undefined;
  if (same && anchor) {
    const dimension = /colou?r/.test(same[1]!)
      ? "colour"
      : /material/.test(same[1]!)
        ? "material"
        : /size|height/.test(same[1]!)
          ? "size"
          : "place";
    return draft("relate", "choice", [goal(anchor), ...things], {
      compare: { op: "same", dimension },
      quantifier: "superlative",
    });
  }
  const word = [...rest.matchAll(/\b[a-z]+\b/g)].find(([found]) => COMPARATIVES[found] !== undefined);
  if (word) {
    const { op, dimension } = COMPARATIVES[word[0]]!;
    const after = /^\s*(?:to|from)\s+(.*)$/.exec(rest.slice(word.index + word[0].length));
    const to = after ? readPhrase(after[1]!) : undefined;
    if (dimension === "count") return undefined;
    return draft("compare", "choice", things, {
      quantifier: "superlative",
      compare: { op: op === "more" ? "most" : "least", dimension, ...(to && { to: to.description }) },
    });
  }
  const relation = startsWithRelation(rest);
  const placed = relation && relation[1] !== "with" ? readPhrase(`object ${rest}`) : undefined;
  if (placed && (placed.relations.length > 0 || placed.region))
    return draft(
      "relate",
      "choice",
      things.map((thing) => ({
        ...thing,
        relations: [...thing.relations, ...placed.relations],
        ...(placed.region && { region: placed.region }),
      })),
      { quantifier: "superlative" },
    );
  return undefined;
}

/** The options as things; a room is a thing here as well. None where they are no names. */
export function optionThings(options: readonly string[] | undefined): Subgoal[] {
  if (!options || !areNames(options)) return [];
  const things = optionGoals(options);
  return things.length === options.length ? things : [];
}

function optionGoals(options: readonly string[]): Subgoal[] {
  const rooms = options.every((option) => {
    const read = readPhrase(option.toLowerCase().replace(/[’‘]/g, "'").trim());
    return read !== undefined && isRoom(read.description);
  });
  return options.flatMap((option) => {
    const phrase = readPhrase(option.toLowerCase().replace(/[“”]/g, '"').replace(/[’‘]/g, "'").trim());
    if (!phrase) return [];
    const subgoal = goal(phrase);
    return [rooms ? { ...subgoal, property: "room" } : subgoal];
  });
}

function areNames(options: readonly string[]): boolean {
  return options.every((option) => /[a-z]{3}/i.test(option) && !/^(?:yes|no|true|false)\b/i.test(option));
}

function swapped(match: RegExpExecArray | null): [string, string, string] | null {
  return match ? [match[0], match[2]!, match[1]!] : null;
}
