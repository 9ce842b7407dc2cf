import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { LociError } from "../../src/schema/index.ts";
import type { BoxWorldFile } from "../../src/world/box-world.ts";

/** The Python reference body of a checkout. */
const SCRIPT = join(import.meta.dirname, "../../clients/python/loci_body.py");
const START_MS = 30_000;

/** Serves a world of boxes by the Python reference body, on a free port; `close` ends it. */
export async function servePythonBody(
  world: BoxWorldFile,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "loci-body-"));
  const file = join(folder, "world.json");
  await writeFile(file, JSON.stringify(world));
  const child = spawn("python3", [SCRIPT, "--world", file, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const close = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (why: string) =>
    reject(
      new LociError(
        "source-unavailable",
        `the Python body did not start: ${why}; it needs python3 of 3.9 or newer`,
      ),
    );
  const timer = setTimeout(() => fail(`nothing within ${START_MS / 1000} s`), START_MS);
  child.once("error", ({ message }) => fail(message));
  child.once("exit", (code) => fail(`it ended with ${code}`));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const url = /ws:\/\/\S+/.exec(line)?.[0];
    if (url) resolve(url);
  });
  try {
    return { url: await promise, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
