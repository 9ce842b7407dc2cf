import { describe, expect, it } from "vitest";
import { fromYaw } from "../../geometry/index.ts";
import type { Frame } from "../../sensors/index.ts";
import { FrameQueue, noveltyOf } from "./queue.ts";
import type { WhenBehind } from "./request.ts";
import { QUEUE } from "./settings.ts";

const at = (seconds: number, x = 0, yawRad = 0): Frame => ({
  index: 0,
  timeUs: seconds * 1e6,
  agentId: "robot",
  sensorId: "camera",
  intrinsics: { fx: 1, fy: 1, cx: 1, cy: 1, width: 2, height: 2 },
  mapFrame: "world",
  worldFromCamera: { p: { x, y: 0, z: 1 }, q: fromYaw(yawRad) },
});

/** What a queue gives out of frames that came while the memory was busy, and what it dropped. */
async function given(rule: WhenBehind, frames: readonly Frame[]) {
  const dropped: Record<string, number> = {};
  const queue = new FrameQueue(rule, (reason, count) => {
    dropped[reason] = (dropped[reason] ?? 0) + count;
  });
  const { signal } = new AbortController();
  const first = queue.next(signal);
  queue.push(at(0), 0);
  await first;
  let longest = 0;
  for (const frame of frames) {
    queue.push(frame, 0);
    longest = Math.max(longest, queue.waiting);
  }
  queue.end();
  const out: number[] = [];
  for (let next = await queue.next(signal); next; next = await queue.next(signal))
    out.push(next.frame.timeUs / 1e6);
  return { out, dropped, longest, aside: queue.aside };
}

it("puts aside what was new of the frames that a newer one passed, and no more than it may", () => {
  const dropped: string[] = [];
  const queue = new FrameQueue("newest", (reason) => dropped.push(reason));
  for (const [seconds, x] of [
    [0, 0],
    [0.1, 0.05],
    [0.2, 0.5],
    [0.3, 0.52],
  ] as const)
    queue.push(at(seconds, x), 0);
  expect([queue.waiting, queue.aside, dropped.length]).toEqual([1, 2, 1]);
  expect([queue.takeAside(), queue.takeAside()].map((one) => one!.frame.timeUs)).toEqual([0, 0.2e6]);
  for (let n = 0; n < 2 * QUEUE.aside; n++) queue.push(at(1 + n, n), 0);
  expect(queue.aside).toBe(QUEUE.aside);
});

describe("a queue of frames that come too fast", () => {
  const many = Array.from({ length: 40 }, (_, n) => at(1 + n / 10, (n % 10) * 0.1));

  it.each(["drop", "newest", "keyframes"] as const)(
    "is bounded and counts every drop by %s",
    async (rule) => {
      const { out, dropped, longest, aside } = await given(rule, many);
      expect(longest).toBeLessThanOrEqual(QUEUE.frames);
      const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
      expect(out.length + lost + aside).toBe(many.length);
      expect(out).toEqual(out.toSorted((a, b) => a - b));
    },
  );

  it("keeps the first ones, the newest one, or those that show something new", async () => {
    expect((await given("drop", many)).out[0]).toBe(1);
    expect((await given("newest", many)).out).toEqual([4.9]);
    const still = [
      at(1),
      at(1.1),
      at(1.2, 0.3),
      at(1.3, 0.3),
      at(1.4, 0.3, 0.5),
      at(1.5, 0.3, 0.5),
      at(9, 0.3, 0.5),
    ];
    const { out, dropped } = await given("keyframes", still);
    expect(out).toEqual([1.2, 1.4, 9]);
    expect(dropped).toEqual({ "nothing-new": 4 });
  });

  it("takes everything while the memory keeps up", async () => {
    const queue = new FrameQueue("keyframes", () => expect.unreachable("nothing is dropped"));
    const { signal } = new AbortController();
    for (let n = 0; n < 5; n++) {
      const next = queue.next(signal);
      queue.push(at(n / 100), n);
      expect((await next)!.atMs).toBe(n);
    }
  });

  it("gives out what waits before it tells of the error, and ends with its signal", async () => {
    const queue = new FrameQueue("drop", () => undefined);
    const stop = new AbortController();
    queue.push(at(1), 0);
    queue.end(new Error("gone"));
    expect(await queue.next(stop.signal)).toBeDefined();
    await expect(queue.next(stop.signal)).rejects.toThrow("gone");
    const waiting = new FrameQueue("drop", () => undefined).next(stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });
});

describe("how new a view is", () => {
  it("is 1 after a step, a turn or a while, and endless in another map", () => {
    expect(noveltyOf(at(0), undefined)).toBe(Infinity);
    expect(noveltyOf(at(0, QUEUE.stepM), at(0))).toBeCloseTo(1);
    expect(noveltyOf(at(0, 0, QUEUE.turnRad), at(0))).toBeCloseTo(1);
    expect(noveltyOf(at(QUEUE.everyS), at(0))).toBeCloseTo(1);
    expect(noveltyOf({ ...at(0), mapFrame: "other" }, at(0))).toBe(Infinity);
  });
});
