import { randomBytes } from "node:crypto";
import type { Change, ChangeTail } from "../memory/index.ts";
import { kindOf, print, scan } from "../reasoning/index.ts";
import {
  type Expression,
  type IdSource,
  isLociError,
  LociError,
  parseExpression,
  parseOrThrow,
  type Watch,
  type WatchEvent,
  type WatchRequest,
  watchRequestSchema,
} from "../schema/index.ts";
import { dependenciesOf, isTouched } from "./depends.ts";
import { type Gone, withoutGone } from "./gone.ts";
import type { Looked } from "./look.ts";
import { type On, readWatch } from "./read-watch.ts";
import { differenceOf, snapshotOf } from "./snapshot.ts";
import { Standing } from "./standing.ts";
import type { Kept, WatchOwner, WatchStore } from "./store.ts";
import { checkTarget, deliver, type WebhookPolicy } from "./webhook.ts";

/** Each is evaluated whenever a commit affects it. */
const MAX_WATCHES = 200;
const MAX_OF_ONE = 50;
/** Least time between two evaluations, however fast commits come. */
const LOOK_EVERY_MS = 200;
/** Pause after an evaluation, as a multiple of its duration, so that questions are not starved. */
const REST = 4;
/** Most attempts per webhook event; the wait doubles each time, up to this limit. */
const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

export interface WatchesDeps {
  /** Where they are stored; without it they end with the process. */
  readonly store?: WatchStore | undefined;
  /** The commits of the memory, all of them. */
  readonly tail: ChangeTail;
  readonly logEndUs: () => Promise<number | undefined>;
  /** Everything ever forgotten. */
  readonly forgotten: () => Promise<Gone>;
  readonly look: (
    watch: Pick<Kept, "expression" | "owner" | "watch">,
    signal: AbortSignal,
  ) => Promise<Looked>;
  readonly read: (question: string, owner: WatchOwner) => Promise<Expression>;
  readonly nowUs: () => number;
  readonly newId: IdSource;
  readonly policy: WebhookPolicy;
  /** Whether a grant is still valid; default: all are. */
  readonly holds?: (grant: string) => boolean;
  /** Closes what was opened for evaluation. */
  readonly release?: () => Promise<void>;
  /** Wait before a webhook's second attempt. */
  readonly firstWaitMs?: number;
}

/**
 * Standing queries: each is evaluated when it is created and whenever a commit affects its dependencies, and reports
 * the difference from what it last reported. An event is durable before it is delivered and keeps its id, so a
 * reconnecting client gets what it may have missed.
 */
