import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface ConnectionLimits {
  readonly connections: number;
  readonly headersMs: number;
}

const SWEEP_MS = 1_000;

/**
 * The sockets of a server. At the limit, a new one replaces an idle one: of the address that holds most idle sockets,
 * the one that has waited longest; sockets that never sent a request go first. A client that only holds sockets open
 * therefore locks no other client out. A socket that never sends a request is closed after a while: Node itself closes
 * only those that have begun to send one.
 */
export class Connections {
  readonly #most: number;
  readonly #silentMs: number;
  /** By address; when each began to wait, the longest first. */
  readonly #idle = new Map<string, Map<Socket, number>>();
  /** Sockets that have sent a whole request before. */
  readonly #served = new WeakSet<Socket>();
  #count = 0;

  constructor(server: Server, { connections, headersMs }: ConnectionLimits) {
    this.#most = connections;
    this.#silentMs = headersMs;
    const sweeping = setInterval(() => this.#sweep(), SWEEP_MS);
    server.once("close", () => clearInterval(sweeping));
    server.on("connection", (socket: Socket) => this.#enter(socket));
    server.on("request", ({ socket }, response) => {
      this.#leaveIdle(socket);
      this.#served.add(socket);
      response.once("close", () => this.#wait(socket));
    });
    // The handler of an upgrade limits its sockets itself.
    server.on("upgrade", ({ socket }) => this.#leaveIdle(socket));
  }

  get count(): number {
    return this.#count;
  }

  #enter(socket: Socket): void {
    if (this.#count >= this.#most && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    this.#count++;
    const address = socket.remoteAddress ?? "";
    this.#wait(socket);
    socket.once("close", () => {
      this.#count--;
      this.#leaveIdle(socket, address);
    });
  }

  #wait(socket: Socket): void {
    if (socket.destroyed) return;
    const address = socket.remoteAddress ?? "";
    const own = this.#idle.get(address);
    if (own) own.set(socket, performance.now());
    else this.#idle.set(address, new Map([[socket, performance.now()]]));
  }

  #leaveIdle(socket: Socket, address = socket.remoteAddress ?? ""): void {
    const own = this.#idle.get(address);
    if (own?.delete(socket) && own.size === 0) this.#idle.delete(address);
  }

  #sweep(): void {
    const beforeMs = performance.now() - this.#silentMs;
    for (const own of this.#idle.values())
      for (const [socket, sinceMs] of own) {
        if (sinceMs > beforeMs) break;
        if (!this.#served.has(socket)) socket.destroy();
      }
  }

  #makeRoom(): boolean {
    let most: Map<Socket, number> | undefined;
    for (const own of this.#idle.values()) if (own.size > (most?.size ?? 0)) most = own;
    if (most === undefined) return false;
    let victim: Socket | undefined;
    for (const socket of most.keys()) {
      victim ??= socket;
      if (this.#served.has(socket)) continue;
      victim = socket;
      break;
    }
    most.delete(victim!);
    victim!.destroy();
    return true;
  }
}
