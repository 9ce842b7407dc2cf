import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NOW_US, smallHouse } from "../reasoning/testing/small-house.ts";
import type { RecordOf, WatchEvent } from "../schema/index.ts";
import type { Watches } from "../watches/index.ts";
import { type Memory, openMemory } from "./memory.ts";
import { correct, undo } from "./people.ts";
import { openWatches, watchesOf } from "./watch.ts";

const OWNER = { id: "owner", labels: "*" } as const;
let folder: string;
let memory: Memory;
let watches: Watches;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-watch-"));
  const { engine, reader } = await smallHouse(folder);
  await reader.close();
  await engine.close();
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
  watches = await watchesOf(memory);
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rewrites a state with these changes. */
async function put(id: string, change: Partial<RecordOf<"state">>): Promise<void> {
  const [record] = await (await memory.reader()).get([id]);
  const {
    version: _,
    recordedAtUs: __,
    supersededAtUs: ___,
    ...rest
  } = record as never as Record<string, unknown>;
  await memory.write({ records: [{ ...rest, ...change } as never] });
}

const openness = (value: string, p = 0.95) => ({
  attributes: {
    colour: { value: "white", p: 0.9, support: 9, lastUs: NOW_US },
    openness: { value, p, support: 9, lastUs: NOW_US },
  },
});

/** The next events of a watch, as they arrive. */
function listen(id: string, after?: number, who: Parameters<Watches["events"]>[1] = OWNER, from = watches) {
  const stop = new AbortController();
  const events = from.events(id, who, after, stop.signal);
  return {
    next: async (): Promise<WatchEvent> => (await events.next()).value!,
    stop: () => stop.abort(),
  };
}

