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

/** What is enough to be read of a set: the rest of the question leaves out everything else. */
export interface Enough {
  /** Only the likeliest few are chosen among. */
  readonly few?: boolean | undefined;
  readonly rooms?: readonly RoomView[] | undefined;
  readonly boxes?: readonly Box[] | undefined;
  /** Those nearest to this. */
  readonly near?: Vec3 | undefined;
  /** All of them, one by one, as a listing has them. */
  readonly every?: boolean | undefined;
  /** Those too that are called otherwise and may be such. */
  readonly doubtful?: boolean | undefined;
}

/**
 * What an expression is carried out in: the memory as its reader may see it, the time that is meant, whose left is
 * meant, and the element that an enclosing operator has bound. Scopes are never changed, only narrowed.
 */
export interface Scope {
  readonly memory: Belief;
  readonly agentId?: string | undefined;
  /** The robot that is compared with others: things that it did not see itself are none. */
  readonly witness?: string | undefined;
  /** Where the asked one stands now. */
  readonly pose?: AgentPose | undefined;
  /** The world time that is meant; undefined is now, with all that was seen until now. */
  readonly during?: Interval | undefined;
  readonly viewer?: Viewer | undefined;
  readonly enough?: Enough | undefined;
  /** What `it` stands for. */
  readonly it?: KnownValue | undefined;
  /** 0 as asked; each step takes in less certain fits (docs/formulas.md#rounds). */
  readonly broadened: number;
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  /** The question as it was asked, for what is found by meaning. */
  readonly question: string;
  /** Records by meaning, as the chosen strategy finds them; absent where nothing can be found by meaning. */
  readonly retrieve?: ((text: string) => Promise<Pick<Retrieved, "items" | "weak"> | undefined>) | undefined;
}

export const NO_OPTIONS = z.strictObject({});

/** One argument: which kinds it may be. `bound` is computed once for each element, as `it`. */
export interface Parameter {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly optional?: boolean;
  readonly bound?: boolean;
  /** As many of these as are given; only the last parameter. */
  readonly repeated?: boolean;
}

/** An operator at work. */
export interface Call {
  readonly node: Expression;
  readonly scope: Scope;
  /** How many arguments there are. */
  readonly size: number;
  /** The options, as the operator's schema gives them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** An argument's value, in this scope or a narrower one. */
  arg(n: number, narrower?: Partial<Scope>): Promise<Value>;
  args(): Promise<Value[]>;
  /** The value of an expression inside of an argument, for operators that carry their argument out another way. */
  value(inner: Expression, narrower?: Partial<Scope>): Promise<Value>;
}

/**
 * One operator: a row of the table. Arguments that are unknown make the whole unknown before `run` is called, unless
 * they are bound or the operator says that it copes.
 */
export interface Operator {
  readonly name: string;
  /** One line for people and for language models. */
  readonly says: string;
  readonly takes: readonly Parameter[];
  readonly options?: z.ZodObject;
  /** What it gives; `first` is whatever its first argument is, a list what it may be, the likeliest first. */
  readonly gives: Kind | "first" | readonly Kind[];
  /** Which records it reads by itself: what a standing query waits for. */
  readonly reads?: readonly RecordKind[];
  readonly copes?: boolean;
  /** What carrying it out once costs, beside its arguments, in steps of `Effort`; default 1, some 0.2 ms. */
  readonly costs?: number;
  run(call: Call): Promise<Value>;
}
