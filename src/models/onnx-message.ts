/** ONNX graphs encoded by hand: the few protobuf fields of onnx.proto3 that a graph needs. */
export const FLOAT = 1;
export const INT64 = 7;

/** A model of one graph; its parts are nodes, initializers, inputs (field 11) and outputs (field 12). */
export function model(name: string, parts: readonly Buffer[]): Buffer {
  const graph = Buffer.concat([...parts, field(2, name)]);
  return Buffer.concat([int64(1, 8), field(7, graph), field(8, Buffer.concat([field(1, ""), int64(2, 17)]))]);
}

/** One operation of a graph. */
export function node(
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Buffer[] = [],
): Buffer {
  const parts = [...inputs.map((name) => field(1, name)), field(2, output), field(4, op)];
  return field(1, Buffer.concat([...parts, ...attributes.map((attribute) => field(5, attribute))]));
}

export const ints = (name: string, values: readonly number[]) =>
  Buffer.concat([field(1, name), ...values.map((item) => int64(8, item)), int64(20, 7)]);
export const int = (name: string, item: number) =>
  Buffer.concat([field(1, name), int64(3, item), int64(20, 2)]);

/** A string as an attribute. */
export const word = (name: string, item: string) =>
  Buffer.concat([field(1, name), field(4, item), int64(20, 3)]);

/** An initializer. */
export function numbers(name: string, dims: readonly number[], numberAt: (index: number) => number): Buffer {
  const bytes = new DataView(new ArrayBuffer(4 * dims.reduce((size, dim) => size * dim, 1)));
  for (let i = 0; i < bytes.byteLength / 4; i++) {
    bytes.setFloat32(4 * i, numberAt(i), true);
  }
  const parts = [...dims.map((dim) => int64(1, dim)), int64(2, FLOAT), field(8, name)];
  return field(5, Buffer.concat([...parts, field(9, Buffer.from(bytes.buffer))]));
}

/** An initializer of integers, as for shapes. */
export function shape(name: string, sizes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * sizes.length);
  sizes.forEach((size, i) => {
    bytes.writeBigInt64LE(BigInt(size), 8 * i);
  });
  return field(5, Buffer.concat([int64(1, sizes.length), int64(2, INT64), field(8, name), field(9, bytes)]));
}

/** An input or output of a graph. */
export function value(name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? int64(1, dim) : field(2, dim)));
  const tensorType = Buffer.concat([int64(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))]);
}

/** A length-prefixed protobuf field: a string, bytes or a message. */
export function field(number: number, content: string | Buffer): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

const int64 = (number: number, item: number) => Buffer.concat([varint(number << 3), varint(item)]);

function varint(item: number): Buffer {
  const bytes: number[] = [];
  for (let rest = item; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
