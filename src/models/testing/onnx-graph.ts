import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** ONNX graphs encoded by hand: the few protobuf fields of onnx.proto3 that a graph needs. For tests. */
export const FLOAT = 1;
export const INT64 = 7;

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
export const VOCABULARY = [...SPECIAL, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`)];

/** A folder as the hub has them: graphs, a configuration and a tokenizer that reads letter by letter. */
export async function writeModel(
  folder: string,
  config: { readonly model_type: string } & Readonly<Record<string, unknown>>,
  graphs: Readonly<Record<string, readonly Buffer[]>>,
): Promise<void> {
  await mkdir(join(folder, "onnx"), { recursive: true });
  for (const [name, parts] of Object.entries(graphs)) {
    const graph = Buffer.concat([...parts, field(2, name)]);
    const model = [int64(1, 8), field(7, graph), field(8, Buffer.concat([field(1, ""), int64(2, 17)]))];
    await writeFile(join(folder, "onnx", `${name}.onnx`), Buffer.concat(model));
  }
  await writeJson(folder, "config.json", config);
  const tokens = { pad_token: "[PAD]", unk_token: "[UNK]", cls_token: "[CLS]", sep_token: "[SEP]" };
  await writeJson(folder, "tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    model_max_length: 32,
    ...tokens,
  });
  const special = (content: string) => ({ SpecialToken: { id: content, type_id: 0 } });
  const idsOf = (content: string) => ({ id: content, ids: [VOCABULARY.indexOf(content)], tokens: [content] });
  await writeJson(folder, "tokenizer.json", {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      pair: [
        special("[CLS]"),
        { Sequence: { id: "A", type_id: 0 } },
        special("[SEP]"),
        { Sequence: { id: "B", type_id: 1 } },
      ],
      special_tokens: { "[CLS]": idsOf("[CLS]"), "[SEP]": idsOf("[SEP]") },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  });
}

export const writeJson = (folder: string, name: string, json: object) =>
  writeFile(join(folder, name), JSON.stringify(json));

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

export const weightAt = (index: number) => (Math.imul(index + 1, 0x9e3779b1) >>> 8) / 2 ** 23 - 1;

/** An initializer; its numbers look random and are always the same, unless they are said. */
export function tensor(name: string, dims: readonly number[], numberAt = weightAt): Buffer {
  const numbers = new DataView(new ArrayBuffer(4 * dims.reduce((size, dim) => size * dim, 1)));
  for (let i = 0; i < numbers.byteLength / 4; i++) {
    numbers.setFloat32(4 * i, numberAt(i), true);
  }
  const parts = [...dims.map((dim) => int64(1, dim)), int64(2, FLOAT), field(8, name)];
  return field(5, Buffer.concat([...parts, field(9, Buffer.from(numbers.buffer))]));
}

/** An initializer of whole numbers, as shapes are given. */
export function shape(name: string, sizes: readonly number[]): Buffer {
  const numbers = Buffer.alloc(8 * sizes.length);
  sizes.forEach((size, i) => {
    numbers.writeBigInt64LE(BigInt(size), 8 * i);
  });
  return field(
    5,
    Buffer.concat([int64(1, sizes.length), int64(2, INT64), field(8, name), field(9, numbers)]),
  );
}

/** What goes into a graph or comes out of it. */
export function value(name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? int64(1, dim) : field(2, dim)));
  const tensorType = Buffer.concat([int64(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))]);
}

/** A protobuf field with a length before it: a string, bytes or a message. */
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
