import { LIMITS, LociError } from "../../schema/index.ts";
import { isDetections, listDetections } from "../datasets/detections.ts";
import { openShots } from "../datasets/open-shots.ts";
import { listTransforms } from "../datasets/transforms.ts";
import { lines, parseJson, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { OpenSource } from "../source.ts";
import { captionSource, isCaption } from "./captions.ts";
import { csvRecords } from "./csv.ts";
import { hydraSource, isSceneGraph, parseWithLongIntegers } from "./hydra.ts";

const ROWS = 2_000_000;

/** Opens a text file by its content: captions as JSON, JSON lines or a table, detections, a scene graph. */
export async function openText(path: string, options: ReadOptions): Promise<OpenSource> {
  if (/\.(jsonl|ndjson)$/i.test(path)) return captionSource(path, await jsonLines(path), options);
  const text = (await readText(path, LIMITS.blobBytes)) ?? "";
  if (/\.(csv|tsv)$/i.test(path)) {
    const rows = csvRecords(path.endsWith("tsv") ? text.replaceAll("\t", ",") : text);
    if (rows.length > 0 && !isCaption(rows[0])) throw unknown(path, Object.keys(rows[0]!));
    return captionSource(path, rows, options);
  }
  const value = parsed(text, path);
  if (isSceneGraph(value)) return hydraSource(path, value, options);
  if (isDetections(value)) return openShots(listDetections(path, value, options), options);
  if (typeof value === "object" && value !== null && "frames" in value)
    return openShots(await listTransforms(path, options), options);
  const rows = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray);
  if (Array.isArray(rows) && rows.length <= ROWS && isCaption(rows[0]))
    return captionSource(path, rows, options);
  const shown: unknown = Array.isArray(value) ? value[0] : value;
  throw unknown(path, typeof shown === "object" ? Object.keys(shown ?? {}) : [], Array.isArray(value));
}

function parsed(text: string, path: string): unknown {
  try {
    return parseWithLongIntegers(text);
  } catch (cause) {
    throw new LociError("invalid-input", `expected JSON in ${path}`, { cause });
  }
}

async function jsonLines(path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const line of lines(path)) {
    if (rows.length >= ROWS) throw new LociError("limit-exceeded", `more than ${ROWS} lines in ${path}`);
    rows.push(parseJson(line, `line ${rows.length + 1} of ${path}`));
  }
  return rows;
}

function unknown(path: string, keys: readonly string[], isList = false): LociError {
  const got = keys.slice(0, 8).join(", ") || "something else";
  return new LociError(
    "invalid-input",
    `expected captions (caption, time), detections (images, annotations), transforms (frames) or a scene graph (nodes, edges, layer_ids) in ${path}, got ${isList ? "a list of " : ""}${got}`,
  );
}