export class Watches {
  readonly #deps: WatchesDeps;
  readonly #standing = new Map<string, Standing>();
  readonly #dirty = new Set<Standing>();
  readonly #ending = new AbortController();
  #started: Promise<void> | undefined;
  #work: Promise<void> | undefined;
  #isLooking = false;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
  }

  /** Resumes stored watches and evaluates each: changes since are reported now. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Evaluates once before storing: a query too expensive for repeated evaluation is refused. */
  async watch(
    request: WatchRequest,
    owner: WatchOwner,
    signal: AbortSignal = this.#ending.signal,
  ): Promise<Watch & { readonly secret?: string }> {
    await this.start();
    const asked = parseOrThrow(watchRequestSchema, request, "watch");
    const own = [...this.#standing.values()].filter((one) => isOwn(one, owner));
    if (own.length >= MAX_OF_ONE || this.#standing.size >= MAX_WATCHES)
      throw new LociError(
        "limit-exceeded",
        `at most ${MAX_OF_ONE} watches of one, ${MAX_WATCHES} in all; end some`,
      );
    if (asked.webhook) checkTarget(asked.webhook.url, this.#deps.policy);
    const wish = asked.question === undefined ? undefined : readWatch(asked.question);
    const expression = wish
      ? plain(await this.#deps.read(wish.question, owner))
      : expressionOf(asked.expression!);
    const dependsOn = dependenciesOf(expression);
    const secret = asked.webhook && (asked.webhook.secret ?? randomBytes(32).toString("base64url"));
    const { minConfidence, hysteresis, cooldownS, scene, agent, webhook } = asked;
    const on: On = asked.on ?? wish?.on ?? "change";
    const kept: Kept = {
      format: 1,
      watch: {
        id: this.#deps.newId(),
        ...(asked.question !== undefined && { question: asked.question }),
        expression: print(expression),
        on,
        minConfidence,
        hysteresis,
        cooldownS,
        ...(scene !== undefined && { scene }),
        ...(agent !== undefined && { agent }),
        owner: owner.id,
        createdUs: this.#deps.nowUs(),
        holds: [],
        events: 0,
        ...(webhook && { webhook: { url: webhook.url, delivered: 0, lost: 0, attempts: 0 } }),
      },
      expression,
      owner: {
        id: owner.id,
        labels: owner.labels === "*" ? "*" : [...owner.labels],
        ...(owner.grant !== undefined && { grant: owner.grant }),
      },
      events: [],
      ...(secret !== undefined && { secret }),
    };
    const standing = new Standing(kept, dependsOn);
    // The initial state is not reported as a change.
    const looked = await this.#deps.look(kept, AbortSignal.any([signal, this.#ending.signal]));
    const snapshot = snapshotOf(looked.value);
    standing.know(looked);
    if (snapshot) standing.tell(differenceOf(new Map(), snapshot, kept.watch).told);
    if (!this.#isHeld(kept)) throw new LociError("access-denied", "the token was taken away");
    this.#deps.store?.put(standing.kept);
    this.#standing.set(kept.watch.id, standing);
    this.#deliver(standing);
    return {
      ...standing.watch,
      ...(secret !== undefined && asked.webhook?.secret === undefined && { secret }),
    };
  }

  async list(owner: WatchOwner): Promise<Watch[]> {
    await this.start();
    return [...this.#standing.values()].filter((one) => isOf(one, owner)).map(({ watch }) => watch);
  }

  async unwatch(id: string, owner: WatchOwner): Promise<Watch> {
    await this.start();
    const standing = this.#find(id, owner);
    this.#end(standing);
    return standing.watch;
  }

  /** Ends the watches whose grant was revoked: nothing more is evaluated, reported or delivered for it. */
  async retire(): Promise<void> {
    await this.start();
    for (const standing of [...this.#standing.values()])
      if (!this.#isHeld(standing.kept)) this.#end(standing);
  }

  /** The events of a watch after a number, then new ones, until the watch ends or the signal fires. */
  async *events(
    id: string,
    owner: WatchOwner,
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent> {
    await this.start();
    const standing = this.#find(id, owner);
    yield* standing.follow(after ?? standing.watch.events, AbortSignal.any([signal, this.#ending.signal]));
  }

  /** Removes forgotten content from every watch before anyone is notified; a watch whose question names it ends. */
  forget(gone: Gone): void {
    for (const standing of [...this.#standing.values()]) this.#forgetIn(standing, gone);
  }

  #forgetIn(standing: Standing, gone: Gone): void {
    const came = standing.forget(gone);
    if (came === "changed") this.#deps.store?.put(standing.kept);
    if (came === "gone") this.#end(standing);
  }

  #end(standing: Standing): void {
    const { id } = standing.kept.watch;
    this.#standing.delete(id);
    this.#dirty.delete(standing);
    this.#deps.store?.remove(id);
    standing.end();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    for (const standing of this.#standing.values()) standing.end();
    await this.#started?.catch(() => undefined);
    await this.#work;
    await this.#deps.release?.();
  }

  async #start(): Promise<void> {
    const { tail, logEndUs, store } = this.#deps;
    // Read first, so that commits during the evaluation are seen afterwards.
    const fromUs = await logEndUs();
    const all = store?.all() ?? [];
    // What was forgotten while no process ran is removed as well.
    const gone = all.length > 0 ? await this.#deps.forgotten() : undefined;
    for (const found of all) {
      const kept = gone === undefined ? found : withoutGone(found, gone);
      if (kept === undefined || !this.#isHeld(kept)) {
        store?.remove(found.watch.id);
        continue;
      }
      if (kept !== found) store?.put(kept);
      const standing = new Standing(kept, dependenciesOf(kept.expression));
      this.#standing.set(kept.watch.id, standing);
      this.#touch(standing);
      this.#deliver(standing);
    }
    void this.#follow(tail.after(fromUs ?? Number.MIN_SAFE_INTEGER, this.#ending.signal));
  }

  async #follow(changes: AsyncIterable<Change>): Promise<void> {
    try {
      for await (const change of changes) {
        for (const standing of this.#standing.values()) {
          if (change.forgotten.length > 0)
            this.#forgetIn(standing, { ids: new Set(change.forgotten), names: [] });
          if (isTouched(change, standing)) this.#touch(standing);
        }
      }
    } catch (error) {
      for (const standing of this.#standing.values()) standing.fail(error);
    }
  }

  #touch(standing: Standing): void {
    if (standing.kept.watch.suspended !== undefined) return;
    this.#dirty.add(standing);
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#work = this.#lookAtAll();
  }

  /** Sequentially: an evaluation costs as much as a question, and questions must still be answered meanwhile. */
  async #lookAtAll(): Promise<void> {
    while (this.#dirty.size > 0 && !this.#ending.signal.aborted) {
      const [next] = [...this.#dirty].sort((one, other) => this.#dueMs(one) - this.#dueMs(other));
      const waitMs = this.#dueMs(next!);
      if (waitMs > 0) {
        await pause(Math.min(waitMs, LOOK_EVERY_MS), this.#ending.signal);
        continue;
      }
      this.#dirty.delete(next!);
      await this.#lookAt(next!);
    }
    // Synchronously after the last check for more work, so that a later caller starts a new loop.
    this.#isLooking = false;
  }

  /** Time until it may be evaluated: after its pause, and after its cooldown. */
  #dueMs({ kept, notBeforeMs }: Standing): number {
    const silentUs =
      kept.toldUs === undefined ? 0 : kept.toldUs + kept.watch.cooldownS * 1e6 - this.#deps.nowUs();
    return Math.max(notBeforeMs - performance.now(), silentUs / 1000);
  }

  async #lookAt(standing: Standing): Promise<void> {
    const { nowUs, look, store } = this.#deps;
    const { kept } = standing;
    standing.notBeforeMs = performance.now() + LOOK_EVERY_MS;
    const beganMs = performance.now();
    try {
      const looked = await look(kept, AbortSignal.any([this.#ending.signal, standing.ended]));
      standing.know(looked);
      const snapshot = snapshotOf(looked.value);
      if (!snapshot || !this.#standing.has(kept.watch.id)) return;
      const { entered, left, told } = differenceOf(standing.told, snapshot, kept.watch);
      if (entered.length === 0 && left.length === 0) return;
      const { on } = kept.watch;
      const isNews = on === "change" || (on === "enter" ? entered : left).length > 0;
      standing.tell(
        told,
        isNews ? { entered, left, text: looked.text, atUs: looked.atUs, toldUs: nowUs() } : undefined,
      );
      store?.put(standing.kept);
      standing.announce();
      this.#deliver(standing);
    } catch (error) {
      if (!this.#standing.has(kept.watch.id) || this.#ending.signal.aborted) return;
      if (isLociError(error, "limit-exceeded")) this.#suspend(standing, error.message);
      else standing.fail(error);
    } finally {
      const now = performance.now();
      standing.notBeforeMs = Math.max(standing.notBeforeMs, now + (now - beganMs) * REST);
    }
  }

  /** A query that exceeds its budget is not evaluated again, and its listeners are notified. */
  #suspend(standing: Standing, why: string): void {
    standing.suspend(why, this.#deps.nowUs());
    this.#deps.store?.put(standing.kept);
    standing.announce();
    this.#deliver(standing);
  }

  /** Sends undelivered webhook events, in order; one at a time per watch. */
  #deliver(standing: Standing): void {
    if (!standing.kept.watch.webhook || standing.isDelivering) return;
    standing.isDelivering = true;
    void this.#deliverAll(standing);
  }

  async #deliverAll(standing: Standing): Promise<void> {
    const { policy, nowUs, store, firstWaitMs = FIRST_WAIT_MS } = this.#deps;
    const signal = AbortSignal.any([this.#ending.signal, standing.ended]);
    for (let event = standing.undelivered(); event && !signal.aborted; event = standing.undelivered()) {
      const { url, attempts } = standing.kept.watch.webhook!;
      try {
        await deliver(event, { url, secret: standing.kept.secret! }, { policy, nowUs, signal });
        standing.delivered(event);
      } catch (error) {
        if (signal.aborted) break;
        standing.missed(event, error, attempts + 1 >= MAX_ATTEMPTS);
        const waitMs = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** attempts);
        await pause(waitMs * (0.75 + Math.random() / 2), signal);
      }
      if (!signal.aborted) store?.put(standing.kept);
    }
    standing.isDelivering = false;
  }

  #isHeld({ owner: { grant } }: Kept): boolean {
    return grant === undefined || (this.#deps.holds?.(grant) ?? true);
  }

  #find(id: string, owner: WatchOwner): Standing {
    const standing = this.#standing.get(id);
    if (!standing || !isOf(standing, owner)) throw new LociError("unknown-id", `there is no watch "${id}"`);
    return standing;
  }
}

/** A principal's own watches; the owner of everything also sees all others. */
function isOf(standing: Standing, owner: WatchOwner): boolean {
  return isOwn(standing, owner) || owner.labels === "*";
}

/** A token recreated under the same name is another principal. */
function isOwn({ kept }: Standing, owner: WatchOwner): boolean {
  return kept.owner.id === owner.id && kept.owner.grant === owner.grant;
}

/** "Who is it?" waits for a change of identity, not of wording. */
function plain(expression: Expression): Expression {
  return expression.op === "name" && expression.of.length === 1 ? expression.of[0]! : expression;
}

function expressionOf(given: string | Expression): Expression {
  const expression = typeof given === "string" ? scan(given) : parseExpression(given);
  kindOf(expression);
  return expression;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}
