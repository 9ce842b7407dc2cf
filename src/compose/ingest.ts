import { basename, resolve } from "node:path";
import { NOWHERE } from "../geometry/index.ts";
import type { IngestHooks, IngestOptions, IngestSummary, PrivacyPolicyInput } from "../ingest/index.ts";
import type { WriteBatch } from "../memory/port.ts";
import { contentId, LociError, WORLD_FRAME } from "../schema/core.ts";
import type { Frame, ReadOptions, RecordingReader, SourcePlan } from "../sensors/index.ts";
import type { MapJoin } from "../sharing/index.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import { detectorFor, type Eyes, type EyesRequest, openEyes } from "./ingest-eyes.ts";
import { ingestModels } from "./ingest-models.ts";
import type { IngestWork } from "./ingest-work.ts";
import { joinScene } from "./join.ts";
import type { Memory } from "./memory.ts";

type Skip = Parameters<NonNullable<ReadOptions["onSkip"]>>[0];

/** How a recording is taken in; language models in it describe, caption, adjudicate and summarise as well. */
export interface IngestRequest extends EyesRequest {
  readonly sceneId?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly privacy?: PrivacyPolicyInput | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  /** Longest side of the pictures of views, pixels, 64 to 4096; default 640. */
  readonly viewPx?: number | undefined;
  /** What the files do not tell about themselves. */
  readonly read?: ReadOptions | undefined;
  /** Models opened by the caller, so that a missing one is reported before anything is created; replaces their names. */
  readonly eyes?: Eyes | null | undefined;
  /**
   * Where poses come from when the recording has none: "icp" from depth, "http://…" from a service, "none". "auto"
   * (the default) is "icp" for a recording with depth and without a single pose. Said outright, "icp" and a service
   * are asked even where there are poses.
   */
  readonly odometry?: string | undefined;
  /**
   * The recording's poses are in a map of this name, whatever its frames are called: as of a robot that was restarted, or
   * whose frames are called as those of another. Until it is joined it is a map of its own.
   */
  readonly map?: string | undefined;
  /** Whether maps that nobody aligned are joined at the end; default true. */
  readonly join?: boolean | undefined;
  /** Identifies the ingest, so that an interrupted one can be resumed; absent for sources that cannot be read twice. */
  readonly work?: { readonly id: string; readonly what: string } | undefined;
}

/** What became of a recording, and of the maps that its robots have of one scene. */
export interface IngestReport extends IngestSummary {
  readonly maps: readonly MapJoin[];
}

/** What lies at a path, before anything is taken in: format, streams, times, poses, conventions, what is missing. */
export async function describeRecording(source: string, read: ReadOptions = {}): Promise<SourcePlan> {
  const { describeSource } = await import("../sensors/index.ts");
  return describeSource(source, read);
}

/** How a recording without poses will be placed, in a word; "recorded" where it brings its own. */
export function odometryFor(plan: SourcePlan, choice = "auto"): string {
  checkOdometry(choice);
  if (choice !== "auto") return choice;
  if (plan.poses !== null) return "recorded";
  // Our own recordings do not list their depth images; a frame without one stays without a pose.
  return plan.streams.some(({ use }) => ["depth", "cloud", "frames"].includes(use)) ? "icp" : "none";
}

