import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isLociError } from "../../schema/index.ts";
import { createRecording, describeSource, openRecording } from "../open.ts";
import type { ReadOptions } from "../options.ts";
import type { RecordingItem } from "../recording.ts";
import { type ToyMessage, writeToyBag } from "../testing/toy-bag.ts";
import type { RosType } from "./ros-types.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-ros-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const START = 1_700_000_000_000_000;
const header = (timeUs: number, frame_id: string) => ({
  seq: 0,
  stamp: { sec: Math.floor(timeUs / 1e6), nsec: (timeUs % 1e6) * 1000 },
  frame_id,
});
const say = (
  topic: string,
  type: RosType,
  atUs: number,
  message: (timeUs: number) => unknown,
): ToyMessage => ({
  topic,
  type,
  timeUs: START + atUs,
  message: message(START + atUs),
});
const picture = (atUs: number, frame = "camera_optical") =>
  say("/cam/color/image_raw", "sensor_msgs/msg/Image", atUs, (t) => ({
    header: header(t, frame),
    height: 2,
    width: 2,
    encoding: "bgr8",
    is_bigendian: 0,
    step: 6,
    data: Uint8Array.from([3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10]),
  }));
const depth = (atUs: number, mm: number) =>
  say("/cam/depth/image_raw", "sensor_msgs/msg/Image", atUs, (t) => ({
    header: header(t, "camera_optical"),
    height: 2,
    width: 2,
    encoding: "32FC1",
    is_bigendian: 0,
    step: 8,
    data: new Uint8Array(Float32Array.of(mm / 1000, Number.NaN, -1, 99).buffer),
  }));
const cameraInfo = (atUs: number) =>
  say("/cam/color/camera_info", "sensor_msgs/msg/CameraInfo", atUs, (t) => ({
    header: header(t, "camera_optical"),
    height: 4,
    width: 4,
    distortion_model: "plumb_bob",
    D: [],
    K: [4, 0, 1.5, 0, 4, 1.5, 0, 0, 1],
    R: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    P: [4, 0, 1.5, 0, 0, 4, 1.5, 0, 0, 0, 1, 0],
    binning_x: 0,
    binning_y: 0,
    roi: { x_offset: 0, y_offset: 0, height: 0, width: 0, do_rectify: false },
  }));
const edge = (
  topic: string,
  atUs: number,
  parent: string,
  child: string,
  x: number,
  q = { x: 0, y: 0, z: 0, w: 1 },
) =>
  say(topic, "tf2_msgs/msg/TFMessage", atUs, (t) => ({
    transforms: [
      {
        header: header(t, parent),
        child_frame_id: child,
        transform: { translation: { x, y: 0, z: 0 }, rotation: q },
      },
    ],
  }));
const OPTICAL = { x: -0.5, y: 0.5, z: -0.5, w: 0.5 };
/** A robot that drives along x at a metre a second, poses at 0, 1 and 2 s. */
const drive = [0, 1, 2].map((s) => edge("/tf", s * 1e6, "/map", "base_link", s));

async function read(messages: readonly ToyMessage[], options: ReadOptions = {}): Promise<RecordingItem[]> {
  const path = join(folder, "toy.bag");
  await writeFile(path, writeToyBag(messages));
  const reader = await openRecording(path, options);
  const items: RecordingItem[] = [];
  for await (const item of reader.items()) items.push(item);
  await reader.close();
  return items;
}
const framesIn = (items: readonly RecordingItem[]) =>
  items.flatMap((item) => (item.kind === "frame" ? [item.frame] : []));

test("a ROS 1 bag becomes frames: nearest depth, poses between samples, intrinsics scaled to the picture", async () => {
  const frames = framesIn(
    await read([
      cameraInfo(0),
      edge("/tf_static", 0, "base_link", "camera_optical", 0.25, OPTICAL),
      ...drive,
      picture(500_000),
      depth(460_000, 900),
      depth(510_000, 1234),
      picture(1_500_000),
      depth(1_900_000, 5000),
    ]),
  );
  expect(frames).toHaveLength(2);
  const [first, second] = frames;
  expect(first).toMatchObject({
    timeUs: START + 500_000,
    sensorId: "cam",
    agentId: "robot",
    mapFrame: "world",
  });
  expect(first!.worldFromCamera!.p.x).toBeCloseTo(0.75, 9);
  expect([...first!.rgb!.data.subarray(0, 6)]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...first!.depth!.data]).toEqual([1234, 0, 0, 0]);
  expect(first!.intrinsics).toEqual({ fx: 2, fy: 2, cx: 1, cy: 1, width: 2, height: 2 });
  expect(second!.worldFromCamera!.p.x).toBeCloseTo(1.75, 9);
  expect(second!.depth).toBeUndefined();
});

