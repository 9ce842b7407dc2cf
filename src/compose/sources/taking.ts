import type { Frame, ReadOptions, RecordingReader, SourcePlan } from "../../sensors/index.ts";
import type { ArrivalReport } from "../arriving.ts";
import { type IngestRequest, odometryFor } from "../ingest.ts";
import { detectorFor, type Eyes, openEyes } from "../ingest-eyes.ts";
import { type PlacedRecording, placedIn } from "../ingest-placing.ts";
import { alignScene } from "../join.ts";
import type { Landing } from "../landing.ts";
import type { FilingOptions, LiveFrames } from "../live-frames.ts";
import type { Memory } from "../memory.ts";
import type { SourceRequest } from "./request.ts";
import { PROFILES } from "./settings.ts";
import { smallerFrame } from "./smaller.ts";

/** The source that each scene's world is founded by, while nothing of it is written yet. */
const FOUNDERS = new WeakMap<Memory, Map<string, Taking>>();

function foundsWorld(memory: Memory, sceneId = "default", taking: Taking): boolean {
  const founders = FOUNDERS.get(memory) ?? new Map<string, Taking>();
  FOUNDERS.set(memory, founders);
  const founder = founders.get(sceneId) ?? taking;
  founders.set(sceneId, founder);
  return founder === taking;
}

interface TakingContext {
  readonly isLive: boolean;
  readonly environment: Environment;
  readonly frames: LiveFrames;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How the frames of one source come to be what perception takes: the same for robots and recordings. */
export class Taking {
  readonly source: string;
  readonly read: ReadOptions;
  readonly #memory: Memory;
  readonly #request: SourceRequest;
  readonly #environment: Environment;
  readonly #isLive: boolean;
  readonly #frames: LiveFrames;
  #placing: PlacedRecording | undefined;
  #landing: Landing | undefined;

  constructor(memory: Memory, request: SourceRequest, { isLive, environment, frames }: TakingContext) {
    const { source, read = {}, profile = "full" } = request;
    this.source = source;
    this.#memory = memory;
    this.#request = request;
    this.#environment = environment;
    this.#isLive = isLive;
    this.#frames = frames;
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
    const placing = {
      readerNow: () => seen.reader(),
      ...(this.#isLive && { settle: () => this.#frames.quietly(async () => undefined) }),
      graph: async () => (await this.#memory.reader()).frames(),
      founds: () => foundsWorld(this.#memory, sceneId, this),
    };
    this.#placing = await placedIn(recording, await seen.reader(), request, signal, placing);
    // A robot that is reached again goes on where it was, unless its poses say otherwise.
    if (this.#isLive) this.#landing ??= this.#placing.landing?.();
    return this.#placing.placed;
  }

  /** Where a recording was found to lie. */
  get arrival(): ArrivalReport | undefined {
    return this.#placing?.arrival;
  }

  /** What places the frames of a robot. */
  get landing(): Landing | undefined {
    return this.#landing ?? this.#placing?.landing?.();
  }

  /** Joins the robot's map to the known one if enough was seen of it by now to recognise it. */
  async landAgain(): Promise<void> {
    const found = await this.landing?.lookAgain();
    if (found === undefined) return;
    const { into, map, intoFromMap: transform } = found;
    const { scene: sceneId } = this.#request;
    await this.#frames.quietly(() => alignScene(this.#memory, { sceneId, into, map, transform }));
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
