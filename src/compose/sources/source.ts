import { setTimeout as pause } from "node:timers/promises";
import { LociError } from "../../schema/core.ts";
import { type FoundRecording, findRecording } from "../ingest.ts";
import type { LiveFrames, Seat } from "../live-frames.ts";
import type { Memory } from "../memory.ts";
import { takeLive } from "./live-source.ts";
import { Meter } from "./meter.ts";
import { takeRecording } from "./recording-source.ts";
import type { SourceRequest, SourceStatus } from "./request.ts";
import { AGAIN } from "./settings.ts";
import { Taking } from "./taking.ts";

export interface SourceContext {
  readonly memory: Memory;
  readonly frames: LiveFrames;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowUs: () => number;
}

/** The usual rule: answers should know what is there now, not what was there some frames ago. */
const WHEN_BEHIND = "newest";

/** One source that is being taken in, from its start until it has ended or is stopped. */
export class Source {
  readonly id: string;
  readonly request: SourceRequest;
  readonly #isLive: boolean;
  readonly #meter: Meter;
  readonly #stop = new AbortController();
  readonly #totalFrames: number | null;
  readonly #done: Promise<void>;

  private constructor(
    context: SourceContext,
    {
      id,
      request,
      isLive,
    }: { readonly id: string; readonly request: SourceRequest; readonly isLive: boolean },
    { taking, found }: { readonly taking: Taking; readonly found: FoundRecording | undefined },
  ) {
    this.id = id;
    this.request = request;
    this.#isLive = isLive;
    this.#meter = new Meter(context.nowUs);
    this.#totalFrames = found ? found.plan.frames : null;
    const { scene: sceneId = "default", labels = [] } = request;
    const filing = { sceneId, labels, author: undefined, how: taking.how };
    const seat = context.frames.seat(filing, "ingest");
    this.#done = this.#run(taking, found, seat);
  }

  /** A recording that cannot be read, or an address that can be none, is an error here; a robot that is away is not. */
  static async begin(
    context: SourceContext,
    { id, request }: { readonly id: string; readonly request: SourceRequest },
  ): Promise<Source> {
    const { checkLive, isLive: isLiveSource } = await import("../../sensors/index.ts");
    const isLive = isLiveSource(request.source);
    const taking = new Taking(context.memory, request, { ...context, isLive });
    if (isLive) await checkLive(request.source);
    const found = isLive ? undefined : await recordingAt(taking);
    return new Source(context, { id, request, isLive }, { taking, found });
  }

  get isOver(): boolean {
    return ["finished", "stopped", "failed"].includes(this.#meter.state);
  }

  status(): SourceStatus {
    const { source, scene = "default", whenBehind = WHEN_BEHIND, profile = "full" } = this.request;
    return {
      id: this.id,
      source,
      kind: this.#isLive ? "live" : "recording",
      scene,
      ...this.#meter.figures(),
      totalFrames: this.#totalFrames,
      whenBehind: this.#isLive ? whenBehind : null,
      profile,
    };
  }

  /** Ends it after the frame that it is at, or after a short while whatever hangs. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.race([this.#done, pause(AGAIN.stopS * 1_000, undefined, { ref: false })]);
    if (!this.isOver) this.#meter.ended("stopped");
  }

  async #run(taking: Taking, found: FoundRecording | undefined, seat: Seat): Promise<void> {
    const { signal } = this.#stop;
    const meter = this.#meter;
    try {
      if (found === undefined) {
        const { whenBehind = WHEN_BEHIND } = this.request;
        await takeLive(taking, { whenBehind, signal, meter, seat });
      } else await takeRecording(taking, found, { signal, meter, seat });
      // What is pending is written before it counts as finished.
      await seat.leave();
      meter.ended(signal.aborted ? "stopped" : "finished");
    } catch (error) {
      if (signal.aborted) meter.ended("stopped");
      else meter.ended("failed", error);
    } finally {
      await found?.close().catch(() => undefined);
      await seat.leave().catch(() => undefined);
    }
  }
}

async function recordingAt(taking: Taking): Promise<FoundRecording> {
  const found = await findRecording(taking.source, taking.read);
  const { frames, captions, graphs, missing } = found.plan;
  if (frames + captions + graphs > 0) return found;
  await found.close();
  throw new LociError(
    "invalid-input",
    `nothing to take in at ${taking.source}: ${missing[0] ?? "it is empty."}`,
  );
}
