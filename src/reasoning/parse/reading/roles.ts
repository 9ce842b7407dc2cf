import { startsWithRelation } from "../noun-phrase.ts";
import type { Chunk, ChunkKind } from "./chunk.ts";

/** A question cut into chunks, as the readers of its kinds see it. */
export interface Form {
  readonly text: string;
  readonly chunks: readonly Chunk[];
}

/** The chunks that fill the places of a kind of question, by the names of the places. */
export type Roles = Readonly<Record<string, Chunk>>;

const FILLERS: Readonly<Record<string, readonly ChunkKind[]>> = {
  // In order of preference: a definite thing, else any of a kind, else somebody, else a room.
  thing: ["thing", "kind", "name"],
  things: ["kind", "name", "thing"],
  place: ["thing", "room", "kind", "name"],
  room: ["room"],
  person: ["name", "thing"],
  quote: ["quote"],
  state: ["state"],
  side: ["side"],
  when: ["when"],
  since: ["since", "when"],
  span: ["span"],
};

/**
 * Fills the places of a kind, given as "first:thing second:thing when:when"; a place whose name ends in "?" may stay
 * empty. Things in excess are put together where one says where another is ("the mug on the table"). Undefined when
 * something that is needed is not there.
 */
export function rolesOf(form: Form, spec: string): Roles | undefined {
  const places = spec === "" ? [] : spec.split(" ").map((one) => one.split(":") as [string, string]);
  const chunks = joinedThings(form, places.filter(([, type]) => isWide(type)).length);
  const used = new Set<Chunk>();
  const roles: Record<string, Chunk> = {};
  // Whoever can be filled in one way only goes first.
  const order = places.toSorted(([, a], [, b]) => Number(isWide(a)) - Number(isWide(b)));
  for (const [name, type] of order) {
    const optional = name.endsWith("?");
    const free = chunks.filter((one) => !used.has(one));
    const chunk = FILLERS[type]!.map((kind) =>
      free.find((one) => one.kind === kind || (kind === "thing" && isDefinite(form.text, one))),
    ).find((one) => one !== undefined);
    if (chunk === undefined) {
      if (optional) continue;
      return undefined;
    }
    used.add(chunk);
    roles[optional ? name.slice(0, -1) : name] = chunk;
  }
  const sorted = inTextOrder(roles, places);
  return places.some(([, type]) => type === "room") ? sorted : withRooms(form, sorted);
}

/** Where no room is asked for, "in the kitchen" behind a thing says which. */
function withRooms({ text, chunks }: Form, roles: Roles): Roles {
  return Object.fromEntries(
    Object.entries(roles).map(([name, chunk]) => {
      const room = chunks.find(
        ({ kind, from }) => kind === "room" && /^ (?:in|inside) $/.test(text.slice(chunk.to, from)),
      );
      return [
        name,
        room && (chunk.kind === "thing" || chunk.kind === "kind") ? { ...chunk, to: room.to } : chunk,
      ];
    }),
  );
}

const isWide = (type: string) => type === "thing" || type === "place" || type === "things";

/** Places of one type are filled in the order of the text, whatever was found first. */
function inTextOrder(roles: Record<string, Chunk>, places: readonly (readonly [string, string])[]): Roles {
  const sorted: Record<string, Chunk> = { ...roles };
  for (const type of new Set(places.map(([, one]) => one))) {
    const names = places.flatMap(([name, one]) => (one === type ? [name.replace(/\?$/, "")] : []));
    const filled = names.filter((name) => roles[name]);
    const chunks = filled.map((name) => roles[name]!).toSorted((a, b) => a.from - b.from);
    for (const [n, name] of filled.entries()) sorted[name] = chunks[n]!;
  }
  return sorted;
}

/** "the curtains" are a thing to ask about as "the curtain" is. */
function isDefinite(text: string, { kind, from }: Chunk): boolean {
  return kind === "kind" && /^(?:the|my|your|our|these|those) /.test(text.slice(from, from + 6));
}

/** With more things than places, "the mug on the table" is one. */
function joinedThings({ text, chunks }: Form, places: number): readonly Chunk[] {
  const out = [...chunks];
  const isThing = (chunk: Chunk) => chunk.kind === "thing" || isDefinite(text, chunk);
  for (let things = out.filter(isThing).length; places > 0 && things > places; things--) {
    const at = out.findLastIndex((chunk, n) => {
      if (n === 0 || !(isThing(chunk) || chunk.kind === "room")) return false;
      const before = out.slice(0, n).findLast(isThing);
      const words = before ? text.slice(before.to, chunk.from) : "";
      const relation = before ? startsWithRelation(words.trim()) : undefined;
      return (
        relation !== undefined && relation[0] === words.trim() && !/^(?:from|to|than|for)$/.test(relation[0])
      );
    });
    if (at < 0) break;
    const before = out.slice(0, at).findLastIndex(isThing);
    out.splice(before, at - before + 1, { ...out[before]!, to: out[at]!.to });
  }
  return out;
}

/** The families of the words before a chunk, nearest first, up to the chunk before it that fills a place. */
export function leadOf({ chunks }: Form, chunk: Chunk): string[] {
  const lead: string[] = [];
  for (const one of chunks.filter(({ to }) => to <= chunk.from).toReversed()) {
    if (one.kind !== "word" && one.kind !== "pause") break;
    lead.push(one.symbol);
  }
  return lead;
}

/** The families of the words between a chunk and the next one that fills a place. */
export function tailOf({ chunks }: Form, chunk: Chunk): string[] {
  const tail: string[] = [];
  for (const one of chunks.filter(({ from }) => from >= chunk.to)) {
    if (one.kind !== "word" && one.kind !== "pause") break;
    tail.push(one.symbol);
  }
  return tail;
}

export function has({ chunks }: Form, ...families: string[]): boolean {
  return chunks.some(({ kind, symbol }) => kind === "word" && families.includes(symbol));
}

/** Exchanges two places where a test says so of the form. */
export function swapped(roles: Roles, a: string, b: string): Roles {
  return { ...roles, [a]: roles[b]!, [b]: roles[a]! };
}

/** "compared with B, is A bigger": whatever follows the word of comparison is the second, wherever it stands. */
export function secondAfter(form: Form, roles: Roles, ...families: string[]): Roles {
  const follows = (name: string) =>
    families.includes(leadOf(form, roles[name]!).find((one) => !SMALL.has(one)) ?? "");
  return follows("first") && !follows("second") ? swapped(roles, "first", "second") : roles;
}

const SMALL = new Set([
  "to",
  "of",
  "the",
  "that",
  "you",
  "i",
  "see",
  "first",
  "inside",
  "did",
  "was",
  "have",
  "it",
  ",",
  "at",
]);
