import { type Point2, polygonContains, type Vec3 } from "../../geometry/index.ts";
import { isLociError, LociError } from "../../schema/index.ts";
import type {
  Body,
  BodyModel,
  CallLimits,
  GoLimits,
  Look,
  Stand,
  Went,
  Whereabouts,
} from "../../sensors/index.ts";

/** Hard limits of a body. Absent limits do not apply; pose uncertainty and silence are always limited. */
export interface Guard {
  /** The area that the body's centre must not leave, as corners in order. */
  readonly fence?: readonly Point2[] | undefined;
  /** Most metres to drive in total. */
  readonly maxPathM?: number | undefined;
  readonly maxSpeedMps?: number | undefined;
  /** It stops if its position or heading is less certain than this. */
  readonly maxSdM?: number | undefined;
  readonly maxYawSdRad?: number | undefined;
  /** It is stopped after this long without a pose while driving. */
  readonly deadManMs?: number | undefined;
  /** Time allowed for stopping; after that it counts as out of control and gets no further commands. */
  readonly stopMs?: number | undefined;
}

const MAX_SD_M = 0.5;
const MAX_YAW_SD_RAD = 0.5;
const DEAD_MAN_MS = 3_000;
const STOP_MS = 10_000;
/** Speed is measured over at least this long: a single localisation step is too noisy. */
const SPEED_WINDOW_US = 500_000;
/** Margin for pose noise and controller overshoot. */
const SPEED_LEEWAY = 1.25;
/** Stopped before it leaves its fence: its position this much later is checked. */
const AHEAD_S = 0.5;

/**
 * A body within limits that no plan, policy or model can overrule, since the inner body is private. The goal is
 * checked before a drive, and every pose during it. When a limit is exceeded the body is stopped, and the reason is
 * reported.
 */
export class GuardedBody implements Body {
  readonly #body: Body;
  readonly #guard: Guard;
  #drivenM = 0;
  #outOfControl: string | undefined;

  constructor(body: Body, guard: Guard) {
    if (guard.fence && guard.fence.length < 3)
      throw new LociError("invalid-input", `a fence has at least 3 corners, got ${guard.fence.length}`);
    this.#body = body;
    this.#guard = guard;
  }

  get agentId(): string {
    return this.#body.agentId;
  }

  get model(): BodyModel {
    const { model } = this.#body;
    return { ...model, speedMps: Math.min(model.speedMps, this.#guard.maxSpeedMps ?? Infinity) };
  }

  /** Metres driven under this guard. */
  get drivenM(): number {
    return this.#drivenM;
  }

  whereabouts(limits?: CallLimits): Promise<Whereabouts> {
    return this.#body.whereabouts(limits);
  }

  look(limits?: CallLimits): Promise<Look> {
    return this.#body.look(limits);
  }

  async close(): Promise<void> {
    await this.#body.close?.();
  }

  async go(to: Stand, limits: GoLimits = {}): Promise<Went> {
    const at = await this.#body.whereabouts(limits);
    const why = this.#outOfControl ?? this.#objection(at) ?? this.#outside(to.positionInWorld, "the goal is");
    if (why !== undefined) return { outcome: "refused", pathM: 0, turnRad: 0, at, why };
    const watch = new Watch(at, this.#guard, (now) => this.#objection(now), limits.onMove);
    try {
      const went = await this.#drive(to, limits, watch);
      this.#drivenM += Math.max(went.pathM, watch.pathM);
      return went;
    } catch (error) {
      this.#drivenM += watch.pathM;
      throw error;
    } finally {
      watch.end();
    }
  }

  async #drive(to: Stand, limits: GoLimits, watch: Watch): Promise<Went> {
    const { maxPathM = Infinity, maxSpeedMps } = this.#guard;
    const left = Math.min(limits.maxPathM ?? Infinity, maxPathM - this.#drivenM);
    const speed = Math.min(limits.maxSpeedMps ?? Infinity, maxSpeedMps ?? Infinity);
    const driving = this.#body.go(to, {
      ...limits,
      ...(Number.isFinite(left) && { maxPathM: left }),
      ...(Number.isFinite(speed) && { maxSpeedMps: speed }),
      signal: limits.signal ? AbortSignal.any([limits.signal, watch.stop]) : watch.stop,
      onMove: watch.saw,
    });
    const went = await this.#atRest(driving, watch, limits.signal);
    if (watch.broken === undefined) return went;
    return { ...went, outcome: "stuck", why: watch.broken };
  }

  /** Waits for the end of the drive; after a stop command, by us or the caller, only for a limited time. */
  async #atRest(driving: Promise<Went>, watch: Watch, signal: AbortSignal | undefined): Promise<Went> {
    const { stopMs = STOP_MS } = this.#guard;
    const { promise: never, reject } = Promise.withResolvers<Went>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onStop = () => {
      timer ??= setTimeout(() => {
        this.#outOfControl = `it was told to stop and did not within ${stopMs / 1000} s`;
        reject(new LociError("source-unavailable", `${this.agentId}: ${this.#outOfControl}`));
      }, stopMs);
    };
    const stops = [watch.stop, ...(signal ? [signal] : [])];
    for (const each of stops) {
      if (each.aborted) onStop();
      each.addEventListener("abort", onStop, { once: true });
    }
    try {
      return await Promise.race([driving, never]);
    } catch (error) {
      if (!isLociError(error, "aborted") || watch.broken === undefined) throw error;
      return { outcome: "stuck", pathM: watch.pathM, turnRad: watch.turnRad, at: watch.at };
    } finally {
      clearTimeout(timer);
      for (const each of stops) each.removeEventListener("abort", onStop);
    }
  }

