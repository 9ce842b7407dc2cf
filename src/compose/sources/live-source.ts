import { setTimeout as pause } from "node:timers/promises";
import { isLociError, LociError } from "../../schema/core.ts";
import type { RecordingItem, RecordingReader } from "../../sensors/index.ts";
import { type FoundRecording, findRecording } from "../ingest.ts";
import type { Seat } from "../live-frames.ts";
import type { Meter } from "./meter.ts";
import { FrameQueue } from "./queue.ts";
import type { WhenBehind } from "./request.ts";
import { AGAIN, LATER } from "./settings.ts";
import type { Taking } from "./taking.ts";

export interface LiveOptions {
  readonly whenBehind: WhenBehind;
  readonly signal: AbortSignal;
  readonly meter: Meter;
  readonly seat: Seat;
}

/**
 * A running robot, for as long as it is wanted: it is reached again whenever it is lost, with pauses that double up to a
 * bound, and ends only by the signal, by the number of frames that were asked for, or by an error that trying again does not mend.
 */
export async function takeLive(taking: Taking, options: LiveOptions): Promise<void> {
  const { signal, meter } = options;
  const most = taking.read.maxFrames ?? Infinity;
  for (let tried = 0; !signal.aborted && meter.came < most; tried++) {
    const before = meter.came;
    try {
      await takeOnce(taking, options);
      if (meter.came < most && !signal.aborted)
        throw new LociError("source-unavailable", "the robot publishes nothing more");
    } catch (error) {
      if (signal.aborted) return;
      if (!isLociError(error, "source-unavailable")) throw error;
      // What came in between makes it a new loss.
      if (meter.came > before) tried = 0;
      const seconds = Math.min(AGAIN.longestS, AGAIN.firstS * 2 ** tried);
      meter.lost(error, seconds);
      await pause(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** One connection, until it is lost for good. */
async function takeOnce(taking: Taking, { whenBehind, signal, meter, seat }: LiveOptions): Promise<void> {
  const { read } = taking;
  const { maxFrames } = read;
  const left = maxFrames === undefined ? {} : { maxFrames: maxFrames - meter.came };
  const onSkip = ({ what, why }: { readonly what: string; readonly why: string }) =>
    meter.unreadable(`${what}: ${why}`);
  const finding = findRecording(taking.source, { ...read, ...left, onSkip });
  const found = await unlessAborted(finding, signal);
  if (found === undefined) return abandon(finding);
  try {
    const recording = await found.usable(signal);
    const [missing] = found.plan.missing;
    meter.reached(recording, missing);
    const placed = await taking.placed(recording, found.plan, signal);
    await takeFrames(placed, found, { whenBehind, signal, meter, seat, taking });
  } finally {
    await found.close();
  }
}

async function takeFrames(
  recording: RecordingReader,
  found: FoundRecording,
  { whenBehind, signal, meter, seat, taking }: LiveOptions & { readonly taking: Taking },
): Promise<void> {
  const queue = new FrameQueue(whenBehind, (reason, count) => meter.dropped(reason, count));
  meter.watch(queue);
  const eyes = await taking.eyes(found.plan);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const giving = (async () => {
    try {
      for await (const item of recording.items({ signal: both })) {
        if (item.kind === "edge") await seat.edges([item.edge.edge]);
        if (item.kind !== "frame") continue;
        meter.arrived();
        const frame = taking.sized(item.frame);
        taking.landing?.came(frame);
        queue.push(frame, performance.now());
      }
      queue.end();
    } catch (error) {
      queue.end(error);
    }
  })();
  const { landing } = taking;
  const takeIn = async (items: readonly RecordingItem[], atMs?: number) => {
    for (const item of items) {
      if (item.kind === "edge") await seat.edges([item.edge.edge]);
      if (item.kind !== "frame") continue;
      const { frame } = item;
      await meter.take(frame, atMs, async () =>
        seat.take(eyes && (await taking.isWanted(frame)) ? await eyes.look(frame) : frame),
      );
    }
  };
  const tellLater = () => meter.early((eyes?.early ?? 0) + queue.aside);
  /** One frame that was put aside, or looked at before enough was known; false if there is none. */
  const catchUp = async (isPaused: boolean) => {
    const passed = queue.takeAside();
    if (passed)
      await takeIn(landing ? await landing.takeLate(passed.frame) : [{ kind: "frame", frame: passed.frame }]);
    const frame = passed ? undefined : eyes?.again?.(isPaused);
    // A second look at the same picture: an observation of its own, beside the first.
    if (frame) {
      await meter.again(() => seat.take({ ...frame, timeUs: frame.timeUs + 1 }));
    }
    tellLater();
    return passed !== undefined || frame !== undefined;
  };
  try {
    for (;;) {
      while (queue.waiting === 0 && !signal.aborted && (await catchUp(false)));
      while (!(await queue.comes(1_000 * LATER.pauseS, signal)) && (await catchUp(true)));
      const next = await queue.next(signal);
      if (!next) break;
      const { frame, atMs } = next;
      await takeIn(landing ? await landing.take(frame) : [{ kind: "frame", frame }], atMs);
      meter.landed(landing?.place);
      tellLater();
      await taking.landAgain();
    }
    if (landing) await takeIn(await landing.end());
    while (!signal.aborted && (await catchUp(true)));
  } finally {
    ended.abort();
    await giving;
    await eyes?.close();
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A connection that is made after it was wanted is closed. */
function abandon(finding: Promise<FoundRecording>): void {
  void finding.then((found) => found.close()).catch(() => undefined);
}
