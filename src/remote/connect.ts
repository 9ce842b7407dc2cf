import type { MemoryFace } from "../compose/face.ts";
import { remoteAccounts } from "./accounts.ts";
import { remoteCore } from "./core.ts";
import { remoteFeed } from "./feed.ts";
import { type ConnectOptions, HttpClient } from "./http-client.ts";
import { remoteIngest } from "./ingest.ts";
import { remotePeople } from "./people.ts";
import { remoteSources } from "./sources.ts";

export type { ConnectOptions } from "./http-client.ts";

/** A memory behind a server, with the API of a local one. Nothing is sent before the first call. */
export function connect(url: string, options: ConnectOptions = {}): MemoryFace {
  const client = new HttpClient(url, options);
  return {
    ...remoteCore(client),
    ...remoteIngest(client),
    ...remoteFeed(client),
    ...remoteAccounts(client),
    ...remotePeople(client),
    ...remoteSources(client),
  };
}
