import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * `npm run check`: format, lint, types and unused code, as many at once as there are cores and each on one (four checkers, which
 * is tsc's own choice, do half as much work again). What tsc found out about files is kept in .cache for the next time.
 */
const types = (name: string, ...more: string[]) => [
  "tsc",
  "--noEmit",
  "--checkers",
  "1",
  "--incremental",
  "--tsBuildInfoFile",
  `.cache/${name}.tsbuildinfo`,
  ...more,
];
const STEPS = [types("types"), types("viewer-types", "-p", "viewer"), ["biome", "check", "."], ["knip"]];

let isBad = false;
const waiting = [...STEPS];
await Promise.all(Array.from({ length: Math.max(1, Math.min(availableParallelism(), STEPS.length)) }, work));
process.exitCode = isBad ? 1 : 0;

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [code, said] = await run(step);
    if (code === 0) continue;
    isBad = true;
    process.stderr.write(`${step.join(" ")} (exit ${code})\n${said}`);
  }
}

/** Its exit status and all it said, in one piece. */
function run([command, ...args]: readonly string[]): Promise<[number | string, string]> {
  return new Promise((done, fail) => {
    const child = spawn(command!, args, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said += text));
    child.on("error", fail);
    child.on("close", (code, signal) => done([code ?? signal ?? "?", said]));
  });
}
