import type { Box, Vec3 } from "../geometry/index.ts";
import { LociError, throwIfAborted } from "../schema/index.ts";
import type { Body, Look, Stand, Went, Whereabouts } from "../sensors/index.ts";
import { gainOf } from "./ground/frontiers.ts";
import type { Field, Terrain } from "./ground/terrain.ts";

/** Metres of one step at most, as the papers count steps. */
export const HOP_M = 3;
/** A body has this long, by our clock, to answer; then it is given up. */
const ANSWER_MS = 60_000;
/** After this many drives in a row without progress, the body counts as unable to move. */
const MAX_STUCK = 6;
/** Within this distance it has arrived at its goal. */
export const ARRIVED_M = 0.35;
/** Look to a side if at least this much unknown floor is visible there. */
const WORTH_A_TURN_M2 = 0.5;

/** An agent's destination and its reason; kept until it is reached, unreachable, or no longer needed. */
export interface Goal {
  readonly kind: "recall" | "verify" | "explore" | "inspect";
  readonly stand: Stand;
  /** The frontier or record that it heads for. */
  readonly target: string | undefined;
  readonly reason: string;
  /** Stairs to climb, once it stands in front of them. */
  readonly flight?: Box | undefined;
  /** The body plans the path itself, over ground that the map does not know yet. */
  readonly isTold?: boolean | undefined;
}

/** One agent under way: its body, its goal, the distance driven, and the targets it will not try again. */
export class Explorer {
  readonly body: Body;
  goal: Goal | undefined;
  at: Whereabouts;
  pathM = 0;
  turnRad = 0;
  /** Why it no longer takes part; undefined while it does. */
  failure: string | undefined;
  /** Targets that were unreachable or showed nothing, with the number of attempts. */
  readonly tried = new Map<string, number>();
  #stuck = 0;
  readonly #answerMs: number;

  constructor(body: Body, at: Whereabouts, answerMs = ANSWER_MS) {
    this.body = body;
    this.at = at;
    this.#answerMs = answerMs;
  }

  /** A body's initial pose, before any other request; throws if the body does not answer. */
  static async firstWhereabouts(
    body: Body,
    answerMs = ANSWER_MS,
    signal?: AbortSignal,
  ): Promise<Whereabouts> {
    return answerOf(body.agentId, answerMs, (limits) => body.whereabouts(limits), signal);
  }

  get id(): string {
    return this.body.agentId;
  }

  /** Looks from the current pose: a full turn, or only to those sides where something unknown is visible. */
  async look(around: "ahead" | "full" | Terrain, signal?: AbortSignal): Promise<Look[]> {
    const looks = [await this.#ask((limits) => this.body.look(limits), signal)];
    const { positionInWorld, yawRad } = this.at;
    for (const turn of around === "ahead" ? [] : this.#sides(around)) {
      const went = await this.#ask(
        (limits) => this.body.go({ positionInWorld, yawRad: yawRad + turn }, limits),
        signal,
      );
      this.#count(went);
      looks.push(await this.#ask((limits) => this.body.look(limits), signal));
    }
    return looks;
  }

  /** One step towards the goal: at most three metres of the known path. */
  async step(
    terrain: Terrain,
    field: Field,
    limits: { readonly pathM: number },
    signal?: AbortSignal,
  ): Promise<Went> {
    const goal = this.goal!;
    const hopM = Math.min(HOP_M, limits.pathM);
    if (goal.flight && this.body.climb && this.#isAtStand())
      return this.#climb(goal, goal.flight, limits, signal);
    const to = goal.isTold ? goal.stand : hopTowards(goal.stand, terrain, field, hopM);
    if (to === undefined)
      return { outcome: "refused", pathM: 0, turnRad: 0, at: this.at, why: "the map knows no way there" };
    const went = await this.#ask(
      (call) => this.body.go(to, { ...call, maxPathM: goal.isTold ? hopM : hopM + 1 }),
      signal,
    );
    return this.#driven(went);
  }

  /** Climbs the stairs in front of it; on the other storey everything is planned anew. */
  async #climb(
    goal: Goal,
    flight: Box,
    { pathM }: { readonly pathM: number },
    signal?: AbortSignal,
  ): Promise<Went> {
    const went = await this.#ask((call) => this.body.climb!(flight, { ...call, maxPathM: pathM }), signal);
    this.goal = { ...goal, stand: went.at, flight: undefined };
    return this.#driven(went);
  }

