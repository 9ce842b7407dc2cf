import { compose, IDENTITY_QUAT, invert, type Quat, type Transform, ZERO } from "../../geometry/index.ts";
import { LociError, throwIfAborted } from "../../schema/index.ts";
import { begunAhead, PicturesAhead } from "../ahead/ahead.ts";
import { detectWorldUp, upright } from "../axes.ts";
import type { Detection, Frame } from "../frame.ts";
import type { ReadOptions, WorldUp } from "../options.ts";
import { countedTimes, infoOf, rateOf, type SourcePlan, type SourceStream, without } from "../plan.ts";
import type { RecordingItem, SourceFormat } from "../recording.ts";
import type { OpenSource } from "../source.ts";
import type { Pinhole, Registration } from "./develop.ts";

/** One picture of a dataset, as its files list it. */
export interface Shot {
  readonly timeUs: number;
  readonly colour?: string | undefined;
  readonly depth?: string | undefined;
  /** In the convention of the files. */
  readonly pose?: Transform | undefined;
  readonly camera?: Pinhole | undefined;
  readonly detections?: readonly Detection[] | undefined;
  /** Required if there is no picture. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

/** A dataset as a list: each format builds one from its files, and `shotSource` turns it into frames. */
export interface ShotList {
  readonly path: string;
  readonly format: SourceFormat;
  readonly shots: readonly Shot[];
  /** For all shots without a camera of their own; undefined if no file has one. */
  readonly camera?: Pinhole | undefined;
  readonly depthCamera?: Pinhole | undefined;
  readonly depthUnitM: number;
  /** A depth value that means no measurement, besides 0. */
  readonly noDepth?: number | undefined;
  readonly cameraAxes: NonNullable<ReadOptions["cameraAxes"]>;
  /** Camera to world unless the files say otherwise. */
  readonly poseConvention?: ReadOptions["poseConvention"];
  /** An axis if the format defines it; "detect" falls back to z, "ask" to an error that names the option. */
  readonly worldUp: WorldUp | "detect" | "ask";
  readonly posesFrom: string;
  /** What stands in for times if the files have none: "frames". */
  readonly counted?: string | undefined;
  readonly conventions?: readonly string[] | undefined;
  readonly missing?: readonly string[] | undefined;
  /** The depths of frames contradict their poses. */
  readonly isMisfit?: boolean | undefined;
  /** The colour camera's position, as found from edges; absent if colour and depth are registered. */
  readonly registration?: Registration | undefined;
  /** Makes floors level in a world that is only roughly upright. */
  readonly levelling?: Quat | undefined;
}

/** Times before 2000 are not dates: they count from a recording's own start. */
const DATES_FROM_US = 946_684_800e6;

/** Frames of a list, decoded one at a time. A picture that does not decode is skipped and reported. */
export function shotSource(list: ShotList, options: ReadOptions): OpenSource {
  const { shots } = list;
  const agentId = options.agentId ?? "camera";
  const cameraAxes = options.cameraAxes ?? list.cameraAxes;
  const isInverse = (options.poseConvention ?? list.poseConvention) === "world-to-camera";
  const { poseUnitM = 1 } = options;
  const inFiles = ({ p: { x, y, z }, q }: Transform) => {
    const pose = { p: { x: x * poseUnitM, y: y * poseUnitM, z: z * poseUnitM }, q };
    return isInverse ? invert(pose) : pose;
  };
  const posed = shots.flatMap(({ pose }) => (pose ? [inFiles(pose)] : []));
  const up = worldUpOf(list, posed, cameraAxes, options);
  const plan = planOf(list, options, {
    up: up.axis,
    how: up.how,
    posed: posed.length,
    cameraAxes,
    isInverse,
  });
  const stands: Transform = { p: ZERO, q: list.levelling ?? IDENTITY_QUAT };
  const besides: Transform = { p: { x: -(list.registration?.shiftM ?? 0), y: 0, z: 0 }, q: IDENTITY_QUAT };
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    let index = 0;
    const pictures = new PicturesAhead(shots.length);
    const { depthCamera, registration, noDepth } = list;
    const begun = begunAhead(shots, (shot) => {
      const camera = options.intrinsics ?? shot.camera ?? list.camera;
      const depthUnitM = options.depthUnitM ?? list.depthUnitM;
      const { colour, depth, size } = shot;
      const negative = { colour, depth, size, camera, depthCamera, registration, depthUnitM, noDepth };
      return { shot, developed: pictures.shot(negative) };
    });
    try {
      for await (const { shot, developed } of begun) {
        throwIfAborted(signal);
        try {
          const pixels = await developed;
          const worldFromCamera =
            shot.pose && compose(stands, compose(upright(inFiles(shot.pose), cameraAxes, up.axis), besides));
          const frame: Frame = {
            index: index++,
            timeUs: shot.timeUs,
            agentId,
            sensorId: options.sensorId ?? "camera",
            mapFrame: options.mapFrame ?? "world",
            ...pixels,
            ...(worldFromCamera && { worldFromCamera }),
            ...(shot.detections && { detections: shot.detections }),
          };
          yield { kind: "frame", frame };
        } catch (error) {
          if (!(error instanceof LociError) || error.code === "not-supported") throw error;
          options.onSkip?.({
            what: (shot.colour ?? shot.depth ?? "a frame").split("/").at(-1)!,
            why: error.message,
          });
        }
      }
    } finally {
      await pictures.close();
    }
  }
  return { plan, info: infoOf(plan, [agentId]), items, close: async () => {} };
}

