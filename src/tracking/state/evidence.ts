import { COMMON } from "../settings/common.ts";
import { type FluentChange, Fluents, isFluent } from "./fluents.ts";
import { type Telling, Words } from "./words.ts";

/** A run of observations with another colour or material: a like thing in its place. */
export interface ContraryRun {
  name: string;
  value: string | number | boolean;
  count: number;
  firstUs: number;
  /** The last sighting before the run, and the words until then. */
  lastOwnUs: number;
  before: Words;
  /** The words of the run's observations. */
  after: Words;
}

/** The words and counts from the sightings of a thing, and the credit that they give it. */
export class Evidence {
  words = new Words();
  readonly fluents = new Fluents();
  /** The number of detections. */
  detections = 0;
  firstSeenUs: number;
  lastSeenUs: number;
  /** The second sighting, and the last but one: the outermost alone may be a mistake. */
  seenAgainUs = Infinity;
  seenBeforeUs = -Infinity;
  /** Log-odds of being real, from sightings and missed opportunities. */
  existence = 0;
  /** The pixels of its largest detection. */
  mostPx = 0;
  /** The best detector score. */
  surest = 0;
  /** Detections taken for pieces of it, beside the one that was matched. */
  fragments = 0;
  contrary: ContraryRun | undefined;

  constructor(timeUs: number) {
    this.firstSeenUs = timeUs;
    this.lastSeenUs = timeUs;
  }

  /** Whether enough observations support the fused box for it to contradict a detection. */
  get isEstablished(): boolean {
    return this.detections >= COMMON.fewLooks;
  }

  /** What a model said of all views together; a state that observations told is not taken from it. */
  tell(said: Telling): void {
    this.words.tell(said);
    for (const [name, value] of Object.entries(said.attributes))
      if (isFluent(name, value) && this.fluents.valueOf(name) === undefined)
        this.fluents.set(name, value, 1, this.lastSeenUs);
  }

  /** A sighting, perhaps a late one from before the others. */
  noteTime(timeUs: number): void {
    if (this.detections > 0) this.#between(timeUs, timeUs);
    this.firstSeenUs = Math.min(this.firstSeenUs, timeUs);
    this.lastSeenUs = Math.max(this.lastSeenUs, timeUs);
  }

  #between(firstUs: number, lastUs: number): void {
    this.seenAgainUs = Math.min(this.seenAgainUs, Math.max(firstUs, this.firstSeenUs));
    this.seenBeforeUs = Math.max(this.seenBeforeUs, Math.min(lastUs, this.lastSeenUs));
  }

  /** A missed opportunity: an observation that should have reported it. */
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
