import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compose, Random } from "../../geometry/index.ts";
import { LociError, type QuestionRecord, throwIfAborted } from "../../schema/index.ts";
import { type Frame, type RecordingWriter, StagedFolder, writeRecordingInto } from "../../sensors/index.ts";
import { Eyes, type Glance, type GlanceTruth } from "../agents/index.ts";
import type { Timeline } from "../dynamics/index.ts";
import { familyOf } from "../families/index.ts";
import { lookAlong, makeQuestions, type QuestionWorld, questionWorld } from "../questions/index.ts";
import { type CameraSpec, DEFAULT_LIDAR, RenderPool, scanRing } from "../sensors/index.ts";
import { type ParsedOptions, parseRecordOptions, type RecordOptions } from "./options.ts";
import { PlainRecording, renderedCamera } from "./plain.ts";
import {
  bodyFromCamera,
  makeAgents,
  type RecordedAgent,
  type ScheduledItem,
  type Shot,
  schedule,
} from "./schedule.ts";
import { type FrameTruth, truthDocument } from "./truth.ts";

export interface RecordProgress {
  readonly frames: number;
  readonly totalFrames: number;
  readonly elapsedMs: number;
}

export interface RecordHooks {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RecordProgress) => void) | undefined;
}

/** What was made, for the command line to print. */
export interface RecordSummary {
  readonly out: string;
  readonly frames: number;
  readonly edges: number;
  readonly agents: number;
  readonly rooms: number;
  readonly things: number;
  readonly events: number;
  /** Number of questions beside it; absent if none were requested. */
  readonly questions?: number;
  readonly elapsedMs: number;
}

/** Truth beside the recording, for evaluators only. */
export const TRUTH_FILE = "truth.json";
/** Questions about the recording with their answers, one JSON document a line, for evaluators only. */
export const QUESTIONS_FILE = "questions.jsonl";
const DEFAULT_QUESTIONS = 100;

/**
 * `simulate FAMILY`: agents tour a generated world for some minutes, and what they see is written as a recording that
 * `ingest` reads like any other, with the truth in a separate truth.json. The folder appears once complete; a bad
 * parameter, an error or an abort leaves nothing. Same options, same decoded content, on any machine.
 */
