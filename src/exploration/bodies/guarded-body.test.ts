import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LociError } from "../../schema/index.ts";
import type { Body, GoLimits, Stand, Went, Whereabouts } from "../../sensors/index.ts";
import { type Guard, GuardedBody } from "./guarded-body.ts";

const FENCE = [
  { x: -1, y: -1 },
  { x: 5, y: -1 },
  { x: 5, y: 5 },
  { x: -1, y: 5 },
];
const stand = (x: number, y: number): Stand => ({ positionInWorld: { x, y, z: 0 }, yawRad: 0 });

interface Moves {
  /** Metres per tenth of a second. */
  readonly stepM?: number;
  readonly sdM?: (step: number) => number;
  /** It takes this detour, whatever the goal. */
  readonly via?: Stand;
  /** After this many steps it stops reporting its pose. */
  readonly mutesAt?: number;
  readonly ignoresStop?: boolean;
}

/** A body that drives straight, one step per tenth of a second, and reports its pose; it follows every command. */
class Trusting implements Body {
  readonly agentId = "rob";
  readonly model = {
    radiusM: 0.2,
    speedMps: 2,
    turnRadps: 1,
    eyeHeightM: 1,
    horizontalFovRad: 1,
    focalPx: 500,
    sightM: 5,
  };
  readonly #moves: Moves;
  readonly asked: GoLimits[] = [];
  #at: Whereabouts = { ...stand(0, 0), timeUs: 0, sdM: 0.05, yawSdRad: 0 };
  #steps = 0;

  constructor(moves: Moves = {}) {
    this.#moves = moves;
  }

