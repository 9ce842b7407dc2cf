import { isLociError, LociError } from "../../schema/core.ts";
import { type ClockReading, clockReading } from "../clocks.ts";
import { Forgettings } from "./forgettings.ts";
import type { Finished, Peer, PeerCall } from "./peer.ts";
import type { Sealed } from "./segment.ts";
import type { Receipt } from "./take.ts";

/** Each act of forgetting may find more that goes with it at the other end; so often the ends compare. */
const MAX_ROUNDS = 8;
/** A segment is made anew so often before the other end is believed to change faster than it can be told. */
const MAX_REFUSALS = 8;

export interface SyncOptions {
  readonly push?: boolean;
  readonly pull?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly segmentBytes?: number | undefined;
}

/** What went in one direction. */
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
  /** Forgettings that the other end may not be told of by this caller. */
  readonly untold: number;
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
};
const NO_MAPS: Finished = { joined: 0, apart: 0 };

/**
 * Two memories tell each other what they have not heard: first what was forgotten, then what was written, segment by
 * segment. It may be cut off anywhere and run again: what arrived is there, and is not sent twice.
 */
export async function syncMemories(here: Peer, there: Peer, options: SyncOptions = {}): Promise<SyncReport> {
  const { push = true, pull = true } = options;
  const [own, other] = [await here.status(options), await there.status(options)];
  if (own.memory === other.memory)
    throw new LociError(
      "invalid-input",
      `${here.name} and ${there.name} are the same memory, or one is a backup of the other; sync needs two`,
    );
  const run = new Run(here, there, options);
  const clock = await clockOf(here, there, options);
  await run.tellForgotten();
  const pushed = push ? await run.send("push") : NOTHING;
  const pulled = pull ? await run.send("pull") : NOTHING;
  const ends = { here: NO_MAPS, there: NO_MAPS };
  const { signal } = options;
  const behind = clock && { ...clock, aheadUs: -clock.aheadUs };
  if (push) ends.there = await there.finish(own.memory, { signal, clock: behind });
  if (pull) ends.here = await here.finish(other.memory, { signal, clock });
  return { pushed, pulled, ...run.forgotten, maps: ends, ...(clock && { clock }) };
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
  readonly forgotten = { forgottenHere: 0, forgottenThere: 0, untold: 0 };
  /** What the sender of each direction knows of the receiver's forgettings. */
  #told = { push: "", pull: "" };

  constructor(here: Peer, there: Peer, options: SyncOptions) {
    this.#here = here;
    this.#there = there;
    this.#options = options;
  }

  /** Until both have forgotten the same, or this caller may not tell the other end more. */
  async tellForgotten(): Promise<void> {
    const [here, there] = [this.#here, this.#there];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const [own, other] = [await here.status(this.#options), await there.status(this.#options)];
      this.#told = { push: other.told, pull: own.told };
      if (own.told === other.told) return;
      const mine = new Forgettings(await here.forgotten(this.#options));
      const theirs = new Forgettings(await there.forgotten(this.#options));
      const [news, toTell] = [theirs.without(mine), mine.without(theirs)];
      if (news.length > 0) await here.forget(news, this.#options);
      this.forgotten.forgottenHere += news.length;
      this.#told = { push: theirs.digest, pull: mine.digest };
      if (toTell.length > 0 && !(await this.#tell(toTell)) && news.length === 0) return;
    }
    throw new LociError(
      "version-conflict",
      `${there.name} forgets faster than it can be followed; try again`,
    );
  }

  async #tell(toTell: Parameters<Peer["forget"]>[0]): Promise<boolean> {
    try {
      await this.#there.forget(toTell, this.#options);
      this.forgotten.forgottenThere += toTell.length;
      this.forgotten.untold = 0;
      return true;
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

  /** One segment, made anew where the other end moved on meanwhile. */
  async #next(
    direction: "push" | "pull",
    from: Peer,
    to: Peer,
    whole: boolean,
  ): Promise<{ segment: Sealed; receipt: Receipt } | undefined> {
    const { signal, segmentBytes } = this.#options;
    for (let refused = 0; ; refused++) {
      const { heard } = await to.status({ signal });
      const told = this.#told[direction];
      const segment = await from.give({ heard, told, whole, signal, segmentBytes });
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
  };
}