export async function recordHouse(options: RecordOptions, hooks: RecordHooks = {}): Promise<RecordSummary> {
  const parsed = parseRecordOptions(options);
  const startedMs = performance.now();
  throwIfAborted(hooks.signal);
  const staged = await StagedFolder.create(parsed.out);
  let writer: RecordingWriter | undefined;
  const pool = new RenderPool(parsed.workers === undefined ? {} : { workers: parsed.workers });
  try {
    const world = buildWorld(parsed);
    writer = await writerOf(staged.path, world, parsed);
    const truths: FrameTruth[] = [];
    let edges = 0;
    const total = world.items.filter(({ kind }) => kind === "shot").length;
    for await (const made of produce(world, parsed, pool, hooks.signal)) {
      throwIfAborted(hooks.signal);
      if (made.kind === "edge") {
        await writer.writeEdge(made.edge);
        edges++;
        continue;
      }
      await writer.writeFrame(made.frame);
      truths.push({
        ...made.truth,
        index: made.frame.index,
        agentId: made.frame.agentId,
        trueUs: made.trueUs,
      });
      hooks.onProgress?.({
        frames: truths.length,
        totalFrames: total,
        elapsedMs: performance.now() - startedMs,
      });
    }
    const document = truthDocument(parsed, world.timeline, world.agents, truths);
    await writeFile(join(staged.path, TRUTH_FILE), JSON.stringify(document));
    const questions = questionsAbout(world, parsed, truths);
    if (questions !== undefined)
      await writeFile(
        join(staged.path, QUESTIONS_FILE),
        questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
      );
    await writer.finish();
    writer = undefined;
    throwIfAborted(hooks.signal);
    await staged.commit();
    const { house, events } = world.timeline;
    return {
      out: parsed.out,
      frames: truths.length,
      edges,
      agents: world.agents.length,
      rooms: house.rooms.length,
      things: house.things.length,
      events: events.length,
      ...(questions !== undefined && { questions: questions.length }),
      elapsedMs: performance.now() - startedMs,
    };
  } catch (error) {
    await writer?.abort().catch(() => {});
    await staged.discard();
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") {
      throw new LociError("memory-full", `no space left for the recording at ${parsed.out}`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    await pool.close();
  }
}

function writerOf(folder: string, world: RecordedWorld, options: ParsedOptions): Promise<RecordingWriter> {
  const { format, colour, plain, startUs, minutes } = options;
  if (!plain) return writeRecordingInto(folder, { format, colour, source: sourceLine(options) });
  const { camera, agents, items, random } = world;
  const endUs = startUs + Math.round(minutes * 60e6);
  return PlainRecording.create(folder, {
    camera,
    agent: agents[0]!,
    items,
    random: random.fork("plain"),
    startUs,
    endUs,
  });
}

/** Everything that is decided before the first picture. */
export interface RecordedWorld {
  readonly timeline: Timeline;
  readonly eyes: Eyes;
  readonly agents: readonly RecordedAgent[];
  readonly items: readonly ScheduledItem[];
  readonly camera: CameraSpec;
  readonly random: Random;
}

/** World, events, tours, clocks and networks of a recording, from its options alone. */
export function buildWorld(options: ParsedOptions): RecordedWorld {
  const random = new Random(`simulate/${options.family}/${options.seed}`);
  const { seed, rooms, floors, objects, startUs, minutes, rate, people, life } = options;
  const durationUs = Math.round(minutes * 60e6);
  const family = familyOf(options.family);
  const { timeline, tour } = family.make({
    ...{ seed, rooms, floors, objects, rate, people },
    startUs: life?.startUs ?? startUs,
    durationUs: life === undefined ? durationUs : Math.round(life.minutes * 60e6),
  });
  const camera: CameraSpec = {
    ...options.size,
    horizontalFovRad: (options.horizontalFovDeg * Math.PI) / 180,
    heightM: options.cameraHeightM,
    tiltRad: (options.tiltDeg * Math.PI) / 180,
  };
  const endUs = startUs + durationUs;
  const trajectories = Array.from({ length: options.agents }, (_, n) =>
    tour({
      random: random.fork(`tour-${n}`),
      startUs,
      endUs,
      tiltRad: camera.tiltRad,
      phase: n / options.agents,
    }),
  );
  const levels = { ...options.noise, pose: options.noise.pose * family.drift };
  const agents = makeAgents(random.fork("agents"), trajectories, levels, options.agentPrefix);
  const items = schedule(random.fork("schedule"), agents, { startUs, endUs, fps: options.fps });
  return { timeline, eyes: new Eyes(timeline), agents, items, camera, random };
}

/**
 * The same world and truth as a recording of these options, without a single picture: for questions about many
 * houses, where pictures would take hours.
 */
export function imagineHouse(options: RecordOptions): { world: QuestionWorld; truth: unknown } {
  const parsed = parseRecordOptions(options);
  const { timeline, agents, camera, items } = buildWorld(parsed);
  const shots = items.flatMap((item) => (item.kind === "shot" ? [item.shot] : []));
  const frames = lookAlong(timeline, camera, shots);
  const truths = frames.map((frame, index) => ({ ...frame, index, segments: [] }));
  return {
    world: questionWorld({ timeline, agents, camera, frames }),
    truth: truthDocument(parsed, timeline, agents, truths),
  };
}

function questionsAbout(
  { timeline, agents, camera }: RecordedWorld,
  { questions: suite, questionCount: count = DEFAULT_QUESTIONS, wording = "test", seed }: ParsedOptions,
  frames: readonly FrameTruth[],
): QuestionRecord[] | undefined {
  if (suite === undefined) return undefined;
  return makeQuestions(questionWorld({ timeline, agents, camera, frames }), { suite, count, seed, wording });
}

type Made =
  | Extract<ScheduledItem, { kind: "edge" }>
  | { readonly kind: "frame"; readonly frame: Frame; readonly truth: GlanceTruth; readonly trueUs: number };

/** Requests pictures ahead, as many as the pool is wide, and yields them in order of arrival. */
export async function* produce(
  world: RecordedWorld,
  options: ParsedOptions,
  pool: RenderPool,
  signal?: AbortSignal | undefined,
): AsyncGenerator<Made> {
  const waiting: Promise<Made>[] = [];
  let index = 0;
  try {
    for (const item of world.items) {
      throwIfAborted(signal);
      waiting.push(
        item.kind === "edge" ? Promise.resolve(item) : take(world, options, pool, item.shot, index++),
      );
      if (waiting.length > pool.width) yield await waiting.shift()!;
    }
    while (waiting.length > 0) yield await waiting.shift()!;
  } finally {
    // If the reader stops early, pictures still under way are awaited and their failures ignored.
    await Promise.allSettled(waiting);
  }
}

async function take(
  world: RecordedWorld,
  options: ParsedOptions,
  pool: RenderPool,
  shot: Shot,
  index: number,
): Promise<Made> {
  const { agent, trueUs, belief } = shot;
  const pose = agent.trajectory.at(trueUs);
  const noise = { random: world.random.fork(`frame/${agent.id}/${shot.number}`), levels: agent.levels };
  const camera = options.plain ? renderedCamera(world.camera) : world.camera;
  const glance = { index, agentId: agent.id, pose, timeUs: trueUs, camera, pool, noise };
  const scan =
    options.lidar && !options.plain
      ? scanRing(world.eyes.scene(trueUs), DEFAULT_LIDAR, pose.positionInWorld, pose.yawRad)
      : undefined;
  const { frame, truth: rendered } = await world.eyes.look(glance);
  const truth = options.plain ? await plainTruth(world, glance) : rendered;
  const mapFromTrueCamera = compose(agent.mapFromWorld, truth.worldFromCamera);
  const fromBody = bodyFromCamera(shot.mapFromBody, mapFromTrueCamera);
  const believed: Frame = {
    ...frame,
    timeUs: shot.stampUs,
    receivedAtUs: shot.receivedAtUs,
    mapFrame: agent.mapFrame,
    worldFromCamera: belief ? compose(belief.mapFromBody, fromBody) : mapFromTrueCamera,
    odometry: { frame: `${agent.id}.odom`, odomFromBody: belief?.odomFromBody ?? shot.mapFromBody },
    ...(belief && {
      submap: {
        frame: belief.submap.frame,
        submapFromCamera: compose(belief.submap.submapFromBody, fromBody),
      },
    }),
    ...(scan && { scan }),
  };
  return { kind: "frame", frame: believed, truth, trueUs };
}

/** What is in the picture itself, without its margin; there are no segments to tell the truth about. */
async function plainTruth(world: RecordedWorld, glance: Glance): Promise<GlanceTruth> {
  const { truth } = await world.eyes.look({ ...glance, camera: world.camera, pool: undefined });
  return { ...truth, segments: [] };
}

function sourceLine({ family, seed, agents, minutes, fps, size }: ParsedOptions): string {
  return `loci simulate ${family} --seed ${seed} --agents ${agents} --minutes ${minutes} --fps ${fps} --size ${size.width}x${size.height}`;
}