describe("a standing query", { timeout: 20_000 }, () => {
  it("tells when something comes to be so, once, and not of what does not touch it", async () => {
    const watch = await watches.watch({ question: "Tell me when the fridge opens" }, OWNER);
    expect(watch).toMatchObject({
      on: "enter",
      holds: [],
      dependsOn: { categories: ["fridge"], rooms: null },
    });
    const heard = listen(watch.id);
    await put("mug", { name: "blue mug", text: ["blue mug"] });
    await put("fridge", openness("open"));
    const event = await heard.next();
    expect(event).toMatchObject({ id: `${watch.id}.1`, number: 1, entered: [{ name: "so" }], left: [] });
    expect(event.text).toMatch(/^yes/i);
    await put("fridge", openness("closed"));
    await expect.poll(async () => (await watches.list(OWNER))[0]!.holds, { timeout: 5_000 }).toEqual([]);
    await put("fridge", openness("open"));
    expect((await heard.next()).number).toBe(2);
    heard.stop();
  });

  it("goes on after a restart, tells what happened meanwhile, and hands out what was told before by its number", async () => {
    const watch = await watches.watch({ question: "how many chairs are in the kitchen?" }, OWNER);
    expect(watch.holds).toMatchObject([{ name: "2" }]);
    await memory.close();
    memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
    await put("chair-1", { category: "stool", name: "stool", text: ["stool"] });
    watches = await watchesOf(memory);
    await watches.start();
    const first = await listenUntil(watch.id, 1, 0);
    expect(first).toMatchObject({ number: 1, left: [{ name: "2" }], entered: [{ name: "1" }] });
    await put("chair-2", { category: "stool", name: "stool", text: ["stool"] });
    await listenUntil(watch.id, 2, 0);
    await memory.close();
    memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
    watches = await watchesOf(memory);
    const again = listen(watch.id, 0);
    expect([await again.next(), await again.next()].map(({ number }) => number)).toEqual([1, 2]);
    again.stop();
    await watches.unwatch(watch.id, OWNER);
    expect(await watches.list(OWNER)).toEqual([]);
  });

  it("is silent for as long as it is asked to be, and then tells what is so", async () => {
    let nowUs = NOW_US;
    const own = await openWatches(memory, { keep: false, nowUs: () => nowUs });
    const watch = await own.watch({ question: "Is the fridge open?", cooldownS: 3_600 }, OWNER);
    const other = await own.watch({ question: "Is the fridge open?" }, OWNER);
    const [heard, others] = [listen(watch.id, 0, OWNER, own), listen(other.id, 0, OWNER, own)];
    await put("fridge", openness("open"));
    expect([await heard.next(), await others.next()].map(({ entered }) => entered.length)).toEqual([1, 1]);
    await put("fridge", openness("closed"));
    expect((await others.next()).left).toHaveLength(1);
    expect((await own.list(OWNER))[0]).toMatchObject({ id: watch.id, events: 1 });
    nowUs += 3_600e6;
    expect((await heard.next()).left).toHaveLength(1);
    await own.close();
  });

  it("honours what people say", async () => {
    const watch = await watches.watch({ expression: 'things(category: "printer")', on: "change" }, OWNER);
    await correct({ memory, author: "ada" }, { target: "fridge", is: "printer" });
    expect((await listenUntil(watch.id, 1, 0)).entered).toMatchObject([{ id: "track-fridge" }]);
    await undo({ memory, author: "ada" }, undefined);
    expect((await listenUntil(watch.id, 2, 0)).left).toMatchObject([{ id: "track-fridge" }]);
  });

  it("is not made where looking costs too much, and suspended where it comes to", async () => {
    const all = 'total(things(), total(things(), count(relate(things(), it(), relation: "near"))))';
    await expect(watches.watch({ expression: all }, OWNER)).resolves.toMatchObject({ owner: "owner" });
    const short = await openWatches(memory, { keep: false, effort: { units: 20 } });
    await expect(short.watch({ expression: all }, OWNER)).rejects.toMatchObject({ code: "limit-exceeded" });
    await short.close();
    await memory.close();
    memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
    const poor = await openWatches(memory, { effort: { units: 20 } });
    await poor.start();
    const heard = listen((await poor.list(OWNER))[0]!.id, 0, OWNER, poor);
    expect((await heard.next()).text).toMatch(/^suspended: this costs more than 20 steps/);
    heard.stop();
    const [watch] = await poor.list(OWNER);
    expect(watch).toMatchObject({ suspended: expect.stringMatching(/20 steps/), events: 1 });
    // The condition still holds and is not evaluated again.
    await put("fridge", openness("open"));
    await poor.close();
    watches = await watchesOf(memory);
    await watches.start();
    expect((await watches.list(OWNER))[0]).toMatchObject({ suspended: watch!.suspended, events: 1 });
  });

  it("is not made where it cannot be kept, and that is said", async () => {
    await watches.start();
    writeFileSync(join(memory.folder, "watches"), "in the way");
    await expect(watches.watch({ expression: "count(things())" }, OWNER)).rejects.toMatchObject({
      code: "memory-read-only",
    });
    expect(await watches.list(OWNER)).toEqual([]);
  });

  it("is not made once whoever asked for it has gone", async () => {
    const asking = new AbortController();
    asking.abort();
    await expect(
      watches.watch({ expression: "count(things())" }, OWNER, asking.signal),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(await watches.list(OWNER)).toEqual([]);
  });

  it("tells nobody of what he may not see, nor of others' watches", async () => {
    const guest = { id: "guest", labels: [] };
    const watch = await watches.watch({ question: "how many mugs are there?" }, guest);
    const own = await watches.watch({ question: "how many mugs are there?" }, OWNER);
    await memory.write({
      records: [
        {
          kind: "track",
          id: "t-secret",
          name: "mug",
          category: "mug",
          validFromUs: NOW_US,
          validToUs: null,
          labels: ["private"],
        },
        {
          kind: "state",
          id: "s-secret",
          trackId: "t-secret",
          name: "mug",
          category: "mug",
          text: ["mug"],
          validFromUs: NOW_US,
          validToUs: null,
          labels: ["private"],
        },
      ],
    });
    expect((await listenUntil(own.id, 1, 0)).entered).toMatchObject([{ name: "2" }]);
    await put("mug", { category: "lantern", name: "lantern", text: ["lantern"] });
    expect(await listenUntil(watch.id, 1, 0, guest)).toMatchObject({
      left: [{ name: "1" }],
      entered: [{ name: "0" }],
    });
    const stranger = { id: "stranger", labels: [] };
    expect(await watches.list(stranger)).toEqual([]);
    await expect(watches.unwatch(watch.id, stranger)).rejects.toThrow(/there is no watch/);
    await expect(listen(watch.id, 0, stranger).next()).rejects.toThrow(/there is no watch/);
  });

  it("forgets what is forgotten, in what it told before too", async () => {
    const watch = await watches.watch({ expression: 'things(category: "bowl")' }, OWNER);
    await put("bowl", { category: "lantern", name: "lantern", text: ["lantern"] });
    await listenUntil(watch.id, 1, 0);
    await memory.forget(["bowl", "track-bowl"], "asked for");
    const { readFileSync, readdirSync } = await import("node:fs");
    const kept = join(memory.folder, "watches");
    const text = () =>
      readdirSync(kept)
        .map((name) => readFileSync(join(kept, name), "utf8"))
        .join("");
    await expect.poll(text, { timeout: 5_000 }).not.toMatch(/track-bowl/);
  });

  it("is refused where it cannot be watched, and where there are too many", async () => {
    await expect(watches.watch({ question: "sing me a song about nothing at all" }, OWNER)).rejects.toThrow(
      /watched/,
    );
    await expect(watches.watch({}, OWNER)).rejects.toThrow(/one of them/);
    await expect(watches.watch({ expression: "nothing(" }, OWNER)).rejects.toThrow();
    for (let n = 0; n < 50; n++) await watches.watch({ expression: 'things(category: "mug")' }, OWNER);
    await expect(watches.watch({ expression: 'things(category: "mug")' }, OWNER)).rejects.toThrow(
      /at most 50/,
    );
  });
});

describe("a webhook", { timeout: 20_000 }, () => {
  let server: Server;
  let url: string;
  const got: { id: string; signature: string; body: string }[] = [];
  let failures = 0;

  beforeEach(async () => {
    got.length = 0;
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        got.push({
          id: String(request.headers["loci-event-id"]),
          signature: String(request.headers["loci-signature"]),
          body,
        });
        response.writeHead(failures-- > 0 ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it("is tried again until it is taken, under the same id, signed", async () => {
    failures = 2;
    const own = await openWatches(memory, { keep: false, policy: { allow: ["127.0.0.1"] }, firstWaitMs: 10 });
    const watch = await own.watch({ expression: 'things(category: "mug")', webhook: { url } }, OWNER);
    expect(watch.secret).toMatch(/^[\w-]{43}$/);
    await put("mug", { category: "lantern", name: "lantern", text: ["lantern"] });
    await expect.poll(() => got.length, { timeout: 5_000 }).toBe(3);
    expect(new Set(got.map(({ id }) => id))).toEqual(new Set([`${watch.id}.1`]));
    const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(got[2]!.signature)!;
    const expected = createHmac("sha256", watch.secret!).update(`${seconds}.${got[2]!.body}`).digest("hex");
    expect(signature).toBe(expected);
    expect(JSON.parse(got[2]!.body)).toMatchObject({ number: 1, left: [{ id: "track-mug" }] });
    await expect
      .poll(async () => (await own.list(OWNER))[0]!.webhook, { timeout: 5_000 })
      .toEqual({ url, delivered: 1, lost: 0, attempts: 0 });
    await own.close();
  });

  it("goes to no private address unless that is allowed", async () => {
    for (const target of [
      url,
      "http://localhost/x",
      "http://[::1]/",
      "http://10.1.2.3/",
      "http://169.254.169.254/latest",
    ])
      await expect(
        watches.watch({ expression: 'things(category: "mug")', webhook: { url: target } }, OWNER),
      ).rejects.toThrow(/private network/);
    await expect(
      watches.watch({ expression: "rooms()", webhook: { url: "file:///etc/passwd" } }, OWNER),
    ).rejects.toThrow();
  });
});

/** The event with this number, whenever it arrives. */
async function listenUntil(
  id: string,
  number: number,
  after = 0,
  who: Parameters<Watches["events"]>[1] = OWNER,
) {
  const heard = listen(id, after, who);
  let event = await heard.next();
  while (event.number < number) event = await heard.next();
  heard.stop();
  return event;
}
