import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");

/** A `loci` command in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** What it wrote on stderr so far. */
  err(): string;
  out(): string;
}

export function started(...args: string[]): Running {
  const child = spawn(process.execPath, [LOCI, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  const ended = new Promise<number | NodeJS.Signals>((done) =>
    child.once("close", (code, signal) => done(signal ?? code ?? -1)),
  );
  return { child, ended, err: () => said.err, out: () => said.out };
}

export interface Served extends Running {
  readonly url: string;
  readonly foxglove: string | undefined;
}

/** A server in a process of its own, once it has said where it is. */
export async function served(folder: string, ...args: string[]): Promise<Served> {
  const running = started("serve", "--memory", folder, "--port", "0", "--json", "--log", "error", ...args);
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: running.child.stdout! }).once("line", done);
    void running.ended.then((code) => fail(new Error(`serve ended with ${code}: ${running.err()}`)));
  });
  const { url, foxglove } = JSON.parse(line) as { url: string; foxglove?: string };
  return { ...running, url, foxglove };
}
