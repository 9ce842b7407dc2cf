import { keyOf, lazily, linesOf } from "./read-data.ts";

interface Colours {
  /** The colours that a word may be a shade of, likeliest first; each of the twelve is its own first. */
  readonly of: ReadonlyMap<string, readonly string[]>;
  readonly kin: readonly (readonly string[])[];
}

const colours = lazily((): Colours => {
  const of = new Map<string, string[]>();
  const kin: string[][] = [];
  for (const line of linesOf("colours")) {
    if (line.startsWith("= ")) continue;
    if (line.startsWith("~ ")) {
      kin.push(line.slice(2).split(", "));
      continue;
    }
    const [colour = "", shades = ""] = line.split(": ");
    of.set(colour, [colour, ...(of.get(colour) ?? [])]);
    for (const shade of shades.split(", ")) of.set(keyOf(shade), [...(of.get(keyOf(shade)) ?? []), colour]);
  }
  return { of, kin };
});

/** Which of the twelve colours a word names or is a shade of; the first if there are several. */
export function colourOf(word: string): string | undefined {
  return coloursOf(word)[0];
}

function coloursOf(word: string): readonly string[] {
  return colours().of.get(keyOf(word)) ?? [];
}

/** Whether two words may describe one thing: navy is blue; navy and azure are both blue but differ. */
export function sameColour(a: string, b: string): boolean {
  const [one, other] = [keyOf(a), keyOf(b)];
  if (one === other) return true;
  return (
    (isBasic(one) && coloursOf(other).includes(one)) ||
    (isBasic(other) && coloursOf(one).includes(other)) ||
    isSpelling(one, other)
  );
}

function isBasic(word: string): boolean {
  return coloursOf(word)[0] === word;
}

/** "gray", "golden", "dark grey" against "grey", "gold": spelling variants and compounds of one colour word. */
function isSpelling(a: string, b: string): boolean {
  return SPELLINGS.some((same) => same.includes(a) && same.includes(b));
}
const SPELLINGS = [
  ["grey", "gray"],
  ["gold", "golden"],
  ["silver", "silvery"],
  ["navy", "navy blue"],
  ["blond", "blonde"],
];

/** Colours that people and cameras confuse: such a mismatch counts less against a thing. */
export function kinColour(a: string, b: string): boolean {
  const [of, and] = [coloursOf(a), coloursOf(b)];
  return colours().kin.some(
    (family) => of.some((one) => family.includes(one)) && and.some((one) => family.includes(one)),
  );
}

interface Material {
  readonly name: string;
  readonly families: readonly string[];
}

const materials = lazily((): ReadonlyMap<string, Material> => {
  const found = new Map<string, Material>();
  const add = (word: string, name: string, family: string): void => {
    const known = found.get(word);
    found.set(word, { name: known?.name ?? name, families: [...(known?.families ?? []), family] });
  };
  for (const line of linesOf("materials")) {
    const [family = "", kinds = ""] = line.split(": ");
    add(family, family, family);
    for (const kind of kinds.split(", ")) {
      const [word = "", name = word] = kind.split("=");
      add(keyOf(word), keyOf(name), family);
    }
  }
  return found;
});

/** A material by its canonical name: "wooden" is wood, "oak" is oak. */
export function materialOf(word: string): string | undefined {
  return materials().get(keyOf(word))?.name;
}

/** Whether two words may describe one thing: materials of one family that look alike. */
export function sameMaterial(a: string, b: string): boolean {
  const [one, other] = [materials().get(keyOf(a)), materials().get(keyOf(b))];
  if (one === undefined || other === undefined) return keyOf(a) === keyOf(b);
  return one.families.some((family) => other.families.includes(family));
}

const madeOf = lazily((): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const line of linesOf("made-of")) {
    const [material = "", names = ""] = line.split(": ");
    for (const name of names.split(", ")) found.set(keyOf(name), material);
  }
  return found;
});

/** The material of nearly all things with this name, if there is one. */
export function usualMaterial(name: string): string | undefined {
  return madeOf().get(keyOf(name));
}

/** What an adjective states about a thing. */
export interface Attribute {
  readonly attribute: string;
  readonly value: string;
}

interface Adjectives {
  readonly byWord: ReadonlyMap<string, readonly Attribute[]>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const adjectives = lazily((): Adjectives => {
  const byWord = new Map<string, Attribute[]>();
  const values = new Map<string, string[]>();
  for (const line of linesOf("adjectives")) {
    const [head = "", words = ""] = line.split(": ");
    const [attribute = "", value = ""] = head.split(" ");
    values.set(attribute, [...(values.get(attribute) ?? []), value]);
    for (const word of words.split(", ")) {
      const key = keyOf(word);
      byWord.set(key, [...(byWord.get(key) ?? []), { attribute, value }]);
    }
  }
  return { byWord, values };
});

/** Everything that a word may state about a thing, likeliest first: states and sizes, then colours, then materials. */
export function attributesOf(word: string): readonly Attribute[] {
  const key = keyOf(word);
  const [colour, material] = [colourOf(key), materialOf(key)];
  return [
    ...(adjectives().byWord.get(key) ?? []),
    ...(colour === undefined ? [] : [{ attribute: "colour", value: isBasic(key) ? key : shadeName(key) }]),
    ...(material === undefined ? [] : [{ attribute: "material", value: material }]),
  ];
}

function shadeName(key: string): string {
  return SPELLINGS.find((same) => same.includes(key))?.[0] ?? key;
}

/** The likeliest statement of an adjective: "ajar" → openness open, "wooden" → material wood. */
export function attributeOf(adjective: string): Attribute | undefined {
  return attributesOf(adjective)[0];
}

/** The opposite: open of closed, small of large; undefined if there is none. */
export function oppositeOf({ attribute, value }: Attribute): Attribute | undefined {
  const all = adjectives().values.get(attribute) ?? [];
  const [first, last] = [all[0], all.at(-1)];
  if (first === last || (value !== first && value !== last) || UNORDERED.has(attribute)) return undefined;
  return { attribute, value: (value === first ? last : first)! };
}
/** Attributes with many unordered values. */
const UNORDERED: ReadonlySet<string> = new Set([
  "shape",
  "pattern",
  "texture",
  "posture",
  "style",
  "electric",
]);

/** The known values of an attribute. */
export function valuesOf(attribute: string): readonly string[] {
  return adjectives().values.get(attribute) ?? [];
}

/** Every word for an appearance or a state, for readers. */
export function appearanceWords(): readonly string[] {
  return [...adjectives().byWord.keys(), ...colours().of.keys(), ...materials().keys()];
}
