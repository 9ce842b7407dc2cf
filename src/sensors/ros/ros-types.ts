/**
 * Message definitions in ROS 2's format, "type name", for the standard messages that we read or write. Definitions
 * inside a file are ignored: these messages have not changed in a decade, and a definition may be damaged.
 */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  "std_msgs/msg/Header": ["builtin_interfaces/Time stamp", "string frame_id"],
  "std_msgs/msg/String": ["string data"],
  "sensor_msgs/msg/CompressedImage": ["std_msgs/Header header", "string format", "uint8[] data"],
  "sensor_msgs/msg/Image": [
    "std_msgs/Header header",
    "uint32 height",
    "uint32 width",
    "string encoding",
    "uint8 is_bigendian",
    "uint32 step",
    "uint8[] data",
  ],
  "sensor_msgs/msg/RegionOfInterest": [
    "uint32 x_offset",
    "uint32 y_offset",
    "uint32 height",
    "uint32 width",
    "bool do_rectify",
  ],
  "sensor_msgs/msg/CameraInfo": [
    "std_msgs/Header header",
    "uint32 height",
    "uint32 width",
    "string distortion_model",
    "float64[] d",
    "float64[9] k",
    "float64[9] r",
    "float64[12] p",
    "uint32 binning_x",
    "uint32 binning_y",
    "sensor_msgs/RegionOfInterest roi",
  ],
  "sensor_msgs/msg/LaserScan": [
    "std_msgs/Header header",
    "float32 angle_min",
    "float32 angle_max",
    "float32 angle_increment",
    "float32 time_increment",
    "float32 scan_time",
    "float32 range_min",
    "float32 range_max",
    "float32[] ranges",
    "float32[] intensities",
  ],
  "geometry_msgs/msg/Vector3": ["float64 x", "float64 y", "float64 z"],
  "geometry_msgs/msg/Point": ["float64 x", "float64 y", "float64 z"],
  "geometry_msgs/msg/Quaternion": ["float64 x", "float64 y", "float64 z", "float64 w"],
  "geometry_msgs/msg/Transform": ["geometry_msgs/Vector3 translation", "geometry_msgs/Quaternion rotation"],
  "geometry_msgs/msg/TransformStamped": [
    "std_msgs/Header header",
    "string child_frame_id",
    "geometry_msgs/Transform transform",
  ],
  "geometry_msgs/msg/Pose": ["geometry_msgs/Point position", "geometry_msgs/Quaternion orientation"],
  "geometry_msgs/msg/PoseStamped": ["std_msgs/Header header", "geometry_msgs/Pose pose"],
  "tf2_msgs/msg/TFMessage": ["geometry_msgs/TransformStamped[] transforms"],
  "geometry_msgs/msg/Twist": ["geometry_msgs/Vector3 linear", "geometry_msgs/Vector3 angular"],
  "geometry_msgs/msg/PoseWithCovariance": ["geometry_msgs/Pose pose", "float64[36] covariance"],
  "geometry_msgs/msg/TwistWithCovariance": ["geometry_msgs/Twist twist", "float64[36] covariance"],
  "geometry_msgs/msg/PoseWithCovarianceStamped": [
    "std_msgs/Header header",
    "geometry_msgs/PoseWithCovariance pose",
  ],
  "nav_msgs/msg/Odometry": [
    "std_msgs/Header header",
    "string child_frame_id",
    "geometry_msgs/PoseWithCovariance pose",
    "geometry_msgs/TwistWithCovariance twist",
  ],
  "sensor_msgs/msg/NavSatStatus": ["int8 status", "uint16 service"],
  "sensor_msgs/msg/NavSatFix": [
    "std_msgs/Header header",
    "sensor_msgs/NavSatStatus status",
    "float64 latitude",
    "float64 longitude",
    "float64 altitude",
    "float64[9] position_covariance",
    "uint8 position_covariance_type",
  ],
  "sensor_msgs/msg/PointField": ["string name", "uint32 offset", "uint8 datatype", "uint32 count"],
  "sensor_msgs/msg/PointCloud2": [
    "std_msgs/Header header",
    "uint32 height",
    "uint32 width",
    "sensor_msgs/PointField[] fields",
    "bool is_bigendian",
    "uint32 point_step",
    "uint32 row_step",
    "uint8[] data",
    "bool is_dense",
  ],
};

