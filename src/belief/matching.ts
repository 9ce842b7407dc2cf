import {
  FIT,
  isKindOf,
  kinColour,
  lookup,
  nameFit,
  sameColour,
  sameMaterial,
  singularOf,
  typicalSizeM,
} from "../ontology/index.ts";
import { NAMELESS } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { codeOf, pathOf } from "./labels.ts";
import { MATCHING } from "./settings/matching.ts";
import type { StateRecord } from "./thing.ts";

type Named = Pick<StateRecord, "category" | "name" | "text"> &
  Partial<Pick<StateRecord, "maybe" | "perceived" | "extent">>;

/** How well the name asked for fits the names of a thing: 1 the same, about .8 a synonym, .7 a kind of it. */
export function headFit(description: Description, record: Named): number {
  const { head, owner } = description;
  const owned = owner === undefined ? 0 : fitOf(`${owner}'s ${head}`, record);
  // "front door" and "cardboard box" may be categories of their own.
  if (isCompound(description, record)) return 1;
  // "a pair of socks" is also called "socks".
  const held = head.includes(" of ") ? fitOf(head.slice(head.indexOf(" of ") + 4), record) * 0.95 : 0;
  return Math.max(fitOf(head, record), owned, held);
}

/** "front door": whether the head with its last modifier is the name of a category. */
export function isCompound({ head, mods, attributes }: Description, { category }: Named): boolean {
  return [mods.at(-1), attributes["material"]].some(
    (word) => word !== undefined && norm(`${word} ${head}`) === norm(category),
  );
}

/** Whether this is a usual name of such a thing: its category, or its name without modifiers. */
export function isCalled({ head, owner, mods }: Description, record: Named): boolean {
  return [
    mods.length > 0 ? `${mods.at(-1)} ${head}` : head,
    ...(owner === undefined ? [] : [`${owner}'s ${head}`]),
  ].some((name) => {
    const asked = norm(name);
    return asked === norm(record.category) || calledOf(record).some((own) => isSaidIn(own, asked));
  });
}

/** The names of a thing without the text on it. */
function calledOf({ name, text }: Named): string[] {
  return [name, ...text.slice(0, 6)]
    .filter((line) => !line.endsWith("?"))
    .map((line) => norm(unsigned(line)));
}

