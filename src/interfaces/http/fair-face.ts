import type { MemoryFace, Talk, WorkCall } from "../../compose.ts";
import { Effort } from "../../schema/core.ts";
import { type Caller, callerIdOf } from "./access.ts";
import type { ServerLimits } from "./limits.ts";
import { Queue } from "./queue.ts";

/** Reading and serialising more hits than this takes as long as a question. */
const MANY_HITS = 100;

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
  return {
    ...face,
    search: (query, call) =>
      (query.limit ?? 0) > MANY_HITS
        ? inTurn(call, (own) => face.search(query, own))
        : short.run(id, call?.signal, () => face.search(query, call)),
    ask: (question, settings, call) => inTurn(call, (own) => face.ask(question, settings, own)),
    conversation: (settings) => {
      const talk: Talk = face.conversation(settings);
      return { ask: (question, call) => inTurn(call, (own) => talk.ask(question, own)) };
    },
    list: (query, call) => inTurn(call, (own) => face.list(query, own)),
    life: (thing, query, call) => inTurn(call, (own) => face.life(thing, query, own)),
    timeline: (query, call) => inTurn(call, (own) => face.timeline(query, own)),
    diff: (query, call) => inTurn(call, (own) => face.diff(query, own)),
    coverage: (query, call) => inTurn(call, (own) => face.coverage(query, own)),
    route: (query, call) => inTurn(call, (own) => face.route(query, own)),
    goal: (query, call) => inTurn(call, (own) => face.goal(query, own)),
    watch: (request, call) => inTurn(call, (own) => face.watch(request, own)),
  };
}