/** Differences in ROS 1: a header has a sequence number, and camera matrices have capital names. */
const ROS1_TYPES: Readonly<Record<string, readonly string[]>> = {
  ...TYPES,
  "std_msgs/msg/Header": ["uint32 seq", "builtin_interfaces/Time stamp", "string frame_id"],
  "sensor_msgs/msg/CameraInfo": TYPES["sensor_msgs/msg/CameraInfo"]!.map((field) =>
    field.replace(/ ([dkrp])$/, (_, name: string) => ` ${name.toUpperCase()}`),
  ),
};

/** A type of its own in ROS, a primitive in the codec. */
const TIME = "builtin_interfaces/Time";

export type RosType = keyof typeof ROOTS;
/** The messages that get a channel. */
const ROOTS = {
  "std_msgs/msg/String": 0,
  "sensor_msgs/msg/CompressedImage": 0,
  "sensor_msgs/msg/Image": 0,
  "sensor_msgs/msg/CameraInfo": 0,
  "sensor_msgs/msg/LaserScan": 0,
  "geometry_msgs/msg/PoseStamped": 0,
  "tf2_msgs/msg/TFMessage": 0,
  "geometry_msgs/msg/TransformStamped": 0,
  "geometry_msgs/msg/PoseWithCovarianceStamped": 0,
  "nav_msgs/msg/Odometry": 0,
  "sensor_msgs/msg/NavSatFix": 0,
  "sensor_msgs/msg/PointCloud2": 0,
};

/** The decodable type for a ROS 1 or ROS 2 name. */
export function knownType(name: string): RosType | undefined {
  const full =
    name === "tf/tfMessage" ? "tf2_msgs/msg/TFMessage" : name.replace(/^(\w+)\/(\w+)$/, "$1/msg/$2");
  return Object.hasOwn(ROOTS, full) ? (full as RosType) : undefined;
}

interface Field {
  type: string;
  name: string;
  isArray?: boolean;
  arrayLength?: number;
  isComplex?: boolean;
}

/** For the codecs: the root first, then every type that it contains. */
export function definitionsOf(
  root: RosType,
  version: "ros1" | "ros2" = "ros2",
): { name: string; definitions: Field[] }[] {
  const types = version === "ros1" ? ROS1_TYPES : TYPES;
  return closure(root).map((name) => ({ name: short(name), definitions: types[name]!.map(parseField) }));
}

/** The schema text of an MCAP file: the root's fields, then each other type after a ruler. */
export function schemaText(root: RosType): string {
  const [first, ...others] = closure(root);
  const fields = (name: string) => `${TYPES[name]!.join("\n")}\n`;
  const sections = others.map((name) => [short(name), fields(name)] as const);
  const text = fields(first!) + sections.map(([, body]) => body).join("");
  const time = text.includes(TIME) ? [[TIME, "int32 sec\nuint32 nanosec\n"] as const] : [];
  const ruler = "=".repeat(80);
  return (
    fields(first!) + [...sections, ...time].map(([name, body]) => `${ruler}\nMSG: ${name}\n${body}`).join("")
  );
}

function parseField(field: string): Field {
  const [typeText, name] = field.split(" ") as [string, string];
  const match = /^([^[]+)(?:\[(\d*)\])?$/.exec(typeText)!;
  const base = match[1]!;
  const array = match[2];
  return {
    type: base === TIME ? "time" : base,
    name,
    ...(array !== undefined && { isArray: true }),
    ...(array && { arrayLength: Number(array) }),
    ...(isComplex(base) && { isComplex: true }),
  };
}

function isComplex(base: string): boolean {
  return base.includes("/") && base !== TIME;
}

function short(name: string): string {
  return name.replace("/msg/", "/");
}

function closure(root: string): string[] {
  const seen = [root];
  for (let i = 0; i < seen.length; i++) {
    for (const field of TYPES[seen[i]!]!) {
      const base = field.split(" ")[0]!.replace(/\[.*$/, "");
      const full = base.replace("/", "/msg/");
      if (isComplex(base) && !seen.includes(full)) seen.push(full);
    }
  }
  return seen;
}
