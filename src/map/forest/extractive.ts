import type { Summariser, Summary, SummaryRequest } from "../../models/summariser.ts";
import { pluralOf } from "../../ontology/index.ts";
import { FOREST } from "../settings.ts";

const MAX_PARALLEL = 64;

const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could do does for from had has have he her here his i if in into is it " +
    "its just may more near next no not of off on one or other our out over per she so some such than that the " +
    "their them then there these they this those through to too two under up was we were what when where which " +
    "while who will with within without you your appears seems shows image scene view visible several various " +
    "area side left right front back background foreground likely suggests suggesting features featuring"
  ).split(" "),
);

/**
 * The default summariser: no model, deterministic. With things it counts them, rare ones first; with captions alone
 * it selects the sentences whose words most parts share, each adding something new.
 */
export const extractiveSummariser: Summariser = {
  id: "extractive",
  parallel: MAX_PARALLEL,
  summarise: async (request) => (request.things.length > 0 ? fromThings(request) : fromSentences(request)),
};

function fromThings({ type, name, parts, things, leaves, commonness }: SummaryRequest): Summary {
  const weight = (category: string, count: number): number =>
    (1 + Math.log(count)) * (1.05 - (commonness?.(category) ?? 0));
  const ranked = [...things].sort(
    (a, b) => weight(b.category, b.count) - weight(a.category, a.count) || (a.category < b.category ? -1 : 1),
  );
  const shown = ranked.slice(0, FOREST.maxThings);
  const list = enumerate(shown.map(({ category, count }) => counted(category, count)));
  const title =
    name ?? `around the ${enumerate(shown.slice(0, FOREST.maxNameThings).map(({ category }) => category))}`;
  const named = parts.flatMap((part) => (part.name === undefined ? [] : [part.name]));
  const rest = things.length - shown.length;
  const what = `${title} has ${list}${rest > 0 ? `, and ${rest} more kinds of things` : ""}.`;
  const inside = type === "floor" || type === "site" ? ` It holds ${enumerate(named)}.` : "";
  return {
    name: title,
    summary: capital(named.length > 0 ? what + inside : what),
    relationships: leaves > 1 && named.length > 1 ? [`${enumerate(named)} lie together`] : [],
  };
}

function fromSentences({ name, parts, words = [] }: SummaryRequest): Summary {
  const weight = new Map(words.map((each) => [each.word, each.weight]));
  const sentences = parts
    .flatMap(({ lines }) => lines)
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.length > 0 && sentence.length <= FOREST.maxSentenceChars)
    .slice(0, FOREST.maxSentencesRead)
    .map((text) => {
      const told = [...new Set(wordsOf(text))];
      const sum = told.reduce((total, word) => total + (weight.get(word) ?? 0), 0);
      return { text, told, score: sum / Math.sqrt(told.length + 4) };
    })
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const chosen: string[] = [];
  const said = new Set<string>();
  for (const { text, told } of sentences) {
    const again = told.filter((word) => said.has(word)).length;
    if (told.length === 0 || 2 * again > told.length) continue;
    chosen.push(text.trim());
    for (const word of told) said.add(word);
    if (chosen.length === FOREST.maxSentences) break;
  }
  const title =
    name ?? (enumerate(words.slice(0, FOREST.maxNameWords).map(({ word }) => word)) || "somewhere");
  return { name: title, summary: chosen.join(" ") || capital(`${title}.`), relationships: [] };
}

/** The words of a text that may mean something, in order. */
export function wordsOf(text: string): string[] {
  // Labels and numbers ("KX-482") are not words that describe a place.
  const words = text.toLowerCase().match(/[a-z0-9][a-z0-9'-]{2,}/g) ?? [];
  return words.filter((word) => !/\d/.test(word) && !STOP_WORDS.has(word));
}

function counted(category: string, count: number): string {
  if (count > 1) return `${count} ${pluralOf(category)}`;
  return `${/^[aeiou]/i.test(category) ? "an" : "a"} ${category}`;
}

function enumerate(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