function unsigned(line: string): string {
  return line.replace(/ that says? [“"].*$/, "");
}

/** "steam iron" includes "iron". */
function isSaidIn(phrase: string, asked: string): boolean {
  return phrase === asked || phrase.endsWith(` ${asked}`);
}

/**
 * Whether a thing was only mistaken for what is asked for: few sightings give it this name, while other things always
 * have it.
 */
export function isMistaken({ head }: Description, record: Named): boolean {
  const asked = norm(head);
  const own = norm(record.category);
  // A lamp may well be a floor lamp: only another kind of thing is a mistake.
  if (own.split(" ").at(-1) === asked.split(" ").at(-1) || isSaidIn(norm(unsigned(record.name)), asked))
    return false;
  return calledOf(record).some((phrase) => isSaidIn(phrase, asked));
}

function fitOf(head: string, record: Named): number {
  const asked = norm(head);
  if (asked === "object") return 0.5;
  const own = norm(record.category);
  if (own === asked) return 1;
  const called = calledOf(record);
  const byKind = specialFit(asked, own, record) ?? nameFit(asked, own);
  if (called.some((phrase) => isSaidIn(phrase, asked)))
    return isOtherKind(asked, byKind, record) ? MATCHING.takenFor : 0.95;
  // A shelved book is a book by its own name, whatever its category.
  if (isSaidIn(own, asked)) return MATCHING.byKind;
  if (byKind >= MATCHING.byName) return byKind;
  if (called.some((phrase) => isNamedAfter(phrase, asked))) return MATCHING.byName;
  if (called.some((phrase) => nameFit(asked, phrase) >= FIT.fartherKind)) return MATCHING.otherName;
  return Math.max(byKind, doubtfulFit(asked, record));
}

/**
 * How well a special name fits by size; undefined where the name is not special or no sizes are known. A pot on a side
 * table is no rubber plant.
 */
function specialFit(asked: string, own: string, { extent }: Named): number | undefined {
  const usualM = typicalSizeM(asked);
  if (!extent || usualM === undefined || isKindOf(own, asked) || !isKindOf(asked, own)) return undefined;
  const times = Math.max(extent.x, extent.y, extent.z) / usualM;
  if (times < 1 / MATCHING.asLarge || times > MATCHING.asLarge) return MATCHING.otherSize;
  return lookup(own)?.isKind ? MATCHING.broadly : undefined;
}

/** "teddy bear" includes "teddy", "bowl of fruit" "fruit"; a desk lamp is no desk. */
function isNamedAfter(phrase: string, asked: string): boolean {
  const words = phrase.split(" ");
  return words.includes(asked) && (words.includes("of") || lookup(asked) === undefined);
}

/** Whether it is another thing by name and category, which some sightings mistook for what is asked for. */
function isOtherKind(asked: string, byKind: number, { name }: Named): boolean {
  return byKind < FIT.sibling && lookup(asked) !== undefined && !isSaidIn(norm(unsigned(name)), asked);
}

/** Whether a thing was only ever mistaken for what is asked for. */
export function wasTakenFor(asked: string, record: Named): boolean {
  return fitOf(asked, record) === MATCHING.takenFor;
}

/** A possible second label fits less well than the label itself; the likelier, the better. */
const DOUBTFUL = { least: 0.5, most: 0.72 };

function doubtfulFit(asked: string, { category: own, maybe = [], perceived }: Named): number {
  // A name given by a person settles it.
  if (perceived) return 0;
  let most = 0;
  for (const { category, p } of maybe) if (nameFit(asked, category) >= FIT.moreSpecific) most += p;
  if (most === 0 || (most < MATCHING.hardly && own !== NAMELESS)) return 0;
  return Math.min(DOUBTFUL.most, DOUBTFUL.least + most / 2);
}

/** Whether a thing has another label, or none, and only may be what is asked for. */
export function onlyMayBe(asked: string, record: Named): boolean {
  const doubtful = doubtfulFit(norm(asked), record);
  return doubtful > 0 && fitOf(asked, record) <= doubtful;
}

/** Whether a thing with another label may be what is asked for and matches the description. */
export function mayBeAsDescribed(
  description: Description,
  record: Named & Pick<StateRecord, "attributes">,
): boolean {
  const told = Object.entries(description.attributes).filter(
    ([name]) => record.attributes[name] !== undefined,
  );
  return (
    told.length > 0 &&
    told.every(([name, value]) => isSameValue(name, String(record.attributes[name]!.value), value)) &&
    onlyMayBe(description.head, record)
  );
}

function kept<T>(known: Map<string, T>, key: string, make: (key: string) => T): T {
  let value = known.get(key);
  if (value === undefined) {
    if (known.size >= MATCHING.mostKept) known.clear();
    value = make(key);
    known.set(key, value);
  }
  return value;
}

/** How well the rest of a description fits: attributes, other modifiers, text. */
export function detailFit(
  description: Description,
  state: Pick<StateRecord, "attributes" | "category" | "name" | "text">,
): number {
  let fit = 1;
  for (const [name, value] of Object.entries(description.attributes)) {
    if (name === "text") {
      fit *= printedFit(value, state);
      continue;
    }
    const known = state.attributes[name];
    if (name === "material" && isNamePart(value, description.head, state)) continue;
    if (name === "colour" && isAccent(state, value)) {
      fit *= MATCHING.accent;
      continue;
    }
    if (known === undefined)
      fit *= state.text.some((line) => norm(line).includes(value)) ? 1 : MATCHING.unknownAttribute;
    else if (!isSameValue(name, String(known.value), value)) {
      fit *=
        name === "colour" && kinColour(String(known.value), value)
          ? MATCHING.kinColour
          : MATCHING.wrongAttribute + (1 - known.p) * 0.3;
    }
  }
  if (description.mods.length === 0 && description.owner === undefined) return fit;
  const words = new Set(norm([state.name, ...state.text].join(" ")).split(" "));
  for (const mod of description.mods)
    if (!words.has(norm(mod)) && !VAGUE.has(mod)) fit *= MATCHING.missingModifier;
  if (
    description.owner !== undefined &&
    !["my", "your", "our", "his", "her", "their"].includes(description.owner)
  ) {
    if (!words.has(description.owner.toLowerCase())) fit *= MATCHING.missingModifier;
  }
  return fit;
}

/** "rubber plant" and "glass bottle" are names: the material in them need not be the thing's own. */
function isNamePart(material: string, head: string, record: Named): boolean {
  const whole = norm(`${material} ${head}`);
  return [norm(record.category), ...calledOf(record)].some(
    (name) => name === whole || name.endsWith(` ${whole}`),
  );
}

/** The text on a thing, from its words. */
export function printedOn({ name, text }: Pick<StateRecord, "name" | "text">): string[] {
  return [
    ...new Set(
      [name, ...text].flatMap((line) => [...line.matchAll(/[“"]([^”"]+)[”"]/g)].map(([, said]) => said!)),
    ),
  ];
}

/** Whether at least half of the words asked for are there, in any order. */
function sharesWords(line: string, wanted: string): boolean {
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  const own = new Set(line.split(/[^\p{L}\p{N}]+/u));
  return words.length > 0 && words.filter((word) => own.has(word)).length * 2 >= words.length;
}

function isCode(line: string, path: readonly string[]): boolean {
  const own = pathOf(line);
  return own !== undefined && codeOf({ path: own }) === codeOf({ path });
}

function printedFit(asked: string, state: Pick<StateRecord, "name" | "text">): number {
  const printed = printedOn(state).map((line) => line.toLowerCase());
  const wanted = asked.toLowerCase();
  if (printed.some((line) => line === wanted)) return 1;
  // A partial match of a code means nothing: DN-623 is not HE-623.
  const path = pathOf(asked);
  if (path && path.length > 1 && printed.length > 0)
    return printed.some((line) => isCode(line, path)) ? 1 : MATCHING.otherWords;
  if (printed.some((line) => line.includes(wanted) || wanted.includes(line))) return 0.8;
  if (printed.some((line) => sharesWords(line, wanted))) return MATCHING.someWords;
  return printed.length === 0 ? MATCHING.unread : MATCHING.otherWords;
}

/** The part of a description that contradicts a firm belief about a thing. */
export function contradictionOf(
  { attributes, head }: Description,
  state: Pick<StateRecord, "attributes" | "category" | "name" | "text">,
): { readonly attribute: string; readonly value: string } | undefined {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      const [printed] = printedOn(state);
      if (printed !== undefined && printedFit(value, state) < MATCHING.unread)
        return { attribute: name, value: printed };
      continue;
    }
    const known = state.attributes[name];
    if (known === undefined || isSameValue(name, String(known.value), value)) continue;
    if (name === "colour" && isAccent(state, value)) continue;
    if (name === "material" && isNamePart(value, head, state)) continue;
    const kin = name === "colour" && kinColour(String(known.value), value);
    if (known.p >= (kin ? MATCHING.firmKin : MATCHING.firm))
      return { attribute: name, value: String(known.value) };
  }
  return undefined;
}

/**
 * Whether a large part of a thing has a colour, though most of it has another: a striped rug, a white stove with a
 * black top.
 */
export function isAccent({ attributes }: Pick<StateRecord, "attributes">, colour: string): boolean {
  const { colour: own, accent } = attributes;
  return (
    accent !== undefined &&
    isSameValue("colour", String(accent.value), colour) &&
    !(own && isSameValue("colour", String(own.value), colour))
  );
}

/** Modifiers that no record contains. */
const VAGUE = new Set(
  "big large small little tall short long right left other same main front back nearest closest two three four five several many few last next".split(
    " ",
  ),
);

/** Whether two attribute values may mean the same: navy is blue, oak is wood. */
export function isSameValue(attribute: string, known: string, asked: string): boolean {
  if (norm(known) === norm(asked)) return true;
  if (attribute === "material") return sameMaterial(known, asked);
  return attribute === "colour" && sameColour(known, asked);
}

/** Whether a category is the kind that a name stands for, whatever the labels of its members. */
export function isKindCalled(name: string, category: string): boolean {
  return fitOf(name, { category, name: category, text: [] }) >= 0.7;
}

const normed = new Map<string, string>();

/** Lower-case, without punctuation, the last word singular. */
export function norm(text: string): string {
  return kept(normed, text, (whole) =>
    singularOf(
      whole
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, " ")
        .trim(),
    ),
  );
}
