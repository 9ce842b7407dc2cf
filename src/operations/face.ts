import type { AskCall, WorkCall } from "../compose/ask.ts";
import type { Eyes } from "../compose/ingest-eyes.ts";
import type { SentFrame } from "../compose/live-frames.ts";
import type { Memory } from "../compose/memory.ts";
import { sparingly } from "../compose/sparingly.ts";
import type { LiveOutcome } from "../ingest/index.ts";
import type { AnswerRecord, AskSettings } from "../schema/core.ts";
import { requestOf } from "./ask.ts";
import type { Actor, OperationContext } from "./context.ts";
import { ingestFrame } from "./frames.ts";
import type { Operation } from "./operation.ts";
import { ALL_OPERATIONS, type OPERATIONS } from "./table.ts";

/** A conversation: earlier questions give "and the blue one?" its meaning. */
export interface Talk {
  ask(question: string, call?: AskCall): Promise<AnswerRecord>;
}

/** An operation as a method: what it leads with, the rest of its input, how it is called. */
type Method<O> =
  O extends Operation<infer In, infer Out, infer Lead, infer Call>
    ? [Lead] extends [never]
      ? MethodOf<In, Out, Call>
      : Lead extends keyof In
        ? LedMethodOf<In, Out, Lead, Call>
        : never
    : never;

type MethodOf<In, Out, Call> =
  Partial<In> extends In ? (input?: In, call?: Call) => Out : (input: In, call?: Call) => Out;

type LedMethodOf<In, Out, Lead extends keyof In, Call> =
  Partial<In> extends In
    ? (lead?: In[Lead], rest?: Omit<In, Lead>, call?: Call) => Out
    : Partial<Omit<In, Lead>> extends Omit<In, Lead>
      ? (lead: In[Lead], rest?: Omit<In, Lead>, call?: Call) => Out
      : (lead: In[Lead], rest: Omit<In, Lead>, call?: Call) => Out;

export type OperationMethods = { readonly [K in keyof typeof OPERATIONS]: Method<(typeof OPERATIONS)[K]> };

/**
 * What a program can do with a memory, in JSON values: the same for a memory in this process and for one behind a server
 * (`connect`). Every operation of the table is a method; HTTP, MCP and the command line offer the same.
 */
export interface MemoryFace extends OperationMethods {
  /** Runs a posed frame through the whole pipeline: things, map, views. Resolves once it is durable. */
  ingestFrame(frame: SentFrame): Promise<LiveOutcome>;
  /** Questions that build on one another. */
  conversation(settings?: AskSettings): Talk;
  close(): Promise<void>;
}

/** What carries an operation out: the name it has in the table, the operation, its input, how it is called. */
export type CarryOut = (
  name: keyof typeof OPERATIONS,
  made: Operation,
  input: Record<string, unknown>,
  call: WorkCall,
) => unknown;

/** The methods of a face over what carries them out. */
export function methodsOver(carryOut: CarryOut): OperationMethods {
  const methods = ALL_OPERATIONS.map(([name, made]) => {
    const { lead } = made;
    const method =
      lead === undefined
        ? (input: object = {}, call: WorkCall = {}) => carryOut(name, made, { ...input }, call)
        : (led: unknown, rest: object = {}, call: WorkCall = {}) =>
            carryOut(name, made, { ...rest, [lead]: led }, call);
    return [name, method];
  });
  return Object.fromEntries(methods) as OperationMethods;
}

/** The face of a memory in this process for an actor; without one, for its owner. Close it after use. */
export function localFace(
  memory: Memory,
  actor: Actor = { id: "owner", labels: "*" },
  { eyes }: { readonly eyes?: Eyes | undefined } = {},
): MemoryFace {
  const { view: seen, release } = viewAs(memory, actor);
  const counts = sparingly(
    () => memory.engine.generation(),
    () => seen.stats(),
  );
  const context: OperationContext = { memory, seen, actor, eyes, counts };
  return {
    ...methodsOver((_, made, input, call) => made.run(context, input as never, call as never)),
    ingestFrame: (frame) => ingestFrame(context, frame),
    conversation: (settings = {}) => {
      const talk = import("../compose/ask.ts").then(
        ({ Conversation }) => new Conversation(seen, requestOf(settings)),
      );
      return { ask: async (question, call) => (await talk).ask(question, call) };
    },
    close: release,
  };
}

interface SharedView {
  readonly view: Memory;
  users: number;
}

/** Open views of memories, by the labels held. */
const views = new WeakMap<Memory, Map<string, SharedView>>();

/** What an actor may see. Actors with the same labels share one view, so that its maps are opened once. */
function viewAs(memory: Memory, actor: Actor): { readonly view: Memory; release(): Promise<void> } {
  const known = views.get(memory) ?? new Map<string, SharedView>();
  views.set(memory, known);
  const key = actor.labels === "*" ? "*" : JSON.stringify([...new Set(actor.labels)].sort());
  const shared = known.get(key) ?? { view: memory.as({ principal: actor }), users: 0 };
  known.set(key, shared);
  shared.users++;
  let isHeld = true;
  return {
    view: shared.view,
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      if (--shared.users > 0) return;
      known.delete(key);
      await shared.view.close();
    },
  };
}
