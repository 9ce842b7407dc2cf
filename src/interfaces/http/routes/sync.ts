import { createRoute, z } from "@hono/zod-openapi";
import {
  finishAbandoned,
  hasAbandoned,
  type LocalPeer,
  localPeer,
  type Sealed,
  SegmentParts,
  segmentName,
  type TakeOptions,
} from "../../../compose.ts";
import {
  blobRefSchema,
  heardSchema,
  idSchema,
  LociError,
  lineSchema,
  timeUsSchema,
  toldSchema,
} from "../../../schema/index.ts";
import type { Caller } from "../access.ts";
import { blobResponse } from "../blob-response.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { everyLabel } from "../every-label.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

/** Bytes of segments that were prepared and not fetched yet. */
const OFFERED_BYTES = 67_108_864;
const FORGETTINGS = 20_000;
const WHOLE = "memories meet whole: sync";

const name = z.object({ name: blobRefSchema });
const statusSchema = z
  .object({
    memory: idSchema,
    heard: heardSchema,
    told: toldSchema,
    /** Whether this caller may pass on what other memories wrote. */
    relays: z.boolean(),
    nowUs: timeUsSchema.optional(),
  })
  .openapi("SyncStatus");
const forgettingSchema = z.strictObject({ id: idSchema, reason: lineSchema });
const forgottenSchema = z.strictObject({ forgotten: z.array(forgettingSchema) });
const forgetSchema = z.strictObject({
  forgotten: z.array(forgettingSchema).max(FORGETTINGS),
  /** The share of the records here that may go. */
  share: z.number().min(0).max(1).optional(),
});
const giveSchema = z.strictObject({
  heard: heardSchema,
  told: toldSchema,
  whole: z.boolean().optional(),
  segmentBytes: z.int().min(1_024).max(33_554_432).optional(),
});
const finishSchema = z.strictObject({
  sender: idSchema,
  /** How far the sender's clock is ahead of this one's. */
  clock: z.strictObject({ aheadUs: timeUsSchema, sdUs: z.number().min(0) }).optional(),
});
const disownSchema = z.strictObject({
  memory: idSchema,
  /** Memory time of the first write that was not its own; all of them without. */
  fromUs: timeUsSchema.optional(),
});
const sizeSchema = z.object({ bytes: z.int() });
const bytes = { description: "A segment, or the asked part of it", content: { "*/*": { schema: z.any() } } };
const receiptSchema = z.looseObject({ sender: idSchema.nullable() }).openapi("SyncReceipt");

/**
 * Memories that meet (docs/sync.md). A segment is everything that a memory wrote, whatever its labels: so only tokens
 * that hold every label are admitted, and all others get the same message whatever exists.
 */
