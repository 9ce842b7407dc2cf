import { IDENTITY, type Lens, type Transform } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { projectCloud, registerDepth } from "../depth-projection.ts";
import type { DepthImage, Frame, RgbImage } from "../frame.ts";
import { type Remap, remapDepth, remapRgb, straightening } from "../lens.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, rateOf, type SourcePlan, type SourceStream } from "../plan.ts";
import type { RecordingItem } from "../recording.ts";
import type { OpenSource } from "../source.ts";
import { type CameraTopics, findCameras, intrinsicsOf, lensOf } from "./cameras.ts";
import { colourOf, compressedColourOf, compressedDepthOf, depthOf } from "./image-decoding.ts";
import { type Decode, loadDecoder, type MessageSource, type RosTopic } from "./message-source.ts";
import type { RosCompressedImage, RosHeader, RosImage, RosPointCloud } from "./messages.ts";
import { microsecondsOf } from "./messages.ts";
import { frameName, isPoseTopic, type RobotPoses, readRobotPoses } from "./robot-poses.ts";
import { Shutter, type Waiting } from "./shutter.ts";
import { poseAt, type Viewpoint, viewpointOf } from "./viewpoint.ts";

/** Colour and depth of one moment lie at most this far apart: less than two pictures at 20 a second. */
const SYNC_TOLERANCE_US = 50_000;
/** A lidar rotates ten times a second: half a rotation, and a little. */
const CLOUD_TOLERANCE_US = 60_000;
/** A pose this far outside the samples still applies to the picture. */
const POSE_TOLERANCE_US = 100_000;

export interface Camera {
  readonly topics: CameraTopics;
  readonly main: RosTopic;
  readonly viewpoint: Viewpoint | undefined;
}

/** Bags of other tools: topics found by type and name, poses through TF, pictures and depths by their stamps. */
export async function openRosSource(
  path: string,
  source: MessageSource,
  options: ReadOptions,
): Promise<OpenSource> {
  const decode = await loadDecoder();
  const poses = await readRobotPoses(source, decode, options);
  const found = await findCameras(source, decode, options);
  const cameras = await camerasOf(source, decode, found, poses, options);
  const plan = planOfRos(path, source, cameras, poses, options);
  const isPlaced = poses.geodetic !== undefined && cameras.some(({ viewpoint }) => viewpoint?.isSatellite);
  const agentId = options.agentId ?? "robot";
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    if (isPlaced) yield { kind: "edge", edge: poses.geodetic! };
    let index = 0;
    let [withoutDepth, withoutPose] = [0, 0];
    for await (const shot of shots(source, decode, cameras, options, signal)) {
      try {
        const frame = await developShot(shot, decode, poses, { ...options, agentId }, index);
        index++;
        if (!shot.depth && partnerOf(shot.camera.topics, options).partner) withoutDepth++;
        if (!frame.worldFromCamera && shot.camera.viewpoint) withoutPose++;
        yield { kind: "frame", frame };
      } catch (error) {
        if (!(error instanceof LociError) || ["aborted", "not-supported"].includes(error.code)) throw error;
        options.onSkip?.({ what: `a picture on ${shot.camera.main.name}`, why: error.message });
      }
    }
    tellUnpaired(options, { withoutDepth, withoutPose });
  }
  const info = infoOf(plan, [agentId], isPlaced ? 1 : 0);
  return { plan, info, items, close: () => source.close() };
}

export interface Shot {
  readonly camera: Camera;
  readonly picture: Waiting;
  readonly depth: Waiting | undefined;
}

/** Tells of pictures that were kept without what could not be found within the tolerance. */
export function tellUnpaired(
  { onSkip }: ReadOptions,
  { withoutDepth, withoutPose }: { readonly withoutDepth: number; readonly withoutPose: number },
): void {
  for (const [what, count] of [
    ["depth", withoutDepth],
    ["pose", withoutPose],
  ] as const)
    if (count > 0)
      onSkip?.({
        what: count === 1 ? `the ${what} of 1 picture` : `the ${what} of ${count} pictures`,
        why: "none lies within the tolerance (--sync-tolerance)",
      });
}

