import { join } from "node:path";
import type { Intrinsics, Lens, Transform } from "../../geometry/index.ts";
import type { DepthImage, RgbImage } from "../../schema/core.ts";
import { encodeColour } from "../images.ts";
import {
  cameraInfo,
  grey16,
  type OutgoingMessage,
  rosPose,
  stampOf,
  timesOf,
} from "../ros/frame-messages.ts";
import { RosMcapWriter } from "./ros-writer.ts";

const OPTICAL = "camera_color_optical_frame";
const COLOUR = "/camera/color/image_raw/compressed";
const DEPTH = "/camera/aligned_depth_to_color/image_raw";

/** When a message was stamped, and when the recorder received it. */
interface Times {
  readonly stampUs: number;
  readonly receivedUs: number;
}

/** A transform between two frames of the robot. */
export interface RobotTransform {
  readonly parent: string;
  readonly child: string;
  readonly parentFromChild: Transform;
}

/**
 * The bag that `ros2 bag record -s mcap` makes on a robot with a RealSense: JPEG colour, depth aligned to it, camera
 * infos with the lens, TF and odometry. Messages may be put in any order; those received until a time are written
 * by `flush`.
 */
export class RobotBagWriter {
  readonly #file: RosMcapWriter;
  #pending: (OutgoingMessage & Times)[] = [];
  #sequence = 0;

  private constructor(file: RosMcapWriter) {
    this.#file = file;
  }

  static async create(folder: string): Promise<RobotBagWriter> {
    return new RobotBagWriter(await RosMcapWriter.create(join(folder, "recording.mcap"), "rosbag2"));
  }

  async colour(rgb: RgbImage, camera: Intrinsics, lens: Lens, times: Times): Promise<void> {
    const header = { stamp: stampOf(times.stampUs), frame_id: OPTICAL };
    const data = await encodeColour(rgb, "jpeg");
    this.#put(
      COLOUR,
      "sensor_msgs/msg/CompressedImage",
      { header, format: "rgb8; jpeg compressed bgr8", data },
      times,
    );
    const info = cameraInfo(header, camera, lens);
    this.#put("/camera/color/camera_info", "sensor_msgs/msg/CameraInfo", info, times);
  }

  depth(depth: DepthImage, camera: Intrinsics, lens: Lens, times: Times): void {
    const header = { stamp: stampOf(times.stampUs), frame_id: OPTICAL };
    this.#put(DEPTH, "sensor_msgs/msg/Image", grey16(header, depth), times);
    const info = cameraInfo(header, camera, lens);
    this.#put("/camera/aligned_depth_to_color/camera_info", "sensor_msgs/msg/CameraInfo", info, times);
  }

  transforms(transforms: readonly RobotTransform[], isStatic: boolean, times: Times): void {
    const stamp = stampOf(times.stampUs);
    const message = {
      transforms: transforms.map(({ parent, child, parentFromChild }) => {
        const { position: translation, orientation: rotation } = rosPose(parentFromChild);
        return {
          header: { stamp, frame_id: parent },
          child_frame_id: child,
          transform: { translation, rotation },
        };
      }),
    };
    this.#put(isStatic ? "/tf_static" : "/tf", "tf2_msgs/msg/TFMessage", message, times);
  }

  odometry(odomFromBody: Transform, times: Times): void {
    const zero = { x: 0, y: 0, z: 0 };
    const message = {
      header: { stamp: stampOf(times.stampUs), frame_id: "odom" },
      child_frame_id: "base_link",
      pose: { pose: rosPose(odomFromBody), covariance: new Float64Array(36) },
      twist: { twist: { linear: zero, angular: zero }, covariance: new Float64Array(36) },
    };
    this.#put("/odom", "nav_msgs/msg/Odometry", message, times);
  }

  /** Writes what was received until then, in that order. */
  async flush(untilUs: number): Promise<void> {
    const due = this.#pending.filter(({ receivedUs }) => receivedUs <= untilUs);
    this.#pending = this.#pending.filter(({ receivedUs }) => receivedUs > untilUs);
    for (const message of due.sort((a, b) => a.receivedUs - b.receivedUs))
      await this.#file.put(message, this.#sequence++, timesOf(message.stampUs, message.receivedUs));
  }

  async finish(): Promise<void> {
    await this.flush(Infinity);
    await this.#file.finish();
  }

  async abort(): Promise<void> {
    await this.#file.abort();
  }

  #put(topic: string, type: OutgoingMessage["type"], message: unknown, times: Times): void {
    this.#pending.push({ topic, type, message, ...times });
  }
}
