import { isLociError, LociError } from "../../schema/core.ts";
import { type ClockReading, clockReading } from "../clocks.ts";
import { type Forgetting, Forgettings } from "./forgettings.ts";
import type { Finished, Peer, PeerCall, PeerStatus } from "./peer.ts";
import type { Sealed } from "./segment.ts";
import type { Receipt } from "./take.ts";

/** How often the ends compare forgettings: each may remove further dependents at the other end. */
const MAX_ROUNDS = 8;
/** How many different reasons of refused records are reported. */
const MAX_REASONS = 8;
/** How often a segment is made anew before the sync fails, because the other end changes too fast. */
const MAX_REFUSALS = 8;

export interface SyncOptions {
  readonly push?: boolean;
  readonly pull?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly segmentBytes?: number | undefined;
  /** The share of the records here, 0 to 1, that the other end's forgettings may remove. */
  readonly forgetShare?: number | undefined;
  /**
   * Whether the other end has the same owner: then what it has forgotten is removed at once, else it is set aside
   * first.
   */
  readonly isOwn?: boolean | undefined;
}

/** The totals of one direction. */
export interface SyncTotals extends Omit<Receipt, "sender"> {
  readonly segments: number;
  readonly bytes: number;
}

export interface SyncProgress extends SyncTotals {
  readonly direction: "push" | "pull";
}

export interface SyncReport {
  readonly pushed: SyncTotals;
  readonly pulled: SyncTotals;
  /** Forgettings that each end took over. */
  readonly forgottenHere: number;
  readonly forgottenThere: number;
  /** Forgettings that this caller may not tell the other end. */
  readonly untold: number;
  /** Forgettings of the other end that are not applied here: they were not requested, or would remove too much. */
  readonly kept: number;
  /** Other memories whose writes were not passed on, because the other end accepts them from their own memory only. */
  readonly unrelayed: number;
  readonly maps: { readonly here: Finished; readonly there: Finished };
  /** How far the other end's clock is ahead of this one's. */
  readonly clock?: ClockReading;
}

const NOTHING: SyncTotals = {
  segments: 0,
  bytes: 0,
  taken: 0,
  known: 0,
  records: 0,
  sightings: 0,
  forgotten: 0,
  older: 0,
  refused: 0,
  reasons: [],
};
const NO_MAPS: Finished = { joined: 0, apart: 0 };

/**
 * Two memories exchange what they lack: first what was forgotten, then what was written, segment by segment. It may be
 * interrupted anywhere and run again: what arrived is kept, and is not sent twice.
 */
export async function syncMemories(here: Peer, there: Peer, options: SyncOptions = {}): Promise<SyncReport> {
  const { push = true, pull = true } = options;
  const [own, other] = [await here.status(options), await there.status(options)];
  if (own.memory === other.memory)
    throw new LociError(
      "invalid-input",
      `${here.name} and ${there.name} are the same memory, or one is a backup of the other; sync needs two`,
    );
  if (push) checkOwn(here, there, own, other);
  const run = new Run(here, there, options);
  const clock = await clockOf(here, there, options);
  await run.tellForgotten();
  const unrelayed = push && other.relays === false ? unheardOthers(own, other) : 0;
  const pushed = push ? await run.send("push") : NOTHING;
  const pulled = pull ? await run.send("pull") : NOTHING;
  const ends = { here: NO_MAPS, there: NO_MAPS };
  const { signal } = options;
  const behind = clock && { ...clock, aheadUs: -clock.aheadUs };
  if (push) ends.there = await there.finish(own.memory, { signal, clock: behind });
  if (pull) ends.here = await here.finish(other.memory, { signal, clock });
  return { pushed, pulled, ...run.forgotten, unrelayed, maps: ends, ...(clock && { clock }) };
}

/** Checks that the other end's writes in this memory's name were really written here. */
function checkOwn(here: Peer, there: Peer, own: PeerStatus, other: PeerStatus): void {
  const heardUs = other.heard[own.memory] ?? -1;
  if (heardUs <= (own.heard[own.memory] ?? -1)) return;
  throw new LociError(
    "version-conflict",
    `${there.name} has heard memory ${own.memory.slice(0, 12)} up to a later time than ${here.name} has written: it was put back from a backup, or another speaks in its name; nothing was sent. Pull first; or there take back what was said in its name (loci token disown ${own.memory}); or make a memory of its own with copy`,
  );
}

/** How many memories have writes known here and missing there. */
function unheardOthers(own: PeerStatus, { heard }: PeerStatus): number {
  return Object.entries(own.heard).filter(
    ([memory, atUs]) => memory !== own.memory && (heard[memory] ?? -1) < atUs,
  ).length;
}

/** How far the other end's clock is ahead of this one's. */
async function clockOf(here: Peer, there: Peer, call: PeerCall): Promise<ClockReading | undefined> {
  const before = (await here.status(call)).nowUs;
  const theirs = (await there.status(call)).nowUs;
  const after = (await here.status(call)).nowUs;
  if (before === undefined || theirs === undefined || after === undefined) return undefined;
  return clockReading(before, theirs, after);
}