/** Cameras with the way to their poses, by the frame of their first picture. */
export async function camerasOf(
  source: MessageSource,
  decode: Decode,
  found: readonly CameraTopics[],
  poses: RobotPoses,
  options: ReadOptions,
): Promise<Camera[]> {
  const frames = await firstFrames(source, decode, found);
  return found.map((topics): Camera => {
    const main = (topics.colour ?? topics.depth)!;
    return { topics, main, viewpoint: viewpointOf(frames.get(main.name) ?? "", main.name, poses, options) };
  });
}

/** Pictures with their depths, in order of arrival. */
async function* shots(
  source: MessageSource,
  decode: Decode,
  cameras: readonly Camera[],
  options: ReadOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<Shot> {
  const open = cameras.map((camera) => {
    const { partner, toleranceUs } = partnerOf(camera.topics, options);
    return { camera, partner, shutter: new Shutter(toleranceUs, partner !== undefined) };
  });
  const names = new Set(
    open.flatMap(({ camera, partner }) => [camera.main.name, ...(partner ? [partner.name] : [])]),
  );
  const byName = new Map(source.topics.map((topic) => [topic.name, topic]));
  for await (const { topic: name, data, logTimeUs } of source.messages({ topics: names, signal })) {
    let timeUs: number;
    try {
      const { header } = decode<{ header: RosHeader }>(byName.get(name)!, data);
      timeUs = microsecondsOf(header.stamp) ?? logTimeUs;
    } catch (error) {
      options.onSkip?.({ what: `a message on ${name}`, why: (error as Error).message });
      continue;
    }
    const waiting = { timeUs, logTimeUs, data: data.slice() };
    for (const { camera, partner, shutter } of open) {
      if (camera.main.name === name) shutter.picture(waiting);
      else if (partner?.name === name) shutter.depth(waiting);
      for (const taken of shutter.take(logTimeUs)) yield { camera, ...taken };
    }
  }
  for (const { camera, shutter } of open)
    for (const taken of shutter.take(Infinity)) yield { camera, ...taken };
}

/** The topic whose messages belong to a camera's pictures, and how far apart the two may be. */
export function partnerOf(
  { colour, depth, cloud }: CameraTopics,
  { syncToleranceUs = SYNC_TOLERANCE_US }: ReadOptions,
): { readonly partner: RosTopic | undefined; readonly toleranceUs: number } {
  const toleranceUs = cloud ? Math.max(syncToleranceUs, CLOUD_TOLERANCE_US) : syncToleranceUs;
  return { partner: colour ? (depth ?? cloud) : undefined, toleranceUs };
}

/** How far outside the samples a pose still applies to a picture. */
export function poseToleranceUs({ syncToleranceUs = POSE_TOLERANCE_US }: ReadOptions): number {
  return syncToleranceUs;
}

/** Decodes a shot into a frame. */
export async function developShot(
  { camera, picture, depth: beside }: Shot,
  decode: Decode,
  poses: RobotPoses,
  options: ReadOptions & { agentId: string },
  index: number,
): Promise<Frame> {
  const { topics, main, viewpoint } = camera;
  const unitM = options.depthUnitM;
  const isColour = topics.colour !== undefined;
  const taken = isColour ? await colourFrom(main, decode, picture.data) : undefined;
  const ownDepth = isColour ? undefined : await depthFrom(main, decode, picture.data, unitM);
  const size = (taken ?? ownDepth)!;
  const intrinsics = sizedIntrinsics(topics.info, main, poses, options, size);
  const lens = usableLens(topics.info, main, poses, options);
  const remap = lens && straightening(lens, intrinsics);
  const rgb = taken && remap ? remapRgb(taken, remap) : taken;
  const inColour = { intrinsics, remap };
  const depth = ownDepth
    ? remap
      ? remapDepth(ownDepth, remap)
      : ownDepth
    : beside && (await companyOf(camera, decode, beside, poses, inColour, picture, unitM, options));
  const worldFromCamera =
    viewpoint && poseAt(poses.tree, viewpoint, picture.timeUs, poseToleranceUs(options));
  return {
    index,
    timeUs: picture.timeUs,
    receivedAtUs: picture.logTimeUs,
    agentId: options.agentId,
    sensorId: topics.sensorId,
    intrinsics,
    mapFrame: options.mapFrame ?? "world",
    ...(worldFromCamera && { worldFromCamera, robotFrame: viewpoint.world }),
    ...(rgb && { rgb }),
    ...(depth && { depth }),
  };
}

/** Depth or cloud, projected into the colour camera's picture. */
async function companyOf(
  { topics, main }: Camera,
  decode: Decode,
  beside: Waiting,
  poses: RobotPoses,
  { intrinsics, remap }: { readonly intrinsics: Frame["intrinsics"]; readonly remap: Remap | undefined },
  picture: Waiting,
  unitM: number | undefined,
  options: ReadOptions,
): Promise<DepthImage | undefined> {
  const headerOf = (topic: RosTopic, data: Uint8Array) =>
    decode<{ header: RosHeader }>(topic, data).header.frame_id;
  const colourFrame = frameName(headerOf(main, picture.data));
  const between = (frame: string): Transform | undefined =>
    frame === colourFrame
      ? IDENTITY
      : poses.tree.at(colourFrame, frame, picture.timeUs, poseToleranceUs(options));
  if (topics.cloud) {
    const cloud = decode<RosPointCloud>(topics.cloud, beside.data);
    const colourFromCloud = between(frameName(cloud.header.frame_id));
    if (!colourFromCloud) {
      options.onSkip?.({ what: `a cloud on ${topics.cloud.name}`, why: `nothing leads to ${colourFrame}` });
      return undefined;
    }
    return projectCloud(cloud, colourFromCloud, intrinsics);
  }
  const topic = topics.depth!;
  const depth = await depthFrom(topic, decode, beside.data, unitM);
  const depthFrame = frameName(headerOf(topic, beside.data));
  const isRegistered = depth.width === intrinsics.width && depth.height === intrinsics.height;
  // Depth in the colour camera's pixels was bent by the colour camera's lens.
  const inPixels = () => (remap ? remapDepth(depth, remap) : depth);
  if (isRegistered && (depthFrame === colourFrame || /align|regist/i.test(topic.name))) return inPixels();
  const info = topics.depthInfo && poses.infos.get(topics.depthInfo.name);
  const from = info && intrinsicsOf(info, /rect/.test(topic.name), depth);
  const colourFromDepth = between(depthFrame);
  if (from && colourFromDepth) {
    const lens = usableLens(topics.depthInfo, topic, poses, options);
    const straight = lens ? remapDepth(depth, straightening(lens, from)) : depth;
    return registerDepth(straight, { intrinsics: from, colourFromDepth }, intrinsics);
  }
  if (isRegistered) return inPixels();
  options.onSkip?.({
    what: `a depth on ${topic.name}`,
    why: "it is of another size and its camera is unknown",
  });
  return undefined;
}

function sizedIntrinsics(
  infoTopic: RosTopic | undefined,
  main: RosTopic,
  poses: RobotPoses,
  options: ReadOptions,
  size: { width: number; height: number },
): Frame["intrinsics"] {
  const { width, height } = size;
  if (options.intrinsics) {
    const { fx, fy, cx, cy } = options.intrinsics;
    return { fx, fy, cx: cx + 0.5, cy: cy + 0.5, width, height };
  }
  const info = infoTopic && poses.infos.get(infoTopic.name);
  const found = info && intrinsicsOf(info, /rect/.test(main.name), size);
  // A guess that no geometry depends on: without camera info nothing is lifted (see the plan's warning).
  return found ?? { fx: width, fy: width, cx: width / 2, cy: height / 2, width, height };
}

/** The lens that bends a topic's pictures; given intrinsics replace the camera info, and rectified pictures have none. */
function lensNamed(
  infoTopic: RosTopic | undefined,
  pictures: RosTopic,
  poses: RobotPoses,
  options: ReadOptions,
): ReturnType<typeof lensOf> {
  const info = infoTopic && poses.infos.get(infoTopic.name);
  return info && !options.intrinsics && !/rect/.test(pictures.name) ? lensOf(info) : undefined;
}

function usableLens(...of: Parameters<typeof lensNamed>): Lens | undefined {
  const lens = lensNamed(...of);
  return lens === "unknown" ? undefined : lens;
}

async function colourFrom(topic: RosTopic, decode: Decode, data: Uint8Array): Promise<RgbImage> {
  return topic.known === "sensor_msgs/msg/Image"
    ? colourOf(decode<RosImage>(topic, data))
    : compressedColourOf(decode<RosCompressedImage>(topic, data));
}

async function depthFrom(
  topic: RosTopic,
  decode: Decode,
  data: Uint8Array,
  unitM: number | undefined,
): Promise<DepthImage> {
  return topic.known === "sensor_msgs/msg/Image"
    ? depthOf(decode<RosImage>(topic, data), unitM)
    : compressedDepthOf(decode<RosCompressedImage>(topic, data), unitM);
}

/** The frame id of each camera's first picture. */
async function firstFrames(
  source: MessageSource,
  decode: Decode,
  cameras: readonly CameraTopics[],
): Promise<Map<string, string>> {
  const open = new Map(cameras.map(({ colour, depth }) => [(colour ?? depth)!.name, (colour ?? depth)!]));
  const found = new Map<string, string>();
  if (open.size === 0) return found;
  for await (const { topic: name, data } of source.messages({ topics: new Set(open.keys()) })) {
    if (found.has(name)) continue;
    try {
      found.set(name, frameName(decode<{ header: RosHeader }>(open.get(name)!, data).header.frame_id));
    } catch {
      continue;
    }
    if (found.size === open.size) break;
  }
  return found;
}

/** For people, what a message source holds, before it is read. */
export function planOfRos(
  path: string,
  source: MessageSource,
  cameras: readonly Camera[],
  poses: RobotPoses,
  options: ReadOptions,
): SourcePlan {
  const { startUs, endUs } = source;
  const uses = new Map<string, SourceStream["use"]>();
  for (const { topics } of cameras) {
    if (topics.depth) uses.set(topics.depth.name, "depth");
    if (topics.cloud) uses.set(topics.cloud.name, "cloud");
    for (const info of [topics.info, topics.depthInfo]) if (info) uses.set(info.name, "intrinsics");
    if (topics.colour) uses.set(topics.colour.name, "colour");
  }
  for (const topic of source.topics) if (isPoseTopic(topic)) uses.set(topic.name, "poses");
  const streams = source.topics
    .map(({ name, type, count }): SourceStream => {
      return { name, type, count, rateHz: rateOf(count, startUs, endUs), use: uses.get(name) ?? "unused" };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const poseTopics = source.topics.filter(isPoseTopic);
  const posed = cameras.filter(({ viewpoint }) => viewpoint);
  const missing: string[] = [];
  if (cameras.length === 0)
    missing.push("No camera: no Image or CompressedImage topic, so there is nothing to look at.");
  for (const { topics, main, viewpoint } of cameras) {
    const name = main.name;
    if (!viewpoint) missing.push(`No pose for ${name}: its pictures are found by text and time only.`);
    if (!topics.depth && !topics.cloud) missing.push(`No depth for ${name}: nothing in it gets a place.`);
    if (!options.intrinsics && !(topics.info && poses.infos.has(topics.info.name)))
      missing.push(
        `No camera info for ${name}: give it (--intrinsics fx,fy,cx,cy), else its field of view is a guess.`,
      );
  }
  if (poses.refused > 0) missing.push(`${poses.refused} transforms contradict others or are not finite.`);
  if (poses.damaged > 0) missing.push(`${poses.damaged} messages are damaged.`);
  const lenses = cameras.flatMap(({ topics, main }) => {
    const lens = lensNamed(topics.info, main, poses, options);
    if (!lens) return [];
    return lens === "unknown"
      ? [`The lens distortion of ${main.name} is not removed: its model is not known here.`]
      : [`The lens distortion of ${main.name} is removed (${lens.model}); where it shows nothing is black.`];
  });
  return {
    path,
    format: source.format,
    streams,
    frames: cameras.reduce((sum, { main }) => sum + (main.count ?? 0), 0),
    captions: 0,
    graphs: 0,
    startUs,
    endUs,
    poses: posed[0]
      ? {
          from: [...new Set(posed.map(({ viewpoint }) => viewpoint!.how))].join("; "),
          count: posed[0].viewpoint!.samples,
        }
      : poseTopics.length > 0 && cameras.length === 0
        ? {
            from: poseTopics.map(({ name }) => name).join(", "),
            count: poseTopics.reduce((n, { count }) => n + (count ?? 0), 0),
          }
        : null,
    // Satellites give every recording the same earth; else a frame called map begins where its tracker was started.
    ...(!cameras.some(({ viewpoint }) => viewpoint?.isSatellite) && { world: "own" as const }),
    conventions: [
      ...source.notes,
      ...posed.map(({ main, viewpoint }) => `The frame ${viewpoint!.world} is the world of ${main.name}.`),
      ...lenses,
    ],
    missing,
  };
}
