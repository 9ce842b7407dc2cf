import type { MemoryFace, Talk, WorkCall } from "../../compose.ts";
import { ALL_OPERATIONS, type OperationName } from "../../operations/index.ts";
import { Effort } from "../../schema/core.ts";
import { type Caller, callerIdOf } from "./access.ts";
import type { ServerLimits } from "./limits.ts";
import { Queue } from "./queue.ts";

/** Where the calls of all callers wait. */
export interface Queues {
  /** Questions and what costs as much. */
  readonly long: Queue;
  /** Searches: each is short, many at once are not. */
  readonly short: Queue;
}

export function queuesOf(limits: ServerLimits): Queues {
  const { searchesOfOne, requests } = limits;
  const each = { questions: requests, questionsOfOne: searchesOfOne, waitingOfOne: requests };
  return { long: new Queue(limits), short: new Queue(each, setImmediate) };
}

/**
 * The face of a caller whose questions wait for their turn, share the thread with those of others, and may cost no more
 * than the server's limits. Of its searches a few run in one round of the event loop. Calls that only read or write
 * records pass through unchanged.
 */
export function fairFace(
  face: MemoryFace,
  caller: Caller,
  { long, short }: Queues,
  { questionUnits: units, questionMs: workMs }: Pick<ServerLimits, "questionUnits" | "questionMs">,
): MemoryFace {
  const id = callerIdOf(caller);
  const inTurn = <C extends WorkCall, T>(call: C | undefined, work: (call: C) => Promise<T>): Promise<T> =>
    long.run(id, call?.signal, async () => {
      const effort = new Effort({ units, workMs, caller: id, signal: call?.signal });
      await effort.begin();
      return work({ ...(call as C), effort });
    });
  const waits = ALL_OPERATIONS.flatMap(([name, { cost, lead }]): [OperationName, AnyMethod][] => {
    if (cost === undefined) return [];
    const own = face[name] as AnyMethod;
    return [
      [
        name,
        (...args) => {
          const at = lead === undefined ? 1 : 2;
          const call = args[at] as WorkCall | undefined;
          const rest = lead === undefined ? args[0] : { ...(args[1] as object), [lead]: args[0] };
          if (cost !== "question" && cost((rest ?? {}) as never) === "search")
            return short.run(id, call?.signal, async () => own(...args));
          return inTurn(call, async (fair) => own(...Array.from({ length: at }, (_, n) => args[n]), fair));
        },
      ],
    ];
  });
  return {
    ...face,
    ...(Object.fromEntries(waits) as Partial<MemoryFace>),
    conversation: (settings) => {
      const talk: Talk = face.conversation(settings);
      return { ask: (question, call) => inTurn(call, (own) => talk.ask(question, own)) };
    },
  };
}

type AnyMethod = (...args: unknown[]) => unknown;
