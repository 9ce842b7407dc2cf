import { crc32, deflateSync } from "node:zlib";
import {
  FLOAT,
  field,
  INT64,
  int,
  ints,
  node,
  tensor,
  VOCABULARY,
  value,
  weightAt,
  writeJson,
  writeModel,
} from "./onnx-graph.ts";

/** Writes real but tiny embedders for tests where no weights can be downloaded. */
export const TINY_DIM = 24;
const IMAGE_SIDE = 8;

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
  await writeModel(folder, { model_type: "bert" }, { model: graph });
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
  await writeModel(folder, { model_type: type }, { text_model: text, vision_model: vision });
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

function uint32(item: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(item);
  return bytes;
}
