import { existsSync } from "node:fs";
import { finishAbandoned, localPeer, memoryFolder, openMemory, type Peer } from "../../compose.ts";
import { isLociError } from "../../schema/core.ts";
import type { MemoryOptions } from "./open.ts";
import type { Terminal } from "./terminal.ts";

/** The memory at a place: opened here, or, where another process holds its writer and serves it, through that one. */
export async function openPlace(
  place: string,
  create: boolean,
  { embedder }: Pick<MemoryOptions, "embedder">,
  terminal: Terminal,
): Promise<Peer> {
  // A missing USB stick, or a typing error, would otherwise look like a sync.
  if (create && !place.includes("://") && !existsSync(memoryFolder(place)))
    terminal.note(`there was no memory at ${place}: it is made now`);
  const memory = await openMemory(place, {
    create,
    environment: process.env,
    ...(embedder === undefined ? {} : { embedder }),
  });
  try {
    await memory.writer();
  } catch (error) {
    await memory.close();
    if (!isLociError(error, "memory-busy")) throw error;
    const { isAlive, readServerFile } = await import("../handover/server-file.ts");
    const server = readServerFile(memoryFolder(place));
    if (server === undefined || !isAlive(server)) throw error;
    return serverPeer(server.url, server.token);
  }
  const peer = await localPeer(memory, place.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1@"));
  await finishAbandoned(memory, peer);
  return {
    ...peer,
    close: async () => {
      await peer.close();
      await memory.close();
    },
  };
}

/** The memory behind a server. */
export async function serverPeer(url: string, token: string | undefined): Promise<Peer> {
  const { connectPeer } = await import("../../remote/index.ts");
  return connectPeer(url, token === undefined ? {} : { token });
}