  whereabouts(): Promise<Whereabouts> {
    return Promise.resolve(this.#at);
  }

  look() {
    return Promise.resolve({ frames: [], edges: [] });
  }

  async go(to: Stand, limits: GoLimits = {}): Promise<Went> {
    this.asked.push(limits);
    const { via, mutesAt = Infinity, ignoresStop = false } = this.#moves;
    let pathM = 0;
    for (const goal of [...(via ? [via] : []), to]) {
      for (;;) {
        await Promise.resolve();
        if (limits.signal?.aborted && !ignoresStop) throw new LociError("aborted", "stopped");
        if (this.#steps >= mutesAt) {
          await new Promise<void>((resolve) => {
            if (!ignoresStop) limits.signal?.addEventListener("abort", () => resolve(), { once: true });
          });
          throw new LociError("aborted", "stopped");
        }
        const movedM = this.#step(goal);
        pathM += movedM;
        limits.onMove?.(this.#at);
        if (movedM === 0) break;
        if (pathM >= (limits.maxPathM ?? Infinity))
          return { outcome: "limit", pathM, turnRad: 0, at: this.#at };
      }
    }
    return { outcome: "arrived", pathM, turnRad: 0, at: this.#at };
  }

  #step({ positionInWorld: goal }: Stand): number {
    const { stepM = 0.05, sdM = () => 0.05 } = this.#moves;
    const { x, y } = this.#at.positionInWorld;
    const left = Math.hypot(goal.x - x, goal.y - y);
    const movedM = Math.min(left, stepM);
    const share = left === 0 ? 0 : movedM / left;
    this.#steps++;
    this.#at = {
      ...stand(x + (goal.x - x) * share, y + (goal.y - y) * share),
      timeUs: this.#at.timeUs + 100_000,
      sdM: sdM(this.#steps),
      yawSdRad: 0,
    };
    return movedM;
  }
}

const guarded = (guard: Guard, moves?: Moves) => {
  const body = new Trusting(moves);
  return { body, guarded: new GuardedBody(body, guard) };
};

describe("a body under guard", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("drives where nothing speaks against it, and tells whoever asked", async () => {
    const { guarded: safe } = guarded({ fence: FENCE, maxSpeedMps: 0.5, maxPathM: 10 });
    const told: number[] = [];
    const went = await safe.go(stand(2, 0), { onMove: (at) => told.push(at.positionInWorld.x) });
    expect(went).toMatchObject({ outcome: "arrived", pathM: expect.closeTo(2) });
    expect(told.at(-1)).toBeCloseTo(2);
  });

  it("does not set out for a goal outside its fence, and is stopped before it leaves it on the way", async () => {
    const out = guarded({ fence: FENCE });
    expect(await out.guarded.go(stand(9, 0))).toMatchObject({
      outcome: "refused",
      why: "the goal is outside the fence, at 9.00, 0.00",
    });
    expect(out.body.asked).toEqual([]);
    const via = guarded({ fence: FENCE }, { via: stand(0, -3) });
    const went = await via.guarded.go(stand(2, 0));
    expect(went).toMatchObject({ outcome: "stuck", why: expect.stringContaining("outside the fence") });
    expect(went.at.positionInWorld.y).toBeGreaterThan(-1);
    expect(() => guarded({ fence: FENCE.slice(2) })).toThrow("at least 3 corners");
  });

  it("drives no further in all than it may, however it is cut up", async () => {
    const { body, guarded: safe } = guarded({ maxPathM: 3 });
    expect(await safe.go(stand(2, 0))).toMatchObject({ outcome: "arrived" });
    expect(await safe.go(stand(0, 0))).toMatchObject({ outcome: "limit", pathM: expect.closeTo(1) });
    expect(body.asked[1]!.maxPathM).toBeCloseTo(1);
    expect(await safe.go(stand(0, 0))).toMatchObject({ outcome: "refused", why: "it has driven its 3 m" });
    expect(body.asked).toHaveLength(2);
  });

  it("is told how fast it may drive, and stopped where it does not keep to it", async () => {
    const fast = guarded({ maxSpeedMps: 0.4 }, { stepM: 0.1 });
    expect(fast.guarded.model.speedMps).toBe(0.4);
    const went = await fast.guarded.go(stand(4, 0), { maxSpeedMps: 5 });
    expect(went).toMatchObject({ outcome: "stuck", why: "it drives 1.00 m/s, at most 0.4 m/s" });
    expect(went.pathM).toBeLessThan(1);
    expect(fast.body.asked[0]!.maxSpeedMps).toBe(0.4);
  });

  it("holds while it is not sure where it is, and drives again when it is", async () => {
    const doubtful = guarded({ maxSdM: 0.3 }, { sdM: (step) => (step >= 10 && step < 15 ? 0.8 : 0.1) });
    const went = await doubtful.guarded.go(stand(4, 0));
    expect(went).toMatchObject({
      outcome: "stuck",
      why: "not sure where it is: ±0.80 m, at most 0.3 m; it holds",
    });
    expect(await doubtful.guarded.go(stand(4, 0))).toMatchObject({ outcome: "refused" });
    const lost = guarded({}, { sdM: () => Number.NaN });
    await lost.guarded.go(stand(4, 0));
    expect(await lost.guarded.go(stand(4, 0))).toMatchObject({ outcome: "refused" });
  });

  it("is told to stop when nothing is heard of it", async () => {
    const { guarded: safe } = guarded({ deadManMs: 2_000 }, { mutesAt: 5 });
    const driving = safe.go(stand(4, 0));
    await vi.advanceTimersByTimeAsync(1_999);
    await vi.advanceTimersByTimeAsync(2);
    expect(await driving).toMatchObject({ outcome: "stuck", why: "nothing was heard of it for 2 s" });
  });

  it("that does not stop when it is told to is out of control: nothing more is told to it", async () => {
    const { body, guarded: safe } = guarded({ stopMs: 5_000 }, { mutesAt: 5, ignoresStop: true });
    const driving = expect(safe.go(stand(4, 0))).rejects.toMatchObject({
      code: "source-unavailable",
      message: expect.stringContaining("told to stop and did not within 5 s"),
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await driving;
    expect(await safe.go(stand(1, 0))).toMatchObject({ outcome: "refused" });
    expect(body.asked).toHaveLength(1);
  });

  it("ends as its caller says", async () => {
    const { guarded: safe } = guarded({});
    const stop = new AbortController();
    const driving = safe.go(stand(4, 0), { signal: stop.signal, onMove: () => stop.abort() });
    await expect(driving).rejects.toMatchObject({ code: "aborted" });
  });
});
