import { compose, rotate, type Transform } from "../../geometry/index.ts";
import { BODY_FROM_OPTICAL } from "../axes.ts";
import type { ReadOptions } from "../options.ts";
import type { PoseTree } from "../pose-track.ts";
import type { RobotPoses } from "./robot-poses.ts";

/** Frames that can serve as the world, in order of preference. */
export const WORLD_FRAMES: readonly string[] = ["map", "world", "odom", "odom_combined", "earth-tangent"];
export const BODY_FRAMES: readonly string[] = ["base_link", "base_footprint", "body", "imu_link"];
/** A camera whose +Z points up this much has its frame in body axes. */
const UPWARDS = 0.9;

/** How the pose of a camera is found: its frame, the world frame, and the rotation of its axes. */
export interface Viewpoint {
  readonly frame: string;
  readonly world: string;
  readonly frameFromOptical: Transform | undefined;
  /** For the plan, in a sentence. */
  readonly how: string;
  readonly samples: number;
  readonly isSatellite: boolean;
}

/** Chosen once per camera; undefined if nothing gives its pose. `frame` is its images' frame id. */
export function viewpointOf(
  frame: string,
  topic: string,
  poses: RobotPoses,
  options: ReadOptions,
): Viewpoint | undefined {
  const { tree, bodies } = poses;
  if (options.topics?.pose === undefined && tree.above(frame).length > 0) {
    const world = worldOf(tree, frame, options.worldFrame);
    const isBody =
      options.cameraAxes === "body" || (options.cameraAxes === undefined && looksUp(tree, world, frame));
    const turned = isBody ? ", drawn with x forward and turned to look along it" : "";
    return viewpoint(tree, frame, world, isBody, `TF from ${world} to ${frame}${turned}`);
  }
  const inTree = BODY_FRAMES.find((name) => tree.above(name).length > 0);
  if (options.topics?.pose === undefined && inTree) {
    const world = worldOf(tree, inTree, options.worldFrame);
    const how = `TF from ${world} to ${inTree}; nothing says where ${frame || "the camera"} is on the robot, so it is taken to be there and to look forward`;
    return viewpoint(tree, inTree, world, true, how);
  }
  const beside = (name: string) => name.split("/")[1] === topic.split("/")[1];
  const body = bodies.find(({ frame: name }) => tree.above(name).length > 0);
  if (!body) return undefined;
  const world = worldOf(tree, body.frame, options.worldFrame);
  const isCamera =
    body.kind === "pose" &&
    (options.cameraAxes === "optical" || (options.cameraAxes === undefined && beside(body.topic)));
  const whose = isCamera ? "the camera" : "the robot, whose camera is taken to be there and to look forward";
  const how =
    body.kind === "satellite"
      ? `positions of ${body.topic}, headed along the way driven`
      : `${body.topic} as the pose of ${whose}`;
  return { ...viewpoint(tree, body.frame, world, !isCamera, how), isSatellite: body.kind === "satellite" };
}

/** worldFromCamera at a time; undefined if unknown. */
export function poseAt(
  tree: PoseTree,
  { frame, world, frameFromOptical }: Viewpoint,
  timeUs: number,
  toleranceUs: number,
): Transform | undefined {
  const worldFromFrame = tree.at(world, frame, timeUs, toleranceUs);
  return worldFromFrame && frameFromOptical ? compose(worldFromFrame, frameFromOptical) : worldFromFrame;
}

function viewpoint(tree: PoseTree, frame: string, world: string, isBody: boolean, how: string): Viewpoint {
  return {
    frame,
    world,
    frameFromOptical: isBody ? BODY_FROM_OPTICAL : undefined,
    how,
    samples: tree.samplesOf(frame),
    isSatellite: false,
  };
}

function worldOf(tree: PoseTree, frame: string, asked: string | undefined): string {
  const above = tree.above(frame);
  return [asked, ...WORLD_FRAMES].find((name) => name !== undefined && above.includes(name)) ?? above.at(-1)!;
}

/** By name if the name says so, else by the direction of +Z: cameras seldom look at the sky. */
function looksUp(tree: PoseTree, world: string, frame: string): boolean {
  if (/optical/i.test(frame)) return false;
  const worldFromFrame = tree.some(world, frame);
  return worldFromFrame !== undefined && rotate(worldFromFrame.q, { x: 0, y: 0, z: 1 }).z > UPWARDS;
}
