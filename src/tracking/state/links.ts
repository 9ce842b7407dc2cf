/** How a stay hangs together with others: the same thing before and after, what carries it, where it is. */
export class Links<T> {
  /** The stay it came from, and how surely. */
  movedFrom: { stateId: string; p: number } | undefined;
  /** The next stay of the same thing. */
  successor: T | undefined;
  /** Ended because a thing like it was met elsewhere; nobody has seen its place without it. */
  isPresumedGone = false;
  supportedBy: string | undefined;
  insideOf: string | undefined;
  regionId: string | undefined;
}
