/** How often a replica's lag is checked; more often where the bound is small. */
const LOOK_MS = 1_000;
const LOOKS_PER_BOUND = 4;
const MOST_SAMPLES = 256;

/** The log position of the primary at a moment of this process's own clock. */
interface Sample {
  readonly atMs: number;
  readonly position: bigint;
}

/**
 * Which replica may be read. Its lag is measured by the log and our own clock only: the primary reports its log
 * position now and then, and a replica that has replayed that position holds whatever was acknowledged until the report
 * was requested. While the primary does not answer no new positions are learnt, and replicas age until the bound
 * refuses them.
 */
export class Replicas {
  readonly #boundMs: number;
  readonly #hosts: number;
  /** The log position of a host: as a primary, or as a replica; undefined if it has another role or does not answer. */
  readonly #positionOf: (host: number, as: "primary" | "replica") => Promise<bigint | undefined>;
  readonly #samples: Sample[] = [];
  #found: { readonly atMs: number; readonly host: number | undefined } | undefined;

  constructor(
    boundMs: number,
    hosts: number,
    positionOf: (host: number, as: "primary" | "replica") => Promise<bigint | undefined>,
  ) {
    this.#boundMs = boundMs;
    this.#hosts = hosts;
    this.#positionOf = positionOf;
  }

  /** One that is not farther behind than the bound, if there is one. */
  async fresh(primary: number): Promise<number | undefined> {
    const nowMs = performance.now();
    const keepMs = Math.min(LOOK_MS, this.#boundMs / LOOKS_PER_BOUND);
    if (this.#found === undefined || nowMs - this.#found.atMs >= keepMs)
      this.#found = { atMs: nowMs, host: await this.#look(primary, nowMs) };
    return this.#found.host;
  }

  /** The replica failed: the next call checks again. */
  forget(): void {
    this.#found = undefined;
  }

  async #look(primary: number, nowMs: number): Promise<number | undefined> {
    const position = await this.#positionOf(primary, "primary");
    if (position !== undefined) this.#samples.push({ atMs: nowMs, position });
    // The result is used for a while; a replica must be within the bound until then.
    const oldestMs = nowMs - this.#boundMs + Math.min(LOOK_MS, this.#boundMs / LOOKS_PER_BOUND);
    while (this.#samples.length > MOST_SAMPLES || (this.#samples[0]?.atMs ?? nowMs) < oldestMs)
      this.#samples.shift();
    const [oldest] = this.#samples;
    if (oldest === undefined) return undefined;
    for (let host = 0; host < this.#hosts; host++) {
      if (host === primary) continue;
      const replayed = await this.#positionOf(host, "replica");
      if (replayed !== undefined && replayed >= oldest.position) return host;
    }
    return undefined;
  }
}

/** A place in the log, `16/B374D848`, as a number. */
export function logPosition(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
