import { setTimeout as pause } from "node:timers/promises";
import { type DriverOptions, type Memory, openRobot } from "../../compose.ts";
import { isLociError, type RecordOf } from "../../schema/core.ts";

export interface EventsOptions extends DriverOptions {
  /** Default /loci/events. */
  readonly topic?: string;
  /** Events after this memory time; default: those to come. */
  readonly afterUs?: number;
  readonly signal: AbortSignal;
  /** Called while the robot cannot be reached; publishing is retried from the event that failed. */
  readonly onWaiting?: (error: unknown) => void;
}

const TOPIC = "/loci/events";
const TYPE = "std_msgs/msg/String";
const AGAIN_MS = 5_000;

/**
 * Publishes the events of the memory to a robot, each as JSON in a String, so that subscribers need no message types of
 * ours. No queue can overflow while the robot is away: publishing resumes from the memory's own log. Only a message
 * sent at the moment the connection breaks may be lost: topics are not acknowledged.
 */
export async function publishEvents(memory: Memory, options: EventsOptions): Promise<void> {
  const { signal, topic = TOPIC } = options;
  const reader = await memory.reader();
  const afterUs = options.afterUs ?? (await reader.stats()).lastCommitUs;
  const robot = await openRobot(options);
  try {
    for await (const { put } of reader.changes({ ...(afterUs !== null && { afterUs }), signal })) {
      for (const record of put) {
        if (record.kind !== "event") continue;
        const message = { data: JSON.stringify(eventOf(record)) };
        await untilSent(() => robot.publish(topic, TYPE, message), options);
        if (signal.aborted) return;
      }
    }
  } finally {
    await robot.close();
  }
}

function eventOf({
  id,
  type,
  text,
  who,
  regionId,
  validFromUs,
  validToUs,
  detail,
  author,
}: RecordOf<"event">) {
  return { id, type, text, who, regionId, validFromUs, validToUs, detail, author };
}

async function untilSent(
  send: () => Promise<void>,
  { signal, onWaiting, pauseMs }: EventsOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await send();
    } catch (error) {
      if (!isLociError(error, "source-unavailable")) throw error;
      onWaiting?.(error);
      await pause(pauseMs ?? AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}
