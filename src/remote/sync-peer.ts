import { LociError } from "../schema/core.ts";
import type {
  Disowned,
  Finished,
  ForgetTaken,
  Forgetting,
  GiveRequest,
  Peer,
  PeerCall,
  PeerStatus,
  Receipt,
  Sealed,
} from "../sharing/sync/index.ts";
import { type ConnectOptions, HttpClient, waited } from "./http-client.ts";

/** Segments are sent in pieces: after a broken link, acknowledged pieces are kept. */
const PIECE_BYTES = 262_144;
/** Attempts per piece before a link counts as down; each success resets the count. */
const TRIES = 8;
/** Most resends of a segment that arrives damaged. */
const MAX_TORN = 2;
const FORGETTINGS_A_CALL = 20_000;
/** Joining maps and forgetting may take long. */
const PATIENCE_MS = 600_000;

export interface SyncConnect extends ConnectOptions {
  readonly pieceBytes?: number;
}

/** A memory behind `loci serve`, as one end of a sync. */
export function connectPeer(url: string, options: SyncConnect = {}): Peer {
  const client = new HttpClient(url, { retries: TRIES, ...options });
  const patient = new HttpClient(url, { retries: TRIES, ...options, timeoutMs: PATIENCE_MS });
  const pieceBytes = options.pieceBytes ?? PIECE_BYTES;
  const json = <T>(method: "GET" | "POST", path: string, body: unknown, call: PeerCall, via = client) =>
    via.json({
      method,
      path: `/v1/sync${path}`,
      ...(body !== undefined && { body }),
      isRepeatable: true,
      signal: call.signal,
    }) as Promise<T>;
  return {
    name: client.address,
    status: async (call = {}) => json<PeerStatus>("GET", "", undefined, call).catch(noMemory(client.address)),
    forgotten: async (call = {}) =>
      (await json<{ forgotten: Forgetting[] }>("GET", "/forgotten", undefined, call)).forgotten,
    forget: async (forgettings, { share, ...call } = {}) => {
      for (let at = 0; at < forgettings.length; at += FORGETTINGS_A_CALL) {
        const forgotten = forgettings.slice(at, at + FORGETTINGS_A_CALL);
        const body = { forgotten, ...(share !== undefined && { share }) };
        const { kept = 0 } = await json<Partial<ForgetTaken>>("POST", "/forgotten", body, call, patient);
        if (kept > 0) return { kept };
      }
      return { kept: 0 };
    },
    give: (request) => received(client, patient, request, pieceBytes),
    take: (segment, call = {}) => sent(client, patient, segment, call, pieceBytes),
    finish: (sender, { clock, ...call } = {}) =>
      json<Finished>("POST", "/finish", { sender, ...(clock && { clock }) }, call, patient),
    disown: (memory, { fromUs, ...call } = {}) =>
      json<Disowned>("POST", "/disowned", { memory, ...(fromUs !== undefined && { fromUs }) }, call, patient),
    close: async () => undefined,
  };
}

/** Requests a segment, then its bytes piece by piece. */
async function received(
  client: HttpClient,
  patient: HttpClient,
  { signal, ...request }: GiveRequest,
  pieceBytes: number,
): Promise<Sealed | undefined> {
  for (let lost = 0; ; lost++) {
    const offered = (await patient.json({
      method: "POST",
      path: "/v1/sync/segments",
      body: request,
      isRepeatable: true,
      signal,
    })) as { name: string; bytes: number } | { name: null };
    if (offered.name === null) return undefined;
    const { name, bytes: length } = offered;
    const bytes = new Uint8Array(length);
    const isWhole = await fetched(client, name, bytes, signal, pieceBytes);
    if (isWhole) return { name, bytes };
    // The server was restarted, or evicted the segment: it builds the same one again.
    if (lost >= TRIES)
      throw new LociError("source-unavailable", `${client.address} does not keep its segments`);
    await waited(lost, signal);
  }
}

async function fetched(
  client: HttpClient,
  name: string,
  into: Uint8Array,
  signal: AbortSignal | undefined,
  pieceBytes: number,
): Promise<boolean> {
  for (let at = 0; at < into.length; ) {
    const to = Math.min(at + pieceBytes, into.length) - 1;
    const piece = await client.maybe(
      client.bytes({
        method: "GET",
        path: `/v1/sync/segments/${name}`,
        headers: { range: `bytes=${at}-${to}` },
        signal,
      }),
    );
    if (piece === undefined) return false;
    into.set(piece.subarray(0, into.length - at), at);
    at += piece.length;
  }
  return true;
}

/** Sends the missing bytes of a segment, and has it applied. */
async function sent(
  client: HttpClient,
  patient: HttpClient,
  { name, bytes }: Sealed,
  { signal }: PeerCall,
  pieceBytes: number,
): Promise<Receipt> {
  const path = `/v1/sync/segments/${name}`;
  for (let torn = 0; ; torn++) {
    let { bytes: at } = (await client.json({ method: "GET", path: `${path}/size`, signal })) as {
      bytes: number;
    };
    while (at < bytes.length) {
      const piece = bytes.slice(at, at + pieceBytes);
      const reply = await client.json({ method: "PUT", path, query: { at }, body: piece, signal });
      at = (reply as { bytes: number }).bytes;
    }
    const taken = (await patient.json({
      method: "POST",
      path: `${path}/take`,
      body: {},
      isRepeatable: true,
      signal,
    })) as Receipt | { sender: null; why: string };
    if (taken.sender !== null) return taken;
    if (torn >= MAX_TORN)
      throw new LociError(
        "memory-corrupt",
        `${client.address} gets segment ${name.slice(0, 12)} otherwise than it is sent`,
      );
  }
}

/** A server without this address is not a Loci server, or an older one. */
function noMemory(address: string) {
  return (error: unknown): never => {
    if (error instanceof LociError && error.code === "unknown-id")
      throw new LociError(
        "memory-not-found",
        `${address} is no Loci server that syncs; is it an older one?`,
        {
          cause: error,
        },
      );
    throw error;
  };
}