test("depth that comes late or ahead of its picture is the same depth", async () => {
  const base = [cameraInfo(0), ...drive];
  const early = framesIn(await read([...base, depth(500_000, 1000), picture(500_000), depth(700_000, 2000)]));
  const late = framesIn(await read([...base, picture(500_000), depth(700_000, 2000), depth(500_000, 1000)]));
  expect(early[0]!.depth!.data[0]).toBe(1000);
  expect(late[0]!.depth!.data[0]).toBe(1000);
});

test("no pose outside the samples, none across a gap, and none from transforms that contradict", async () => {
  const far = framesIn(await read([cameraInfo(0), ...drive, picture(2_500_000)]));
  expect(far[0]!.worldFromCamera).toBeUndefined();
  const gap = [edge("/tf", 0, "map", "camera_optical", 0), edge("/tf", 9e6, "map", "camera_optical", 9)];
  const across = framesIn(await read([cameraInfo(0), ...gap, picture(4_000_000)]));
  expect(across[0]!.worldFromCamera).toBeUndefined();
  const circle = [
    edge("/tf", 0, "a", "b", 1),
    edge("/tf", 0, "b", "a", 1),
    edge("/tf", 0, "c", "b", Number.NaN),
  ];
  const plan = await planOf([cameraInfo(0), ...circle, picture(0)]);
  expect(plan.missing.join(" ")).toMatch(/2 transforms contradict/);
});

async function planOf(messages: readonly ToyMessage[], options: ReadOptions = {}) {
  const path = join(folder, "plan.bag");
  await writeFile(path, writeToyBag(messages));
  return describeSource(path, options);
}

test("a camera drawn in the axes of its body is turned to look forward", async () => {
  const frames = framesIn(
    await read([
      cameraInfo(0),
      edge("/tf_static", 0, "base_link", "camera_link", 0),
      ...drive,
      picture(0, "camera_link"),
    ]),
  );
  const { q } = frames[0]!.worldFromCamera!;
  expect([q.w, q.x, q.y, q.z]).toEqual([0.5, -0.5, 0.5, -0.5]);
});