class Run {
  readonly #here: Peer;
  readonly #there: Peer;
  readonly #options: SyncOptions;
  readonly forgotten = { forgottenHere: 0, forgottenThere: 0, untold: 0, kept: 0 };
  /** What the sender of each direction knows of the receiver's forgettings. */
  #told = { push: "", pull: "" };

  constructor(here: Peer, there: Peer, options: SyncOptions) {
    this.#here = here;
    this.#there = there;
    this.#options = options;
  }

  /** Repeats until both have forgotten the same, or this caller may not tell the other end more. */
  async tellForgotten(): Promise<void> {
    const [here, there] = [this.#here, this.#there];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const [own, other] = [await here.status(this.#options), await there.status(this.#options)];
      this.#told = { push: other.told, pull: own.told };
      if (own.told === other.told) return;
      const mine = new Forgettings(await here.forgotten(this.#options));
      const theirs = new Forgettings(await there.forgotten(this.#options));
      const toTell = mine.without(theirs);
      const isNews = await this.#follow(theirs.without(mine));
      this.#told = { push: theirs.digest, pull: mine.digest };
      const isTold = toTell.length > 0 && (await this.#tell(toTell));
      if (!isTold && !isNews) return;
    }
    throw new LociError(
      "version-conflict",
      `${there.name} forgets faster than it can be followed; try again`,
    );
  }

  /** Applies what the other end has forgotten, if its side was requested; returns whether anything was new. */
  async #follow(news: readonly Forgetting[]): Promise<boolean> {
    this.forgotten.kept = 0;
    if (news.length === 0) return false;
    const { pull = true, forgetShare, isOwn = false, signal } = this.#options;
    const { kept } = pull
      ? await this.#here.forget(news, { signal, share: forgetShare, keepsBefore: !isOwn })
      : { kept: news.length };
    this.forgotten.kept = kept;
    if (kept === 0) this.forgotten.forgottenHere += news.length;
    return kept === 0;
  }

  async #tell(toTell: Parameters<Peer["forget"]>[0]): Promise<boolean> {
    try {
      const { forgetShare, signal } = this.#options;
      const { kept } = await this.#there.forget(toTell, { signal, share: forgetShare });
      this.forgotten.untold = kept === 0 ? 0 : toTell.length;
      if (kept === 0) this.forgotten.forgottenThere += toTell.length;
      return kept === 0;
    } catch (error) {
      if (!isLociError(error, "access-denied")) throw error;
      this.forgotten.untold = toTell.length;
      return false;
    }
  }

  async send(direction: "push" | "pull"): Promise<SyncTotals> {
    const [from, to] = direction === "push" ? [this.#here, this.#there] : [this.#there, this.#here];
    const { signal, onProgress } = this.#options;
    let total = NOTHING;
    for (;;) {
      const sent = await this.#next(direction, from, to, false);
      if (sent === undefined) return total;
      const { segment, receipt } = sent;
      total = added(total, segment, receipt);
      onProgress?.({ direction, ...total });
      if (signal?.aborted) throw new LociError("aborted", "the sync was stopped; run it again to go on");
      if (receipt.taken === 0 && receipt.known === 0)
        throw new LociError("memory-corrupt", `${from.name} sends segments without batches`);
    }
  }

  /** One segment, made anew if the other end changed meanwhile. */
  async #next(
    direction: "push" | "pull",
    from: Peer,
    to: Peer,
    whole: boolean,
  ): Promise<{ segment: Sealed; receipt: Receipt } | undefined> {
    const { signal, segmentBytes } = this.#options;
    for (let refused = 0; ; refused++) {
      const { heard, relays } = await to.status({ signal });
      const told = this.#told[direction];
      const ownOnly = relays === false ? { ownOnly: true } : {};
      const segment = await from.give({ heard, told, whole, signal, segmentBytes, ...ownOnly });
      if (segment === undefined) return undefined;
      try {
        return { segment, receipt: await to.take(segment, { signal }) };
      } catch (error) {
        if (isLociError(error, "unknown-id") && !whole) return this.#next(direction, from, to, true);
        if (!isLociError(error, "version-conflict") || refused >= MAX_REFUSALS) throw error;
        await this.tellForgotten();
      }
    }
  }
}

function added(total: SyncTotals, { bytes }: Sealed, receipt: Receipt): SyncTotals {
  return {
    segments: total.segments + 1,
    bytes: total.bytes + bytes.length,
    taken: total.taken + receipt.taken,
    known: total.known + receipt.known,
    records: total.records + receipt.records,
    sightings: total.sightings + receipt.sightings,
    forgotten: total.forgotten + receipt.forgotten,
    older: total.older + receipt.older,
    // An older server sets nothing aside by record.
    refused: total.refused + (receipt.refused ?? 0),
    reasons: [...new Set([...total.reasons, ...(receipt.reasons ?? [])])].slice(0, MAX_REASONS),
  };
}
