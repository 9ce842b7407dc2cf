import { COMMON } from "../settings/common.ts";
import { OBSERVE } from "../settings/observe.ts";

/** Attributes that change over time; all others are permanent. */
const FLUENT_NAMES = new Set([
  "openness",
  "power",
  "fill",
  "making",
  "occupancy",
  "state",
  "status",
  "light",
  "lit",
  "locked",
  "running",
  "temperature",
  "level",
  "count",
  "posture",
]);
const FLUENT_VALUES = new Set(
  "open closed ajar on off full empty made unmade free occupied locked unlocked lit unlit running stopped clean dirty wet dry raised lowered".split(
    " ",
  ),
);

export type AttributeValue = string | number | boolean;

/** A believed change: after the last observation of the old value and by the first of the new one. */
export interface FluentChange {
  readonly name: string;
  readonly from: AttributeValue;
  readonly to: AttributeValue;
  readonly lastOldUs: number;
  readonly firstNewUs: number;
}

interface Fluent {
  value: AttributeValue;
  support: number;
  /** The total evidence for it, as log-odds. */
  odds: number;
  firstUs: number;
  lastUs: number;
  /** A value that has been seen since and is not believed yet. */
  rival: { value: AttributeValue; odds: number; count: number; firstUs: number } | undefined;
}

/** Whether an attribute is one that changes (open, on, full) rather than one that stays (red, wooden). */
export function isFluent(name: string, value: AttributeValue): boolean {
  return (
    FLUENT_NAMES.has(name) ||
    typeof value === "boolean" ||
    (typeof value === "string" && FLUENT_VALUES.has(value))
  );
}

/**
 * The states of one thing over time (docs/formulas.md#fluents). One observation in twenty-five misreads a state from a
 * metre, more from afar, so a change is believed when its observations outweigh the prior odds against it: two from
 * close by, more from a distance, or one that is nearly certain. An observation of the old value counts against the
 * rival.
 */
export class Fluents {
  readonly #fluents = new Map<string, Fluent>();

  /**
   * `errorP`: the probability that this observation is wrong. Observations from before the last one only add support.
   */
  observe(
    name: string,
    value: AttributeValue,
    timeUs: number,
    errorP: number,
    leastLooks: number,
  ): FluentChange | undefined {
    const known = this.#fluents.get(name);
    const odds = Math.log((1 - errorP) / errorP);
    if (!known) {
      if (this.#fluents.size >= OBSERVE.maxFluents) return undefined;
      this.#fluents.set(name, { value, support: 1, odds, firstUs: timeUs, lastUs: timeUs, rival: undefined });
      return undefined;
    }
    if (value === known.value) {
      known.support = Math.min(known.support + 1, Number.MAX_SAFE_INTEGER);
      known.odds = Math.min(known.odds + odds, Number.MAX_SAFE_INTEGER);
      known.lastUs = Math.max(known.lastUs, timeUs);
      if (known.rival) known.rival.odds -= odds;
      if (known.rival && known.rival.odds <= 0) known.rival = undefined;
      return undefined;
    }
    if (timeUs < known.lastUs && known.support > OBSERVE.maxHistory) return undefined;
    if (known.rival?.value !== value) known.rival = { value, odds: 0, count: 0, firstUs: timeUs };
    const rival = known.rival;
    rival.odds += odds;
    rival.count++;
    rival.firstUs = Math.min(rival.firstUs, timeUs);
    // A value that was never sure was misread itself: further observations replace it, without a change.
    const unsure = known.odds < COMMON.sureOdds;
    if (rival.count < leastLooks || rival.odds < (unsure ? known.odds : COMMON.sureOdds)) return undefined;
    const change = {
      name,
      from: known.value,
      to: value,
      lastOldUs: Math.min(known.lastUs, rival.firstUs),
      firstNewUs: rival.firstUs,
    };
    this.#fluents.set(name, {
      value,
      support: rival.count,
      odds: rival.odds,
      firstUs: rival.firstUs,
      lastUs: timeUs,
      rival: undefined,
    });
    return unsure ? undefined : change;
  }

  set(name: string, value: AttributeValue, support: number, lastUs: number): void {
    const odds = support * COMMON.lookOdds;
    this.#fluents.set(name, { value, support, odds, firstUs: lastUs, lastUs, rival: undefined });
  }

  /** Corrects times from a clock that was ahead by this much. */
  setBack(byUs: number): void {
    for (const [name, fluent] of this.#fluents)
      this.#fluents.set(name, {
        ...fluent,
        firstUs: fluent.firstUs - byUs,
        lastUs: fluent.lastUs - byUs,
        rival: fluent.rival && { ...fluent.rival, firstUs: fluent.rival.firstUs - byUs },
      });
  }

  valueOf(name: string): AttributeValue | undefined {
    return this.#fluents.get(name)?.value;
  }

  /** The time since which a fluent has been observed with its value. */
  sinceUs(name: string): number | undefined {
    return this.#fluents.get(name)?.firstUs;
  }

  /**
   * Adds another record's observations of the thing: the later value holds, and where each was sure of its own, it
   * changed. A later value that is not sure yet is a rival of the earlier one until more observations tell.
   */
  absorb(other: Fluents): FluentChange[] {
    const changes: FluentChange[] = [];
    for (const [name, fluent] of other.#fluents) {
      const known = this.#fluents.get(name);
      const [older, newer] = known && known.lastUs > fluent.lastUs ? [fluent, known] : [known, fluent];
      const isLater = older && older.value !== newer.value && older.lastUs < newer.firstUs;
      this.#fluents.set(name, isLater && isSure(older) && !isSure(newer) ? rivalled(older, newer) : newer);
      if (!isLater || !isSure(older) || !isSure(newer)) continue;
      changes.push({
        name,
        from: older.value,
        to: newer.value,
        lastOldUs: older.lastUs,
        firstNewUs: newer.firstUs,
      });
    }
    return changes;
  }

  *entries(): Generator<{ name: string; value: AttributeValue; p: number; support: number; lastUs: number }> {
    for (const [name, { value, support, lastUs, rival }] of this.#fluents) {
      const p = support / (support + 0.5 + (rival?.count ?? 0));
      yield { name, value, p, support, lastUs };
    }
  }
}

function isSure({ support, odds }: Fluent): boolean {
  return support >= COMMON.fewLooks && odds >= COMMON.sureOdds;
}

/** A value with the observations of a later one that is not believed yet. */
function rivalled(older: Fluent, { value, odds, support, firstUs }: Fluent): Fluent {
  const before = older.rival?.value === value ? older.rival : undefined;
  return {
    ...older,
    rival: {
      value,
      odds: odds + (before?.odds ?? 0),
      count: support + (before?.count ?? 0),
      firstUs: Math.min(firstUs, before?.firstUs ?? Infinity),
    },
  };
}
