import { type Entry, type Hanging, type Mobility, vocabulary } from "./entry.ts";
import { headOf, lookup } from "./names.ts";

/** The categories of an entry, with the number of steps up; itself at 0. */
function above(entry: Entry): ReadonlyMap<Entry, number> {
  let found = kept.get(entry);
  if (found !== undefined) return found;
  const steps = new Map<Entry, number>([[entry, 0]]);
  for (const [one, step] of steps)
    for (const kind of one.kinds) {
      const next = vocabulary().entries.get(kind);
      if (next !== undefined && !steps.has(next)) steps.set(next, step + 1);
    }
  found = steps;
  kept.set(entry, found);
  return found;
}
const kept = new WeakMap<Entry, ReadonlyMap<Entry, number>>();

/** Canonical names of all categories of a thing, nearest first. */
export function kindsOf(name: string): readonly string[] {
  const entry = headOf(name);
  return entry === undefined ? [] : [...above(entry).keys()].slice(1).map((kind) => kind.name);
}

/** Whether `a` is a `b` or a subcategory of it: an armchair is a seat and is an armchair. */
export function isKindOf(a: string, b: string): boolean {
  return stepsUp(a, b) !== undefined;
}

/** Whether two names may describe one thing: they are equal, or one is a subcategory of the other. */
export function areKin(a: string, b: string): boolean {
  return a === b || isKindOf(a, b) || isKindOf(b, a);
}

/** Steps up from `a` to `b`: 0 for the same entry, undefined if it is not one of its categories. */
export function stepsUp(a: string, b: string): number | undefined {
  const [entry, kind] = [headOf(a), lookup(b)];
  return entry === undefined || kind === undefined ? undefined : above(entry).get(kind);
}

/** A fact of a thing: from its own line, else from its nearest category. */
function said<T>(name: string, read: (said: Entry["said"]) => T | undefined): T | undefined {
  const entry = headOf(name);
  if (entry === undefined) return undefined;
  for (const one of above(entry).keys()) {
    const value = read(one.said);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether things are put on it: a table, a shelf, a windowsill. */
export function supports(name: string): boolean {
  return said(name, ({ facts }) => facts.top) ?? false;
}

/** Whether things are put into it. */
export function holds(name: string): boolean {
  return said(name, ({ facts }) => facts.holds) ?? false;
}

/** Whether it is open or closed. */
export function opens(name: string): boolean {
  return said(name, ({ facts }) => facts.opens) ?? false;
}

/** Whether it is on or off. */
export function switches(name: string): boolean {
  return said(name, ({ facts }) => facts.switches) ?? false;
}

/** Whether it is full or empty. */
export function fills(name: string): boolean {
  return said(name, ({ facts }) => facts.fills) ?? false;
}

/** Whether something is usually written on it. */
export function isReadable(name: string): boolean {
  return said(name, ({ facts }) => facts.readable) ?? false;
}

/** How it moves; undefined for an unknown name. */
export function mobilityOf(name: string): Mobility | undefined {
  return said(name, ({ mobility }) => mobility);
}

/** Whether it walks, flies or drives by itself, judging by its whole name: "picture of a dog" does not. */
export function movesItself(name: string): boolean {
  return lookup(name) !== undefined && mobilityOf(name) === "agent";
}

/** Whether it hangs on a wall or from the ceiling, or lies flat: such things do not stand on the floor. */
export function hangsOn(name: string): Hanging | undefined {
  return said(name, ({ hangs }) => hangs);
}

/** Its largest dimension, roughly, in metres. */
export function typicalSizeM(name: string): number | undefined {
  return said(name, ({ sizeM }) => sizeM);
}

/** Room types to search first. */
export function usualRooms(name: string): readonly string[] {
  return said(name, ({ rooms }) => (rooms.length > 0 ? rooms : undefined)) ?? [];
}

/** Its parts that questions treat like things: doors, handles, lids. */
export function partsOf(name: string): readonly string[] {
  return said(name, ({ parts }) => (parts.length > 0 ? parts : undefined)) ?? [];
}