export function syncRoutes(app: App, context: ServerContext): void {
  const opened = lazily(() => openPeer(context));
  const parts = new SegmentParts(context.memory.folder);
  const abandoned = new Abandoned(context, opened);
  const offered = new Offered();
  context.memory.forgetting.add(() => offered.clear());

  const status = createRoute({
    method: "get",
    path: "/v1/sync",
    summary: "Where this memory stands, for one that meets it",
    middleware: everyLabel(WHOLE, "read", "write"),
    responses: { 200: jsonReply(statusSchema, "How far it has what each memory wrote"), ...PROBLEMS },
  });
  app.openapi(status, async (c) =>
    send(c, { ...(await (await opened()).status()), relays: relays(c.get("caller")) }),
  );

  const forgotten = createRoute({
    method: "get",
    path: "/v1/sync/forgotten",
    summary: "What was forgotten here for good",
    middleware: everyLabel(WHOLE, "read", "write"),
    responses: { 200: jsonReply(forgottenSchema, "Ids and reasons"), ...PROBLEMS },
  });
  app.openapi(forgotten, async (c) => send(c, { forgotten: await (await opened()).forgotten() }));

  const forget = createRoute({
    method: "post",
    path: "/v1/sync/forgotten",
    summary: "Forgets what was forgotten elsewhere; what is not here is noted, and not taken later",
    middleware: everyLabel(WHOLE, "admin"),
    request: { body: jsonBody(forgetSchema) },
    responses: {
      200: jsonReply(
        z.object({ ok: z.boolean(), kept: z.int() }),
        "Done; or, where too much would go, how many records stay",
      ),
      ...PROBLEMS,
    },
  });
  app.openapi(forget, async (c) => {
    const { forgotten: asked, share } = c.req.valid("json");
    const { kept } = await (await opened()).forgetFor(asked, c.get("caller").actor.id, { share });
    return send(c, { ok: kept === 0, kept });
  });

  const disown = createRoute({
    method: "post",
    path: "/v1/sync/disowned",
    summary:
      "What came in a memory's name was not its own: it counts as unheard, and gives way to what others say",
    middleware: everyLabel(WHOLE, "admin"),
    request: { body: jsonBody(disownSchema) },
    responses: { 200: jsonReply(z.object({ writes: z.int() }), "How many writes that were"), ...PROBLEMS },
  });
  app.openapi(disown, async (c) => {
    const { memory, fromUs } = c.req.valid("json");
    return send(c, await (await opened()).disownFor(memory, c.get("caller").actor.id, { fromUs }));
  });

  const give = createRoute({
    method: "post",
    path: "/v1/sync/segments",
    summary: "The next segment of what a memory lacks: its name and length; null where it has all",
    middleware: everyLabel(WHOLE, "read"),
    request: { body: jsonBody(giveSchema) },
    responses: {
      200: jsonReply(z.object({ name: blobRefSchema.nullable(), bytes: z.int() }), "Its name"),
      ...PROBLEMS,
    },
  });
  app.openapi(give, async (c) => {
    wholeMemory(c);
    const made = await (await opened()).give({ ...c.req.valid("json"), signal: context.signalOf(c) });
    if (made) offered.add(made);
    return send(c, { name: made?.name ?? null, bytes: made?.bytes.length ?? 0 });
  });

  const fetch = createRoute({
    method: "get",
    path: "/v1/sync/segments/{name}",
    summary: "A segment that was made; takes ranges",
    middleware: everyLabel(WHOLE, "read"),
    request: { params: name },
    responses: { 200: bytes, 206: bytes, ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(fetch, async (c) => {
    wholeMemory(c);
    const { name: wanted } = c.req.valid("param");
    return blobResponse(c.req.raw.headers, wanted, offered.get(wanted));
  });

  takingRoutes(app, context, opened, parts, abandoned);
}

function takingRoutes(
  app: App,
  context: ServerContext,
  opened: () => Promise<LocalPeer>,
  parts: SegmentParts,
  abandoned: Abandoned,
): void {
  const middleware = everyLabel(WHOLE, "write");

  const size = createRoute({
    method: "get",
    path: "/v1/sync/segments/{name}/size",
    summary: "How much of a segment has arrived here",
    middleware,
    request: { params: name },
    responses: { 200: jsonReply(sizeSchema, "Bytes"), ...PROBLEMS },
  });
  app.openapi(size, async (c) => {
    const { name: wanted } = c.req.valid("param");
    (await opened()).refuseAside(wanted);
    return send(c, { bytes: parts.size(wanted) });
  });

  const put = createRoute({
    method: "put",
    path: "/v1/sync/segments/{name}",
    summary: "A piece of a segment; one that does not go on from what is here changes nothing",
    middleware,
    request: {
      params: name,
      query: z.object({ at: z.coerce.number().int().min(0) }),
      body: { required: true, content: { "application/octet-stream": { schema: z.any() } } },
    },
    responses: { 200: jsonReply(sizeSchema, "How much is here now"), ...PROBLEMS },
  });
  app.openapi(put, async (c) => {
    const piece = new Uint8Array(await c.req.arrayBuffer());
    return send(c, { bytes: parts.add(c.req.valid("param").name, c.req.valid("query").at, piece) });
  });

  const take = createRoute({
    method: "post",
    path: "/v1/sync/segments/{name}/take",
    summary: "Takes a segment that is here whole; a sender of null means that it has to be sent again",
    middleware,
    request: { params: name },
    responses: { 200: jsonReply(receiptSchema, "What became of it"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(take, async (c) => {
    const { name: wanted } = c.req.valid("param");
    const arrived = parts.size(wanted) === 0 ? undefined : parts.read(wanted);
    try {
      if (arrived && segmentName(arrived) === wanted)
        return send(
          c,
          await (await opened()).take(
            { name: wanted, bytes: arrived },
            takeOptions(c.get("caller"), context),
          ),
        );
      if (arrived) context.log.warn({ segment: wanted, bytes: arrived.length }, "a segment arrived torn");
      return send(c, { sender: null });
    } finally {
      parts.drop(wanted);
      abandoned.later();
    }
  });

  const finish = createRoute({
    method: "post",
    path: "/v1/sync/finish",
    summary: "Everything of a memory is in: its maps are joined, and things called what people say",
    middleware,
    request: { body: jsonBody(finishSchema) },
    responses: {
      200: jsonReply(z.object({ joined: z.int(), apart: z.int() }), "What came of its maps"),
      ...PROBLEMS,
    },
  });
  app.openapi(finish, async (c) => {
    const { sender, clock } = c.req.valid("json");
    context.access.speakFor(c.get("caller"), sender, [sender], context.nowUs());
    return send(c, await (await opened()).finish(sender, { clock }));
  });
}

/** How long after its last segment an unfinished sync counts as abandoned. */
const CUT_OFF_MS = 60_000;

/** Ends abandoned syncs: once when a server starts, and whenever segments have stopped arriving. */
class Abandoned {
  readonly #context: ServerContext;
  readonly #opened: () => Promise<LocalPeer>;
  #ends: NodeJS.Timeout | undefined;

  constructor(context: ServerContext, opened: () => Promise<LocalPeer>) {
    this.#context = context;
    this.#opened = opened;
    void this.#finish(true);
  }

  later(): void {
    clearTimeout(this.#ends);
    this.#ends = setTimeout(() => void this.#finish(false), CUT_OFF_MS);
    this.#ends.unref();
  }

  async #finish(isFirst: boolean): Promise<void> {
    const { memory, log, shutdown } = this.#context;
    try {
      // Most servers start without unfinished syncs, so no peer needs to be opened.
      if (shutdown.aborted || (isFirst && !(await hasAbandoned(memory)))) return;
      await finishAbandoned(memory, await this.#opened());
    } catch (error) {
      if (!shutdown.aborted) log.warn({ err: error }, "a sync that was cut off could not be ended");
    }
  }
}

async function openPeer({ memory, nowUs }: ServerContext): Promise<LocalPeer> {
  const peer = await localPeer(memory, "this memory", nowUs);
  memory.ending.add(() => peer.close());
  return peer;
}

/** Whether a caller may bring what other memories than its own wrote. */
function relays({ scopes, voice }: Caller): boolean {
  return voice === undefined || voice.relays || scopes.includes("admin");
}

/** The rights of a segment here, by its sender. */
function takeOptions(caller: Caller, { access, nowUs }: ServerContext): TakeOptions {
  const { scene, agent } = caller.actor;
  return {
    onlyScene: scene,
    rights: {
      // A caller has no reason to rewrite records that it may not read.
      rewrites: relays(caller) || caller.scopes.includes("read"),
      ...(!relays(caller) && { agent }),
    },
    admit: (sender, memories) => access.speakFor(caller, sender, memories, nowUs()),
  };
}

/** Once, and again after a failure. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Requested segments, kept until they are fetched or others need the room. */
class Offered {
  readonly #segments = new Map<string, Uint8Array>();
  #bytes = 0;

  add({ name: of, bytes: made }: Sealed): void {
    this.#bytes -= this.#segments.get(of)?.length ?? 0;
    this.#segments.delete(of);
    this.#segments.set(of, made);
    this.#bytes += made.length;
    for (const [oldest, { length }] of this.#segments) {
      if (this.#bytes <= OFFERED_BYTES || oldest === of) return;
      this.#segments.delete(oldest);
      this.#bytes -= length;
    }
  }

  clear(): void {
    this.#segments.clear();
    this.#bytes = 0;
  }

  get(of: string): Uint8Array {
    const made = this.#segments.get(of);
    if (made === undefined) throw new LociError("unknown-id", "there is nothing here by this name");
    return made;
  }
}

/** A segment covers all scenes. */
function wholeMemory(c: RequestContext): void {
  if (c.get("caller").actor.scene !== undefined)
    throw new LociError(
      "access-denied",
      "a token of one scene may not read a whole memory; push only, or use another",
    );
}
