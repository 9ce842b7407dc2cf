/** An item to be reordered: by the clock of its sensor. */
interface Stamped {
  readonly timeUs: number;
  readonly agentId: string;
  readonly sensorId: string;
}

/** How long a frame waits for earlier ones (docs/formulas.md#taking-in), and the most waiting frames per sensor. */
const WAIT_US = 500_000;
const MOST_WAITING = 64;

/** A frame in processing order; `lateUs` is how far it lies behind one already released. */
export interface Ordered<T> {
  readonly item: T;
  readonly lateUs: number;
}

/**
 * Restores the order of packets. Each sensor's frames wait half a second of its own clock for earlier ones; later
 * arrivals are released at once and marked late, so that nothing is lost and nothing waits forever.
 */
export class ReorderBuffer<T extends Stamped> {
  readonly #waiting = new Map<string, T[]>();
  readonly #givenUs = new Map<string, number>();

  /** Adds an item; returns the items that are due. */
  push(item: T): Ordered<T>[] {
    const sensor = `${item.agentId}/${item.sensorId}`;
    const givenUs = this.#givenUs.get(sensor) ?? -Infinity;
    if (item.timeUs < givenUs) return [{ item, lateUs: givenUs - item.timeUs }];
    const queue = this.#waiting.get(sensor) ?? [];
    this.#waiting.set(sensor, queue);
    let at = queue.length;
    while (at > 0 && queue[at - 1]!.timeUs > item.timeUs) at--;
    queue.splice(at, 0, item);
    const newestUs = queue.at(-1)!.timeUs;
    const out: Ordered<T>[] = [];
    while (queue.length > 0 && (newestUs - queue[0]!.timeUs >= WAIT_US || queue.length > MOST_WAITING)) {
      out.push(this.#give(sensor, queue.shift()!));
    }
    return out;
  }

  /** Everything that still waits, over all sensors, in order of time. */
  flush(): Ordered<T>[] {
    const left = [...this.#waiting.entries()].flatMap(([sensor, queue]) =>
      queue.splice(0).map((item) => ({ sensor, item })),
    );
    left.sort((a, b) => a.item.timeUs - b.item.timeUs);
    return left.map(({ sensor, item }) => this.#give(sensor, item));
  }

  #give(sensor: string, item: T): Ordered<T> {
    this.#givenUs.set(sensor, item.timeUs);
    return { item, lateUs: 0 };
  }
}
