import { z } from "zod";
import { idSchema, LociError, type WatchEvent, watchEventSchema } from "../schema/index.ts";
import { operation } from "./operation.ts";

/** Events after a given number, or from now on; each at least once, until the signal ends. */
export const watchEvents = operation({
  summary: "The events of a standing query as they happen; Last-Event-ID resumes",
  scope: "read",
  isOfHolder: true,
  input: z.strictObject({ id: idSchema, after: z.int().min(0).optional() }),
  output: watchEventSchema,
  lead: "id",
  answers: "stream",
  http: {
    method: "get",
    path: "/v1/watches/{id}/events",
    says: "Server-sent events “watch”; the id of each is its number",
    mayMiss: true,
    relies: ["number"],
    event: { name: "watch", number: ({ number }: WatchEvent) => number },
    begins: async (
      face: { watches(): Promise<readonly { readonly id: string }[]> },
      { id }: { id: string },
    ) => {
      if (!(await face.watches()).some((one) => one.id === id))
        throw new LociError("unknown-id", `there is no watch "${id}"`);
    },
  },
  run: async function* (
    { memory, actor },
    { id, after },
    { signal = new AbortController().signal },
  ): AsyncGenerator<WatchEvent> {
    const { watchesOf } = await import("../compose/watch.ts");
    yield* (await watchesOf(memory)).events(id, actor, after, signal);
  },
});
