import { distance, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { isKindOf, mobilityOf } from "../ontology/index.ts";
import type { Presence } from "../schema/core.ts";
import { type EventRecord, madeEvent } from "./happening.ts";
import { keptUntilCommit } from "./kept.ts";
import { pathOf } from "./labels.ts";
import { printedOn } from "./matching.ts";
import { followMerges } from "./merges.ts";
import { isNaming, nameEvidence, type Searching } from "./name-evidence.ts";
import type { RackPlace } from "./rack-place.ts";
import { Racks } from "./racks.ts";
import { slotOf } from "./slots.ts";
import type { StateRecord } from "./thing.ts";

/** The most things with text on them that are compared; in a larger building only the moves that tracking saw count. */
const MOST_MARKED = 4_000;
/** Stays of one code and colour this near each other are one box that was tracked twice; the next on a pallet is farther, metres. */
const ONE_PLACE_M = 0.3;
/** A box in motion is seen this seldom in one place (looks), and again so soon (µs) and so near (m). */
const PASSING = { looks: 3, us: 5_000_000, m: 6 } as const;
/** A box that was carried is put down at least this far away, metres. */
const CARRIED_M = 2;
/** Stock of one code stands together: a like box this near to the new place is its neighbour there, metres. */
const STOCK_M = 3;
/** Neighbours that were seen this long before a box show that it was not there yet (µs). */
const EARLIER_US = 20_000_000;
const NEIGHBOURS = { least: 3, share: 0.8 } as const;
/**
 * Probabilities that like boxes in two places are one that was moved: from the floor into a rack or back, and into a slot
 * whose neighbours had been seen without it. In the simulated warehouses 20413, 20523, 20633, 20853, 21073 and 23103 all
 * four and the one that were found so were moves.
 */
const CARRIED_P = 0.8;
const NEWLY_P = 0.9;
/** A box is taken for the one that left its place from this on. */
const LEAST_P = 0.5;

/** A box that bears a code, and the stays of it in one place. */
interface Standing {
  readonly code: string;
  readonly colour: string | undefined;
  readonly stays: readonly StateRecord[];
  readonly trackIds: ReadonlySet<string>;
  readonly position: Vec3;
  readonly looks: number;
  readonly slot: RackPlace | undefined;
  readonly firstUs: number;
  readonly lastUs: number;
}

/** A box that stood in one place and then in another, although its old place was not looked at again. */
export interface Transfer {
  readonly from: Standing;
  readonly to: Standing;
  readonly p: number;
}

/** The part of a request that says which time is meant. */
type Timed = Pick<SearchRequest, "time">;

/**
 * Boxes with a code that were carried elsewhere while no robot looked. Tracking moves a thing only when its old place was
 * seen empty; a code, a colour and a size tell a box from the others, so that it is known again in a slot.
 */
export class Transfers {
  readonly #endedUs = new Map<string, number>();
  readonly #trackIds = new Map<string, string>();
  readonly moves: readonly EventRecord[];

  constructor(transfers: readonly Transfer[]) {
    for (const { from, to } of transfers) {
      const [trackId] = from.trackIds;
      for (const { id } of from.stays) this.#endedUs.set(id, to.firstUs);
      for (const id of [...from.trackIds, ...to.trackIds]) this.#trackIds.set(id, this.trackOf(trackId!));
    }
    this.moves = transfers.map((one) => this.#moveOf(one));
  }

  /** The identity behind a track. */
  trackOf(trackId: string): string {
    return this.#trackIds.get(trackId) ?? trackId;
  }

  /** The tracks that are one thing with this one. */
  tracksOf(trackId: string): readonly string[] {
    return [...this.#trackIds].filter(([, to]) => to === trackId).map(([from]) => from);
  }

  /** Stays as they are believed: those of a carried box end when it is first seen elsewhere. */
  applied(hits: Hit[], { time }: Timed): Hit[] {
    if (this.#trackIds.size === 0) return hits;
    const fromUs = time?.overlaps?.fromUs;
    return hits.flatMap((hit) => {
      const { record } = hit;
      if (record.kind !== "state") return [hit];
      const endedUs = this.#endedUs.get(record.id);
      const trackId = this.trackOf(record.trackId);
      if (endedUs === undefined && trackId === record.trackId) return [hit];
      const validToUs =
        endedUs === undefined ? record.validToUs : Math.min(endedUs, record.validToUs ?? Infinity);
      if (endedUs !== undefined && fromUs !== undefined && fromUs >= validToUs!) return [];
      return [{ ...hit, record: { ...record, trackId, validToUs } }];
    });
  }

  #moveOf({ from, to, p }: Transfer): EventRecord {
    const [before, after] = [from.stays.at(-1)!, to.stays[0]!];
    const trackId = this.trackOf(after.trackId);
    const event = madeEvent(
      after.id,
      "move",
      { fromUs: from.lastUs, toUs: to.firstUs },
      {
        who: [before.id, after.id],
        detail: { trackId, from: before.id, to: after.id },
        author: after.author,
        text: [`${after.name} was moved`],
      },
    );
    return { ...event, p };
  }
}

const NONE = new Transfers([]);

/** The boxes that were carried elsewhere up to now; computed once for each state of the memory. */
export function transfersIn(memory: Searching): Promise<Transfers> {
  const { nowUs, options } = memory;
  const key = `transfers ${options.sceneId ?? ""} ${nowUs}`;
  return keptUntilCommit(options.reader, key, () => readTransfers(memory), isNaming);
}

async function readTransfers(memory: Searching): Promise<Transfers> {
  const racks = new Racks((await nameEvidence(memory)).labelled);
  // Boxes are followed by their codes only where there are numbered racks.
  if (racks.slots().length === 0) return NONE;
  return new Transfers(transfersAmong(await standingsIn(memory, racks)));
}

/** The places in which boxes with a code stood, earliest first. */
async function standingsIn(memory: Searching, racks: Racks): Promise<Standing[]> {
  const { reader } = memory.options;
  const hits = (
    await memory.recorded({
      kinds: ["state"],
      meaning: { words: "says" },
      time: { overlaps: { fromUs: 0, toUs: memory.nowUs + 1 } },
      limit: MOST_MARKED,
    })
  ).filter(({ record }) => record.kind === "state" && codeOn(record) !== undefined);
  const seen = await reader.presence(hits.map(({ record }) => record.id));
  const presence = new Map(seen.map((one) => [one.stateId, one]));
  const tracks = new Map<string, string>();
  await followMerges(
    reader,
    tracks,
    hits.flatMap(({ record }) => (record.kind === "state" ? [record.trackId] : [])),
  );
  const standings: Standing[] = [];
  for (const hit of hits) {
    const one = standingOf(hit, presence.get(hit.record.id), memory.nowUs, tracks, racks);
    if (!one) continue;
    const at = standings.findIndex((other) => isOnePlace(one, other));
    if (at < 0) standings.push(one);
    else standings[at] = together(standings[at]!, one);
  }
  return standings.sort((a, b) => a.firstUs - b.firstUs);
}

/** The code on a box; undefined for other things, and for the names of places. */
function codeOn(record: StateRecord): string | undefined {
  const isGoods = mobilityOf(record.category) === "carried" || isKindOf(record.category, "box");
  const [text] = isGoods ? printedOn(record) : [];
  const path = text === undefined ? undefined : pathOf(text);
  return path && path.length > 1 ? text : undefined;
}

function standingOf(
  { record, position }: Hit,
  presence: Presence | undefined,
  nowUs: number,
  tracks: ReadonlyMap<string, string>,
  racks: Racks,
): Standing | undefined {
  if (record.kind !== "state" || !position || !presence || presence.seenCount === 0) return undefined;
  const colour = record.attributes["colour"] ?? record.attributes["color"];
  const trackId = tracks.get(record.trackId) ?? record.trackId;
  return {
    code: codeOn(record)!,
    colour: colour === undefined ? undefined : String(colour.value),
    stays: [record],
    trackIds: new Set([trackId, record.trackId]),
    position,
    looks: presence.seenCount,
    slot: slotOf({ position, category: record.category }, racks),
    firstUs: presence.firstSeenUs ?? record.validFromUs,
    lastUs: Math.min(nowUs, presence.lastSeenUs ?? record.validFromUs),
  };
}

function isOnePlace(one: Standing, other: Standing): boolean {
  if (one.code !== other.code || !isAlike(one, other)) return false;
  const isShared = [...one.trackIds].some((id) => other.trackIds.has(id));
  const metres = distance(one.position, other.position);
  if (one.slot || other.slot) return one.slot?.code === other.slot?.code;
  if (metres < ONE_PLACE_M || (isShared && metres < CARRIED_M)) return true;
  const apartUs = Math.max(one.firstUs, other.firstUs) - Math.min(one.lastUs, other.lastUs);
  const isLater = apartUs >= 0 && apartUs < PASSING.us;
  return isPassing(one) && isPassing(other) && isLater && metres < PASSING.m;
}

/** Whether it was seen in passing only, as on a forklift that drives by. */
function isPassing({ slot, stays, looks }: Standing): boolean {
  return slot === undefined && looks <= PASSING.looks * stays.length;
}

function isAlike({ colour: one }: Standing, { colour: other }: Standing): boolean {
  return one === undefined || other === undefined || one === other;
}

function together(one: Standing, other: Standing): Standing {
  const [first] = one.firstUs <= other.firstUs ? [one, other] : [other, one];
  const most = one.stays.length >= other.stays.length ? one : other;
  const stays = [...one.stays, ...other.stays].sort((a, b) => a.validFromUs - b.validFromUs);
  return {
    ...most,
    stays,
    trackIds: new Set([...first!.trackIds, ...one.trackIds, ...other.trackIds]),
    looks: one.looks + other.looks,
    firstUs: Math.min(one.firstUs, other.firstUs),
    lastUs: Math.max(one.lastUs, other.lastUs),
  };
}

/** The moves that explain where like boxes are; none where more than one would explain a place. */
function transfersAmong(standings: readonly Standing[]): Transfer[] {
  const byCode = Map.groupBy(standings, ({ code }) => code);
  const found: Transfer[] = [];
  for (const to of standings) {
    const like = byCode.get(to.code)!;
    const p = arrivedP(to, like, standings);
    if (p === undefined) continue;
    const origins = like.filter(
      (from) => mayBeOne(from, to) && p(from) > 0 && !found.some((one) => one.from === from),
    );
    const rivals = like.filter(
      (other) => other !== to && origins.some((from) => mayBeOne(from, other) && p(from) > 0),
    );
    const open = Math.max(1, origins.length, rivals.length + 1);
    const [from] = origins;
    if (from && p(from) / open >= LEAST_P) found.push({ from, to, p: p(from) / open });
  }
  return found;
}

/** How likely a like box in another place is the one that arrived; undefined where a box was there all the time. */
function arrivedP(
  to: Standing,
  like: readonly Standing[],
  standings: readonly Standing[],
): ((from: Standing) => number) | undefined {
  const isNew = to.slot !== undefined && wasSeenWithout(to, to.slot, standings);
  const hasStock = like.some((other) => other !== to && distance(other.position, to.position) < STOCK_M);
  if (hasStock && !isNew) return undefined;
  return (from) => {
    if (isNew) return NEWLY_P;
    const isOther = (from.slot === undefined) !== (to.slot === undefined);
    return isOther || (isPassing(from) && !isPassing(to)) ? CARRIED_P : 0;
  };
}

/** Whether enough of a slot's neighbours had been seen long before the box in it. */
function wasSeenWithout(
  { firstUs, stays }: Standing,
  slot: RackPlace,
  standings: readonly Standing[],
): boolean {
  const neighbours = standings.filter(
    (other) =>
      other.slot !== undefined &&
      other.stays[0] !== stays[0] &&
      other.slot.row === slot.row &&
      other.slot.side === slot.side &&
      Math.abs(other.slot.alongM - slot.alongM) < 1.5 * slot.stepM,
  );
  const earlier = neighbours.filter((other) => other.firstUs < firstUs - EARLIER_US);
  return earlier.length >= NEIGHBOURS.least && earlier.length >= NEIGHBOURS.share * neighbours.length;
}

function mayBeOne(from: Standing, to: Standing): boolean {
  if (from === to || from.lastUs >= to.firstUs) return false;
  return isAlike(from, to) && distance(from.position, to.position) >= CARRIED_M;
}