  /** Why it must not drive from its current pose; undefined if nothing forbids it. */
  #objection(at: Whereabouts): string | undefined {
    const { maxSdM = MAX_SD_M, maxYawSdRad = MAX_YAW_SD_RAD, maxPathM = Infinity } = this.#guard;
    // Written so that NaN counts as uncertain.
    if (!(at.sdM <= maxSdM))
      return `not sure where it is: ±${at.sdM.toFixed(2)} m, at most ${maxSdM} m; it holds`;
    if (!(at.yawSdRad <= maxYawSdRad))
      return `not sure where it faces: ±${at.yawSdRad.toFixed(2)} rad, at most ${maxYawSdRad}; it holds`;
    if (this.#drivenM >= maxPathM) return `it has driven its ${maxPathM} m`;
    return this.#outside(at.positionInWorld, "it stands");
  }

  #outside(point: Vec3, who: string): string | undefined {
    const { fence } = this.#guard;
    if (fence === undefined || polygonContains({ points: fence }, point)) return undefined;
    return `${who} outside the fence, at ${point.x.toFixed(2)}, ${point.y.toFixed(2)}`;
  }
}

/** One monitored drive: every pose during it, and whether it may continue. */
class Watch {
  readonly #guard: Guard;
  readonly #objection: (at: Whereabouts) => string | undefined;
  readonly #onMove: ((at: Whereabouts) => void) | undefined;
  readonly #controller = new AbortController();
  readonly #heard: Whereabouts[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why it was stopped. */
  broken: string | undefined;
  pathM = 0;
  turnRad = 0;

  constructor(
    start: Whereabouts,
    guard: Guard,
    objection: (at: Whereabouts) => string | undefined,
    onMove: ((at: Whereabouts) => void) | undefined,
  ) {
    this.#guard = guard;
    this.#objection = objection;
    this.#onMove = onMove;
    this.#heard = [start];
    this.#wait();
  }

  get stop(): AbortSignal {
    return this.#controller.signal;
  }

  get at(): Whereabouts {
    return this.#heard.at(-1)!;
  }

  readonly saw = (at: Whereabouts): void => {
    const last = this.at;
    this.pathM += apart(last.positionInWorld, at.positionInWorld);
    this.turnRad += Math.abs(
      Math.atan2(Math.sin(at.yawRad - last.yawRad), Math.cos(at.yawRad - last.yawRad)),
    );
    this.#heard.push(at);
    while (this.#heard.length > 2 && at.timeUs - this.#heard[1]!.timeUs >= SPEED_WINDOW_US)
      this.#heard.shift();
    if (this.broken === undefined) this.#wait();
    const why = this.#wrongWith(at);
    if (why !== undefined) this.#break(why);
    this.#onMove?.(at);
  };

  end(): void {
    clearTimeout(this.#timer);
  }

  #wrongWith(at: Whereabouts): string | undefined {
    const { maxPathM = Infinity, maxSpeedMps = Infinity } = this.#guard;
    const since = this.#heard[0]!;
    const seconds = (at.timeUs - since.timeUs) / 1e6;
    const isMeasured = at.timeUs - since.timeUs >= SPEED_WINDOW_US;
    const [dx, dy] = [
      at.positionInWorld.x - since.positionInWorld.x,
      at.positionInWorld.y - since.positionInWorld.y,
    ];
    const speed = isMeasured ? Math.hypot(dx, dy) / seconds : 0;
    if (speed > maxSpeedMps * SPEED_LEEWAY)
      return `it drives ${speed.toFixed(2)} m/s, at most ${maxSpeedMps} m/s`;
    if (this.pathM > maxPathM) return `it has driven its ${maxPathM} m`;
    const share = isMeasured ? AHEAD_S / seconds : 0;
    const { x, y, z } = at.positionInWorld;
    const ahead = { ...at, positionInWorld: { x: x + dx * share, y: y + dy * share, z } };
    return this.#objection(at) ?? this.#objection(ahead)?.replace("it stands", "it was about to stand");
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const { deadManMs = DEAD_MAN_MS } = this.#guard;
    this.#timer = setTimeout(
      () => this.#break(`nothing was heard of it for ${deadManMs / 1000} s`),
      deadManMs,
    );
  }

  #break(why: string): void {
    this.broken ??= why;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

function apart(a: Vec3, b: Vec3): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
