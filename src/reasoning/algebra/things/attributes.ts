import type { Belief } from "../../../belief/belief.ts";
import { carrying, ON_TOP_M } from "../../../belief/holder.ts";
import { isAccent, isKindCalled, isSameValue, printedOn } from "../../../belief/matching.ts";
import { holds } from "../../../belief/relations.ts";
import { attributeOf, type KnownThing } from "../../../belief/thing.ts";
import {
  isKindOf,
  kinColour,
  attributeOf as saidBy,
  supports,
  usualMaterial,
} from "../../../ontology/index.ts";
import { LIMITS } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";
import { type Dimension, sizeOf } from "./measure.ts";
import { momentUs } from "./moment.ts";
import type { Verdict } from "./verdict.ts";

/** What changes of a thing while it stays where it is. */
const FLUENTS = ["openness", "power", "fill", "occupancy", "lock", "making", "posture"] as const;
export const STATES: ReadonlySet<string> = new Set(FLUENTS);

export interface Held {
  readonly value: string;
  readonly p: number;
}

/** What an attribute of a thing is at the moment that is meant, in words; undefined where nobody noticed. */
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
  // A slot is free as a seat is, by what stands in it.
  if (name !== "occupancy" || isKindOf(thing.category, "seat")) return undefined;
  const fill = await fillOfTop(thing, scope);
  return fill && { ...fill, value: fill.value === "empty" ? "free" : "occupied" };
}

/** How sure it is that a table or a shelf is empty because nothing was seen on it, or is not because something was. */
const BARE = 0.7;
const LADEN = 0.85;

/** What carries things and was not said to be full or empty: by what stands on it. */
async function fillOfTop(
  { box, category, ...rest }: KnownThing,
  { memory, during }: Scope,
): Promise<Held | undefined> {
  if (box === undefined || !(supports(category) || rest.spot)) return undefined;
  const { min, max } = box;
  const reach = { type: "box", min, max: { ...max, z: max.z + ON_TOP_M } } as const;
  const anchor = await carrying({ box, thing: { box, category, ...rest } }, memory, during);
  const around = await memory.around(reach, during);
  const carries = around.some(
    (thing) => Math.max(holds("on", thing, anchor), holds("in", thing, anchor)) >= 0.5,
  );
  return carries ? { value: "in use", p: LADEN } : { value: "empty", p: BARE };
}

/** The value now, walked back over the changes that came after a moment. */
async function valueAt(
  thing: KnownThing,
  attribute: string,
  now: string,
  timeUs: number,
  memory: Belief,
): Promise<string> {
  if (!STATES.has(attribute)) return now;
  const own = new Set(await memory.recordsOf(thing));
  const changes = await memory.events(["state-change"], { fromUs: timeUs, toUs: LIMITS.timeUs });
  const next = changes.find(
    ({ who, detail, validFromUs }) =>
      validFromUs > timeUs && who.some((id) => own.has(id)) && detail["attribute"] === attribute,
  );
  return next ? String(next.detail["from"] ?? now) : now;
}

/** What is not among the attributes may stand in the words. */
function toldBy(thing: KnownThing, name: string): string | undefined {
  if (name === "text") return printedOn(thing.state)[0];
  if (name === "owner") return /\b([A-Z][a-z]+)['’]s\b/.exec(thing.name)?.[1];
  return undefined;
}

/** Whether a belief is what somebody says it is: 1 the same, less for what is taken for it, 0 otherwise. */
export function agreement(attribute: string, known: string, asked: string): number {
  if (isSameValue(attribute, known, asked)) return 1;
  if (attribute === "text") {
    const [a, b] = [known.toLowerCase(), asked.toLowerCase()];
    return a.includes(b) || b.includes(a) ? 0.8 : 0;
  }
  return attribute === "colour" && kinColour(known, asked) ? 0.4 : 0;
}

/** Vague words for size: which measure they are about, whether more of it is meant, and from where on it is so. */
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

/** How sure what has a colour on a part of it is of that colour. */
const IN_PART = 0.6;

/** Whether a thing has a value of an attribute, a kind or a size; undefined where nobody noticed. */
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

/** What stands open is not locked; whether a closed door is cannot be seen. */
async function whereOpen(thing: KnownThing, lock: string, scope: Scope): Promise<Verdict | undefined> {
  const belief = await attributeAt(thing, "openness", scope);
  if (belief?.value !== "open") return undefined;
  return { truth: lock === "unlocked", p: belief.p, instead: "is open" };
}

/** How sure it is that a thing is made of what such things mostly are. */
const MOSTLY = 0.5;

/** What nobody has noticed of a thing and its kind tells: what it is probably made of. */
export function supposed({ category }: KnownThing, name: string): { value: string; p: number } | undefined {
  const material = name === "material" ? usualMaterial(category) : undefined;
  return material === undefined
    ? undefined
    : { value: `probably ${material}, as such things mostly are`, p: MOSTLY };
}
