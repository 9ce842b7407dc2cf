/** The links of a stay to others: the same thing before and after, its support, its region. */
export class Links<T> {
  /** The stay it came from, with the probability. */
  movedFrom: { stateId: string; p: number } | undefined;
  /** The next stay of the same thing. */
  successor: T | undefined;
  /** Ended because a like thing was detected elsewhere; its place was not observed without it. */
  isPresumedGone = false;
  supportedBy: string | undefined;
  insideOf: string | undefined;
  regionId: string | undefined;
}
