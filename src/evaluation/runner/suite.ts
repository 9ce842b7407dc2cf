import type { Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/index.ts";
import type { QuestionRecord } from "../../schema/core.ts";

/** A place with its questions: one house of a simulation, one drive, one scanned room. */
export interface SuiteScene {
  readonly id: string;
  /** The seed or settings that made it, if it is random. */
  readonly seed: string;
  readonly questions: readonly QuestionRecord[];
  /** Invalid lines of its question file: not asked, but counted and shown. */
  readonly malformed?: readonly MalformedLine[];
  readonly floorAreaM2?: number;
  /** Opens or builds its memory; only called if one of its questions is still to be asked. */
  open(signal: AbortSignal): Promise<SceneMemory>;
}

/** A line of a file that could not be read, and why. */
export interface MalformedLine {
  readonly line: number;
  readonly reason: string;
}

/** The memory of a scene, with what only the scene's creator knows about it. */
export interface SceneMemory {
  readonly reader: MemoryReader;
  /** The embedder that wrote the memory. */
  readonly embedder?: TextEmbedder;
  /** The tracks that correspond to a true thing; without it, track recall is not scored. */
  readonly tracksOf?: (thingId: string) => readonly string[];
  /** Path length in metres, null if there is none; without it, only the straight line is scored. */
  readonly geodesicM?: (from: Vec3, to: Vec3) => number | null;
  /** Metres travelled during the recording: the cost of an answer if the robot moved for it. */
  readonly walkedM?: number;
  close(): Promise<void>;
}

/** Possible clock error of a recording: a question's picture has the truth's time. */
const CLOCK_OFF_US = 1_000_000;

/** Questions may cover only a part of the memory: the window starts here and ends when they are asked. */
export function windowOf(question: QuestionRecord): { readonly fromUs: number; readonly toUs: number } {
  const from = question.about["windowFromUs"];
  // The end is open, so it is extended to include what was seen at the moment of asking.
  return {
    fromUs: typeof from === "number" && Number.isSafeInteger(from) ? from : Number.MIN_SAFE_INTEGER,
    toUs: Math.max(question.askedAtUs, (question.image?.timeUs ?? -Infinity) + CLOCK_OFF_US) + 1,
  };
}
