import { type Logger, pino } from "pino";
import {
  Expedition,
  type Eyes,
  localFace,
  type Memory,
  memoryFolder,
  openEyes,
  openRobot,
  parseSource,
  placeName,
} from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { announceServing } from "../../handover/server-file.ts";
import { waitForWriter } from "../../handover/wait-for-writer.ts";
import type { Listener } from "../../http/context.ts";
import { requireTokens, type Serving, serve } from "../../http/server.ts";
import { viewerFolder } from "../../http/viewer-files.ts";
import type { RunningFoxglove } from "../../live/foxglove-server.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface ServeCommandOptions extends MemoryOptions {
  readonly host: string;
  readonly port: number;
  readonly allowHost?: string[];
  readonly allowOrigin?: string[];
  readonly allowWebhook?: string[];
  readonly log: string;
  readonly detector?: string;
  readonly classes?: string[];
  /** A port for Foxglove and Lichtblick; true for their default. */
  readonly foxglove?: number | true;
  /** A robot that receives the memory's events. */
  readonly rosbridge?: string;
  /** Robots and recordings to take in meanwhile, with their options after "?". */
  readonly ingest?: string[];
  /** Lets agents send it to look; the following options are its guard. */
  readonly explore?: boolean;
  readonly fence?: readonly { readonly x: number; readonly y: number }[];
  readonly maxSpeed?: number;
  readonly maxDistance?: number;
}

/** Serves a memory until it is stopped; then finishes the work in progress. */
export async function run(options: ServeCommandOptions, terminal: Terminal): Promise<void> {
  const {
    host,
    port,
    allowHost: hosts = [],
    allowOrigin: origins = [],
    allowWebhook: webhooks = [],
  } = options;
  // Before anything is opened or built.
  requireTokens(memoryFolder(options.memory), host);
  const sources = (options.ingest ?? []).map(parseSource);
  if (options.explore && options.rosbridge === undefined)
    throw new LociError("invalid-input", "--explore needs a robot: --rosbridge ws://HOST:9090");
  const robot = options.rosbridge === undefined ? undefined : await listenerAt(options.rosbridge);
  const log = pino({ level: options.log, base: null }, pino.destination({ dest: 2, sync: true }));
  const { detector, classes } = options;
  const eyes = await openEyes({ detector, classes, environment: process.env });
  await withMemory(options, { create: true }, async (memory) => {
    // Becomes the one writer now, not with the first write, so that a second process fails at once.
    await waitForWriter(memory, {
      signal: terminal.signal,
      onWaiting: () => terminal.note("waiting for another process to give the memory back"),
    });
    const viewer = await viewerFolder(() => terminal.note("building the viewer, once"));
    const explores = options.explore ? expeditionOf(memory, options, eyes) : undefined;
    const shown = { viewer, robot, explores, ...(eyes && { eyes }) };
    const served = { host, port, hosts, origins, webhooks, log, ...shown };
    const ending = new AbortController();
    const started: (() => unknown)[] = [];
    try {
      const serving = await serve(memory, served);
      started.push(() => serving.close());
      const live = options.foxglove === undefined ? undefined : await showLive(memory, serving, options, log);
      if (live) started.push(() => live.close());
      const face = localFace(memory);
      started.push(() => face.close());
      for (const source of sources) await face.startSource(source);
      started.push(announceServing(memory.folder, serving));
      const place = placeName(options.memory);
      terminal.line(
        { url: serving.url, memory: place, ...(live && { foxglove: live.url }) },
        () => `loci serves ${place} at ${serving.url}${live ? `, to Foxglove at ${live.url}` : ""}`,
      );
      const told = tellRobot(memory, options, AbortSignal.any([terminal.signal, ending.signal]), log);
      started.push(() => told);
      await aborted(terminal.signal);
    } finally {
      ending.abort();
      // What was started last ends first; a start that fails leaves nothing running.
      for (const end of started.reverse()) await end();
      await robot?.close();
    }
  }).finally(() => eyes?.close());
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The robot as agents may send it: within the limits of the command line, whatever they request. */
function expeditionOf(memory: Memory, options: ServeCommandOptions, eyes: Eyes | null): Expedition {
  const { rosbridge: url, fence, maxSpeed: maxSpeedMps, maxDistance: maxPathM } = options;
  return new Expedition(memory, { url: url!, eyes, guard: { fence, maxSpeedMps, maxPathM } });
}

/** To the same people, by the same tokens. */
async function showLive(
  memory: Memory,
  { access }: Serving,
  { host, allowOrigin: origins = [], foxglove }: ServeCommandOptions,
  log: Logger,
): Promise<RunningFoxglove> {
  const { startFoxglove } = await import("../../live/foxglove-server.ts");
  const { byTokens } = await import("../../live/token-admission.ts");
  return startFoxglove(memory, {
    host,
    ...(typeof foxglove === "number" && { port: foxglove }),
    admit: byTokens(access),
    origins,
    onError: (error) => log.error({ error: String(error) }, "the live stream ended"),
  });
}

const GOAL_TOPIC = "/goal_pose";
/** The sender of a goal waits for it, so an unreachable robot is reported at once. */
const TRIES = 2;

/** The robot that people send somewhere from the page, by a connection that is made with the first goal. */
async function listenerAt(url: string): Promise<Listener & { close(): Promise<void> }> {
  const driver = await openRobot({ url, goalTopic: GOAL_TOPIC, tries: TRIES });
  return {
    address: url,
    topic: GOAL_TOPIC,
    sendGoal: (goal) => driver.publishGoal(goal),
    close: () => driver.close(),
  };
}

/** Publishes events to a robot that may connect and disconnect; ends when the server does. */
async function tellRobot(
  memory: Memory,
  { rosbridge: url }: ServeCommandOptions,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  if (url === undefined) return;
  const { publishEvents } = await import("../../live/rosbridge.ts");
  const onWaiting = (error: unknown) => log.warn({ error: String(error) }, "the robot is not there");
  await publishEvents(memory, { url, signal, onWaiting }).catch((error: unknown) => {
    if (!signal.aborted) log.error({ error: String(error) }, "the robot is told no more");
  });
}
