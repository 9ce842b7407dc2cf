import { createRoute, z } from "@hono/zod-openapi";
import type { AskCall } from "../../../compose.ts";
import { askInputSchema, OPERATIONS } from "../../../operations/index.ts";
import { type AnswerRecord, askSettingsSchema } from "../../../schema/index.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { Conversations } from "../conversations.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";
import { sse } from "../sse.ts";

const byId = z.object({ id: z.uuid() });
/** The most readings of a question that are listed. */
const MAX_READINGS = 4;
const answer = {
  description: "The answer; as a stream: events reading, evidence, answer",
  content: {
    "application/json": {
      schema: z.looseObject({ status: z.string(), text: z.string() }).openapi("Answer"),
    },
    "text/event-stream": { schema: z.string() },
  },
} as const;

/** Questions in plain words, alone or in a conversation; streamed to clients that accept text/event-stream. */
export function askRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");
  const conversations = new Conversations(context.limits);

  const ask = createRoute({
    method: "post",
    path: "/v1/ask",
    summary: OPERATIONS.ask.summary,
    middleware,
    request: { body: jsonBody(askInputSchema) },
    responses: { 200: answer, ...PROBLEMS },
  });
  app.openapi(ask, async (c) => {
    const { question, ...settings } = c.req.valid("json");
    const face = context.face(c);
    return answered(c, (call) => face.ask(question, settings, call));
  });

  const begin = createRoute({
    method: "post",
    path: "/v1/conversations",
    summary: "Begin a conversation, in which a question may refer to the ones before",
    middleware,
    request: { body: jsonBody(askSettingsSchema) },
    responses: { 200: jsonReply(z.object({ id: z.uuid() }), "Its id, for its questions"), ...PROBLEMS },
  });
  app.openapi(begin, (c) => {
    const caller = c.get("caller");
    const { face, release } = context.hold(c);
    return c.json({ id: conversations.begin(caller, face.conversation(c.req.valid("json")), release) }, 200);
  });

  const next = createRoute({
    method: "post",
    path: "/v1/conversations/{id}/questions",
    summary: "The next question of a conversation",
    middleware,
    request: { params: byId, body: jsonBody(askInputSchema.pick({ question: true })) },
    responses: { 200: answer, ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(next, async (c) => {
    const talk = conversations.talkOf(c.get("caller"), c.req.valid("param").id);
    return answered(c, (call) => talk.ask(c.req.valid("json").question, call));
  });

  const end = createRoute({
    method: "delete",
    path: "/v1/conversations/{id}",
    summary: "End a conversation",
    middleware,
    request: { params: byId },
    responses: { 204: { description: "It is over" }, ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(end, (c) => {
    conversations.end(c.get("caller"), c.req.valid("param").id);
    return c.body(null, 204);
  });

  const answered = async (c: RequestContext, work: (call: AskCall) => Promise<AnswerRecord>) => {
    if (!c.req.header("accept")?.includes("text/event-stream"))
      return send(c, await work({ signal: context.signalOf(c) }));
    return sse(c, context, (_, signal) => told((onReadings) => work({ signal, onReadings })));
  };
}

type Readings = readonly string[];

/** How a question was read as soon as that is known, then what was found, then the answer. */
async function* told(
  work: (onReadings: (readings: Readings) => void) => Promise<AnswerRecord>,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const read = Promise.withResolvers<Readings>();
  const answering = work(read.resolve).finally(() => read.resolve([]));
  for (const reading of (await read.promise).slice(0, MAX_READINGS))
    yield { event: "reading", data: JSON.stringify({ reading }) };
  const answer = await answering;
  for (const evidence of answer.evidence) yield { event: "evidence", data: JSON.stringify(evidence) };
  yield { event: "answer", data: JSON.stringify(answer) };
}
