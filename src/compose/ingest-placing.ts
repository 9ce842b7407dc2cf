import { apply, type FrameGraph, NOWHERE } from "../geometry/index.ts";
import type { PrivacyPolicyInput } from "../ingest/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import { type FrameEdgeInput, LociError, WORLD_FRAME } from "../schema/core.ts";
import type { Frame, RecordingReader } from "../sensors/index.ts";
import { isLiveFormat, isRobotFormat } from "../sensors/live/formats.ts";
import { type ArrivalReport, arrivalOf, nameFor } from "./arriving.ts";
import type { Eyes, EyesRequest } from "./ingest-eyes.ts";
import { edgeItems } from "./known-place.ts";
import { Landing, landed } from "./landing.ts";
import { namingFrames } from "./robot-frames.ts";

/** What of the request of an ingest says where its recording lies; see `IngestRequest`. */
interface PlacingRequest extends Pick<EyesRequest, "environment"> {
  readonly sceneId?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly privacy?: PrivacyPolicyInput | undefined;
  readonly odometry?: string | undefined;
  readonly map?: string | undefined;
  readonly join?: boolean | undefined;
}

/** A recording in the map and at the time that its things will have, with poses. */
export interface PlacedRecording {
  readonly placed: RecordingReader;
  readonly arrival: ArrivalReport | undefined;
  readonly sinceUs: number | undefined;
  /** Whether a frame may be looked at by a detector: not from a zone that is not recorded, and not known already. */
  isWanted(frame: Frame): Promise<boolean>;
  /** What places the frames of a robot as they come. The caller does so where the robot is live. */
  readonly landing?: (() => Landing | undefined) | undefined;
}

/** Finds out where a recording lies and gives it poses if it needs them: what comes before the eyes. */
export async function placedIn(
  recording: RecordingReader,
  reader: MemoryReader,
  request: PlacingRequest,
  signal: AbortSignal | undefined,
  { readerNow, graph, settle, founds = () => true }: PlacingContext,
): Promise<PlacedRecording> {
  if (request.map !== undefined) checkMapName(request.map);
  const { observationIdOf, parsePrivacyPolicy, zoneAt } = await import("../ingest/index.ts");
  const policy = parsePrivacyPolicy(request.privacy ?? {});
  const { sceneId = "default", labels = [], map, join = true } = request;
  const arriving = await arrivalOf(recording, reader, { sceneId, labels, map, join });
  const { worldFromRecording, report: arrival, sinceUs, edges = [] } = arriving;
  const isLive = isLiveFormat(recording.format);
  const name = arrival?.map ?? map;
  let landing: Landing | undefined;
  const place = (own: RecordingReader): RecordingReader => {
    const isTold = map === WORLD_FRAME;
    const options = { sceneId, labels, join, reader: readerNow, graph, settle, founds, isFixed: isTold };
    if (isLive) {
      landing = new Landing({ ...options, ...(isTold ? { start: { map: WORLD_FRAME } } : { map }) });
      return own;
    }
    if (recording.world === "own" && isRobotFormat(recording.format)) {
      const start = arrival ?? { map: name ?? WORLD_FRAME };
      return landed(own, { ...options, start }, (made) => {
        landing = made;
      });
    }
    const inMap = name === undefined || name === WORLD_FRAME ? own : inOwnMap(own, name);
    return namingFrames(inMap, graph);
  };
  const tracked = await withPoses(arriving.recording, request, signal);
  const posed =
    tracked === arriving.recording || name !== undefined
      ? tracked
      : await apartFromEarlier(tracked, arriving.recording, reader, sceneId);
  return {
    placed: withEdges(place(posed), edges),
    arrival,
    sinceUs,
    landing: () => landing,
    async isWanted(frame) {
      const worldFrom = landing?.worldFromMap ?? worldFromRecording;
      // A frame from a no-recording zone must not leave the process, and the detector may be a remote service.
      const at = frame.worldFromCamera && apply(worldFrom, frame.worldFromCamera.p);
      if (at && zoneAt(policy, at)) return false;
      // On resumption, frames that are already stored are not detected again.
      return (await reader.get([observationIdOf(sceneId, frame)]))[0] === undefined;
    },
  };
}

/** What placing needs of a memory that others write to at the same time. */
interface PlacingContext {
  /** The memory as it is when it is called. */
  readonly readerNow: () => Promise<MemoryReader>;
  /** Every frame of it, whoever may see what is anchored to them. */
  readonly graph: () => Promise<FrameGraph>;
  /** Writes what stages still hold of the known map. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** True for the one source that an empty scene's world is founded by. */
  readonly founds?: (() => boolean) | undefined;
}

/** Throws if it is no way to find poses. */
export function checkOdometry(choice: string): void {
  if (["auto", "icp", "none", "recorded"].includes(choice) || /^https?:\/\//.test(choice)) return;
  throw new LociError(
    "invalid-input",
    `expected odometry auto, icp, none or the address of a service, got "${choice.slice(0, 64)}"`,
  );
}

/** The recording after the edges that place it. */
function withEdges(recording: RecordingReader, edges: readonly FrameEdgeInput[]): RecordingReader {
  if (edges.length === 0) return recording;
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      yield* edgeItems(edges, recording.info.startUs ?? 0);
      yield* recording.items(options);
    },
  };
}

function checkMapName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,47}$/.test(name) || name === NOWHERE)
    throw new LociError(
      "invalid-input",
      `expected a name for the map such as robot-1.tuesday, got "${name.slice(0, 64)}"`,
    );
}

/** The recording in a map of its own: every frame name, including the map's root, is prefixed with the map's name. */
function inOwnMap(recording: RecordingReader, root: string): RecordingReader {
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

/** A tracker's map begins wherever it was started: begun anew it is another map, though its frame has the same name. */
async function apartFromEarlier(
  tracked: RecordingReader,
  recording: RecordingReader,
  reader: MemoryReader,
  sceneId: string,
): Promise<RecordingReader> {
  const { observationIdOf } = await import("../ingest/index.ts");
  const { mapsIn } = await import("../sharing/index.ts");
  if ((await mapsIn(reader, sceneId)).length === 0) return tracked;
  if (isLiveFormat(recording.format)) return inOwnMap(tracked, `robot.${Date.now().toString(36)}`);
  const own = nameFor(recording, []);
  const wasOwn = (await reader.frames()).frames().some((frame) => frame.startsWith(`${own}:`));
  for await (const item of recording.items()) {
    if (item.kind !== "frame") continue;
    const [known] = await reader.get([observationIdOf(sceneId, item.frame)]);
    return known !== undefined && !wasOwn ? tracked : inOwnMap(tracked, own);
  }
  return tracked;
}

/** The recording with poses from a tracker, if one was requested. */
async function withPoses(
  recording: RecordingReader,
  { odometry = "none", environment = {} }: PlacingRequest,
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

/** The recording with detections for the wanted frames. */
export async function looked(
  recording: RecordingReader,
  eyes: Eyes,
  isWanted: (frame: Frame) => Promise<boolean>,
): Promise<RecordingReader> {
  const { detectAhead } = await import("../perception/index.ts");
  return {
    ...recording,
    close: () => recording.close(),
    items: (options = {}) =>
      (isLiveFormat(recording.format) ? undefined : eyes.through?.(recording.items(options), isWanted)) ??
      detectAhead(recording.items(options), async (item) =>
        item.kind === "frame" && (await isWanted(item.frame))
          ? { kind: "frame", frame: await eyes.look(item.frame) }
          : item,
      ),
  };
}
