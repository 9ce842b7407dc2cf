import { type Box, boxesIntersect, type FrameGraph, type Transform, type Vec3 } from "../geometry/index.ts";
import type { Hit } from "../memory/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import { isMover } from "./mobility.ts";
import type { RackPlace } from "./rack-place.ts";
import { CHANGING } from "./settings/changes.ts";
import { SEARCH } from "./settings/search.ts";
import { withoutImpossible } from "./states.ts";

export type StateRecord = Stored<RecordOf<"state">>;

/** A claim in the description that is not true of a thing. */
export interface Against {
  readonly part: "attribute" | "room" | "relation" | "gone";
  /** What is true instead, as a predicate: "is beige", "is in the study". */
  readonly says: string;
}

/** What a thing stands on or is in: the one relation that answers both "on the table" and "carries a mug". */
export interface HeldBy {
  readonly relation: "on" | "in";
  /** The stay of the holder that was recorded, and the identity behind it. */
  readonly stateId: string;
  readonly trackId: string;
  readonly category: string;
}

/** One stay of one thing, as the rules see it. */
export interface KnownThing {
  readonly state: StateRecord;
  /** The identity behind it, merges followed. */
  readonly trackId: string;
  readonly name: string;
  readonly category: string;
  readonly position: Vec3 | undefined;
  readonly box: Box | undefined;
  /** The transform of the frame it is anchored in to the world, where that frame is not the world itself. */
  readonly worldFromSubmap: Transform | undefined;
  readonly roomId: string | undefined;
  readonly heldBy: HeldBy | undefined;
  /** How well it fits what was asked for, 0–1. */
  readonly fit: number;
  /** The slot of a rack that it lies in; of a slot, a bay or a rack itself. */
  readonly slot?: RackPlace | undefined;
  /** Set for a place that a person named instead of a thing: the state is derived from this. */
  readonly spot?: Stored<RecordOf<"region">> | undefined;
  /** Set for one of the observing robots, by its id: the state is derived from its last observation. */
  readonly agentId?: string | undefined;
  /** Other tracks that may be the same thing, left out of the set that it is in. */
  readonly twins?: readonly KnownThing[] | undefined;
  /** A state that was asked for and not observed: "on". */
  readonly unnoticed?: string | undefined;
  /** The evidence against its being what was asked for. */
  readonly against?: readonly Against[] | undefined;
}

export function thingOf(
  hit: Hit & { readonly record: StateRecord },
  trackId: string,
  fit: number,
  frames: FrameGraph,
  heldBy: HeldBy | undefined,
): KnownThing {
  const { record, position, box } = hit;
  const submap = record.anchor?.submap ?? "world";
  return {
    state: withoutImpossible(record),
    trackId,
    name: record.name,
    category: record.category,
    position,
    box,
    worldFromSubmap: submap === "world" ? undefined : frames.resolve("world", submap),
    roomId: record.regionId,
    heldBy,
    fit,
  };
}

/** The value of an attribute as it is believed, with its probability. */
export function attributeOf(
  thing: KnownThing,
  name: string,
): { readonly value: string; readonly p: number } | undefined {
  const attribute =
    thing.state.attributes[name] ?? thing.state.attributes[name === "colour" ? "color" : name];
  return attribute === undefined ? undefined : { value: String(attribute.value), p: attribute.p };
}

/** Each thing once, though several of its stays may be given. */
export function distinctTracks(things: readonly KnownThing[]): KnownThing[] {
  return [...new Map(things.map((thing) => [thing.trackId, thing])).values()];
}

export function isLiveAt({ state }: KnownThing, timeUs: number): boolean {
  return state.validFromUs <= timeUs && (state.validToUs === null || state.validToUs > timeUs);
}

/** Whether a record is a stay of its own, and not left over from a merge. */
export function isStay({ validFromUs, validToUs }: Pick<StateRecord, "validFromUs" | "validToUs">): boolean {
  return validToUs === null || validToUs - validFromUs > CHANGING.leastStayUs;
}

/** Of two stays of one thing the one that ended later, or began later where both go on. */
export function isLaterStay(a: KnownThing, b: KnownThing): boolean {
  const end = ({ state }: KnownThing) => state.validToUs ?? Infinity;
  return end(a) !== end(b) ? end(a) > end(b) : a.state.validFromUs > b.state.validFromUs;
}

/** People, vehicles and other named movers occur once: at their last position. */
export function onceByName(things: readonly KnownThing[]): KnownThing[] {
  const latest = new Map<string, KnownThing>();
  const keyOf = (thing: KnownThing) => {
    const name = isMover(thing.category) ? /\p{Lu}.*$/u.exec(thing.name)?.[0] : undefined;
    return name && `${thing.category} ${name}`;
  };
  for (const thing of things) {
    const key = keyOf(thing);
    const known = key === undefined ? undefined : latest.get(key);
    if (key !== undefined && (!known || endOf(thing) > endOf(known))) latest.set(key, thing);
  }
  return things.filter((thing) => {
    const key = keyOf(thing);
    return key === undefined || latest.get(key) === thing;
  });
}

function endOf({ state }: KnownThing): number {
  return state.validToUs ?? Infinity;
}

/** All things by the cells that they cover, seen from above. */
interface Grid {
  readonly boxes: readonly (Box | undefined)[];
  /** The numbers of the things in a cell. */
  readonly cells: ReadonlyMap<string, readonly number[]>;
  /** Those that cover too many cells. */
  readonly large: readonly number[];
}

const GRIDS = new WeakMap<readonly KnownThing[], Grid>();

/** The things whose boxes touch a box, as a search would find them. */
export function touching(things: readonly KnownThing[], space: Box): KnownThing[] {
  const grid = GRIDS.get(things) ?? gridOf(things);
  GRIDS.set(things, grid);
  const cells = cellsOf(space);
  const near = cells
    ? new Set([...grid.large, ...cells.flatMap((cell) => grid.cells.get(cell) ?? [])])
    : things.keys();
  const found = [...near].filter((n) => grid.boxes[n] && boxesIntersect(grid.boxes[n], space));
  return found.sort((a, b) => a - b).map((n) => things[n]!);
}

function gridOf(things: readonly KnownThing[]): Grid {
  const boxes = things.map(({ box, position }) => box ?? (position && { min: position, max: position }));
  const cells = new Map<string, number[]>();
  const large: number[] = [];
  for (const [n, box] of boxes.entries()) {
    const own = box && cellsOf(box);
    if (box && !own) large.push(n);
    for (const cell of own ?? []) {
      const there = cells.get(cell);
      if (there) there.push(n);
      else cells.set(cell, [n]);
    }
  }
  return { boxes, cells, large };
}

/** The cells that a box covers, seen from above; undefined for too many. */
function cellsOf({ min, max }: Box): string[] | undefined {
  const [x0, x1, y0, y1] = [min.x, max.x, min.y, max.y].map((m) => Math.floor(m / SEARCH.cellM)) as Four;
  if (!((x1 - x0 + 1) * (y1 - y0 + 1) <= SEARCH.mostCells)) return undefined;
  const cells: string[] = [];
  for (let x = x0; x <= x1; x++) for (let y = y0; y <= y1; y++) cells.push(`${x} ${y}`);
  return cells;
}

type Four = [number, number, number, number];
