import { distance, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { type EventRecord, madeEvent } from "./happening.ts";
import { type MarkedStay, markedIn } from "./marked.ts";
import { nameEvidence, type Searching } from "./name-evidence.ts";
import type { RackPlace } from "./rack-place.ts";
import { type Racks, racksIn } from "./racks.ts";
import { TRANSFERS } from "./settings/presence.ts";
import { slotOf } from "./slots.ts";
import type { StateRecord } from "./thing.ts";

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

  readonly #racks: Racks | undefined;

  constructor(transfers: readonly Transfer[], racks?: Racks) {
    this.#racks = racks;
    for (const { from, to } of transfers) {
      const [trackId] = from.trackIds;
      for (const { id } of from.stays) this.#endedUs.set(id, to.firstUs);
      for (const id of [...from.trackIds, ...to.trackIds]) this.#trackIds.set(id, this.trackOf(trackId!));
    }
    this.moves = transfers.map((one) => this.#moveOf(one));
  }

  /** Whether they were found by these racks. */
  isBy(racks: Racks): boolean {
    return this.#racks === racks;
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

const MADE = new WeakMap<readonly MarkedStay[], Transfers>();

/** The boxes that were carried elsewhere up to now; found once for each state of the boxes. */
export async function transfersIn(memory: Searching): Promise<Transfers> {
  const racks = racksIn(await nameEvidence(memory));
  // Boxes are followed by their codes only where there are numbered racks.
  if (racks.slots().length === 0) return NONE;
  const boxes = await marksUntilNow(memory);
  const made = MADE.get(boxes);
  if (made?.isBy(racks)) return made;
  const transfers = new Transfers(transfersAmong(standingsOf(boxes, racks)), racks);
  MADE.set(boxes, transfers);
  return transfers;
}

/** All boxes, where none was seen later than now, so that the result stays the same while time goes on. */
async function marksUntilNow(memory: Searching): Promise<readonly MarkedStay[]> {
  const { reader } = memory.options;
  const all = await (await markedIn(memory, undefined)).all(reader);
  const isLater = ({ record, presence: { lastSeenUs } }: MarkedStay) =>
    record.validFromUs > memory.nowUs || (lastSeenUs ?? -Infinity) > memory.nowUs;
  return all.some(isLater) ? (await markedIn(memory, memory.nowUs)).all(reader) : all;
}

/** The places in which boxes with a code stood, earliest first. */
function standingsOf(boxes: readonly MarkedStay[], racks: Racks): Standing[] {
  const byCode = new Map<string, Standing[]>();
  for (const box of boxes) {
    const one = standingOf(box, racks);
    const like = byCode.get(one.code) ?? [];
    const at = like.findIndex((other) => isOnePlace(one, other));
    if (at < 0) like.push(one);
    else like[at] = together(like[at]!, one);
    byCode.set(one.code, like);
  }
  return [...byCode.values()].flat().sort((a, b) => a.firstUs - b.firstUs);
}

function standingOf({ record, code, position, presence, trackId }: MarkedStay, racks: Racks): Standing {
  const colour = record.attributes["colour"] ?? record.attributes["color"];
  return {
    code,
    colour: colour === undefined ? undefined : String(colour.value),
    stays: [record],
    trackIds: new Set([trackId, record.trackId]),
    position,
    looks: presence.seenCount,
    slot: slotOf({ position, category: record.category }, racks),
    firstUs: presence.firstSeenUs ?? record.validFromUs,
    lastUs: presence.lastSeenUs ?? record.validFromUs,
  };
}

function isOnePlace(one: Standing, other: Standing): boolean {
  if (one.code !== other.code || !isAlike(one, other)) return false;
  const isShared = [...one.trackIds].some((id) => other.trackIds.has(id));
  const metres = distance(one.position, other.position);
  if (one.slot || other.slot) return one.slot?.code === other.slot?.code;
  if (metres < TRANSFERS.onePlaceM || (isShared && metres < TRANSFERS.carriedM)) return true;
  const apartUs = Math.max(one.firstUs, other.firstUs) - Math.min(one.lastUs, other.lastUs);
  const isLater = apartUs >= 0 && apartUs < TRANSFERS.passingUs;
  return isPassing(one) && isPassing(other) && isLater && metres < TRANSFERS.passingM;
}

/** Whether it was seen in passing only, as on a forklift that drives by. */
function isPassing({ slot, stays, looks }: Standing): boolean {
  return slot === undefined && looks <= TRANSFERS.passingLooks * stays.length;
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
    if (from && p(from) / open >= TRANSFERS.leastP) found.push({ from, to, p: p(from) / open });
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
  const hasStock = like.some(
    (other) => other !== to && distance(other.position, to.position) < TRANSFERS.stockM,
  );
  if (hasStock && !isNew) return undefined;
  return (from) => {
    if (isNew) return TRANSFERS.newlyP;
    const isOther = (from.slot === undefined) !== (to.slot === undefined);
    return isOther || (isPassing(from) && !isPassing(to)) ? TRANSFERS.carriedP : 0;
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
  const earlier = neighbours.filter((other) => other.firstUs < firstUs - TRANSFERS.earlierUs);
  return (
    earlier.length >= TRANSFERS.leastNeighbours &&
    earlier.length >= TRANSFERS.neighbourShare * neighbours.length
  );
}

function mayBeOne(from: Standing, to: Standing): boolean {
  if (from === to || from.lastUs >= to.firstUs) return false;
  return isAlike(from, to) && distance(from.position, to.position) >= TRANSFERS.carriedM;
}
