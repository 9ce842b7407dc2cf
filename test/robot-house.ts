import type { Eyes } from "../src/compose.ts";
import { ScriptedRobot, T0_S } from "../src/exploration/testing/scripted-robot.ts";
import { compose, fromYaw, invert } from "../src/geometry/index.ts";
import type { Frame } from "../src/sensors/index.ts";
import { LiveHouse } from "../src/world/live-house.ts";
import { DEFAULT_CAMERA } from "../src/world/sensors/index.ts";

/** A robot behind a rosbridge in a simulated house, and eyes that know what is in the pictures it sends. */
export interface HouseRobot {
  readonly robot: ScriptedRobot;
  readonly house: LiveHouse;
  readonly eyes: Eyes;
}

/**
 * Its pictures travel as a real robot's do, as PNG over a socket; what a detector would find in them is known by a number
 * painted into their first dot, so that no detector has to be installed.
 */
export async function startHouseRobot(seed: number, rooms: number): Promise<HouseRobot> {
  const house = new LiveHouse({ seed, rooms, floors: 1, noise: 0 });
  const taken: Frame[] = [];
  const glance = (x: number, y: number, yawRad: number, timeUs: number) =>
    house.eyes.look({
      index: taken.length,
      agentId: "robot",
      pose: { positionInWorld: { x, y, z: 0 }, yawRad, tiltRad: DEFAULT_CAMERA.tiltRad },
      timeUs,
      camera: DEFAULT_CAMERA,
    });
  const { positionInWorld: start } = house.start();
  const { truth } = await glance(start.x, start.y, 0, house.startUs);
  const robot = await ScriptedRobot.start({
    start: { x: start.x, y: start.y, yawRad: 0 },
    speedMps: 2,
    tickMs: 20,
    baseFromCamera: compose(invert({ p: { ...start, z: 0 }, q: fromYaw(0) }), truth.worldFromCamera),
    plan: (from, to) => house.navigation.path({ ...from, z: 0 }, { ...to, z: 0 }, house.startUs),
    see: async ({ x, y, yawRad }, timeUs) => {
      const { frame } = await glance(x, y, yawRad, house.startUs + Math.round(timeUs - T0_S * 1e6));
      const { width, height } = DEFAULT_CAMERA;
      const data = new Uint8Array(width * height * 3).fill(90);
      new DataView(data.buffer).setUint16(0, taken.push(frame) - 1);
      return { ...frame, rgb: { width, height, data } };
    },
  });
  const eyes: Eyes = {
    look: async (frame) => {
      const [high = 0, low = 0] = frame.rgb!.data;
      const { detections, masks } = taken[(high << 8) | low]!;
      return { ...frame, detections, masks };
    },
    close: async () => {},
  };
  return { robot, house, eyes };
}
