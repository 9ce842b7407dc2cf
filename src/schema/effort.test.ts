import { describe, expect, it } from "vitest";
import { Effort, inSlices, Turns } from "./effort.ts";

/** A clock that advances only on request. */
function clockAt(startMs = 0) {
  let nowMs = startMs;
  return { now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}

describe("what a question may cost", () => {
  it("is counted in steps, dear ones for more", async () => {
    const effort = new Effort({ units: 10 });
    for (let n = 0; n < 5; n++) await effort.spend();
    await effort.spend(5);
    expect(() => effort.spend()).toThrow(/more than 10 steps/);
  });

  it("is counted in the thread's time, without what was waited for", async () => {
    const clock = clockAt();
    const turns = new Turns(clock.now);
    const effort = new Effort({ workMs: 300, turns, clock: clock.now });
    await effort.spend();
    clock.pass(100);
    const waiting = effort.spend();
    clock.pass(60_000);
    await waiting;
    clock.pass(100);
    await effort.spend();
    clock.pass(101);
    expect(() => effort.spend()).toThrow(/more than 0.3 s/);
  });

  it("ends with whoever asked", async () => {
    const asking = new AbortController();
    const effort = new Effort({ signal: asking.signal });
    await effort.spend();
    asking.abort();
    expect(() => effort.spend()).toThrow(/nobody waits/);
  });

  it("is done in turns: a caller with many questions delays his own", async () => {
    const clock = clockAt();
    const turns = new Turns(clock.now);
    const order: string[] = [];
    const work = async (caller: string, name: string) => {
      const effort = new Effort({ caller, turns, clock: clock.now });
      for (let n = 0; n < 3; n++) {
        await effort.spend();
        order.push(name);
        clock.pass(10);
      }
    };
    const flood = Array.from({ length: 20 }, (_, n) => work("a", `a${n}`));
    await Promise.all([...flood, work("b", "b")]);
    expect(order.lastIndexOf("b")).toBeLessThan(10);
  });

  it("lets everything else on the thread go on between two slices", async () => {
    const clock = clockAt();
    const effort = new Effort({ turns: new Turns(clock.now), clock: clock.now });
    let others = 0;
    const tick = () => {
      others++;
      if (others < 100) setImmediate(tick);
    };
    setImmediate(tick);
    for (let n = 0; n < 10; n++) {
      clock.pass(10);
      await effort.spend();
    }
    expect(others).toBeGreaterThanOrEqual(9);
  });

  it("leaves nine tenths of the thread to others who have that much to do", async () => {
    const clock = clockAt();
    const effort = new Effort({ turns: new Turns(clock.now), clock: clock.now });
    let [othersMs, isOver] = [0, false];
    const others = () => {
      othersMs += 2;
      clock.pass(2);
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    for (let n = 0; n < 10; n++) {
      await effort.spend();
      clock.pass(6);
    }
    isOver = true;
    expect(othersMs).toBeGreaterThanOrEqual(9 * 9 * 6);
  });

  it("waits for its turn from the beginning: many begun at once are not done at once", async () => {
    const clock = clockAt();
    const turns = new Turns(clock.now);
    let [rounds, done] = [0, 0];
    const tick = () => {
      rounds++;
      if (done < 10) setImmediate(tick);
    };
    setImmediate(tick);
    const most: number[] = [];
    const works = Array.from({ length: 10 }, async () => {
      const effort = new Effort({ turns, clock: clock.now });
      await effort.begin();
      clock.pass(6);
      done++;
      most[rounds] = (most[rounds] ?? 0) + 1;
    });
    await Promise.all(works);
    expect(Math.max(...most.filter((n) => n !== undefined))).toBe(1);
  });

  it("waits for its turn first where it is known to be long", async () => {
    const othersFirst = inSlices("somebody", { known: true });
    expect(othersFirst()).toBeInstanceOf(Promise);
  });

  it("waits for nobody where nobody else has anything to do", async () => {
    const clock = clockAt();
    const effort = new Effort({ turns: new Turns(clock.now), clock: clock.now });
    for (let n = 0; n < 10; n++) {
      await effort.spend();
      clock.pass(6);
    }
    expect(clock.now()).toBe(60);
  });

  it("holds up nothing short: that takes no turn, however many wait for theirs", async () => {
    const efforts = Array.from({ length: 50 }, () => new Effort());
    const waiting = efforts.map((effort) => effort.spend());
    const othersFirst = inSlices();
    expect(othersFirst()).toBeUndefined();
    await Promise.all(waiting);
  });
});
