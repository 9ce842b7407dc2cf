import { FLOORS, GRID } from "./settings.ts";

/**
 * Learns each sensor's mounting height from the floor at its feet: the lowest height with enough nearby points. Over
 * a stairwell the lowest floor is not the sensor's own, so once its height is known, a contradicting floor is
 * ignored.
 */
export class FloorFinder {
  readonly #heights = new Map<string, { heightM: number; seen: number }>();
  readonly #bins = new Int32Array(FLOORS.floorBins);
  readonly #sums = new Float64Array(FLOORS.floorBins);
  #points = 0;

  begin(): void {
    this.#bins.fill(0);
    this.#sums.fill(0);
    this.#points = 0;
  }

  /** Adds a point `belowM` under the camera, at this squared horizontal distance. */
  add(belowM: number, awaySquared: number): void {
    if (awaySquared > FLOORS.atFeetM * FLOORS.atFeetM || !(belowM > GRID.cellM)) return;
    const bin = Math.floor(belowM / GRID.stepM);
    if (bin >= FLOORS.floorBins) return;
    this.#bins[bin]!++;
    this.#sums[bin]! += belowM;
    this.#points++;
  }

  /** Height of the camera above its floor; undefined if no floor was ever seen. */
  heightM(sensor: string): number | undefined {
    const known = this.#heights.get(sensor);
    const seenM = this.#lowestM();
    if (seenM === undefined) return known?.heightM;
    if (known === undefined) {
      this.#heights.set(sensor, { heightM: seenM, seen: 1 });
      return seenM;
    }
    if (Math.abs(seenM - known.heightM) <= FLOORS.sameFloorM) {
      known.seen++;
      known.heightM += (seenM - known.heightM) * Math.max(1 / (2 * FLOORS.trustAfter), 1 / known.seen);
      return seenM;
    }
    // The first frames may have seen a table: an unconfirmed height is replaced by a greater one.
    if (known.seen < FLOORS.trustAfter && seenM > known.heightM) {
      this.#heights.set(sensor, { heightM: seenM, seen: 1 });
      return seenM;
    }
    return known.heightM;
  }

  /** The height learnt so far. */
  known(sensor: string): number | undefined {
    return this.#heights.get(sensor)?.heightM;
  }

  #lowestM(): number | undefined {
    const needed = Math.max(FLOORS.supportPoints, this.#points * FLOORS.supportShare);
    for (let bin = FLOORS.floorBins - 2; bin >= 1; bin--) {
      const count = this.#bins[bin - 1]! + this.#bins[bin]! + this.#bins[bin + 1]!;
      // The peak, not the first bin of its slope.
      if (count < needed || this.#bins[bin - 1]! > this.#bins[bin]!) continue;
      return (this.#sums[bin - 1]! + this.#sums[bin]! + this.#sums[bin + 1]!) / count;
    }
    return undefined;
  }
}
