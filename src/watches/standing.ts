import type { Dependencies, Watch, WatchEvent } from "../schema/core.ts";
import type { Waiting } from "./depends.ts";
import { type Gone, withoutGone } from "./gone.ts";
import type { Looked } from "./look.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Kept, MAX_EVENTS } from "./store.ts";

/** Most ids that an answer rests on which are watched in addition to reported ones. */
const MAX_KNOWN = 1_000;

/** One running standing query. */
export class Standing implements Waiting {
  kept: Kept;
  readonly dependsOn: Dependencies;
  known: ReadonlySet<string> = new Set();
  roomIds: ReadonlySet<string> = new Set();
  /** Not evaluated again before this, on the process clock. */
  notBeforeMs = 0;
  isDelivering = false;
  #error: string | undefined;
  readonly #ended = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(kept: Kept, dependsOn: Dependencies) {
    this.kept = kept;
    this.dependsOn = dependsOn;
    this.known = new Set(kept.watch.holds.map(({ id }) => id));
  }

  get watch(): Watch {
    return {
      ...this.kept.watch,
      dependsOn: this.dependsOn,
      ...(this.#error !== undefined && { error: this.#error }),
    };
  }

  get told(): Snapshot {
    return new Map(this.kept.watch.holds.map((member) => [member.id, member]));
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  mayRead(labels: readonly string[]): boolean {
    const { labels: held } = this.kept.owner;
    return held === "*" || labels.every((label) => held.includes(label));
  }

  /** Stores what the last evaluation depended on, to detect when to repeat it. */
  know({ value, roomIds }: Looked): void {
    this.#error = undefined;
    const evidence = value.evidence.flatMap(({ ref, trackId }) =>
      trackId === undefined ? [ref] : [ref, trackId],
    );
    this.known = new Set([...this.kept.watch.holds.map(({ id }) => id), ...evidence].slice(0, MAX_KNOWN));
    this.roomIds = new Set(roomIds);
  }

  /** Sets the reported state; with news, adds an event. */
  tell(told: Snapshot, news?: Pick<WatchEvent, "entered" | "left" | "text" | "atUs" | "toldUs">): void {
    const { kept } = this;
    const holds = [...told.values()];
    this.known = new Set([...this.known, ...holds.map(({ id }) => id)]);
    if (!news) {
      this.kept = { ...kept, watch: { ...kept.watch, holds } };
      return;
    }
    const number = kept.watch.events + 1;
    const { id, question } = kept.watch;
    const event: WatchEvent = {
      id: `${id}.${number}`,
      watchId: id,
      number,
      ...(question !== undefined && { question }),
      ...news,
    };
    this.kept = {
      ...kept,
      watch: { ...kept.watch, holds, events: number },
      toldUs: news.toldUs,
      events: [...kept.events, event].slice(-MAX_EVENTS),
    };
  }

  announce(): void {
    for (const wake of this.#waiting) wake();
  }

  async *follow(after: number, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    let at = after;
    let wake = (): void => undefined;
    const stop = () => wake();
    signal.addEventListener("abort", stop);
    this.ended.addEventListener("abort", stop);
    try {
      while (!signal.aborted && !this.ended.aborted) {
        const next = this.kept.events.find(({ number }) => number > at);
        if (next) {
          at = next.number;
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.#waiting.add(resolve);
        });
        this.#waiting.delete(wake);
      }
    } finally {
      signal.removeEventListener("abort", stop);
      this.ended.removeEventListener("abort", stop);
    }
  }

  /** Removes forgotten content from everything stored. */
  forget(gone: Gone): "kept" | "changed" | "gone" {
    const left = withoutGone(this.kept, gone);
    if (left === undefined) return "gone";
    if (left === this.kept) return "kept";
    this.kept = left;
    return "changed";
  }

  /** The next event not yet delivered to its webhook; those no longer kept are lost. */
  undelivered(): WatchEvent | undefined {
    const { webhook } = this.kept.watch;
    if (!webhook) return undefined;
    const next = this.kept.events.find(({ number }) => number > webhook.delivered);
    const skipped = next ? next.number - webhook.delivered - 1 : 0;
    if (skipped > 0) this.#webhook({ delivered: next!.number - 1, lost: webhook.lost + skipped });
    return next;
  }

  delivered({ number }: WatchEvent): void {
    const { error: _, ...rest } = this.kept.watch.webhook!;
    this.kept = {
      ...this.kept,
      watch: { ...this.kept.watch, webhook: { ...rest, delivered: number, attempts: 0 } },
    };
  }

  missed({ number }: WatchEvent, error: unknown, isLast: boolean): void {
    const { lost, attempts } = this.kept.watch.webhook!;
    const why = String((error as Error).message ?? error).slice(0, 200);
    this.#webhook(
      isLast
        ? { delivered: number, lost: lost + 1, attempts: 0, error: why }
        : { attempts: attempts + 1, error: why },
    );
  }

  /** Stops evaluation, and reports that as an event. */
  suspend(why: string, nowUs: number): void {
    const said = `suspended: ${why}`.slice(0, 200);
    const atUs = this.kept.events.at(-1)?.atUs ?? this.kept.watch.createdUs;
    this.tell(this.told, { entered: [], left: [], text: said, atUs, toldUs: nowUs });
    this.kept = { ...this.kept, watch: { ...this.kept.watch, suspended: said } };
  }

  fail(error: unknown): void {
    this.#error = String((error as Error).message ?? error).slice(0, 200);
  }

  end(): void {
    this.#ended.abort();
  }

  #webhook(change: Partial<NonNullable<Watch["webhook"]>>): void {
    const webhook = { ...this.kept.watch.webhook!, ...change };
    this.kept = { ...this.kept, watch: { ...this.kept.watch, webhook } };
  }
}
