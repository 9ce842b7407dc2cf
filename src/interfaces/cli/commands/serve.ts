import { type Logger, pino } from "pino";
import { type Memory, memoryFolder, openEyes, openRobot, placeName } from "../../../compose.ts";
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
  /** A port for Foxglove and Lichtblick; true for the one they look at first. */
  readonly foxglove?: number | true;
  /** A robot that is told what happens. */
  readonly rosbridge?: string;
}

/** Serves a memory until it is told to end; then finishes what it began. */
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
  const robot = options.rosbridge === undefined ? undefined : await listenerAt(options.rosbridge);
  const log = pino({ level: options.log, base: null }, pino.destination({ dest: 2, sync: true }));
  const { detector, classes } = options;
  const eyes = await openEyes({ detector, classes, environment: process.env });
  await withMemory(options, { create: true }, async (memory) => {
    // The one writer's place is taken now, not with the first write: whoever comes second should know at once.
    await waitForWriter(memory, {
      signal: terminal.signal,
      onWaiting: () => terminal.note("waiting for another process to give the memory back"),
    });
    const viewer = await viewerFolder(() => terminal.note("building the viewer, once"));
    const served = { host, port, hosts, origins, webhooks, log, viewer, robot, ...(eyes && { eyes }) };
    const serving = await serve(memory, served);
    const withdraw = announceServing(memory.folder, serving);
    const live = options.foxglove === undefined ? undefined : await showLive(memory, serving, options, log);
    const place = placeName(options.memory);
    terminal.line(
      { url: serving.url, memory: place, ...(live && { foxglove: live.url }) },
      () => `loci serves ${place} at ${serving.url}${live ? `, to Foxglove at ${live.url}` : ""}`,
    );
    const told = tellRobot(memory, options, terminal, log);
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) resolve();
      else terminal.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    withdraw();
    await told;
    await live?.close();
    await serving.close();
    await robot?.close();
  }).finally(() => eyes?.close());
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
/** Whoever sends a goal waits for it: a robot that is not there is told at once. */
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

/** What happens, to a robot that may come and go; ends when the server does. */
async function tellRobot(
  memory: Memory,
  { rosbridge: url }: ServeCommandOptions,
  { signal }: Terminal,
  log: Logger,
): Promise<void> {
  if (url === undefined) return;
  const { publishEvents } = await import("../../live/rosbridge.ts");
  const onWaiting = (error: unknown) => log.warn({ error: String(error) }, "the robot is not there");
  await publishEvents(memory, { url, signal, onWaiting }).catch((error: unknown) => {
    if (!signal.aborted) log.error({ error: String(error) }, "the robot is told no more");
  });
}
