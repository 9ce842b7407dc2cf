import { ChangeTail, logEndOf, type Principal } from "../memory/index.ts";
import { evaluate, readingsOf, say, scopeOf, surroundingsOf } from "../reasoning/index.ts";
import { Effort, type EffortOptions, type Expression, LociError, ulidSource } from "../schema/index.ts";
import { type Gone, type Looked, Watches, WatchStore, type WebhookPolicy } from "../watches/index.ts";
import { optionsFor, type WorkCall } from "./ask.ts";
import type { Memory } from "./memory.ts";

/** A standing query is evaluated again and again, so it may cost a tenth of a question. */
const LOOK_EFFORT = { units: 20_000, workMs: 3_000 } as const;

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
  /** Whether a grant is still valid; watches of other grants are ended. Default: all are valid. */
  readonly holds?: (grant: string) => boolean;
  /** Persist watches beside the memory, so that they continue after a restart; default true. */
  readonly keep?: boolean;
  readonly nowUs?: () => number;
  /** What one evaluation may cost; a watch that needs more is refused or suspended. */
  readonly effort?: Pick<EffortOptions, "units" | "workMs">;
  /** Wait before a webhook's second attempt; doubled before each further one. */
  readonly firstWaitMs?: number;
}

/**
 * The standing queries of a memory. Persistent ones run in the process that holds the writer lock, so resuming them
 * takes it. Close them before the memory.
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
    logEndUs: async () => (await logEndOf(await memory.reader())) ?? undefined,
    look: ({ expression, owner, watch }, signal) => {
      const caller = `watches of ${owner.grant ?? owner.id}`;
      const effort = new Effort({ ...LOOK_EFFORT, ...options.effort, caller, signal });
      return look(seenBy(owner), expression, watch, { signal, effort });
    },
    read: (question, owner) => readQuestion(seenBy(owner), question),
    nowUs,
    newId: ulidSource(),
    policy,
    ...(options.holds && { holds: options.holds }),
    ...(options.firstWaitMs !== undefined && { firstWaitMs: options.firstWaitMs }),
    release: async () => {
      memory.forgetting.delete(hear);
      for (const view of views.values()) await view.close();
    },
  });
  return watches;
}

const kept = new WeakMap<Memory, Promise<Watches>>();
const rules = new WeakMap<Memory, Pick<WatchesOptions, "policy" | "holds">>();

/** The persistent watches of a memory, resumed on first use and ended with the memory. */
export function watchesOf(memory: Memory): Promise<Watches> {
  let watches = kept.get(memory);
  if (watches === undefined) {
    watches = openWatches(memory, rules.get(memory));
    kept.set(memory, watches);
    memory.ending.add(async () => (await watches?.catch(() => undefined))?.close());
    // Another process may have released the writer's lock by the next call.
    watches.catch(() => kept.delete(memory));
  }
  return watches;
}

/** Sets where webhooks may go and which grants are valid, and resumes any persistent watches. */
export async function resumeWatches(
  memory: Memory,
  rule: Pick<WatchesOptions, "policy" | "holds">,
): Promise<void> {
  rules.set(memory, rule);
  if (new WatchStore(memory.folder).hasAny) await (await watchesOf(memory)).start();
}

/** Ends the watches whose grant is no longer valid. */
export async function retireWatches(memory: Memory): Promise<void> {
  await (await kept.get(memory))?.retire();
}

/** Evaluates an expression as of the latest moment that the memory knows. */
async function look(
  memory: Memory,
  expression: Expression,
  { scene, agent }: { readonly scene?: string | undefined; readonly agent?: string | undefined },
  call: WorkCall,
): Promise<Looked> {
  const options = await optionsFor(memory, { sceneId: scene, agentId: agent }, call);
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

/** Readings above this cost are refused: a misread watch could stay silent unnoticed for weeks. */
const MAX_COST = 0.2;

/** The likeliest reading of a question that can be watched; one that only a text search answers cannot. */
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
