import { apply, NOWHERE } from "../geometry/index.ts";
import type { PrivacyPolicyInput } from "../ingest/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import { LociError, WORLD_FRAME } from "../schema/core.ts";
import type { Frame, RecordingReader } from "../sensors/index.ts";
import { isLiveFormat } from "../sensors/live/formats.ts";
import { type ArrivalReport, type Arriving, arrivalOf } from "./arriving.ts";
import type { Eyes, EyesRequest } from "./ingest-eyes.ts";
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
}

/** Finds out where a recording lies and gives it poses if it needs them: what comes before the eyes. */
export async function placedIn(
  recording: RecordingReader,
  reader: MemoryReader,
  request: PlacingRequest,
  signal: AbortSignal | undefined,
): Promise<PlacedRecording> {
  if (request.map !== undefined) checkMapName(request.map);
  const { observationIdOf, parsePrivacyPolicy, zoneAt } = await import("../ingest/index.ts");
  const policy = parsePrivacyPolicy(request.privacy ?? {});
  const { sceneId = "default", labels = [], map } = request;
  const arriving = await arrivalOf(recording, reader, { sceneId, labels, map, join: request.join !== false });
  const { worldFromRecording, report: arrival, sinceUs } = arriving;
  return {
    placed: await withPoses(namingFrames(inMapOf(arriving, map), await reader.frames()), request, signal),
    arrival,
    sinceUs,
    async isWanted(frame) {
      // A frame from a no-recording zone must not leave the process, and the detector may be a remote service.
      const at = frame.worldFromCamera && apply(worldFromRecording, frame.worldFromCamera.p);
      if (at && zoneAt(policy, at)) return false;
      // On resumption, frames that are already stored are not detected again.
      return (await reader.get([observationIdOf(sceneId, frame)]))[0] === undefined;
    },
  };
}

/** Throws if it is no way to find poses. */
export function checkOdometry(choice: string): void {
  if (["auto", "icp", "none", "recorded"].includes(choice) || /^https?:\/\//.test(choice)) return;
  throw new LociError(
    "invalid-input",
    `expected odometry auto, icp, none or the address of a service, got "${choice.slice(0, 64)}"`,
  );
}

/** The recording placed in the map that was requested or found. */
function inMapOf({ recording, report, edges = [] }: Arriving, asked: string | undefined): RecordingReader {
  const name = report?.map ?? asked;
  const own = name === undefined || name === WORLD_FRAME ? recording : inOwnMap(recording, name);
  if (edges.length === 0) return own;
  const receivedAtUs = recording.info.startUs ?? 0;
  return {
    ...own,
    close: () => own.close(),
    async *items(options = {}) {
      const { frameEdgeSchema, parseOrThrow } = await import("../schema/index.ts");
      for (const edge of edges)
        yield {
          kind: "edge",
          edge: { receivedAtUs, edge: parseOrThrow(frameEdgeSchema, edge, "frame edge") },
        };
      yield* own.items(options);
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
