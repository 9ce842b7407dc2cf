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
  /** What its clock says; an older server does not tell. */
  readonly nowUs?: number | undefined;
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
  /** Forgets these here too; those that are not here are noted. */
  forget(forgettings: readonly Forgetting[], call?: PeerCall): Promise<void>;
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
