import { LociError } from "../../schema/index.ts";

/** The field of onnx.proto3's ModelProto that holds key and value strings. */
const METADATA = 14;
const MOST_NAMES = 10_000;

/** The metadata of an ONNX model, without reading its graph. */
export function metadataOf(bytes: Uint8Array): Map<string, string> {
  const found = new Map<string, string>();
  for (const [number, content] of fieldsOf(bytes)) {
    if (number !== METADATA) continue;
    const texts = new Map(
      Array.from(fieldsOf(content), ([n, text]) => [n, Buffer.from(text).toString("utf8")]),
    );
    const key = texts.get(1);
    if (key !== undefined) found.set(key, texts.get(2) ?? "");
  }
  return found;
}

/** The class names that exporters write: `{0: 'person', 1: "teacher's desk"}`, or a JSON list or object. */
export function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const [, number, quote = "'", name = ""] of text.matchAll(
    /(\d+)\s*["']?\s*:\s*(["'])((?:\\.|(?!\2).)*)\2/g,
  )) {
    if (Number(number) < MOST_NAMES) names[Number(number)] = name.replaceAll(`\\${quote}`, quote);
  }
  if (names.length === 0 && text.trim().startsWith("["))
    for (const [, quote = "'", name = ""] of text.matchAll(/(["'])((?:\\.|(?!\1).)*)\1/g))
      names.push(name.replaceAll(`\\${quote}`, quote));
  return Array.from(names, (name) => name ?? "");
}

/** The length-prefixed fields of a protobuf message; others are skipped. */
function* fieldsOf(bytes: Uint8Array): Generator<[number: number, content: Uint8Array]> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || factor > 2 ** 49) throw damaged();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const kind = key % 8;
    if (kind === 0) varint();
    else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4;
    else if (kind === 2) {
      const length = varint();
      if (at + length > bytes.length) throw damaged();
      yield [Math.floor(key / 8), bytes.subarray(at, at + length)];
      at += length;
    } else throw damaged();
  }
}

function damaged(): LociError {
  return new LociError("model-unavailable", "expected an ONNX model; the file is damaged or something else");
}
