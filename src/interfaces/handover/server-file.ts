import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Serving } from "../http/server.ts";

const serverFileSchema = z.strictObject({
  format: z.literal(1),
  /** Only of this machine: the token goes nowhere else. */
  url: z.string().regex(/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d{1,5}$/),
  pid: z.int().positive(),
  token: z.string().min(32).max(256),
});

/** Who holds a memory's writer and how to reach it; kept in the memory's folder, for its owner's eyes only. */
export type ServerFile = z.infer<typeof serverFileSchema>;

const UNWRITABLE: ReadonlySet<string> = new Set(["EROFS", "EACCES", "EPERM"]);

/** Says in the memory's folder that this process serves it. Returns the way to take that back. */
function announce(folder: string, server: Pick<ServerFile, "url" | "token">): () => void {
  const path = pathOf(folder);
  const draft = `${path}.${process.pid}.new`;
  const file: ServerFile = { format: 1, ...server, pid: process.pid };
  writeFileSync(draft, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return () => {
    // Whoever took the place since has written a file of its own.
    if (readServerFile(folder)?.token === server.token) rmSync(path, { force: true });
  };
}

/**
 * The same of a server that was just started, with a token of its own; one that no loopback reaches stays unnamed, as does
 * one of a folder that cannot be written: nobody writes there, so nobody has to come by.
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

/** Who serves a memory, as far as is known: whoever is named may have ended since. */
export function readServerFile(folder: string): ServerFile | undefined {
  try {
    const path = pathOf(folder);
    // A file that others could have written may send us anywhere.
    const { uid, mode } = statSync(path);
    if ((mode & 0o077) !== 0 || (process.getuid !== undefined && uid !== process.getuid())) return undefined;
    return serverFileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Missing, or not ours: then nobody can be reached by it.
    return undefined;
  }
}

/** Whether the process that a file names is there; one that was killed left its file behind. */
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
