import { z } from "zod";
import type { Belief } from "../../belief/belief.ts";
import type { AgentPose } from "../../belief/poses.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { Viewer } from "../../belief/viewer.ts";
import type { Box, Interval, Vec3 } from "../../geometry/index.ts";
import type { SceneMap } from "../../map/index.ts";
import type { Retrieved } from "../../retrieval/index.ts";
import type { Expression, RecordKind } from "../../schema/index.ts";
import type { Kind, KnownValue, Value } from "./value.ts";

/** The part of a set that is enough to read: the rest of the question drops all others. */
export interface Enough {
  /** Only the likeliest few are candidates. */
  readonly few?: boolean | undefined;
  readonly rooms?: readonly RoomView[] | undefined;
  readonly boxes?: readonly Box[] | undefined;
  /** Those nearest to this. */
  readonly near?: Vec3 | undefined;
  /** All of them, one by one, for a listing. */
  readonly every?: boolean | undefined;
  /** Also those with another label that may be such things. */
  readonly doubtful?: boolean | undefined;
}

/**
 * The context of an evaluation: the memory as its reader may see it, the time that is meant, the viewer for left and
 * right, and the element that an enclosing operator has bound. Scopes are never changed, only narrowed.
 */
export interface Scope {
  readonly memory: Belief;
  readonly agentId?: string | undefined;
  /** The robot that is compared with others: things that it did not see itself are left out. */
  readonly witness?: string | undefined;
  /** The present pose of the robot asked. */
  readonly pose?: AgentPose | undefined;
  /** The world time that is meant; undefined is now, with all that was seen until now. */
  readonly during?: Interval | undefined;
  readonly viewer?: Viewer | undefined;
  readonly enough?: Enough | undefined;
  /** The value of `it`. */
  readonly it?: KnownValue | undefined;
  /** 0: exactly as asked; each step admits less certain fits (docs/formulas.md#rounds). */
  readonly broadened: number;
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  /** The original question, for semantic search. */
  readonly question: string;
  /** Semantic search for records, with the chosen strategy; absent where none is available. */
  readonly retrieve?: ((text: string) => Promise<Pick<Retrieved, "items" | "weak"> | undefined>) | undefined;
}

export const NO_OPTIONS = z.strictObject({});

/** One argument and its possible kinds. A `bound` one is computed once for each element, as `it`. */
export interface Parameter {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly optional?: boolean;
  readonly bound?: boolean;
  /** Any number of these; only the last parameter. */
  readonly repeated?: boolean;
}

/** One call of an operator. */
export interface Call {
  readonly node: Expression;
  readonly scope: Scope;
  /** The number of arguments. */
  readonly size: number;
  /** The options, parsed by the operator's schema. */
  readonly options: Readonly<Record<string, unknown>>;
  /** An argument's value, in this scope or a narrower one. */
  arg(n: number, narrower?: Partial<Scope>): Promise<Value>;
  args(): Promise<Value[]>;
  /** The value of an expression inside an argument, for operators that evaluate their argument in another way. */
  value(inner: Expression, narrower?: Partial<Scope>): Promise<Value>;
}

/**
 * One operator: a row of the table. If an argument is unknown, the result is unknown and `run` is not called, unless
 * the argument is bound or the operator accepts unknowns.
 */
export interface Operator {
  readonly name: string;
  /** One line for people and for language models. */
  readonly says: string;
  readonly takes: readonly Parameter[];
  readonly options?: z.ZodObject;
  /**
   * The kind of the result; `first` is the kind of the first argument, a list its possible kinds, the likeliest first.
   */
  readonly gives: Kind | "first" | readonly Kind[];
  /** The kinds of records it reads itself: a standing query waits for these. */
  readonly reads?: readonly RecordKind[];
  readonly copes?: boolean;
  /** The cost of one run without its arguments, in steps of `Effort`; default 1, some 0.2 ms. */
  readonly costs?: number;
  run(call: Call): Promise<Value>;
}
