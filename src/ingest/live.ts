import type { SceneMap } from "../map/index.ts";
import type { FrameEdgeInput } from "../schema/index.ts";
import type { Frame } from "../sensors/index.ts";
import { IngestCounter, type SkipReason } from "./counts.ts";
import type { IngestOptions } from "./ingest.ts";
import { Pipeline } from "./pipeline.ts";
import { parsePrivacyPolicy } from "./privacy.ts";
import { observationIdOf } from "./records.ts";

/** What became of a frame: `reason` is absent when it was taken in whole. */
export interface LiveOutcome {
  readonly observationId: string;
  readonly reason?: SkipReason | "waits";
  readonly detections: number;
}

/**
 * Frames of robots that are under way, one after the other and each on the disk before the next. Nothing waits for frames
 * that might have been overtaken, since whoever sends one wants to hear that it is kept: a late one is taken as it comes,
 * and adds looks but no absences.
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

  /** Resolves when the frame is on the disk. */
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

  /** Corrections of the map; they are written with the next frame. */
  edges(edges: readonly FrameEdgeInput[]): Promise<void> {
    return this.#inTurn(async () => this.#pipeline.edges(edges));
  }

  /** The map as it is after the last frame; its rooms only as of the last `updateMap`. */
  map(): Promise<SceneMap | undefined> {
    return this.#inTurn(() => this.#pipeline.map());
  }

  /** Rooms and regions brought up to date and written at once; else that happens every ten seconds of recorded time. */
  updateMap(): Promise<void> {
    return this.#inTurn(() => this.#pipeline.updateMap());
  }

  /** Finishes what is pending; nothing is taken after it. */
  finish(): Promise<void> {
    return this.#inTurn(() => this.#pipeline.finish());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
