import { basename, resolve } from "node:path";
import type { IngestHooks, IngestOptions, IngestSummary, PrivacyPolicyInput } from "../ingest/index.ts";
import type { WriteBatch } from "../memory/port.ts";
import { contentId } from "../schema/core.ts";
import type { ReadOptions, RecordingReader, SourcePlan } from "../sensors/index.ts";
import { isLiveFormat } from "../sensors/live/formats.ts";
import type { MapJoin } from "../sharing/index.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import type { ArrivalReport } from "./arriving.ts";
import { detectorFor, type Eyes, type EyesRequest, openEyes } from "./ingest-eyes.ts";
import { ingestModels } from "./ingest-models.ts";
import { checkOdometry, looked, placedIn } from "./ingest-placing.ts";
import type { IngestWork } from "./ingest-work.ts";
import { joinScene } from "./join.ts";
import type { Landing } from "./landing.ts";
import { landLater } from "./landing-later.ts";
import type { Memory } from "./memory.ts";
import type { ReturnReport } from "./returned.ts";

export type { ArrivalReport } from "./arriving.ts";
export type { ReturnReport } from "./returned.ts";

type Skip = Parameters<NonNullable<ReadOptions["onSkip"]>>[0];

/** How a recording is ingested; language models also describe, caption, adjudicate and summarise. */
export interface IngestRequest extends EyesRequest {
  readonly sceneId?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly privacy?: PrivacyPolicyInput | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  /** Longest side of the pictures of views, pixels, 64 to 4096; default 640. */
  readonly viewPx?: number | undefined;
  /** What the files do not say about themselves. */
  readonly read?: ReadOptions | undefined;
  /** Models opened by the caller, to report a missing one before anything is created; overrides the names above. */
  readonly eyes?: Eyes | null | undefined;
  /**
   * Where poses come from when the recording has none: "icp" from depth, "http://…" from a service, or "none". "auto"
   * (the default) is "icp" for a recording with depth and no poses. When named, "icp" and a service are used even
   * where poses exist.
   */
  readonly odometry?: string | undefined;
  /**
   * The map that the recording's poses are in, whatever its frames are called, for example after a robot restart or
   * where two robots use the same frame names. It stays a separate map until it is joined. "world" places it in the
   * known world. Without a name, a recording with its own origin gets its own map unless it is recognised.
   */
  readonly map?: string | undefined;
  /** Whether to join unaligned maps at the end; default true. */
  readonly join?: boolean | undefined;
  /** Identifies the ingest, so that an interrupted one can be resumed; absent for sources that cannot be read twice. */
  readonly work?: { readonly id: string; readonly what: string } | undefined;
}

/** The result of an ingest, with the maps that its robots have of each scene. */
export interface IngestReport extends IngestSummary {
  /** Where the recording was found to lie, if that was not given. */
  readonly arrival?: ArrivalReport;
  /** What happened to the known things, where the recording returned to a known place. */
  readonly returned?: ReturnReport;
  readonly maps: readonly MapJoin[];
}

/** Describes a recording before it is ingested: format, streams, times, poses, conventions, what is missing. */
export async function describeRecording(source: string, read: ReadOptions = {}): Promise<SourcePlan> {
  const { describeSource } = await import("../sensors/index.ts");
  return describeSource(source, read);
}

/** How a recording without poses will be localised, in one word; "recorded" where it has its own poses. */
export function odometryFor(plan: SourcePlan, choice = "auto"): string {
  checkOdometry(choice);
  if (choice !== "auto") return choice;
  if (plan.poses !== null) return "recorded";
  // Our own recordings do not list their depth images; a frame without one stays without a pose.
  return plan.streams.some(({ use }) => ["depth", "cloud", "frames"].includes(use)) ? "icp" : "none";
}

