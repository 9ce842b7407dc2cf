import { encodeColour, encodeGrey16 } from "../images.ts";
import type { ToyRobot } from "./toy-bridge.ts";

const SIZE = { width: 32, height: 24 };
const T0_S = 1_700_000_000;
const PICTURE = "/camera/color/image_raw/compressed";
const DEPTH = "/camera/depth/image_rect_raw/compressedDepth";

/** The topics of a robot with a camera for colour and depth. */
const TOPICS = {
  [PICTURE]: "sensor_msgs/msg/CompressedImage",
  [DEPTH]: "sensor_msgs/msg/CompressedImage",
  "/camera/color/camera_info": "sensor_msgs/msg/CameraInfo",
  "/tf": "tf2_msgs/msg/TFMessage",
  "/tf_static": "tf2_msgs/msg/TFMessage",
};

const header = (seconds: number, frame_id: string) => ({
  stamp: { sec: Math.floor(seconds), nanosec: Math.round((seconds % 1) * 1e9) },
  frame_id,
});

/** When the nth picture of a drive is taken, in microseconds. */
export function pictureUs(n: number): number {
  return Math.round((T0_S + n / 2) * 1e6);
}

/** Publishes pictures of a drive along +X at a metre a second, one each half second of the robot's clock. */
export async function toyDrive(): Promise<
  (send: Parameters<ToyRobot["publish"]>[0], from: number, count: number, everyMs?: number) => Promise<void>
> {
  const grey = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let i = 0; i < grey.length; i++) grey[i] = 60 + ((i * 37) % 140);
  const jpeg = await encodeColour({ ...SIZE, data: grey }, "jpeg");
  const png = await encodeGrey16({ ...SIZE, data: new Uint16Array(SIZE.width * SIZE.height).fill(2_000) });
  return async (send, from, count, everyMs = 0) => {
    send("/camera/color/camera_info", {
      header: header(T0_S, "eye"),
      ...SIZE,
      k: [30, 0, 16, 0, 30, 12, 0, 0, 1],
      d: [],
      p: [],
    });
    send("/tf_static", {
      transforms: [
        {
          header: header(T0_S, "base_link"),
          child_frame_id: "camera_optical_frame",
          transform: { translation: { x: 0, y: 0, z: 1 }, rotation: { x: -0.5, y: 0.5, z: -0.5, w: 0.5 } },
        },
      ],
    });
    for (let n = from; n < from + count; n++) {
      const at = T0_S + n / 2;
      send(PICTURE, { header: header(at, "camera_optical_frame"), format: "jpeg", data: jpeg });
      send(DEPTH, {
        header: header(at, "camera_optical_frame"),
        format: "16UC1; compressedDepth png",
        data: Buffer.concat([Buffer.alloc(12), png]),
      });
      for (const ahead of [-0.05, 0.05])
        send("/tf", {
          transforms: [
            {
              header: header(at + ahead, "odom"),
              child_frame_id: "base_link",
              transform: {
                translation: { x: n / 2 + ahead, y: 0, z: 0 },
                rotation: { x: 0, y: 0, z: 0, w: 1 },
              },
            },
          ],
        });
      if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
}

export { TOPICS as TOY_TOPICS };
