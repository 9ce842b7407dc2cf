import { type LociRecord, type RecordOf, referencesOf } from "../schema/core.ts";
import { wordsOf } from "./lexical.ts";

/**
 * Traces that a forgotten thing leaves in records about others, and their removal. Things, observations, agents, rooms
 * and what people said speak for themselves; views, captions, places, clusters and events repeat what others said. A
 * word that only the forgotten used is removed wherever it was repeated, with the part of the line that contains it. A
 * record that named a forgotten thing also loses the parts that call it by its name, unless something else that the
 * record still names is called the same.
 *
 * Labels limit all of it: a record that was made from a labelled one carries its labels, so only words of records whose
 * labels it carries count, forgotten or left. What a reader sees does then not depend on what it may not see.
 */
export interface Traces {
  /** Stems that no remaining record uses of itself, as far as a record with these labels may know. */
  readonly wordsFor: (labels: readonly string[]) => ReadonlySet<string>;
  /** The names of forgotten things, as stems, by their ids. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** The names of remaining things. */
  readonly nameOf: (id: string) => readonly string[];
}

/** Words that every text has: they identify no thing, even if no remaining record happens to use one. */
const COMMON = new Set(
  wordsOf(
    "a an and are as at be been but by can could do does for from had has have here i if in into is it its more near " +
      "next no not of off on one or other out over said says see seen so some stands lies than that the their them then " +
      "there these they this those through to too two under up was were what when where which while who will with true " +
      "false thing things",
  ),
);

/** Whether the words of a record are its own, or repeat other records. */
export function speaksForItself(record: LociRecord): boolean {
  switch (record.kind) {
    case "caption":
      return record.source === "human";
    case "region":
      return record.type === "room" || record.type === "floor" || record.type === "spot";
    default:
      return ["observation", "detection", "track", "state", "agent"].includes(record.kind);
  }
}

/** Every string in which a record speaks of itself. */
export function ownStrings(record: LociRecord): string[] {
  // The name of a room is its own; its contents are described by other records.
  if (record.kind === "region") return [record.name, ...(record.perceived ? [record.perceived.name] : [])];
  const strings: string[] = [...record.text, ...perceivedNames(record)];
  if ("name" in record) strings.push(record.name);
  if ("category" in record && record.category !== undefined) strings.push(record.category);
  if (record.kind === "track") strings.push(...record.aliases);
  if (record.kind === "caption" && record.topic !== undefined) strings.push(record.topic);
  if (record.kind === "agent") strings.push(...record.sensors, ...record.capabilities);
  if (record.kind === "state")
    for (const [name, { value }] of Object.entries(record.attributes)) strings.push(name, String(value));
  return strings;
}

/** The words of some strings that may identify a thing. */
export function tellingWords(strings: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const text of strings)
    for (const word of wordsOf(text)) if (!COMMON.has(word) && !/^\d+$/.test(word)) words.add(word);
  return words;
}

/** Words by the labels of the records that use them. */
export class LabelledWords {
  readonly #sets = new Map<string, { readonly labels: readonly string[]; readonly words: Set<string> }>();

  add(labels: readonly string[], words: Iterable<string>): void {
    const key = JSON.stringify(labels);
    const known = this.#sets.get(key) ?? { labels, words: new Set() };
    this.#sets.set(key, known);
    for (const word of words) known.words.add(word);
  }