test("odometry, a pose topic and satellites each place a camera that TF does not know", async () => {
  const pose = { position: { x: 3, y: 4, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
  const odometry = say("/odom", "nav_msgs/msg/Odometry", 0, (t) => ({
    header: header(t, "odom"),
    child_frame_id: "base_link",
    pose: { pose, covariance: new Float64Array(36) },
    twist: {
      twist: { linear: { x: 0, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } },
      covariance: new Float64Array(36),
    },
  }));
  const byOdometry = framesIn(await read([cameraInfo(0), odometry, picture(0)]));
  expect(byOdometry[0]!.worldFromCamera!.p).toEqual({ x: 3, y: 4, z: 0 });
  const stamped = say("/cam/pose", "geometry_msgs/msg/PoseStamped", 0, (t) => ({
    header: header(t, "map"),
    pose,
  }));
  const byPose = framesIn(await read([cameraInfo(0), stamped, picture(0)]));
  expect(byPose[0]!.worldFromCamera).toEqual({ p: { x: 3, y: 4, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } });
  const fix = (atUs: number, latitude: number) =>
    say("/gps", "sensor_msgs/msg/NavSatFix", atUs, (t) => ({
      header: header(t, "gps"),
      status: { status: 0, service: 1 },
      latitude,
      longitude: 11,
      altitude: 500,
      position_covariance: new Float64Array(9),
      position_covariance_type: 0,
    }));
  const items = await read([cameraInfo(0), fix(0, 48), fix(1_000_000, 48.0001), picture(1_000_000)]);
  expect(items[0]).toMatchObject({
    kind: "edge",
    edge: { edge: { parent: "earth", child: "world", kind: "geodetic" } },
  });
  expect(framesIn(items)[0]!.worldFromCamera!.p.y).toBeCloseTo(11.12, 1);
});

test("a cloud becomes depth in the picture, the nearest point winning", async () => {
  const points = Float32Array.of(0, 0, 2, 0, 0, 1, 50, 0, 1, Number.NaN, 0, 1);
  const cloud = say("/lidar/points", "sensor_msgs/msg/PointCloud2", 0, (t) => ({
    header: header(t, "camera_optical"),
    height: 1,
    width: 4,
    fields: ["x", "y", "z"].map((name, i) => ({ name, offset: 4 * i, datatype: 7, count: 1 })),
    is_bigendian: false,
    point_step: 12,
    row_step: 48,
    data: new Uint8Array(points.buffer),
    is_dense: true,
  }));
  const [frame] = framesIn(await read([cameraInfo(0), ...drive, cloud, picture(0)]));
  expect([...frame!.depth!.data]).toEqual([0, 0, 0, 500]);
  expect(frame!.depth!.unitM).toBe(0.002);
});

test("a bag without cameras says so, in the plan and in the error", async () => {
  const plan = await planOf(drive);
  expect(plan).toMatchObject({ format: "bag", frames: 0, startUs: START, endUs: START + 2_000_000 });
  expect(plan.streams).toEqual([
    { name: "/tf", type: "tf2_msgs/TFMessage", count: 3, rateHz: 1, use: "poses" },
  ]);
  expect(plan.missing[0]).toMatch(/No camera/);
  await expect(openRecording(join(folder, "plan.bag"))).rejects.toThrow(/No camera.*\/tf/);
});

test("a bag that was cut off gives what it still has, and says so", async () => {
  const path = join(folder, "cut.bag");
  // A cut within the only chunk would lose it, so the cut is behind it: the index is gone, the messages are not.
  const whole = writeToyBag([cameraInfo(0), ...drive, picture(0), picture(1_000_000)]);
  await writeFile(path, whole.subarray(0, whole.length - 30));
  const plan = await describeSource(path);
  expect(plan.frames).toBe(2);
  expect(plan.conventions.join(" ")).toMatch(/no usable index/);
});

test("what is wrong is told: pictures of an unknown encoding, options that do not exist", async () => {
  const odd = say("/cam/color/image_raw", "sensor_msgs/msg/Image", 0, (t) => ({
    header: header(t, "c"),
    height: 9_000,
    width: 2,
    encoding: "rgb8",
    is_bigendian: 0,
    step: 6,
    data: new Uint8Array(4),
  }));
  const skips: string[] = [];
  const items = await read([cameraInfo(0), odd, picture(1)], { onSkip: ({ why }) => skips.push(why) });
  expect(framesIn(items)).toHaveLength(1);
  expect(skips.join(" ")).toMatch(/9000/);
  await expect(openRecording(folder, { wrong: 1 } as never)).rejects.toSatisfy((e) =>
    isLociError(e, "invalid-input"),
  );
});

test("our own MCAP without its metadata is read like anybody's, with the same pictures, depths and poses", async () => {
  const path = join(folder, "own");
  const frame = {
    index: 0,
    timeUs: START,
    agentId: "r",
    sensorId: "eye",
    intrinsics: { fx: 2, fy: 2, cx: 1, cy: 1, width: 2, height: 2 },
    mapFrame: "map",
    worldFromCamera: { p: { x: 1, y: 2, z: 3 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
    rgb: { width: 2, height: 2, data: Uint8Array.from({ length: 12 }, (_, i) => i) },
    depth: { width: 2, height: 2, data: Uint16Array.of(1, 2, 3, 4), unitM: 0.001 },
  };
  for (const format of ["mcap", "db3"] as const) {
    const target = `${path}-${format}`;
    const writer = await createRecording(target, { format });
    await writer.writeFrame(frame);
    await writer.finish();
    const file = join(target, `recording.${format}`);
    if (format === "mcap") {
      const bytes = await readFile(file);
      // Without its end it has no index and no metadata.
      await writeFile(file, bytes.subarray(0, bytes.length - 200));
    } else {
      const { DatabaseSync } = await import("node:sqlite");
      const db = new DatabaseSync(file);
      db.exec("DROP TABLE loci_recording");
      db.close();
    }
    const reader = await openRecording(file);
    const items: RecordingItem[] = [];
    for await (const item of reader.items()) items.push(item);
    await reader.close();
    const [seen] = framesIn(items);
    expect(seen).toMatchObject({ ...frame, agentId: "robot", sensorId: "r-eye", mapFrame: "world" });
  }
});

test("a database whose tables are not those of a bag is an error of ours, whichever part is wrong", async () => {
  const { DatabaseSync } = await import("node:sqlite");
  const topics = "CREATE TABLE topics(id, name, type, serialization_format)";
  const info = "INSERT INTO topics VALUES (1, '/tf', 'tf2_msgs/msg/TFMessage', 'cdr')";
  const wrong = [
    "CREATE TABLE other(x)",
    `${topics}; ${info}; CREATE TABLE messages(id, topic_id, timestamp, body)`,
    `${topics}; ${info}; CREATE VIEW messages AS SELECT 1 AS id, 1 AS topic_id, 1 AS timestamp, x'00' AS data`,
  ];
  for (const [n, sql] of wrong.entries()) {
    const path = join(folder, `wrong-${n}.db3`);
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    await expect(openRecording(path)).rejects.toSatisfy((e) => isLociError(e, "invalid-input"));
  }
});
