import type { LiveFrames, SentFrame } from "../compose/live-frames.ts";
import type { Memory } from "../compose/memory.ts";
import type { LiveOutcome } from "../ingest/index.ts";
import { type OperationContext, stampOf } from "./context.ts";

/** Runs a posed frame through the whole pipeline: things, map, views. Resolves once it is durable. */
export async function ingestFrame(context: OperationContext, frame: SentFrame): Promise<LiveOutcome> {
  const stamp = stampOf(context);
  const filing = {
    sceneId: stamp.scene ?? frame.scene ?? "default",
    labels: stamp.labels(frame.labels),
    author: stamp.author,
  };
  return (await liveFramesOf(context.memory)).take(frame, filing, context);
}

const live = new WeakMap<Memory, Promise<LiveFrames>>();

/** The open ingests of a memory, shared by all senders. */
export function liveFramesOf(memory: Memory): Promise<LiveFrames> {
  let frames = live.get(memory);
  if (frames === undefined) {
    frames = import("../compose/live-frames.ts").then(({ LiveFrames }) => new LiveFrames(memory));
    live.set(memory, frames);
  }
  return frames;
}

/** Finishes all open ingests; call it before the memory is closed. */
export async function finishFrames(memory: Memory): Promise<void> {
  await (await live.get(memory))?.finish();
}
