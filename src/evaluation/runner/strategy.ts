import type { Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { ModelRoles, TextEmbedder } from "../../models/index.ts";
import type { SearchForest } from "../../retrieval/index.ts";
import type { AnswerRecord, QuestionRecord } from "../../schema/index.ts";

/**
 * One way of answering questions from a memory: a paper's preset, the product's default, a baseline. The runner
 * gives it a question without its truth and a memory that ends when the question was asked. The same question,
 * memory and seed give the same answer; a failure is a LociError, never an answer that pretends.
 */
export interface Strategy {
  readonly id: string;
  /** Which models answer, by role ("reasoner", "embedder"): part of every row. */
  readonly models?: Readonly<Record<string, string>>;
  /** Whatever else changes its answers, as plain data: part of the configuration's hash. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The same strategy answering with these models, where it has work for one. */
  readonly withModels?: (models: ModelRoles) => Strategy;
  answer(question: AskedQuestion, context: MemoryContext): Promise<AnswerRecord>;
}

/**
 * A question as whoever answers sees it: never its answer, its evidence, its type, its tolerance or its
 * difficulty. "I" and "you" in it are `askedOf`, who stands at `start`.
 */
export type AskedQuestion = Pick<
  QuestionRecord,
  "id" | "text" | "options" | "askedAtUs" | "askedOf" | "start" | "image" | "scope"
>;

/** The memory a question is asked of, and what else an answerer may use. */
export interface MemoryContext {
  readonly sceneId: string;
  /** Sees nothing after the moment of asking, and nothing before the window the question is about. */
  readonly reader: MemoryReader;
  /** The embedder that wrote the memory; absent where the memory has no vectors. */
  readonly embedder?: TextEmbedder;
  /** The memory's region forest, read once for all questions of a scene; what it names is read through `reader`. */
  readonly forest?: () => Promise<SearchForest | undefined>;
  readonly nowUs: number;
  /** Named by suite, scene, question and strategy: draws of one question never move those of another. */
  readonly seed: string;
  readonly signal: AbortSignal;
}

/**
 * Evidence in words → a draft answer. The port behind which the simple extractive answerer stands today and the
 * reasoning room plugs in: the baselines differ only in which evidence they show.
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

/** One record in the words that a reasoner reads, with its place and time. */
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
