import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chunksOf } from "./chunk.ts";
import { coreOf } from "./core.ts";
import { featuresOf } from "./features.ts";

const FOLDER = join(import.meta.dirname, "exemplars");

/**
 * Questions of each kind as people put them, places in braces: the lines under "# kind" in the files of `exemplars/`.
 * They are what the chooser is fitted on (scripts/train-forms.ts); answering a question does not read them.
 */
export function readExemplars(): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  let current: string[] = [];
  for (const file of globSync("*.txt", { cwd: FOLDER }).toSorted()) {
    for (const line of readFileSync(join(FOLDER, file), "utf8").split("\n")) {
      if (line.startsWith("# ")) {
        current = kinds.get(line.slice(2)) ?? [];
        kinds.set(line.slice(2), current);
      } else if (line !== "") current.push(line);
    }
  }
  return kinds;
}

/** What stands in the places of an exemplar while its form is learnt, in turns. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  thing: [
    "the vase",
    "the red jug in the study",
    "the tv stand",
    "the box that says “TOYS”",
    "the curtains in the attic",
  ],
  anchor: [
    "the vase",
    "the red jug in the study",
    "the tv stand",
    "the box that says “TOYS”",
    "the bowl of fruit",
  ],
  first: [
    "the vase",
    "the red jug in the study",
    "the tv stand",
    "the box that says “TOYS”",
    "the bowl of fruit",
  ],
  second: [
    "the rack",
    "the can of paint",
    "the lute in the attic",
    "the white crate",
    "the sign that says “OUT”",
  ],
  third: ["the piano", "the harp in the cellar", "the old globe", "the map that says “SEA”", "the drum"],
  at: ["the vase", "the red jug", "the tv stand", "the box that says “TOYS”", "the bowl of fruit"],
  facing: ["the rack", "the can of paint", "the lute in the attic", "the white crate", "the globe"],
  host: ["the rack", "the desk in the study", "the white crate", "the tv stand", "the shelf"],
  mark: ["the rack", "the desk in the study", "the white crate", "the tv stand", "the harp"],
  things: ["vases", "tin drums", "books", "red jugs", "floor lamps"],
  aThing: ["a vase", "an old globe", "a tin drum", "a book", "a floor lamp"],
  bare: ["vase", "globe", "tin drum", "floor lamp", "rack"],
  room: ["the kitchen", "the living room", "the master bedroom", "the study", "the guest room"],
  from: ["the hallway", "the garage", "the living room", "the cellar", "the dining room"],
  roomA: ["the kitchen", "the living room", "the master bedroom", "the study", "the guest room"],
  roomB: ["the hallway", "the garage", "the attic", "the cellar", "the dining room"],
  person: ["Anna", "Omar", "the man", "Lucas", "the crate"],
  text: ["EXIT", "FRAGILE", "HOT", "TOYS", "OUT"],
  count: ["two", "three", "four", "five", "two"],
  value: ["open", "on", "full", "off", "occupied"],
  valueA: ["open", "on", "full", "off", "occupied"],
  valueB: ["closed", "off", "empty", "on", "free"],
  side: ["left", "right", "left", "right", "left"],
  when: ["at 10:15", "two minutes ago", "40 seconds ago", "at 09:00:02", "1 minute and 5 seconds ago"],
  since: ["since 10:15", "in the last hour", "since yesterday", "in the last two minutes", "since 9:40"],
  last: ["minute", "hour", "two minutes", "ten minutes", "30 seconds"],
  span: ["ten minutes", "an hour", "a minute", "half an hour", "two hours"],
  verb: [
    "been opened or closed",
    "been switched on or off",
    "been filled or emptied",
    "been opened or closed",
    "been switched on or off",
  ],
  purpose: ["dry my hands", "sleep", "post a letter", "store my suitcase", "hang up a coat"],
  activity: ["relax with friends", "prepare a big meal", "tune my guitar", "do yoga", "take a bath"],
  ambience: ["bright and cosy", "quiet", "dark and cool", "lively", "calm and sunny"],
  need: [
    "I am cold.",
    "My hands are wet. What should I do?",
    "I want to hear music. What can I do?",
    "It is dark.",
    "I need to iron a shirt. Where should I go?",
  ],
};

/** How many questions are made of an exemplar. */
export const TURNS = 5;

/** An exemplar with things in its places, others each turn. */
export function questionOf(exemplar: string, turn: number): string {
  return exemplar.replace(/\{(\w+)\}/g, (place, name: string) => SAMPLES[name]?.[turn] ?? place);
}

/** What is told of the form of an exemplar, with other things in its places each turn. */
export function exemplarFeatures(exemplar: string, turn: number): string[] {
  const { text, names } = coreOf(questionOf(exemplar, turn));
  const offers =
    /\b(?:these|following|those|options|choices)\b/i.test(exemplar) &&
    !/\{things\}|\bone of these\b/.test(exemplar);
  return featuresOf(chunksOf(text, names), offers);
}
