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
  /** Of what was forgotten. */
  readonly told: string;
  /** Whether it takes what the caller heard of other memories, and not only what the caller's own wrote. */
  readonly relays?: boolean | undefined;
  /** What its clock says; an older server does not tell. */
  readonly nowUs?: number | undefined;
}

export interface ForgetCall extends PeerCall {
  /** The share of the records, 0 to 1, that may go; default `FORGET_SHARE`. */
  readonly share?: number | undefined;
  /** Keeps the memory as it was beside it for a while: the other end is somebody else's. */
  readonly keepsBefore?: boolean | undefined;
}

/** What came of it: records that were to go and stayed, because they were too large a share. */
export interface ForgetTaken {
  readonly kept: number;
}

/** How a sync ends: what was found of the sender's clock goes with it. */
export interface FinishCall extends PeerCall {
  readonly clock?: ClockReading | undefined;
}

export interface PeerCall {
  readonly signal?: AbortSignal | undefined;
}

/**
 * One end of a sync: a memory opened here, or one behind a server. Every call may be made again, and says nothing that
 * an earlier one left behind has to be remembered for.
 */
export interface Peer {
  /** For people: a folder, or an address. */
  readonly name: string;
  status(call?: PeerCall): Promise<PeerStatus>;
  forgotten(call?: PeerCall): Promise<Forgetting[]>;
  /** Forgets these here too, all of them or, where they would take too much with them, none; those not here are noted. */
  forget(forgettings: readonly Forgetting[], call?: ForgetCall): Promise<ForgetTaken>;
  /** The next segment of what somebody lacks. */
  give(request: GiveRequest): Promise<Sealed | undefined>;
  take(segment: Sealed, call?: PeerCall & TakeOptions): Promise<Receipt>;
  /** Everything of this sender is in: maps are joined, and things called what people say. */
  finish(sender: string, call?: FinishCall): Promise<Finished>;
  close(): Promise<void>;
}

/** What came of the maps. */
export interface Finished {
  readonly joined: number;
  readonly apart: number;
}
