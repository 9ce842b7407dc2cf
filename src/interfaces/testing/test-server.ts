import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type Memory, type OpenOptions, openMemory } from "../../compose.ts";
import type { NewGrant } from "../http/access.ts";
import { type ServeOptions, type Serving, serve } from "../http/server.ts";

/** A real server on a real socket over a memory in a folder of its own, for tests. */
export interface TestServer {
  readonly memory: Memory;
  readonly serving: Serving;
  readonly url: string;
  /** The server's log, a line each. */
  readonly log: string[];
  /** A request; a token of `tokens` may be named. */
  fetch(path: string, init?: RequestInit & { readonly as?: string }): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServerOptions extends Partial<Omit<ServeOptions, "log">> {
  readonly tokens?: readonly NewGrant[];
  readonly memory?: OpenOptions;
  readonly fill?: (memory: Memory) => Promise<unknown>;
}

export async function testServer({
  tokens = [],
  memory: opened = {},
  fill,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "loci-http-"));
  const memory = await openMemory(folder, opened);
  await fill?.(memory);
  const log: string[] = [];
  const serving = await serve(memory, {
    port: 0,
    ...options,
    log: pino({ level: "debug" }, { write: (line: string) => void log.push(line) }),
  });
  const secrets = new Map(tokens.map((grant) => [grant.name, serving.access.add(grant, 0)]));
  return {
    memory,
    serving,
    url: serving.url,
    log,
    fetch: (path, { as, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (as !== undefined) headers.set("authorization", `Bearer ${secrets.get(as) ?? as}`);
      return fetch(serving.url + path, { ...init, headers });
    },
    close: async () => {
      await serving.close();
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
