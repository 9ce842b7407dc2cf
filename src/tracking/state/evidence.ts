import { COMMON } from "../settings/common.ts";
import { type FluentChange, Fluents } from "./fluents.ts";
import { Words } from "./words.ts";

/** A run of looks that say another colour or material: a twin in its place. */
export interface ContraryRun {
  name: string;
  value: string | number | boolean;
  count: number;
  firstUs: number;
  /** When it was last seen before the run, and what was said of it until then. */
  lastOwnUs: number;
  before: Words;
  /** What the looks of the run said. */
  after: Words;
}

/** What the looks at a thing said of it, and how far that goes to believe in it. */
export class Evidence {
  words = new Words();
  readonly fluents = new Fluents();
  /** Looks that reported it. */
  detections = 0;
  firstSeenUs: number;
  lastSeenUs: number;
  /** The second of its looks, and the last but one: the outermost alone may be a slip. */
  seenAgainUs = Infinity;
  seenBeforeUs = -Infinity;
  /** Log-odds of being real, from looks that reported it and looks that should have. */
  existence = 0;
  /** Pixels of its largest look. */
  mostPx = 0;
  /** The best score that a detector gave to a look at it. */
  surest = 0;
  /** Looks that were taken for pieces of it, beside the one it was given. */
  fragments = 0;
  contrary: ContraryRun | undefined;

  constructor(timeUs: number) {
    this.firstSeenUs = timeUs;
    this.lastSeenUs = timeUs;
  }

  /** Whether the fused box has enough looks behind it to argue with. */
  get isEstablished(): boolean {
    return this.detections >= COMMON.fewLooks;
  }

  /** A look, perhaps one from before the others that comes late. */
  noteTime(timeUs: number): void {
    if (this.detections > 0) this.#between(timeUs, timeUs);
    this.firstSeenUs = Math.min(this.firstSeenUs, timeUs);
    this.lastSeenUs = Math.max(this.lastSeenUs, timeUs);
  }

  #between(firstUs: number, lastUs: number): void {
    this.seenAgainUs = Math.min(this.seenAgainUs, Math.max(firstUs, this.firstSeenUs));
    this.seenBeforeUs = Math.max(this.seenBeforeUs, Math.min(lastUs, this.lastSeenUs));
  }

  /** A look that should have reported it and did not. */
  miss(odds: number): void {
    this.existence -= odds;
  }

  absorb(lost: Evidence): FluentChange[] {
    this.words.absorb(lost.words);
    const changes = this.fluents.absorb(lost.fluents);
    this.#between(lost.firstSeenUs, lost.lastSeenUs);
    this.seenAgainUs = Math.min(this.seenAgainUs, lost.seenAgainUs);
    this.seenBeforeUs = Math.max(this.seenBeforeUs, lost.seenBeforeUs);
    this.detections += lost.detections;
    this.mostPx = Math.max(this.mostPx, lost.mostPx);
    this.surest = Math.max(this.surest, lost.surest);
    this.existence = Math.max(this.existence, lost.existence);
    this.firstSeenUs = Math.min(this.firstSeenUs, lost.firstSeenUs);
    this.lastSeenUs = Math.max(this.lastSeenUs, lost.lastSeenUs);
    return changes;
  }
}
