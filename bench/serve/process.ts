import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The real command in a process of its own, on any free port. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

export async function startServer(
  folder: string,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const loci = new URL("../../bin/loci.mjs", import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [...nodeOptions, loci, "serve", "--memory", folder, "--port", "0", "--json", "--log", "warn"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return {
    url: (JSON.parse(line) as { url: string }).url,
    pid: child.pid!,
    end: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}
