import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { model, numbers } from "../onnx-message.ts";

/** Test folders with ONNX models in the hub's layout. */
export { FLOAT, field, INT64, int, ints, node, shape, value } from "../onnx-message.ts";

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
    await writeFile(join(folder, "onnx", `${name}.onnx`), model(name, parts));
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

export const weightAt = (index: number) => (Math.imul(index + 1, 0x9e3779b1) >>> 8) / 2 ** 23 - 1;

/** An initializer; its numbers are pseudo-random and fixed, unless given. */
export function tensor(name: string, dims: readonly number[], numberAt = weightAt): Buffer {
  return numbers(name, dims, numberAt);
}