  get size(): number {
    return [...this.#sets.values()].reduce((sum, { words }) => sum + words.size, 0);
  }

  has(word: string): boolean {
    return [...this.#sets.values()].some(({ words }) => words.has(word));
  }

  /** The words known to readers with these labels. */
  within(labels: readonly string[]): Set<string> {
    const held = new Set(labels);
    const found = new Set<string>();
    for (const { labels: needed, words } of this.#sets.values())
      if (needed.every((label) => held.has(label))) for (const word of words) found.add(word);
    return found;
  }
}

/** The words of some that others do not use, for each set of labels. */
export function onlyIn(gone: LabelledWords, left: LabelledWords): Traces["wordsFor"] {
  const known = new Map<string, ReadonlySet<string>>();
  return (labels) => {
    const key = JSON.stringify(labels);
    const words = known.get(key) ?? without(gone.within(labels), left.within(labels));
    known.set(key, words);
    return words;
  };
}

function without(words: Set<string>, others: ReadonlySet<string>): Set<string> {
  for (const word of others) words.delete(word);
  return words;
}

/** The names of a thing, as stems in order. */
export function callNames(record: LociRecord): string[] {
  if (record.kind !== "track" && record.kind !== "state") return [];
  const names = [record.name, record.category, ...perceivedNames(record)];
  return [...new Set(names.map(stemmed))].filter((name) => name !== "");
}

/** Its names before a person corrected them: other records may still repeat them. */
function perceivedNames(record: LociRecord): string[] {
  const { name, category } = ("perceived" in record && record.perceived) || {};
  return [name, category].filter((one) => one !== undefined);
}

/** The same record without the traces; the very same one if it has none. */
export function withoutTraces<R extends LociRecord>(record: R, { wordsFor, names, nameOf }: Traces): R {
  const words = wordsFor(record.labels);
  if (record.kind === "observation" || record.kind === "detection" || record.kind === "agent") return record;
  const kept = new Set<string>();
  const gone = new Set<string>();
  for (const { id } of referencesOf(record)) {
    for (const name of names.get(id) ?? []) gone.add(name);
    if (!names.has(id)) for (const name of nameOf(id)) kept.add(name);
  }
  const phrases = [...gone].filter((name) => !kept.has(name)).map((name) => ` ${name} `);
  const isOwn = speaksForItself(record) && record.kind !== "region";
  if (isOwn && phrases.length === 0) return record;
  const tells = (text: string): boolean => {
    const stems = wordsOf(text);
    if (!isOwn && stems.some((word) => words.has(word))) return true;
    if (phrases.length === 0) return false;
    const said = ` ${stems.join(" ")} `;
    return phrases.some((phrase) => said.includes(phrase));
  };
  return cleaned(record, tells, (text) => wordsOf(text).some((word) => words.has(word)));
}

function cleaned<R extends LociRecord>(
  record: R,
  tells: (text: string) => boolean,
  hasWord: (text: string) => boolean,
): R {
  const changes: Record<string, unknown> = {};
  const lines = (list: readonly string[]) => [
    ...new Set(list.map((line) => withoutParts(line, tells)).filter((line) => line !== undefined)),
  ];
  // A thing's own lines are its own; lines about others are cut.
  if (record.kind !== "track" && record.kind !== "state" && record.text.some(tells))
    changes["text"] = lines(record.text);
  if (record.kind === "region") {
    const region = record as RecordOf<"region">;
    // Relationships belong to several things, so none of them owns the words.
    if (region.relationships.some(tells))
      changes["relationships"] = region.relationships.filter((line) => !tells(line));
    if (!speaksForItself(record) && hasWord(region.name)) changes["name"] = region.type;
    // The owner of the forest rewrites the text.
    if (Object.keys(changes).length > 0) changes["dirty"] = true;
  }
  if (record.kind === "view" && (record as RecordOf<"view">).room !== undefined)
    if (hasWord((record as RecordOf<"view">).room!)) changes["room"] = undefined;
  if (Object.keys(changes).length === 0) return record;
  const result = { ...record, ...changes };
  if ("room" in changes) delete (result as { room?: string }).room;
  return result;
}

const TITLE = /^(: | has | have | holds )$/;
const BREAK = /(: | has | have | holds |, and |, | and |; |\. )/;

/** A line without the parts that refer to something; undefined if nothing meaningful is left. */
export function withoutParts(line: string, tells: (part: string) => boolean): string | undefined {
  if (!tells(line)) return line;
  const pieces = line.split(BREAK);
  let said = "";
  let parts = 0;
  let joint: string | undefined;
  for (let i = 0; i < pieces.length; i += 2) {
    const part = pieces[i]!;
    joint ??= i === 0 ? "" : pieces[i - 1]!;
    if (part === "" || tells(part)) continue;
    // A title such as "kitchen: " has no content of its own.
    if (i > 0 || !TITLE.test(pieces[1] ?? "")) parts++;
    said += said === "" ? part : `${joint}${part}`;
    joint = undefined;
  }
  // A name may cross a break between parts: then the whole line is dropped.
  return parts === 0 || tells(said) ? undefined : said;
}

function stemmed(text: string): string {
  return wordsOf(text).join(" ");
}
