export { Aside, type Refused } from "./aside.ts";
export { type Forgetting, Forgettings, isTooMuch } from "./forgettings.ts";
export { type GiveRequest, nextSegment } from "./give.ts";
export { Parts } from "./parts.ts";
export type {
  DisownCall,
  Disowned,
  FinishCall,
  Finished,
  ForgetCall,
  ForgetTaken,
  Peer,
  PeerCall,
  PeerStatus,
} from "./peer.ts";
export { nameOf, type Sealed, seal } from "./segment.ts";
export { type SyncReport, syncMemories } from "./sync.ts";
export {
  type Receipt,
  senderOf,
  stateOf,
  type TakeOptions,
  type TakingMemory,
  takeSegment,
  workOf,
} from "./take.ts";
