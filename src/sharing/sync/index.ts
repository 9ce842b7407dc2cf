export { Aside } from "./aside.ts";
export { type Forgetting, Forgettings } from "./forgettings.ts";
export { type GiveRequest, nextSegment } from "./give.ts";
export { Parts } from "./parts.ts";
export type { FinishCall, Finished, Peer, PeerCall, PeerStatus } from "./peer.ts";
export { nameOf, type Sealed } from "./segment.ts";
export { type SyncReport, syncMemories } from "./sync.ts";
export { type Receipt, stateOf, type TakeOptions, type TakingMemory, takeSegment, workOf } from "./take.ts";
