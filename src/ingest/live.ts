import type { SceneMap } from "../map/index.ts";
import type { FrameEdgeInput } from "../schema/index.ts";
import type { Frame, RecordingItem } from "../sensors/index.ts";
import { IngestCounter, type SkipReason } from "./counts.ts";
import type { IngestOptions } from "./ingest.ts";
import { Pipeline } from "./pipeline.ts";
import { parsePrivacyPolicy } from "./privacy.ts";
import { observationIdOf } from "./records.ts";

/** The outcome of a frame: `reason` is absent if it was ingested completely. */
export interface LiveOutcome {
  readonly observationId: string;
  readonly reason?: SkipReason | "waits";
  readonly detections: number;
}

/** What was said without a picture. */
export type StatementItem = Extract<RecordingItem, { kind: "caption" | "graph" }>;

/**
 * Frames of running robots, one after the other and each durable before the next. Nothing waits for late frames,
 * since senders need a prompt acknowledgement: a late frame is ingested on arrival, and adds sightings but no
 * absences.
 */
export class LiveIngest {
  readonly #pipeline: Pipeline;
  readonly #counter: IngestCounter;
  readonly #sceneId: string;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(pipeline: Pipeline, counter: IngestCounter, sceneId: string) {
    this.#pipeline = pipeline;
    this.#counter = counter;
    this.#sceneId = sceneId;
  }

  static async open(options: IngestOptions): Promise<LiveIngest> {
    const counter = new IngestCounter();
    const { sceneId = "default", labels = [], mode = "loci", models = {}, privacy = {} } = options;
    const pipeline = await Pipeline.open({
      ...options,
      sceneId,
      labels,
      mode,
      models,
      privacy: parsePrivacyPolicy(privacy),
      counter,
    });
    return new LiveIngest(pipeline, counter, sceneId);
  }

  /** Resolves once the frame is durable. */
  take(frame: Frame): Promise<LiveOutcome> {
    return this.#inTurn(async () => {
      const counter = this.#counter;
      const [skipped, detections, written] = [{ ...counter.skipped }, counter.detections, counter.written];
      await this.#pipeline.frame(frame);
      await this.#pipeline.settle();
      const told = Object.entries(counter.skipped).find(
        ([reason, count]) => count !== (skipped[reason as SkipReason] ?? 0),
      );
      const reason = told?.[0] as SkipReason | undefined;
      const waits = reason === undefined && counter.written === written;
      return {
        observationId: observationIdOf(this.#sceneId, frame),
        detections: counter.detections - detections,
        ...(reason !== undefined && { reason }),
        ...(waits && { reason: "waits" as const }),
      };
    });
  }

  /** Map corrections; they are written with the next frame. */
  edges(edges: readonly FrameEdgeInput[]): Promise<void> {
    return this.#inTurn(async () => this.#pipeline.edges(edges));
  }

  /** A caption, or an external scene graph. */
  state(item: StatementItem): Promise<void> {
    return this.#inTurn(() => this.#pipeline.state(item));
  }

  /** The map after the last frame; its rooms are as of the last `updateMap`. */
  map(): Promise<SceneMap | undefined> {
    return this.#inTurn(() => this.#pipeline.map());
  }

  /** Updates and writes rooms and regions now; otherwise that happens every ten seconds of recorded time. */
  updateMap(): Promise<void> {
    return this.#inTurn(() => this.#pipeline.updateMap());
  }

  /** Finishes what is pending; nothing can be ingested after it. */
  finish(): Promise<void> {
    return this.#inTurn(() => this.#pipeline.finish());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
