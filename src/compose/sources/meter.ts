import type { LiveOutcome } from "../../ingest/index.ts";
import { isLociError } from "../../schema/core.ts";
import type { Frame, RecordingReader } from "../../sensors/index.ts";
import type { ArrivalReport } from "../arriving.ts";
import { REFUSAL_TEXT } from "../known-place.ts";
import type { DropReason, FrameQueue } from "./queue.ts";
import type { SourceState, SourceStatus } from "./request.ts";
import { AGAIN } from "./settings.ts";

/** Latencies and times that are kept for the figures. */
const KEPT = 256;
const RATE_OVER_MS = 60_000;

type Figures = Pick<
  SourceStatus,
  | "state"
  | "waits"
  | "problem"
  | "sinceUs"
  | "frames"
  | "dropped"
  | "skipped"
  | "detections"
  | "rateHz"
  | "latencyMs"
  | "lastTakenAgoS"
  | "lastFrameUs"
  | "reconnects"
  | "map"
  | "later"
>;

/** What a source has done so far, counted as it happens. */
export class Meter {
  readonly #nowUs: () => number;
  readonly #dropped: Record<string, number> = {};
  readonly #skipped: Record<string, number> = {};
  readonly #latencies: number[] = [];
  readonly #takenAtMs: number[] = [];
  #queue: FrameQueue | undefined;
  #recording: RecordingReader | undefined;
  #state: SourceState = "connecting";
  #sinceUs: number;
  #waits: string | null = null;
  #problem: SourceStatus["problem"] = null;
  #taken = 0;
  #detections = 0;
  #losses = 0;
  #failures = 0;
  #lastFrameUs: number | null = null;
  #map: SourceStatus["map"] = null;
  #later: SourceStatus["later"] = { waiting: 0, done: 0 };
  came = 0;

  constructor(nowUs: () => number) {
    this.#nowUs = nowUs;
    this.#sinceUs = nowUs();
  }

  watch(queue: FrameQueue): void {
    this.#queue = queue;
  }

  arrived(): void {
    this.came++;
    this.#waits = null;
    this.#problem = null;
  }

  dropped(reason: DropReason | "unreadable", count: number): void {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + count;
  }

  unreadable(why: string): void {
    this.dropped("unreadable", 1);
    this.#problem = { code: "invalid-input", message: why.slice(0, 300) };
  }

  /** Frames that were put aside, or looked at before enough was known, and wait for their turn. */
  early(count: number): void {
    this.#later = { ...this.#later, waiting: count };
  }

  /** A second look; one that cannot be written is told, and not tried again. */
  async again(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#later = { ...this.#later, done: this.#later.done + 1 };
    } catch (error) {
      this.#problem = problemOf(error);
    }
  }

  /** Where its frames are, as far as that is known. */
  landed(place: ArrivalReport | undefined): void {
    if (place === undefined) return;
    const { map: name, into, refused = null } = place;
    this.#map = { name, into: into ?? (refused === null ? name : null), refused };
  }

  /** The source answers. */
  reached(recording: RecordingReader, missing: string | undefined): void {
    this.#recording = recording;
    this.#become("running");
    this.#waits = missing ?? null;
  }

  lost(error: unknown, againInS: number): void {
    this.#losses++;
    this.#recording = undefined;
    this.#become(this.came === 0 ? "connecting" : "reconnecting");
    this.#problem = problemOf(error);
    this.#waits = `${this.#problem.message}; trying again in ${againInS} s`;
  }

  ended(state: SourceState, error?: unknown): void {
    this.#recording = undefined;
    this.#become(state);
    this.#waits = null;
    if (error !== undefined) this.#problem = problemOf(error);
  }

  /** Takes one frame. What cannot be written is counted; several in a row end the source. */
  async take(frame: Frame, atMs: number | undefined, work: () => Promise<LiveOutcome>): Promise<void> {
    try {
      const { reason, detections } = await work();
      this.#failures = 0;
      this.#taken++;
      this.#detections += detections;
      this.#lastFrameUs = frame.timeUs;
      if (reason !== undefined) this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
      const nowMs = performance.now();
      push(this.#takenAtMs, nowMs);
      if (atMs !== undefined) push(this.#latencies, nowMs - atMs);
    } catch (error) {
      this.#problem = problemOf(error);
      this.#skipped[this.#problem.code] = (this.#skipped[this.#problem.code] ?? 0) + 1;
      if (++this.#failures >= AGAIN.failures) throw error;
    }
  }

  get state(): SourceState {
    const isCut = this.#state === "running" && this.#recording?.live?.().isConnected === false;
    return isCut ? "reconnecting" : this.#state;
  }

  figures(): Figures {
    const { state } = this;
    const live = this.#recording?.live?.();
    const nowMs = performance.now();
    const last = this.#takenAtMs.at(-1);
    const recent = this.#takenAtMs.filter((atMs) => nowMs - atMs < RATE_OVER_MS);
    const upstream = live?.dropped ?? 0;
    return {
      state,
      waits:
        state === "reconnecting" && this.#waits === null
          ? "the connection is lost; trying again"
          : (this.#waits ?? apartText(this.#map)),
      problem: this.#problem,
      sinceUs: this.#sinceUs,
      frames: { came: this.came, taken: this.#taken, waiting: this.#queue?.waiting ?? 0 },
      dropped: { ...this.#dropped, ...(upstream > 0 && { "before-decoding": upstream }) },
      skipped: { ...this.#skipped },
      detections: this.#detections,
      rateHz: recent.length < 2 ? 0 : (1_000 * (recent.length - 1)) / Math.max(1, nowMs - recent[0]!),
      latencyMs: latenciesOf(this.#latencies),
      lastTakenAgoS: last === undefined ? null : (nowMs - last) / 1_000,
      lastFrameUs: this.#lastFrameUs,
      reconnects: this.#losses + (live?.reconnects ?? 0),
      map: this.#map,
      later: this.#later,
    };
  }

  #become(state: SourceState): void {
    if (this.#state !== state) this.#sinceUs = this.#nowUs();
    this.#state = state;
  }
}

function push(ring: number[], value: number): void {
  ring.push(value);
  if (ring.length > KEPT) ring.shift();
}

function latenciesOf(ms: readonly number[]): SourceStatus["latencyMs"] {
  if (ms.length === 0) return null;
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]!);
  return { last: Math.round(ms.at(-1)!), median: at(0.5), p95: at(0.95), longest: at(1) };
}

function problemOf(error: unknown): { readonly code: string; readonly message: string } {
  if (isLociError(error)) return { code: error.code, message: error.message };
  return { code: "unexpected", message: String((error as Error)?.message ?? error).slice(0, 300) };
}

function apartText(map: SourceStatus["map"]): string | null {
  if (!map?.refused) return null;
  return `its frames are in a map of their own, "${map.name}", until it is recognised: ${REFUSAL_TEXT[map.refused]} (map=world if its poses are in the known world)`;
}
