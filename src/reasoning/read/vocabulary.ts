import { COLOUR_NAMES, COLOURS, MATERIAL_NAMES, MATERIALS, STATES } from "../parse/lexicon.ts";
import { singularOf as singular } from "../parse/nouns.ts";
import { isThingWord } from "../rules/purposes/match.ts";
import type { Sentence } from "./sentence.ts";

const FUNCTION = new Set(
  "a an the this that these those some any all every each both either neither no my your our their his her its another what which whose who whom where when why how is are was were be been being am do does did have has had can could will would shall should may might must i you he she it we they me him them us and or but nor so because while than if whether not never of to from for with without in on at by into onto over under above below near beside next between behind inside within through against about as there here then very too also else except besides apart please now just still ever already yet's 's up down off out more most less least many much few several other same such than like one only before after since until during ago today yesterday tomorrow".split(" "),
);

export function isFunctionWord(word: string): boolean {
  return FUNCTION.has(word);
}

export function singularOf(word: string): string {
  return singular(word);
}

export function isAdjectiveLike(word: string): boolean {
  return /(?:ed|en|y|ish|ful|less|ous|ic|al|ive|ing|able)$/.test(word);
}

export function nounAt(s: Sentence, at: number): { name: string; length: number; plural: boolean; sure: boolean } | undefined {
  for (const length of [3, 2, 1]) {
    const words = s.words.slice(at, at + length);
    if (words.length < length || words.some((w, n) => isFunctionWord(w) && !(n > 0 && w === "of" && length === 3))) continue;
    if (s.tokens.slice(at + 1, at + length).some((t) => t.parted)) continue;
    const last = singular(words.at(-1)!);
    const name = [...words.slice(0, -1), last].join(" ");
    if (isThingWord(name)) return { name, length, plural: last !== words.at(-1), sure: true };
  }
  return undefined;
}

const ROOMS = ["living room", "dining room", "laundry room", "utility room", "guest room", "master bedroom", "home office", "children's room", "kids room", "conference room", "meeting room", "storage room", "entrance hall", "family room", "sitting room", "powder room", "kitchen", "bathroom", "restroom", "washroom", "bedroom", "lounge", "hallway", "hall", "corridor", "garage", "office", "study", "library", "basement", "attic", "cellar", "balcony", "patio", "garden", "pantry", "laundry", "nursery", "playroom", "entrance", "foyer", "lobby", "entryway", "porch", "terrace", "gym", "workshop", "storeroom", "loo", "wc", "landing", "den", "room", "loft", "conservatory", "vestibule", "cloakroom", "larder"];

export function roomAt(s: Sentence, at: number): { name: string; length: number; plural: boolean } | undefined {
  for (const length of [3, 2, 1]) {
    const words = s.words.slice(at, at + length);
    if (words.length < length) continue;
    const last = words.at(-1)!;
    const one = singular(last);
    const name = [...words.slice(0, -1), one].join(" ").replace(" 's", "'s");
    if (ROOMS.includes(name)) return { name, length, plural: one !== last };
  }
  return undefined;
}

export function adjectiveAt(s: Sentence, at: number): { attribute: string; value: string; length: number } | undefined {
  const word = s.words[at] ?? "";
  const two = `${word} ${s.words[at + 1] ?? ""}`;
  if (/^(?:light|dark|pale|bright|deep) /.test(two) && COLOURS.has(s.words[at + 1] ?? "")) return { attribute: "colour", value: s.words[at + 1]!, length: 2 };
  if (/^(?:turned|switched) (?:on|off)$/.test(two)) return { attribute: "power", value: s.words[at + 1]!, length: 2 };
  if (COLOURS.has(word)) return { attribute: "colour", value: COLOUR_NAMES[word] ?? word, length: 1 };
  if (MATERIALS.has(word)) return { attribute: "material", value: MATERIAL_NAMES[word] ?? word, length: 1 };
  const state = STATES[word];
  return state && { ...state, length: 1 };
}
