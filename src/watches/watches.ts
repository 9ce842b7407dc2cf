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

/** Every one is looked at whenever something touches it. */
const MAX_WATCHES = 200;
const MAX_OF_ONE = 50;
/** However fast it is written, none is looked at more often. */
const LOOK_EVERY_MS = 200;
/** After a look it rests for so many times as long as that took: all watches together leave room for questions. */
const REST = 4;
/** A webhook is tried so often, twice as long apart each time, and no longer apart than this. */
const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

export interface WatchesDeps {
  /** Where they are kept; without one they end with the process. */
  readonly store?: WatchStore | undefined;
  /** The commits of the memory, all of them. */
  readonly tail: ChangeTail;
  readonly lastCommitUs: () => Promise<number | undefined>;
  /** Everything that was ever forgotten. */
  readonly forgotten: () => Promise<Gone>;
  readonly look: (
    watch: Pick<Kept, "expression" | "owner" | "watch">,
    signal: AbortSignal,
  ) => Promise<Looked>;
  readonly read: (question: string, owner: WatchOwner) => Promise<Expression>;
  readonly nowUs: () => number;
  readonly newId: IdSource;
  readonly policy: WebhookPolicy;
  /** Whether a grant is still given; default: every one is. */
  readonly holds?: (grant: string) => boolean;
  /** What was opened for looking is closed at the end. */
  readonly release?: () => Promise<void>;
  /** Before a webhook is tried the second time. */
  readonly firstWaitMs?: number;
}

/**
 * Standing queries: each is looked at when it is made and whenever a commit touches what it depends on, and tells when
 * what is so differs from what it last told. An event is on the disk before anybody hears of it, and keeps its id:
 * whoever comes back hears again what he may have missed.
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

  /** Takes up what was kept, and looks at each of them: what changed meanwhile is told now. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Looks once before it is kept: what costs too much to be looked at again and again is refused. */
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
    // What is so already is the beginning, and no news.
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

  /** Ends the watches whose grant was taken away: nothing more is looked for, told or delivered for it. */
  async retire(): Promise<void> {
    await this.start();
    for (const standing of [...this.#standing.values()])
      if (!this.#isHeld(standing.kept)) this.#end(standing);
  }

  /** The events of a watch after a number, then those to come; until it is ended or the signal is. */
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

  /** Takes what was forgotten out of every watch before anybody is told of it; one that asks for it by name ends. */
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
    const { tail, lastCommitUs, store } = this.#deps;
    // Read first: whatever is committed while they are looked at is seen afterwards.
    const fromUs = await lastCommitUs();
    const all = store?.all() ?? [];
    // What was forgotten while no process watched is no news either.
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

  /** One after the other: looking costs what asking costs, and asking must go on beside it. */
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
    // At once, with nothing awaited since the last look for more: who comes later begins anew.
    this.#isLooking = false;
  }

  /** In how long it may be looked at: not at once again, and not while it is to be silent. */
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

  /** What takes more than a look may cost is not looked at again; whoever listens is told. */
  #suspend(standing: Standing, why: string): void {
    standing.suspend(why, this.#deps.nowUs());
    this.#deps.store?.put(standing.kept);
    standing.announce();
    this.#deliver(standing);
  }

  /** Sends what a webhook has not got yet, in order; one at a time for each. */
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

/** One's own; whoever sees everything sees these too. */
function isOf(standing: Standing, owner: WatchOwner): boolean {
  return isOwn(standing, owner) || owner.labels === "*";
}

/** A token that was made anew under the same name is somebody else. */
function isOwn({ kept }: Standing, owner: WatchOwner): boolean {
  return kept.owner.id === owner.id && kept.owner.grant === owner.grant;
}

/** "Who is it?" waits for who it is, not for how that is said. */
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
