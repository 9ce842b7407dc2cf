import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/**
 * Writes real but tiny models for tests where no weights can be downloaded: an ONNX graph encoded by hand (the
 * few protobuf fields of onnx.proto3 that a graph needs) and a letter-by-letter WordPiece tokenizer.
 */
export const TINY_DIM = 24;
const IMAGE_SIDE = 8;
const FLOAT = 1;
const INT64 = 7;

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const VOCABULARY = [...SPECIAL, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`)];

/** BERT's shape: `last_hidden_state` is a row of a table for each token. */
export async function writeTinyTextModel(folder: string): Promise<void> {
  const table = tensor("table", [VOCABULARY.length, TINY_DIM]);
  const ids = ["input_ids", "attention_mask", "token_type_ids"].map((name) =>
    value(name, INT64, ["batch", "tokens"]),
  );
  const graph = [
    ...[node("Gather", ["table", "input_ids"], "last_hidden_state")],
    ...[table, ...ids.map((input) => field(11, input))],
    field(12, value("last_hidden_state", FLOAT, ["batch", "tokens", TINY_DIM])),
  ];
  await writeModel(folder, "bert", { model: graph });
}

/** CLIP's or SigLIP's shape: mean of token rows, and a matrix over the pixels. */
export async function writeTinyImageModel(folder: string, type: "clip" | "siglip"): Promise<void> {
  const [textOutput, imageOutput] =
    type === "clip" ? ["text_embeds", "image_embeds"] : ["pooler_output", "pooler_output"];
  const text = [
    node("Gather", ["table", "input_ids"], "rows"),
    node("ReduceMean", ["rows"], textOutput!, [ints("axes", [1]), int("keepdims", 0)]),
    tensor("table", [VOCABULARY.length, TINY_DIM]),
    field(11, value("input_ids", INT64, ["batch", "tokens"])),
    field(12, value(textOutput!, FLOAT, ["batch", TINY_DIM])),
  ];
  const pixels = 3 * IMAGE_SIDE * IMAGE_SIDE;
  const vision = [
    node("Flatten", ["pixel_values"], "flat"),
    node("MatMul", ["flat", "matrix"], imageOutput!),
    tensor("matrix", [pixels, TINY_DIM]),
    field(11, value("pixel_values", FLOAT, ["batch", 3, IMAGE_SIDE, IMAGE_SIDE])),
    field(12, value(imageOutput!, FLOAT, ["batch", TINY_DIM])),
  ];
  await writeModel(folder, type, { text_model: text, vision_model: vision });
  await writeJson(folder, "preprocessor_config.json", {
    image_processor_type: type === "clip" ? "CLIPImageProcessor" : "SiglipImageProcessor",
    do_resize: true,
    size: { height: IMAGE_SIDE, width: IMAGE_SIDE },
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  });
}

/** The row that the tables of both models hold for a token. */
export function tinyRow(token: string): number[] {
  const start = VOCABULARY.indexOf(token) * TINY_DIM;
  return Array.from({ length: TINY_DIM }, (_, i) => weightAt(start + i));
}

/** A picture of one colour, as PNG. */
export function solidPng(red: number, green: number, blue: number, side = 16): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
  };
  const line = [0, ...Array.from({ length: side }, () => [red, green, blue]).flat()];
  const pixels = deflateSync(Uint8Array.from(Array.from({ length: side }, () => line).flat()));
  const header = Buffer.concat([uint32(side), uint32(side), Buffer.from([8, 2, 0, 0, 0])]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", new Uint8Array()),
  ]);
}

async function writeModel(folder: string, type: string, graphs: Record<string, Buffer[]>): Promise<void> {
  await mkdir(join(folder, "onnx"), { recursive: true });
  for (const [name, parts] of Object.entries(graphs)) {
    const graph = Buffer.concat([...parts, field(2, name)]);
    const model = [int64(1, 8), field(7, graph), field(8, Buffer.concat([field(1, ""), int64(2, 17)]))];
    await writeFile(join(folder, "onnx", `${name}.onnx`), Buffer.concat(model));
  }
  await writeJson(folder, "config.json", { model_type: type });
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

const writeJson = (folder: string, name: string, json: object) =>
  writeFile(join(folder, name), JSON.stringify(json));

function node(
  op: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Buffer[] = [],
): Buffer {
  const parts = [...inputs.map((name) => field(1, name)), field(2, output), field(4, op)];
  return field(1, Buffer.concat([...parts, ...attributes.map((attribute) => field(5, attribute))]));
}

const ints = (name: string, values: readonly number[]) =>
  Buffer.concat([field(1, name), ...values.map((item) => int64(8, item)), int64(20, 7)]);
const int = (name: string, item: number) => Buffer.concat([field(1, name), int64(3, item), int64(20, 2)]);

const weightAt = (index: number) => (Math.imul(index + 1, 0x9e3779b1) >>> 8) / 2 ** 23 - 1;

/** An initializer whose numbers look random and are always the same. */
function tensor(name: string, dims: readonly number[]): Buffer {
  const numbers = new DataView(new ArrayBuffer(4 * dims.reduce((size, dim) => size * dim, 1)));
  for (let i = 0; i < numbers.byteLength / 4; i++) {
    numbers.setFloat32(4 * i, weightAt(i), true);
  }
  const parts = [...dims.map((dim) => int64(1, dim)), int64(2, FLOAT), field(8, name)];
  return field(5, Buffer.concat([...parts, field(9, Buffer.from(numbers.buffer))]));
}

function value(name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? int64(1, dim) : field(2, dim)));
  const tensorType = Buffer.concat([int64(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))]);
}

/** A protobuf field with a length before it: a string, bytes or a message. */
function field(number: number, content: string | Buffer): Buffer {
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

function uint32(item: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(item);
  return bytes;
}