  #driven(went: Went): Went {
    this.#count(went);
    const isMoved = went.outcome === "arrived" || went.outcome === "limit" || went.pathM > 0.3;
    this.#stuck = isMoved ? 0 : this.#stuck + 1;
    if (this.#stuck >= MAX_STUCK)
      this.failure = `it did not move in ${MAX_STUCK} tries (${went.why ?? went.outcome})`;
    return went;
  }

  /** At the foot of stairs it has not arrived; only after climbing them. */
  hasArrived(): boolean {
    return this.goal?.flight === undefined && this.#isAtStand();
  }

  #isAtStand(): boolean {
    const { goal, at } = this;
    return goal !== undefined && apart(goal.stand.positionInWorld, at.positionInWorld) <= ARRIVED_M;
  }

  /** Turns of half a field of view, so that everything is seen twice: a single sighting may be a false detection. */
  #sides(around: "full" | Terrain): number[] {
    const fov = this.body.model.horizontalFovRad;
    const count = Math.ceil((2 * Math.PI) / (fov / 2) - 1e-6);
    const turns = Array.from({ length: count - 1 }, (_, n) => ((n + 1) * 2 * Math.PI) / count);
    if (around === "full") return turns;
    const { positionInWorld, yawRad } = this.at;
    const isAhead = (turn: number): boolean => Math.min(turn, 2 * Math.PI - turn) <= fov / 2 + 1e-3;
    return turns.filter(
      (turn) => isAhead(turn) || unknownAhead(around, positionInWorld, yawRad + turn, fov) >= WORTH_A_TURN_M2,
    );
  }

  #count({ pathM, turnRad, at }: Went): void {
    this.pathM += pathM;
    this.turnRad += turnRad;
    this.at = at;
  }

  #ask<T>(call: (limits: { signal: AbortSignal }) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return answerOf(this.id, this.#answerMs, call, signal);
  }
}

/** A body that does not answer in time is given up, because the run must end. */
async function answerOf<T>(
  id: string,
  answerMs: number,
  call: (limits: { signal: AbortSignal }) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  throwIfAborted(signal);
  const timeout = AbortSignal.timeout(answerMs);
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void =>
    reject(
      signal?.aborted
        ? new LociError("aborted", "the exploration was cancelled")
        : new LociError("source-unavailable", `${id} did not answer within ${answerMs / 1000} s`),
    );
  both.addEventListener("abort", giveUp);
  try {
    return await Promise.race([call({ signal: both }), promise]);
  } finally {
    both.removeEventListener("abort", giveUp);
  }
}

/** The farthest point of the path within a hop, facing along it; at its end, the goal's own heading. */
function hopTowards(goal: Stand, terrain: Terrain, field: Field, hopM: number): Stand | undefined {
  const cells = terrain.way(field, terrain.nearestOpen(goal.positionInWorld));
  if (cells.length === 0) return undefined;
  const { cellM } = terrain.raster;
  let [lengthM, at] = [0, 0];
  for (let i = 1; i < cells.length; i++) {
    const [a, b] = [terrain.middleOf(cells[i - 1]!), terrain.middleOf(cells[i]!)];
    lengthM += Math.hypot(a.x - b.x, a.y - b.y);
    if (lengthM > hopM + cellM) break;
    at = i;
  }
  if (at === cells.length - 1) return { positionInWorld: terrain.middleOf(cells[at]!), yawRad: goal.yawRad };
  const [here, next] = [
    terrain.middleOf(cells[at]!),
    terrain.middleOf(cells[Math.min(cells.length - 1, at + 5)]!),
  ];
  return { positionInWorld: here, yawRad: Math.atan2(next.y - here.y, next.x - here.x) };
}

function unknownAhead(terrain: Terrain, from: Vec3, yawRad: number, fovRad: number): number {
  return gainOf(terrain, from, { yawRad, fovRad }).m2;
}

export function apart(a: Vec3, b: Vec3): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
