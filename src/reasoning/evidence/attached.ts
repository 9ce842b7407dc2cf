import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import type { Evidence } from "../../retrieval/index.ts";
import type { Expression } from "../../schema/index.ts";
import { evaluate } from "../algebra/evaluate.ts";
import type { Scope } from "../algebra/operator.ts";
import type { Value } from "../algebra/value.ts";
import { nodesCalled } from "../rival-values.ts";
import type { EvidenceContext } from "./context.ts";
import { type Picture, picturesOf } from "./pictures.ts";
import { bestViewsOf, type Shown } from "./views.ts";

/** The most pictures attached to a question. */
const ATTACHED = 2;
/** The most candidate things; with more, pictures do not resolve the reference. */
const MOST_THINGS = 4;
/** The views of each thing among which one that shows several is searched for. */
const MOST_VIEWS = 4;

/** Attributes that pictures show better than records. */
const LOOKS: ReadonlySet<unknown> = new Set([
  "colour",
  "material",
  "text",
  "brand",
  "pattern",
  "shape",
  "posture",
]);

/** A picture with the things in it that are asked about. */
export interface Attached extends Picture {
  readonly trackIds: readonly string[];
}

/**
 * The things or rooms whose appearance a question asks for, as expressions: colour, material, text, pattern, shape,
 * posture, or a description. None for other questions.
 */
export function looksAsked(parts: readonly Expression[]): readonly Expression[] {
  const asked: Expression[] = [];
  const visit = (node: Expression, bound: Expression | undefined): void => {
    const { op, of, with: given } = node;
    const isLook =
      op === "describe" ||
      (op === "attribute" && LOOKS.has(given["name"])) ||
      (op === "is" && LOOKS.has(given["attribute"])) ||
      (op === "same" && LOOKS.has(given["measure"]));
    for (const [n, inner] of of.entries()) {
      const meant = inner.op === "it" ? bound : inner;
      if (isLook && meant) asked.push(meant);
      visit(inner, n > 0 ? of[0] : bound);
    }
  };
  for (const part of parts) visit(part, undefined);
  return asked;
}

/** The input for choosing pictures. */
export interface LookedFor {
  /** The question as read. */
  readonly parts: readonly Expression[];
  /** The search phrases and their results, for references that the algebra cannot resolve. */
  readonly phrases: readonly string[];
  readonly found: readonly Evidence[];
}

/**
 * The pictures attached to a question about appearance: of exactly the things that it means, and as few as show all of
 * them; of a room where that is to be described. None where no picture shows them.
 */
export async function picturesFor(
  { parts, phrases, found }: LookedFor,
  scope: Scope,
  context: EvidenceContext,
  most = ATTACHED,
): Promise<Attached[]> {
  const asked = looksAsked(parts);
  if (asked.length === 0) return [];
  const things = new Map<string, KnownThing>();
  const rooms = new Map<string, RoomView>();
  for (const expression of asked)
    for (const value of await meantBy(expression, scope)) {
      if (value.kind === "rooms" && value.everywhere !== true)
        for (const room of value.rooms) rooms.set(room.id, room);
      if (value.kind === "things")
        for (const thing of [...value.things, ...(value.rivals ?? [])]) things.set(thing.trackId, thing);
    }
  if (things.size === 0 && rooms.size === 0)
    for (const thing of await foundBy(phrases, found, context)) things.set(thing.trackId, thing);
  if (things.size > MOST_THINGS) return [];
  const pictures = await picturesOfAll([...things.values()], context, most);
  for (const room of rooms.values()) {
    if (pictures.length >= most) break;
    for (const picture of await picturesOf({ room }, context, { most: most - pictures.length }))
      pictures.push({ ...picture, trackIds: [] });
  }
  return pictures;
}

/** Things that a phrase found, of the kind that it names, those that match most of its words. */
async function foundBy(
  phrases: readonly string[],
  found: readonly Evidence[],
  { memory }: EvidenceContext,
): Promise<readonly KnownThing[]> {
  for (const phrase of phrases) {
    const words = wordsOf(phrase);
    const fits = found.flatMap(({ id, record }) => {
      if (record.kind !== "state") return [];
      const own = new Set(wordsOf(`${record.name} ${record.category}`));
      const isOfKind = words.length > 0 && own.has(words.at(-1)!);
      return isOfKind ? [{ id, fit: words.filter((word) => own.has(word)).length }] : [];
    });
    const best = Math.max(...fits.map(({ fit }) => fit));
    const meant = fits.filter(({ fit }) => fit === best);
    if (meant.length === 0) continue;
    const things = await Promise.all(meant.map(({ id }) => memory.thingOfState(id, 1)));
    return things.flatMap((thing) => thing ?? []);
  }
  return [];
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The referents of an expression; where no relation holds, the things that it names, at any place. */
async function meantBy(expression: Expression, scope: Scope): Promise<readonly Value[]> {
  const value = await evaluate(expression, scope);
  if (value.kind !== "unknown") return [value];
  return Promise.all(nodesCalled("things", expression).map((named) => evaluate(named, scope)));
}

/** Pictures that together show all of some things, with a crop where a picture is for one thing. */
async function picturesOfAll(
  things: readonly KnownThing[],
  context: EvidenceContext,
  most: number,
): Promise<Attached[]> {
  const views = await bestViewsOf(things, context, MOST_VIEWS);
  const left = new Map(things.filter(({ trackId }) => views.has(trackId)).map((one) => [one.trackId, one]));
  const pictures: Attached[] = [];
  while (left.size > 0 && pictures.length < most) {
    const { viewId, trackIds } = richest(left, views);
    const [only, ...others] = trackIds;
    for (const trackId of trackIds) left.delete(trackId);
    const of =
      others.length === 0
        ? { thing: things.find(({ trackId }) => trackId === only)! }
        : { viewIds: [viewId] };
    for (const picture of await picturesOf(of, context, { most: 1 })) pictures.push({ ...picture, trackIds });
  }
  return pictures;
}

/** The view that shows most of the rest, of several the one that shows them largest. */
function richest(
  left: ReadonlyMap<string, KnownThing>,
  views: ReadonlyMap<string, readonly Shown[]>,
): { readonly viewId: string; readonly trackIds: readonly string[] } {
  const found = new Map<string, { viewId: string; trackIds: string[]; worth: number }>();
  for (const trackId of left.keys())
    for (const { view, worth } of views.get(trackId)!) {
      const one = found.get(view.id) ?? { viewId: view.id, trackIds: [], worth: 0 };
      if (!one.trackIds.includes(trackId)) one.trackIds.push(trackId);
      one.worth += worth;
      found.set(view.id, one);
    }
  return [...found.values()].reduce((best, one) =>
    one.trackIds.length > best.trackIds.length ||
    (one.trackIds.length === best.trackIds.length && one.worth > best.worth)
      ? one
      : best,
  );
}