/** Which axis of the files points up: from the options, the format, or how the camera was held. */
export function worldUpOf(
  list: ShotList,
  posed: readonly Transform[],
  cameraAxes: NonNullable<ReadOptions["cameraAxes"]>,
  { worldUp }: ReadOptions,
): { axis: WorldUp; how: string } {
  if (worldUp) return { axis: worldUp, how: "as told" };
  if (list.worldUp !== "detect" && list.worldUp !== "ask")
    return { axis: list.worldUp, how: "by the layout" };
  const found = detectWorldUp(posed, cameraAxes);
  if (found) return { axis: found, how: "by how the camera was held" };
  if (list.worldUp === "ask" && posed.length > 0)
    throw new LociError(
      "invalid-input",
      `cannot tell which axis of the world points up in ${list.path}: say it (--world-up x, y, z, -x, -y or -z)`,
    );
  return { axis: "z", how: "for want of anything better" };
}

function planOf(
  {
    path,
    format,
    shots,
    posesFrom,
    camera,
    depthUnitM,
    counted,
    conventions = [],
    missing = [],
    isMisfit,
  }: ShotList,
  options: ReadOptions,
  seen: { up: WorldUp; how: string; posed: number; cameraAxes: string; isInverse: boolean },
): SourcePlan {
  const times = shots.map(({ timeUs }) => timeUs);
  const startUs = times.length ? times.reduce((a, b) => Math.min(a, b)) : null;
  const endUs = times.length ? times.reduce((a, b) => Math.max(a, b)) : null;
  const count = (has: (shot: Shot) => unknown) => shots.filter((shot) => has(shot) !== undefined).length;
  const colours = count(({ colour }) => colour);
  const depths = count(({ depth }) => depth);
  const detections = count(({ detections: list }) => list);
  const stream = (name: string, type: string, n: number, use: SourceStream["use"]): SourceStream[] =>
    n > 0 ? [{ name, type, count: n, rateHz: rateOf(n, startUs, endUs), use }] : [];
  const isKnown = options.intrinsics ?? camera ?? shots[0]?.camera;
  return {
    path,
    format,
    streams: [
      ...stream("colour", "image files", colours, "colour"),
      ...stream("depth", "image files", depths, "depth"),
      ...stream("detections", "JSON", detections, "frames"),
      ...stream(posesFrom || "poses", "camera poses", seen.posed, "poses"),
    ],
    frames: shots.length,
    captions: 0,
    graphs: 0,
    startUs,
    endUs,
    poses: seen.posed > 0 ? { from: posesFrom, count: seen.posed } : null,
    world: "own",
    ...(isMisfit && { isMisfit }),
    ...(startUs !== null && startUs < DATES_FROM_US && { times: "from-zero" as const }),
    conventions: [
      ...(counted === undefined ? [] : [countedTimes(counted, seen.posed > 0, options)]),
      ...conventions,
      ...(depths > 0 ? [`A step of depth is ${options.depthUnitM ?? depthUnitM} m.`] : []),
      ...(seen.posed > 0
        ? [
            `Poses take ${seen.isInverse ? "world to camera" : "camera to world"}, cameras have ${seen.cameraAxes} axes.`,
            `The ${seen.up} axis of the files points up (${seen.how}).`,
          ]
        : []),
    ],
    missing: [
      ...missing,
      ...(shots.length === 0 ? ["No pictures."] : []),
      ...(seen.posed === 0
        ? ["No poses: where odometry gives none, pictures are found by text and time only."]
        : []),
      ...(seen.posed > 0 && seen.posed < shots.length
        ? [without("pose", shots.length - seen.posed, "picture")]
        : []),
      ...(depths === 0 ? ["No depth: nothing gets a place."] : []),
      ...(depths > 0 && depths < shots.length ? [without("depth", shots.length - depths, "picture")] : []),
      ...(isKnown
        ? []
        : ["No calibration: give it (--intrinsics fx,fy,cx,cy), else the field of view is a guess."]),
    ],
  };
}
