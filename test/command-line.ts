import { run } from "../src/interfaces/cli/run.ts";

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * A command as `bin/loci.mjs` runs it once Node has started, in this process: a second of work less each time. Tests of
 * starting, of signals and of pipes take the real process.
 */
export async function loci(
  args: readonly string[],
  { env = {}, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Said> {
  const [before, home, exitCode] = [{ ...process.env }, process.cwd(), process.exitCode];
  const said = { out: "", err: "" };
  const restore = [
    capture(process.stdout, (text) => (said.out += text)),
    capture(process.stderr, (text) => (said.err += text)),
  ];
  Object.assign(process.env, env);
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const code = await run(["node", "loci", ...args], new AbortController().signal);
    return { code, ...said };
  } finally {
    for (const back of restore) back();
    process.chdir(home);
    process.exitCode = exitCode;
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

function capture(stream: NodeJS.WriteStream, hear: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    hear(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
  };
}
