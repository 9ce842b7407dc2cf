import { REFUSALS } from "../perception/index.ts";

/** Why a frame was not ingested, or only in part; every reason is counted. */
export const SKIP_REASONS = [
  ...REFUSALS,
  "duplicate", // an observation of this sensor and time is in the memory
  "no-pose", // stored without a pose: found by text and time only
  "black", // stored as proof of presence, and not used for learning
  "doubtful-pose", // stored likewise: it contradicts the known map, or its localisation is uncertain
  "no-map", // its submap is not connected to any known frame
  "no-record-zone",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The words for each reason, to follow a number. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  "bad-time": "without a time",
  "bad-pose": "with a pose that cannot be",
  "bad-intrinsics": "of a camera that cannot be",
  "size-mismatch": "whose images do not belong together",
  "depth-scale": "with depths that no camera measures (--depth-unit)",
  "no-image": "without anything to see",
  black: "too dark to see anything",
  "doubtful-pose": "from places where they can hardly have been taken, kept without learning from them",
  duplicate: "known already",
  "no-pose": "without a pose, found by text and time only",
  "no-map": "in a map that nothing is known of",
  "no-record-zone": "inside a zone that is not recorded",
};

/** The result of an ingest, for people and for `--json`. */
export interface IngestSummary {
  readonly frames: number;
  readonly statements: number;
  readonly written: number;
  readonly late: number;
  readonly latestByS: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly detections: number;
  readonly withoutDepth: number;
  readonly redacted: number;
  readonly corrections: number;
  readonly tracks: number;
  readonly states: number;
  readonly views: number;
  readonly captions: number;
  readonly places: number;
  readonly regions: number;
  readonly events: number;
  readonly elapsedMs: number;
  readonly framesPerS: number;
}

/** Counts frames as they pass. */
export class IngestCounter {
  frames = 0;
  /** Captions without pictures, and external scene graphs. */
  statements = 0;
  written = 0;
  late = 0;
  latestByUs = 0;
  detections = 0;
  withoutDepth = 0;
  redacted = 0;
  corrections = 0;
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  readonly #made = new Map<string, Set<string>>();

  skip(reason: SkipReason): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
  }

  /**
   * Records by kind; a new version of a record does not count again. Kinds that come with every frame are not
   * reported.
   */
  made(records: readonly { readonly kind: string; readonly id: string }[]): void {
    for (const { kind, id } of records) {
      if (kind === "observation" || kind === "detection") continue;
      const known = this.#made.get(kind);
      if (known) known.add(id);
      else this.#made.set(kind, new Set([id]));
    }
  }

  summary(elapsedMs: number): IngestSummary {
    const of = (kind: string) => this.#made.get(kind)?.size ?? 0;
    return {
      frames: this.frames,
      statements: this.statements,
      written: this.written,
      late: this.late,
      latestByS: this.latestByUs / 1e6,
      skipped: { ...this.skipped },
      detections: this.detections,
      withoutDepth: this.withoutDepth,
      redacted: this.redacted,
      corrections: this.corrections,
      tracks: of("track"),
      states: of("state"),
      views: of("view"),
      captions: of("caption"),
      places: of("place"),
      regions: of("region"),
      events: of("event"),
      elapsedMs,
      framesPerS: elapsedMs > 0 ? (this.frames / elapsedMs) * 1000 : 0,
    };
  }
}
