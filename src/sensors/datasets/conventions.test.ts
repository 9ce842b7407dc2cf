import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply, compose, fromAxisAngle, invert, type Transform, type Vec3 } from "../../geometry/index.ts";
import { describeSource, openRecording } from "../open.ts";
import type { ReadOptions } from "../options.ts";
import { CAMERA, POSES, ROOM, type RoomFiles, SIZE, writeRoom } from "../testing/room-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-conventions-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const OPENGL: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 0, x: 1, y: 0, z: 0 } };

const write = (how: RoomFiles) => writeRoom(folder, how);

/** The largest distance from the room's centre to a frame's reconstructed centre pixel. */
async function spanM(options: ReadOptions = {}): Promise<number> {
  const reader = await openRecording(folder, options);
  const middles: Vec3[] = [];
  for await (const item of reader.items()) {
    if (item.kind !== "frame") continue;
    const { worldFromCamera, depth } = item.frame;
    const z = depth!.data[18 * SIZE.width + 24]! * depth!.unitM;
    middles.push(apply(worldFromCamera!, { x: 0, y: 0, z }));
  }
  await reader.close();
  return Math.max(...middles.map(({ x, y, z }) => Math.hypot(x, y, z)));
}

const scaled =
  (k: number) =>
  ({ p, q }: Transform): Transform => ({ p: { x: k * p.x, y: k * p.y, z: k * p.z }, q });

test.each([
  ["as the layout has them", {}, undefined],
  ["the other way round", { pose: invert }, /poses take world to camera\.$/],
  ["with OpenGL's axes", { pose: (p: Transform) => compose(p, OPENGL) }, /cameras have opengl axes\.$/],
  [
    "both at once",
    { pose: (p: Transform) => invert(compose(p, OPENGL)) },
    /poses take world to camera, cameras have opengl axes\.$/,
  ],
  ["in millimetres", { pose: scaled(1_000) }, /positions are in units of 0\.001 m\.$/],
  ["with depths as TUM writes them", { stepM: 0.0002 }, /a step of depth is 0\.0002 m\.$/],
  ["with depths in tenths of a millimetre", { stepM: 0.0001 }, /a step of depth is 0\.0001 m\.$/],
] as const)("poses and depths %s are read rightly, and the plan says how", async (_, how, said) => {
  await write(how);
  const { conventions, missing } = await describeSource(folder);
  const found = conventions.filter((line) => line.startsWith("Read so because"));
  if (said === undefined) expect(found).toEqual([]);
  else expect(found).toEqual([expect.stringMatching(said)]);
  expect(missing).toEqual([]);
  // No point of the room is farther away than its corners.
  expect(await spanM()).toBeLessThan(Math.hypot(ROOM.x, ROOM.y, ROOM.z) + 0.05);
});

test("what somebody said is not found otherwise", async () => {
  await write({ pose: invert });
  const { conventions, missing } = await describeSource(folder, { poseConvention: "camera-to-world" });
  expect(conventions.join(" ")).not.toMatch(/world to camera/);
  expect(missing.join(" ")).toMatch(/Depths do not fit the poses: .* --pose-convention/);
});

test("poses that fit in no way are told of", async () => {
  let n = 0;
  await write({ pose: ({ p }) => ({ p, q: fromAxisAngle({ x: 0.6, y: 0, z: 0.8 }, 0.3 * ++n) }) });
  expect((await describeSource(folder)).missing.join(" ")).toMatch(/Depths do not fit the poses/);
});

test("what was said wrongly is told with what to say instead", async () => {
  await write({});
  const told = async (options: ReadOptions) => (await describeSource(folder, options)).missing.join(" ");
  expect(await told({ poseConvention: "world-to-camera" })).toMatch(/--pose-convention camera-to-world/);
  expect(await told({ intrinsics: { ...CAMERA, fx: 80, fy: 80 } })).toMatch(/0\.5 times the focal length/);
  expect(await told({})).toBe("");
});

test("pictures picked far apart are judged by those that show the same", async () => {
  const picked = POSES.map((pose, n) => ({
    ...pose,
    // Every fourth camera stands at the other end of the room and looks back.
    ...(n % 4 === 3 && { q: fromAxisAngle({ x: 0, y: 1, z: 0 }, 0.12 * n + Math.PI) }),
  }));
  let n = 0;
  await write({ pose: () => picked[n++ % picked.length]! });
  n = 0;
  expect((await describeSource(folder)).missing.join(" ")).not.toMatch(/0 % are where/);
});