function checkOdometry(choice: string): void {
  if (["auto", "icp", "none", "recorded"].includes(choice) || /^https?:\/\//.test(choice)) return;
  throw new LociError(
    "invalid-input",
    `expected odometry auto, icp, none or the address of a service, got "${choice.slice(0, 64)}"`,
  );
}

/** Throws if a pose service does not answer, before anything is created; the other methods need no service. */
export async function checkPlacing(odometry: string, signal?: AbortSignal): Promise<void> {
  checkOdometry(odometry);
  if (!/^https?:/.test(odometry)) return;
  const { reachPoseService } = await import("../sensors/index.ts");
  await reachPoseService(odometry, signal ? { signal } : {});
}

/** A recording that was looked at once, for what is said of it and for reading it. Whoever found it closes it. */
export interface FoundRecording {
  readonly plan: SourcePlan;
  /**
   * Its reader, where something of it can be taken in; throws, with the reasons, where there is nothing. Whoever makes a
   * memory for it asks this first, so that none is made of nothing. Live robots are not waited for.
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
      if (recording.format !== "rosbridge") await checkUsable(recording, () => leftOut, signal);
      isChecked = true;
      return recording;
    },
    close: () => found.close(),
  };
}

/** Takes a recording into a memory; may be interrupted and run again. What holds nothing usable leaves it untouched. */
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

/** The same of a recording that is open already, and stays so. */
export async function ingestOpened(
  memory: Memory,
  source: string,
  recording: RecordingReader,
  request: IngestRequest,
  hooks: IngestHooks = {},
): Promise<IngestReport> {
  // A robot that is told to stop ends as a recording does: with what was seen until then, and no error.
  const { signal, ...others } = hooks;
  if (recording.format === "rosbridge") return ingestInto(memory, until(recording, signal), request, others);
  return ingestInto(memory, recording, { ...request, work: workOf(source, request) }, hooks);
}

/** The same source taken in the same way is the same work. */
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

/** The same for frames that come from anywhere: a live robot, a simulation, a part of a recording. */
export async function ingestInto(
  memory: Memory,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> = {},
  hooks: IngestHooks = {},
): Promise<IngestReport> {
  const summary = await workThrough(memory, recording, request, hooks);
  const maps = request.join === false ? [] : await joinScene(memory, request.sceneId ?? "default");
  return { ...summary, maps };
}

async function workThrough(
  memory: Memory,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only">,
  hooks: IngestHooks,
): Promise<IngestSummary> {
  const { labels = [] } = request;
  // It goes on from what all see who may see what it writes, so that rooms and their texts tell of nothing else.
  const seen = memory.as({ principal: { id: "ingest", labels } });
  try {
    return await workSeen({ memory, seen }, recording, { ...request, labels }, hooks);
  } finally {
    await seen.close();
  }
}

/** A memory, and the same as all see it who may see what an ingest writes. */
interface Taking {
  readonly memory: Memory;
  readonly seen: Memory;
}

async function workSeen(
  taking: Taking,
  recording: RecordingReader,
  request: IngestRequest & Pick<IngestOptions, "only"> & { readonly labels: readonly string[] },
  hooks: IngestHooks,
): Promise<IngestSummary> {
  if (request.work === undefined) return takeIn(taking, recording, request, hooks, undefined);
  const { Diverged, IngestWork } = await import("./ingest-work.ts");
  const { memory, seen } = taking;
  for (let attempt = 0; ; attempt++) {
    const work = await IngestWork.begin(memory, seen, { ...request.work, labels: request.labels });
    try {
      const summary = await takeIn(taking, recording, request, hooks, work);
      await memory.calibrate();
      await work.finish();
      return summary;
    } catch (error) {
      // The first time over, nothing was written that was not there: the work is begun anew.
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
): Promise<IngestSummary> {
  const { ingest, observationIdOf, parsePrivacyPolicy, zoneAt } = await import("../ingest/index.ts");
  const reader = (await work?.readerBefore()) ?? (await reading.reader());
  const embedder = await memory.embedder();
  const background = work?.background ?? (await memory.background());
  const write =
    work?.write ??
    (async (batch: WriteBatch) => memory.write(await ownLayer(batch, request.labels, await memory.reader())));
  const readerNow = work && (() => work.readerNow());
  const policy = parsePrivacyPolicy(request.privacy ?? {});
  const eyes = request.eyes === undefined ? await openEyes(request) : request.eyes;
  try {
    const own = request.map === undefined ? recording : inOwnMap(recording, request.map);
    const posed = await placed(own, request, hooks.signal);
    const seen =
      eyes === null
        ? posed
        : await looked(posed, eyes, async (frame) => {
            if (request.only?.(frame) === false) return false;
            // A frame from a no-recording zone must not leave the process, and the detector may be a remote service.
            if (frame.worldFromCamera && zoneAt(policy, frame.worldFromCamera.p)) return false;
            // A frame that is remembered already is not looked at again when an ingest goes on.
            return (
              (await reader.get([observationIdOf(request.sceneId ?? "default", frame)]))[0] === undefined
            );
          });
    const asked = request.models && (await ingestModels(request.models, hooks.signal));
    const models = { ...asked, ...(eyes?.reader && { reader: eyes.reader }) };
    const { manyWriters } = memory.engine.capabilities;
    const options = { ...request, models, reader, readerNow, embedder, background, write, manyWriters };
    return await ingest(seen, options, hooks);
  } finally {
    if (request.eyes === undefined) await eyes?.close();
  }
}

/** The same recording in a map of its own: every frame of it, the map's first of all, has the map's name in its own. */
function inOwnMap(recording: RecordingReader, root: string): RecordingReader {
  if (!/^[A-Za-z0-9][\w.-]{0,47}$/.test(root) || root === WORLD_FRAME || root === NOWHERE)
    throw new LociError(
      "invalid-input",
      `expected a name for the map such as robot-1.tuesday, got "${root.slice(0, 64)}"`,
    );
  const named = (frame: string) => (frame === WORLD_FRAME ? root : `${root}:${frame}`);
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options)) {
        if (item.kind === "frame") {
          const { submap, mapFrame } = item.frame;
          yield {
            kind: "frame",
            frame: {
              ...item.frame,
              mapFrame: named(mapFrame),
              ...(submap && { submap: { ...submap, frame: named(submap.frame) } }),
            },
          };
        } else if (item.kind === "edge") {
          const { parent, child } = item.edge.edge;
          const edge = { ...item.edge.edge, parent: named(parent), child: named(child) };
          yield { kind: "edge", edge: { ...item.edge, edge } };
        } else yield item;
      }
    },
  };
}

