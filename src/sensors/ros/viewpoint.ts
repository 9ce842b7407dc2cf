import { compose, rotate, type Transform } from "../../geometry/index.ts";
import { BODY_FROM_OPTICAL } from "../axes.ts";
import type { ReadOptions } from "../options.ts";
import type { PoseTree } from "../pose-track.ts";
import type { RobotPoses } from "./robot-poses.ts";

/** The frame of a recording that we call the world, in the order in which it is looked for. */
export const WORLD_FRAMES: readonly string[] = ["map", "world", "odom", "odom_combined", "earth-tangent"];
export const BODY_FRAMES: readonly string[] = ["base_link", "base_footprint", "body", "imu_link"];
/** A camera whose +Z points this much upwards is drawn in the axes of its body. */
const UPWARDS = 0.9;

/** How the pose of a camera is found: which frame, seen from which world, and how its axes are turned. */
export interface Viewpoint {
  readonly frame: string;
  readonly world: string;
  readonly frameFromOptical: Transform | undefined;
  /** For the plan, in a sentence. */
  readonly how: string;
  readonly samples: number;
  readonly isSatellite: boolean;
}

/** Decides once a camera; undefined when nothing tells where it is. `frame` is what its images say. */
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

/** worldFromCamera at a time; undefined where nobody knew. */
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

/** By name where the name says so, else by where its +Z points: cameras seldom look at the sky. */
function looksUp(tree: PoseTree, world: string, frame: string): boolean {
  if (/optical/i.test(frame)) return false;
  const worldFromFrame = tree.some(world, frame);
  return worldFromFrame !== undefined && rotate(worldFromFrame.q, { x: 0, y: 0, z: 1 }).z > UPWARDS;
}
