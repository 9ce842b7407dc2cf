import { observedSpan } from "../belief/span.ts";
import { momentUs } from "../memory/query.ts";
import { type Timeline, timelineQuerySchema, timelineSchema } from "../schema/index.ts";
import { scopeIn } from "./going.ts";
import { operation } from "./operation.ts";
import { count, quoted, spanText } from "./telling.ts";

export const timeline = operation({
  summary: "Events counted over a span in equal steps, with how often somebody looked",
  scope: "read",
  cost: "question",
  input: timelineQuerySchema,
  output: timelineSchema,
  http: { method: "post", path: "/v1/timeline", says: "Counts, and the latest events" },
  command: {},
  run: async ({ seen }, { scene, from, to, ...query }, call): Promise<Timeline> => {
    const { timelineOf } = await import("../reasoning/accounts/index.ts");
    const { memory } = await scopeIn(seen, { scene }, call);
    const observed = from === undefined || to === undefined ? await observedSpan(await seen.reader()) : null;
    return timelineOf(memory, {
      ...query,
      fromUs: from === undefined ? (observed?.fromUs ?? memory.nowUs) : momentUs(from),
      toUs: to === undefined ? (observed?.toUs ?? memory.nowUs) : momentUs(to),
    });
  },
  tell: ({ events, fromUs, toUs, isCut, buckets }) => {
    const looks = buckets.reduce((sum, bucket) => sum + bucket.looks, 0);
    return {
      summary: `${spanText({ validFromUs: fromUs, validToUs: toUs })}: ${count(looks, "look")}, the latest ${count(events.length, "event")}${isCut ? ", and more than could be counted" : ""}.`,
      rows: events.map(({ id, type, fromUs: from, toUs: to, text }) => {
        const when = spanText({ validFromUs: from, validToUs: to });
        return { line: `${when} ${quoted(text)} [${id}]`, data: { id, type, when, text } };
      }),
    };
  },
});
