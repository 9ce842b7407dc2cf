import { LociError } from "../../schema/core.ts";

/** Kinds that may be given up; tracks, states, events, regions, places and relations never are. */
export const EVICTABLE = ["detection", "observation", "caption", "view"] as const;
export type EvictableKind = (typeof EVICTABLE)[number];

/** How much a memory may hold, and for how long (docs/formulas.md#retention). Without a limit everything is kept. */
export interface RetentionPolicy {
  /** The time from which age counts. */
  readonly nowUs: number;
  /** For the whole memory, as its statistics count bytes. */
  readonly maxBytes?: number;
  /** For the records of a kind with their own pictures and texts, as estimated. */
  readonly maxBytesOf?: Readonly<Partial<Record<EvictableKind, number>>>;
  readonly maxAgeUs?: Readonly<Partial<Record<EvictableKind, number>>>;
  /** Merge consecutive captions with the same content about the same place; default true. */
  readonly consolidate?: boolean;
  /** A record that carries one of these labels is always kept; default "hold". */
  readonly holdLabels?: readonly string[];
  /** The age at which recency has fallen to a third; default one day. */
  readonly recencyUs?: number;
}

export const DEFAULT_RECENCY_US = 24 * 3_600_000_000;
export const DEFAULT_HOLD_LABELS: readonly string[] = ["hold"];

export function checkPolicy(policy: RetentionPolicy): void {
  const limits: [string, number | undefined][] = [
    ["maxBytes", policy.maxBytes],
    ["recencyUs", policy.recencyUs],
    ...EVICTABLE.map((kind): [string, number | undefined] => [
      `maxBytesOf.${kind}`,
      policy.maxBytesOf?.[kind],
    ]),
    ...EVICTABLE.map((kind): [string, number | undefined] => [`maxAgeUs.${kind}`, policy.maxAgeUs?.[kind]]),
  ];
  for (const [name, value] of limits) {
    if (value !== undefined && !(Number.isFinite(value) && value >= 0)) {
      throw new LociError(
        "invalid-input",
        `retention: expected ${name} to be a number of 0 or more, got ${value}`,
      );
    }
  }
  if (!Number.isSafeInteger(policy.nowUs)) {
    throw new LociError(
      "invalid-input",
      `retention: expected nowUs in whole microseconds, got ${policy.nowUs}`,
    );
  }
}
