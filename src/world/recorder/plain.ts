import {
  compose,
  fromAxisAngle,
  IDENTITY,
  type Intrinsics,
  interpolate,
  invert,
  type Lens,
  type Random,
  type Transform,
} from "../../geometry/index.ts";
import {
  bending,
  type Frame,
  type RecordingWriter,
  RobotBagWriter,
  remapDepth,
  remapRgb,
} from "../../sensors/index.ts";
import { type CameraSpec, intrinsicsOf, quatFromYaw } from "../sensors/index.ts";
import type { RecordedAgent, ScheduledItem, Shot } from "./schedule.ts";

/** A RealSense D455's colour camera: its field of view, and a lens as its factory calibration gives it. */
export const PLAIN_FOV_DEG = 69;
/** As such a camera is mounted on a robot: slightly down. */
export const PLAIN_TILT_DEG = -15;
const LENS: Lens = {
  model: "plumb_bob",
  coefficients: [-0.0553, 0.0645, -0.00024, 0.00069, -0.0204],
};
/** Share of each side that is rendered beyond the picture, since the lens shows more than the pinhole. */
const MARGIN = 0.06;
/** Transforms a second, and how much their stamps jitter. */
const TF_HZ = 50;
const TF_JITTER_US = 2_000;
/** Stamps of pictures jitter, and depth is not stamped as colour is. */
const PICTURE_JITTER_US = 2_000;
const DEPTH_JITTER_US = 8_000;
/** How long a message takes to the recorder, least and most. */
const TF_DELAY_US = [1_000, 8_000] as const;
const PICTURE_DELAY_US = [15_000, 45_000] as const;
/** Transforms begin before the first picture and end after the last. */
const LEAD_US = 200_000;
/** A packet is at most this late (../noise/clock.ts), and is written in its place. */
const LATEST_US = 6_000_000;
/** Optical axes from a camera's body axes. */
const LINK_FROM_OPTICAL: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };

/** The camera that is rendered: larger than the picture, with the same focal length. */
export function renderedCamera(camera: CameraSpec): CameraSpec {
  const { fx } = intrinsicsOf(camera);
  const width = camera.width + 2 * Math.ceil(MARGIN * camera.width);
  const height = camera.height + 2 * Math.ceil(MARGIN * camera.height);
  return { ...camera, width, height, horizontalFovRad: 2 * Math.atan(width / 2 / fx) };
}

/** What the agent believed at one shot: where its map and its odometry lie against the truth. */
interface Moment {
  readonly trueUs: number;
  readonly mapFromTrue: Transform;
  readonly odomFromTrue: Transform;
}

/** The bag of a robot with a depth camera: pictures through a lens, transforms, odometry, and nothing of the truth. */
export class PlainRecording implements RecordingWriter {
  readonly #bag: RobotBagWriter;
  readonly #camera: Intrinsics;
  readonly #random: Random;

  private constructor(bag: RobotBagWriter, camera: CameraSpec, random: Random) {
    this.#bag = bag;
    this.#camera = intrinsicsOf(camera);
    this.#random = random;
  }

  static async create(
    folder: string,
    {
      camera,
      agent,
      items,
      random,
      startUs,
      endUs,
    }: {
      readonly camera: CameraSpec;
      readonly agent: RecordedAgent;
      readonly items: readonly ScheduledItem[];
      readonly random: Random;
      readonly startUs: number;
      readonly endUs: number;
    },
  ): Promise<PlainRecording> {
    const bag = await RobotBagWriter.create(folder);
    const shots = items.flatMap((item) => (item.kind === "shot" ? [item.shot] : []));
    putTransforms(bag, camera, agent, momentsOf(shots), random.fork("tf"), { startUs, endUs });
    return new PlainRecording(bag, camera, random.fork("pictures"));
  }

