import { ChangeTail, type Principal } from "../memory/index.ts";
import { evaluate, readingsOf, say, scopeOf, surroundingsOf } from "../reasoning/index.ts";
import { type Expression, LociError, ulidSource } from "../schema/index.ts";
import { type Gone, type Looked, Watches, WatchStore, type WebhookPolicy } from "../watches/index.ts";
import { optionsFor } from "./ask.ts";
import type { Memory } from "./memory.ts";

const tails = new WeakMap<Memory, ChangeTail>();

/** The commits that a memory's reader sees, polled once for all followers. */
export function tailOf(memory: Memory): ChangeTail {
  let tail = tails.get(memory);
  if (tail === undefined) {
    tail = new ChangeTail(() => memory.reader());
    tails.set(memory, tail);
  }
  return tail;
}

export interface WatchesOptions {
  readonly policy?: WebhookPolicy;
  /** Kept beside the memory, so that they go on after a restart; default true. */
  readonly keep?: boolean;
  readonly nowUs?: () => number;
  /** Before a webhook is tried the second time; twice as long before each further one. */
  readonly firstWaitMs?: number;
}

/**
 * The standing queries of a memory. Persistent ones run in the process that holds the writer's lock: resuming
 * them takes it. Close them before the memory.
 */
export async function openWatches(memory: Memory, options: WatchesOptions = {}): Promise<Watches> {
  const { keep = true, policy = { allow: [] }, nowUs = () => Date.now() * 1000 } = options;
  if (keep) await memory.writer();
  const views = new Map<string, Memory>();
  const seenBy = (owner: Principal) => {
    const key = JSON.stringify([owner.id, owner.labels]);
    const view = views.get(key) ?? memory.as({ principal: owner });
    views.set(key, view);
    return view;
  };
  const hear = (gone: Gone) => watches.forget(gone);
  memory.forgetting.add(hear);
  const watches = new Watches({
    ...(keep && { store: new WatchStore(memory.folder) }),
    tail: tailOf(memory),
    forgotten: async () => {
      const log = await memory.engine.log();
      try {
        return { ids: new Set((await log.forgotten()).map(({ id }) => id)), names: [] };
      } finally {
        await log.close();
      }
    },
    lastCommitUs: async () => (await memory.stats()).lastCommitUs ?? undefined,
    look: ({ expression, owner, watch }) => look(seenBy(owner), expression, watch),
    read: (question, owner) => readQuestion(seenBy(owner), question),
    nowUs,
    newId: ulidSource(),
    policy,
    ...(options.firstWaitMs !== undefined && { firstWaitMs: options.firstWaitMs }),
    release: async () => {
      memory.forgetting.delete(hear);
      for (const view of views.values()) await view.close();
    },
  });
  return watches;
}

const kept = new WeakMap<Memory, Promise<Watches>>();
const policies = new WeakMap<Memory, WebhookPolicy>();

/** The kept watches of a memory, taken up when first asked for and ended with it. */
export function watchesOf(memory: Memory): Promise<Watches> {
  let watches = kept.get(memory);
  if (watches === undefined) {
    const policy = policies.get(memory);
    watches = openWatches(memory, policy ? { policy } : {});
    kept.set(memory, watches);
    memory.ending.add(async () => (await watches?.catch(() => undefined))?.close());
    // Another process may have released the writer's lock by the next call.
    watches.catch(() => kept.delete(memory));
  }
  return watches;
}

/** Says where webhooks may go, and takes up the watches that were kept, if there are any. */
export async function resumeWatches(memory: Memory, policy: WebhookPolicy): Promise<void> {
  policies.set(memory, policy);
  if (new WatchStore(memory.folder).hasAny) await (await watchesOf(memory)).start();
}

/** Carries an expression out as of the last moment that the memory knows. */
async function look(
  memory: Memory,
  expression: Expression,
  { scene, agent }: { readonly scene?: string | undefined; readonly agent?: string | undefined },
): Promise<Looked> {
  const options = await optionsFor(memory, { sceneId: scene, agentId: agent }, {});
  const scope = await scopeOf(options);
  const value = await evaluate(expression, scope);
  const context = { nowUs: options.nowUs, surroundings: surroundingsOf(scope.memory) };
  const { text } = await say(expression, value, context);
  const rooms = await Promise.all(
    roomNames(expression).map((head) =>
      scope.memory.roomsNamed({ head, mods: [], attributes: {}, phrase: head }),
    ),
  );
  return { value, text, atUs: options.nowUs, roomIds: rooms.flat().map(({ id }) => id) };
}

function roomNames({ op, of, with: { name } }: Expression): string[] {
  const own = op === "rooms" && typeof name === "string" ? [name.toLowerCase()] : [];
  return [...own, ...of.flatMap(roomNames)];
}

/** Readings above this cost are refused: a misread watch would stay silent for weeks before anybody noticed. */
const MAX_COST = 0.2;

/** The likeliest way to understand a question that can be watched: what is only found by its words cannot. */
async function readQuestion(memory: Memory, question: string): Promise<Expression> {
  const readings = await readingsOf(question, await optionsFor(memory, {}, {}));
  const [expression, ...rest] =
    readings.find(({ parts, cost }) => cost <= MAX_COST && parts[0] && parts[0].op !== "recall")?.parts ?? [];
  if (expression === undefined || rest.length > 0)
    throw new LociError(
      "invalid-input",
      `“${question}” is not one question that can be watched; say it otherwise, or as an expression`,
    );
  return expression;
}
