import type { Heard } from "../../schema/core.ts";
import type { ClockReading } from "../clocks.ts";
import type { Forgetting } from "./forgettings.ts";
import type { GiveRequest } from "./give.ts";
import type { Sealed } from "./segment.ts";
import type { Receipt, TakeOptions } from "./take.ts";

/** Where a memory stands, for another one that meets it. */
export interface PeerStatus {
  readonly memory: string;
  readonly heard: Heard;
  /** The digest of its forgettings. */
  readonly told: string;
  /** Whether it takes other memories' writes from the caller, besides those of the caller's own memory. */
  readonly relays?: boolean | undefined;
  /** Its clock's time; older servers do not send it. */
  readonly nowUs?: number | undefined;
}

export interface ForgetCall extends PeerCall {
  /** The share of the records, 0 to 1, that may go; default `FORGET_SHARE`. */
  readonly share?: number | undefined;
  /** Keeps a copy of the earlier memory beside it for a while: the other end belongs to a different owner. */
  readonly keepsBefore?: boolean | undefined;
}

/** The outcome: records that were to be removed and stayed, because they were too large a share. */
export interface ForgetTaken {
  readonly kept: number;
}

/** The end of a sync, with the measured offset of the sender's clock. */
export interface FinishCall extends PeerCall {
  readonly clock?: ClockReading | undefined;
}

export interface PeerCall {
  readonly signal?: AbortSignal | undefined;
}

/**
 * One end of a sync: a memory opened here, or one behind a server. Every call may be repeated, and no call depends on
 * an earlier one.
 */
export interface Peer {
  /** For people: a folder, or an address. */
  readonly name: string;
  status(call?: PeerCall): Promise<PeerStatus>;
  forgotten(call?: PeerCall): Promise<Forgetting[]>;
  /** Forgets these here too; none of them if they would remove too much. Missing ids are noted. */
  forget(forgettings: readonly Forgetting[], call?: ForgetCall): Promise<ForgetTaken>;
  /** The next segment that the requester lacks. */
  give(request: GiveRequest): Promise<Sealed | undefined>;
  take(segment: Sealed, call?: PeerCall & TakeOptions): Promise<Receipt>;
  /** Everything of this sender has arrived: joins maps, and applies the names that people gave. */
  finish(sender: string, call?: FinishCall): Promise<Finished>;
  /** Disowns what came in this memory's name from a moment on; returns the number of writes. */
  disown(memory: string, call?: DisownCall): Promise<Disowned>;
  close(): Promise<void>;
}

export interface DisownCall extends PeerCall {
  /** Memory time of the first one; all without. */
  readonly fromUs?: number | undefined;
}

export interface Disowned {
  readonly writes: number;
}

/** The outcome for the maps. */
export interface Finished {
  readonly joined: number;
  readonly apart: number;
}
