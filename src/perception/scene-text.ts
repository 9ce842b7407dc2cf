import { pluralOf } from "../ontology/index.ts";
import { type Attributes, factLines, oneLine, phraseOf, withArticle } from "./words.ts";

/** A thing of a scene, as input for texts. */
export interface SceneThing {
  readonly category: string;
  /** Its phrase, if any; else one is made from category and attributes. */
  readonly phrase?: string | undefined;
  readonly attributes?: Attributes | undefined;
  /** Its support in one word: "counter". */
  readonly on?: string | undefined;
}

/** Most lines of template text per record: a summary and its things. */
export const TEMPLATE_LINES = 12;
const SUMMARY_THINGS = 24;

/** The lines about one thing: "a red ceramic mug", "the mug is open". */
export function objectLines(thing: SceneThing): string[] {
  const phrase = phraseOf(thing.phrase, thing.category, thing.attributes);
  const place = thing.on === undefined ? "" : ` on the ${oneLine(thing.on)}`;
  return [
    withArticle(`${phrase}${place}`),
    ...factLines(oneLine(thing.category) || "thing", thing.attributes),
  ];
}

/**
 * The lines about a scene: first a summary ("kitchen: counter, 2 chairs, red mug on the counter"), then the things
 * one by one, without repeats and at most twelve in all. Empty if there is nothing to say.
 */
export function sceneLines(things: readonly SceneThing[], room?: string): string[] {
  const groups = Map.groupBy(things, (thing) => oneLine(thing.category) || "thing");
  const named = [...groups].slice(0, SUMMARY_THINGS).map(([category, all]) => summaryOf(category, all));
  const place = oneLine(room ?? "");
  const summary = [place, named.join(", ")].filter((part) => part !== "").join(": ");
  const facts: string[] = [];
  const objects: string[] = [];
  for (const thing of things) {
    const [object, ...rest] = objectLines(thing);
    objects.push(object!);
    facts.push(...rest);
  }
  // States are asked about more often than things that are already in the summary.
  return [...new Set([summary, ...facts, ...objects].filter((line) => line !== ""))].slice(0, TEMPLATE_LINES);
}

/** A single thing by its phrase, several by their number. */
function summaryOf(category: string, things: readonly SceneThing[]): string {
  if (things.length > 1) return `${things.length} ${pluralOf(category)}`;
  const { phrase, attributes, on } = things[0]!;
  const words = phraseOf(phrase, category, attributes);
  return on === undefined ? words : `${words} on the ${oneLine(on)}`;
}

const SENTENCE_END =
  /\n+|(?<=[.!?]["”’)]?)(?<!(?:^|[\s(“"])(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|No)\.)\s+(?=["“‘(]?[\p{Lu}\d])/u;

/** A text as sentences, one per line; the stop after an initial or a title ("Dr. A. Smith") does not end one. */
export function sentencesOf(text: string): string[] {
  return text
    .split(SENTENCE_END)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}
