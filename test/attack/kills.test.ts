import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/geometry/index.ts";
import { ingestRecording, openMemory, simulate } from "../../src/index.ts";

/** LOCI_ATTACK_SEED repeats a run, LOCI_ATTACK_KILLS lengthens it: the slow suite kills each operation 20 times. */
const SEED = process.env["LOCI_ATTACK_SEED"] ?? "kills";
const KILLS = Number(process.env["LOCI_ATTACK_KILLS"] ?? 1);
const CHILD = join(import.meta.dirname, "operation.ts");

const base = mkdtempSync(join(tmpdir(), "loci-kills-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const [tour, filled, dump] = [join(base, "tour"), join(base, "filled"), join(base, "dump.jsonl")];

beforeAll(async () => {
  await simulate({ family: "house", seed: "9", minutes: 0.15, fps: 2, noise: 0.5, out: tour } as never);
  const memory = await openMemory(filled);
  await ingestRecording(memory, tour);
  await memory.exportJsonl(dump);
  await memory.close();
}, 120_000);

/** Runs an operation; killed after a while if told so. Says how long it took from when it began. */
function run(
  operation: string,
  folder: string,
  killAfterMs?: number,
): Promise<{ ms: number; killed: boolean }> {
  const source = { ingest: tour, import: dump, backup: filled }[operation] ?? "";
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, operation, folder, source], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [began, complaints] = [0, ""];
    child.stdout.once("data", () => {
      began = performance.now();
      if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    });
    child.stderr.on("data", (text) => {
      complaints += text;
    });
    child.on("close", (code, signal) => {
      if (code !== 0 && signal !== "SIGKILL") reject(new Error(`${operation}: ${complaints}`));
      else resolve({ ms: performance.now() - began, killed: signal === "SIGKILL" });
    });
  });
}

async function judged(folder: string): Promise<{ digest: string | undefined; problems: string[] }> {
  const memory = await openMemory(folder, { create: false });
  try {
    const { digestWithoutClock: digest, problems } = await memory.verify({ deep: true });
    return { digest, problems };
  } finally {
    await memory.close();
  }
}

describe(`killed at random moments and run again (seed ${SEED}, ${KILLS} each)`, () => {
  it.each(["ingest", "forget", "retain", "reembed", "import", "backup"])(
    "%s ends as if it had not been killed, and is never half done for a reader",
    { timeout: 600_000 },
    async (operation) => {
      const random = new Random(`${SEED} ${operation}`);
      const isFresh = ["ingest", "import", "backup"].includes(operation);
      const folder = join(base, operation);
      const begin = () => {
        rmSync(folder, { recursive: true, force: true });
        if (!isFresh) cpSync(filled, folder, { recursive: true });
      };
      begin();
      const { ms } = await run(operation, folder);
      const whole = await judged(folder);
      expect(whole.problems).toEqual([]);
      const before = isFresh ? undefined : await judged(filled);
      for (let kill = 0, tries = 0; kill < KILLS && tries < 3 * KILLS; tries++) {
        begin();
        const { killed } = await run(operation, folder, random.range(0, ms));
        if (killed) kill++;
        let isDone = false;
        if (existsSync(join(folder, "memory.db"))) {
          const { digest, problems } = await judged(folder);
          // Killed after its last step: a second ingest would be another one.
          isDone = digest === whole.digest && problems.length === 0;
          // What is under way says so; apart from that the memory is whole, before or after.
          const told = /move to embedder .* is unfinished|forgotten may still be in/;
          expect(problems.filter((problem) => !told.test(problem))).toEqual([]);
          if (operation === "forget" || operation === "reembed")
            expect([before!.digest, whole.digest]).toContain(digest);
          if (operation === "import" || operation === "backup") expect(digest).toBe(whole.digest);
        }
        if (!isDone) await run(operation, folder);
        expect(await judged(folder)).toEqual(whole);
      }
    },
  );
});