/** A live source that ends when the signal says so. */
function until(recording: RecordingReader, signal: AbortSignal | undefined): RecordingReader {
  return { ...recording, close: () => recording.close(), items: () => recording.items({ signal }) };
}

/** The recording with poses from a tracker, where one was asked for. */
async function placed(
  recording: RecordingReader,
  { odometry = "none", environment = {} }: IngestRequest,
  signal: AbortSignal | undefined,
): Promise<RecordingReader> {
  checkOdometry(odometry);
  if (odometry === "none" || odometry === "recorded" || odometry === "auto") return recording;
  const { HttpSlam, withOdometry } = await import("../sensors/index.ts");
  const { IcpOdometry } = await import("../localisation/index.ts");
  if (odometry === "icp") return withOdometry(recording, () => new IcpOdometry(), { ignorePoses: true });
  const apiKey = environment["LOCI_SLAM_API_KEY"];
  return withOdometry(
    recording,
    ({ agentId, sensorId }) =>
      new HttpSlam({ url: odometry, session: `${agentId}.${sensorId}`, apiKey, signal }),
    { ignorePoses: true },
  );
}

/** The recording with what eyes find in the frames that are wanted. */
async function looked(
  recording: RecordingReader,
  eyes: Eyes,
  isWanted: (frame: Frame) => Promise<boolean>,
): Promise<RecordingReader> {
  const { detectAhead } = await import("../perception/index.ts");
  return {
    ...recording,
    close: () => recording.close(),
    items: (options = {}) =>
      (recording.format === "rosbridge" ? undefined : eyes.through?.(recording.items(options), isWanted)) ??
      detectAhead(recording.items(options), async (item) =>
        item.kind === "frame" && (await isWanted(item.frame))
          ? { kind: "frame", frame: await eyes.look(item.frame) }
          : item,
      ),
  };
}
