import type { BudgetedModel, ConfidenceRater } from "../../models/index.ts";
import type { Expression } from "../../schema/index.ts";
import type { AskOptions } from "../ask.ts";
import type { LiveView } from "./live.ts";
import type { LoopMemory } from "./loop-memory.ts";
import type { ToolRunner } from "./tools.ts";
import type { TraceBook } from "./trace-book.ts";

/** The working state of one question. */
export interface Work {
  readonly question: string;
  /** The same as our own reader has it, part by part; none where it cannot be read. */
  readonly parts: readonly Expression[];
  readonly options: AskOptions & {
    readonly live?: LiveView | undefined;
    readonly confidence?: ConfidenceRater | undefined;
  };
  readonly model: BudgetedModel;
  readonly memory: LoopMemory;
  readonly runner: ToolRunner;
  readonly trace: TraceBook;
  readonly began: number;
}
