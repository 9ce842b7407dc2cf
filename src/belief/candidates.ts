import { add, type Interval, polygonBounds, subtract, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { namesFor } from "../ontology/index.ts";
import { LIMITS } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { headFit, isCalled, isMistaken, norm, wasTakenFor } from "./matching.ts";
import type { RoomView } from "./room-names.ts";
import { floorOf } from "./room-names.ts";
import { PLACES } from "./settings/places.ts";

import { SEARCH } from "./settings/search.ts";
import type { StateRecord } from "./thing.ts";

/** What limits a search for things. */
export interface Scope {
  readonly roomId?: string | undefined;
  /** Only these states. */
  readonly ids?: readonly string[] | undefined;
  /** Only what is in these rooms, as far as records and places tell. */
  readonly rooms?: readonly RoomView[] | undefined;
  /** Only stays that overlap this. */
  readonly during?: Interval | undefined;
  /** 0: exactly as asked; each step admits less certain fits (docs/formulas.md#rounds). */
  readonly broadened?: number | undefined;
  /** All matches are needed, as for counting; otherwise the likeliest are enough. */
  readonly all?: boolean | undefined;
  /** The nearest to this are needed. */
  readonly near?: Vec3 | undefined;
  /** Also wanted: things of another name that may be what is asked for, beside those with exactly that name. */
  readonly doubtful?: boolean | undefined;
}

export type StateHit = Hit & { readonly record: StateRecord };

/** The part of a memory that the search for candidates needs. */
interface Searching {
  readonly nowUs: number;
  search(request: SearchRequest): Promise<Hit[]>;
  likeOnce(text: string, request: SearchRequest): Promise<Hit[]>;
  count(request: SearchRequest): Promise<number>;
}

/** Text on a thing is in its words, not among its attributes; materials are often part of a name. */
const NOT_FILTERED: ReadonlySet<string> = new Set(["text", "material"]);

export interface Candidates {
  readonly hits: readonly StateHit[];
  /** Categories with a member that has the name asked for: others of the category may have it as well. */
  readonly kinds: ReadonlySet<string>;
  /** How well the best candidate fits by name, in scope or out of it. */
  readonly best: number;
  /** Whether the name asked for is a category of the memory. */
  readonly isKind: boolean;
  /** How many there are, where all were asked for and not all were read. */
  readonly total?: number | undefined;
}

/**
 * The stays that a description may mean. A search by words and meaning finds the categories that are meant; of these as
 * many things are read as the question needs: all, the nearest, or the likeliest.
 */
export async function candidatesFor(
  memory: Searching,
  description: Description,
  least: number,
  scope: Scope,
): Promise<Candidates> {
  const base: SearchRequest = {
    kinds: ["state"],
    time: { overlaps: scope.during ?? { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 } },
  };
  const phrase = description.phrase === "object" ? description.head : description.phrase;
  const first = (await (scope.ids
    ? memory.search({ ...base, where: { ids: scope.ids }, limit: scope.ids.length, rank: "id" })
    : memory.likeOnce(phrase, { ...base, limit: SEARCH.hits }))) as StateHit[];
  const categories = new Set<string>();
  const kinds = new Set<string>();
  for (const { record } of first) {
    if (headFit(description, record) >= least) categories.add(record.category);
    // Category labels are majority votes, and labels vary: a name that one thing has may fit others of its category.
    const isMeant = isCalled(description, record) && !wasTakenFor(description.head, record);
    if (description.head !== "object" && isMeant) kinds.add(record.category);
  }
  // Where the name asked for is a category of its own, things once mistaken for it belong to another category.
  const isKind = first.some(({ record }) => norm(record.category) === norm(description.head));
  if (isKind) for (const kind of mistakenKinds(description, first)) kinds.delete(kind);
  // Every subcategory is searched by name, even if its words are far from those of the question.
  if (description.head !== "object") for (const name of kindNames(description.head)) categories.add(name);
  const best = Math.max(0, ...first.map(({ record }) => headFit(description, record)));
  if (scope.ids) return { hits: first, kinds, best, isKind };
  const total = scope.all ? await countKinds(memory, base, [...categories], scope) : 0;
  const isCut = total > SEARCH.setHits;
  const limit = isCut ? SEARCH.sampleHits : scope.all ? SEARCH.setHits : SEARCH.candidatesFew;
  const more =
    categories.size === 0 ? [] : await ofKinds(memory, base, [...categories], description, scope, limit);
  const hits = new Map<string, StateHit>();
  // A question that names rooms wants their contents; the first hits only gave the category names.
  for (const hit of scope.rooms ? more : [...first, ...more]) hits.set(hit.record.id, hit);
  return { hits: [...hits.values()], kinds, best, isKind, ...(isCut && { total }) };
}

/** The names that kinds of a thing go by, which may be categories of the memory. */
function kindNames(head: string): readonly string[] {
  const { same, kinds } = namesFor(head);
  return [head, ...same, ...kinds].slice(0, SEARCH.mostKinds);
}

/** Categories in which each thing with the name asked for got it by mistake. */
function mistakenKinds(description: Description, hits: readonly StateHit[]): Set<string> {
  const called = hits.filter(({ record }) => isCalled(description, record));
  const mistaken = new Set(called.map(({ record }) => record.category));
  for (const { record } of called) if (!isMistaken(description, record)) mistaken.delete(record.category);
  return mistaken;
}

/** How many stays of these categories there are in scope. */
function countKinds(
  memory: Searching,
  base: SearchRequest,
  category: readonly string[],
  { rooms }: Scope,
): Promise<number> {
  if (category.length === 0) return Promise.resolve(0);
  return memory.count({
    ...base,
    where: { category, ...(rooms && { regionId: rooms.map(({ id }) => id) }) },
  });
}

async function ofKinds(
  memory: Searching,
  base: SearchRequest,
  category: readonly string[],
  description: Description,
  scope: Scope,
  limit: number,
): Promise<StateHit[]> {
  const where = { category };
  const searches: SearchRequest[] = [];
  if (scope.rooms) {
    const regionId = scope.rooms.map(({ id }) => id);
    searches.push({ ...base, where: { ...where, regionId }, limit, rank: "latest" });
    if (scope.rooms.length <= SEARCH.mostOutlines)
      searches.push(
        ...scope.rooms.flatMap((room) => {
          const space = spaceOf(room);
          return space ? [{ ...base, where, space, limit, rank: "latest" as const }] : [];
        }),
      );
  } else if (scope.near) {
    searches.push({ ...base, where, space: { type: "nearest", point: scope.near }, limit, rank: "distance" });
  } else searches.push({ ...base, where, limit, rank: "latest" });
  const found = await searchAll(memory, searches);
  const attributes = Object.fromEntries(
    Object.entries(description.attributes).filter(([name]) => !NOT_FILTERED.has(name)),
  );
  if (scope.all || found.length < limit || Object.keys(attributes).length === 0) return found;
  // Among a thousand mugs, the red ones need a search of their own.
  const withThem = searches.map((one) => ({
    ...one,
    where: { ...one.where, attributes },
    limit: SEARCH.fewAlike,
  }));
  return [...found, ...(await searchAll(memory, withThem))];
}

async function searchAll(memory: Searching, requests: readonly SearchRequest[]): Promise<StateHit[]> {
  return (await Promise.all(requests.map((one) => memory.search(one)))).flat() as StateHit[];
}

/**
 * The space that may belong to a room: between its floor and its ceiling, within its outline or the walls around it.
 */
export function spaceOf(room: RoomView): SearchRequest["space"] | undefined {
  const points = room.record.hull;
  if (!points || points.length < 3) return undefined;
  const { min, max } = polygonBounds({ points });
  const reach = { x: PLACES.wallM, y: PLACES.wallM, z: 0 };
  return {
    type: "box",
    min: subtract({ ...min, z: floorOf(room) - PLACES.underFloorM }, reach),
    max: add({ ...max, z: floorOf(room) + PLACES.roomM }, reach),
  };
}

/** What is between a room's floor and its ceiling, within its outline. */
export function outlineOf(room: RoomView): SearchRequest["space"] | undefined {
  const points = room.record.hull;
  if (!points || points.length < 3) return undefined;
  return {
    type: "region",
    points,
    minZ: floorOf(room) - PLACES.underFloorM,
    maxZ: floorOf(room) + PLACES.roomM,
  };
}
