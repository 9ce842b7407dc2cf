import type { Belief } from "../../../belief/belief.ts";
import { statesOf } from "../../../belief/changes.ts";
import { carrying } from "../../../belief/holder.ts";
import { isAccent, isKindCalled, isSameValue, printedOn } from "../../../belief/matching.ts";
import { holds } from "../../../belief/relations.ts";
import { RELATING } from "../../../belief/settings/relations.ts";
import { attributeOf, type KnownThing } from "../../../belief/thing.ts";
import {
  isKindOf,
  kinColour,
  attributeOf as saidBy,
  supports,
  usualMaterial,
} from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import { type Dimension, sizeOf } from "./measure.ts";
import { momentUs } from "./moment.ts";
import type { Verdict } from "./verdict.ts";

/** Attributes that change while a thing stays in its place. */
const FLUENTS = ["openness", "power", "fill", "occupancy", "lock", "making", "posture"] as const;
export const STATES: ReadonlySet<string> = new Set(FLUENTS);

export interface Held {
  readonly value: string;
  readonly p: number;
}

/** The value of an attribute at the moment that is meant, in words; undefined where it was not observed. */
export async function attributeAt(thing: KnownThing, name: string, scope: Scope): Promise<Held | undefined> {
  if (name === "state") {
    for (const fluent of FLUENTS) {
      const belief = await attributeAt(thing, fluent, scope);
      if (belief) return belief;
    }
    return undefined;
  }
  const now = attributeOf(thing, name);
  if (now) {
    const timeUs = momentUs(scope);
    const isPast = scope.during !== undefined && timeUs < scope.memory.nowUs;
    return isPast ? { ...now, value: await valueAt(thing, name, now.value, timeUs, scope.memory) } : now;
  }
  const told = toldBy(thing, name);
  if (told !== undefined) return { value: told, p: 0.8 };
  if (name === "fill") return fillOfTop(thing, scope);
  // A slot is free as a seat is, by its contents.
  if (name !== "occupancy" || isKindOf(thing.category, "seat")) return undefined;
  const fill = await fillOfTop(thing, scope);
  return fill && { ...fill, value: fill.value === "empty" ? "free" : "occupied" };
}

/**
 * The confidence that a table or a shelf is empty because nothing was seen on it, or not empty because something was.
 */
const BARE = 0.7;
const LADEN = 0.85;

/** The fill of a surface that was never described as full or empty: by the things on it. */
async function fillOfTop(
  { box, category, ...rest }: KnownThing,
  { memory, during }: Scope,
): Promise<Held | undefined> {
  if (box === undefined || !(supports(category) || rest.spot)) return undefined;
  const { min, max } = box;
  const reach = { type: "box", min, max: { ...max, z: max.z + RELATING.onTopM } } as const;
  const anchor = await carrying({ box, thing: { box, category, ...rest } }, memory, during);
  const around = await memory.around(reach, during);
  const carries = around.some(
    (thing) => Math.max(holds("on", thing, anchor), holds("in", thing, anchor)) >= 0.5,
  );
  return carries ? { value: "in use", p: LADEN } : { value: "empty", p: BARE };
}

/** The value now, reverted over the changes after a moment. */
async function valueAt(
  thing: KnownThing,
  attribute: string,
  now: string,
  timeUs: number,
  memory: Belief,
): Promise<string> {
  if (!STATES.has(attribute)) return now;
  const changes = await statesOf(thing, memory);
  const next = changes.find(
    ({ detail, validFromUs }) => validFromUs > timeUs && detail["attribute"] === attribute,
  );
  return next ? String(next.detail["from"] ?? now) : now;
}

/** A value that is not among the attributes may be in the words. */
function toldBy(thing: KnownThing, name: string): string | undefined {
  if (name === "text") return printedOn(thing.state)[0];
  if (name === "owner") return /\b([A-Z][a-z]+)['’]s\b/.exec(thing.name)?.[1];
  return undefined;
}

/** Whether a belief matches what a speaker says: 1 the same, less for a confusable value, 0 otherwise. */
export function agreement(attribute: string, known: string, asked: string): number {
  if (isSameValue(attribute, known, asked)) return 1;
  if (attribute === "text") {
    const [a, b] = [known.toLowerCase(), asked.toLowerCase()];
    return a.includes(b) || b.includes(a) ? 0.8 : 0;
  }
  return attribute === "colour" && kinColour(known, asked) ? 0.4 : 0;
}

/** Vague words for size: their measure, direction and threshold. */
export const SIZE_WORDS: Readonly<Record<string, readonly [Dimension, 1 | -1, number]>> = {
  large: ["volume", 1, 0.2],
  big: ["volume", 1, 0.2],
  huge: ["volume", 1, 0.6],
  bulky: ["volume", 1, 0.3],
  small: ["volume", -1, 0.1],
  little: ["volume", -1, 0.1],
  tiny: ["volume", -1, 0.02],
  tall: ["height", 1, 1.2],
  high: ["height", 1, 1.2],
  short: ["height", -1, 0.8],
  low: ["height", -1, 0.6],
  long: ["length", 1, 1.2],
  wide: ["width", 1, 1],
  narrow: ["depth", -1, 0.4],
  deep: ["depth", 1, 0.6],
};

/** The confidence that a thing with a colour on a part of it has that colour. */
const IN_PART = 0.6;

/** Whether a thing has a value of an attribute, a kind or a size; undefined where it was not observed. */
export async function hasValue(
  thing: KnownThing,
  attribute: string,
  value: string,
  scope: Scope,
): Promise<Verdict | undefined> {
  if (attribute === "category" || attribute === "kind")
    return { truth: isKindCalled(value, thing.category), p: 0.85, instead: `is a ${thing.category}` };
  if (attribute === "size") {
    const [dimension, sign, from] = SIZE_WORDS[value] ?? ["volume", 1, 0.2];
    const size = await sizeOf(thing, dimension, scope.memory);
    return size === undefined ? undefined : { truth: sign * size > sign * from, p: 0.6 };
  }
  const lock = attribute === "state" || attribute === "lock" ? lockOf(value) : undefined;
  const belief = await attributeAt(thing, lock === undefined ? attribute : "lock", scope);
  if (!belief) return lock === undefined ? undefined : whereOpen(thing, lock, scope);
  if (attribute === "colour" && isAccent(thing.state, value)) return { truth: true, p: IN_PART };
  const agreed = agreement(attribute, belief.value, value);
  const instead = attribute === "text" ? `says “${belief.value}”` : `is ${belief.value}`;
  return agreed >= 0.5
    ? { truth: true, p: belief.p * agreed }
    : { truth: false, p: belief.p * (1 - agreed), instead };
}

function lockOf(word: string): string | undefined {
  const said = saidBy(word);
  return said?.attribute === "lock" ? said.value : undefined;
}

/** An open thing is not locked; whether a closed door is locked cannot be seen. */
async function whereOpen(thing: KnownThing, lock: string, scope: Scope): Promise<Verdict | undefined> {
  const belief = await attributeAt(thing, "openness", scope);
  if (belief?.value !== "open") return undefined;
  return { truth: lock === "unlocked", p: belief.p, instead: "is open" };
}

/** The confidence that a thing is made of the usual material of its kind. */
const MOSTLY = 0.5;

/** For an attribute that was not observed, the usual value of its kind: the probable material. */
export function supposed({ category }: KnownThing, name: string): { value: string; p: number } | undefined {
  const material = name === "material" ? usualMaterial(category) : undefined;
  return material === undefined
    ? undefined
    : { value: `probably ${material}, as such things mostly are`, p: MOSTLY };
}