  async writeFrame({ rgb, depth, intrinsics, timeUs }: Frame): Promise<void> {
    const remap = bending(LENS, intrinsics, this.#camera);
    const stampUs = timeUs + this.#jitter(PICTURE_JITTER_US);
    const depthUs = stampUs + this.#jitter(DEPTH_JITTER_US);
    if (rgb) await this.#bag.colour(remapRgb(rgb, remap), this.#camera, LENS, this.#times(stampUs));
    if (depth) this.#bag.depth(remapDepth(depth, remap), this.#camera, LENS, this.#times(depthUs));
    await this.#bag.flush(timeUs - LATEST_US);
  }

  /** Corrections are in the transforms from the map to odometry. */
  async writeEdge(): Promise<void> {}

  finish(): Promise<void> {
    return this.#bag.finish();
  }

  abort(): Promise<void> {
    return this.#bag.abort();
  }

  #jitter(mostUs: number): number {
    return Math.round(this.#random.range(-mostUs, mostUs));
  }

  #times(stampUs: number) {
    return { stampUs, receivedUs: stampUs + Math.round(this.#random.range(...PICTURE_DELAY_US)) };
  }
}

function momentsOf(shots: readonly Shot[]): Moment[] {
  return [...shots]
    .sort((a, b) => a.trueUs - b.trueUs)
    .map(({ trueUs, mapFromBody, belief }) => {
      const bodyFromTrue = invert(mapFromBody);
      const under = (fromBody: Transform | undefined) =>
        fromBody ? compose(fromBody, bodyFromTrue) : IDENTITY;
      return { trueUs, mapFromTrue: under(belief?.mapFromBody), odomFromTrue: under(belief?.odomFromBody) };
    });
}

/** map → odom → base_link → camera_link → camera_color_optical_frame, and the odometry beside it. */
function putTransforms(
  bag: RobotBagWriter,
  camera: CameraSpec,
  { trajectory, clock, mapFromWorld }: RecordedAgent,
  moments: readonly Moment[],
  random: Random,
  { startUs, endUs }: { readonly startUs: number; readonly endUs: number },
): void {
  const times = (stampUs: number) => {
    return { stampUs, receivedUs: stampUs + Math.round(random.range(...TF_DELAY_US)) };
  };
  const tilt = fromAxisAngle({ x: 0, y: 1, z: 0 }, -camera.tiltRad);
  const baseFromLink = { p: { x: 0, y: 0, z: camera.heightM }, q: tilt };
  const firstUs = startUs - LEAD_US;
  bag.transforms(
    [
      { parent: "base_link", child: "camera_link", parentFromChild: baseFromLink },
      { parent: "camera_link", child: "camera_color_optical_frame", parentFromChild: LINK_FROM_OPTICAL },
    ],
    true,
    times(firstUs + clock.offsetUs),
  );
  let startFromOdom: Transform | undefined;
  let at = 0;
  for (let k = 0; ; k++) {
    const trueUs = Math.round(firstUs + (k * 1e6) / TF_HZ + random.range(-TF_JITTER_US, TF_JITTER_US));
    if (trueUs > endUs + LEAD_US) break;
    while (at + 1 < moments.length && moments[at + 1]!.trueUs <= trueUs) at++;
    const { mapFromTrue, odomFromTrue } = between(moments[at], moments[at + 1], trueUs);
    const { positionInWorld, yawRad } = trajectory.at(trueUs);
    const trueFromBody = compose(mapFromWorld, { p: positionInWorld, q: quatFromYaw(yawRad) });
    const believed = compose(odomFromTrue, trueFromBody);
    // Odometry begins where the robot was switched on.
    startFromOdom ??= invert(believed);
    const odomFromBody = compose(startFromOdom, believed);
    const mapFromOdom = compose(compose(mapFromTrue, trueFromBody), invert(odomFromBody));
    const stamped = times(trueUs + clock.offsetUs);
    bag.transforms(
      [
        { parent: "map", child: "odom", parentFromChild: mapFromOdom },
        { parent: "odom", child: "base_link", parentFromChild: odomFromBody },
      ],
      false,
      stamped,
    );
    bag.odometry(odomFromBody, stamped);
  }
}

/** The belief between two shots. */
function between(a: Moment | undefined, b: Moment | undefined, trueUs: number): Omit<Moment, "trueUs"> {
  if (!a) return { mapFromTrue: IDENTITY, odomFromTrue: IDENTITY };
  if (!b || trueUs <= a.trueUs) return a;
  const t = (trueUs - a.trueUs) / (b.trueUs - a.trueUs);
  return {
    mapFromTrue: interpolate(a.mapFromTrue, b.mapFromTrue, t),
    odomFromTrue: interpolate(a.odomFromTrue, b.odomFromTrue, t),
  };
}