/** Throws if a pose service does not answer, before anything is created; the other methods need no service. */
export async function checkPlacing(odometry: string, signal?: AbortSignal): Promise<void> {
  checkOdometry(odometry);
  if (!/^https?:/.test(odometry)) return;
  const { reachPoseService } = await import("../sensors/index.ts");
  await reachPoseService(odometry, signal ? { signal } : {});
}

/** A recording inspected once, for describing and for reading it. The caller closes it. */
export interface FoundRecording {
  readonly plan: SourcePlan;
  /**
   * Its reader; throws with the reasons if it holds nothing to ingest. Call it before creating a memory, so that no
   * empty one is created. Does not wait for live robots.
   */
  usable(signal?: AbortSignal): Promise<RecordingReader>;
  close(): Promise<void>;
}

export async function findRecording(source: string, read: ReadOptions = {}): Promise<FoundRecording> {
  const { openSource, readerOf } = await import("../sensors/index.ts");
  const leftOut: Skip[] = [];
  let isChecked = false;
  const onSkip = (part: Skip) => void (isChecked ? read.onSkip?.(part) : leftOut.push(part));
  const found = await openSource(source, { ...read, onSkip });
  return {
    plan: found.plan,
    async usable(signal) {
      const { checkUsable } = await import("../ingest/index.ts");
      const recording = readerOf(found);
      if (!isLiveFormat(recording.format)) await checkUsable(recording, () => leftOut, signal);
      isChecked = true;
      return recording;
    },
    close: () => found.close(),
  };
}

/** Ingests a recording; may be interrupted and run again. Without usable frames the memory is untouched. */
export async function ingestRecording(
  memory: Memory,
  source: string,
  request: IngestRequest = {},
  hooks: IngestHooks = {},
): Promise<IngestReport> {
  const read = request.read ?? {};
  const { odometry: asked = "auto", models } = request;
  const isOurs = request.eyes === undefined && request.detector === undefined && !models?.get("detector");
  const found = await findRecording(source, read);
  try {
    const odometry = asked === "auto" ? odometryFor(found.plan) : asked;
    const detector = isOurs ? detectorFor(found.plan) : request.detector;
    const recording = await found.usable(hooks.signal);
    return await ingestOpened(memory, source, recording, { ...request, odometry, detector }, hooks);
  } finally {
    await found.close();
  }
}

/** The same for a recording that is already open; it stays open. */
export async function ingestOpened(
  memory: Memory,
  source: string,
  recording: RecordingReader,
  request: IngestRequest,
  hooks: IngestHooks = {},
): Promise<IngestReport> {
  // Stopping a live robot ends like a recording: what was seen is stored, without an error.
  const { signal, ...others } = hooks;
  if (isLiveFormat(recording.format)) return ingestInto(memory, until(recording, signal), request, others);
  return ingestInto(memory, recording, { ...request, work: workOf(source, request) }, hooks);
}

/** The same source with the same settings is the same work. */
function workOf(source: string, request: IngestRequest): NonNullable<IngestRequest["work"]> {
  const path = resolve(source);
  const { sceneId = "default", labels = [], mode = "loci", privacy = {}, read = {}, odometry = "" } = request;
  const { detector = "", classes = [], segmenter = "", ocr = "", map = "", viewPx } = request;
  const how = JSON.stringify([
    sceneId,
    labels,
    mode,
    privacy,
    read,
    odometry,
    detector,
    classes,
    segmenter,
    ocr,
    ...(map === "" && viewPx === undefined ? [] : [map]),
    ...(viewPx === undefined ? [] : [viewPx]),
  ]);
  return { id: contentId("ingest", path, how), what: `ingest of ${basename(path)}` };
}

/** The same for frames from any source: a live robot, a simulation, part of a recording. */
export async function ingestInto(
  memory: Memory,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> = {},
  hooks: IngestHooks = {},
): Promise<IngestReport> {
  const { sceneId = "default" } = request;
  const { summary, arrival: began, sinceUs, landing } = await workThrough(memory, recording, request, hooks);
  const arrival = landing?.place ?? began;
  const maps = request.join === false ? [] : await joinScene(memory, sceneId);
  const returned =
    sinceUs === undefined
      ? undefined
      : await (await import("./returned.ts")).returnedTo(memory, sceneId, sinceUs);
  return { ...summary, ...(arrival && { arrival }), ...(returned && { returned }), maps };
}

