/** Name, number, type and, of messages, the type's name; a type of "[…]" is repeated. */
type FieldLine = readonly [name: string, number: number, type: string];

const TYPE_NUMBERS: Readonly<Record<string, number>> = {
  double: 1,
  int64: 3,
  int32: 5,
  fixed32: 7,
  string: 9,
  bytes: 12,
};

/** The messages of github.com/foxglove/schemas that we read, with its field numbers. */
export const FOXGLOVE_TYPES: Readonly<Record<string, readonly FieldLine[]>> = {
  "google.protobuf.Timestamp": [
    ["seconds", 1, "int64"],
    ["nanos", 2, "int32"],
  ],
  "foxglove.Vector3": [
    ["x", 1, "double"],
    ["y", 2, "double"],
    ["z", 3, "double"],
  ],
  "foxglove.Quaternion": [
    ["x", 1, "double"],
    ["y", 2, "double"],
    ["z", 3, "double"],
    ["w", 4, "double"],
  ],
  "foxglove.CompressedImage": [
    ["timestamp", 1, "google.protobuf.Timestamp"],
    ["frame_id", 4, "string"],
    ["data", 2, "bytes"],
    ["format", 3, "string"],
  ],
  "foxglove.CameraCalibration": [
    ["timestamp", 1, "google.protobuf.Timestamp"],
    ["frame_id", 9, "string"],
    ["width", 2, "fixed32"],
    ["height", 3, "fixed32"],
    ["distortion_model", 4, "string"],
    ["D", 5, "[double]"],
    ["K", 6, "[double]"],
    ["R", 7, "[double]"],
    ["P", 8, "[double]"],
  ],
  "foxglove.FrameTransform": [
    ["timestamp", 1, "google.protobuf.Timestamp"],
    ["parent_frame_id", 2, "string"],
    ["child_frame_id", 3, "string"],
    ["translation", 4, "foxglove.Vector3"],
    ["rotation", 5, "foxglove.Quaternion"],
  ],
  "foxglove.FrameTransforms": [["transforms", 1, "[foxglove.FrameTransform]"]],
};

/** A FileDescriptorSet of these types, one file each package. */
export function descriptorOf(types: Readonly<Record<string, readonly FieldLine[]>>): Uint8Array {
  const packageOf = (type: string) => type.slice(0, type.lastIndexOf("."));
  const packages = [...new Set(Object.keys(types).map(packageOf))];
  const files = packages.map((space) => {
    const messages = Object.entries(types).filter(([type]) => packageOf(type) === space);
    return field(
      1,
      Buffer.concat([
        text(1, `${space.replaceAll(".", "/")}.proto`),
        text(2, space),
        ...packages
          .filter((other) => other !== space && other.startsWith("google"))
          .map((other) => text(3, `${other.replaceAll(".", "/")}.proto`)),
        ...messages.map(([type, fields]) => field(4, messageOf(type.slice(space.length + 1), fields))),
        text(12, "proto3"),
      ]),
    );
  });
  return Buffer.concat(files);
}

function messageOf(name: string, fields: readonly FieldLine[]): Buffer {
  return Buffer.concat([
    text(1, name),
    ...fields.map(([of, number, type]) => {
      const isRepeated = type.startsWith("[");
      const plain = type.replace(/^\[|\]$/g, "");
      const known = TYPE_NUMBERS[plain];
      return field(
        2,
        Buffer.concat([
          text(1, of),
          Buffer.from([3 << 3, number, 4 << 3, isRepeated ? 3 : 1, 5 << 3, known ?? 11]),
          ...(known === undefined ? [text(6, `.${plain}`)] : []),
        ]),
      );
    }),
  ]);
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let left = bytes.length; ; left >>>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left);
    if (left < 128) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
