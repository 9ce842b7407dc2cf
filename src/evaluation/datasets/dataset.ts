import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import {
  type FrameEdgeInput,
  LociError,
  parseOrThrow,
  type QuestionInput,
  type QuestionRecord,
  questionSchema,
  type RecordInput,
  type SightingInput,
} from "../../schema/index.ts";
import type { Strategy } from "../runner/strategy.ts";
import { fetchLine } from "./sources.ts";

/** An external dataset in our own records: questions with answers, and the facts to fill a memory with. */
export interface Dataset {
  readonly name: string;
  readonly scenes: readonly DatasetScene[];
  /** Questions that exist but are not scored, with the reason. */
  readonly excluded: readonly { readonly questionId: string; readonly reason: string }[];
  /** Caveats for reading the figures. */
  readonly notes: readonly string[];
  /** Simple baselines for comparison. */
  readonly compareWith?: readonly Strategy[];
}

export interface DatasetScene {
  readonly id: string;
  readonly questions: readonly QuestionRecord[];
  /** Empty if the dataset has only questions: its frames must be ingested first. */
  readonly records: readonly RecordInput[];
  readonly sightings: readonly SightingInput[];
  /** Extra frames, for things that are not aligned with the world's axes. */
  readonly frames?: readonly FrameEdgeInput[];
  readonly floorAreaM2?: number;
  /** The local path of the scene's recording: ingested when the scene is opened. */
  readonly recording?: string;
  /** An existing memory. */
  readonly memory?: string;
  /** The pictures that the questions are about, in order: stored as views without a pose when the scene is opened. */
  readonly pictures?: readonly PictureSource[];
}

/** A picture is a file, or a part of one. */
export type PictureSource =
  | string
  | { readonly file: string; readonly fromByte: number; readonly bytes: number };

/** For datasets without times: later than anything a memory can hold. */
export const AFTER_ALL_US = Date.UTC(2200, 0, 1) * 1000;
/** For facts without times: they hold from here on. */
export const SOME_TIME_US = Date.UTC(2000, 0, 1) * 1000;

const LARGEST_FILE_BYTES = 512 * 1024 ** 2;

/** Reads one JSON file of a dataset; reports which file of which dataset is missing or wrong. */
export function readJson<S extends z.ZodType>(
  dataset: string,
  folder: string,
  file: string,
  schema: S,
): z.output<S> {
  const path = join(folder, file);
  if (!existsSync(path)) {
    throw new LociError(
      "invalid-input",
      `${dataset}: expected ${file} in ${folder}, which does not have it${fetchLine(dataset)}`,
    );
  }
  const { size } = statSync(path);
  if (size > LARGEST_FILE_BYTES)
    throw new LociError(
      "limit-exceeded",
      `${dataset}: ${file} has ${size} bytes, at most ${LARGEST_FILE_BYTES} are read`,
    );
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new LociError("invalid-input", `${dataset}: ${path} is not JSON`, { cause: error });
  }
  return parseOrThrow(schema, value, `${dataset}: ${file}`);
}

/** Fills in the fields that every adapter would repeat, and validates the rest. */
export function makeQuestion(
  question: Omit<QuestionInput, "difficulty" | "answerable" | "scope"> & Partial<QuestionInput>,
): QuestionRecord {
  const whole = {
    difficulty: "medium",
    scope: "episodic",
    answerable: question.answer.type !== "none",
    ...question,
  };
  return parseOrThrow(questionSchema, whole, `the question ${question.id}`);
}

/** "yes", "Yes." and "no" as typed truth; everything else stays text. */
export function truthInWords(text: string): QuestionInput["answer"] {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, "");
  if (word === "yes" || word === "no") return { type: "binary", text, value: word === "yes" };
  return { type: "text", text };
}
