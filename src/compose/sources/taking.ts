import type { Frame, ReadOptions, RecordingReader, SourcePlan } from "../../sensors/index.ts";
import { type IngestRequest, odometryFor } from "../ingest.ts";
import { detectorFor, type Eyes, openEyes } from "../ingest-eyes.ts";
import { type PlacedRecording, placedIn } from "../ingest-placing.ts";
import type { FilingOptions } from "../live-frames.ts";
import type { Memory } from "../memory.ts";
import type { SourceRequest } from "./request.ts";
import { PROFILES } from "./settings.ts";
import { smallerFrame } from "./smaller.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How the frames of one source come to be what perception takes: the same for robots and recordings. */
export class Taking {
  readonly source: string;
  readonly read: ReadOptions;
  readonly #memory: Memory;
  readonly #request: SourceRequest;
  readonly #environment: Environment;
  #placing: PlacedRecording | undefined;

  constructor(
    memory: Memory,
    request: SourceRequest,
    { isLive, environment }: { readonly isLive: boolean; readonly environment: Environment },
  ) {
    const { source, read = {}, profile = "full" } = request;
    this.source = source;
    this.#memory = memory;
    this.#request = request;
    this.#environment = environment;
    this.read = isLive ? { rateHz: PROFILES[profile].rateHz, ...read } : read;
  }

  /** What the stages do differently for this source, if anything. */
  get how(): FilingOptions | undefined {
    const { mode, privacy, profile = "full", viewPx } = this.#request;
    const { viewPx: usual, mapEveryS } = PROFILES[profile];
    const isUsual = profile === "full" && viewPx === undefined;
    if (isUsual && mode === undefined && privacy === undefined) return undefined;
    return {
      ...(mode !== undefined && { mode }),
      ...(privacy !== undefined && { privacy }),
      ...(!isUsual && { viewPx: viewPx ?? usual, mapEveryUs: mapEveryS * 1e6 }),
    };
  }

  /** The recording in its map, with poses, and only what may be seen. */
  async placed(recording: RecordingReader, plan: SourcePlan, signal: AbortSignal): Promise<RecordingReader> {
    const { scene: sceneId, labels = [], map, privacy, odometry } = this.#request;
    const request: IngestRequest = { sceneId, labels, map, privacy, odometry: odometryFor(plan, odometry) };
    const seen = this.#memory.as({ principal: { id: "ingest", labels } });
    this.#placing = await placedIn(recording, await seen.reader(), request, signal);
    return this.#placing.placed;
  }

  /** Whether a detector may see a frame. */
  async isWanted(frame: Frame): Promise<boolean> {
    return this.#placing === undefined || this.#placing.isWanted(frame);
  }

  eyes(plan: SourcePlan): Promise<Eyes | null> {
    const { detector, classes, segmenter } = this.#request;
    const environment = this.#environment;
    return openEyes({ detector: detectorFor(plan, detector), classes, segmenter, environment });
  }

  /** A frame of the size that the profile looks at. */
  sized(frame: Frame): Frame {
    return smallerFrame(frame, PROFILES[this.#request.profile ?? "full"].pictureSidePx);
  }
}
