import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import type { UnrulyRequest } from "./testing/unruly-worker.ts";
import { WorkerThread, workerBeside } from "./worker-thread.ts";

const FILE = new URL("./testing/unruly-worker.ts", import.meta.url);
const opened: WorkerThread<UnrulyRequest, number>[] = [];

function open(timeoutMs = 5_000, file = FILE, ahead = 1) {
  const thread = new WorkerThread<UnrulyRequest, number>(file, { id: "unruly", timeoutMs, ahead });
  opened.push(thread);
  return thread;
}

afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close();
});

it("takes its worker from the sources or from the build", () => {
  expect(workerBeside("file:///a/src/models/x/x.ts").href).toBe("file:///a/src/models/x/worker.ts");
  expect(workerBeside("file:///a/dist/models/x/x.js").href).toBe("file:///a/dist/models/x/worker.js");
});

it("answers in order", async () => {
  const thread = open();
  const values = [...Array(50).keys()];
  expect(await Promise.all(values.map((value) => thread.call({ do: "echo", value })))).toEqual(values);
});

it("passes on a code, and calls anything else the model's failure", async () => {
  const thread = open();
  await expect(thread.call({ do: "refuse" })).rejects.toMatchObject({
    code: "model-unavailable",
    message: "no weights",
  });
  await expect(thread.call({ do: "throw" })).rejects.toMatchObject({
    code: "model-failed",
    message: "cannot read it",
  });
  expect(await thread.call({ do: "echo", value: 1 })).toBe(1);
});

it.each(["crash", "exit"] as const)(
  "starts a new thread after a %s, and fails only the call it was at",
  async (how) => {
    const thread = open();
    const failing = expect(thread.call({ do: how })).rejects.toMatchObject({ code: "model-failed" });
    const next = thread.call({ do: "echo", value: 2 });
    await failing;
    expect(await next).toBe(2);
  },
);

it.each(["crash", "exit"] as const)(
  "asks a new thread what the old one had before it and did not answer, after a %s",
  async (how) => {
    const thread = open(5_000, FILE, 3);
    const values = [...Array(20).keys()];
    const ask = () => Promise.all(values.map((value) => thread.call({ do: "echo", value })));
    expect(await ask()).toEqual(values);
    const failing = expect(thread.call({ do: how })).rejects.toMatchObject({ code: "model-failed" });
    const after = ask();
    await failing;
    expect(await after).toEqual(values);
  },
);

it("ends a thread that does not answer in time", async () => {
  const thread = open(400);
  await expect(thread.call({ do: "spin" })).rejects.toThrow(/no answer within 400 ms/);
  expect(await thread.call({ do: "echo", value: 3 }, { timeoutMs: 5_000 })).toBe(3);
});

it("answers an aborted call at once and drops it when it was only waiting", async () => {
  const thread = open();
  await thread.call({ do: "echo", value: 0 });
  const controller = new AbortController();
  const started = performance.now();
  const running = thread.call({ do: "sleep", ms: 300 }, { signal: controller.signal });
  const waiting = thread.call({ do: "spin" }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(running).rejects.toMatchObject({ code: "aborted", cause: { message: "enough" } });
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  expect(performance.now() - started).toBeLessThan(250);
  // Had the spinning call been sent, this one would not be answered in time.
  expect(await thread.call({ do: "echo", value: 4 }, { signal: AbortSignal.timeout(3_000) })).toBe(4);
});

it("lets at most 1024 calls wait", async () => {
  const thread = open();
  const calls = Array.from({ length: 1_026 }, (_, value) => thread.call({ do: "echo", value }));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === "rejected").length).toBe(1);
  await expect(calls.at(-1)).rejects.toMatchObject({ code: "limit-exceeded" });
});

it("fails what is under way when closed, and everything after", async () => {
  const thread = open();
  const calls = [thread.call({ do: "sleep", ms: 60_000 }), thread.call({ do: "echo", value: 1 })];
  const settled = Promise.allSettled(calls);
  await thread.close();
  await thread.close();
  for (const result of await settled) expect(result).toMatchObject({ reason: { code: "model-unavailable" } });
  await expect(thread.call({ do: "echo", value: 1 })).rejects.toMatchObject({ code: "model-unavailable" });
});

it("says that a worker's file is missing", async () => {
  const thread = open(5_000, new URL("./no-such-worker.ts", import.meta.url));
  await expect(thread.call({ do: "echo", value: 1 })).rejects.toMatchObject({ code: "model-failed" });
});

it("lets the process end without a close, and keeps its chatter off stdout", async () => {
  const script = `
    const { WorkerThread } = await import(${JSON.stringify(new URL("./worker-thread.ts", import.meta.url).href)});
    const thread = new WorkerThread(new URL(${JSON.stringify(FILE.href)}), { id: "unruly", timeoutMs: 5000 });
    await thread.call({ do: "print" });
    console.log(await thread.call({ do: "echo", value: 5 }));`;
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", script], {
    timeout: 10_000,
  });
  expect(stdout).toBe("5\n");
  expect(stderr).toContain("chatter");
});
