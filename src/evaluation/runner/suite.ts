import type { Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/index.ts";
import type { QuestionRecord } from "../../schema/core.ts";

/** A place with its questions: one house of a simulation, one drive, one scanned room. */
export interface SuiteScene {
  readonly id: string;
  /** What made it, where something random did. */
  readonly seed: string;
  readonly questions: readonly QuestionRecord[];
  /** Lines of its file that were no questions: nobody is asked, but they are counted and shown. */
  readonly malformed?: readonly MalformedLine[];
  readonly floorAreaM2?: number;
  /** Opens or builds its memory; only called if a question of it is still to be asked. */
  open(signal: AbortSignal): Promise<SceneMemory>;
}

/** A line of a file that could not be read, and why. */
export interface MalformedLine {
  readonly line: number;
  readonly reason: string;
}

/** The memory of a scene, and what only whoever made the scene knows about it. */
export interface SceneMemory {
  readonly reader: MemoryReader;
  /** The embedder that wrote the memory. */
  readonly embedder?: TextEmbedder;
  /** The tracks that stand for a thing of the truth; without it, track recall is not scored. */
  readonly tracksOf?: (thingId: string) => readonly string[];
  /** Metres to walk, null if there is no way; without it, only the straight line is scored. */
  readonly geodesicM?: (from: Vec3, to: Vec3) => number | null;
  /** How far the robot went while it recorded this, in metres: what an answer by it cost, where it went for the answer. */
  readonly walkedM?: number;
  close(): Promise<void>;
}

/** How far the clock of a recording may be off: a picture that comes with a question is of the truth's clock. */
const CLOCK_OFF_US = 1_000_000;

/** Questions may be about a part of the memory only: the window starts here and ends when they are asked. */
export function windowOf(question: QuestionRecord): { readonly fromUs: number; readonly toUs: number } {
  const from = question.about["windowFromUs"];
  // The end is open, and what was seen at the very moment of asking belongs to it.
  return {
    fromUs: typeof from === "number" && Number.isSafeInteger(from) ? from : Number.MIN_SAFE_INTEGER,
    toUs: Math.max(question.askedAtUs, (question.image?.timeUs ?? -Infinity) + CLOCK_OFF_US) + 1,
  };
}
