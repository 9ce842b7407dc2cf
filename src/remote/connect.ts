import type { MemoryFace } from "../operations/index.ts";
import { blobRefSchema, type Correction, idSchema, LociError } from "../schema/index.ts";
import { ask, conversation } from "./asking.ts";
import { sendFrame } from "./frames.ts";
import { type ConnectOptions, HttpClient } from "./http-client.ts";
import { remoteOperations } from "./operations.ts";

export type { ConnectOptions } from "./http-client.ts";

/** A memory behind a server, with the API of a local one. Nothing is sent before the first call. */
export function connect(url: string, options: ConnectOptions = {}): MemoryFace {
  const client = new HttpClient(url, options);
  const plain = remoteOperations(client);
  return {
    ...plain,
    ask: (question, settings = {}, call) => ask(client, question, settings, call),
    conversation: (settings = {}) => conversation(client, settings),
    ingestFrame: (frame) => sendFrame(client, frame),
    // What cannot be an id is not requested.
    record: async (id) => (idSchema.safeParse(id).success ? plain.record(id) : undefined),
    history: async (id) => (idSchema.safeParse(id).success ? plain.history(id) : []),
    blob: async (ref) =>
      blobRefSchema.safeParse(ref).success
        ? client.maybe(client.bytes({ method: "GET", path: `/v1/blobs/${ref}` }))
        : undefined,
    undo: async (id) => plain.undo(id ?? lastOf(await plain.corrections())),
    changes: async function* (query = {}, call) {
      // Fixed before the first connection, so that writes during a lost connection come after it.
      const after = query.after ?? (await plain.stats()).lastCommitUs ?? undefined;
      yield* plain.changes({ ...query, ...(after !== undefined && { after }) }, call);
    },
    // The runtime keeps connections and closes idle ones.
    close: async () => undefined,
  };
}

function lastOf(said: readonly Correction[]): string {
  const last = said.find(({ undone }) => undone === undefined);
  if (last === undefined)
    throw new LociError("unknown-id", "nothing was corrected or named that could be undone");
  return last.id;
}
