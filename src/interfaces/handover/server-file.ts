import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Serving } from "../http/server.ts";

const serverFileSchema = z.strictObject({
  format: z.literal(1),
  /** Loopback only: the token is sent nowhere else. */
  url: z.string().regex(/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d{1,5}$/),
  pid: z.int().positive(),
  token: z.string().min(32).max(256),
});

/**
 * The process that holds a memory's writer and how to reach it; kept in the memory's folder, readable by its owner
 * only.
 */
export type ServerFile = z.infer<typeof serverFileSchema>;

const UNWRITABLE: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

/** Registers this process as the memory's server in its folder. Returns a function to undo that. */
function announce(folder: string, server: Pick<ServerFile, "url" | "token">): () => void {
  const path = pathOf(folder);
  const draft = `${path}.${process.pid}.new`;
  const file: ServerFile = { format: 1, ...server, pid: process.pid };
  writeFileSync(draft, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return () => {
    // A later holder has written a file of its own, which stays.
    if (readServerFile(folder)?.token === server.token) rmSync(path, { force: true });
  };
}

/**
 * Announces a server that was just started, with a token of its own. A server that loopback does not reach is not
 * announced, nor is one of a folder that cannot be written: no process writes there, so none needs to find it.
 */
export function announceServing(
  folder: string,
  { url, access }: Pick<Serving, "url" | "access">,
): () => void {
  const local = url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\]):/, "http://127.0.0.1:");
  if (!serverFileSchema.shape.url.safeParse(local).success) return () => undefined;
  const token = access.issue({ actor: { id: "owner", labels: "*" }, scopes: ["read", "write", "admin"] });
  try {
    return announce(folder, { url: local, token });
  } catch (error) {
    access.revoke(token);
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return () => undefined;
  }
}

/** The process that serves a memory, as far as is known; it may have ended since. */
export function readServerFile(folder: string): ServerFile | undefined {
  try {
    const path = pathOf(folder);
    // A file that others could have written may send us anywhere.
    const { uid, mode } = statSync(path);
    if ((mode & 0o077) !== 0 || (process.getuid !== undefined && uid !== process.getuid())) return undefined;
    return serverFileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Missing or unreadable: then it names no reachable server.
    return undefined;
  }
}

/** Whether the process named by a file is running; a killed one leaves its file behind. */
export function isAlive({ pid }: ServerFile): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function pathOf(folder: string): string {
  return join(folder, "server.json");
}
