import type { Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { ModelRoles, TextEmbedder } from "../../models/index.ts";
import type { SearchForest } from "../../retrieval/index.ts";
import type { AnswerRecord, QuestionRecord } from "../../schema/index.ts";

/**
 * One way of answering questions from a memory: a paper's preset, the product's default, a baseline. The runner gives
 * it a question without its truth and a memory that ends when the question was asked. The same question, memory and
 * seed give the same answer; a failure is a LociError, never a made-up answer.
 */
export interface Strategy {
  readonly id: string;
  /** Which models answer, by role ("reasoner", "embedder"): part of every row. */
  readonly models?: Readonly<Record<string, string>>;
  /** Other settings that change its answers, as plain data: part of the configuration's hash. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The same strategy with these models, if it uses any. */
  readonly withModels?: (models: ModelRoles) => Strategy;
  answer(question: AskedQuestion, context: MemoryContext): Promise<AnswerRecord>;
}

/**
 * A question as the answerer sees it: without its answer, evidence, type, tolerance and difficulty. "I" and "you" in
 * it are `askedOf`, who stands at `start`.
 */
export type AskedQuestion = Pick<
  QuestionRecord,
  "id" | "text" | "options" | "askedAtUs" | "askedOf" | "start" | "image" | "scope"
>;

/** The memory of a question, and what else an answerer may use. */
export interface MemoryContext {
  readonly sceneId: string;
  /** Sees nothing after the moment of asking, and nothing before the question's window. */
  readonly reader: MemoryReader;
  /** The embedder that wrote the memory; absent if the memory has no vectors. */
  readonly embedder?: TextEmbedder;
  /** The memory's region forest, read once for all questions of a scene; its records are read through `reader`. */
  readonly forest?: () => Promise<SearchForest | undefined>;
  readonly nowUs: number;
  /** Made from suite, scene, question and strategy, so that draws for one question never affect those of another. */
  readonly seed: string;
  readonly signal: AbortSignal;
}

/**
 * Evidence as text → a draft answer. The port for the simple extractive answerer and for the reasoning module: the
 * baselines differ only in the evidence they show.
 */
export interface Answerer {
  readonly id: string;
  readonly models?: Readonly<Record<string, string>>;
  answer(
    question: AskedQuestion,
    evidence: readonly EvidenceItem[],
    context: MemoryContext,
  ): Promise<AnswerRecord>;
}

/** One record as text for a reasoner, with its place and time. */
export interface EvidenceItem {
  readonly ref: string;
  readonly kind: AnswerRecord["evidence"][number]["kind"];
  readonly text: string;
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly agentId: string;
  readonly score: number;
  readonly trackIds: readonly string[];
  readonly position?: Vec3;
}