/** What was ingested, and where it lies. */
interface Taken {
  readonly summary: IngestSummary;
  readonly arrival: ArrivalReport | undefined;
  readonly sinceUs: number | undefined;
  readonly landing: Landing | undefined;
}

async function workThrough(
  memory: Memory,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only">,
  hooks: IngestHooks,
): Promise<Taken> {
  const { labels = [], sceneId = "default" } = request;
  // It reads only what every holder of the written labels may see, so that rooms and their texts reveal nothing else.
  const seen = memory.as({ principal: { id: "ingest", labels } });
  try {
    const taken = await workSeen({ memory, seen }, recording, { ...request, labels }, hooks);
    await landLater(memory, sceneId, taken.landing);
    return taken;
  } finally {
    await seen.close();
  }
}

/** A memory, and its view for every holder of the written labels. */
interface Taking {
  readonly memory: Memory;
  readonly seen: Memory;
}

async function workSeen(
  taking: Taking,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> & { readonly labels: readonly string[] },
  hooks: IngestHooks,
): Promise<Taken> {
  if (request.work === undefined) return takeIn(taking, recording, request, hooks, undefined);
  const { Diverged, IngestWork } = await import("./ingest-work.ts");
  const { memory, seen } = taking;
  for (let attempt = 0; ; attempt++) {
    const work = await IngestWork.begin(memory, seen, { ...request.work, labels: request.labels });
    try {
      const taken = await takeIn(taking, recording, request, hooks, work);
      await memory.calibrate();
      await work.finish();
      return taken;
    } catch (error) {
      // A divergence shows before anything new is written: end this work and start another, once.
      if (!(error instanceof Diverged) || attempt > 0) throw error;
      await work.finish();
    } finally {
      await work.close();
    }
  }
}

async function takeIn(
  { memory, seen: reading }: Taking,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> & { readonly labels: readonly string[] },
  hooks: IngestHooks,
  work: IngestWork | undefined,
): Promise<Taken> {
  const { ingest } = await import("../ingest/index.ts");
  const reader = (await work?.readerBefore()) ?? (await reading.reader());
  const embedder = await memory.embedder();
  const background = work?.background ?? (await memory.background());
  const write =
    work?.write ??
    (async (batch: WriteBatch) => memory.write(await ownLayer(batch, request.labels, await memory.reader())));
  const readerNow = work && (() => work.readerNow());
  const eyes = request.eyes === undefined ? await openEyes(request) : request.eyes;
  try {
    const graph = async () => (await memory.reader()).frames();
    const placing = { readerNow: () => reading.reader(), graph };
    const where = await placedIn(recording, reader, request, hooks.signal, placing);
    const { placed, arrival, sinceUs, isWanted } = where;
    const seen =
      eyes === null
        ? placed
        : await looked(placed, eyes, async (frame) => request.only?.(frame) !== false && isWanted(frame));
    const asked = request.models && (await ingestModels(request.models, hooks.signal));
    const models = { ...asked, ...(eyes?.reader && { reader: eyes.reader }) };
    const { manyWriters } = memory.engine.capabilities;
    const options = { ...request, models, reader, readerNow, embedder, background, write, manyWriters };
    return { summary: await ingest(seen, options, hooks), arrival, sinceUs, landing: where.landing?.() };
  } finally {
    if (request.eyes === undefined) await eyes?.close();
  }
}

/** A live source that ends on the signal. */
function until(recording: RecordingReader, signal: AbortSignal | undefined): RecordingReader {
  return { ...recording, close: () => recording.close(), items: () => recording.items({ signal }) };
}
